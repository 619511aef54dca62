// RUN: ttmlir-opt %s | FileCheck %s
// The window slides over the padded input; one that would begin in the far padding is dropped.
#any = #tt.operand_constraint<any_device>

// CHECK-LABEL: func.func @as_long_as_the_padded_input
func.func @as_long_as_the_padded_input(%a: tensor<1x6x4x1xf32>) -> tensor<1x1x4x1xf32> {
  %0 = tensor.empty() : tensor<1x1x4x1xf32>
  %1 = "ttir.max_pool2d"(%a, %0) <{ceil_mode = false, dilation_height = 1 : si32, dilation_width = 1 : si32, kernel_height = 7 : si32, kernel_width = 1 : si32, operand_constraints = [#any, #any], padding_bottom = 1 : si32, padding_left = 0 : si32, padding_right = 0 : si32, padding_top = 0 : si32, stride_height = 1 : si32, stride_width = 1 : si32}> : (tensor<1x6x4x1xf32>, tensor<1x1x4x1xf32>) -> tensor<1x1x4x1xf32>
  return %1 : tensor<1x1x4x1xf32>
}

// CHECK-LABEL: func.func @last_is_dropped
func.func @last_is_dropped(%a: tensor<1x4x4x1xf32>) -> tensor<1x2x4x1xf32> {
  %0 = tensor.empty() : tensor<1x2x4x1xf32>
  %1 = "ttir.max_pool2d"(%a, %0) <{ceil_mode = true, dilation_height = 1 : si32, dilation_width = 1 : si32, kernel_height = 2 : si32, kernel_width = 1 : si32, operand_constraints = [#any, #any], padding_bottom = 1 : si32, padding_left = 0 : si32, padding_right = 0 : si32, padding_top = 1 : si32, stride_height = 3 : si32, stride_width = 1 : si32}> : (tensor<1x4x4x1xf32>, tensor<1x2x4x1xf32>) -> tensor<1x2x4x1xf32>
  return %1 : tensor<1x2x4x1xf32>
}

// CHECK-LABEL: func.func @last_is_kept
func.func @last_is_kept(%a: tensor<1x6x4x1xf32>) -> tensor<1x3x4x1xf32> {
  %0 = tensor.empty() : tensor<1x3x4x1xf32>
  %1 = "ttir.max_pool2d"(%a, %0) <{ceil_mode = true, dilation_height = 1 : si32, dilation_width = 1 : si32, kernel_height = 2 : si32, kernel_width = 1 : si32, operand_constraints = [#any, #any], padding_bottom = 1 : si32, padding_left = 0 : si32, padding_right = 0 : si32, padding_top = 1 : si32, stride_height = 3 : si32, stride_width = 1 : si32}> : (tensor<1x6x4x1xf32>, tensor<1x3x4x1xf32>) -> tensor<1x3x4x1xf32>
  return %1 : tensor<1x3x4x1xf32>
}

// CHECK-LABEL: func.func @dilated
func.func @dilated(%a: tensor<1x5x4x1xf32>) -> tensor<1x1x4x1xf32> {
  %0 = tensor.empty() : tensor<1x1x4x1xf32>
  %1 = "ttir.max_pool2d"(%a, %0) <{ceil_mode = false, dilation_height = 3 : si32, dilation_width = 1 : si32, kernel_height = 3 : si32, kernel_width = 1 : si32, operand_constraints = [#any, #any], padding_bottom = 1 : si32, padding_left = 0 : si32, padding_right = 0 : si32, padding_top = 1 : si32, stride_height = 1 : si32, stride_width = 1 : si32}> : (tensor<1x5x4x1xf32>, tensor<1x1x4x1xf32>) -> tensor<1x1x4x1xf32>
  return %1 : tensor<1x1x4x1xf32>
}
