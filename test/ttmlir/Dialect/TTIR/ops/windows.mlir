// RUN: ttmlir-opt %s | ttmlir-opt | FileCheck %s
// Windows over images.
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
// CHECK-LABEL: func.func @avg_pool2d
// CHECK: "ttir.avg_pool2d"(%{{.*}}, %{{.*}}) <{ceil_mode = false, count_include_pad = true, dilation_height = 1 : si32, dilation_width = 1 : si32, kernel_height = 2 : si32, kernel_width = 2 : si32, operand_constraints = [#any_device, #any_device], padding_bottom = 0 : si32, padding_left = 0 : si32, padding_right = 0 : si32, padding_top = 0 : si32, stride_height = 2 : si32, stride_width = 2 : si32}> : (tensor<1x128x128x32xbf16>, tensor<1x64x64x32xbf16>) -> tensor<1x64x64x32xbf16>
func.func @avg_pool2d(%a: tensor<1x128x128x32xbf16>) -> (tensor<1x64x64x32xbf16>) {
  %0 = tensor.empty() : tensor<1x64x64x32xbf16>
  %1 = "ttir.avg_pool2d"(%a, %0) <{ceil_mode = false, count_include_pad = true, dilation_height = 1 : si32, dilation_width = 1 : si32, kernel_height = 2 : si32, kernel_width = 2 : si32, operand_constraints = [#any, #any], padding_bottom = 0 : si32, padding_left = 0 : si32, padding_right = 0 : si32, padding_top = 0 : si32, stride_height = 2 : si32, stride_width = 2 : si32}> : (tensor<1x128x128x32xbf16>, tensor<1x64x64x32xbf16>) -> tensor<1x64x64x32xbf16>
  return %1 : tensor<1x64x64x32xbf16>
}
// CHECK-LABEL: func.func @conv_transpose2d
// CHECK: "ttir.conv_transpose2d"(%{{.*}}, %{{.*}}, %{{.*}}) <{dilation = array<i32: 1, 1>, groups = 1 : i32, operand_constraints = [#any_device, #any_device, #any_device], output_padding = array<i32: 0, 0>, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 2, 2>}> : (tensor<1x16x16x64xbf16>, tensor<64x8x2x2xbf16>, tensor<1x32x32x8xbf16>) -> tensor<1x32x32x8xbf16>
func.func @conv_transpose2d(%a: tensor<1x16x16x64xbf16>, %w: tensor<64x8x2x2xbf16>) -> (tensor<1x32x32x8xbf16>) {
  %0 = tensor.empty() : tensor<1x32x32x8xbf16>
  %1 = "ttir.conv_transpose2d"(%a, %w, %0) <{dilation = array<i32: 1, 1>, groups = 1 : i32, operand_constraints = [#any, #any, #any], output_padding = array<i32: 0, 0>, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 2, 2>}> : (tensor<1x16x16x64xbf16>, tensor<64x8x2x2xbf16>, tensor<1x32x32x8xbf16>) -> tensor<1x32x32x8xbf16>
  return %1 : tensor<1x32x32x8xbf16>
}
// CHECK-LABEL: func.func @upsample
// CHECK: "ttir.upsample"(%{{.*}}, %{{.*}}) <{mode = "bilinear", operand_constraints = [#any_device, #any_device], scale_factor = array<i32: 2, 2>}> : (tensor<1x32x32x3xf32>, tensor<1x64x64x3xf32>) -> tensor<1x64x64x3xf32>
func.func @upsample(%a: tensor<1x32x32x3xf32>) -> (tensor<1x64x64x3xf32>) {
  %0 = tensor.empty() : tensor<1x64x64x3xf32>
  %1 = "ttir.upsample"(%a, %0) <{mode = "bilinear", operand_constraints = [#any, #any], scale_factor = array<i32: 2, 2>}> : (tensor<1x32x32x3xf32>, tensor<1x64x64x3xf32>) -> tensor<1x64x64x3xf32>
  return %1 : tensor<1x64x64x3xf32>
}
