// RUN: ttmlir-opt --split-input-file --verify-diagnostics %s
// Tensors that no op works on.

#any = #tt.operand_constraint<any_device>
func.func @dynamic(%a: tensor<64x128xbf16>, %b: tensor<?x128xbf16>, %c: tensor<?xbf16>) -> tensor<64x96xbf16> {
  %0 = tensor.empty() : tensor<64x96xbf16>
  // expected-error @+1 {{'ttir.linear' op operand #1 must be ranked tensor of static shape, extents below 2^31 and at most 2^40 elements, which are integers, floats or tiles in a buffer, but got 'tensor<?x128xbf16>'}}
  %1 = "ttir.linear"(%a, %b, %c, %0) <{operand_constraints = [#any, #any, #any, #any], transpose_b = true}> : (tensor<64x128xbf16>, tensor<?x128xbf16>, tensor<?xbf16>, tensor<64x96xbf16>) -> tensor<64x96xbf16>
  return %1 : tensor<64x96xbf16>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @long(%a: tensor<2147483648xf32>) -> tensor<2147483648xf32> {
  %0 = tensor.empty() : tensor<2147483648xf32>
  // expected-error @+1 {{'ttir.relu' op operand #0 must be variadic of ranked tensor of static shape, extents below 2^31}}
  %1 = "ttir.relu"(%a, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<2147483648xf32>, tensor<2147483648xf32>) -> tensor<2147483648xf32>
  return %1 : tensor<2147483648xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @large(%a: tensor<65536x65536x65537xf32>) -> tensor<65536x65536x65537xf32> {
  %0 = tensor.empty() : tensor<65536x65536x65537xf32>
  // expected-error @+1 {{operand #0 must be variadic of ranked tensor}}
  %1 = "ttir.relu"(%a, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<65536x65536x65537xf32>, tensor<65536x65536x65537xf32>) -> tensor<65536x65536x65537xf32>
  return %1 : tensor<65536x65536x65537xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @complex(%a: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %0 = tensor.empty() : tensor<4xcomplex<f32>>
  // expected-error @+1 {{operand #0 must be variadic of ranked tensor}}
  %1 = "ttir.relu"(%a, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return %1 : tensor<4xcomplex<f32>>
}

// -----

// Tiles are elements of shards, not of tensors.
#any = #tt.operand_constraint<any_device>
!tiles = tensor<2x8x8x32x!tt.tile<32x32, f32>>
func.func @tiles(%a: !tiles) -> !tiles {
  %0 = tensor.empty() : !tiles
  // expected-error @+1 {{operand #0 must be variadic of ranked tensor}}
  %1 = "ttir.relu"(%a, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (!tiles, !tiles) -> !tiles
  return %1 : !tiles
}

// -----

func.func @of_a_call(%a: tensor<4x?xf32>, %d: tensor<4x8xf32>) {
  // expected-error @+1 {{'ttnn.relu' op operand #0 must be variadic of ranked tensor}}
  %0 = "ttnn.relu"(%a, %d) <{operandSegmentSizes = array<i32: 1, 1>}> : (tensor<4x?xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
