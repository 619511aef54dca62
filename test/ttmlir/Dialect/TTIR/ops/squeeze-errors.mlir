// RUN: ttmlir-opt %s -split-input-file -verify-diagnostics
// One case for each rule of ttir.squeeze and ttir.unsqueeze.
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @squeeze_dim(%a: tensor<1x64xf32>) {
  %0 = tensor.empty() : tensor<64xf32>
  // expected-error @+1 {{Invalid dimension 2 for squeezing.}}
  %1 = "ttir.squeeze"(%a, %0) <{dim = 2 : si32, operand_constraints = [#any, #any]}> : (tensor<1x64xf32>, tensor<64xf32>) -> tensor<64xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @squeeze_extent(%a: tensor<1x64xf32>) {
  %0 = tensor.empty() : tensor<1xf32>
  // expected-error @+1 {{Dimension 1 in the input tensor must be 1.}}
  %1 = "ttir.squeeze"(%a, %0) <{dim = 1 : si32, operand_constraints = [#any, #any]}> : (tensor<1x64xf32>, tensor<1xf32>) -> tensor<1xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @squeeze_rank(%a: tensor<1x64x2xf32>) {
  %0 = tensor.empty() : tensor<128xf32>
  // expected-error @+1 {{Output tensor rank must be one less than the input tensor rank.}}
  %1 = "ttir.squeeze"(%a, %0) <{dim = 0 : si32, operand_constraints = [#any, #any]}> : (tensor<1x64x2xf32>, tensor<128xf32>) -> tensor<128xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @squeeze_shape(%a: tensor<1x64x2xf32>) {
  %0 = tensor.empty() : tensor<2x64xf32>
  // expected-error @+1 {{Dimensions of the output tensor must be the same as the input tensor except for dimension 0.}}
  %1 = "ttir.squeeze"(%a, %0) <{dim = 0 : si32, operand_constraints = [#any, #any]}> : (tensor<1x64x2xf32>, tensor<2x64xf32>) -> tensor<2x64xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @unsqueeze_dim(%a: tensor<64x2xf32>) {
  %0 = tensor.empty() : tensor<64x2x1xf32>
  // expected-error @+1 {{Dimension attribute must be within the bounds of the input tensor}}
  %1 = "ttir.unsqueeze"(%a, %0) <{dim = 3 : si32, operand_constraints = [#any, #any]}> : (tensor<64x2xf32>, tensor<64x2x1xf32>) -> tensor<64x2x1xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @unsqueeze_rank(%a: tensor<64x2xf32>) {
  %0 = tensor.empty() : tensor<64x2xf32>
  // expected-error @+1 {{Output tensor must have one more dimension than the input tensor}}
  %1 = "ttir.unsqueeze"(%a, %0) <{dim = 0 : si32, operand_constraints = [#any, #any]}> : (tensor<64x2xf32>, tensor<64x2xf32>) -> tensor<64x2xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @unsqueeze_extent(%a: tensor<64x2xf32>) {
  %0 = tensor.empty() : tensor<64x2x1xf32>
  // expected-error @+1 {{Dimension added must be of size 1}}
  %1 = "ttir.unsqueeze"(%a, %0) <{dim = 0 : si32, operand_constraints = [#any, #any]}> : (tensor<64x2xf32>, tensor<64x2x1xf32>) -> tensor<64x2x1xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @unsqueeze_shape(%a: tensor<64x2xf32>) {
  %0 = tensor.empty() : tensor<1x2x64xf32>
  // expected-error @+1 {{All dimensions of the input tensor must be the same as the output tensor except for the dimension added}}
  %1 = "ttir.unsqueeze"(%a, %0) <{dim = 0 : si32, operand_constraints = [#any, #any]}> : (tensor<64x2xf32>, tensor<1x2x64xf32>) -> tensor<1x2x64xf32>
  return
}
