// RUN: ttmlir-opt %s -split-input-file -verify-diagnostics
// Rules of convolutions, pooling and enlargement.
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
func.func @conv2d(%arg0: tensor<8x4xf32>, %arg1: tensor<6x4x3x3xf32>) -> tensor<1x6x6x6xf32> {
  %0 = tensor.empty() : tensor<1x6x6x6xf32>
  // expected-error @+1 {{Input must be at least a 3D tensor: found rank 2}}
  %1 = "ttir.conv2d"(%arg0, %arg1, %0) <{dilation_height = 1 : si32, dilation_width = 1 : si32, groups = 1 : si32, operand_constraints = [#any, #any, #any], padding_bottom = 0 : si32, padding_left = 0 : si32, padding_right = 0 : si32, padding_top = 0 : si32, stride_height = 1 : si32, stride_width = 1 : si32}> : (tensor<8x4xf32>, tensor<6x4x3x3xf32>, tensor<1x6x6x6xf32>) -> tensor<1x6x6x6xf32>
  return %1 : tensor<1x6x6x6xf32>
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
func.func @conv2d(%arg0: tensor<1x8x8x4xf32>, %arg1: tensor<6x4x3xf32>) -> tensor<1x6x6x6xf32> {
  %0 = tensor.empty() : tensor<1x6x6x6xf32>
  // expected-error @+1 {{Weight must be a 4D tensor: found rank 3}}
  %1 = "ttir.conv2d"(%arg0, %arg1, %0) <{dilation_height = 1 : si32, dilation_width = 1 : si32, groups = 1 : si32, operand_constraints = [#any, #any, #any], padding_bottom = 0 : si32, padding_left = 0 : si32, padding_right = 0 : si32, padding_top = 0 : si32, stride_height = 1 : si32, stride_width = 1 : si32}> : (tensor<1x8x8x4xf32>, tensor<6x4x3xf32>, tensor<1x6x6x6xf32>) -> tensor<1x6x6x6xf32>
  return %1 : tensor<1x6x6x6xf32>
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
func.func @conv2d(%arg0: tensor<1x8x8x4xf32>, %arg1: tensor<6x4x3x3xf32>, %arg2: tensor<6xf32>) -> tensor<1x6x6x6xf32> {
  %0 = tensor.empty() : tensor<1x6x6x6xf32>
  // expected-error @+1 {{Bias must be a 4D tensor: found rank 1}}
  %1 = "ttir.conv2d"(%arg0, %arg1, %arg2, %0) <{dilation_height = 1 : si32, dilation_width = 1 : si32, groups = 1 : si32, operand_constraints = [#any, #any, #any, #any], padding_bottom = 0 : si32, padding_left = 0 : si32, padding_right = 0 : si32, padding_top = 0 : si32, stride_height = 1 : si32, stride_width = 1 : si32}> : (tensor<1x8x8x4xf32>, tensor<6x4x3x3xf32>, tensor<6xf32>, tensor<1x6x6x6xf32>) -> tensor<1x6x6x6xf32>
  return %1 : tensor<1x6x6x6xf32>
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
func.func @conv2d(%arg0: tensor<1x8x8x4xf32>, %arg1: tensor<6x4x3x3xf32>, %arg2: tensor<1x1x1x4xf32>) -> tensor<1x6x6x6xf32> {
  %0 = tensor.empty() : tensor<1x6x6x6xf32>
  // expected-error @+1 {{Bias must only have data on the final dimenstion: expected 1x1x1x6, found 1x1x1x4}}
  %1 = "ttir.conv2d"(%arg0, %arg1, %arg2, %0) <{dilation_height = 1 : si32, dilation_width = 1 : si32, groups = 1 : si32, operand_constraints = [#any, #any, #any, #any], padding_bottom = 0 : si32, padding_left = 0 : si32, padding_right = 0 : si32, padding_top = 0 : si32, stride_height = 1 : si32, stride_width = 1 : si32}> : (tensor<1x8x8x4xf32>, tensor<6x4x3x3xf32>, tensor<1x1x1x4xf32>, tensor<1x6x6x6xf32>) -> tensor<1x6x6x6xf32>
  return %1 : tensor<1x6x6x6xf32>
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
func.func @conv2d(%arg0: tensor<1x8x8x4xf32>, %arg1: tensor<6x4x3x3xf32>) -> tensor<6x6x6xf32> {
  %0 = tensor.empty() : tensor<6x6x6xf32>
  // expected-error @+1 {{Input and output must both be (N, H, W, C) or (H, W, C): found 1x8x8x4 and 6x6x6}}
  %1 = "ttir.conv2d"(%arg0, %arg1, %0) <{dilation_height = 1 : si32, dilation_width = 1 : si32, groups = 1 : si32, operand_constraints = [#any, #any, #any], padding_bottom = 0 : si32, padding_left = 0 : si32, padding_right = 0 : si32, padding_top = 0 : si32, stride_height = 1 : si32, stride_width = 1 : si32}> : (tensor<1x8x8x4xf32>, tensor<6x4x3x3xf32>, tensor<6x6x6xf32>) -> tensor<6x6x6xf32>
  return %1 : tensor<6x6x6xf32>
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
func.func @conv2d(%arg0: tensor<1x8x8x4xf32>, %arg1: tensor<6x4x3x3xf32>) -> tensor<1x6x6x6xf32> {
  %0 = tensor.empty() : tensor<1x6x6x6xf32>
  // expected-error @+1 {{groups must be positive: found 0}}
  %1 = "ttir.conv2d"(%arg0, %arg1, %0) <{dilation_height = 1 : si32, dilation_width = 1 : si32, groups = 0 : si32, operand_constraints = [#any, #any, #any], padding_bottom = 0 : si32, padding_left = 0 : si32, padding_right = 0 : si32, padding_top = 0 : si32, stride_height = 1 : si32, stride_width = 1 : si32}> : (tensor<1x8x8x4xf32>, tensor<6x4x3x3xf32>, tensor<1x6x6x6xf32>) -> tensor<1x6x6x6xf32>
  return %1 : tensor<1x6x6x6xf32>
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
func.func @conv2d(%arg0: tensor<1x8x8x4xf32>, %arg1: tensor<6x4x3x3xf32>) -> tensor<1x6x6x6xf32> {
  %0 = tensor.empty() : tensor<1x6x6x6xf32>
  // expected-error @+1 {{groups must divide the channels of input and output: found 4 groups, 4 and 6 channels}}
  %1 = "ttir.conv2d"(%arg0, %arg1, %0) <{dilation_height = 1 : si32, dilation_width = 1 : si32, groups = 4 : si32, operand_constraints = [#any, #any, #any], padding_bottom = 0 : si32, padding_left = 0 : si32, padding_right = 0 : si32, padding_top = 0 : si32, stride_height = 1 : si32, stride_width = 1 : si32}> : (tensor<1x8x8x4xf32>, tensor<6x4x3x3xf32>, tensor<1x6x6x6xf32>) -> tensor<1x6x6x6xf32>
  return %1 : tensor<1x6x6x6xf32>
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
func.func @conv2d(%arg0: tensor<1x8x8x4xf32>, %arg1: tensor<6x4x3x3xf32>) -> tensor<1x6x6x6xf32> {
  %0 = tensor.empty() : tensor<1x6x6x6xf32>
  // expected-error @+1 {{Weight must have the channels of input and output: expected 6x2xKHxKW, found 6x4x3x3}}
  %1 = "ttir.conv2d"(%arg0, %arg1, %0) <{dilation_height = 1 : si32, dilation_width = 1 : si32, groups = 2 : si32, operand_constraints = [#any, #any, #any], padding_bottom = 0 : si32, padding_left = 0 : si32, padding_right = 0 : si32, padding_top = 0 : si32, stride_height = 1 : si32, stride_width = 1 : si32}> : (tensor<1x8x8x4xf32>, tensor<6x4x3x3xf32>, tensor<1x6x6x6xf32>) -> tensor<1x6x6x6xf32>
  return %1 : tensor<1x6x6x6xf32>
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
func.func @conv2d(%arg0: tensor<1x8x8x4xf32>, %arg1: tensor<6x4x3x3xf32>) -> tensor<1x6x6x6xf32> {
  %0 = tensor.empty() : tensor<1x6x6x6xf32>
  // expected-error @+1 {{stride must be positive: found 0}}
  %1 = "ttir.conv2d"(%arg0, %arg1, %0) <{dilation_height = 1 : si32, dilation_width = 1 : si32, groups = 1 : si32, operand_constraints = [#any, #any, #any], padding_bottom = 0 : si32, padding_left = 0 : si32, padding_right = 0 : si32, padding_top = 0 : si32, stride_height = 1 : si32, stride_width = 0 : si32}> : (tensor<1x8x8x4xf32>, tensor<6x4x3x3xf32>, tensor<1x6x6x6xf32>) -> tensor<1x6x6x6xf32>
  return %1 : tensor<1x6x6x6xf32>
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
func.func @conv2d(%arg0: tensor<1x8x8x4xf32>, %arg1: tensor<6x4x3x3xf32>) -> tensor<1x6x6x6xf32> {
  %0 = tensor.empty() : tensor<1x6x6x6xf32>
  // expected-error @+1 {{dilation must be positive: found -1}}
  %1 = "ttir.conv2d"(%arg0, %arg1, %0) <{dilation_height = -1 : si32, dilation_width = 1 : si32, groups = 1 : si32, operand_constraints = [#any, #any, #any], padding_bottom = 0 : si32, padding_left = 0 : si32, padding_right = 0 : si32, padding_top = 0 : si32, stride_height = 1 : si32, stride_width = 1 : si32}> : (tensor<1x8x8x4xf32>, tensor<6x4x3x3xf32>, tensor<1x6x6x6xf32>) -> tensor<1x6x6x6xf32>
  return %1 : tensor<1x6x6x6xf32>
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
func.func @conv2d(%arg0: tensor<1x8x8x4xf32>, %arg1: tensor<6x4x3x3xf32>) -> tensor<1x6x6x6xf32> {
  %0 = tensor.empty() : tensor<1x6x6x6xf32>
  // expected-error @+1 {{padding must not be negative: found -1}}
  %1 = "ttir.conv2d"(%arg0, %arg1, %0) <{dilation_height = 1 : si32, dilation_width = 1 : si32, groups = 1 : si32, operand_constraints = [#any, #any, #any], padding_bottom = -1 : si32, padding_left = 0 : si32, padding_right = 0 : si32, padding_top = 0 : si32, stride_height = 1 : si32, stride_width = 1 : si32}> : (tensor<1x8x8x4xf32>, tensor<6x4x3x3xf32>, tensor<1x6x6x6xf32>) -> tensor<1x6x6x6xf32>
  return %1 : tensor<1x6x6x6xf32>
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
func.func @conv2d(%arg0: tensor<1x8x8x4xf32>, %arg1: tensor<6x4x3x3xf32>) -> tensor<1x6x6x6xf32> {
  %0 = tensor.empty() : tensor<1x6x6x6xf32>
  // expected-error @+1 {{the window does not fit into the input 1x8x8x4: expected a positive output, found 0x6}}
  %1 = "ttir.conv2d"(%arg0, %arg1, %0) <{dilation_height = 4 : si32, dilation_width = 1 : si32, groups = 1 : si32, operand_constraints = [#any, #any, #any], padding_bottom = 0 : si32, padding_left = 0 : si32, padding_right = 0 : si32, padding_top = 0 : si32, stride_height = 1 : si32, stride_width = 1 : si32}> : (tensor<1x8x8x4xf32>, tensor<6x4x3x3xf32>, tensor<1x6x6x6xf32>) -> tensor<1x6x6x6xf32>
  return %1 : tensor<1x6x6x6xf32>
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
func.func @conv2d(%arg0: tensor<1x8x8x4xf32>, %arg1: tensor<6x4x3x3xf32>) -> tensor<1x6x6x6xf32> {
  %0 = tensor.empty() : tensor<1x6x6x6xf32>
  // expected-error @+1 {{Output shape mismatch: expected 1x8x7x6, found 1x6x6x6}}
  %1 = "ttir.conv2d"(%arg0, %arg1, %0) <{dilation_height = 1 : si32, dilation_width = 1 : si32, groups = 1 : si32, operand_constraints = [#any, #any, #any], padding_bottom = 1 : si32, padding_left = 0 : si32, padding_right = 1 : si32, padding_top = 1 : si32, stride_height = 1 : si32, stride_width = 1 : si32}> : (tensor<1x8x8x4xf32>, tensor<6x4x3x3xf32>, tensor<1x6x6x6xf32>) -> tensor<1x6x6x6xf32>
  return %1 : tensor<1x6x6x6xf32>
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
func.func @conv_transpose2d(%arg0: tensor<1x8x8x4xf32>, %arg1: tensor<4x6x3x3xf32>) -> tensor<1x10x10x6xf32> {
  %0 = tensor.empty() : tensor<1x10x10x6xf32>
  // expected-error @+1 {{stride must have 2 entries: found 1}}
  %1 = "ttir.conv_transpose2d"(%arg0, %arg1, %0) <{dilation = array<i32: 1, 1>, groups = 1 : i32, operand_constraints = [#any, #any, #any], output_padding = array<i32: 0, 0>, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 1>}> : (tensor<1x8x8x4xf32>, tensor<4x6x3x3xf32>, tensor<1x10x10x6xf32>) -> tensor<1x10x10x6xf32>
  return %1 : tensor<1x10x10x6xf32>
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
func.func @conv_transpose2d(%arg0: tensor<1x8x8x4xf32>, %arg1: tensor<4x6x3x3xf32>) -> tensor<1x10x10x6xf32> {
  %0 = tensor.empty() : tensor<1x10x10x6xf32>
  // expected-error @+1 {{padding must have 4 entries: found 2}}
  %1 = "ttir.conv_transpose2d"(%arg0, %arg1, %0) <{dilation = array<i32: 1, 1>, groups = 1 : i32, operand_constraints = [#any, #any, #any], output_padding = array<i32: 0, 0>, padding = array<i32: 0, 0>, stride = array<i32: 1, 1>}> : (tensor<1x8x8x4xf32>, tensor<4x6x3x3xf32>, tensor<1x10x10x6xf32>) -> tensor<1x10x10x6xf32>
  return %1 : tensor<1x10x10x6xf32>
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
func.func @conv_transpose2d(%arg0: tensor<1x8x8x4xf32>, %arg1: tensor<4x6x3x3xf32>) -> tensor<1x10x10x6xf32> {
  %0 = tensor.empty() : tensor<1x10x10x6xf32>
  // expected-error @+1 {{output_padding must have 2 entries: found 1}}
  %1 = "ttir.conv_transpose2d"(%arg0, %arg1, %0) <{dilation = array<i32: 1, 1>, groups = 1 : i32, operand_constraints = [#any, #any, #any], output_padding = array<i32: 0>, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 1, 1>}> : (tensor<1x8x8x4xf32>, tensor<4x6x3x3xf32>, tensor<1x10x10x6xf32>) -> tensor<1x10x10x6xf32>
  return %1 : tensor<1x10x10x6xf32>
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
func.func @conv_transpose2d(%arg0: tensor<1x8x8x4xf32>, %arg1: tensor<4x6x3x3xf32>) -> tensor<1x10x10x6xf32> {
  %0 = tensor.empty() : tensor<1x10x10x6xf32>
  // expected-error @+1 {{dilation must have 2 entries: found 3}}
  %1 = "ttir.conv_transpose2d"(%arg0, %arg1, %0) <{dilation = array<i32: 1, 1, 1>, groups = 1 : i32, operand_constraints = [#any, #any, #any], output_padding = array<i32: 0, 0>, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 1, 1>}> : (tensor<1x8x8x4xf32>, tensor<4x6x3x3xf32>, tensor<1x10x10x6xf32>) -> tensor<1x10x10x6xf32>
  return %1 : tensor<1x10x10x6xf32>
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
func.func @conv_transpose2d(%arg0: tensor<8x8x4xf32>, %arg1: tensor<4x6x3x3xf32>) -> tensor<1x10x10x6xf32> {
  %0 = tensor.empty() : tensor<1x10x10x6xf32>
  // expected-error @+1 {{Input must be a 4D tensor: found rank 3}}
  %1 = "ttir.conv_transpose2d"(%arg0, %arg1, %0) <{dilation = array<i32: 1, 1>, groups = 1 : i32, operand_constraints = [#any, #any, #any], output_padding = array<i32: 0, 0>, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 1, 1>}> : (tensor<8x8x4xf32>, tensor<4x6x3x3xf32>, tensor<1x10x10x6xf32>) -> tensor<1x10x10x6xf32>
  return %1 : tensor<1x10x10x6xf32>
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
func.func @conv_transpose2d(%arg0: tensor<1x8x8x4xf32>, %arg1: tensor<4x6xf32>) -> tensor<1x10x10x6xf32> {
  %0 = tensor.empty() : tensor<1x10x10x6xf32>
  // expected-error @+1 {{Weight must be a 4D tensor: found rank 2}}
  %1 = "ttir.conv_transpose2d"(%arg0, %arg1, %0) <{dilation = array<i32: 1, 1>, groups = 1 : i32, operand_constraints = [#any, #any, #any], output_padding = array<i32: 0, 0>, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 1, 1>}> : (tensor<1x8x8x4xf32>, tensor<4x6xf32>, tensor<1x10x10x6xf32>) -> tensor<1x10x10x6xf32>
  return %1 : tensor<1x10x10x6xf32>
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
func.func @conv_transpose2d(%arg0: tensor<1x8x8x4xf32>, %arg1: tensor<6x4x3x3xf32>) -> tensor<1x10x10x6xf32> {
  %0 = tensor.empty() : tensor<1x10x10x6xf32>
  // expected-error @+1 {{Weight must have the channels of input and output: expected 4x6xKHxKW, found 6x4x3x3}}
  %1 = "ttir.conv_transpose2d"(%arg0, %arg1, %0) <{dilation = array<i32: 1, 1>, groups = 1 : i32, operand_constraints = [#any, #any, #any], output_padding = array<i32: 0, 0>, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 1, 1>}> : (tensor<1x8x8x4xf32>, tensor<6x4x3x3xf32>, tensor<1x10x10x6xf32>) -> tensor<1x10x10x6xf32>
  return %1 : tensor<1x10x10x6xf32>
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
func.func @conv_transpose2d(%arg0: tensor<1x8x8x4xf32>, %arg1: tensor<4x6x3x3xf32>) -> tensor<1x10x10x6xf32> {
  %0 = tensor.empty() : tensor<1x10x10x6xf32>
  // expected-error @+1 {{stride must be positive: found 0}}
  %1 = "ttir.conv_transpose2d"(%arg0, %arg1, %0) <{dilation = array<i32: 1, 1>, groups = 1 : i32, operand_constraints = [#any, #any, #any], output_padding = array<i32: 0, 0>, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 0, 1>}> : (tensor<1x8x8x4xf32>, tensor<4x6x3x3xf32>, tensor<1x10x10x6xf32>) -> tensor<1x10x10x6xf32>
  return %1 : tensor<1x10x10x6xf32>
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
func.func @conv_transpose2d(%arg0: tensor<1x8x8x4xf32>, %arg1: tensor<4x6x3x3xf32>) -> tensor<1x10x10x6xf32> {
  %0 = tensor.empty() : tensor<1x10x10x6xf32>
  // expected-error @+1 {{output_padding must not be negative: found -1}}
  %1 = "ttir.conv_transpose2d"(%arg0, %arg1, %0) <{dilation = array<i32: 1, 1>, groups = 1 : i32, operand_constraints = [#any, #any, #any], output_padding = array<i32: -1, 0>, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 1, 1>}> : (tensor<1x8x8x4xf32>, tensor<4x6x3x3xf32>, tensor<1x10x10x6xf32>) -> tensor<1x10x10x6xf32>
  return %1 : tensor<1x10x10x6xf32>
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
func.func @conv_transpose2d(%arg0: tensor<1x8x8x4xf32>, %arg1: tensor<4x6x3x3xf32>) -> tensor<1x10x10x6xf32> {
  %0 = tensor.empty() : tensor<1x10x10x6xf32>
  // expected-error @+1 {{Output shape mismatch: expected 1x17x10x6, found 1x10x10x6}}
  %1 = "ttir.conv_transpose2d"(%arg0, %arg1, %0) <{dilation = array<i32: 1, 1>, groups = 1 : i32, operand_constraints = [#any, #any, #any], output_padding = array<i32: 0, 0>, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 2, 1>}> : (tensor<1x8x8x4xf32>, tensor<4x6x3x3xf32>, tensor<1x10x10x6xf32>) -> tensor<1x10x10x6xf32>
  return %1 : tensor<1x10x10x6xf32>
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
func.func @conv_transpose2d(%arg0: tensor<1x8x8x4xf32>, %arg1: tensor<4x6x3x3xf32>) -> tensor<1x10x10x6xf32> {
  %0 = tensor.empty() : tensor<1x10x10x6xf32>
  // expected-error @+1 {{the window does not fit into the input 1x8x8x4: expected a positive output, found 0x10}}
  %1 = "ttir.conv_transpose2d"(%arg0, %arg1, %0) <{dilation = array<i32: 1, 1>, groups = 1 : i32, operand_constraints = [#any, #any, #any], output_padding = array<i32: 0, 0>, padding = array<i32: 5, 0, 5, 0>, stride = array<i32: 1, 1>}> : (tensor<1x8x8x4xf32>, tensor<4x6x3x3xf32>, tensor<1x10x10x6xf32>) -> tensor<1x10x10x6xf32>
  return %1 : tensor<1x10x10x6xf32>
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
func.func @max_pool2d(%arg0: tensor<8x8x4xf32>) -> tensor<1x4x4x4xf32> {
  %0 = tensor.empty() : tensor<1x4x4x4xf32>
  // expected-error @+1 {{Input tensor rank must be 4. Recieved input with rank 3. Shape: (8, 8, 4).}}
  %1 = "ttir.max_pool2d"(%arg0, %0) <{ceil_mode = false, dilation_height = 1 : si32, dilation_width = 1 : si32, kernel_height = 2 : si32, kernel_width = 2 : si32, operand_constraints = [#any, #any], padding_bottom = 0 : si32, padding_left = 0 : si32, padding_right = 0 : si32, padding_top = 0 : si32, stride_height = 2 : si32, stride_width = 2 : si32}> : (tensor<8x8x4xf32>, tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  return %1 : tensor<1x4x4x4xf32>
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
func.func @max_pool2d(%arg0: tensor<1x8x8x4xf32>) -> tensor<1x4x4x4xf32> {
  %0 = tensor.empty() : tensor<1x4x4x4xf32>
  // expected-error @+1 {{However, only original_width was provided.}}
  %1 = "ttir.max_pool2d"(%arg0, %0) <{ceil_mode = false, dilation_height = 1 : si32, dilation_width = 1 : si32, kernel_height = 2 : si32, kernel_width = 2 : si32, operand_constraints = [#any, #any], original_width = 8 : si32, padding_bottom = 0 : si32, padding_left = 0 : si32, padding_right = 0 : si32, padding_top = 0 : si32, stride_height = 2 : si32, stride_width = 2 : si32}> : (tensor<1x8x8x4xf32>, tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  return %1 : tensor<1x4x4x4xf32>
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
func.func @max_pool2d(%arg0: tensor<1x8x8x4xf32>) -> tensor<1x4x4x4xf32> {
  %0 = tensor.empty() : tensor<1x4x4x4xf32>
  // expected-error @+1 {{Kernel width 9 is greater than input width 8. This MaxPool2d configuration is invalid.}}
  %1 = "ttir.max_pool2d"(%arg0, %0) <{ceil_mode = false, dilation_height = 1 : si32, dilation_width = 1 : si32, kernel_height = 2 : si32, kernel_width = 9 : si32, operand_constraints = [#any, #any], padding_bottom = 0 : si32, padding_left = 0 : si32, padding_right = 0 : si32, padding_top = 0 : si32, stride_height = 2 : si32, stride_width = 2 : si32}> : (tensor<1x8x8x4xf32>, tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  return %1 : tensor<1x4x4x4xf32>
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
func.func @max_pool2d(%arg0: tensor<1x8x8x4xf32>) -> tensor<1x4x4x4xf32> {
  %0 = tensor.empty() : tensor<1x4x4x4xf32>
  // expected-error @+1 {{kernel must be positive: found 0}}
  %1 = "ttir.max_pool2d"(%arg0, %0) <{ceil_mode = false, dilation_height = 1 : si32, dilation_width = 1 : si32, kernel_height = 2 : si32, kernel_width = 0 : si32, operand_constraints = [#any, #any], padding_bottom = 0 : si32, padding_left = 0 : si32, padding_right = 0 : si32, padding_top = 0 : si32, stride_height = 2 : si32, stride_width = 2 : si32}> : (tensor<1x8x8x4xf32>, tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  return %1 : tensor<1x4x4x4xf32>
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
func.func @max_pool2d(%arg0: tensor<1x8x8x4xf32>) -> tensor<1x4x4x4xf32> {
  %0 = tensor.empty() : tensor<1x4x4x4xf32>
  // expected-error @+1 {{stride must be positive: found 0}}
  %1 = "ttir.max_pool2d"(%arg0, %0) <{ceil_mode = false, dilation_height = 1 : si32, dilation_width = 1 : si32, kernel_height = 2 : si32, kernel_width = 2 : si32, operand_constraints = [#any, #any], padding_bottom = 0 : si32, padding_left = 0 : si32, padding_right = 0 : si32, padding_top = 0 : si32, stride_height = 0 : si32, stride_width = 2 : si32}> : (tensor<1x8x8x4xf32>, tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  return %1 : tensor<1x4x4x4xf32>
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
func.func @max_pool2d(%arg0: tensor<1x8x8x4xf32>) -> tensor<1x4x4x4xf32> {
  %0 = tensor.empty() : tensor<1x4x4x4xf32>
  // expected-error @+1 {{Output shape mismatch: expected 1x3x4x4, found 1x4x4x4}}
  %1 = "ttir.max_pool2d"(%arg0, %0) <{ceil_mode = false, dilation_height = 1 : si32, dilation_width = 1 : si32, kernel_height = 3 : si32, kernel_width = 2 : si32, operand_constraints = [#any, #any], padding_bottom = 0 : si32, padding_left = 0 : si32, padding_right = 0 : si32, padding_top = 0 : si32, stride_height = 2 : si32, stride_width = 2 : si32}> : (tensor<1x8x8x4xf32>, tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  return %1 : tensor<1x4x4x4xf32>
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
func.func @max_pool2d(%arg0: tensor<1x8x8x4xf32>) -> tensor<1x3x4x4xf32> {
  %0 = tensor.empty() : tensor<1x3x4x4xf32>
  // expected-error @+1 {{Output shape mismatch: expected 1x4x4x4, found 1x3x4x4}}
  %1 = "ttir.max_pool2d"(%arg0, %0) <{ceil_mode = true, dilation_height = 1 : si32, dilation_width = 1 : si32, kernel_height = 3 : si32, kernel_width = 2 : si32, operand_constraints = [#any, #any], padding_bottom = 0 : si32, padding_left = 0 : si32, padding_right = 0 : si32, padding_top = 0 : si32, stride_height = 2 : si32, stride_width = 2 : si32}> : (tensor<1x8x8x4xf32>, tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
  return %1 : tensor<1x3x4x4xf32>
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
func.func @max_pool2d(%arg0: tensor<1x1x64x4xf32>) -> tensor<1x1x16x4xf32> {
  %0 = tensor.empty() : tensor<1x1x16x4xf32>
  // expected-error @+1 {{original_height and original_width must divide the input's positions: found 8x7 for 1x1x64x4}}
  %1 = "ttir.max_pool2d"(%arg0, %0) <{ceil_mode = false, dilation_height = 1 : si32, dilation_width = 1 : si32, kernel_height = 2 : si32, kernel_width = 2 : si32, operand_constraints = [#any, #any], original_height = 8 : si32, original_width = 7 : si32, padding_bottom = 0 : si32, padding_left = 0 : si32, padding_right = 0 : si32, padding_top = 0 : si32, stride_height = 2 : si32, stride_width = 2 : si32}> : (tensor<1x1x64x4xf32>, tensor<1x1x16x4xf32>) -> tensor<1x1x16x4xf32>
  return %1 : tensor<1x1x16x4xf32>
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
func.func @max_pool2d(%arg0: tensor<1x1x64x4xf32>) -> tensor<1x1x64x4xf32> {
  %0 = tensor.empty() : tensor<1x1x64x4xf32>
  // expected-error @+1 {{Output shape mismatch: expected 1x1x16x4, found 1x1x64x4}}
  %1 = "ttir.max_pool2d"(%arg0, %0) <{ceil_mode = false, dilation_height = 1 : si32, dilation_width = 1 : si32, kernel_height = 2 : si32, kernel_width = 2 : si32, operand_constraints = [#any, #any], original_height = 8 : si32, original_width = 8 : si32, padding_bottom = 0 : si32, padding_left = 0 : si32, padding_right = 0 : si32, padding_top = 0 : si32, stride_height = 2 : si32, stride_width = 2 : si32}> : (tensor<1x1x64x4xf32>, tensor<1x1x64x4xf32>) -> tensor<1x1x64x4xf32>
  return %1 : tensor<1x1x64x4xf32>
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
func.func @avg_pool2d(%arg0: tensor<8x8x4xf32>) -> tensor<1x4x4x4xf32> {
  %0 = tensor.empty() : tensor<1x4x4x4xf32>
  // expected-error @+1 {{Input tensor rank must be 4. Recieved input with rank 3. Shape: (8, 8, 4).}}
  %1 = "ttir.avg_pool2d"(%arg0, %0) <{ceil_mode = false, count_include_pad = true, dilation_height = 1 : si32, dilation_width = 1 : si32, kernel_height = 2 : si32, kernel_width = 2 : si32, operand_constraints = [#any, #any], padding_bottom = 0 : si32, padding_left = 0 : si32, padding_right = 0 : si32, padding_top = 0 : si32, stride_height = 2 : si32, stride_width = 2 : si32}> : (tensor<8x8x4xf32>, tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  return %1 : tensor<1x4x4x4xf32>
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
func.func @avg_pool2d(%arg0: tensor<1x8x8x4xf32>) -> tensor<1x4x4x4xf32> {
  %0 = tensor.empty() : tensor<1x4x4x4xf32>
  // expected-error @+1 {{However, only original_width was provided.}}
  %1 = "ttir.avg_pool2d"(%arg0, %0) <{ceil_mode = false, count_include_pad = true, dilation_height = 1 : si32, dilation_width = 1 : si32, kernel_height = 2 : si32, kernel_width = 2 : si32, operand_constraints = [#any, #any], original_width = 8 : si32, padding_bottom = 0 : si32, padding_left = 0 : si32, padding_right = 0 : si32, padding_top = 0 : si32, stride_height = 2 : si32, stride_width = 2 : si32}> : (tensor<1x8x8x4xf32>, tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  return %1 : tensor<1x4x4x4xf32>
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
func.func @avg_pool2d(%arg0: tensor<1x8x8x4xf32>) -> tensor<1x4x4x4xf32> {
  %0 = tensor.empty() : tensor<1x4x4x4xf32>
  // expected-error @+1 {{Kernel width 9 is greater than input width 8. This AvgPool2d configuration is invalid.}}
  %1 = "ttir.avg_pool2d"(%arg0, %0) <{ceil_mode = false, count_include_pad = true, dilation_height = 1 : si32, dilation_width = 1 : si32, kernel_height = 2 : si32, kernel_width = 9 : si32, operand_constraints = [#any, #any], padding_bottom = 0 : si32, padding_left = 0 : si32, padding_right = 0 : si32, padding_top = 0 : si32, stride_height = 2 : si32, stride_width = 2 : si32}> : (tensor<1x8x8x4xf32>, tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  return %1 : tensor<1x4x4x4xf32>
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
func.func @avg_pool2d(%arg0: tensor<1x8x8x4xf32>) -> tensor<1x4x4x4xf32> {
  %0 = tensor.empty() : tensor<1x4x4x4xf32>
  // expected-error @+1 {{kernel must be positive: found 0}}
  %1 = "ttir.avg_pool2d"(%arg0, %0) <{ceil_mode = false, count_include_pad = true, dilation_height = 1 : si32, dilation_width = 1 : si32, kernel_height = 2 : si32, kernel_width = 0 : si32, operand_constraints = [#any, #any], padding_bottom = 0 : si32, padding_left = 0 : si32, padding_right = 0 : si32, padding_top = 0 : si32, stride_height = 2 : si32, stride_width = 2 : si32}> : (tensor<1x8x8x4xf32>, tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  return %1 : tensor<1x4x4x4xf32>
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
func.func @avg_pool2d(%arg0: tensor<1x8x8x4xf32>) -> tensor<1x4x4x4xf32> {
  %0 = tensor.empty() : tensor<1x4x4x4xf32>
  // expected-error @+1 {{stride must be positive: found 0}}
  %1 = "ttir.avg_pool2d"(%arg0, %0) <{ceil_mode = false, count_include_pad = true, dilation_height = 1 : si32, dilation_width = 1 : si32, kernel_height = 2 : si32, kernel_width = 2 : si32, operand_constraints = [#any, #any], padding_bottom = 0 : si32, padding_left = 0 : si32, padding_right = 0 : si32, padding_top = 0 : si32, stride_height = 0 : si32, stride_width = 2 : si32}> : (tensor<1x8x8x4xf32>, tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  return %1 : tensor<1x4x4x4xf32>
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
func.func @avg_pool2d(%arg0: tensor<1x8x8x4xf32>) -> tensor<1x4x4x4xf32> {
  %0 = tensor.empty() : tensor<1x4x4x4xf32>
  // expected-error @+1 {{Output shape mismatch: expected 1x3x4x4, found 1x4x4x4}}
  %1 = "ttir.avg_pool2d"(%arg0, %0) <{ceil_mode = false, count_include_pad = true, dilation_height = 1 : si32, dilation_width = 1 : si32, kernel_height = 3 : si32, kernel_width = 2 : si32, operand_constraints = [#any, #any], padding_bottom = 0 : si32, padding_left = 0 : si32, padding_right = 0 : si32, padding_top = 0 : si32, stride_height = 2 : si32, stride_width = 2 : si32}> : (tensor<1x8x8x4xf32>, tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  return %1 : tensor<1x4x4x4xf32>
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
func.func @avg_pool2d(%arg0: tensor<1x8x8x4xf32>) -> tensor<1x3x4x4xf32> {
  %0 = tensor.empty() : tensor<1x3x4x4xf32>
  // expected-error @+1 {{Output shape mismatch: expected 1x4x4x4, found 1x3x4x4}}
  %1 = "ttir.avg_pool2d"(%arg0, %0) <{ceil_mode = true, count_include_pad = true, dilation_height = 1 : si32, dilation_width = 1 : si32, kernel_height = 3 : si32, kernel_width = 2 : si32, operand_constraints = [#any, #any], padding_bottom = 0 : si32, padding_left = 0 : si32, padding_right = 0 : si32, padding_top = 0 : si32, stride_height = 2 : si32, stride_width = 2 : si32}> : (tensor<1x8x8x4xf32>, tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
  return %1 : tensor<1x3x4x4xf32>
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
func.func @avg_pool2d(%arg0: tensor<1x1x64x4xf32>) -> tensor<1x1x16x4xf32> {
  %0 = tensor.empty() : tensor<1x1x16x4xf32>
  // expected-error @+1 {{original_height and original_width must divide the input's positions: found 8x7 for 1x1x64x4}}
  %1 = "ttir.avg_pool2d"(%arg0, %0) <{ceil_mode = false, count_include_pad = true, dilation_height = 1 : si32, dilation_width = 1 : si32, kernel_height = 2 : si32, kernel_width = 2 : si32, operand_constraints = [#any, #any], original_height = 8 : si32, original_width = 7 : si32, padding_bottom = 0 : si32, padding_left = 0 : si32, padding_right = 0 : si32, padding_top = 0 : si32, stride_height = 2 : si32, stride_width = 2 : si32}> : (tensor<1x1x64x4xf32>, tensor<1x1x16x4xf32>) -> tensor<1x1x16x4xf32>
  return %1 : tensor<1x1x16x4xf32>
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
func.func @avg_pool2d(%arg0: tensor<1x1x64x4xf32>) -> tensor<1x1x64x4xf32> {
  %0 = tensor.empty() : tensor<1x1x64x4xf32>
  // expected-error @+1 {{Output shape mismatch: expected 1x1x16x4, found 1x1x64x4}}
  %1 = "ttir.avg_pool2d"(%arg0, %0) <{ceil_mode = false, count_include_pad = true, dilation_height = 1 : si32, dilation_width = 1 : si32, kernel_height = 2 : si32, kernel_width = 2 : si32, operand_constraints = [#any, #any], original_height = 8 : si32, original_width = 8 : si32, padding_bottom = 0 : si32, padding_left = 0 : si32, padding_right = 0 : si32, padding_top = 0 : si32, stride_height = 2 : si32, stride_width = 2 : si32}> : (tensor<1x1x64x4xf32>, tensor<1x1x64x4xf32>) -> tensor<1x1x64x4xf32>
  return %1 : tensor<1x1x64x4xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @prepared(%arg0: tensor<1x9x9x4xf32>, %arg1: tensor<1x1x36x8xf32>) {
  %0 = tensor.empty() : tensor<1x7x7x8xf32>
  // expected-error @+1 {{kernel_size must have 2 positive entries: found array<i32: 3>}}
  %1 = "ttir.conv2d"(%arg0, %arg1, %0) <{dilation_height = 1 : si32, dilation_width = 1 : si32, groups = 1 : si32, kernel_size = array<i32: 3>, operand_constraints = [#any, #any, #any], padding_bottom = 0 : si32, padding_left = 0 : si32, padding_right = 0 : si32, padding_top = 0 : si32, stride_height = 1 : si32, stride_width = 1 : si32}> : (tensor<1x9x9x4xf32>, tensor<1x1x36x8xf32>, tensor<1x7x7x8xf32>) -> tensor<1x7x7x8xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @prepared(%arg0: tensor<1x9x9x4xf32>, %arg1: tensor<1x1x36x8xf32>) {
  %0 = tensor.empty() : tensor<1x7x7x8xf32>
  // expected-error @+1 {{kernel_size must have 2 positive entries: found array<i32: 3, 0>}}
  %1 = "ttir.conv2d"(%arg0, %arg1, %0) <{dilation_height = 1 : si32, dilation_width = 1 : si32, groups = 1 : si32, kernel_size = array<i32: 3, 0>, operand_constraints = [#any, #any, #any], padding_bottom = 0 : si32, padding_left = 0 : si32, padding_right = 0 : si32, padding_top = 0 : si32, stride_height = 1 : si32, stride_width = 1 : si32}> : (tensor<1x9x9x4xf32>, tensor<1x1x36x8xf32>, tensor<1x7x7x8xf32>) -> tensor<1x7x7x8xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @prepared(%arg0: tensor<1x9x9x4xf32>, %arg1: tensor<8x4x3x3xf32>) {
  %0 = tensor.empty() : tensor<1x7x7x8xf32>
  // expected-error @+1 {{Weight must be prepared for the kernel: expected 1x1xKxO with 3x3 places of 4 channels in 1 groups along K, found 8x4x3x3}}
  %1 = "ttir.conv2d"(%arg0, %arg1, %0) <{dilation_height = 1 : si32, dilation_width = 1 : si32, groups = 1 : si32, kernel_size = array<i32: 3, 3>, operand_constraints = [#any, #any, #any], padding_bottom = 0 : si32, padding_left = 0 : si32, padding_right = 0 : si32, padding_top = 0 : si32, stride_height = 1 : si32, stride_width = 1 : si32}> : (tensor<1x9x9x4xf32>, tensor<8x4x3x3xf32>, tensor<1x7x7x8xf32>) -> tensor<1x7x7x8xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @prepare(%arg0: tensor<8x4x9xf32>) {
  %0 = tensor.empty() : tensor<1x1x36x8xf32>
  // expected-error @+1 {{Weight must be a 4D tensor: found rank 3}}
  %1 = "ttir.prepare_conv2d_weights"(%arg0, %0) <{operand_constraints = [#any, #any]}> : (tensor<8x4x9xf32>, tensor<1x1x36x8xf32>) -> tensor<1x1x36x8xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @prepare(%arg0: tensor<8x4x3x3xf32>) {
  %0 = tensor.empty() : tensor<36x8xf32>
  // expected-error @+1 {{Output shape mismatch: expected 1x1x36x8, found 36x8}}
  %1 = "ttir.prepare_conv2d_weights"(%arg0, %0) <{operand_constraints = [#any, #any]}> : (tensor<8x4x3x3xf32>, tensor<36x8xf32>) -> tensor<36x8xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @unfold(%arg0: tensor<1x4x4x4xf32>) {
  %0 = tensor.empty() : tensor<9x16xf32>
  // expected-error @+1 {{Input must be a 3D tensor (N, H, W * C): found rank 4}}
  %1 = "ttir.unfold"(%arg0, %0) <{channels = 4 : i64, dilation = array<i32: 1, 1>, kernel = array<i32: 2, 2>, operand_constraints = [#any, #any], stride = array<i32: 1, 1>}> : (tensor<1x4x4x4xf32>, tensor<9x16xf32>) -> tensor<9x16xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @unfold(%arg0: tensor<1x4x16xf32>) {
  %0 = tensor.empty() : tensor<9x16xf32>
  // expected-error @+1 {{kernel must have 2 entries: found 1}}
  %1 = "ttir.unfold"(%arg0, %0) <{channels = 4 : i64, dilation = array<i32: 1, 1>, kernel = array<i32: 2>, operand_constraints = [#any, #any], stride = array<i32: 1, 1>}> : (tensor<1x4x16xf32>, tensor<9x16xf32>) -> tensor<9x16xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @unfold(%arg0: tensor<1x4x16xf32>) {
  %0 = tensor.empty() : tensor<9x16xf32>
  // expected-error @+1 {{stride must be positive: found 0}}
  %1 = "ttir.unfold"(%arg0, %0) <{channels = 4 : i64, dilation = array<i32: 1, 1>, kernel = array<i32: 2, 2>, operand_constraints = [#any, #any], stride = array<i32: 1, 0>}> : (tensor<1x4x16xf32>, tensor<9x16xf32>) -> tensor<9x16xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @unfold(%arg0: tensor<1x4x16xf32>) {
  %0 = tensor.empty() : tensor<9x16xf32>
  // expected-error @+1 {{channels must be positive: found 0}}
  %1 = "ttir.unfold"(%arg0, %0) <{channels = 0 : i64, dilation = array<i32: 1, 1>, kernel = array<i32: 2, 2>, operand_constraints = [#any, #any], stride = array<i32: 1, 1>}> : (tensor<1x4x16xf32>, tensor<9x16xf32>) -> tensor<9x16xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @unfold(%arg0: tensor<1x4x16xf32>) {
  %0 = tensor.empty() : tensor<9x16xf32>
  // expected-error @+1 {{channels must divide the rows of the images: found rows of 16 and 3 channels}}
  %1 = "ttir.unfold"(%arg0, %0) <{channels = 3 : i64, dilation = array<i32: 1, 1>, kernel = array<i32: 2, 2>, operand_constraints = [#any, #any], stride = array<i32: 1, 1>}> : (tensor<1x4x16xf32>, tensor<9x16xf32>) -> tensor<9x16xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @unfold(%arg0: tensor<1x4x16xf32>) {
  %0 = tensor.empty() : tensor<9x16xf32>
  // expected-error @+1 {{the window does not fit into the input 1x4x16: expected a positive output, found 3x0}}
  %1 = "ttir.unfold"(%arg0, %0) <{channels = 4 : i64, dilation = array<i32: 1, 4>, kernel = array<i32: 2, 2>, operand_constraints = [#any, #any], stride = array<i32: 1, 1>}> : (tensor<1x4x16xf32>, tensor<9x16xf32>) -> tensor<9x16xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @unfold(%arg0: tensor<1x4x12xf32>) {
  %0 = tensor.empty() : tensor<9x16xf32>
  // expected-error @+1 {{Output shape mismatch: expected 6x16, found 9x16}}
  %1 = "ttir.unfold"(%arg0, %0) <{channels = 4 : i64, dilation = array<i32: 1, 1>, kernel = array<i32: 2, 2>, operand_constraints = [#any, #any], stride = array<i32: 1, 1>}> : (tensor<1x4x12xf32>, tensor<9x16xf32>) -> tensor<9x16xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
func.func @upsample(%arg0: tensor<8x8x4xf32>) -> tensor<16x16x4xf32> {
  %0 = tensor.empty() : tensor<16x16x4xf32>
  // expected-error @+1 {{Input must be a 4D tensor: found rank 3}}
  %1 = "ttir.upsample"(%arg0, %0) <{mode = "nearest", operand_constraints = [#any, #any], scale_factor = array<i32: 2, 2>}> : (tensor<8x8x4xf32>, tensor<16x16x4xf32>) -> tensor<16x16x4xf32>
  return %1 : tensor<16x16x4xf32>
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
func.func @upsample(%arg0: tensor<1x8x8x4xf32>) -> tensor<1x16x16x4xf32> {
  %0 = tensor.empty() : tensor<1x16x16x4xf32>
  // expected-error @+1 {{scale_factor must be one number or two: found 3}}
  %1 = "ttir.upsample"(%arg0, %0) <{mode = "nearest", operand_constraints = [#any, #any], scale_factor = array<i32: 2, 2, 2>}> : (tensor<1x8x8x4xf32>, tensor<1x16x16x4xf32>) -> tensor<1x16x16x4xf32>
  return %1 : tensor<1x16x16x4xf32>
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
func.func @upsample(%arg0: tensor<1x8x8x4xf32>) -> tensor<1x16x16x4xf32> {
  %0 = tensor.empty() : tensor<1x16x16x4xf32>
  // expected-error @+1 {{scale_factor must be positive: found 0}}
  %1 = "ttir.upsample"(%arg0, %0) <{mode = "nearest", operand_constraints = [#any, #any], scale_factor = array<i32: 2, 0>}> : (tensor<1x8x8x4xf32>, tensor<1x16x16x4xf32>) -> tensor<1x16x16x4xf32>
  return %1 : tensor<1x16x16x4xf32>
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
func.func @upsample(%arg0: tensor<1x8x8x4xf32>) -> tensor<1x16x16x4xf32> {
  %0 = tensor.empty() : tensor<1x16x16x4xf32>
  // expected-error @+1 {{mode must be "nearest" or "bilinear": found "cubic"}}
  %1 = "ttir.upsample"(%arg0, %0) <{mode = "cubic", operand_constraints = [#any, #any], scale_factor = array<i32: 2, 2>}> : (tensor<1x8x8x4xf32>, tensor<1x16x16x4xf32>) -> tensor<1x16x16x4xf32>
  return %1 : tensor<1x16x16x4xf32>
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
func.func @upsample(%arg0: tensor<1x8x8x4xf32>) -> tensor<1x16x16x4xf32> {
  %0 = tensor.empty() : tensor<1x16x16x4xf32>
  // expected-error @+1 {{Output shape mismatch: expected 1x16x24x4, found 1x16x16x4}}
  %1 = "ttir.upsample"(%arg0, %0) <{mode = "nearest", operand_constraints = [#any, #any], scale_factor = array<i32: 2, 3>}> : (tensor<1x8x8x4xf32>, tensor<1x16x16x4xf32>) -> tensor<1x16x16x4xf32>
  return %1 : tensor<1x16x16x4xf32>
}
