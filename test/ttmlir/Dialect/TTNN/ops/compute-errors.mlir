// RUN: ttmlir-opt %s -split-input-file -verify-diagnostics
// Rules of the calls that compute; those that ttir has too are there case by case.
func.func @arity(%a0: tensor<64x128xf32>, %a1: tensor<64x128xf32>, %o: tensor<64x128xf32>) {
  // expected-error @+1 {{'ttnn.relu' op expected 1 inputs, 1 output and 1 result, found 2, 1 and 1}}
  %0 = "ttnn.relu"(%a0, %a1, %o) <{operandSegmentSizes = array<i32: 2, 1>}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return
}

// -----

func.func @matmul(%a0: tensor<64x128xf32>, %a1: tensor<96x32xf32>, %o: tensor<64x32xf32>) {
  // expected-error @+1 {{'ttnn.matmul' op Input A and B must have matching inner dimensions}}
  %0 = "ttnn.matmul"(%a0, %a1, %o) : (tensor<64x128xf32>, tensor<96x32xf32>, tensor<64x32xf32>) -> tensor<64x32xf32>
  return
}

// -----

func.func @sum(%a0: tensor<64x128xf32>, %o: tensor<64x1xf32>) {
  // expected-error @+1 {{Reduction dimension is out of bounds}}
  %0 = "ttnn.sum"(%a0, %o) <{dim_arg = [2 : i32], keep_dim = true}> : (tensor<64x128xf32>, tensor<64x1xf32>) -> tensor<64x1xf32>
  return
}

// -----

func.func @transpose(%a0: tensor<64x128xf32>, %o: tensor<64x128xf32>) {
  // expected-error @+1 {{Input-output transpose dimension mismatch.}}
  %0 = "ttnn.transpose"(%a0, %o) <{dim0 = 0 : si32, dim1 = 1 : si32}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return
}

// -----

func.func @concat(%a0: tensor<32x32xf32>, %a1: tensor<64x64xf32>, %o: tensor<32x96xf32>) {
  // expected-error @+1 {{All input tensors must have the same dimensions, except for dimension 1.}}
  %0 = "ttnn.concat"(%a0, %a1, %o) <{dim = 1 : si32}> : (tensor<32x32xf32>, tensor<64x64xf32>, tensor<32x96xf32>) -> tensor<32x96xf32>
  return
}

// -----

func.func @reshape(%a0: tensor<64xf32>, %o: tensor<32x3xf32>) {
  // expected-error @+1 {{Input and output tensors must have the same number of elements}}
  %0 = "ttnn.reshape"(%a0, %o) <{shape = [32 : i32, 3 : i32]}> : (tensor<64xf32>, tensor<32x3xf32>) -> tensor<32x3xf32>
  return
}

// -----

func.func @embedding(%a0: tensor<1x32xi32>, %a1: tensor<1x512x128xf32>, %o: tensor<1x32x128xf32>) {
  // expected-error @+1 {{Weight must be a 2D tensor}}
  %0 = "ttnn.embedding"(%a0, %a1, %o) : (tensor<1x32xi32>, tensor<1x512x128xf32>, tensor<1x32x128xf32>) -> tensor<1x32x128xf32>
  return
}

// -----

func.func @softmax(%a0: tensor<64x10xf32>, %o: tensor<64x10xf32>) {
  // expected-error @+1 {{Dimension attribute must be within the bounds of the input tensor}}
  %0 = "ttnn.softmax"(%a0, %o) <{dimension = 2 : si32}> : (tensor<64x10xf32>, tensor<64x10xf32>) -> tensor<64x10xf32>
  return
}

// -----

