// RUN: ttmlir-opt --ttir-load-system-desc --ttir-layout --ttir-const-eval %s | FileCheck %s
// RUN: ttmlir-opt --ttir-load-system-desc --ttir-layout --ttir-const-eval --mlir-pass-statistics %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNT
// COUNT: (S) 4 num-hoisted
// What loops and branches compute of constants is not computed in every turn.

#any = #tt.operand_constraint<any_device>

// Both parts of the inner loop have one; they move into the outer loop, and out of that; a splat stays.
// CHECK-LABEL: func.func private @forward_const_eval_0
// CHECK-COUNT-2: "ttir.constant"
// CHECK-LABEL: func.func @forward
// CHECK: %[[C:.*]]:2 = tt.load_cached(@forward_const_eval_0, [])
// CHECK: tt.for(@outer, 3, [%{{.*}}], [%[[C]]#0, %[[C]]#1])
// CHECK-LABEL: func.func private @outer(
// CHECK-SAME: %[[X:[^:]*]]: tensor<2x2xf32, #{{.*}}>, %[[A:[^:]*]]: tensor<2x2xf32, #{{.*}}>, %[[B:[^:]*]]: tensor<1x2xf32, #{{.*}}>)
// CHECK-NOT: "ttir.constant"
// CHECK: tt.while(@before, @after, [%[[X]]], [%[[A]], %[[B]]])
// CHECK-LABEL: func.func private @before(
// CHECK-SAME: %[[X:[^:]*]]: tensor<2x2xf32, #{{.*}}>, %[[A:[^:]*]]: tensor<2x2xf32, #{{.*}}>, %{{[^:]*}}: tensor<1x2xf32, #{{.*}}>)
// CHECK: "ttir.add"(%[[X]], %[[A]], %{{.*}})
// CHECK-LABEL: func.func private @after(
// CHECK-SAME: %[[X:[^:]*]]: tensor<2x2xf32, #{{.*}}>, %{{[^:]*}}: tensor<2x2xf32, #{{.*}}>, %[[B:[^:]*]]: tensor<1x2xf32, #{{.*}}>)
// CHECK: %[[Y:.*]] = "ttir.add"(%[[X]], %[[B]], %{{.*}})
// CHECK: %[[SPLAT:.*]] = "ttir.constant"
// CHECK: "ttir.add"(%[[Y]], %[[SPLAT]], %{{.*}})
func.func @forward(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0 = tt.for(@outer, 3, [%x], []) : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}
func.func private @outer(%x: tensor<2x2xf32>) -> tensor<2x2xf32> attributes {tt.part} {
  %0 = tt.while(@before, @after, [%x], []) : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}
func.func private @before(%x: tensor<2x2xf32>) -> (tensor<1xf32>, tensor<2x2xf32>) attributes {tt.part} {
  %c = "ttir.constant"() <{value = dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>}> : () -> tensor<2x2xf32>
  %0 = tensor.empty() : tensor<2x2xf32>
  %1 = "ttir.add"(%x, %c, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %2 = "ttir.constant"() <{value = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  return %2, %1 : tensor<1xf32>, tensor<2x2xf32>
}
func.func private @after(%x: tensor<2x2xf32>) -> tensor<2x2xf32> attributes {tt.part} {
  %c = "ttir.constant"() <{value = dense<[[1.0, 2.0]]> : tensor<1x2xf32>}> : () -> tensor<1x2xf32>
  %splat = "ttir.constant"() <{value = dense<2.0> : tensor<2x2xf32>}> : () -> tensor<2x2xf32>
  %0 = tensor.empty() : tensor<2x2xf32>
  %1 = "ttir.add"(%x, %c, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<2x2xf32>, tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %2 = tensor.empty() : tensor<2x2xf32>
  %3 = "ttir.add"(%1, %splat, %2) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return %3 : tensor<2x2xf32>
}
