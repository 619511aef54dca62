// RUN: ttmlir-opt %s -split-input-file -verify-diagnostics
// Rules of norms, reductions and steps that are made of other ops.
#any = #tt.operand_constraint<any_device>
func.func @batch_norm_training(%a0: tensor<2x8x3xf32>, %a1: tensor<3xf32>, %a2: tensor<3xf32>, %a3: tensor<3xf32>, %a4: tensor<3xf32>) -> (tensor<2x8x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) {
  %e0 = tensor.empty() : tensor<2x8x3xf32>
  %e1 = tensor.empty() : tensor<3xf32>
  %e2 = tensor.empty() : tensor<3xf32>
  %e3 = tensor.empty() : tensor<3xf32>
  %e4 = tensor.empty() : tensor<3xf32>
  // expected-error @below {{dimension must be in [0, 3): found -1}}
  %r:5 = "ttir.batch_norm_training"(%a0, %a1, %a2, %a3, %a4, %e0, %e1, %e2, %e3, %e4) <{dimension = -1 : i32, epsilon = 1.000000e-05 : f32, momentum = 1.000000e-01 : f32, operand_constraints = [#any, #any, #any, #any, #any, #any, #any, #any, #any, #any]}> : (tensor<2x8x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<2x8x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x8x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>)
  return %r#0, %r#1, %r#2, %r#3, %r#4 : tensor<2x8x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @batch_norm_training(%a0: tensor<2x8x3xf32>, %a1: tensor<3xf32>, %a2: tensor<3xf32>, %a3: tensor<4xf32>, %a4: tensor<3xf32>) -> (tensor<2x8x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) {
  %e0 = tensor.empty() : tensor<2x8x3xf32>
  %e1 = tensor.empty() : tensor<3xf32>
  %e2 = tensor.empty() : tensor<3xf32>
  %e3 = tensor.empty() : tensor<3xf32>
  %e4 = tensor.empty() : tensor<3xf32>
  // expected-error @below {{expected running_mean to have the shape 3, found 4}}
  %r:5 = "ttir.batch_norm_training"(%a0, %a1, %a2, %a3, %a4, %e0, %e1, %e2, %e3, %e4) <{dimension = 2 : i32, epsilon = 1.000000e-05 : f32, momentum = 1.000000e-01 : f32, operand_constraints = [#any, #any, #any, #any, #any, #any, #any, #any, #any, #any]}> : (tensor<2x8x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<4xf32>, tensor<3xf32>, tensor<2x8x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x8x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>)
  return %r#0, %r#1, %r#2, %r#3, %r#4 : tensor<2x8x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @batch_norm_training(%a0: tensor<2x8x3xf32>, %a1: tensor<3xf32>, %a2: tensor<3xf32>, %a3: tensor<3xf32>, %a4: tensor<3xf32>) -> (tensor<2x8x3xf32>, tensor<3xf32>, tensor<3xf32>) {
  %e0 = tensor.empty() : tensor<2x8x3xf32>
  %e1 = tensor.empty() : tensor<3xf32>
  %e2 = tensor.empty() : tensor<3xf32>
  // expected-error @below {{expected 5 results, found 3}}
  %r:3 = "ttir.batch_norm_training"(%a0, %a1, %a2, %a3, %a4, %e0, %e1, %e2) <{dimension = 2 : i32, epsilon = 1.000000e-05 : f32, momentum = 1.000000e-01 : f32, operand_constraints = [#any, #any, #any, #any, #any, #any, #any, #any]}> : (tensor<2x8x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<2x8x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x8x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return %r#0, %r#1, %r#2 : tensor<2x8x3xf32>, tensor<3xf32>, tensor<3xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @group_norm(%a0: tensor<2x8x3xf32>) -> tensor<2x8x3xf32> {
  %e0 = tensor.empty() : tensor<2x8x3xf32>
  // expected-error @below {{channel_dim must be in [1, 3): found 0}}
  %r = "ttir.group_norm"(%a0, %e0) <{channel_dim = 0 : i64, epsilon = 1.000000e-05 : f32, num_groups = 3 : i64, operandSegmentSizes = array<i32: 1, 0, 0, 1>, operand_constraints = [#any, #any]}> : (tensor<2x8x3xf32>, tensor<2x8x3xf32>) -> tensor<2x8x3xf32>
  return %r : tensor<2x8x3xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @group_norm(%a0: tensor<2x8x3xf32>) -> tensor<2x8x3xf32> {
  %e0 = tensor.empty() : tensor<2x8x3xf32>
  // expected-error @below {{num_groups must divide the 3 channels: found 2}}
  %r = "ttir.group_norm"(%a0, %e0) <{channel_dim = 2 : i64, epsilon = 1.000000e-05 : f32, num_groups = 2 : i64, operandSegmentSizes = array<i32: 1, 0, 0, 1>, operand_constraints = [#any, #any]}> : (tensor<2x8x3xf32>, tensor<2x8x3xf32>) -> tensor<2x8x3xf32>
  return %r : tensor<2x8x3xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @group_norm(%a0: tensor<2x8x3xf32>, %a1: tensor<2xf32>) -> tensor<2x8x3xf32> {
  %e0 = tensor.empty() : tensor<2x8x3xf32>
  // expected-error @below {{expected weight to have the shape 3, found 2}}
  %r = "ttir.group_norm"(%a0, %a1, %e0) <{channel_dim = 2 : i64, epsilon = 1.000000e-05 : f32, num_groups = 3 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<2x8x3xf32>, tensor<2xf32>, tensor<2x8x3xf32>) -> tensor<2x8x3xf32>
  return %r : tensor<2x8x3xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @distributed_rms_norm(%a0: tensor<f32>) -> tensor<f32> {
  %e0 = tensor.empty() : tensor<f32>
  // expected-error @below {{expected an input of rank 1 or more, found 0}}
  %r = "ttir.distributed_rms_norm"(%a0, %e0) <{cluster_axis = 1 : ui32, epsilon = 1.000000e-05 : f32, operandSegmentSizes = array<i32: 1, 0, 0, 1>, operand_constraints = [#any, #any]}> : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @distributed_rms_norm(%a0: tensor<2x8x3xf32>, %a1: tensor<2xf32>) -> tensor<2x8x3xf32> {
  %e0 = tensor.empty() : tensor<2x8x3xf32>
  // expected-error @below {{expected weight to have the shape 3, found 2}}
  %r = "ttir.distributed_rms_norm"(%a0, %a1, %e0) <{cluster_axis = 1 : ui32, epsilon = 1.000000e-05 : f32, operandSegmentSizes = array<i32: 1, 1, 0, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<2x8x3xf32>, tensor<2xf32>, tensor<2x8x3xf32>) -> tensor<2x8x3xf32>
  return %r : tensor<2x8x3xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @distributed_rms_norm(%a0: tensor<2x8x3xf32>, %a1: tensor<8x3xf32>) -> tensor<2x8x3xf32> {
  %e0 = tensor.empty() : tensor<2x8x3xf32>
  // expected-error @below {{expected a residual of the input's shape: expected 2x8x3, found 8x3}}
  %r = "ttir.distributed_rms_norm"(%a0, %a1, %e0) <{cluster_axis = 1 : ui32, epsilon = 1.000000e-05 : f32, operandSegmentSizes = array<i32: 1, 0, 1, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<2x8x3xf32>, tensor<8x3xf32>, tensor<2x8x3xf32>) -> tensor<2x8x3xf32>
  return %r : tensor<2x8x3xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @distributed_layer_norm(%a0: tensor<2x8x3xf32>, %a1: tensor<2xf32>) -> tensor<2x8x3xf32> {
  %e0 = tensor.empty() : tensor<2x8x3xf32>
  // expected-error @below {{expected bias to have the shape 3, found 2}}
  %r = "ttir.distributed_layer_norm"(%a0, %a1, %e0) <{cluster_axis = 1 : ui32, epsilon = 1.000000e-05 : f32, operandSegmentSizes = array<i32: 1, 0, 1, 0, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<2x8x3xf32>, tensor<2xf32>, tensor<2x8x3xf32>) -> tensor<2x8x3xf32>
  return %r : tensor<2x8x3xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @sparse_matmul(%a0: tensor<2x3x4x5xf32>, %a1: tensor<1x6x5x7xf32>, %a2: tensor<2x3x1x6xf32>) -> tensor<2x3x1x6x4x7xf32> {
  %e0 = tensor.empty() : tensor<2x3x1x6x4x7xf32>
  // expected-error @below {{expected is_input_a_sparse or is_input_b_sparse, found neither}}
  %r = "ttir.sparse_matmul"(%a0, %a1, %a2, %e0) <{is_input_a_sparse = false, is_input_b_sparse = false, operand_constraints = [#any, #any, #any, #any]}> : (tensor<2x3x4x5xf32>, tensor<1x6x5x7xf32>, tensor<2x3x1x6xf32>, tensor<2x3x1x6x4x7xf32>) -> tensor<2x3x1x6x4x7xf32>
  return %r : tensor<2x3x1x6x4x7xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @sparse_matmul(%a0: tensor<2x3x4x5xf32>, %a1: tensor<1x6x4x7xf32>, %a2: tensor<2x3x1x6xf32>) -> tensor<2x3x1x6x4x7xf32> {
  %e0 = tensor.empty() : tensor<2x3x1x6x4x7xf32>
  // expected-error @below {{expected an operand a of rank 4 and b 1xExKxN, found 2x3x4x5 and 1x6x4x7}}
  %r = "ttir.sparse_matmul"(%a0, %a1, %a2, %e0) <{is_input_a_sparse = false, is_input_b_sparse = true, operand_constraints = [#any, #any, #any, #any]}> : (tensor<2x3x4x5xf32>, tensor<1x6x4x7xf32>, tensor<2x3x1x6xf32>, tensor<2x3x1x6x4x7xf32>) -> tensor<2x3x1x6x4x7xf32>
  return %r : tensor<2x3x1x6x4x7xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @sparse_matmul(%a0: tensor<2x3x4x5xf32>, %a1: tensor<1x6x5x7xf32>, %a2: tensor<2x3x1x6xf32>) -> tensor<2x3x1x6x4x7xf32> {
  %e0 = tensor.empty() : tensor<2x3x1x6x4x7xf32>
  // expected-error @below {{expected an operand a Ax6xMxK, found 2x3x4x5}}
  %r = "ttir.sparse_matmul"(%a0, %a1, %a2, %e0) <{is_input_a_sparse = true, is_input_b_sparse = false, operand_constraints = [#any, #any, #any, #any]}> : (tensor<2x3x4x5xf32>, tensor<1x6x5x7xf32>, tensor<2x3x1x6xf32>, tensor<2x3x1x6x4x7xf32>) -> tensor<2x3x1x6x4x7xf32>
  return %r : tensor<2x3x1x6x4x7xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @sparse_matmul(%a0: tensor<2x3x4x5xf32>, %a1: tensor<1x6x5x7xf32>, %a2: tensor<2x3x6x1xf32>) -> tensor<2x3x1x6x4x7xf32> {
  %e0 = tensor.empty() : tensor<2x3x1x6x4x7xf32>
  // expected-error @below {{expected sparsity to have the shape 2x3x1x6, found 2x3x6x1}}
  %r = "ttir.sparse_matmul"(%a0, %a1, %a2, %e0) <{is_input_a_sparse = false, is_input_b_sparse = true, operand_constraints = [#any, #any, #any, #any]}> : (tensor<2x3x4x5xf32>, tensor<1x6x5x7xf32>, tensor<2x3x6x1xf32>, tensor<2x3x1x6x4x7xf32>) -> tensor<2x3x1x6x4x7xf32>
  return %r : tensor<2x3x1x6x4x7xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @reduce_and(%a0: tensor<2x3xi8>) -> tensor<2x1xi8> {
  %e0 = tensor.empty() : tensor<2x1xi8>
  // expected-error @below {{Reduction dimension is out of bounds: expected a dimension in [-2, 2), found 3}}
  %r = "ttir.reduce_and"(%a0, %e0) <{dim_arg = [3 : i32], keep_dim = true, operand_constraints = [#any, #any]}> : (tensor<2x3xi8>, tensor<2x1xi8>) -> tensor<2x1xi8>
  return %r : tensor<2x1xi8>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @reduce_or(%a0: tensor<2x3xi8>) -> tensor<3x1xi8> {
  %e0 = tensor.empty() : tensor<3x1xi8>
  // expected-error @below {{Output shape mismatch: expected 2x1, found 3x1}}
  %r = "ttir.reduce_or"(%a0, %e0) <{dim_arg = [1 : i32], keep_dim = true, operand_constraints = [#any, #any]}> : (tensor<2x3xi8>, tensor<3x1xi8>) -> tensor<3x1xi8>
  return %r : tensor<3x1xi8>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @zeros() -> tensor<2x3xf32> {
  %e0 = tensor.empty() : tensor<2x3xf32>
  // expected-error @below {{Output shape mismatch: expected 3x2, found 2x3}}
  %r = "ttir.zeros"(%e0) <{operand_constraints = [#any], shape = array<i32: 3, 2>}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @ones() -> tensor<2x3xf32> {
  %e0 = tensor.empty() : tensor<2x3xf32>
  // expected-error @below {{expected extents of 0 or more, found -1}}
  %r = "ttir.ones"(%e0) <{operand_constraints = [#any], shape = array<i32: -1, 2>}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @adamw(%a0: tensor<4x8xf32>, %a1: tensor<4x8xf32>, %a2: tensor<4x7xf32>, %a3: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) {
  %e0 = tensor.empty() : tensor<4x8xf32>
  %e1 = tensor.empty() : tensor<4x8xf32>
  %e2 = tensor.empty() : tensor<4x8xf32>
  // expected-error @below {{expected tensors of the parameter's shape 4x8, found 4x7}}
  %r:3 = "ttir.adamw"(%a0, %a1, %a2, %a3, %e0, %e1, %e2) <{beta1 = 5.000000e-01 : f32, beta1_pow = 5.000000e-01 : f32, beta2 = 5.000000e-01 : f32, beta2_pow = 5.000000e-01 : f32, epsilon = 5.000000e-01 : f32, lr = 5.000000e-01 : f32, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 3>, operand_constraints = [#any, #any, #any, #any, #any, #any, #any], stochastic_rounding = false, weight_decay = 5.000000e-01 : f32}> : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x7xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>)
  return %r#0, %r#1, %r#2 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @adamw(%a0: tensor<4x8xf32>, %a1: tensor<4x8xf32>, %a2: tensor<4x8xf32>, %a3: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) {
  %e0 = tensor.empty() : tensor<4x8xf32>
  %e1 = tensor.empty() : tensor<4x8xf32>
  %e2 = tensor.empty() : tensor<4x8xf32>
  // expected-error @below {{expected stochastic_rounding to be false, found true: results are rounded to the nearest}}
  %r:3 = "ttir.adamw"(%a0, %a1, %a2, %a3, %e0, %e1, %e2) <{beta1 = 5.000000e-01 : f32, beta1_pow = 5.000000e-01 : f32, beta2 = 5.000000e-01 : f32, beta2_pow = 5.000000e-01 : f32, epsilon = 5.000000e-01 : f32, lr = 5.000000e-01 : f32, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 3>, operand_constraints = [#any, #any, #any, #any, #any, #any, #any], stochastic_rounding = true, weight_decay = 5.000000e-01 : f32}> : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>)
  return %r#0, %r#1, %r#2 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
}
