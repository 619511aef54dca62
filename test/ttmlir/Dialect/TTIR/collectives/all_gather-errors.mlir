// RUN: ttmlir-opt %s -split-input-file -verify-diagnostics
// A case for each rule of ttir.all_gather that its op alone can break.
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @c1_outputs(%a0: tensor<32x64xf32>, %a1: tensor<32x64xf32>) {
  %e0 = tensor.empty() : tensor<32x256xf32>
  // expected-error @+1 {{expected one output for each input, and at least one: found 2 inputs and 1 outputs}}
  %r = "ttir.all_gather"(%a0, %a1, %e0) <{all_gather_dim = 1 : si32, cluster_axis = 1 : ui32, operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<32x64xf32>, tensor<32x64xf32>, tensor<32x256xf32>) -> tensor<32x256xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @c1_none() {
  // expected-error @+1 {{expected one output for each input, and at least one: found 0 inputs and 0 outputs}}
  "ttir.all_gather"() <{all_gather_dim = 1 : si32, cluster_axis = 1 : ui32, operandSegmentSizes = array<i32: 0, 0>, operand_constraints = []}> : () -> ()
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @c1_elements(%a0: tensor<32x64xf32>) {
  %e0 = tensor.empty() : tensor<32x256xbf16>
  // expected-error @+1 {{input and output must have one element type: found 'f32' and 'bf16'}}
  %r = "ttir.all_gather"(%a0, %e0) <{all_gather_dim = 1 : si32, cluster_axis = 1 : ui32, operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<32x64xf32>, tensor<32x256xbf16>) -> tensor<32x256xbf16>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @c1_rank(%a0: tensor<32x64xf32>) {
  %e0 = tensor.empty() : tensor<1x32x256xf32>
  // expected-error @+1 {{input and output must have one rank: found 2 and 3}}
  %r = "ttir.all_gather"(%a0, %e0) <{all_gather_dim = 1 : si32, cluster_axis = 1 : ui32, operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<32x64xf32>, tensor<1x32x256xf32>) -> tensor<1x32x256xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @c2_dim(%a0: tensor<32x64xf32>) {
  %e0 = tensor.empty() : tensor<32x256xf32>
  // expected-error @+1 {{all_gather_dim must be a dimension of the input: expected one in [-2, 2), found 2}}
  %r = "ttir.all_gather"(%a0, %e0) <{all_gather_dim = 2 : si32, cluster_axis = 1 : ui32, operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<32x64xf32>, tensor<32x256xf32>) -> tensor<32x256xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @c2_negative(%a0: tensor<32x64xf32>) {
  %e0 = tensor.empty() : tensor<32x256xf32>
  // expected-error @+1 {{all_gather_dim must be a dimension of the input: expected one in [-2, 2), found -3}}
  %r = "ttir.all_gather"(%a0, %e0) <{all_gather_dim = -3 : si32, cluster_axis = 1 : ui32, operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<32x64xf32>, tensor<32x256xf32>) -> tensor<32x256xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @c3_multiple(%a0: tensor<32x64xf32>) {
  %e0 = tensor.empty() : tensor<32x100xf32>
  // expected-error @+1 {{Output shape mismatch: expected a multiple of the input's extent 64 in dimension 1, found 32x100}}
  %r = "ttir.all_gather"(%a0, %e0) <{all_gather_dim = 1 : si32, cluster_axis = 1 : ui32, operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<32x64xf32>, tensor<32x100xf32>) -> tensor<32x100xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @c3_other_dim(%a0: tensor<32x64xf32>) {
  %e0 = tensor.empty() : tensor<64x256xf32>
  // expected-error @+1 {{Output shape mismatch: expected the input's extent 32 in dimension 0, found 64x256}}
  %r = "ttir.all_gather"(%a0, %e0) <{all_gather_dim = 1 : si32, cluster_axis = 1 : ui32, operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<32x64xf32>, tensor<64x256xf32>) -> tensor<64x256xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @c3_second(%a0: tensor<32x64xf32>, %a1: tensor<32x64xf32>) {
  %e0 = tensor.empty() : tensor<32x256xf32>
  %e1 = tensor.empty() : tensor<32x100xf32>
  // expected-error @+1 {{Output shape mismatch: expected a multiple of the input's extent 64 in dimension 1, found 32x100}}
  %r:2 = "ttir.all_gather"(%a0, %a1, %e0, %e1) <{all_gather_dim = 1 : si32, cluster_axis = 1 : ui32, operandSegmentSizes = array<i32: 2, 2>, operand_constraints = [#any, #any, #any, #any]}> : (tensor<32x64xf32>, tensor<32x64xf32>, tensor<32x256xf32>, tensor<32x100xf32>) -> (tensor<32x256xf32>, tensor<32x100xf32>)
  return
}
