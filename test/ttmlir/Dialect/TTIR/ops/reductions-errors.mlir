// RUN: ttmlir-opt %s -split-input-file -verify-diagnostics
// Rules of reductions, of each of them.
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
func.func @sum(%arg0: tensor<8x9xf32>) -> tensor<8x1xf32> {
  %0 = tensor.empty() : tensor<8x1xf32>
  // expected-error @+1 {{Reduction dimension is out of bounds: expected a dimension in [-2, 2), found 2}}
  %1 = "ttir.sum"(%arg0, %0) <{dim_arg = [2 : i32], keep_dim = true, operand_constraints = [#any, #any]}> : (tensor<8x9xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  return %1 : tensor<8x1xf32>
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
func.func @sum(%arg0: tensor<8x9xf32>) -> tensor<8x1xf32> {
  %0 = tensor.empty() : tensor<8x1xf32>
  // expected-error @+1 {{Reduction dimensions must be distinct: found -1 twice}}
  %1 = "ttir.sum"(%arg0, %0) <{dim_arg = [1 : i32, -1 : i32], keep_dim = true, operand_constraints = [#any, #any]}> : (tensor<8x9xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  return %1 : tensor<8x1xf32>
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
func.func @sum(%arg0: tensor<8x9xf32>) -> tensor<9x1xf32> {
  %0 = tensor.empty() : tensor<9x1xf32>
  // expected-error @+1 {{Output shape must be the reduced shape of the input (8x9): expected 8x1, found 9x1}}
  %1 = "ttir.sum"(%arg0, %0) <{dim_arg = [1 : i32], keep_dim = true, operand_constraints = [#any, #any]}> : (tensor<8x9xf32>, tensor<9x1xf32>) -> tensor<9x1xf32>
  return %1 : tensor<9x1xf32>
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
func.func @mean(%arg0: tensor<8x9xf32>) -> tensor<8x1xf32> {
  %0 = tensor.empty() : tensor<8x1xf32>
  // expected-error @+1 {{Reduction dimension is out of bounds: expected a dimension in [-2, 2), found 2}}
  %1 = "ttir.mean"(%arg0, %0) <{dim_arg = [2 : i32], keep_dim = true, operand_constraints = [#any, #any]}> : (tensor<8x9xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  return %1 : tensor<8x1xf32>
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
func.func @mean(%arg0: tensor<8x9xf32>) -> tensor<8x1xf32> {
  %0 = tensor.empty() : tensor<8x1xf32>
  // expected-error @+1 {{Reduction dimensions must be distinct: found -1 twice}}
  %1 = "ttir.mean"(%arg0, %0) <{dim_arg = [1 : i32, -1 : i32], keep_dim = true, operand_constraints = [#any, #any]}> : (tensor<8x9xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  return %1 : tensor<8x1xf32>
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
func.func @mean(%arg0: tensor<8x9xf32>) -> tensor<9x1xf32> {
  %0 = tensor.empty() : tensor<9x1xf32>
  // expected-error @+1 {{Output shape must be the reduced shape of the input (8x9): expected 8x1, found 9x1}}
  %1 = "ttir.mean"(%arg0, %0) <{dim_arg = [1 : i32], keep_dim = true, operand_constraints = [#any, #any]}> : (tensor<8x9xf32>, tensor<9x1xf32>) -> tensor<9x1xf32>
  return %1 : tensor<9x1xf32>
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
func.func @max(%arg0: tensor<8x9xf32>) -> tensor<8x1xf32> {
  %0 = tensor.empty() : tensor<8x1xf32>
  // expected-error @+1 {{Reduction dimension is out of bounds: expected a dimension in [-2, 2), found 2}}
  %1 = "ttir.max"(%arg0, %0) <{dim_arg = [2 : i32], keep_dim = true, operand_constraints = [#any, #any]}> : (tensor<8x9xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  return %1 : tensor<8x1xf32>
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
func.func @max(%arg0: tensor<8x9xf32>) -> tensor<8x1xf32> {
  %0 = tensor.empty() : tensor<8x1xf32>
  // expected-error @+1 {{Reduction dimensions must be distinct: found -1 twice}}
  %1 = "ttir.max"(%arg0, %0) <{dim_arg = [1 : i32, -1 : i32], keep_dim = true, operand_constraints = [#any, #any]}> : (tensor<8x9xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  return %1 : tensor<8x1xf32>
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
func.func @max(%arg0: tensor<8x9xf32>) -> tensor<9x1xf32> {
  %0 = tensor.empty() : tensor<9x1xf32>
  // expected-error @+1 {{Output shape must be the reduced shape of the input (8x9): expected 8x1, found 9x1}}
  %1 = "ttir.max"(%arg0, %0) <{dim_arg = [1 : i32], keep_dim = true, operand_constraints = [#any, #any]}> : (tensor<8x9xf32>, tensor<9x1xf32>) -> tensor<9x1xf32>
  return %1 : tensor<9x1xf32>
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
func.func @min(%arg0: tensor<8x9xf32>) -> tensor<8x1xf32> {
  %0 = tensor.empty() : tensor<8x1xf32>
  // expected-error @+1 {{Reduction dimension is out of bounds: expected a dimension in [-2, 2), found 2}}
  %1 = "ttir.min"(%arg0, %0) <{dim_arg = [2 : i32], keep_dim = true, operand_constraints = [#any, #any]}> : (tensor<8x9xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  return %1 : tensor<8x1xf32>
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
func.func @min(%arg0: tensor<8x9xf32>) -> tensor<8x1xf32> {
  %0 = tensor.empty() : tensor<8x1xf32>
  // expected-error @+1 {{Reduction dimensions must be distinct: found -1 twice}}
  %1 = "ttir.min"(%arg0, %0) <{dim_arg = [1 : i32, -1 : i32], keep_dim = true, operand_constraints = [#any, #any]}> : (tensor<8x9xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  return %1 : tensor<8x1xf32>
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
func.func @min(%arg0: tensor<8x9xf32>) -> tensor<9x1xf32> {
  %0 = tensor.empty() : tensor<9x1xf32>
  // expected-error @+1 {{Output shape must be the reduced shape of the input (8x9): expected 8x1, found 9x1}}
  %1 = "ttir.min"(%arg0, %0) <{dim_arg = [1 : i32], keep_dim = true, operand_constraints = [#any, #any]}> : (tensor<8x9xf32>, tensor<9x1xf32>) -> tensor<9x1xf32>
  return %1 : tensor<9x1xf32>
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
func.func @prod(%arg0: tensor<8x9xf32>) -> tensor<8x1xf32> {
  %0 = tensor.empty() : tensor<8x1xf32>
  // expected-error @+1 {{Reduction dimension is out of bounds: expected a dimension in [-2, 2), found 2}}
  %1 = "ttir.prod"(%arg0, %0) <{dim_arg = [2 : i32], keep_dim = true, operand_constraints = [#any, #any]}> : (tensor<8x9xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  return %1 : tensor<8x1xf32>
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
func.func @prod(%arg0: tensor<8x9xf32>) -> tensor<8x1xf32> {
  %0 = tensor.empty() : tensor<8x1xf32>
  // expected-error @+1 {{Reduction dimensions must be distinct: found -1 twice}}
  %1 = "ttir.prod"(%arg0, %0) <{dim_arg = [1 : i32, -1 : i32], keep_dim = true, operand_constraints = [#any, #any]}> : (tensor<8x9xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  return %1 : tensor<8x1xf32>
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
func.func @prod(%arg0: tensor<8x9xf32>) -> tensor<9x1xf32> {
  %0 = tensor.empty() : tensor<9x1xf32>
  // expected-error @+1 {{Output shape must be the reduced shape of the input (8x9): expected 8x1, found 9x1}}
  %1 = "ttir.prod"(%arg0, %0) <{dim_arg = [1 : i32], keep_dim = true, operand_constraints = [#any, #any]}> : (tensor<8x9xf32>, tensor<9x1xf32>) -> tensor<9x1xf32>
  return %1 : tensor<9x1xf32>
}
