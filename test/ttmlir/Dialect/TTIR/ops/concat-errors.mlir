// RUN: ttmlir-opt %s -split-input-file -verify-diagnostics
// One case for each rule of ttir.concat.
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @concat_none() {
  %0 = tensor.empty() : tensor<32x96xf32>
  // expected-error @+1 {{expected at least one input tensor, found none}}
  %1 = "ttir.concat"(%0) <{dim = 0 : si32, operand_constraints = [#any]}> : (tensor<32x96xf32>) -> tensor<32x96xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @concat_dim(%a: tensor<32x32xf32>, %b: tensor<32x64xf32>) {
  %0 = tensor.empty() : tensor<32x96xf32>
  // expected-error @+1 {{Invalid dimension 2 for concatenation.}}
  %1 = "ttir.concat"(%a, %b, %0) <{dim = 2 : si32, operand_constraints = [#any, #any, #any]}> : (tensor<32x32xf32>, tensor<32x64xf32>, tensor<32x96xf32>) -> tensor<32x96xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @concat_ranks(%a: tensor<32x32xf32>, %b: tensor<1x32x64xf32>) {
  %0 = tensor.empty() : tensor<32x96xf32>
  // expected-error @+1 {{All input tensors must have the same rank.}}
  %1 = "ttir.concat"(%a, %b, %0) <{dim = 1 : si32, operand_constraints = [#any, #any, #any]}> : (tensor<32x32xf32>, tensor<1x32x64xf32>, tensor<32x96xf32>) -> tensor<32x96xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @concat_shapes(%a: tensor<32x32xf32>, %b: tensor<64x64xf32>) {
  %0 = tensor.empty() : tensor<32x96xf32>
  // expected-error @+1 {{All input tensors must have the same dimensions, except for dimension 1.}}
  %1 = "ttir.concat"(%a, %b, %0) <{dim = 1 : si32, operand_constraints = [#any, #any, #any]}> : (tensor<32x32xf32>, tensor<64x64xf32>, tensor<32x96xf32>) -> tensor<32x96xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @concat_out(%a: tensor<32x32xf32>, %b: tensor<32x64xf32>) {
  %0 = tensor.empty() : tensor<32x64xf32>
  // expected-error @+1 {{Output tensor must have the concatenated shape: expected 32x96, found 32x64}}
  %1 = "ttir.concat"(%a, %b, %0) <{dim = 1 : si32, operand_constraints = [#any, #any, #any]}> : (tensor<32x32xf32>, tensor<32x64xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
  return
}
