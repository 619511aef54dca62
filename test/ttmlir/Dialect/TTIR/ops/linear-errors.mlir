// RUN: not ttmlir-opt %s 2>&1 | FileCheck %s
// RUN: not ttmlir-translate --ttnn-to-flatbuffer %s 2>&1 | FileCheck %s
// RUN: ttmlir-opt --verify-diagnostics %s
// A product that does not fit is an error without a bias too, and the tools fail.

#any = #tt.operand_constraint<any_device>
func.func @without_bias(%a: tensor<8x4xf32>, %b: tensor<8x9xf32>) -> tensor<3x3xf32> {
  %0 = tensor.empty() : tensor<3x3xf32>
  // CHECK: error: 'ttir.linear' op Input A and B must have matching inner dimensions
  // expected-error @+1 {{'ttir.linear' op Input A and B must have matching inner dimensions: a is 8x4, b is 8x9, expected b to have 4 rows}}
  %1 = "ttir.linear"(%a, %b, %0) <{operand_constraints = [#any, #any, #any]}> : (tensor<8x4xf32>, tensor<8x9xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  return %1 : tensor<3x3xf32>
}
