// RUN: ttmlir-opt %s -split-input-file -verify-diagnostics
// Rules of linear algebra and of Fourier transforms.
#any = #tt.operand_constraint<any_device>
func.func @triangular_solve(%a0: tensor<4x4xf32>, %a1: tensor<5x2xf32>) -> tensor<5x2xf32> {
  %e0 = tensor.empty() : tensor<5x2xf32>
  // expected-error @below {{expected square matrices a and as many equations in b, found 4x4 and 5x2}}
  %r = "ttir.triangular_solve"(%a0, %a1, %e0) <{left_side = true, lower = true, operand_constraints = [#any, #any, #any], transpose_a = false, unit_diagonal = false}> : (tensor<4x4xf32>, tensor<5x2xf32>, tensor<5x2xf32>) -> tensor<5x2xf32>
  return %r : tensor<5x2xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @triangular_solve(%a0: tensor<4x4xi32>, %a1: tensor<4x2xi32>) -> tensor<4x2xi32> {
  %e0 = tensor.empty() : tensor<4x2xi32>
  // expected-error @below {{expected tensors of floats, found 'tensor<4x4xi32>'}}
  %r = "ttir.triangular_solve"(%a0, %a1, %e0) <{left_side = true, lower = true, operand_constraints = [#any, #any, #any], transpose_a = false, unit_diagonal = false}> : (tensor<4x4xi32>, tensor<4x2xi32>, tensor<4x2xi32>) -> tensor<4x2xi32>
  return %r : tensor<4x2xi32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @cholesky(%a0: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %e0 = tensor.empty() : tensor<4x5xf32>
  // expected-error @below {{expected square matrices of at most 1024 rows, found 4x5}}
  %r = "ttir.cholesky"(%a0, %e0) <{lower = true, operand_constraints = [#any, #any]}> : (tensor<4x5xf32>, tensor<4x5xf32>) -> tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @cholesky(%a0: tensor<4x4xi32>) -> tensor<4x4xi32> {
  %e0 = tensor.empty() : tensor<4x4xi32>
  // expected-error @below {{expected tensors of floats, found 'tensor<4x4xi32>'}}
  %r = "ttir.cholesky"(%a0, %e0) <{lower = true, operand_constraints = [#any, #any]}> : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi32>
  return %r : tensor<4x4xi32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @fft(%a0: tensor<4x8xf32>, %a1: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %e0 = tensor.empty() : tensor<4x8xf32>
  %e1 = tensor.empty() : tensor<4x8xf32>
  // expected-error @below {{expected fft_type to be fft, ifft, rfft or irfft, found}}
  %r:2 = "ttir.fft"(%a0, %a1, %e0, %e1) <{fft_length = array<i64: 8>, fft_type = "dct", operandSegmentSizes = array<i32: 1, 1, 2>, operand_constraints = [#any, #any, #any, #any]}> : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
  return %r#0, %r#1 : tensor<4x8xf32>, tensor<4x8xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @fft(%a0: tensor<4x8xf32>, %a1: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %e0 = tensor.empty() : tensor<4x8xf32>
  %e1 = tensor.empty() : tensor<4x8xf32>
  // expected-error @below {{expected 1 to 3 entries of fft_length, and not more than the rank 2, found 3}}
  %r:2 = "ttir.fft"(%a0, %a1, %e0, %e1) <{fft_length = array<i64: 2, 4, 8>, fft_type = "fft", operandSegmentSizes = array<i32: 1, 1, 2>, operand_constraints = [#any, #any, #any, #any]}> : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
  return %r#0, %r#1 : tensor<4x8xf32>, tensor<4x8xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @fft(%a0: tensor<4x8xf32>, %a1: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %e0 = tensor.empty() : tensor<4x8xf32>
  %e1 = tensor.empty() : tensor<4x8xf32>
  // expected-error @below {{expected an extent of 7 for the entry 7 of fft_length, found 8}}
  %r:2 = "ttir.fft"(%a0, %a1, %e0, %e1) <{fft_length = array<i64: 7>, fft_type = "fft", operandSegmentSizes = array<i32: 1, 1, 2>, operand_constraints = [#any, #any, #any, #any]}> : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
  return %r#0, %r#1 : tensor<4x8xf32>, tensor<4x8xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @fft(%a0: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %e0 = tensor.empty() : tensor<4x8xf32>
  %e1 = tensor.empty() : tensor<4x8xf32>
  // expected-error @below {{expected an imaginary part of the real part's shape but for rfft, found none}}
  %r:2 = "ttir.fft"(%a0, %e0, %e1) <{fft_length = array<i64: 8>, fft_type = "fft", operandSegmentSizes = array<i32: 1, 0, 2>, operand_constraints = [#any, #any, #any]}> : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
  return %r#0, %r#1 : tensor<4x8xf32>, tensor<4x8xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @fft(%a0: tensor<2x4099xf32>, %a1: tensor<2x4099xf32>) -> (tensor<2x4099xf32>, tensor<2x4099xf32>) {
  %e0 = tensor.empty() : tensor<2x4099xf32>
  %e1 = tensor.empty() : tensor<2x4099xf32>
  // expected-error @below {{expected prime factors of fft_length of at most 4096, found 4099}}
  %r:2 = "ttir.fft"(%a0, %a1, %e0, %e1) <{fft_length = array<i64: 4099>, fft_type = "fft", operandSegmentSizes = array<i32: 1, 1, 2>, operand_constraints = [#any, #any, #any, #any]}> : (tensor<2x4099xf32>, tensor<2x4099xf32>, tensor<2x4099xf32>, tensor<2x4099xf32>) -> (tensor<2x4099xf32>, tensor<2x4099xf32>)
  return %r#0, %r#1 : tensor<2x4099xf32>, tensor<2x4099xf32>
}
