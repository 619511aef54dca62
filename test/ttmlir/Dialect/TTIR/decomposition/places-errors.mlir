// RUN: ttmlir-opt --ttir-decomposition %s -split-input-file -verify-diagnostics
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
func.func @bits(%a: tensor<4x8xf32>) -> tensor<4x8x2xi16> {
  %0 = tensor.empty() : tensor<4x8x2xi16>
  // expected-error @below {{cannot be decomposed: expected elements of one size, found 'f32' and 'i16'}}
  %1 = "ttir.bitcast_convert"(%a, %0) <{operand_constraints = [#any, #any]}> : (tensor<4x8xf32>, tensor<4x8x2xi16>) -> tensor<4x8x2xi16>
  return %1 : tensor<4x8x2xi16>
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
func.func @rows(%a: tensor<16777217x1xf32>, %b: tensor<5xi32>, %c: tensor<5x1xf32>) -> tensor<16777217x1xf32> {
  %0 = tensor.empty() : tensor<16777217x1xf32>
  // expected-error @below {{cannot be decomposed: expected at most 2^24 rows to combine, found 16777217}}
  %1 = "ttir.scatter_rows"(%a, %b, %c, %0) <{operand_constraints = [#any, #any, #any, #any], reduce_type = #tt.reduce_type<sum>}> : (tensor<16777217x1xf32>, tensor<5xi32>, tensor<5x1xf32>, tensor<16777217x1xf32>) -> tensor<16777217x1xf32>
  return %1 : tensor<16777217x1xf32>
}
