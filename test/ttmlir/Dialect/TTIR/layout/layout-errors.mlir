// RUN: ttmlir-opt --ttir-layout --split-input-file --verify-diagnostics %s
// Tensors that the chip has no format for are errors.
// expected-error @+1 {{cannot be laid out: expected tensors of static, positive extents and rank >= 1 of f32, f16, bf16, i32, si32, i16 or i8}}
func.func @dynamic(%arg0: tensor<?x128xf32>) -> tensor<?x128xf32> {
  return %arg0 : tensor<?x128xf32>
}

// -----

// expected-error @+1 {{cannot be laid out}}
func.func @i1(%arg0: tensor<64x128xi1>) -> tensor<64x128xi1> {
  return %arg0 : tensor<64x128xi1>
}

// -----

// expected-error @+1 {{cannot be laid out}}
func.func @no_elements(%arg0: tensor<0x128xf32>) -> tensor<0x128xf32> {
  return %arg0 : tensor<0x128xf32>
}

// -----

// expected-error @+1 {{cannot be laid out}}
func.func @scalar(%arg0: tensor<f32>) -> tensor<f32> {
  return %arg0 : tensor<f32>
}

// -----

func.func @control_flow(%arg0: i1, %arg1: tensor<64x128xf32>) -> tensor<64x128xf32> {
  // expected-error @+1 {{cannot be laid out: expected tensors to stay outside of control flow, found results of type 'tensor<64x128xf32>'}}
  %0 = scf.if %arg0 -> tensor<64x128xf32> {
    scf.yield %arg1 : tensor<64x128xf32>
  } else {
    scf.yield %arg1 : tensor<64x128xf32>
  }
  return %0 : tensor<64x128xf32>
}
