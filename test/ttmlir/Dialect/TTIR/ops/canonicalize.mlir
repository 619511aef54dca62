// RUN: ttmlir-opt %s -canonicalize -cse | FileCheck %s
// An idempotent op of itself folds, equal ops become one, dead ones go; two inputs are never exchanged with the destination.
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
// CHECK-LABEL: func.func @relu_twice
// CHECK: "ttir.relu"
// CHECK-NOT: "ttir.relu"
// CHECK: return
func.func @relu_twice(%a: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %0 = tensor.empty() : tensor<64x128xf32>
  %1 = "ttir.relu"(%a, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  %2 = tensor.empty() : tensor<64x128xf32>
  %3 = "ttir.relu"(%1, %2) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  %4 = "ttir.exp"(%3, %2) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %3 : tensor<64x128xf32>
}
// CHECK-LABEL: func.func @constant_first
// CHECK-SAME: (%[[A:.*]]: tensor<64x128xf32>)
// CHECK-DAG: %[[C:.*]] = "ttir.constant"
// CHECK-DAG: %[[E:.*]] = tensor.empty
// CHECK: "ttir.add"(%[[C]], %[[A]], %[[E]])
// CHECK: return
func.func @constant_first(%a: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %c = "ttir.constant"() <{value = dense<1.0> : tensor<64x128xf32>}> : () -> tensor<64x128xf32>
  %0 = tensor.empty() : tensor<64x128xf32>
  %1 = "ttir.add"(%c, %a, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %1 : tensor<64x128xf32>
}
