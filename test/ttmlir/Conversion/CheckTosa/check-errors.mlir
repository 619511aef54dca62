// RUN: ttmlir-opt --check-tosa --split-input-file --verify-diagnostics %s
// RUN: ttmlir-opt --tosa-to-ttir --split-input-file --verify-diagnostics %s
// Rules of the specification, also where the op would fold away.

func.func @rank(%a: tensor<1x2x1x2x1x2x3xf32>) -> tensor<1x2x1x2x1x2x3xf32> {
  // expected-error @+1 {{'tosa.reduce_sum' op expected tensors of at most 6 dimensions, as TOSA has them, found 'tensor<1x2x1x2x1x2x3xf32>'}}
  %0 = tosa.reduce_sum %a {axis = 0 : i32} : (tensor<1x2x1x2x1x2x3xf32>) -> tensor<1x2x1x2x1x2x3xf32>
  return %0 : tensor<1x2x1x2x1x2x3xf32>
}

// -----

func.func @slice(%a: tensor<12x8xi32>) -> tensor<12x8xi32> {
  %b = tosa.const_shape {values = dense<[0, 7]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %s = tosa.const_shape {values = dense<[0, -2]> : tensor<2xindex>} : () -> !tosa.shape<2>
  // expected-error @+1 {{'tosa.slice' op expected the sizes of the result, found 0, -2 for 'tensor<12x8xi32>'}}
  %0 = tosa.slice %a, %b, %s : (tensor<12x8xi32>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<12x8xi32>
  return %0 : tensor<12x8xi32>
}

// -----

func.func @tile(%a: tensor<3x3xf32>) -> tensor<3x3xf32> {
  %m = tosa.const_shape {values = dense<[1, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
  // expected-error @+1 {{'tosa.tile' op expected the multiples that lead to the result, found 1, 2 for 'tensor<3x3xf32>' to 'tensor<3x3xf32>'}}
  %0 = tosa.tile %a, %m : (tensor<3x3xf32>, !tosa.shape<2>) -> tensor<3x3xf32>
  return %0 : tensor<3x3xf32>
}

// -----

func.func @extent(%a: tensor<1x8194x1x1xf32>) -> tensor<1x16387x1x1xf32> {
  %scale = tosa.const_shape {values = dense<[2, 1, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %zeros = tosa.const_shape {values = dense<0> : tensor<2xindex>} : () -> !tosa.shape<2>
  // expected-error @+1 {{'tosa.resize' op expected extents of 1 to 16383, found 16387}}
  %0 = tosa.resize %a, %scale, %zeros, %zeros {mode = NEAREST_NEIGHBOR} : (tensor<1x8194x1x1xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x16387x1x1xf32>
  return %0 : tensor<1x16387x1x1xf32>
}

// -----

func.func @scale(%a: tensor<1x2x2x1xf32>) -> tensor<1x2050x2x1xf32> {
  %scale = tosa.const_shape {values = dense<[2049, 1, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %zeros = tosa.const_shape {values = dense<0> : tensor<2xindex>} : () -> !tosa.shape<2>
  // expected-error @+1 {{'tosa.resize' op expected numerators of the scale of 1 to 2048, found 2049}}
  %0 = tosa.resize %a, %scale, %zeros, %zeros {mode = NEAREST_NEIGHBOR} : (tensor<1x2x2x1xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x2050x2x1xf32>
  return %0 : tensor<1x2050x2x1xf32>
}

// -----

func.func @offset(%a: tensor<1x4x4x1xf32>) -> tensor<1x10x7x1xf32> {
  %scale = tosa.const_shape {values = dense<[2, 1, 2, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %offset = tosa.const_shape {values = dense<[-3, 0]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %border = tosa.const_shape {values = dense<0> : tensor<2xindex>} : () -> !tosa.shape<2>
  // expected-error @+1 {{'tosa.resize' op expected offsets of -2 to 31, found -3}}
  %0 = tosa.resize %a, %scale, %offset, %border {mode = NEAREST_NEIGHBOR} : (tensor<1x4x4x1xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x10x7x1xf32>
  return %0 : tensor<1x10x7x1xf32>
}

// -----

func.func @border(%a: tensor<1x4x4x1xf32>) -> tensor<1x9x7x1xf32> {
  %scale = tosa.const_shape {values = dense<[2, 1, 2, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %offset = tosa.const_shape {values = dense<0> : tensor<2xindex>} : () -> !tosa.shape<2>
  %border = tosa.const_shape {values = dense<[2, 0]> : tensor<2xindex>} : () -> !tosa.shape<2>
  // expected-error @+1 {{'tosa.resize' op expected borders of -32 to 1, found 2}}
  %0 = tosa.resize %a, %scale, %offset, %border {mode = NEAREST_NEIGHBOR} : (tensor<1x4x4x1xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x9x7x1xf32>
  return %0 : tensor<1x9x7x1xf32>
}

// -----

func.func @unsigned(%a: tensor<7xi32>) -> tensor<7xi8> {
  %m = "tosa.const"() <{values = dense<25727> : tensor<1xi16>}> : () -> tensor<1xi16>
  %s = "tosa.const"() <{values = dense<40> : tensor<1xi8>}> : () -> tensor<1xi8>
  %i = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %o = "tosa.const"() <{values = dense<45> : tensor<1xi8>}> : () -> tensor<1xi8>
  // expected-error @+1 {{'tosa.rescale' op expected a signed input and a signed output where one has more than 16 bits, found an unsigned output, 'tensor<7xi32>' to 'tensor<7xi8>'}}
  %0 = tosa.rescale %a, %m, %s, %i, %o {input_unsigned = false, output_unsigned = true, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = false} : (tensor<7xi32>, tensor<1xi16>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<7xi8>
  return %0 : tensor<7xi8>
}

// -----

func.func @both_unsigned(%a: tensor<7xi8>) -> tensor<7xi8> {
  %m = "tosa.const"() <{values = dense<25727> : tensor<1xi16>}> : () -> tensor<1xi16>
  %s = "tosa.const"() <{values = dense<14> : tensor<1xi8>}> : () -> tensor<1xi8>
  %z = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  // expected-error @+1 {{'tosa.rescale' op expected a signed input or a signed output, found both unsigned}}
  %0 = tosa.rescale %a, %m, %s, %z, %z {input_unsigned = true, output_unsigned = true, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = false} : (tensor<7xi8>, tensor<1xi16>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<7xi8>
  return %0 : tensor<7xi8>
}

// -----

func.func @wide_multiplier(%a: tensor<7xi48>) -> tensor<7xi8> {
  %m = "tosa.const"() <{values = dense<-3> : tensor<1xi16>}> : () -> tensor<1xi16>
  %s = "tosa.const"() <{values = dense<14> : tensor<1xi8>}> : () -> tensor<1xi8>
  %i = "tosa.const"() <{values = dense<0> : tensor<1xi48>}> : () -> tensor<1xi48>
  %o = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  // expected-error @+1 {{'tosa.rescale' op expected multipliers of 0 to 32767, found -3}}
  %0 = tosa.rescale %a, %m, %s, %i, %o {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = false} : (tensor<7xi48>, tensor<1xi16>, tensor<1xi8>, tensor<1xi48>, tensor<1xi8>) -> tensor<7xi8>
  return %0 : tensor<7xi8>
}

// -----

// The fold of a slice of a constant would fail.
func.func @slice_start() -> tensor<1xi32> {
  %a = "tosa.const"() <{values = dense<[1, 2, 3]> : tensor<3xi32>}> : () -> tensor<3xi32>
  %b = tosa.const_shape {values = dense<-1> : tensor<1xindex>} : () -> !tosa.shape<1>
  %s = tosa.const_shape {values = dense<1> : tensor<1xindex>} : () -> !tosa.shape<1>
  // expected-error @+1 {{'tosa.slice' op expected a start of 0 to 2, found -1}}
  %0 = tosa.slice %a, %b, %s : (tensor<3xi32>, !tosa.shape<1>, !tosa.shape<1>) -> tensor<1xi32>
  return %0 : tensor<1xi32>
}
