// RUN: ttmlir-opt %s -split-input-file -verify-diagnostics
// Rules of orders, scatters, slices at computed places, and random numbers.
#any = #tt.operand_constraint<any_device>
func.func @cumprod(%a0: tensor<4x8xf32>) {
  %o0 = tensor.empty() : tensor<4x8xf32>
  // expected-error @below {{expected a dimension in [-2, 2), found 2}}
  %r = "ttir.cumprod"(%a0, %o0) <{dim = 2 : i64, operand_constraints = [#any, #any]}> : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @cumprod(%a0: tensor<4x8xf32>) {
  %o0 = tensor.empty() : tensor<8x4xf32>
  // expected-error @below {{Output shape mismatch: expected 4x8}}
  %r = "ttir.cumprod"(%a0, %o0) <{dim = 1 : i64, operand_constraints = [#any, #any]}> : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @cummax(%a0: tensor<4x8xf32>) {
  %o0 = tensor.empty() : tensor<4x8xf32>
  // expected-error @below {{expected a dimension in [-2, 2), found 2}}
  %r = "ttir.cummax"(%a0, %o0) <{dim = 2 : i64, operand_constraints = [#any, #any]}> : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @cummax(%a0: tensor<4x8xf32>) {
  %o0 = tensor.empty() : tensor<8x4xf32>
  // expected-error @below {{Output shape mismatch: expected 4x8}}
  %r = "ttir.cummax"(%a0, %o0) <{dim = 1 : i64, operand_constraints = [#any, #any]}> : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @cummin(%a0: tensor<4x8xf32>) {
  %o0 = tensor.empty() : tensor<4x8xf32>
  // expected-error @below {{expected a dimension in [-2, 2), found 2}}
  %r = "ttir.cummin"(%a0, %o0) <{dim = 2 : i64, operand_constraints = [#any, #any]}> : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @cummin(%a0: tensor<4x8xf32>) {
  %o0 = tensor.empty() : tensor<8x4xf32>
  // expected-error @below {{Output shape mismatch: expected 4x8}}
  %r = "ttir.cummin"(%a0, %o0) <{dim = 1 : i64, operand_constraints = [#any, #any]}> : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @argsort(%a0: tensor<4x8xf32>) {
  %o0 = tensor.empty() : tensor<4x8xi32>
  // expected-error @below {{expected a dimension in [-2, 2), found 2}}
  %r = "ttir.argsort"(%a0, %o0) <{descending = false, dim = 2 : i64, operand_constraints = [#any, #any]}> : (tensor<4x8xf32>, tensor<4x8xi32>) -> tensor<4x8xi32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @argsort(%a0: tensor<4x8xf32>) {
  %o0 = tensor.empty() : tensor<4x8xf32>
  // expected-error @below {{Output must have elements of an integer of 16 bits at least: found 'f32'}}
  %r = "ttir.argsort"(%a0, %o0) <{descending = false, dim = 1 : i64, operand_constraints = [#any, #any]}> : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @argsort(%a0: tensor<4x8xf32>) {
  %o0 = tensor.empty() : tensor<4x8xi8>
  // expected-error @below {{Output must have elements of an integer of 16 bits at least: found 'i8'}}
  %r = "ttir.argsort"(%a0, %o0) <{descending = false, dim = 1 : i64, operand_constraints = [#any, #any]}> : (tensor<4x8xf32>, tensor<4x8xi8>) -> tensor<4x8xi8>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @argsort(%a0: tensor<4x8xf32>) {
  %o0 = tensor.empty() : tensor<8x4xi32>
  // expected-error @below {{Output shape mismatch: expected 4x8}}
  %r = "ttir.argsort"(%a0, %o0) <{descending = false, dim = 1 : i64, operand_constraints = [#any, #any]}> : (tensor<4x8xf32>, tensor<8x4xi32>) -> tensor<8x4xi32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @scatter_rows(%a0: tensor<4x8xf32>, %a1: tensor<2xi32>, %a2: tensor<2x7xf32>) {
  %o0 = tensor.empty() : tensor<4x8xf32>
  // expected-error @below {{updates must have rows of the input's length: expected 8, found 7}}
  %r = "ttir.scatter_rows"(%a0, %a1, %a2, %o0) <{operand_constraints = [#any, #any, #any, #any], reduce_type = #tt.reduce_type<sum>}> : (tensor<4x8xf32>, tensor<2xi32>, tensor<2x7xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @scatter_rows(%a0: tensor<4xf32>, %a1: tensor<2xi32>, %a2: tensor<2x8xf32>) {
  %o0 = tensor.empty() : tensor<4xf32>
  // expected-error @below {{input must have rank 2: found 1}}
  %r = "ttir.scatter_rows"(%a0, %a1, %a2, %o0) <{operand_constraints = [#any, #any, #any, #any], reduce_type = #tt.reduce_type<sum>}> : (tensor<4xf32>, tensor<2xi32>, tensor<2x8xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @scatter_rows(%a0: tensor<4x8xf32>, %a1: tensor<3xi32>, %a2: tensor<2x8xf32>) {
  %o0 = tensor.empty() : tensor<4x8xf32>
  // expected-error @below {{indices must have an element for each update: expected 2, found 3}}
  %r = "ttir.scatter_rows"(%a0, %a1, %a2, %o0) <{operand_constraints = [#any, #any, #any, #any], reduce_type = #tt.reduce_type<sum>}> : (tensor<4x8xf32>, tensor<3xi32>, tensor<2x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @scatter_rows(%a0: tensor<4x8xf32>, %a1: tensor<2xf32>, %a2: tensor<2x8xf32>) {
  %o0 = tensor.empty() : tensor<4x8xf32>
  // expected-error @below {{indices must have integer elements: found 'f32'}}
  %r = "ttir.scatter_rows"(%a0, %a1, %a2, %o0) <{operand_constraints = [#any, #any, #any, #any], reduce_type = #tt.reduce_type<sum>}> : (tensor<4x8xf32>, tensor<2xf32>, tensor<2x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @scatter_rows(%a0: tensor<4x8xf32>, %a1: tensor<2xi32>, %a2: tensor<2x8xf32>) {
  %o0 = tensor.empty() : tensor<4x8xf32>
  // expected-error @below {{reduce_type is not supported: expected sum, prod, max, min or invalid, found mean}}
  %r = "ttir.scatter_rows"(%a0, %a1, %a2, %o0) <{operand_constraints = [#any, #any, #any, #any], reduce_type = #tt.reduce_type<mean>}> : (tensor<4x8xf32>, tensor<2xi32>, tensor<2x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @scatter_rows(%a0: tensor<4x8xf32>, %a1: tensor<2xi32>, %a2: tensor<2x8xf32>) {
  %o0 = tensor.empty() : tensor<5x8xf32>
  // expected-error @below {{Output shape mismatch: expected 4x8}}
  %r = "ttir.scatter_rows"(%a0, %a1, %a2, %o0) <{operand_constraints = [#any, #any, #any, #any], reduce_type = #tt.reduce_type<max>}> : (tensor<4x8xf32>, tensor<2xi32>, tensor<2x8xf32>, tensor<5x8xf32>) -> tensor<5x8xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @previous_equal(%a0: tensor<2x2xi32>) {
  %o0 = tensor.empty() : tensor<2x2xi32>
  // expected-error @below {{input must have rank 1: found 2}}
  %r = "ttir.previous_equal"(%a0, %o0) <{limit = 4 : i64, operand_constraints = [#any, #any]}> : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @previous_equal(%a0: tensor<4xi32>) {
  %o0 = tensor.empty() : tensor<4xi32>
  // expected-error @below {{limit must be positive: found 0}}
  %r = "ttir.previous_equal"(%a0, %o0) <{limit = 0 : i64, operand_constraints = [#any, #any]}> : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @previous_equal(%a0: tensor<4xi32>) {
  %o0 = tensor.empty() : tensor<4xf32>
  // expected-error @below {{Output must have elements of an integer of 16 bits at least: found 'f32'}}
  %r = "ttir.previous_equal"(%a0, %o0) <{limit = 4 : i64, operand_constraints = [#any, #any]}> : (tensor<4xi32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @bitcast_convert(%a0: tensor<4x3xbf16>) {
  %o0 = tensor.empty() : tensor<4xf32>
  // expected-error @below {{expected an innermost dimension of the elements that make one of 32 bits: found 4x3 of 16 bits}}
  %r = "ttir.bitcast_convert"(%a0, %o0) <{operand_constraints = [#any, #any]}> : (tensor<4x3xbf16>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @bitcast_convert(%a0: tensor<4xf32>) {
  %o0 = tensor.empty() : tensor<4xbf16>
  // expected-error @below {{Output shape mismatch: expected 4x2}}
  %r = "ttir.bitcast_convert"(%a0, %o0) <{operand_constraints = [#any, #any]}> : (tensor<4xf32>, tensor<4xbf16>) -> tensor<4xbf16>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @sort(%a0: tensor<4x8xf32>, %a1: tensor<4x7xf32>) {
  %o0 = tensor.empty() : tensor<4x8xf32>
  %o1 = tensor.empty() : tensor<4x7xf32>
  %o2 = tensor.empty() : tensor<4x8xi32>
  // expected-error @below {{expected inputs of one shape, found 4x8 and 4x7}}
  %r:3 = "ttir.sort"(%a0, %a1, %o0, %o1, %o2) <{descending = false, dim = -1 : si32, num_keys = 1 : i32, operandSegmentSizes = array<i32: 2, 3>, operand_constraints = [#any, #any, #any, #any, #any], stable = true}> : (tensor<4x8xf32>, tensor<4x7xf32>, tensor<4x8xf32>, tensor<4x7xf32>, tensor<4x8xi32>) -> (tensor<4x8xf32>, tensor<4x7xf32>, tensor<4x8xi32>)
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @sort(%a0: tensor<4x8xf32>) {
  %o0 = tensor.empty() : tensor<4x8xf32>
  %o1 = tensor.empty() : tensor<4x8xi32>
  // expected-error @below {{expected a dimension in [-2, 2), found 2}}
  %r:2 = "ttir.sort"(%a0, %o0, %o1) <{descending = false, dim = 2 : si32, num_keys = 1 : i32, operandSegmentSizes = array<i32: 1, 2>, operand_constraints = [#any, #any, #any], stable = true}> : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xi32>) -> (tensor<4x8xf32>, tensor<4x8xi32>)
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @sort(%a0: tensor<4x8xf32>) {
  %o0 = tensor.empty() : tensor<4x8xf32>
  %o1 = tensor.empty() : tensor<4x8xi32>
  // expected-error @below {{num_keys must be between 1 and 1: found 2}}
  %r:2 = "ttir.sort"(%a0, %o0, %o1) <{descending = false, dim = -1 : si32, num_keys = 2 : i32, operandSegmentSizes = array<i32: 1, 2>, operand_constraints = [#any, #any, #any], stable = true}> : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xi32>) -> (tensor<4x8xf32>, tensor<4x8xi32>)
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @sort(%a0: tensor<4x8xf32>) {
  %o0 = tensor.empty() : tensor<4x8xf32>
  // expected-error @below {{expected 2 results, found 1}}
  %r = "ttir.sort"(%a0, %o0) <{descending = false, dim = -1 : si32, num_keys = 1 : i32, operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any], stable = true}> : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @sort(%a0: tensor<4x8xf32>) {
  %o0 = tensor.empty() : tensor<4x8xf32>
  %o1 = tensor.empty() : tensor<4x8xf32>
  // expected-error @below {{expected integer elements of the last result, found 'f32'}}
  %r:2 = "ttir.sort"(%a0, %o0, %o1) <{descending = false, dim = -1 : si32, num_keys = 1 : i32, operandSegmentSizes = array<i32: 1, 2>, operand_constraints = [#any, #any, #any], stable = true}> : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @topk(%a0: tensor<4x8xf32>) {
  %o0 = tensor.empty() : tensor<4x3xf32>
  %o1 = tensor.empty() : tensor<4x3xi32>
  // expected-error @below {{expected a dimension in [-2, 2), found 2}}
  %r:2 = "ttir.topk"(%a0, %o0, %o1) <{dim = 2 : i32, k = 3 : i32, largest = true, operand_constraints = [#any, #any, #any], sorted = true}> : (tensor<4x8xf32>, tensor<4x3xf32>, tensor<4x3xi32>) -> (tensor<4x3xf32>, tensor<4x3xi32>)
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @topk(%a0: tensor<4x8xf32>) {
  %o0 = tensor.empty() : tensor<4x3xf32>
  %o1 = tensor.empty() : tensor<4x3xi32>
  // expected-error @below {{k must be between 1 and 8: found 9}}
  %r:2 = "ttir.topk"(%a0, %o0, %o1) <{dim = -1 : i32, k = 9 : i32, largest = true, operand_constraints = [#any, #any, #any], sorted = true}> : (tensor<4x8xf32>, tensor<4x3xf32>, tensor<4x3xi32>) -> (tensor<4x3xf32>, tensor<4x3xi32>)
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @topk(%a0: tensor<4x8xf32>) {
  %o0 = tensor.empty() : tensor<4x3xf32>
  %o1 = tensor.empty() : tensor<4x3xf32>
  // expected-error @below {{expected integer elements of the last result, found 'f32'}}
  %r:2 = "ttir.topk"(%a0, %o0, %o1) <{dim = -1 : i32, k = 3 : i32, largest = true, operand_constraints = [#any, #any, #any], sorted = true}> : (tensor<4x8xf32>, tensor<4x3xf32>, tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<4x3xf32>)
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @topk(%a0: tensor<4x8xf32>) {
  %o0 = tensor.empty() : tensor<4x3xf32>
  %o1 = tensor.empty() : tensor<4x4xi32>
  // expected-error @below {{Output shape mismatch: expected 4x3}}
  %r:2 = "ttir.topk"(%a0, %o0, %o1) <{dim = -1 : i32, k = 3 : i32, largest = true, operand_constraints = [#any, #any, #any], sorted = true}> : (tensor<4x8xf32>, tensor<4x3xf32>, tensor<4x4xi32>) -> (tensor<4x3xf32>, tensor<4x4xi32>)
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @gather_dim(%a0: tensor<4x8xf32>, %a1: tensor<4x2xi32>) {
  %o0 = tensor.empty() : tensor<4x2xf32>
  // expected-error @below {{expected a dimension in [-2, 2), found 2}}
  %r = "ttir.gather_dim"(%a0, %a1, %o0) <{dim = 2 : i32, operand_constraints = [#any, #any, #any]}> : (tensor<4x8xf32>, tensor<4x2xi32>, tensor<4x2xf32>) -> tensor<4x2xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @gather_dim(%a0: tensor<4x8xf32>, %a1: tensor<4x2xf32>) {
  %o0 = tensor.empty() : tensor<4x2xf32>
  // expected-error @below {{expected integer elements of index, found 'f32'}}
  %r = "ttir.gather_dim"(%a0, %a1, %o0) <{dim = 1 : i32, operand_constraints = [#any, #any, #any]}> : (tensor<4x8xf32>, tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @gather_dim(%a0: tensor<4x8xf32>, %a1: tensor<4xi32>) {
  %o0 = tensor.empty() : tensor<4xf32>
  // expected-error @below {{expected an index of rank 2, found 4}}
  %r = "ttir.gather_dim"(%a0, %a1, %o0) <{dim = 1 : i32, operand_constraints = [#any, #any, #any]}> : (tensor<4x8xf32>, tensor<4xi32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @gather_dim(%a0: tensor<4x8xf32>, %a1: tensor<5x2xi32>) {
  %o0 = tensor.empty() : tensor<5x2xf32>
  // expected-error @below {{expected at most the extent 4 in dimension 0 of index, found 5}}
  %r = "ttir.gather_dim"(%a0, %a1, %o0) <{dim = 1 : i32, operand_constraints = [#any, #any, #any]}> : (tensor<4x8xf32>, tensor<5x2xi32>, tensor<5x2xf32>) -> tensor<5x2xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @gather_dim(%a0: tensor<4x8xf32>, %a1: tensor<4x2xi32>) {
  %o0 = tensor.empty() : tensor<4x3xf32>
  // expected-error @below {{Output shape mismatch: expected 4x2}}
  %r = "ttir.gather_dim"(%a0, %a1, %o0) <{dim = 1 : i32, operand_constraints = [#any, #any, #any]}> : (tensor<4x8xf32>, tensor<4x2xi32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @scatter_dim(%a0: tensor<4x8xf32>, %a1: tensor<4x2xi32>, %a2: tensor<4x2xf32>) {
  %o0 = tensor.empty() : tensor<4x8xf32>
  // expected-error @below {{expected a dimension in [-2, 2), found 2}}
  %r = "ttir.scatter_dim"(%a0, %a1, %a2, %o0) <{dim = 2 : i32, operand_constraints = [#any, #any, #any, #any], reduce_type = #tt.reduce_type<sum>}> : (tensor<4x8xf32>, tensor<4x2xi32>, tensor<4x2xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @scatter_dim(%a0: tensor<4x8xf32>, %a1: tensor<5x2xi32>, %a2: tensor<5x2xf32>) {
  %o0 = tensor.empty() : tensor<4x8xf32>
  // expected-error @below {{expected at most the extent 4 in dimension 0 of index, found 5}}
  %r = "ttir.scatter_dim"(%a0, %a1, %a2, %o0) <{dim = 1 : i32, operand_constraints = [#any, #any, #any, #any], reduce_type = #tt.reduce_type<sum>}> : (tensor<4x8xf32>, tensor<5x2xi32>, tensor<5x2xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @scatter_dim(%a0: tensor<4x8xf32>, %a1: tensor<4x2xi32>, %a2: tensor<4x1xf32>) {
  %o0 = tensor.empty() : tensor<4x8xf32>
  // expected-error @below {{expected a source of at least the extents 4x2 of index, found 4x1}}
  %r = "ttir.scatter_dim"(%a0, %a1, %a2, %o0) <{dim = 1 : i32, operand_constraints = [#any, #any, #any, #any], reduce_type = #tt.reduce_type<sum>}> : (tensor<4x8xf32>, tensor<4x2xi32>, tensor<4x1xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @scatter_dim(%a0: tensor<4x8xf32>, %a1: tensor<4x2xi32>, %a2: tensor<4x2xf32>) {
  %o0 = tensor.empty() : tensor<4x8xf32>
  // expected-error @below {{expected sum, prod, max, min or invalid, found std}}
  %r = "ttir.scatter_dim"(%a0, %a1, %a2, %o0) <{dim = 1 : i32, operand_constraints = [#any, #any, #any, #any], reduce_type = #tt.reduce_type<std>}> : (tensor<4x8xf32>, tensor<4x2xi32>, tensor<4x2xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @scatter_dim(%a0: tensor<4x8xf32>, %a1: tensor<4x2xi32>, %a2: tensor<4x2xf32>) {
  %o0 = tensor.empty() : tensor<4x9xf32>
  // expected-error @below {{Output shape mismatch: expected 4x8}}
  %r = "ttir.scatter_dim"(%a0, %a1, %a2, %o0) <{dim = 1 : i32, operand_constraints = [#any, #any, #any, #any], reduce_type = #tt.reduce_type<sum>}> : (tensor<4x8xf32>, tensor<4x2xi32>, tensor<4x2xf32>, tensor<4x9xf32>) -> tensor<4x9xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @scatter(%a0: tensor<4x8xf32>, %a1: tensor<2x1xi32>, %a2: tensor<2x8xf32>) {
  %o0 = tensor.empty() : tensor<4x8xf32>
  // expected-error @below {{index_vector_dim must be in [0, 2]: found 3}}
  %r = "ttir.scatter"(%a0, %a1, %a2, %o0) <{index_vector_dim = 3 : si64, input_batching_dims = array<i64>, inserted_window_dims = array<i64: 0>, operand_constraints = [#any, #any, #any, #any], reduce_type = #tt.reduce_type<sum>, scatter_dims_to_operand_dims = array<i64: 0>, scatter_indices_batching_dims = array<i64>, update_window_dims = array<i64: 1>}> : (tensor<4x8xf32>, tensor<2x1xi32>, tensor<2x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @scatter(%a0: tensor<4x8xf32>, %a1: tensor<2x1xi32>, %a2: tensor<2x8xf32>) {
  %o0 = tensor.empty() : tensor<4x8xf32>
  // expected-error @below {{update_window_dims must be distinct, ascending dimensions in [0, 2): found 2}}
  %r = "ttir.scatter"(%a0, %a1, %a2, %o0) <{index_vector_dim = 1 : si64, input_batching_dims = array<i64>, inserted_window_dims = array<i64: 0>, operand_constraints = [#any, #any, #any, #any], reduce_type = #tt.reduce_type<sum>, scatter_dims_to_operand_dims = array<i64: 0>, scatter_indices_batching_dims = array<i64>, update_window_dims = array<i64: 2>}> : (tensor<4x8xf32>, tensor<2x1xi32>, tensor<2x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @scatter(%a0: tensor<4x8xf32>, %a1: tensor<2x1xi32>, %a2: tensor<2x8xf32>) {
  %o0 = tensor.empty() : tensor<4x8xf32>
  // expected-error @below {{scatter_dims_to_operand_dims must be distinct dimensions in [0, 2): found 2}}
  %r = "ttir.scatter"(%a0, %a1, %a2, %o0) <{index_vector_dim = 1 : si64, input_batching_dims = array<i64>, inserted_window_dims = array<i64: 0>, operand_constraints = [#any, #any, #any, #any], reduce_type = #tt.reduce_type<sum>, scatter_dims_to_operand_dims = array<i64: 2>, scatter_indices_batching_dims = array<i64>, update_window_dims = array<i64: 1>}> : (tensor<4x8xf32>, tensor<2x1xi32>, tensor<2x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @scatter(%a0: tensor<4x8xf32>, %a1: tensor<2x1xi32>, %a2: tensor<2x8xf32>) {
  %o0 = tensor.empty() : tensor<4x8xf32>
  // expected-error @below {{expected each of the 2 dimensions of the input to be one of the window, inserted or a batch: found 1, 0 and 0}}
  %r = "ttir.scatter"(%a0, %a1, %a2, %o0) <{index_vector_dim = 1 : si64, input_batching_dims = array<i64>, inserted_window_dims = array<i64>, operand_constraints = [#any, #any, #any, #any], reduce_type = #tt.reduce_type<sum>, scatter_dims_to_operand_dims = array<i64: 0>, scatter_indices_batching_dims = array<i64>, update_window_dims = array<i64: 1>}> : (tensor<4x8xf32>, tensor<2x1xi32>, tensor<2x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @scatter(%a0: tensor<4x8xf32>, %a1: tensor<2x1xi32>, %a2: tensor<2x8xf32>) {
  %o0 = tensor.empty() : tensor<4x8xf32>
  // expected-error @below {{dimension 0 is a batch}}
  %r = "ttir.scatter"(%a0, %a1, %a2, %o0) <{index_vector_dim = 1 : si64, input_batching_dims = array<i64: 0>, inserted_window_dims = array<i64: 0>, operand_constraints = [#any, #any, #any, #any], reduce_type = #tt.reduce_type<sum>, scatter_dims_to_operand_dims = array<i64: 0>, scatter_indices_batching_dims = array<i64>, update_window_dims = array<i64: 1>}> : (tensor<4x8xf32>, tensor<2x1xi32>, tensor<2x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @scatter(%a0: tensor<4x8xf32>, %a1: tensor<2x1xi32>, %a2: tensor<2x8xf32>) {
  %o0 = tensor.empty() : tensor<4x8xf32>
  // expected-error @below {{expected as many scatter_indices_batching_dims as input_batching_dims: found 1 and 0}}
  %r = "ttir.scatter"(%a0, %a1, %a2, %o0) <{index_vector_dim = 1 : si64, input_batching_dims = array<i64>, inserted_window_dims = array<i64: 0>, operand_constraints = [#any, #any, #any, #any], reduce_type = #tt.reduce_type<sum>, scatter_dims_to_operand_dims = array<i64: 0>, scatter_indices_batching_dims = array<i64: 0>, update_window_dims = array<i64: 1>}> : (tensor<4x8xf32>, tensor<2x1xi32>, tensor<2x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @scatter(%a0: tensor<4x8xf32>, %a1: tensor<2x1xi32>, %a2: tensor<2x8xf32>) {
  %o0 = tensor.empty() : tensor<4x8xf32>
  // expected-error @below {{scatter_indices_batching_dims must name a dimension of the extent 4: found 0}}
  %r = "ttir.scatter"(%a0, %a1, %a2, %o0) <{index_vector_dim = 1 : si64, input_batching_dims = array<i64: 0>, inserted_window_dims = array<i64>, operand_constraints = [#any, #any, #any, #any], reduce_type = #tt.reduce_type<sum>, scatter_dims_to_operand_dims = array<i64: 1>, scatter_indices_batching_dims = array<i64: 0>, update_window_dims = array<i64: 1>}> : (tensor<4x8xf32>, tensor<2x1xi32>, tensor<2x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @scatter(%a0: tensor<4x8xf32>, %a1: tensor<2x1xi32>, %a2: tensor<2x8xf32>) {
  %o0 = tensor.empty() : tensor<4x8xf32>
  // expected-error @below {{scatter_dims_to_operand_dims must have an entry for each of an index vector: expected 1, found 2}}
  %r = "ttir.scatter"(%a0, %a1, %a2, %o0) <{index_vector_dim = 1 : si64, input_batching_dims = array<i64>, inserted_window_dims = array<i64: 0>, operand_constraints = [#any, #any, #any, #any], reduce_type = #tt.reduce_type<sum>, scatter_dims_to_operand_dims = array<i64: 0, 1>, scatter_indices_batching_dims = array<i64>, update_window_dims = array<i64: 1>}> : (tensor<4x8xf32>, tensor<2x1xi32>, tensor<2x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @scatter(%a0: tensor<4x8xf32>, %a1: tensor<2x1xi32>, %a2: tensor<3x8xf32>) {
  %o0 = tensor.empty() : tensor<4x8xf32>
  // expected-error @below {{updates must have the extents 2 of scatter_indices beside those of windows: found 3}}
  %r = "ttir.scatter"(%a0, %a1, %a2, %o0) <{index_vector_dim = 1 : si64, input_batching_dims = array<i64>, inserted_window_dims = array<i64: 0>, operand_constraints = [#any, #any, #any, #any], reduce_type = #tt.reduce_type<sum>, scatter_dims_to_operand_dims = array<i64: 0>, scatter_indices_batching_dims = array<i64>, update_window_dims = array<i64: 1>}> : (tensor<4x8xf32>, tensor<2x1xi32>, tensor<3x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @scatter(%a0: tensor<4x8xf32>, %a1: tensor<2x1xi32>, %a2: tensor<2x9xf32>) {
  %o0 = tensor.empty() : tensor<4x8xf32>
  // expected-error @below {{windows must not be greater than the input: found 9 of 8 in dimension 1}}
  %r = "ttir.scatter"(%a0, %a1, %a2, %o0) <{index_vector_dim = 1 : si64, input_batching_dims = array<i64>, inserted_window_dims = array<i64: 0>, operand_constraints = [#any, #any, #any, #any], reduce_type = #tt.reduce_type<sum>, scatter_dims_to_operand_dims = array<i64: 0>, scatter_indices_batching_dims = array<i64>, update_window_dims = array<i64: 1>}> : (tensor<4x8xf32>, tensor<2x1xi32>, tensor<2x9xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @scatter(%a0: tensor<4x8xf32>, %a1: tensor<2x1xf32>, %a2: tensor<2x8xf32>) {
  %o0 = tensor.empty() : tensor<4x8xf32>
  // expected-error @below {{expected integer elements of scatter_indices, found 'f32'}}
  %r = "ttir.scatter"(%a0, %a1, %a2, %o0) <{index_vector_dim = 1 : si64, input_batching_dims = array<i64>, inserted_window_dims = array<i64: 0>, operand_constraints = [#any, #any, #any, #any], reduce_type = #tt.reduce_type<sum>, scatter_dims_to_operand_dims = array<i64: 0>, scatter_indices_batching_dims = array<i64>, update_window_dims = array<i64: 1>}> : (tensor<4x8xf32>, tensor<2x1xf32>, tensor<2x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @scatter(%a0: tensor<4x8xf32>, %a1: tensor<2x1xi32>, %a2: tensor<2x8xf32>) {
  %o0 = tensor.empty() : tensor<4x8xf32>
  // expected-error @below {{expected sum, prod, max, min or invalid, found var}}
  %r = "ttir.scatter"(%a0, %a1, %a2, %o0) <{index_vector_dim = 1 : si64, input_batching_dims = array<i64>, inserted_window_dims = array<i64: 0>, operand_constraints = [#any, #any, #any, #any], reduce_type = #tt.reduce_type<var>, scatter_dims_to_operand_dims = array<i64: 0>, scatter_indices_batching_dims = array<i64>, update_window_dims = array<i64: 1>}> : (tensor<4x8xf32>, tensor<2x1xi32>, tensor<2x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @scatter(%a0: tensor<4x8xf32>, %a1: tensor<2x1xi32>, %a2: tensor<2x8xf32>) {
  %o0 = tensor.empty() : tensor<4x9xf32>
  // expected-error @below {{Output shape mismatch: expected 4x8}}
  %r = "ttir.scatter"(%a0, %a1, %a2, %o0) <{index_vector_dim = 1 : si64, input_batching_dims = array<i64>, inserted_window_dims = array<i64: 0>, operand_constraints = [#any, #any, #any, #any], reduce_type = #tt.reduce_type<sum>, scatter_dims_to_operand_dims = array<i64: 0>, scatter_indices_batching_dims = array<i64>, update_window_dims = array<i64: 1>}> : (tensor<4x8xf32>, tensor<2x1xi32>, tensor<2x8xf32>, tensor<4x9xf32>) -> tensor<4x9xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @dynamic_slice(%a0: tensor<4x8xf32>, %a1: tensor<3xi32>) {
  %o0 = tensor.empty() : tensor<1x8xf32>
  // expected-error @below {{expected start_indices to have the shape 2, found 3}}
  %r = "ttir.dynamic_slice"(%a0, %a1, %o0) <{operand_constraints = [#any, #any, #any], slice_sizes = array<i64: 1, 8>}> : (tensor<4x8xf32>, tensor<3xi32>, tensor<1x8xf32>) -> tensor<1x8xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @dynamic_slice(%a0: tensor<4x8xf32>, %a1: tensor<2xi32>) {
  %o0 = tensor.empty() : tensor<1x8xf32>
  // expected-error @below {{slice_sizes must have 2 entries for its input: found 1}}
  %r = "ttir.dynamic_slice"(%a0, %a1, %o0) <{operand_constraints = [#any, #any, #any], slice_sizes = array<i64: 1>}> : (tensor<4x8xf32>, tensor<2xi32>, tensor<1x8xf32>) -> tensor<1x8xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @dynamic_slice(%a0: tensor<4x8xf32>, %a1: tensor<2xi32>) {
  %o0 = tensor.empty() : tensor<5x8xf32>
  // expected-error @below {{slice_sizes must be between 0 and the extent 4 in dimension 0: found 5}}
  %r = "ttir.dynamic_slice"(%a0, %a1, %o0) <{operand_constraints = [#any, #any, #any], slice_sizes = array<i64: 5, 8>}> : (tensor<4x8xf32>, tensor<2xi32>, tensor<5x8xf32>) -> tensor<5x8xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @dynamic_slice(%a0: tensor<4x8xf32>, %a1: tensor<2xi32>) {
  %o0 = tensor.empty() : tensor<2x8xf32>
  // expected-error @below {{Output shape mismatch: expected 1x8}}
  %r = "ttir.dynamic_slice"(%a0, %a1, %o0) <{operand_constraints = [#any, #any, #any], slice_sizes = array<i64: 1, 8>}> : (tensor<4x8xf32>, tensor<2xi32>, tensor<2x8xf32>) -> tensor<2x8xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @dynamic_update_slice(%a0: tensor<4x8xf32>, %a1: tensor<8xf32>, %a2: tensor<2xi32>) {
  %o0 = tensor.empty() : tensor<4x8xf32>
  // expected-error @below {{expected an update of rank 2, found 8}}
  %r = "ttir.dynamic_update_slice"(%a0, %a1, %a2, %o0) <{operand_constraints = [#any, #any, #any, #any]}> : (tensor<4x8xf32>, tensor<8xf32>, tensor<2xi32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @dynamic_update_slice(%a0: tensor<4x8xf32>, %a1: tensor<5x8xf32>, %a2: tensor<2xi32>) {
  %o0 = tensor.empty() : tensor<4x8xf32>
  // expected-error @below {{expected an update of at most the extent 4 in dimension 0, found 5}}
  %r = "ttir.dynamic_update_slice"(%a0, %a1, %a2, %o0) <{operand_constraints = [#any, #any, #any, #any]}> : (tensor<4x8xf32>, tensor<5x8xf32>, tensor<2xi32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @dynamic_update_slice(%a0: tensor<4x8xf32>, %a1: tensor<1x8xf32>, %a2: tensor<2xf32>) {
  %o0 = tensor.empty() : tensor<4x8xf32>
  // expected-error @below {{expected integer elements of start_indices, found 'f32'}}
  %r = "ttir.dynamic_update_slice"(%a0, %a1, %a2, %o0) <{operand_constraints = [#any, #any, #any, #any]}> : (tensor<4x8xf32>, tensor<1x8xf32>, tensor<2xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @dynamic_update_slice(%a0: tensor<4x8xf32>, %a1: tensor<1x8xf32>, %a2: tensor<2xi32>) {
  %o0 = tensor.empty() : tensor<4x9xf32>
  // expected-error @below {{Output shape mismatch: expected 4x8}}
  %r = "ttir.dynamic_update_slice"(%a0, %a1, %a2, %o0) <{operand_constraints = [#any, #any, #any, #any]}> : (tensor<4x8xf32>, tensor<1x8xf32>, tensor<2xi32>, tensor<4x9xf32>) -> tensor<4x9xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @slice_dynamic(%a0: tensor<4x8xf32>, %a1: tensor<1xi32>, %a2: tensor<2xi32>) {
  %o0 = tensor.empty() : tensor<2x4xf32>
  // expected-error @below {{expected begins to have the shape 2, found 1}}
  %r = "ttir.slice_dynamic"(%a0, %a1, %a2, %o0) <{operand_constraints = [#any, #any, #any, #any], shape = array<i64: 2, 4>, step = [1 : i32, 2 : i32]}> : (tensor<4x8xf32>, tensor<1xi32>, tensor<2xi32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @slice_dynamic(%a0: tensor<4x8xf32>, %a1: tensor<2xi32>, %a2: tensor<2xi32>) {
  %o0 = tensor.empty() : tensor<2x4xf32>
  // expected-error @below {{step must have 2 entries for its input: found 1}}
  %r = "ttir.slice_dynamic"(%a0, %a1, %a2, %o0) <{operand_constraints = [#any, #any, #any, #any], shape = array<i64: 2, 4>, step = [1 : i32]}> : (tensor<4x8xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @slice_dynamic(%a0: tensor<4x8xf32>, %a1: tensor<2xi32>, %a2: tensor<2xi32>) {
  %o0 = tensor.empty() : tensor<2x4xf32>
  // expected-error @below {{step must be positive: found 0 in dimension 0}}
  %r = "ttir.slice_dynamic"(%a0, %a1, %a2, %o0) <{operand_constraints = [#any, #any, #any, #any], shape = array<i64: 2, 4>, step = [0 : i32, 2 : i32]}> : (tensor<4x8xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @slice_dynamic(%a0: tensor<4x8xf32>, %a1: tensor<2xi32>, %a2: tensor<2xi32>) {
  %o0 = tensor.empty() : tensor<2x4xf32>
  // expected-error @below {{expected a slice inside of the extent 4 in dimension 0, found 2 elements, 4 apart}}
  %r = "ttir.slice_dynamic"(%a0, %a1, %a2, %o0) <{operand_constraints = [#any, #any, #any, #any], shape = array<i64: 2, 4>, step = [4 : i32, 2 : i32]}> : (tensor<4x8xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @slice_dynamic(%a0: tensor<4x8xf32>, %a1: tensor<2xi32>, %a2: tensor<2xi32>) {
  %o0 = tensor.empty() : tensor<2x5xf32>
  // expected-error @below {{Output shape mismatch: expected 2x4}}
  %r = "ttir.slice_dynamic"(%a0, %a1, %a2, %o0) <{operand_constraints = [#any, #any, #any, #any], shape = array<i64: 2, 4>, step = [1 : i32, 2 : i32]}> : (tensor<4x8xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2x5xf32>) -> tensor<2x5xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @index(%a0: tensor<4x8xf32>) {
  %o0 = tensor.empty() : tensor<4x4xf32>
  // expected-error @below {{expected a dimension in [-2, 2), found 2}}
  %r = "ttir.index"(%a0, %o0) <{begin = 0 : i32, dim = 2 : i32, end = 8 : i32, operand_constraints = [#any, #any], step = 2 : i32}> : (tensor<4x8xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @index(%a0: tensor<4x8xf32>) {
  %o0 = tensor.empty() : tensor<4x4xf32>
  // expected-error @below {{step must be positive: found 0}}
  %r = "ttir.index"(%a0, %o0) <{begin = 0 : i32, dim = 1 : i32, end = 8 : i32, operand_constraints = [#any, #any], step = 0 : i32}> : (tensor<4x8xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @index(%a0: tensor<4x8xf32>) {
  %o0 = tensor.empty() : tensor<4x4xf32>
  // expected-error @below {{expected 0 <= begin <= end <= 8, found begin 0 and end 9}}
  %r = "ttir.index"(%a0, %o0) <{begin = 0 : i32, dim = 1 : i32, end = 9 : i32, operand_constraints = [#any, #any], step = 2 : i32}> : (tensor<4x8xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @index(%a0: tensor<4x8xf32>) {
  %o0 = tensor.empty() : tensor<4x5xf32>
  // expected-error @below {{Output shape mismatch: expected 4x4}}
  %r = "ttir.index"(%a0, %o0) <{begin = 0 : i32, dim = 1 : i32, end = 8 : i32, operand_constraints = [#any, #any], step = 2 : i32}> : (tensor<4x8xf32>, tensor<4x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @index_select(%a0: tensor<4x8xf32>) {
  %o0 = tensor.empty() : tensor<4x4xf32>
  // expected-error @below {{expected a dimension in [-2, 2), found 2}}
  %r = "ttir.index_select"(%a0, %o0) <{begin = 0 : si32, dim = 2 : si32, length = 4 : si32, operand_constraints = [#any, #any], stride = 2 : si32}> : (tensor<4x8xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @index_select(%a0: tensor<4x8xf32>) {
  %o0 = tensor.empty() : tensor<4x4xf32>
  // expected-error @below {{length and stride must be positive: found 0 and 2}}
  %r = "ttir.index_select"(%a0, %o0) <{begin = 0 : si32, dim = 1 : si32, length = 0 : si32, operand_constraints = [#any, #any], stride = 2 : si32}> : (tensor<4x8xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @index_select(%a0: tensor<4x8xf32>) {
  %o0 = tensor.empty() : tensor<4x4xf32>
  // expected-error @below {{expected elements inside of the extent 8, found 4 from 2 on, 2 apart}}
  %r = "ttir.index_select"(%a0, %o0) <{begin = 2 : si32, dim = 1 : si32, length = 4 : si32, operand_constraints = [#any, #any], stride = 2 : si32}> : (tensor<4x8xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @index_select(%a0: tensor<4x8xf32>) {
  %o0 = tensor.empty() : tensor<4x5xf32>
  // expected-error @below {{Output shape mismatch: expected 4x4}}
  %r = "ttir.index_select"(%a0, %o0) <{begin = 0 : si32, dim = 1 : si32, length = 4 : si32, operand_constraints = [#any, #any], stride = 2 : si32}> : (tensor<4x8xf32>, tensor<4x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @repeat_interleave(%a0: tensor<4x8xf32>) {
  %o0 = tensor.empty() : tensor<4x16xf32>
  // expected-error @below {{expected a dimension in [-2, 2), found 2}}
  %r = "ttir.repeat_interleave"(%a0, %o0) <{dim = 2 : si32, operand_constraints = [#any, #any], repeats = 2 : ui32}> : (tensor<4x8xf32>, tensor<4x16xf32>) -> tensor<4x16xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @repeat_interleave(%a0: tensor<4x8xf32>) {
  %o0 = tensor.empty() : tensor<4x16xf32>
  // expected-error @below {{repeats must be positive: found 0}}
  %r = "ttir.repeat_interleave"(%a0, %o0) <{dim = 1 : si32, operand_constraints = [#any, #any], repeats = 0 : ui32}> : (tensor<4x8xf32>, tensor<4x16xf32>) -> tensor<4x16xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @repeat_interleave(%a0: tensor<4x8xf32>) {
  %o0 = tensor.empty() : tensor<4x24xf32>
  // expected-error @below {{Output shape mismatch: expected 4x16}}
  %r = "ttir.repeat_interleave"(%a0, %o0) <{dim = 1 : si32, operand_constraints = [#any, #any], repeats = 2 : ui32}> : (tensor<4x8xf32>, tensor<4x24xf32>) -> tensor<4x24xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @reverse(%a0: tensor<4x8xf32>) {
  %o0 = tensor.empty() : tensor<4x8xf32>
  // expected-error @below {{dimensions must be distinct and in [0, 2): found 0, 0}}
  %r = "ttir.reverse"(%a0, %o0) <{dimensions = array<i64: 0, 0>, operand_constraints = [#any, #any]}> : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @reverse(%a0: tensor<4x8xf32>) {
  %o0 = tensor.empty() : tensor<8x4xf32>
  // expected-error @below {{Output shape mismatch: expected 4x8}}
  %r = "ttir.reverse"(%a0, %o0) <{dimensions = array<i64: 0>, operand_constraints = [#any, #any]}> : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @get_dimension_size(%a0: tensor<4x8xf32>) {
  %o0 = tensor.empty() : tensor<1xi32>
  // expected-error @below {{dimension must be in [0, 2): found 2}}
  %r = "ttir.get_dimension_size"(%a0, %o0) <{dimension = 2 : i32, operand_constraints = [#any, #any]}> : (tensor<4x8xf32>, tensor<1xi32>) -> tensor<1xi32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @get_dimension_size(%a0: tensor<4x8xf32>) {
  %o0 = tensor.empty() : tensor<1xf32>
  // expected-error @below {{expected integer elements of the result, found 'f32'}}
  %r = "ttir.get_dimension_size"(%a0, %o0) <{dimension = 1 : i32, operand_constraints = [#any, #any]}> : (tensor<4x8xf32>, tensor<1xf32>) -> tensor<1xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @threefry2x32(%a0: tensor<2xi32>, %a1: tensor<4xf32>) {
  %o0 = tensor.empty() : tensor<4xi32>
  // expected-error @below {{expected tensors of 32-bit integers, found 'f32'}}
  %r = "ttir.threefry2x32"(%a0, %a1, %o0) <{operand_constraints = [#any, #any, #any]}> : (tensor<2xi32>, tensor<4xf32>, tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @threefry2x32(%a0: tensor<3xi32>, %a1: tensor<4xi32>) {
  %o0 = tensor.empty() : tensor<4xi32>
  // expected-error @below {{expected key to have the shape 2, found 3}}
  %r = "ttir.threefry2x32"(%a0, %a1, %o0) <{operand_constraints = [#any, #any, #any]}> : (tensor<3xi32>, tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @threefry2x32(%a0: tensor<2xi32>, %a1: tensor<4xi32>) {
  %o0 = tensor.empty() : tensor<5xi32>
  // expected-error @below {{Output shape mismatch: expected 4}}
  %r = "ttir.threefry2x32"(%a0, %a1, %o0) <{operand_constraints = [#any, #any, #any]}> : (tensor<2xi32>, tensor<4xi32>, tensor<5xi32>) -> tensor<5xi32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @rng_bit_generator(%a0: tensor<4xi32>) {
  %o0 = tensor.empty() : tensor<4xi32>
  %o1 = tensor.empty() : tensor<8xi32>
  // expected-error @below {{algorithm must be three_fry or philox: found default}}
  %r:2 = "ttir.rng_bit_generator"(%a0, %o0, %o1) <{algorithm = "default", operand_constraints = [#any, #any, #any], shape = array<i64: 8>}> : (tensor<4xi32>, tensor<4xi32>, tensor<8xi32>) -> (tensor<4xi32>, tensor<8xi32>)
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @rng_bit_generator(%a0: tensor<6xi32>) {
  %o0 = tensor.empty() : tensor<6xi32>
  %o1 = tensor.empty() : tensor<8xi32>
  // expected-error @below {{expected a state of the shape 4, found 6}}
  %r:2 = "ttir.rng_bit_generator"(%a0, %o0, %o1) <{algorithm = "three_fry", operand_constraints = [#any, #any, #any], shape = array<i64: 8>}> : (tensor<6xi32>, tensor<6xi32>, tensor<8xi32>) -> (tensor<6xi32>, tensor<8xi32>)
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @rng_bit_generator(%a0: tensor<4xi32>) {
  %o0 = tensor.empty() : tensor<4xi32>
  %o1 = tensor.empty() : tensor<8xi16>
  // expected-error @below {{expected tensors of 32-bit integers, found 'i16'}}
  %r:2 = "ttir.rng_bit_generator"(%a0, %o0, %o1) <{algorithm = "three_fry", operand_constraints = [#any, #any, #any], shape = array<i64: 8>}> : (tensor<4xi32>, tensor<4xi32>, tensor<8xi16>) -> (tensor<4xi32>, tensor<8xi16>)
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @rng_bit_generator(%a0: tensor<4xi32>) {
  %o0 = tensor.empty() : tensor<4xi32>
  %o1 = tensor.empty() : tensor<9xi32>
  // expected-error @below {{Output shape mismatch: expected 8}}
  %r:2 = "ttir.rng_bit_generator"(%a0, %o0, %o1) <{algorithm = "three_fry", operand_constraints = [#any, #any, #any], shape = array<i64: 8>}> : (tensor<4xi32>, tensor<4xi32>, tensor<9xi32>) -> (tensor<4xi32>, tensor<9xi32>)
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @rand() {
  %o0 = tensor.empty() : tensor<8xf32>
  // expected-error @below {{expected finite numbers low < high, found 2}}
  %r = "ttir.rand"(%o0) <{high = 1.0 : f32, low = 2.0 : f32, operand_constraints = [#any], seed = 0 : ui32, shape = array<i64: 8>}> : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @rand() {
  %o0 = tensor.empty() : tensor<8xi32>
  // expected-error @below {{expected elements of floats of the result, found 'i32'}}
  %r = "ttir.rand"(%o0) <{high = 1.0 : f32, low = 0.0 : f32, operand_constraints = [#any], seed = 0 : ui32, shape = array<i64: 8>}> : (tensor<8xi32>) -> tensor<8xi32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @rand() {
  %o0 = tensor.empty() : tensor<9xf32>
  // expected-error @below {{Output shape mismatch: expected 8}}
  %r = "ttir.rand"(%o0) <{high = 1.0 : f32, low = 0.0 : f32, operand_constraints = [#any], seed = 0 : ui32, shape = array<i64: 8>}> : (tensor<9xf32>) -> tensor<9xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @dropout(%a0: tensor<8xf32>) {
  %o0 = tensor.empty() : tensor<8xf32>
  // expected-error @below {{prob must be in [0, 1]: found 1.5}}
  %r = "ttir.dropout"(%a0, %o0) <{operand_constraints = [#any, #any], prob = 1.5 : f32, scale = 2.0 : f32, seed = 0 : ui32}> : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @dropout(%a0: tensor<8xi32>) {
  %o0 = tensor.empty() : tensor<8xi32>
  // expected-error @below {{expected elements of floats of the input, found 'i32'}}
  %r = "ttir.dropout"(%a0, %o0) <{operand_constraints = [#any, #any], prob = 0.5 : f32, scale = 2.0 : f32, seed = 0 : ui32}> : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @sampling(%a0: tensor<4x8xf32>, %a1: tensor<4x7xi32>, %a2: tensor<4xi32>, %a3: tensor<4xf32>, %a4: tensor<4xf32>) {
  %o0 = tensor.empty() : tensor<4xi32>
  // expected-error @below {{expected values and indices of rank 2 and one shape, found 4x8 and 4x7}}
  %r = "ttir.sampling"(%a0, %a1, %a2, %a3, %a4, %o0) <{operand_constraints = [#any, #any, #any, #any, #any, #any], seed = 0 : ui32}> : (tensor<4x8xf32>, tensor<4x7xi32>, tensor<4xi32>, tensor<4xf32>, tensor<4xf32>, tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @sampling(%a0: tensor<4x8xf32>, %a1: tensor<4x8xi32>, %a2: tensor<3xi32>, %a3: tensor<4xf32>, %a4: tensor<4xf32>) {
  %o0 = tensor.empty() : tensor<4xi32>
  // expected-error @below {{expected k to have the shape 4, found 3}}
  %r = "ttir.sampling"(%a0, %a1, %a2, %a3, %a4, %o0) <{operand_constraints = [#any, #any, #any, #any, #any, #any], seed = 0 : ui32}> : (tensor<4x8xf32>, tensor<4x8xi32>, tensor<3xi32>, tensor<4xf32>, tensor<4xf32>, tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @sampling(%a0: tensor<4x8xf32>, %a1: tensor<4x8xi32>, %a2: tensor<4xf32>, %a3: tensor<4xf32>, %a4: tensor<4xf32>) {
  %o0 = tensor.empty() : tensor<4xi32>
  // expected-error @below {{expected integer elements of k, found 'f32'}}
  %r = "ttir.sampling"(%a0, %a1, %a2, %a3, %a4, %o0) <{operand_constraints = [#any, #any, #any, #any, #any, #any], seed = 0 : ui32}> : (tensor<4x8xf32>, tensor<4x8xi32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @sampling(%a0: tensor<4x8xf32>, %a1: tensor<4x8xi32>, %a2: tensor<4xi32>, %a3: tensor<4xf32>, %a4: tensor<4xf32>) {
  %o0 = tensor.empty() : tensor<5xi32>
  // expected-error @below {{Output shape mismatch: expected 4}}
  %r = "ttir.sampling"(%a0, %a1, %a2, %a3, %a4, %o0) <{operand_constraints = [#any, #any, #any, #any, #any, #any], seed = 0 : ui32}> : (tensor<4x8xf32>, tensor<4x8xi32>, tensor<4xi32>, tensor<4xf32>, tensor<4xf32>, tensor<5xi32>) -> tensor<5xi32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @update_slice(%a0: tensor<8xf32>, %a1: tensor<8xf32>) {
  %o0 = tensor.empty() : tensor<8xf32>
  // expected-error @below {{input must have rank 2 at least: found 1}}
  %r = "ttir.update_slice"(%a0, %a1, %o0) <{clamp = true, dims = array<i64>, operand_constraints = [#any, #any, #any], starts = array<i64: 0>}> : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @update_slice(%a0: tensor<4x8xf32>, %a1: tensor<8xf32>) {
  %o0 = tensor.empty() : tensor<4x8xf32>
  // expected-error @below {{update must have rank 2: found 1}}
  %r = "ttir.update_slice"(%a0, %a1, %o0) <{clamp = true, dims = array<i64>, operand_constraints = [#any, #any, #any], starts = array<i64: 0, 0>}> : (tensor<4x8xf32>, tensor<8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @update_slice(%a0: tensor<4x8xf32>, %a1: tensor<1x8xbf16>) {
  %o0 = tensor.empty() : tensor<4x8xf32>
  // expected-error @below {{update must have the input's elements: expected 'f32', found 'bf16'}}
  %r = "ttir.update_slice"(%a0, %a1, %o0) <{clamp = true, dims = array<i64>, operand_constraints = [#any, #any, #any], starts = array<i64: 0, 0>}> : (tensor<4x8xf32>, tensor<1x8xbf16>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @update_slice(%a0: tensor<4x8xf32>, %a1: tensor<5x8xf32>) {
  %o0 = tensor.empty() : tensor<4x8xf32>
  // expected-error @below {{update must have at most the extent 4 in dimension 0: found 5}}
  %r = "ttir.update_slice"(%a0, %a1, %o0) <{clamp = true, dims = array<i64>, operand_constraints = [#any, #any, #any], starts = array<i64: 0, 0>}> : (tensor<4x8xf32>, tensor<5x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @update_slice(%a0: tensor<4x8xf32>, %a1: tensor<1x9xf32>) {
  %o0 = tensor.empty() : tensor<4x8xf32>
  // expected-error @below {{update must have at most the extent 8 in dimension 1: found 9}}
  %r = "ttir.update_slice"(%a0, %a1, %o0) <{clamp = true, dims = array<i64>, operand_constraints = [#any, #any, #any], starts = array<i64: 0, 0>}> : (tensor<4x8xf32>, tensor<1x9xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @update_slice(%a0: tensor<4x8xf32>, %a1: tensor<1x8xf32>) {
  %o0 = tensor.empty() : tensor<4x8xf32>
  // expected-error @below {{starts must have 2 entries: found 1}}
  %r = "ttir.update_slice"(%a0, %a1, %o0) <{clamp = true, dims = array<i64>, operand_constraints = [#any, #any, #any], starts = array<i64: 0>}> : (tensor<4x8xf32>, tensor<1x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @update_slice(%a0: tensor<4x8xf32>, %a1: tensor<1x8xf32>, %a2: tensor<1xi32>) {
  %o0 = tensor.empty() : tensor<4x8xf32>
  // expected-error @below {{dims must be distinct dimensions in [0, 2): found 2}}
  %r = "ttir.update_slice"(%a0, %a1, %a2, %o0) <{clamp = true, dims = array<i64: 2>, operand_constraints = [#any, #any, #any, #any], starts = array<i64: 0, 0>}> : (tensor<4x8xf32>, tensor<1x8xf32>, tensor<1xi32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @update_slice(%a0: tensor<4x8xf32>, %a1: tensor<1x8xf32>) {
  %o0 = tensor.empty() : tensor<4x8xf32>
  // expected-error @below {{index must have an element for each of dims: expected 1, found 0}}
  %r = "ttir.update_slice"(%a0, %a1, %o0) <{clamp = true, dims = array<i64: 0>, operand_constraints = [#any, #any, #any], starts = array<i64: 0, 0>}> : (tensor<4x8xf32>, tensor<1x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @update_slice(%a0: tensor<4x8xf32>, %a1: tensor<1x8xf32>, %a2: tensor<1xf32>) {
  %o0 = tensor.empty() : tensor<4x8xf32>
  // expected-error @below {{index must have integer elements: found 'f32'}}
  %r = "ttir.update_slice"(%a0, %a1, %a2, %o0) <{clamp = true, dims = array<i64: 0>, operand_constraints = [#any, #any, #any, #any], starts = array<i64: 0, 0>}> : (tensor<4x8xf32>, tensor<1x8xf32>, tensor<1xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @update_slice(%a0: tensor<4x8xf32>, %a1: tensor<1x8xf32>, %a2: tensor<2xi32>) {
  %o0 = tensor.empty() : tensor<4x8xf32>
  // expected-error @below {{index must have an element for each of dims: expected 1, found 2}}
  %r = "ttir.update_slice"(%a0, %a1, %a2, %o0) <{clamp = true, dims = array<i64: 0>, operand_constraints = [#any, #any, #any, #any], starts = array<i64: 0, 0>}> : (tensor<4x8xf32>, tensor<1x8xf32>, tensor<2xi32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @update_slice(%a0: tensor<4x8xf32>, %a1: tensor<1x8xf32>) {
  %o0 = tensor.empty() : tensor<5x8xf32>
  // expected-error @below {{Output shape mismatch: expected 4x8}}
  %r = "ttir.update_slice"(%a0, %a1, %o0) <{clamp = true, dims = array<i64>, operand_constraints = [#any, #any, #any], starts = array<i64: 0, 0>}> : (tensor<4x8xf32>, tensor<1x8xf32>, tensor<5x8xf32>) -> tensor<5x8xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @update_slices(%a0: tensor<4x8xf32>, %a1: tensor<3x8xf32>, %a2: tensor<2x1xi32>) {
  %o0 = tensor.empty() : tensor<4x8xf32>
  // expected-error @below {{index must have a row for each update, and their number must divide dimension 0 of extent 3: found 'tensor<2x1xi32>'}}
  %r = "ttir.update_slice"(%a0, %a1, %a2, %o0) <{clamp = true, dims = array<i64: 0>, operand_constraints = [#any, #any, #any, #any], starts = array<i64: 0, 0>}> : (tensor<4x8xf32>, tensor<3x8xf32>, tensor<2x1xi32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @update_slices(%a0: tensor<4x8xf32>, %a1: tensor<6x1xf32>, %a2: tensor<6x1xi32>) {
  %o0 = tensor.empty() : tensor<4x8xf32>
  // expected-error @below {{update must have at most the extent 4 in dimension 0: found 6}}
  %r = "ttir.update_slice"(%a0, %a1, %a2, %o0) <{clamp = true, dims = array<i64: 1>, operand_constraints = [#any, #any, #any, #any], starts = array<i64: 0, 0>}> : (tensor<4x8xf32>, tensor<6x1xf32>, tensor<6x1xi32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @update_slices(%a0: tensor<4x8xf32>, %a1: tensor<6x1xf32>, %a2: tensor<6x1xi32>) {
  %o0 = tensor.empty() : tensor<4x8xf32>
  // expected-error @below {{index must have an element for each of dims: expected 2, found 1}}
  %r = "ttir.update_slice"(%a0, %a1, %a2, %o0) <{clamp = true, dims = array<i64: 0, 1>, operand_constraints = [#any, #any, #any, #any], starts = array<i64: 0, 0>}> : (tensor<4x8xf32>, tensor<6x1xf32>, tensor<6x1xi32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
