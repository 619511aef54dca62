// RUN: ttmlir-opt %s -split-input-file -verify-diagnostics
// One case for each rule of the elementwise ops.
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @not_compatible(%a: tensor<64x128xf32>, %b: tensor<64x96xf32>) {
  %0 = tensor.empty() : tensor<64x128xf32>
  // expected-error @+1 {{'ttir.add' op Operands are not broadcast compatible: found 64x128, 64x96, 64x128}}
  %1 = "ttir.add"(%a, %b, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x128xf32>, tensor<64x96xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @result_shape(%a: tensor<64x128xf32>, %b: tensor<64x128xf32>) {
  %0 = tensor.empty() : tensor<1x128xf32>
  // expected-error @+1 {{'ttir.multiply' op Result shape must match operand shapes after broadcasting: expected 64x128, found 1x128}}
  %1 = "ttir.multiply"(%a, %b, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<1x128xf32>) -> tensor<1x128xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @arity(%a: tensor<64x128xf32>) {
  %0 = tensor.empty() : tensor<64x128xf32>
  // expected-error @+1 {{'ttir.relu' op expected 1 input, one output and one result, found 3 operands and 1 results}}
  %1 = "ttir.relu"(%a, %a, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @result_type(%a: tensor<64x128xf32>) {
  %0 = tensor.empty() : tensor<64x128xbf16>
  // expected-error @+1 {{'ttir.relu' op expected type of operand #1 ('tensor<64x128xbf16>') to match type of corresponding result ('tensor<64x128xf32>')}}
  %1 = "ttir.relu"(%a, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x128xf32>, tensor<64x128xbf16>) -> tensor<64x128xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @constraints(%a: tensor<64x128xf32>) {
  %0 = tensor.empty() : tensor<64x128xf32>
  // expected-error @+1 {{'ttir.relu' op operand_constraints must have one entry for each operand: expected 2, found 1}}
  %1 = "ttir.relu"(%a, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return
}
