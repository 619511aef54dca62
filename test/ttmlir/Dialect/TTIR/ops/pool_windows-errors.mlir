// RUN: ttmlir-opt --split-input-file --verify-diagnostics %s
// Windows that do not fit the padded input, and results of other extents.

#any = #tt.operand_constraint<any_device>
func.func @kernel(%a: tensor<1x6x4x1xf32>) -> tensor<1x1x4x1xf32> {
  %0 = tensor.empty() : tensor<1x1x4x1xf32>
  // expected-error @+1 {{Kernel height 8 is greater than input height 6 with padding 0 and 1. This MaxPool2d configuration is invalid.}}
  %1 = "ttir.max_pool2d"(%a, %0) <{ceil_mode = false, dilation_height = 1 : si32, dilation_width = 1 : si32, kernel_height = 8 : si32, kernel_width = 1 : si32, operand_constraints = [#any, #any], padding_bottom = 1 : si32, padding_left = 0 : si32, padding_right = 0 : si32, padding_top = 0 : si32, stride_height = 1 : si32, stride_width = 1 : si32}> : (tensor<1x6x4x1xf32>, tensor<1x1x4x1xf32>) -> tensor<1x1x4x1xf32>
  return %1 : tensor<1x1x4x1xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @dilation(%a: tensor<1x6x4x1xf32>) -> tensor<1x1x4x1xf32> {
  %0 = tensor.empty() : tensor<1x1x4x1xf32>
  // expected-error @+1 {{Kernel height 4 with dilation 2 is greater than input height 6. This MaxPool2d configuration is invalid.}}
  %1 = "ttir.max_pool2d"(%a, %0) <{ceil_mode = false, dilation_height = 2 : si32, dilation_width = 1 : si32, kernel_height = 4 : si32, kernel_width = 1 : si32, operand_constraints = [#any, #any], padding_bottom = 0 : si32, padding_left = 0 : si32, padding_right = 0 : si32, padding_top = 0 : si32, stride_height = 1 : si32, stride_width = 1 : si32}> : (tensor<1x6x4x1xf32>, tensor<1x1x4x1xf32>) -> tensor<1x1x4x1xf32>
  return %1 : tensor<1x1x4x1xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @dropped(%a: tensor<1x4x4x1xf32>) -> tensor<1x3x4x1xf32> {
  %0 = tensor.empty() : tensor<1x3x4x1xf32>
  // expected-error @+1 {{Output shape mismatch: expected 1x2x4x1, found 1x3x4x1}}
  %1 = "ttir.max_pool2d"(%a, %0) <{ceil_mode = true, dilation_height = 1 : si32, dilation_width = 1 : si32, kernel_height = 2 : si32, kernel_width = 1 : si32, operand_constraints = [#any, #any], padding_bottom = 1 : si32, padding_left = 0 : si32, padding_right = 0 : si32, padding_top = 1 : si32, stride_height = 3 : si32, stride_width = 1 : si32}> : (tensor<1x4x4x1xf32>, tensor<1x3x4x1xf32>) -> tensor<1x3x4x1xf32>
  return %1 : tensor<1x3x4x1xf32>
}
