// RUN: ttmlir-opt --ttir-split-long-integers --split-input-file --verify-diagnostics %s
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>

func.func @no_words(%x: tensor<4xsi64>) -> tensor<4xsi64> {
  %0 = tensor.empty() : tensor<4xsi64>
  %1 = "ttir.multiply"(%x, %x, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<4xsi64>, tensor<4xsi64>, tensor<4xsi64>) -> tensor<4xsi64>
  %2 = tensor.empty() : tensor<4xsi64>
  // expected-error @below {{computes with integers that may need more than 32 bits: -4611686016279904256 to 4611686018427387904; expected one of add, subtract}}
  %3 = "ttir.power"(%1, %x, %2) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<4xsi64>, tensor<4xsi64>, tensor<4xsi64>) -> tensor<4xsi64>
  return %3 : tensor<4xsi64>
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>

func.func private @inner(%x: tensor<4xsi64>) -> tensor<4xsi64> {
  %0 = tensor.empty() : tensor<4xsi64>
  %1 = "ttir.multiply"(%x, %x, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<4xsi64>, tensor<4xsi64>, tensor<4xsi64>) -> tensor<4xsi64>
  // expected-error @below {{returns integers that may need more than 32 bits from a private function}}
  return %1 : tensor<4xsi64>
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>

func.func @many(%x: tensor<33554432xsi64>) -> tensor<1xsi64> {
  %0 = tensor.empty() : tensor<1xsi64>
  // expected-error @below {{adds integers that may need more than 32 bits; expected up to 16777216 for an element of the result, found 33554432}}
  %1 = "ttir.sum"(%x, %0) <{keep_dim = true, operand_constraints = [#any, #any]}> : (tensor<33554432xsi64>, tensor<1xsi64>) -> tensor<1xsi64>
  return %1 : tensor<1xsi64>
}
