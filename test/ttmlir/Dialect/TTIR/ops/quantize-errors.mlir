// RUN: ttmlir-opt %s -split-input-file -verify-diagnostics
// One case for each rule of the ops on quantized tensors.
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
!a = !quant.uniform<i8:f32, 0.5:3>
func.func @quantize_c1_input(%x: tensor<4x!a>) -> tensor<4x!a> {
  %0 = tensor.empty() : tensor<4x!a>
  // expected-error @+1 {{expected an input of floats, found 'tensor<4x!quant.uniform<i8:f32, 5.000000e-01:3>>'}}
  %1 = "ttir.quantize"(%x, %0) <{operand_constraints = [#any, #any]}> : (tensor<4x!a>, tensor<4x!a>) -> tensor<4x!a>
  return %1 : tensor<4x!a>
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @quantize_c1_result(%x: tensor<4xf32>) -> tensor<4xsi8> {
  %0 = tensor.empty() : tensor<4xsi8>
  // expected-error @+1 {{expected a result of !quant.uniform with a storage of 8, 16 or 32 bits, found 'tensor<4xsi8>'}}
  %1 = "ttir.quantize"(%x, %0) <{operand_constraints = [#any, #any]}> : (tensor<4xf32>, tensor<4xsi8>) -> tensor<4xsi8>
  return %1 : tensor<4xsi8>
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
!a = !quant.uniform<i8:f32, 0.5:3>
func.func @dequantize_c2(%x: tensor<4x!a>) -> tensor<5xf32> {
  %0 = tensor.empty() : tensor<5xf32>
  // expected-error @+1 {{Output shape mismatch: expected 4, found 5}}
  %1 = "ttir.dequantize"(%x, %0) <{operand_constraints = [#any, #any]}> : (tensor<4x!a>, tensor<5xf32>) -> tensor<5xf32>
  return %1 : tensor<5xf32>
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @unrolled_c1_axis(%x: tensor<4xf32>, %s: tensor<4xf32>, %z: tensor<4xsi32>) -> tensor<4xsi8> {
  %0 = tensor.empty() : tensor<4xsi8>
  // expected-error @+1 {{expected an axis in [-1, 1), found 1}}
  %1 = "ttir.quantize_unrolled"(%x, %s, %z, %0) <{axis = 1 : i32, operand_constraints = [#any, #any, #any, #any]}> : (tensor<4xf32>, tensor<4xf32>, tensor<4xsi32>, tensor<4xsi8>) -> tensor<4xsi8>
  return %1 : tensor<4xsi8>
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @unrolled_c1_count(%x: tensor<4xf32>, %s: tensor<4xf32>, %z: tensor<1xsi32>) -> tensor<4xsi8> {
  %0 = tensor.empty() : tensor<4xsi8>
  // expected-error @+1 {{expected scales and zero points of 4 elements, found 'tensor<1xsi32>'}}
  %1 = "ttir.quantize_unrolled"(%x, %s, %z, %0) <{axis = 0 : i32, operand_constraints = [#any, #any, #any, #any]}> : (tensor<4xf32>, tensor<4xf32>, tensor<1xsi32>, tensor<4xsi8>) -> tensor<4xsi8>
  return %1 : tensor<4xsi8>
}
