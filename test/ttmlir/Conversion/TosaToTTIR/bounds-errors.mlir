// RUN: ttmlir-opt --convert-tosa-to-ttir --split-input-file --verify-diagnostics %s
// What becomes ops piece by piece, or a table of indices, has a bound; so have tensors.

func.func @scatter(%a: tensor<1025x4x8xf32>, %i: tensor<1025x2xi32>, %b: tensor<1025x2x8xf32>) -> tensor<1025x4x8xf32> {
  // expected-error @+1 {{'tosa.scatter' op cannot be expressed in TTIR: expected at most 1024 batches, each of which is a scatter of its own, found 1025}}
  %0 = tosa.scatter %a, %i, %b : (tensor<1025x4x8xf32>, tensor<1025x2xi32>, tensor<1025x2x8xf32>) -> tensor<1025x4x8xf32>
  return %0 : tensor<1025x4x8xf32>
}

// -----

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

// -----

func.func @resize(%a: tensor<1x8194x1x1xf32>) -> tensor<1x16779265x1x1xf32> {
  %scale = tosa.const_shape {values = dense<[2048, 1, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %zeros = tosa.const_shape {values = dense<0> : tensor<2xindex>} : () -> !tosa.shape<2>
  // expected-error @+1 {{'tosa.resize' op cannot be expressed in TTIR: expected at most 16777216 places along a dimension of the result, found 16779265}}
  %0 = tosa.resize %a, %scale, %zeros, %zeros {mode = NEAREST_NEIGHBOR} : (tensor<1x8194x1x1xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x16779265x1x1xf32>
  return %0 : tensor<1x16779265x1x1xf32>
}
