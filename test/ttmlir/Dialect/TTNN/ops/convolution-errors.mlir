// RUN: ttmlir-opt %s -split-input-file -verify-diagnostics
// The extents that the calls state are those of the operands.
#device = #tt.device<workerGrid = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>, l1Map = (d0, d1)[s0, s1] -> (0, d0 floordiv s0, d1 floordiv s1, (d0 mod s0) * s1 + d1 mod s1), dramMap = (d0, d1)[s0, s1] -> (0, 0, ((((d0 floordiv s0) * 8 + d1 floordiv s1) * (s0 * s1) + (d0 mod s0) * s1 + d1 mod s1) floordiv 8192) mod 12, (((d0 floordiv s0) * 8 + d1 floordiv s1) * (s0 * s1) + (d0 mod s0) * s1 + d1 mod s1) floordiv 98304 + (((d0 floordiv s0) * 8 + d1 floordiv s1) * (s0 * s1) + (d0 mod s0) * s1 + d1 mod s1) mod 8192), meshShape = , chipIds = [0]>
func.func @conv2d_batch_size(%1: tensor<1x32x32x64xbf16>, %2: tensor<64x64x3x3xbf16>, %0: tensor<1x32x32x64xbf16>, %device: !tt.device<#device>) {
  // expected-error @+1 {{'ttnn.conv2d' op batch_size must be that of the operands: expected 1, found 2}}
  %3 = "ttnn.conv2d"(%1, %2, %0, %device) <{batch_size = 2 : i32, dilation_height = 1 : i32, dilation_width = 1 : i32, groups = 1 : i32, in_channels = 64 : i32, input_height = 32 : i32, input_width = 32 : i32, kernel_height = 3 : i32, kernel_width = 3 : i32, out_channels = 64 : i32, padding_height = 1 : i32, padding_width = 1 : i32, stride_height = 1 : i32, stride_width = 1 : i32}> : (tensor<1x32x32x64xbf16>, tensor<64x64x3x3xbf16>, tensor<1x32x32x64xbf16>, !tt.device<#device>) -> tensor<1x32x32x64xbf16>
  return
}

// -----

#device = #tt.device<workerGrid = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>, l1Map = (d0, d1)[s0, s1] -> (0, d0 floordiv s0, d1 floordiv s1, (d0 mod s0) * s1 + d1 mod s1), dramMap = (d0, d1)[s0, s1] -> (0, 0, ((((d0 floordiv s0) * 8 + d1 floordiv s1) * (s0 * s1) + (d0 mod s0) * s1 + d1 mod s1) floordiv 8192) mod 12, (((d0 floordiv s0) * 8 + d1 floordiv s1) * (s0 * s1) + (d0 mod s0) * s1 + d1 mod s1) floordiv 98304 + (((d0 floordiv s0) * 8 + d1 floordiv s1) * (s0 * s1) + (d0 mod s0) * s1 + d1 mod s1) mod 8192), meshShape = , chipIds = [0]>
func.func @conv2d_input_height(%1: tensor<1x32x32x64xbf16>, %2: tensor<64x64x3x3xbf16>, %0: tensor<1x32x32x64xbf16>, %device: !tt.device<#device>) {
  // expected-error @+1 {{'ttnn.conv2d' op input_height must be that of the operands: expected 32, found 31}}
  %3 = "ttnn.conv2d"(%1, %2, %0, %device) <{batch_size = 1 : i32, dilation_height = 1 : i32, dilation_width = 1 : i32, groups = 1 : i32, in_channels = 64 : i32, input_height = 31 : i32, input_width = 32 : i32, kernel_height = 3 : i32, kernel_width = 3 : i32, out_channels = 64 : i32, padding_height = 1 : i32, padding_width = 1 : i32, stride_height = 1 : i32, stride_width = 1 : i32}> : (tensor<1x32x32x64xbf16>, tensor<64x64x3x3xbf16>, tensor<1x32x32x64xbf16>, !tt.device<#device>) -> tensor<1x32x32x64xbf16>
  return
}

// -----

#device = #tt.device<workerGrid = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>, l1Map = (d0, d1)[s0, s1] -> (0, d0 floordiv s0, d1 floordiv s1, (d0 mod s0) * s1 + d1 mod s1), dramMap = (d0, d1)[s0, s1] -> (0, 0, ((((d0 floordiv s0) * 8 + d1 floordiv s1) * (s0 * s1) + (d0 mod s0) * s1 + d1 mod s1) floordiv 8192) mod 12, (((d0 floordiv s0) * 8 + d1 floordiv s1) * (s0 * s1) + (d0 mod s0) * s1 + d1 mod s1) floordiv 98304 + (((d0 floordiv s0) * 8 + d1 floordiv s1) * (s0 * s1) + (d0 mod s0) * s1 + d1 mod s1) mod 8192), meshShape = , chipIds = [0]>
func.func @conv2d_input_width(%1: tensor<1x32x32x64xbf16>, %2: tensor<64x64x3x3xbf16>, %0: tensor<1x32x32x64xbf16>, %device: !tt.device<#device>) {
  // expected-error @+1 {{'ttnn.conv2d' op input_width must be that of the operands: expected 32, found 16}}
  %3 = "ttnn.conv2d"(%1, %2, %0, %device) <{batch_size = 1 : i32, dilation_height = 1 : i32, dilation_width = 1 : i32, groups = 1 : i32, in_channels = 64 : i32, input_height = 32 : i32, input_width = 16 : i32, kernel_height = 3 : i32, kernel_width = 3 : i32, out_channels = 64 : i32, padding_height = 1 : i32, padding_width = 1 : i32, stride_height = 1 : i32, stride_width = 1 : i32}> : (tensor<1x32x32x64xbf16>, tensor<64x64x3x3xbf16>, tensor<1x32x32x64xbf16>, !tt.device<#device>) -> tensor<1x32x32x64xbf16>
  return
}

// -----

#device = #tt.device<workerGrid = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>, l1Map = (d0, d1)[s0, s1] -> (0, d0 floordiv s0, d1 floordiv s1, (d0 mod s0) * s1 + d1 mod s1), dramMap = (d0, d1)[s0, s1] -> (0, 0, ((((d0 floordiv s0) * 8 + d1 floordiv s1) * (s0 * s1) + (d0 mod s0) * s1 + d1 mod s1) floordiv 8192) mod 12, (((d0 floordiv s0) * 8 + d1 floordiv s1) * (s0 * s1) + (d0 mod s0) * s1 + d1 mod s1) floordiv 98304 + (((d0 floordiv s0) * 8 + d1 floordiv s1) * (s0 * s1) + (d0 mod s0) * s1 + d1 mod s1) mod 8192), meshShape = , chipIds = [0]>
func.func @conv2d_in_channels(%1: tensor<1x32x32x64xbf16>, %2: tensor<64x64x3x3xbf16>, %0: tensor<1x32x32x64xbf16>, %device: !tt.device<#device>) {
  // expected-error @+1 {{'ttnn.conv2d' op in_channels must be that of the operands: expected 64, found 32}}
  %3 = "ttnn.conv2d"(%1, %2, %0, %device) <{batch_size = 1 : i32, dilation_height = 1 : i32, dilation_width = 1 : i32, groups = 1 : i32, in_channels = 32 : i32, input_height = 32 : i32, input_width = 32 : i32, kernel_height = 3 : i32, kernel_width = 3 : i32, out_channels = 64 : i32, padding_height = 1 : i32, padding_width = 1 : i32, stride_height = 1 : i32, stride_width = 1 : i32}> : (tensor<1x32x32x64xbf16>, tensor<64x64x3x3xbf16>, tensor<1x32x32x64xbf16>, !tt.device<#device>) -> tensor<1x32x32x64xbf16>
  return
}

// -----

#device = #tt.device<workerGrid = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>, l1Map = (d0, d1)[s0, s1] -> (0, d0 floordiv s0, d1 floordiv s1, (d0 mod s0) * s1 + d1 mod s1), dramMap = (d0, d1)[s0, s1] -> (0, 0, ((((d0 floordiv s0) * 8 + d1 floordiv s1) * (s0 * s1) + (d0 mod s0) * s1 + d1 mod s1) floordiv 8192) mod 12, (((d0 floordiv s0) * 8 + d1 floordiv s1) * (s0 * s1) + (d0 mod s0) * s1 + d1 mod s1) floordiv 98304 + (((d0 floordiv s0) * 8 + d1 floordiv s1) * (s0 * s1) + (d0 mod s0) * s1 + d1 mod s1) mod 8192), meshShape = , chipIds = [0]>
func.func @conv2d_out_channels(%1: tensor<1x32x32x64xbf16>, %2: tensor<64x64x3x3xbf16>, %0: tensor<1x32x32x64xbf16>, %device: !tt.device<#device>) {
  // expected-error @+1 {{'ttnn.conv2d' op out_channels must be that of the operands: expected 64, found 65}}
  %3 = "ttnn.conv2d"(%1, %2, %0, %device) <{batch_size = 1 : i32, dilation_height = 1 : i32, dilation_width = 1 : i32, groups = 1 : i32, in_channels = 64 : i32, input_height = 32 : i32, input_width = 32 : i32, kernel_height = 3 : i32, kernel_width = 3 : i32, out_channels = 65 : i32, padding_height = 1 : i32, padding_width = 1 : i32, stride_height = 1 : i32, stride_width = 1 : i32}> : (tensor<1x32x32x64xbf16>, tensor<64x64x3x3xbf16>, tensor<1x32x32x64xbf16>, !tt.device<#device>) -> tensor<1x32x32x64xbf16>
  return
}

// -----

#device = #tt.device<workerGrid = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>, l1Map = (d0, d1)[s0, s1] -> (0, d0 floordiv s0, d1 floordiv s1, (d0 mod s0) * s1 + d1 mod s1), dramMap = (d0, d1)[s0, s1] -> (0, 0, ((((d0 floordiv s0) * 8 + d1 floordiv s1) * (s0 * s1) + (d0 mod s0) * s1 + d1 mod s1) floordiv 8192) mod 12, (((d0 floordiv s0) * 8 + d1 floordiv s1) * (s0 * s1) + (d0 mod s0) * s1 + d1 mod s1) floordiv 98304 + (((d0 floordiv s0) * 8 + d1 floordiv s1) * (s0 * s1) + (d0 mod s0) * s1 + d1 mod s1) mod 8192), meshShape = , chipIds = [0]>
func.func @conv2d_padded_height(%1: tensor<1x32x32x64xbf16>, %2: tensor<64x64x3x3xbf16>, %0: tensor<1x32x32x64xbf16>, %device: !tt.device<#device>) {
  // expected-error @+1 {{'ttnn.conv2d' op Output shape mismatch: expected 1x34x32x64, found 1x32x32x64}}
  %3 = "ttnn.conv2d"(%1, %2, %0, %device) <{batch_size = 1 : i32, dilation_height = 1 : i32, dilation_width = 1 : i32, groups = 1 : i32, in_channels = 64 : i32, input_height = 32 : i32, input_width = 32 : i32, kernel_height = 1 : i32, kernel_width = 3 : i32, out_channels = 64 : i32, padding_height = 1 : i32, padding_width = 1 : i32, stride_height = 1 : i32, stride_width = 1 : i32}> : (tensor<1x32x32x64xbf16>, tensor<64x64x3x3xbf16>, tensor<1x32x32x64xbf16>, !tt.device<#device>) -> tensor<1x32x32x64xbf16>
  return
}

// -----

#device = #tt.device<workerGrid = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>, l1Map = (d0, d1)[s0, s1] -> (0, d0 floordiv s0, d1 floordiv s1, (d0 mod s0) * s1 + d1 mod s1), dramMap = (d0, d1)[s0, s1] -> (0, 0, ((((d0 floordiv s0) * 8 + d1 floordiv s1) * (s0 * s1) + (d0 mod s0) * s1 + d1 mod s1) floordiv 8192) mod 12, (((d0 floordiv s0) * 8 + d1 floordiv s1) * (s0 * s1) + (d0 mod s0) * s1 + d1 mod s1) floordiv 98304 + (((d0 floordiv s0) * 8 + d1 floordiv s1) * (s0 * s1) + (d0 mod s0) * s1 + d1 mod s1) mod 8192), meshShape = , chipIds = [0]>
func.func @conv2d_padded_width(%1: tensor<1x32x32x64xbf16>, %2: tensor<64x64x3x3xbf16>, %0: tensor<1x32x32x64xbf16>, %device: !tt.device<#device>) {
  // expected-error @+1 {{'ttnn.conv2d' op Output shape mismatch: expected 1x32x30x64, found 1x32x32x64}}
  %3 = "ttnn.conv2d"(%1, %2, %0, %device) <{batch_size = 1 : i32, dilation_height = 1 : i32, dilation_width = 1 : i32, groups = 1 : i32, in_channels = 64 : i32, input_height = 32 : i32, input_width = 32 : i32, kernel_height = 3 : i32, kernel_width = 5 : i32, out_channels = 64 : i32, padding_height = 1 : i32, padding_width = 1 : i32, stride_height = 1 : i32, stride_width = 1 : i32}> : (tensor<1x32x32x64xbf16>, tensor<64x64x3x3xbf16>, tensor<1x32x32x64xbf16>, !tt.device<#device>) -> tensor<1x32x32x64xbf16>
  return
}

// -----

#device = #tt.device<workerGrid = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>, l1Map = (d0, d1)[s0, s1] -> (0, d0 floordiv s0, d1 floordiv s1, (d0 mod s0) * s1 + d1 mod s1), dramMap = (d0, d1)[s0, s1] -> (0, 0, ((((d0 floordiv s0) * 8 + d1 floordiv s1) * (s0 * s1) + (d0 mod s0) * s1 + d1 mod s1) floordiv 8192) mod 12, (((d0 floordiv s0) * 8 + d1 floordiv s1) * (s0 * s1) + (d0 mod s0) * s1 + d1 mod s1) floordiv 98304 + (((d0 floordiv s0) * 8 + d1 floordiv s1) * (s0 * s1) + (d0 mod s0) * s1 + d1 mod s1) mod 8192), meshShape = , chipIds = [0]>
func.func @conv_transpose2d_batch_size(%1: tensor<1x16x16x64xbf16>, %2: tensor<64x8x2x2xbf16>, %0: tensor<1x32x32x8xbf16>, %device: !tt.device<#device>) {
  // expected-error @+1 {{'ttnn.conv_transpose2d' op batch_size must be that of the operands: expected 1, found 2}}
  %3 = "ttnn.conv_transpose2d"(%1, %2, %0, %device) <{batch_size = 2 : i32, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 64 : i32, input_height = 16 : i32, input_width = 16 : i32, kernel_size = array<i32: 2, 2>, out_channels = 8 : i32, output_padding = array<i32: 0, 0>, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 2, 2>}> : (tensor<1x16x16x64xbf16>, tensor<64x8x2x2xbf16>, tensor<1x32x32x8xbf16>, !tt.device<#device>) -> tensor<1x32x32x8xbf16>
  return
}

// -----

#device = #tt.device<workerGrid = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>, l1Map = (d0, d1)[s0, s1] -> (0, d0 floordiv s0, d1 floordiv s1, (d0 mod s0) * s1 + d1 mod s1), dramMap = (d0, d1)[s0, s1] -> (0, 0, ((((d0 floordiv s0) * 8 + d1 floordiv s1) * (s0 * s1) + (d0 mod s0) * s1 + d1 mod s1) floordiv 8192) mod 12, (((d0 floordiv s0) * 8 + d1 floordiv s1) * (s0 * s1) + (d0 mod s0) * s1 + d1 mod s1) floordiv 98304 + (((d0 floordiv s0) * 8 + d1 floordiv s1) * (s0 * s1) + (d0 mod s0) * s1 + d1 mod s1) mod 8192), meshShape = , chipIds = [0]>
func.func @conv_transpose2d_input_height(%1: tensor<1x16x16x64xbf16>, %2: tensor<64x8x2x2xbf16>, %0: tensor<1x32x32x8xbf16>, %device: !tt.device<#device>) {
  // expected-error @+1 {{'ttnn.conv_transpose2d' op input_height must be that of the operands: expected 16, found 31}}
  %3 = "ttnn.conv_transpose2d"(%1, %2, %0, %device) <{batch_size = 1 : i32, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 64 : i32, input_height = 31 : i32, input_width = 16 : i32, kernel_size = array<i32: 2, 2>, out_channels = 8 : i32, output_padding = array<i32: 0, 0>, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 2, 2>}> : (tensor<1x16x16x64xbf16>, tensor<64x8x2x2xbf16>, tensor<1x32x32x8xbf16>, !tt.device<#device>) -> tensor<1x32x32x8xbf16>
  return
}

// -----

#device = #tt.device<workerGrid = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>, l1Map = (d0, d1)[s0, s1] -> (0, d0 floordiv s0, d1 floordiv s1, (d0 mod s0) * s1 + d1 mod s1), dramMap = (d0, d1)[s0, s1] -> (0, 0, ((((d0 floordiv s0) * 8 + d1 floordiv s1) * (s0 * s1) + (d0 mod s0) * s1 + d1 mod s1) floordiv 8192) mod 12, (((d0 floordiv s0) * 8 + d1 floordiv s1) * (s0 * s1) + (d0 mod s0) * s1 + d1 mod s1) floordiv 98304 + (((d0 floordiv s0) * 8 + d1 floordiv s1) * (s0 * s1) + (d0 mod s0) * s1 + d1 mod s1) mod 8192), meshShape = , chipIds = [0]>
func.func @conv_transpose2d_out_channels(%1: tensor<1x16x16x64xbf16>, %2: tensor<64x8x2x2xbf16>, %0: tensor<1x32x32x8xbf16>, %device: !tt.device<#device>) {
  // expected-error @+1 {{'ttnn.conv_transpose2d' op out_channels must be that of the operands: expected 8, found 65}}
  %3 = "ttnn.conv_transpose2d"(%1, %2, %0, %device) <{batch_size = 1 : i32, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 64 : i32, input_height = 16 : i32, input_width = 16 : i32, kernel_size = array<i32: 2, 2>, out_channels = 65 : i32, output_padding = array<i32: 0, 0>, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 2, 2>}> : (tensor<1x16x16x64xbf16>, tensor<64x8x2x2xbf16>, tensor<1x32x32x8xbf16>, !tt.device<#device>) -> tensor<1x32x32x8xbf16>
  return
}

// -----

#device = #tt.device<workerGrid = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>, l1Map = (d0, d1)[s0, s1] -> (0, d0 floordiv s0, d1 floordiv s1, (d0 mod s0) * s1 + d1 mod s1), dramMap = (d0, d1)[s0, s1] -> (0, 0, ((((d0 floordiv s0) * 8 + d1 floordiv s1) * (s0 * s1) + (d0 mod s0) * s1 + d1 mod s1) floordiv 8192) mod 12, (((d0 floordiv s0) * 8 + d1 floordiv s1) * (s0 * s1) + (d0 mod s0) * s1 + d1 mod s1) floordiv 98304 + (((d0 floordiv s0) * 8 + d1 floordiv s1) * (s0 * s1) + (d0 mod s0) * s1 + d1 mod s1) mod 8192), meshShape = , chipIds = [0]>
func.func @conv_transpose2d_kernel_size(%1: tensor<1x16x16x64xbf16>, %2: tensor<64x8x2x2xbf16>, %0: tensor<1x32x32x8xbf16>, %device: !tt.device<#device>) {
  // expected-error @+1 {{'ttnn.conv_transpose2d' op kernel_size must be that of the operands: expected 2, found 3}}
  %3 = "ttnn.conv_transpose2d"(%1, %2, %0, %device) <{batch_size = 1 : i32, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 64 : i32, input_height = 16 : i32, input_width = 16 : i32, kernel_size = array<i32: 2, 3>, out_channels = 8 : i32, output_padding = array<i32: 0, 0>, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 2, 2>}> : (tensor<1x16x16x64xbf16>, tensor<64x8x2x2xbf16>, tensor<1x32x32x8xbf16>, !tt.device<#device>) -> tensor<1x32x32x8xbf16>
  return
}

// -----

#device = #tt.device<workerGrid = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>, l1Map = (d0, d1)[s0, s1] -> (0, d0 floordiv s0, d1 floordiv s1, (d0 mod s0) * s1 + d1 mod s1), dramMap = (d0, d1)[s0, s1] -> (0, 0, ((((d0 floordiv s0) * 8 + d1 floordiv s1) * (s0 * s1) + (d0 mod s0) * s1 + d1 mod s1) floordiv 8192) mod 12, (((d0 floordiv s0) * 8 + d1 floordiv s1) * (s0 * s1) + (d0 mod s0) * s1 + d1 mod s1) floordiv 98304 + (((d0 floordiv s0) * 8 + d1 floordiv s1) * (s0 * s1) + (d0 mod s0) * s1 + d1 mod s1) mod 8192), meshShape = , chipIds = [0]>
func.func @conv_transpose2d_kernel_sizes(%1: tensor<1x16x16x64xbf16>, %2: tensor<64x8x2x2xbf16>, %0: tensor<1x32x32x8xbf16>, %device: !tt.device<#device>) {
  // expected-error @+1 {{'ttnn.conv_transpose2d' op kernel_size must have 2 entries: found 1}}
  %3 = "ttnn.conv_transpose2d"(%1, %2, %0, %device) <{batch_size = 1 : i32, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 64 : i32, input_height = 16 : i32, input_width = 16 : i32, kernel_size = array<i32: 2>, out_channels = 8 : i32, output_padding = array<i32: 0, 0>, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 2, 2>}> : (tensor<1x16x16x64xbf16>, tensor<64x8x2x2xbf16>, tensor<1x32x32x8xbf16>, !tt.device<#device>) -> tensor<1x32x32x8xbf16>
  return
}

// -----

#device = #tt.device<workerGrid = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>, l1Map = (d0, d1)[s0, s1] -> (0, d0 floordiv s0, d1 floordiv s1, (d0 mod s0) * s1 + d1 mod s1), dramMap = (d0, d1)[s0, s1] -> (0, 0, ((((d0 floordiv s0) * 8 + d1 floordiv s1) * (s0 * s1) + (d0 mod s0) * s1 + d1 mod s1) floordiv 8192) mod 12, (((d0 floordiv s0) * 8 + d1 floordiv s1) * (s0 * s1) + (d0 mod s0) * s1 + d1 mod s1) floordiv 98304 + (((d0 floordiv s0) * 8 + d1 floordiv s1) * (s0 * s1) + (d0 mod s0) * s1 + d1 mod s1) mod 8192), meshShape = , chipIds = [0]>
func.func @conv_transpose2d_groups(%1: tensor<1x16x16x64xbf16>, %2: tensor<64x8x2x2xbf16>, %0: tensor<1x32x32x8xbf16>, %device: !tt.device<#device>) {
  // expected-error @+1 {{'ttnn.conv_transpose2d' op groups must divide the channels of input and output: found 3 groups, 64 and 8 channels}}
  %3 = "ttnn.conv_transpose2d"(%1, %2, %0, %device) <{batch_size = 1 : i32, dilation = array<i32: 1, 1>, groups = 3 : i32, in_channels = 64 : i32, input_height = 16 : i32, input_width = 16 : i32, kernel_size = array<i32: 2, 2>, out_channels = 8 : i32, output_padding = array<i32: 0, 0>, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 2, 2>}> : (tensor<1x16x16x64xbf16>, tensor<64x8x2x2xbf16>, tensor<1x32x32x8xbf16>, !tt.device<#device>) -> tensor<1x32x32x8xbf16>
  return
}
