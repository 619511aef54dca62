// RUN: ttmlir-opt %s -split-input-file -verify-diagnostics
// Rules of ops that are made of others.
#any = #tt.operand_constraint<any_device>
func.func @dot_general(%a: tensor<4x8xf32>, %b: tensor<8x5xf32>) -> tensor<4x5xf32> {
  %0 = tensor.empty() : tensor<4x5xf32>
  // expected-error @below {{expected as many batch dimensions of rhs as of lhs: found 1 and 0}}
  %1 = "ttir.dot_general"(%a, %b, %0) <{batch_dims_lhs = array<i64>, batch_dims_rhs = array<i64: 0>, contract_dims_lhs = array<i64: 1>, contract_dims_rhs = array<i64: 0>, operand_constraints = [#any, #any, #any]}> : (tensor<4x8xf32>, tensor<8x5xf32>, tensor<4x5xf32>) -> tensor<4x5xf32>
  return %1 : tensor<4x5xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @dot_general(%a: tensor<4x8xf32>, %b: tensor<8x5xf32>) -> tensor<4x5xf32> {
  %0 = tensor.empty() : tensor<4x5xf32>
  // expected-error @below {{expected as many contracted dimensions of rhs as of lhs: found 0 and 1}}
  %1 = "ttir.dot_general"(%a, %b, %0) <{batch_dims_lhs = array<i64>, batch_dims_rhs = array<i64>, contract_dims_lhs = array<i64: 1>, contract_dims_rhs = array<i64>, operand_constraints = [#any, #any, #any]}> : (tensor<4x8xf32>, tensor<8x5xf32>, tensor<4x5xf32>) -> tensor<4x5xf32>
  return %1 : tensor<4x5xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @dot_general(%a: tensor<4x8xf32>, %b: tensor<8x5xf32>) -> tensor<4x5xf32> {
  %0 = tensor.empty() : tensor<4x5xf32>
  // expected-error @below {{dimensions of lhs must be in [0, 2): found 2}}
  %1 = "ttir.dot_general"(%a, %b, %0) <{batch_dims_lhs = array<i64>, batch_dims_rhs = array<i64>, contract_dims_lhs = array<i64: 2>, contract_dims_rhs = array<i64: 0>, operand_constraints = [#any, #any, #any]}> : (tensor<4x8xf32>, tensor<8x5xf32>, tensor<4x5xf32>) -> tensor<4x5xf32>
  return %1 : tensor<4x5xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @dot_general(%a: tensor<4x8xf32>, %b: tensor<8x5xf32>) -> tensor<4x5xf32> {
  %0 = tensor.empty() : tensor<4x5xf32>
  // expected-error @below {{dimensions of rhs must be different: found 0 twice}}
  %1 = "ttir.dot_general"(%a, %b, %0) <{batch_dims_lhs = array<i64: 0>, batch_dims_rhs = array<i64: 0>, contract_dims_lhs = array<i64: 1>, contract_dims_rhs = array<i64: 0>, operand_constraints = [#any, #any, #any]}> : (tensor<4x8xf32>, tensor<8x5xf32>, tensor<4x5xf32>) -> tensor<4x5xf32>
  return %1 : tensor<4x5xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @dot_general(%a: tensor<4x8xf32>, %b: tensor<9x5xf32>) -> tensor<4x5xf32> {
  %0 = tensor.empty() : tensor<4x5xf32>
  // expected-error @below {{dimensions that belong together must have one extent: found 8 in dimension 1 of lhs and 9 in dimension 0 of rhs}}
  %1 = "ttir.dot_general"(%a, %b, %0) <{batch_dims_lhs = array<i64>, batch_dims_rhs = array<i64>, contract_dims_lhs = array<i64: 1>, contract_dims_rhs = array<i64: 0>, operand_constraints = [#any, #any, #any]}> : (tensor<4x8xf32>, tensor<9x5xf32>, tensor<4x5xf32>) -> tensor<4x5xf32>
  return %1 : tensor<4x5xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @dot_general(%a: tensor<4x8xf32>, %b: tensor<8x5xf32>) -> tensor<4x5xi32> {
  %0 = tensor.empty() : tensor<4x5xi32>
  // expected-error @below {{expected all tensors of floats or all of integers: found 'f32' and 'i32'}}
  %1 = "ttir.dot_general"(%a, %b, %0) <{batch_dims_lhs = array<i64>, batch_dims_rhs = array<i64>, contract_dims_lhs = array<i64: 1>, contract_dims_rhs = array<i64: 0>, operand_constraints = [#any, #any, #any]}> : (tensor<4x8xf32>, tensor<8x5xf32>, tensor<4x5xi32>) -> tensor<4x5xi32>
  return %1 : tensor<4x5xi32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @dot_general(%a: tensor<4x8xf32>, %b: tensor<8x5xf32>) -> tensor<5x4xf32> {
  %0 = tensor.empty() : tensor<5x4xf32>
  // expected-error @below {{Output shape mismatch: expected 4x5, found 5x4}}
  %1 = "ttir.dot_general"(%a, %b, %0) <{batch_dims_lhs = array<i64>, batch_dims_rhs = array<i64>, contract_dims_lhs = array<i64: 1>, contract_dims_rhs = array<i64: 0>, operand_constraints = [#any, #any, #any]}> : (tensor<4x8xf32>, tensor<8x5xf32>, tensor<5x4xf32>) -> tensor<5x4xf32>
  return %1 : tensor<5x4xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @rearrange(%a: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %0 = tensor.empty() : tensor<3x2xf32>
  // expected-error @below {{expected one '->' in pattern "a b", found 0}}
  %1 = "ttir.rearrange"(%a, %0) <{operand_constraints = [#any, #any], pattern = "a b"}> : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  return %1 : tensor<3x2xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @rearrange(%a: tensor<2x3xf32>) -> tensor<6xf32> {
  %0 = tensor.empty() : tensor<6xf32>
  // expected-error @below {{expected names, '1', '...' and parentheses in pattern "a b -> ((a b))": found '(' in parentheses}}
  %1 = "ttir.rearrange"(%a, %0) <{operand_constraints = [#any, #any], pattern = "a b -> ((a b))"}> : (tensor<2x3xf32>, tensor<6xf32>) -> tensor<6xf32>
  return %1 : tensor<6xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @rearrange(%a: tensor<2x3xf32>) -> tensor<6xf32> {
  %0 = tensor.empty() : tensor<6xf32>
  // expected-error @below {{expected names, '1', '...' and parentheses in pattern "a b -> (a b": found '(' without ')'}}
  %1 = "ttir.rearrange"(%a, %0) <{operand_constraints = [#any, #any], pattern = "a b -> (a b"}> : (tensor<2x3xf32>, tensor<6xf32>) -> tensor<6xf32>
  return %1 : tensor<6xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @rearrange(%a: tensor<2x3xf32>) -> tensor<6xf32> {
  %0 = tensor.empty() : tensor<6xf32>
  // expected-error @below {{expected names, '1', '...' and parentheses in pattern "a b -> a 2b": found '2b'}}
  %1 = "ttir.rearrange"(%a, %0) <{operand_constraints = [#any, #any], pattern = "a b -> a 2b"}> : (tensor<2x3xf32>, tensor<6xf32>) -> tensor<6xf32>
  return %1 : tensor<6xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @rearrange(%a: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %0 = tensor.empty() : tensor<3x2xf32>
  // expected-error @below {{expected a term for each of 2 dimensions on the left of pattern "a b c -> c b a", found 3}}
  %1 = "ttir.rearrange"(%a, %0) <{operand_constraints = [#any, #any], pattern = "a b c -> c b a"}> : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  return %1 : tensor<3x2xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @rearrange(%a: tensor<2x3xf32>) -> tensor<3xf32> {
  %0 = tensor.empty() : tensor<3xf32>
  // expected-error @below {{expected extent 1 in dimension 0 for '1' of pattern "1 b -> b", found 2}}
  %1 = "ttir.rearrange"(%a, %0) <{operand_constraints = [#any, #any], pattern = "1 b -> b"}> : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return %1 : tensor<3xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @rearrange(%a: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %0 = tensor.empty() : tensor<3x2xf32>
  // expected-error @below {{expected each name once on the left of pattern "a a -> a", found 'a' twice}}
  %1 = "ttir.rearrange"(%a, %0) <{operand_constraints = [#any, #any], pattern = "a a -> a"}> : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  return %1 : tensor<3x2xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @rearrange(%a: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %0 = tensor.empty() : tensor<3x2xf32>
  // expected-error @below {{expected each name of the left once on the right of pattern "a b -> b b", found 'b' twice}}
  %1 = "ttir.rearrange"(%a, %0) <{operand_constraints = [#any, #any], pattern = "a b -> b b"}> : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  return %1 : tensor<3x2xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @rearrange(%a: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %0 = tensor.empty() : tensor<3x2xf32>
  // expected-error @below {{expected each name of the left once on the right of pattern "a b -> b c", found 'c', which is not there}}
  %1 = "ttir.rearrange"(%a, %0) <{operand_constraints = [#any, #any], pattern = "a b -> b c"}> : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  return %1 : tensor<3x2xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @rearrange(%a: tensor<2x3xf32>) -> tensor<3xf32> {
  %0 = tensor.empty() : tensor<3xf32>
  // expected-error @below {{expected each of the 2 names of the left on the right of pattern "a b -> b", found 1}}
  %1 = "ttir.rearrange"(%a, %0) <{operand_constraints = [#any, #any], pattern = "a b -> b"}> : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return %1 : tensor<3xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @rearrange(%a: tensor<6x3xf32>) -> tensor<2x3x3xf32> {
  %0 = tensor.empty() : tensor<2x3x3xf32>
  // expected-error @below {{expected one name for each dimension on the left of pattern "(a b) c -> a b c", found 2 in parentheses, whose extents are unknown}}
  %1 = "ttir.rearrange"(%a, %0) <{operand_constraints = [#any, #any], pattern = "(a b) c -> a b c"}> : (tensor<6x3xf32>, tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  return %1 : tensor<2x3x3xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @batch_norm(%a: tensor<2x8x3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>) -> tensor<2x8x3xf32> {
  %0 = tensor.empty() : tensor<2x8x3xf32>
  // expected-error @below {{dimension must be in [0, 3): found 3}}
  %1 = "ttir.batch_norm_inference"(%a, %b, %c, %b, %b, %0) <{dimension = 3 : i32, epsilon = 1.0e-5 : f32, operand_constraints = [#any, #any, #any, #any, #any, #any]}> : (tensor<2x8x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<2x8x3xf32>) -> tensor<2x8x3xf32>
  return %1 : tensor<2x8x3xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @batch_norm(%a: tensor<2x8x3xf32>, %b: tensor<3xf32>, %c: tensor<4xf32>) -> tensor<2x8x3xf32> {
  %0 = tensor.empty() : tensor<2x8x3xf32>
  // expected-error @below {{expected offset to have the shape 3, found 4}}
  %1 = "ttir.batch_norm_inference"(%a, %b, %c, %b, %b, %0) <{dimension = 2 : i32, epsilon = 1.0e-5 : f32, operand_constraints = [#any, #any, #any, #any, #any, #any]}> : (tensor<2x8x3xf32>, tensor<3xf32>, tensor<4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<2x8x3xf32>) -> tensor<2x8x3xf32>
  return %1 : tensor<2x8x3xf32>
}
