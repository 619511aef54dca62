// RUN: ttmlir-opt %s -split-input-file -verify-diagnostics
// One case for each rule of embedding, softmax, convolution and pooling.
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @embedding_weight(%a: tensor<1x32xi32>, %w: tensor<1x512x128xf32>) {
  %0 = tensor.empty() : tensor<1x32x128xf32>
  // expected-error @+1 {{Weight must be a 2D tensor}}
  %1 = "ttir.embedding"(%a, %w, %0) <{operand_constraints = [#any, #any, #any]}> : (tensor<1x32xi32>, tensor<1x512x128xf32>, tensor<1x32x128xf32>) -> tensor<1x32x128xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @embedding_rank(%a: tensor<1x32xi32>, %w: tensor<512x128xf32>) {
  %0 = tensor.empty() : tensor<32x128xf32>
  // expected-error @+1 {{Output must have one dimension more than input}}
  %1 = "ttir.embedding"(%a, %w, %0) <{operand_constraints = [#any, #any, #any]}> : (tensor<1x32xi32>, tensor<512x128xf32>, tensor<32x128xf32>) -> tensor<32x128xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @embedding_shape(%a: tensor<1x32xi32>, %w: tensor<512x128xf32>) {
  %0 = tensor.empty() : tensor<1x32x64xf32>
  // expected-error @+1 {{Output must have the shape of the input and the width of the weight: expected 1x32x128, found 1x32x64}}
  %1 = "ttir.embedding"(%a, %w, %0) <{operand_constraints = [#any, #any, #any]}> : (tensor<1x32xi32>, tensor<512x128xf32>, tensor<1x32x64xf32>) -> tensor<1x32x64xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @softmax_shape(%a: tensor<64x10xf32>) {
  %0 = tensor.empty() : tensor<64x11xf32>
  // expected-error @+1 {{Input and output shapes must be the same}}
  %1 = "ttir.softmax"(%a, %0) <{dimension = -1 : si32, operand_constraints = [#any, #any]}> : (tensor<64x10xf32>, tensor<64x11xf32>) -> tensor<64x11xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @softmax_dim(%a: tensor<64x10xf32>) {
  %0 = tensor.empty() : tensor<64x10xf32>
  // expected-error @+1 {{Dimension attribute must be within the bounds of the input tensor}}
  %1 = "ttir.softmax"(%a, %0) <{dimension = 2 : si32, operand_constraints = [#any, #any]}> : (tensor<64x10xf32>, tensor<64x10xf32>) -> tensor<64x10xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @softmax_dim_negative(%a: tensor<64x10xf32>) {
  %0 = tensor.empty() : tensor<64x10xf32>
  // expected-error @+1 {{Dimension attribute must be within the bounds of the input tensor: expected a dimension in [-2, 2), found -3}}
  %1 = "ttir.softmax"(%a, %0) <{dimension = -3 : si32, operand_constraints = [#any, #any]}> : (tensor<64x10xf32>, tensor<64x10xf32>) -> tensor<64x10xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @conv2d_input(%a: tensor<32x64xf32>, %w: tensor<64x64x3x3xf32>) {
  %0 = tensor.empty() : tensor<32x64xf32>
  // expected-error @+1 {{Input must be at least a 3D tensor}}
  %1 = "ttir.conv2d"(%a, %w, %0) <{dilation_height = 1 : si32, dilation_width = 1 : si32, groups = 1 : si32, operand_constraints = [#any, #any, #any], padding_bottom = 1 : si32, padding_left = 1 : si32, padding_right = 1 : si32, padding_top = 1 : si32, stride_height = 1 : si32, stride_width = 1 : si32}> : (tensor<32x64xf32>, tensor<64x64x3x3xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @conv2d_weight(%a: tensor<1x32x32x64xf32>, %w: tensor<64x64x3xf32>) {
  %0 = tensor.empty() : tensor<1x32x32x64xf32>
  // expected-error @+1 {{Weight must be a 4D tensor}}
  %1 = "ttir.conv2d"(%a, %w, %0) <{dilation_height = 1 : si32, dilation_width = 1 : si32, groups = 1 : si32, operand_constraints = [#any, #any, #any], padding_bottom = 1 : si32, padding_left = 1 : si32, padding_right = 1 : si32, padding_top = 1 : si32, stride_height = 1 : si32, stride_width = 1 : si32}> : (tensor<1x32x32x64xf32>, tensor<64x64x3xf32>, tensor<1x32x32x64xf32>) -> tensor<1x32x32x64xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @conv2d_bias(%a: tensor<1x32x32x64xf32>, %w: tensor<64x64x3x3xf32>, %b: tensor<64xf32>) {
  %0 = tensor.empty() : tensor<1x32x32x64xf32>
  // expected-error @+1 {{Bias must be a 4D tensor}}
  %1 = "ttir.conv2d"(%a, %w, %b, %0) <{dilation_height = 1 : si32, dilation_width = 1 : si32, groups = 1 : si32, operand_constraints = [#any, #any, #any, #any], padding_bottom = 1 : si32, padding_left = 1 : si32, padding_right = 1 : si32, padding_top = 1 : si32, stride_height = 1 : si32, stride_width = 1 : si32}> : (tensor<1x32x32x64xf32>, tensor<64x64x3x3xf32>, tensor<64xf32>, tensor<1x32x32x64xf32>) -> tensor<1x32x32x64xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @pool_rank(%a: tensor<128x128x32xf32>) {
  %0 = tensor.empty() : tensor<64x64x32xf32>
  // expected-error @+1 {{Input tensor rank must be 4. Recieved input with rank 3. Shape: (128, 128, 32).}}
  %1 = "ttir.max_pool2d"(%a, %0) <{ceil_mode = false, dilation_height = 1 : si32, dilation_width = 1 : si32, kernel_height = 2 : si32, kernel_width = 2 : si32, operand_constraints = [#any, #any], padding_bottom = 0 : si32, padding_left = 0 : si32, padding_right = 0 : si32, padding_top = 0 : si32, stride_height = 2 : si32, stride_width = 2 : si32}> : (tensor<128x128x32xf32>, tensor<64x64x32xf32>) -> tensor<64x64x32xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @pool_original(%a: tensor<1x1x16384x32xf32>) {
  %0 = tensor.empty() : tensor<1x1x4096x32xf32>
  // expected-error @+1 {{However, only original_height was provided.}}
  %1 = "ttir.max_pool2d"(%a, %0) <{ceil_mode = false, dilation_height = 1 : si32, dilation_width = 1 : si32, kernel_height = 2 : si32, kernel_width = 2 : si32, operand_constraints = [#any, #any], original_height = 128 : si32, padding_bottom = 0 : si32, padding_left = 0 : si32, padding_right = 0 : si32, padding_top = 0 : si32, stride_height = 2 : si32, stride_width = 2 : si32}> : (tensor<1x1x16384x32xf32>, tensor<1x1x4096x32xf32>) -> tensor<1x1x4096x32xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @pool_height(%a: tensor<1x8x8x32xf32>) {
  %0 = tensor.empty() : tensor<1x1x4x32xf32>
  // expected-error @+1 {{Kernel height 9 is greater than input height 8. This MaxPool2d configuration is invalid.}}
  %1 = "ttir.max_pool2d"(%a, %0) <{ceil_mode = false, dilation_height = 1 : si32, dilation_width = 1 : si32, kernel_height = 9 : si32, kernel_width = 2 : si32, operand_constraints = [#any, #any], padding_bottom = 0 : si32, padding_left = 0 : si32, padding_right = 0 : si32, padding_top = 0 : si32, stride_height = 2 : si32, stride_width = 2 : si32}> : (tensor<1x8x8x32xf32>, tensor<1x1x4x32xf32>) -> tensor<1x1x4x32xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @pool_width(%a: tensor<1x1x64x32xf32>) {
  %0 = tensor.empty() : tensor<1x1x16x32xf32>
  // expected-error @+1 {{Kernel width 9 is greater than input width 8. This MaxPool2d configuration is invalid.}}
  %1 = "ttir.max_pool2d"(%a, %0) <{ceil_mode = false, dilation_height = 1 : si32, dilation_width = 1 : si32, kernel_height = 2 : si32, kernel_width = 9 : si32, operand_constraints = [#any, #any], original_height = 8 : si32, original_width = 8 : si32, padding_bottom = 0 : si32, padding_left = 0 : si32, padding_right = 0 : si32, padding_top = 0 : si32, stride_height = 2 : si32, stride_width = 2 : si32}> : (tensor<1x1x64x32xf32>, tensor<1x1x16x32xf32>) -> tensor<1x1x16x32xf32>
  return
}
