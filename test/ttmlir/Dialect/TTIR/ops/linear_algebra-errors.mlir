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
  // expected-error @below {{expected square matrices of at most 4096 rows, found 4x5}}
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
func.func @fft(%a0: tensor<1x16777217xf32>, %a1: tensor<1x16777217xf32>) -> (tensor<1x16777217xf32>, tensor<1x16777217xf32>) {
  %e0 = tensor.empty() : tensor<1x16777217xf32>
  // expected-error @below {{expected entries of fft_length in [1, 16777216], found 16777217}}
  %r:2 = "ttir.fft"(%a0, %a1, %e0, %e0) <{fft_length = array<i64: 16777217>, fft_type = "fft", operandSegmentSizes = array<i32: 1, 1, 2>, operand_constraints = [#any, #any, #any, #any]}> : (tensor<1x16777217xf32>, tensor<1x16777217xf32>, tensor<1x16777217xf32>, tensor<1x16777217xf32>) -> (tensor<1x16777217xf32>, tensor<1x16777217xf32>)
  return %r#0, %r#1 : tensor<1x16777217xf32>, tensor<1x16777217xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @fft(%a0: tensor<8xsi32>, %e0: tensor<5xf32>) -> (tensor<5xf32>, tensor<5xf32>) {
  // expected-error @below {{expected tensors of floats, the real and the imaginary part of complex numbers, found 'tensor<8xsi32>'}}
  %r:2 = "ttir.fft"(%a0, %e0, %e0) <{fft_length = array<i64: 8>, fft_type = "rfft", operandSegmentSizes = array<i32: 1, 0, 2>, operand_constraints = [#any, #any, #any]}> : (tensor<8xsi32>, tensor<5xf32>, tensor<5xf32>) -> (tensor<5xf32>, tensor<5xf32>)
  return %r#0, %r#1 : tensor<5xf32>, tensor<5xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @topk_router_gpt(%a0: tensor<4x64xf32>, %a1: tensor<60x32xf32>, %a2: tensor<1x32xf32>) -> tensor<4x8xsi32> {
  %e0 = tensor.empty() : tensor<4x8xsi32>
  %e1 = tensor.empty() : tensor<4x8xf32>
  // expected-error @below {{expected an input (.., M, H) and a weight (H, 32), found 4x64 and 60x32}}
  %r:2 = "ttir.topk_router_gpt"(%a0, %a1, %a2, %e0, %e1) <{k = 4 : i32, num_experts = 32 : i32, operand_constraints = [#any, #any, #any, #any, #any]}> : (tensor<4x64xf32>, tensor<60x32xf32>, tensor<1x32xf32>, tensor<4x8xsi32>, tensor<4x8xf32>) -> (tensor<4x8xsi32>, tensor<4x8xf32>)
  return %r#0 : tensor<4x8xsi32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @topk_router_gpt(%a0: tensor<4x64xf32>, %a1: tensor<64x32xf32>, %a2: tensor<2x32xf32>) -> tensor<4x8xsi32> {
  %e0 = tensor.empty() : tensor<4x8xsi32>
  %e1 = tensor.empty() : tensor<4x8xf32>
  // expected-error @below {{expected a bias that broadcasts to 4x32, found 2x32}}
  %r:2 = "ttir.topk_router_gpt"(%a0, %a1, %a2, %e0, %e1) <{k = 4 : i32, num_experts = 32 : i32, operand_constraints = [#any, #any, #any, #any, #any]}> : (tensor<4x64xf32>, tensor<64x32xf32>, tensor<2x32xf32>, tensor<4x8xsi32>, tensor<4x8xf32>) -> (tensor<4x8xsi32>, tensor<4x8xf32>)
  return %r#0 : tensor<4x8xsi32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @topk_router_gpt(%a0: tensor<4x64xf32>, %a1: tensor<64x32xf32>, %a2: tensor<1x32xf32>) -> tensor<4x40xsi32> {
  %e0 = tensor.empty() : tensor<4x40xsi32>
  %e1 = tensor.empty() : tensor<4x40xf32>
  // expected-error @below {{expected a positive k that is, rounded up to a multiple of 8, at most 32, found 33}}
  %r:2 = "ttir.topk_router_gpt"(%a0, %a1, %a2, %e0, %e1) <{k = 33 : i32, num_experts = 32 : i32, operand_constraints = [#any, #any, #any, #any, #any]}> : (tensor<4x64xf32>, tensor<64x32xf32>, tensor<1x32xf32>, tensor<4x40xsi32>, tensor<4x40xf32>) -> (tensor<4x40xsi32>, tensor<4x40xf32>)
  return %r#0 : tensor<4x40xsi32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @topk_router_gpt(%a0: tensor<4x64xsi32>, %a1: tensor<64x32xf32>, %a2: tensor<1x32xf32>) -> tensor<4x8xsi32> {
  %e0 = tensor.empty() : tensor<4x8xsi32>
  %e1 = tensor.empty() : tensor<4x8xf32>
  // expected-error @below {{expected tensors of floats but for the places, found 'tensor<4x64xsi32>'}}
  %r:2 = "ttir.topk_router_gpt"(%a0, %a1, %a2, %e0, %e1) <{k = 4 : i32, num_experts = 32 : i32, operand_constraints = [#any, #any, #any, #any, #any]}> : (tensor<4x64xsi32>, tensor<64x32xf32>, tensor<1x32xf32>, tensor<4x8xsi32>, tensor<4x8xf32>) -> (tensor<4x8xsi32>, tensor<4x8xf32>)
  return %r#0 : tensor<4x8xsi32>
}
