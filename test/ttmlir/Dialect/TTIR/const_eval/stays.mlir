// RUN: ttmlir-opt --ttir-const-eval %s | FileCheck %s
// A result that the function returns, or that another op writes into, stays where it is,
// and so does what is made of it.

#any = #tt.operand_constraint<any_device>

// CHECK-NOT: tt.load_cached
// CHECK-LABEL: func.func @returned(
// CHECK: "ttir.exp"
// CHECK: "ttir.neg"
func.func @returned(%x: tensor<1x4xf32>, %w: tensor<1x4xf32> {tt.argument_type = #tt.argument_type<parameter>}) -> (tensor<1x4xf32>, tensor<1x4xf32>) {
  %0 = tensor.empty() : tensor<1x4xf32>
  %1 = "ttir.exp"(%w, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
  %2 = tensor.empty() : tensor<1x4xf32>
  %3 = "ttir.neg"(%1, %2) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
  %4 = tensor.empty() : tensor<1x4xf32>
  %5 = "ttir.add"(%x, %3, %4) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
  return %5, %1 : tensor<1x4xf32>, tensor<1x4xf32>
}

// CHECK-LABEL: func.func @written(
// CHECK: %[[E:.*]] = "ttir.exp"
// CHECK: "ttir.neg"
// CHECK: "ttir.add"(%{{.*}}, %{{.*}}, %[[E]])
// CHECK-NOT: tt.load_cached
func.func @written(%x: tensor<1x4xf32>, %w: tensor<1x4xf32> {tt.argument_type = #tt.argument_type<parameter>}) -> tensor<1x4xf32> {
  %0 = tensor.empty() : tensor<1x4xf32>
  %1 = "ttir.exp"(%w, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
  %2 = tensor.empty() : tensor<1x4xf32>
  %3 = "ttir.neg"(%1, %2) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
  %4 = "ttir.add"(%x, %3, %1) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
  return %4 : tensor<1x4xf32>
}
