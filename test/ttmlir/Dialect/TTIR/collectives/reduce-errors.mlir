// RUN: ttmlir-opt %s -split-input-file -verify-diagnostics
// Rules of ttir.reduce_scatter and ttir.all_reduce that their op alone can break.
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @reduce_scatter_c1(%a0: tensor<32x64xf32>) {
  %e0 = tensor.empty() : tensor<32x16xbf16>
  // expected-error @+1 {{input and output must have one element type: found 'f32' and 'bf16'}}
  %r = "ttir.reduce_scatter"(%a0, %e0) <{cluster_axis = 1 : ui32, operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any], reduce_type = #tt.reduce_type<sum>, scatter_dim = 1 : si32}> : (tensor<32x64xf32>, tensor<32x16xbf16>) -> tensor<32x16xbf16>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @reduce_scatter_c2_std(%a0: tensor<32x64xf32>) {
  %e0 = tensor.empty() : tensor<32x16xf32>
  // expected-error @+1 {{reduce_type is not supported: expected sum, mean, max or min, found std}}
  %r = "ttir.reduce_scatter"(%a0, %e0) <{cluster_axis = 1 : ui32, operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any], reduce_type = #tt.reduce_type<std>, scatter_dim = 1 : si32}> : (tensor<32x64xf32>, tensor<32x16xf32>) -> tensor<32x16xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @reduce_scatter_c2_var(%a0: tensor<32x64xf32>) {
  %e0 = tensor.empty() : tensor<32x16xf32>
  // expected-error @+1 {{reduce_type is not supported: expected sum, mean, max or min, found var}}
  %r = "ttir.reduce_scatter"(%a0, %e0) <{cluster_axis = 1 : ui32, operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any], reduce_type = #tt.reduce_type<var>, scatter_dim = 1 : si32}> : (tensor<32x64xf32>, tensor<32x16xf32>) -> tensor<32x16xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @reduce_scatter_c3(%a0: tensor<32x64xf32>) {
  %e0 = tensor.empty() : tensor<32x16xf32>
  // expected-error @+1 {{scatter_dim must be a dimension of the input: expected one in [-2, 2), found -3}}
  %r = "ttir.reduce_scatter"(%a0, %e0) <{cluster_axis = 1 : ui32, operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any], reduce_type = #tt.reduce_type<sum>, scatter_dim = -3 : si32}> : (tensor<32x64xf32>, tensor<32x16xf32>) -> tensor<32x16xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @reduce_scatter_c4(%a0: tensor<32x64xf32>) {
  %e0 = tensor.empty() : tensor<32x24xf32>
  // expected-error @+1 {{Output shape mismatch: expected a divisor of the input's extent 64 in dimension 1, found 32x24}}
  %r = "ttir.reduce_scatter"(%a0, %e0) <{cluster_axis = 1 : ui32, operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any], reduce_type = #tt.reduce_type<sum>, scatter_dim = 1 : si32}> : (tensor<32x64xf32>, tensor<32x24xf32>) -> tensor<32x24xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @all_reduce_c1(%a0: tensor<32x64xf32>) {
  %e0 = tensor.empty() : tensor<1x32x64xf32>
  // expected-error @+1 {{input and output must have one rank: found 2 and 3}}
  %r = "ttir.all_reduce"(%a0, %e0) <{cluster_axis = 1 : ui32, operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any], reduce_type = #tt.reduce_type<sum>}> : (tensor<32x64xf32>, tensor<1x32x64xf32>) -> tensor<1x32x64xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @all_reduce_c2(%a0: tensor<32x64xf32>) {
  %e0 = tensor.empty() : tensor<32x64xf32>
  // expected-error @+1 {{reduce_type is not supported: expected sum, mean, max or min, found var}}
  %r = "ttir.all_reduce"(%a0, %e0) <{cluster_axis = 1 : ui32, operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any], reduce_type = #tt.reduce_type<var>}> : (tensor<32x64xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @all_reduce_c3(%a0: tensor<32x64xf32>) {
  %e0 = tensor.empty() : tensor<32x32xf32>
  // expected-error @+1 {{Output shape mismatch: expected 32x64, found 32x32}}
  %r = "ttir.all_reduce"(%a0, %e0) <{cluster_axis = 1 : ui32, operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any], reduce_type = #tt.reduce_type<sum>}> : (tensor<32x64xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @all_reduce_c2_mean(%a0: tensor<32x64xi32>) {
  %e0 = tensor.empty() : tensor<32x64xi32>
  // expected-error @+1 {{expected a floating-point tensor for a mean, found 'i32'}}
  %r = "ttir.all_reduce"(%a0, %e0) <{cluster_axis = 1 : ui32, operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any], reduce_type = #tt.reduce_type<mean>}> : (tensor<32x64xi32>, tensor<32x64xi32>) -> tensor<32x64xi32>
  return
}
