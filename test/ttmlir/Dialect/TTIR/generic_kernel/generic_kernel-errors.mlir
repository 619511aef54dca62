// RUN: ttmlir-opt --ttir-generic-kernel --split-input-file --verify-diagnostics %s
// A kernel that nobody knows how to walk.
#any = #tt.operand_constraint<any>
func.func @kind(%a: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %0 = tensor.empty() : tensor<64x128xf32>
  // expected-error @below {{expected a kernel of kind 'eltwise' or 'matmul', found 'sort'}}
  %1 = "ttir.kernel"(%a, %0) <{kind = @sort, op = @up, operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %1 : tensor<64x128xf32>
}

// -----

#any = #tt.operand_constraint<any>
func.func @ranks(%a: tensor<128xf32>) -> tensor<64x128xf32> {
  %0 = tensor.empty() : tensor<64x128xf32>
  // expected-error @below {{expected operands of one rank to be put into a ttir.generic}}
  %1 = "ttir.kernel"(%a, %0) <{kind = @eltwise, op = @up, operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %1 : tensor<64x128xf32>
}
