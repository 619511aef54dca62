// RUN: ttmlir-opt %s | ttmlir-opt | FileCheck %s
// Windows over images.
#device = #tt.device<workerGrid = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>, l1Map = (d0, d1)[s0, s1] -> (0, d0 floordiv s0, d1 floordiv s1, (d0 mod s0) * s1 + d1 mod s1), dramMap = (d0, d1)[s0, s1] -> (0, 0, ((((d0 floordiv s0) * 8 + d1 floordiv s1) * (s0 * s1) + (d0 mod s0) * s1 + d1 mod s1) floordiv 8192) mod 12, (((d0 floordiv s0) * 8 + d1 floordiv s1) * (s0 * s1) + (d0 mod s0) * s1 + d1 mod s1) floordiv 98304 + (((d0 floordiv s0) * 8 + d1 floordiv s1) * (s0 * s1) + (d0 mod s0) * s1 + d1 mod s1) mod 8192), meshShape = , chipIds = [0]>
// CHECK-LABEL: func.func @avg_pool2d
// CHECK: "ttnn.avg_pool2d"(%{{.*}}, %{{.*}}, %{{.*}}) <{batch_size = 1 : si32, ceil_mode = false, channels = 32 : si32, count_include_pad = true, dilation_height = 1 : si32, dilation_width = 1 : si32, input_height = 128 : si32, input_width = 128 : si32, kernel_height = 2 : si32, kernel_width = 2 : si32, padding_height = 0 : si32, padding_width = 0 : si32, stride_height = 2 : si32, stride_width = 2 : si32}> : (tensor<1x1x16384x32xbf16>, tensor<1x1x4096x32xbf16>, !tt.device<#device>) -> tensor<1x1x4096x32xbf16>
func.func @avg_pool2d(%1: tensor<1x1x16384x32xbf16>, %0: tensor<1x1x4096x32xbf16>, %device: !tt.device<#device>) -> (tensor<1x1x4096x32xbf16>) {
  %2 = "ttnn.avg_pool2d"(%1, %0, %device) <{batch_size = 1 : si32, ceil_mode = false, channels = 32 : si32, count_include_pad = true, dilation_height = 1 : si32, dilation_width = 1 : si32, input_height = 128 : si32, input_width = 128 : si32, kernel_height = 2 : si32, kernel_width = 2 : si32, padding_height = 0 : si32, padding_width = 0 : si32, stride_height = 2 : si32, stride_width = 2 : si32}> : (tensor<1x1x16384x32xbf16>, tensor<1x1x4096x32xbf16>, !tt.device<#device>) -> tensor<1x1x4096x32xbf16>
  return %2 : tensor<1x1x4096x32xbf16>
}
// CHECK-LABEL: func.func @conv_transpose2d
// CHECK: "ttnn.conv_transpose2d"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) <{batch_size = 1 : i32, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 64 : i32, input_height = 16 : i32, input_width = 16 : i32, kernel_size = array<i32: 2, 2>, out_channels = 8 : i32, output_padding = array<i32: 0, 0>, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 2, 2>}> : (tensor<1x16x16x64xbf16>, tensor<64x8x2x2xbf16>, tensor<1x32x32x8xbf16>, !tt.device<#device>) -> tensor<1x32x32x8xbf16>
func.func @conv_transpose2d(%1: tensor<1x16x16x64xbf16>, %2: tensor<64x8x2x2xbf16>, %0: tensor<1x32x32x8xbf16>, %device: !tt.device<#device>) -> (tensor<1x32x32x8xbf16>) {
  %3 = "ttnn.conv_transpose2d"(%1, %2, %0, %device) <{batch_size = 1 : i32, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 64 : i32, input_height = 16 : i32, input_width = 16 : i32, kernel_size = array<i32: 2, 2>, out_channels = 8 : i32, output_padding = array<i32: 0, 0>, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 2, 2>}> : (tensor<1x16x16x64xbf16>, tensor<64x8x2x2xbf16>, tensor<1x32x32x8xbf16>, !tt.device<#device>) -> tensor<1x32x32x8xbf16>
  return %3 : tensor<1x32x32x8xbf16>
}
// CHECK-LABEL: func.func @upsample
// CHECK: "ttnn.upsample"(%{{.*}}, %{{.*}}) <{mode = "bilinear", scale_factor = array<i32: 2, 2>}> : (tensor<1x32x32x3xf32>, tensor<1x64x64x3xf32>) -> tensor<1x64x64x3xf32>
func.func @upsample(%1: tensor<1x32x32x3xf32>, %0: tensor<1x64x64x3xf32>) -> (tensor<1x64x64x3xf32>) {
  %2 = "ttnn.upsample"(%1, %0) <{mode = "bilinear", scale_factor = array<i32: 2, 2>}> : (tensor<1x32x32x3xf32>, tensor<1x64x64x3xf32>) -> tensor<1x64x64x3xf32>
  return %2 : tensor<1x64x64x3xf32>
}
