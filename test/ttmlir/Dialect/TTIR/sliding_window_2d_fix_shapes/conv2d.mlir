// RUN: ttmlir-opt --ttir-sliding-window-2d-fix-shapes %s | FileCheck %s
// RUN: ttmlir-opt --ttir-sliding-window-2d-fix-shapes --remarks %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// Weights that are the same in many calls go to the device as the matrix of the product.
// REMARK-COUNT-2: remark: [Passed] Prepared | Category:ttir-sliding-window-2d-fix-shapes{{.*}} | Op=ttir.conv2d, Reason="its weight is tensor<1x1x36x8xbf16> in DRAM
// REMARK-NOT: Prepared
#any = #tt.operand_constraint<any_device>
// CHECK-LABEL: func.func @parameter
// CHECK: %[[W:.*]] = "ttir.prepare_conv2d_weights"(%arg1, %{{.*}}) <{operand_constraints = [{{.*}}]}> : (tensor<8x4x3x3xbf16>, tensor<1x1x36x8xbf16>)
// CHECK: "ttir.conv2d"(%arg0, %[[W]], %{{.*}}) <{{.*}}kernel_size = array<i32: 3, 3>
func.func @parameter(%a: tensor<1x9x9x4xbf16>, %w: tensor<8x4x3x3xbf16> {tt.argument_type = #tt.argument_type<parameter>}) -> tensor<1x9x9x8xbf16> {
  %0 = tensor.empty() : tensor<1x9x9x8xbf16>
  %1 = "ttir.conv2d"(%a, %w, %0) <{dilation_height = 1 : si32, dilation_width = 1 : si32, groups = 1 : si32, operand_constraints = [#any, #any, #any], padding_bottom = 1 : si32, padding_left = 1 : si32, padding_right = 1 : si32, padding_top = 1 : si32, stride_height = 1 : si32, stride_width = 1 : si32}> : (tensor<1x9x9x4xbf16>, tensor<8x4x3x3xbf16>, tensor<1x9x9x8xbf16>) -> tensor<1x9x9x8xbf16>
  return %1 : tensor<1x9x9x8xbf16>
}
// What is made of them too: here it is the weight of another convolution, turned.
// CHECK-LABEL: func.func @computed
// CHECK: %[[T:.*]] = "ttir.transpose"(%arg1,
// CHECK: "ttir.prepare_conv2d_weights"(%[[T]],
func.func @computed(%a: tensor<1x9x9x4xbf16>, %w: tensor<4x8x3x3xbf16> {tt.argument_type = #tt.argument_type<constant>}) -> tensor<1x9x9x8xbf16> {
  %0 = tensor.empty() : tensor<8x4x3x3xbf16>
  %1 = "ttir.transpose"(%w, %0) <{dim0 = 0 : si32, dim1 = 1 : si32, operand_constraints = [#any, #any]}> : (tensor<4x8x3x3xbf16>, tensor<8x4x3x3xbf16>) -> tensor<8x4x3x3xbf16>
  %2 = tensor.empty() : tensor<1x9x9x8xbf16>
  %3 = "ttir.conv2d"(%a, %1, %2) <{dilation_height = 1 : si32, dilation_width = 1 : si32, groups = 1 : si32, operand_constraints = [#any, #any, #any], padding_bottom = 1 : si32, padding_left = 1 : si32, padding_right = 1 : si32, padding_top = 1 : si32, stride_height = 1 : si32, stride_width = 1 : si32}> : (tensor<1x9x9x4xbf16>, tensor<8x4x3x3xbf16>, tensor<1x9x9x8xbf16>) -> tensor<1x9x9x8xbf16>
  return %3 : tensor<1x9x9x8xbf16>
}
// An input of the call and a splat stay as they are.
// CHECK-LABEL: func.func @input
// CHECK-NOT: prepare_conv2d_weights
func.func @input(%a: tensor<1x9x9x4xbf16>, %w: tensor<8x4x3x3xbf16>) -> tensor<1x9x9x8xbf16> {
  %0 = tensor.empty() : tensor<1x9x9x8xbf16>
  %1 = "ttir.conv2d"(%a, %w, %0) <{dilation_height = 1 : si32, dilation_width = 1 : si32, groups = 1 : si32, operand_constraints = [#any, #any, #any], padding_bottom = 1 : si32, padding_left = 1 : si32, padding_right = 1 : si32, padding_top = 1 : si32, stride_height = 1 : si32, stride_width = 1 : si32}> : (tensor<1x9x9x4xbf16>, tensor<8x4x3x3xbf16>, tensor<1x9x9x8xbf16>) -> tensor<1x9x9x8xbf16>
  return %1 : tensor<1x9x9x8xbf16>
}
// CHECK-LABEL: func.func @splat
// CHECK-NOT: prepare_conv2d_weights
func.func @splat(%a: tensor<1x9x9x4xbf16>) -> tensor<1x9x9x8xbf16> {
  %w = "ttir.constant"() <{value = dense<1.0> : tensor<8x4x3x3xbf16>}> : () -> tensor<8x4x3x3xbf16>
  %0 = tensor.empty() : tensor<1x9x9x8xbf16>
  %1 = "ttir.conv2d"(%a, %w, %0) <{dilation_height = 1 : si32, dilation_width = 1 : si32, groups = 1 : si32, operand_constraints = [#any, #any, #any], padding_bottom = 1 : si32, padding_left = 1 : si32, padding_right = 1 : si32, padding_top = 1 : si32, stride_height = 1 : si32, stride_width = 1 : si32}> : (tensor<1x9x9x4xbf16>, tensor<8x4x3x3xbf16>, tensor<1x9x9x8xbf16>) -> tensor<1x9x9x8xbf16>
  return %1 : tensor<1x9x9x8xbf16>
}
