// RUN: ttmlir-opt %s | ttmlir-opt | FileCheck %s
// Embedding, softmax, convolution and pooling.
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
// CHECK-LABEL: func.func @embedding
// CHECK: "ttir.embedding"(%{{.*}}, %{{.*}}, %{{.*}}) <{operand_constraints = [#any_device, #any_device, #any_device]}>
func.func @embedding(%a: tensor<1x32xi32>, %w: tensor<512x128xbf16>) {
  %0 = tensor.empty() : tensor<1x32x128xbf16>
  %1 = "ttir.embedding"(%a, %w, %0) <{operand_constraints = [#any, #any, #any]}> : (tensor<1x32xi32>, tensor<512x128xbf16>, tensor<1x32x128xbf16>) -> tensor<1x32x128xbf16>
  return
}
// CHECK-LABEL: func.func @softmax
// CHECK: "ttir.softmax"(%{{.*}}, %{{.*}}) <{dimension = -1 : si32, operand_constraints = [#any_device, #any_device]}>
func.func @softmax(%a: tensor<64x10xf32>) {
  %0 = tensor.empty() : tensor<64x10xf32>
  %1 = "ttir.softmax"(%a, %0) <{dimension = -1 : si32, operand_constraints = [#any, #any]}> : (tensor<64x10xf32>, tensor<64x10xf32>) -> tensor<64x10xf32>
  return
}
// CHECK-LABEL: func.func @conv2d
// CHECK: "ttir.conv2d"(%{{.*}}, %{{.*}}, %{{.*}}) <{dilation_height = 1 : si32, dilation_width = 1 : si32, groups = 1 : si32, operand_constraints = [#any_device, #any_device, #any_device], padding_bottom = 1 : si32, padding_left = 1 : si32, padding_right = 1 : si32, padding_top = 1 : si32, stride_height = 1 : si32, stride_width = 1 : si32}>
func.func @conv2d(%a: tensor<1x32x32x64xbf16>, %w: tensor<64x64x3x3xbf16>) {
  %0 = tensor.empty() : tensor<1x32x32x64xbf16>
  %1 = "ttir.conv2d"(%a, %w, %0) <{dilation_height = 1 : si32, dilation_width = 1 : si32, groups = 1 : si32, operand_constraints = [#any, #any, #any], padding_bottom = 1 : si32, padding_left = 1 : si32, padding_right = 1 : si32, padding_top = 1 : si32, stride_height = 1 : si32, stride_width = 1 : si32}> : (tensor<1x32x32x64xbf16>, tensor<64x64x3x3xbf16>, tensor<1x32x32x64xbf16>) -> tensor<1x32x32x64xbf16>
  return
}
// CHECK-LABEL: func.func @conv2d_bias
// CHECK: "ttir.conv2d"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) <{dilation_height = 1 : si32, dilation_width = 1 : si32, groups = 1 : si32, operand_constraints = [#any_device, #any_device, #any_device, #any_device], padding_bottom = 1 : si32, padding_left = 1 : si32, padding_right = 1 : si32, padding_top = 1 : si32, stride_height = 1 : si32, stride_width = 1 : si32}>
func.func @conv2d_bias(%a: tensor<1x32x32x64xbf16>, %w: tensor<64x64x3x3xbf16>, %b: tensor<1x1x1x64xbf16>) {
  %0 = tensor.empty() : tensor<1x32x32x64xbf16>
  %1 = "ttir.conv2d"(%a, %w, %b, %0) <{dilation_height = 1 : si32, dilation_width = 1 : si32, groups = 1 : si32, operand_constraints = [#any, #any, #any, #any], padding_bottom = 1 : si32, padding_left = 1 : si32, padding_right = 1 : si32, padding_top = 1 : si32, stride_height = 1 : si32, stride_width = 1 : si32}> : (tensor<1x32x32x64xbf16>, tensor<64x64x3x3xbf16>, tensor<1x1x1x64xbf16>, tensor<1x32x32x64xbf16>) -> tensor<1x32x32x64xbf16>
  return
}
// CHECK-LABEL: func.func @max_pool2d
// CHECK: "ttir.max_pool2d"(%{{.*}}, %{{.*}}) <{ceil_mode = false, dilation_height = 1 : si32, dilation_width = 1 : si32, kernel_height = 2 : si32, kernel_width = 2 : si32, operand_constraints = [#any_device, #any_device], padding_bottom = 0 : si32, padding_left = 0 : si32, padding_right = 0 : si32, padding_top = 0 : si32, stride_height = 2 : si32, stride_width = 2 : si32}>
func.func @max_pool2d(%a: tensor<1x128x128x32xbf16>) {
  %0 = tensor.empty() : tensor<1x64x64x32xbf16>
  %1 = "ttir.max_pool2d"(%a, %0) <{ceil_mode = false, dilation_height = 1 : si32, dilation_width = 1 : si32, kernel_height = 2 : si32, kernel_width = 2 : si32, operand_constraints = [#any, #any], padding_bottom = 0 : si32, padding_left = 0 : si32, padding_right = 0 : si32, padding_top = 0 : si32, stride_height = 2 : si32, stride_width = 2 : si32}> : (tensor<1x128x128x32xbf16>, tensor<1x64x64x32xbf16>) -> tensor<1x64x64x32xbf16>
  return
}
