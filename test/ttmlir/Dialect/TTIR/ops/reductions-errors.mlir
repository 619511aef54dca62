// RUN: ttmlir-opt %s -split-input-file -verify-diagnostics
// One case for each rule of the reductions.
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @bounds(%a: tensor<64x128xf32>) {
  %0 = tensor.empty() : tensor<64x1xf32>
  // expected-error @+1 {{'ttir.sum' op Reduction dimension is out of bounds: expected a dimension in [-2, 2), found 2}}
  %1 = "ttir.sum"(%a, %0) <{dim_arg = [2 : i32], keep_dim = true, operand_constraints = [#any, #any]}> : (tensor<64x128xf32>, tensor<64x1xf32>) -> tensor<64x1xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @twice(%a: tensor<64x128xf32>) {
  %0 = tensor.empty() : tensor<64x1xf32>
  // expected-error @+1 {{'ttir.mean' op Reduction dimensions must be distinct: found -1 twice}}
  %1 = "ttir.mean"(%a, %0) <{dim_arg = [1 : i32, -1 : i32], keep_dim = true, operand_constraints = [#any, #any]}> : (tensor<64x128xf32>, tensor<64x1xf32>) -> tensor<64x1xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @shape(%a: tensor<64x128xf32>) {
  %0 = tensor.empty() : tensor<64x2xf32>
  // expected-error @+1 {{'ttir.max' op Output shape must be the reduced shape of the input (64x128): expected 64x1, found 64x2}}
  %1 = "ttir.max"(%a, %0) <{dim_arg = [1 : i32], keep_dim = true, operand_constraints = [#any, #any]}> : (tensor<64x128xf32>, tensor<64x2xf32>) -> tensor<64x2xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @shape_drop(%a: tensor<64x128xf32>) {
  %0 = tensor.empty() : tensor<32xf32>
  // expected-error @+1 {{expected 64, found 32}}
  %1 = "ttir.max"(%a, %0) <{dim_arg = [1 : i32], keep_dim = false, operand_constraints = [#any, #any]}> : (tensor<64x128xf32>, tensor<32xf32>) -> tensor<32xf32>
  return
}