#device = #tt.device<workerGrid = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>, l1Map = (d0, d1)[s0, s1] -> (0, d0 floordiv s0, d1 floordiv s1, (d0 mod s0) * s1 + d1 mod s1), dramMap = (d0, d1)[s0, s1] -> (0, 0, 0, d0 * s1 + d1), meshShape = , chipIds = [0]>
func.func @conv2d_rank(%a0: tensor<32x64xf32>, %a1: tensor<64x64x3x3xf32>, %o: tensor<32x64xf32>, %d: !tt.device<#device>) {
  // expected-error @+1 {{Input must be at least a 3D tensor}}
  %0 = "ttnn.conv2d"(%a0, %a1, %o, %d) <{batch_size = 1 : i32, dilation_height = 1 : i32, dilation_width = 1 : i32, groups = 1 : i32, in_channels = 64 : i32, input_height = 32 : i32, input_width = 32 : i32, kernel_height = 3 : i32, kernel_width = 3 : i32, out_channels = 64 : i32, padding_height = 1 : i32, padding_width = 1 : i32, stride_height = 1 : i32, stride_width = 1 : i32}> : (tensor<32x64xf32>, tensor<64x64x3x3xf32>, tensor<32x64xf32>, !tt.device<#device>) -> tensor<32x64xf32>
  return
}

// -----

#device = #tt.device<workerGrid = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>, l1Map = (d0, d1)[s0, s1] -> (0, d0 floordiv s0, d1 floordiv s1, (d0 mod s0) * s1 + d1 mod s1), dramMap = (d0, d1)[s0, s1] -> (0, 0, 0, d0 * s1 + d1), meshShape = , chipIds = [0]>
func.func @conv2d_bias(%a0: tensor<1x32x32x64xf32>, %a1: tensor<64x64x3x3xf32>, %a2: tensor<1x1x2x64xf32>, %o: tensor<1x32x32x64xf32>, %d: !tt.device<#device>) {
  // expected-error @+1 {{Bias must only have data on the final dimenstion: expected 1x1x1x64, found 1x1x2x64}}
  %0 = "ttnn.conv2d"(%a0, %a1, %a2, %o, %d) <{batch_size = 1 : i32, dilation_height = 1 : i32, dilation_width = 1 : i32, groups = 1 : i32, in_channels = 64 : i32, input_height = 32 : i32, input_width = 32 : i32, kernel_height = 3 : i32, kernel_width = 3 : i32, out_channels = 64 : i32, padding_height = 1 : i32, padding_width = 1 : i32, stride_height = 1 : i32, stride_width = 1 : i32}> : (tensor<1x32x32x64xf32>, tensor<64x64x3x3xf32>, tensor<1x1x2x64xf32>, tensor<1x32x32x64xf32>, !tt.device<#device>) -> tensor<1x32x32x64xf32>
  return
}

// -----

#device = #tt.device<workerGrid = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>, l1Map = (d0, d1)[s0, s1] -> (0, d0 floordiv s0, d1 floordiv s1, (d0 mod s0) * s1 + d1 mod s1), dramMap = (d0, d1)[s0, s1] -> (0, 0, 0, d0 * s1 + d1), meshShape = , chipIds = [0]>
func.func @pool_kernel(%a0: tensor<1x1x16384x32xf32>, %o: tensor<1x1x4096x32xf32>, %d: !tt.device<#device>) {
  // expected-error @+1 {{Kernel height 129 is greater than input height 128. This MaxPool2d configuration is invalid.}}
  %0 = "ttnn.max_pool2d"(%a0, %o, %d) <{batch_size = 1 : si32, ceil_mode = false, channels = 32 : si32, dilation_height = 1 : si32, dilation_width = 1 : si32, input_height = 128 : si32, input_width = 128 : si32, kernel_height = 129 : si32, kernel_width = 2 : si32, padding_height = 0 : si32, padding_width = 0 : si32, stride_height = 2 : si32, stride_width = 2 : si32}> : (tensor<1x1x16384x32xf32>, tensor<1x1x4096x32xf32>, !tt.device<#device>) -> tensor<1x1x4096x32xf32>
  return
}

// -----

#device = #tt.device<workerGrid = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>, l1Map = (d0, d1)[s0, s1] -> (0, d0 floordiv s0, d1 floordiv s1, (d0 mod s0) * s1 + d1 mod s1), dramMap = (d0, d1)[s0, s1] -> (0, 0, 0, d0 * s1 + d1), meshShape = , chipIds = [0]>
func.func @pool_rank(%a0: tensor<1x16384x32xf32>, %o: tensor<1x4096x32xf32>, %d: !tt.device<#device>) {
  // expected-error @+1 {{Input tensor rank must be 4. Recieved input with rank 3.}}
  %0 = "ttnn.max_pool2d"(%a0, %o, %d) <{batch_size = 1 : si32, ceil_mode = false, channels = 32 : si32, dilation_height = 1 : si32, dilation_width = 1 : si32, input_height = 128 : si32, input_width = 128 : si32, kernel_height = 2 : si32, kernel_width = 2 : si32, padding_height = 0 : si32, padding_width = 0 : si32, stride_height = 2 : si32, stride_width = 2 : si32}> : (tensor<1x16384x32xf32>, tensor<1x4096x32xf32>, !tt.device<#device>) -> tensor<1x4096x32xf32>
  return
}

// -----

#device = #tt.device<workerGrid = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>, l1Map = (d0, d1)[s0, s1] -> (0, d0 floordiv s0, d1 floordiv s1, (d0 mod s0) * s1 + d1 mod s1), dramMap = (d0, d1)[s0, s1] -> (0, 0, 0, d0 * s1 + d1), meshShape = , chipIds = [0]>
func.func @pool_form(%a0: tensor<1x128x128x32xf32>, %o: tensor<1x64x64x32xf32>, %d: !tt.device<#device>) {
  // expected-error @+1 {{Maxpool input must be in the form (1, 1, N*H*W, C). Recieved shape (1x128x128x32).}}
  %0 = "ttnn.max_pool2d"(%a0, %o, %d) <{batch_size = 1 : si32, ceil_mode = false, channels = 32 : si32, dilation_height = 1 : si32, dilation_width = 1 : si32, input_height = 128 : si32, input_width = 128 : si32, kernel_height = 2 : si32, kernel_width = 2 : si32, padding_height = 0 : si32, padding_width = 0 : si32, stride_height = 2 : si32, stride_width = 2 : si32}> : (tensor<1x128x128x32xf32>, tensor<1x64x64x32xf32>, !tt.device<#device>) -> tensor<1x64x64x32xf32>
  return
}

// -----

#device = #tt.device<workerGrid = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>, l1Map = (d0, d1)[s0, s1] -> (0, d0 floordiv s0, d1 floordiv s1, (d0 mod s0) * s1 + d1 mod s1), dramMap = (d0, d1)[s0, s1] -> (0, 0, 0, d0 * s1 + d1), meshShape = , chipIds = [0]>
func.func @pool_positions(%a0: tensor<1x1x16384x32xf32>, %o: tensor<1x1x4096x32xf32>, %d: !tt.device<#device>) {
  // expected-error @+1 {{at dim -2 must be equal to N*H*W}}
  %0 = "ttnn.max_pool2d"(%a0, %o, %d) <{batch_size = 2 : si32, ceil_mode = false, channels = 32 : si32, dilation_height = 1 : si32, dilation_width = 1 : si32, input_height = 128 : si32, input_width = 128 : si32, kernel_height = 2 : si32, kernel_width = 2 : si32, padding_height = 0 : si32, padding_width = 0 : si32, stride_height = 2 : si32, stride_width = 2 : si32}> : (tensor<1x1x16384x32xf32>, tensor<1x1x4096x32xf32>, !tt.device<#device>) -> tensor<1x1x4096x32xf32>
  return
}

// -----

#device = #tt.device<workerGrid = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>, l1Map = (d0, d1)[s0, s1] -> (0, d0 floordiv s0, d1 floordiv s1, (d0 mod s0) * s1 + d1 mod s1), dramMap = (d0, d1)[s0, s1] -> (0, 0, 0, d0 * s1 + d1), meshShape = , chipIds = [0]>
func.func @pool_channels(%a0: tensor<1x1x16384x32xf32>, %o: tensor<1x1x4096x32xf32>, %d: !tt.device<#device>) {
  // expected-error @+1 {{at dim -1 must be equal to channels: expected 16, found 32}}
  %0 = "ttnn.max_pool2d"(%a0, %o, %d) <{batch_size = 1 : si32, ceil_mode = false, channels = 16 : si32, dilation_height = 1 : si32, dilation_width = 1 : si32, input_height = 128 : si32, input_width = 128 : si32, kernel_height = 2 : si32, kernel_width = 2 : si32, padding_height = 0 : si32, padding_width = 0 : si32, stride_height = 2 : si32, stride_width = 2 : si32}> : (tensor<1x1x16384x32xf32>, tensor<1x1x4096x32xf32>, !tt.device<#device>) -> tensor<1x1x4096x32xf32>
  return
}
