// RUN: ttmlir-opt --convert-tosa-to-ttir --split-input-file --verify-diagnostics %s
// What TTIR cannot express is one error at the op.

func.func @shift(%a: tensor<4xi32>, %b: tensor<4xi32>, %s: tensor<1xi8>) -> tensor<4xi32> {
  // expected-error @+1 {{'tosa.mul' op cannot be expressed in TTIR: expected a constant shift of 0 to 62, found another value}}
  %0 = tosa.mul %a, %b, %s : (tensor<4xi32>, tensor<4xi32>, tensor<1xi8>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

func.func @zero_point(%a: tensor<1x4x8xf32>, %b: tensor<1x8x4xf32>, %z: tensor<1xf32>) -> tensor<1x4x4xf32> {
  // expected-error @+1 {{'tosa.matmul' op cannot be expressed in TTIR: expected a constant zero point}}
  %0 = tosa.matmul %a, %b, %z, %z : (tensor<1x4x8xf32>, tensor<1x8x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4xf32>
  return %0 : tensor<1x4x4xf32>
}

// -----

// expected-error @+1 {{'func.func' op expected tensors of static, non-empty shape with elements f64, f32, f16, bf16, i1, or integers of 8, 16, 32 or 64 bits, found 'tensor<4xi4>'}}
func.func @argument_elements(%a: tensor<4xi4>) -> tensor<4xi4> {
  return %a : tensor<4xi4>
}

// -----

// expected-error @+1 {{expected tensors of static, non-empty shape with elements f64, f32, f16, bf16, i1, or integers of 8, 16, 32 or 64 bits, found 'tensor<?xf32>'}}
func.func @dynamic_shape(%a: tensor<?xf32>) -> tensor<?xf32> {
  %0 = tosa.abs %a : (tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// expected-error @+1 {{found 'tensor<4x0xf32>'}}
func.func @no_elements(%a: tensor<4x0xf32>) -> tensor<4x0xf32> {
  return %a : tensor<4x0xf32>
}

// -----

func.func @loads_the_dialect(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = tosa.abs %a : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// expected-error @+1 {{found 'tensor<4x!quant.uniform<i8:f32, 2.000000e+00>>'}}
func.func @quantized(%a: tensor<4x!quant.uniform<i8:f32, 2.0>>) -> tensor<4x!quant.uniform<i8:f32, 2.0>> {
  return %a : tensor<4x!quant.uniform<i8:f32, 2.0>>
}

// -----

// expected-error @+1 {{found 'f32'}}
func.func @scalar_argument(%a: f32) {
  return
}

// -----

func.func @intermediate(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'tosa.cast' op expected tensors of static, non-empty shape with elements f64, f32, f16, bf16, i1, or integers of 8, 16, 32 or 64 bits, found 'tensor<4xi4>'}}
  %0 = tosa.cast %a : (tensor<4xf32>) -> tensor<4xi4>
  %1 = tosa.cast %0 : (tensor<4xi4>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// A constant of another type is no operand of an op on data.
func.func @constant_operand() -> tensor<4xf32> {
  %c = "tosa.const"() <{values = dense<1> : tensor<4xi4>}> : () -> tensor<4xi4>
  // expected-error @+1 {{'tosa.cast' op expected tensors of static, non-empty shape with elements f64, f32, f16, bf16, i1, or integers of 8, 16, 32 or 64 bits, found 'tensor<4xi4>'}}
  %0 = tosa.cast %c : (tensor<4xi4>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @wide(%a: tensor<4xi48>) -> tensor<4xi48> {
  %s = tosa.const_shape {values = dense<2> : tensor<1xindex>} : () -> !tosa.shape<1>
  // expected-error @+1 {{'tosa.tile' op cannot be expressed in TTIR: expected elements of at most 32 bits, found 'tensor<4xi48>'}}
  %0 = tosa.tile %a, %s : (tensor<4xi48>, !tosa.shape<1>) -> tensor<8xi48>
  return %a : tensor<4xi48>
}

// -----

func.func @parameter(%a: tensor<4xf32>, %p: tensor<1xf32>) -> tensor<6xf32> {
  %s = tosa.const_shape {values = dense<1> : tensor<2xindex>} : () -> !tosa.shape<2>
  // expected-error @+1 {{'tosa.pad' op cannot be expressed in TTIR: expected a constant pad_const}}
  %0 = tosa.pad %a, %s, %p : (tensor<4xf32>, !tosa.shape<2>, tensor<1xf32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}

// -----

func.func @control_flow(%c: tensor<i1>, %a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'tosa.cond_if' op cannot be expressed in TTIR: --convert-scf-to-tt makes parts of the program of it before}}
  %0 = tosa.cond_if %c (%x = %a) : tensor<i1> (tensor<4xf32>) -> tensor<4xf32> {
    ^bb0(%b: tensor<4xf32>):
    tosa.yield %b : tensor<4xf32>
  } else {
    ^bb0(%b: tensor<4xf32>):
    tosa.yield %b : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

// expected-error @+1 {{'func.func' op expected one block, found 2: TTIR has no control flow}}
func.func @blocks(%a: tensor<4xf32>) -> tensor<4xf32> {
  cf.br ^next
^next:
  return %a : tensor<4xf32>
}

// -----

func.func @foreign(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'emitc.call_opaque' op cannot be expressed in TTIR: expected ops of the dialects func, arith, linalg, math, tensor, tosa, ttir}}
  %0 = emitc.call_opaque "f"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// expected-error @+1 {{'ml_program.global' op cannot be expressed in TTIR: expected ops of the dialects func, arith, linalg, math, tensor, tosa, ttir}}
ml_program.global private @state(dense<0> : tensor<4xi32>) : tensor<4xi32>
