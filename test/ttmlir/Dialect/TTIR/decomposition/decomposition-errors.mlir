// RUN: ttmlir-opt --ttir-decomposition --split-input-file --verify-diagnostics %s
// What cannot be taken apart is an error at the op.
#any = #tt.operand_constraint<any_device>
func.func @count(%a: tensor<4097x4096xf32>) -> tensor<1xi32> {
  %0 = tensor.empty() : tensor<1xi32>
  // expected-error @below {{'ttir.argmax' op cannot be decomposed: expected at most 2^24 elements to compare, found 16781312}}
  %1 = "ttir.argmax"(%a, %0) <{keep_dim = false, operand_constraints = [#any, #any]}> : (tensor<4097x4096xf32>, tensor<1xi32>) -> tensor<1xi32>
  return %1 : tensor<1xi32>
}

// -----

func.func @dialect(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'arith.addf' op cannot be decomposed: expected ops of the 'ttir' dialect}}
  %0 = arith.addf %a, %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}
