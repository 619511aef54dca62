// RUN: ttmlir-opt --convert-tosa-to-ttir --split-input-file --verify-diagnostics %s
// A table of indices has a bound; so have tensors.

func.func @reverse(%a: tensor<4x16777217xf32>) -> tensor<4x16777217xf32> {
  // expected-error @+1 {{'tosa.reverse' op cannot be expressed in TTIR: expected at most 16777216 elements in the order of the result, found 16777217}}
  %0 = tosa.reverse %a {axis = 1 : i32} : (tensor<4x16777217xf32>) -> tensor<4x16777217xf32>
  return %0 : tensor<4x16777217xf32>
}

// -----

// expected-error @+1 {{'func.func' op expected tensors with extents below 2^31 and at most 2^40 elements, found 'tensor<4x1152921504606846xf32>'}}
func.func @extent(%a: tensor<4x1152921504606846xf32>) -> tensor<4x1152921504606846xf32> {
  %0 = tosa.reverse %a {axis = 1 : i32} : (tensor<4x1152921504606846xf32>) -> tensor<4x1152921504606846xf32>
  return %0 : tensor<4x1152921504606846xf32>
}

// -----

// expected-error @+1 {{expected tensors with extents below 2^31 and at most 2^40 elements, found 'tensor<2x4294967296xi32>'}}
func.func @gather(%a: tensor<2x6x8xf32>, %i: tensor<2x4294967296xi32>) -> tensor<2x4294967296x8xf32> {
  %0 = tosa.gather %a, %i : (tensor<2x6x8xf32>, tensor<2x4294967296xi32>) -> tensor<2x4294967296x8xf32>
  return %0 : tensor<2x4294967296x8xf32>
}
