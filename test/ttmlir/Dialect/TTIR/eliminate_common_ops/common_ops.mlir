// RUN: ttmlir-opt --ttir-eliminate-common-ops %s | FileCheck %s
// RUN: ttmlir-opt --ttir-eliminate-common-ops --remarks=ttir-eliminate-common-ops %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// Equal ops are computed once, unless something else has their results' memory.
#any = #tt.operand_constraint<any_device>
// REMARK: [Passed] Shared | Category:ttir-eliminate-common-ops | Function=chain | Op=ttir.exp, Reason="an equal op has the same operands: both are merged"
module {
// CHECK-LABEL: func.func @chain
// CHECK-COUNT-1: "ttir.exp"
// CHECK-NOT: "ttir.exp"
// CHECK-COUNT-1: "ttir.neg"
// CHECK-NOT: "ttir.neg"
// CHECK: %[[R:.*]] = "ttir.add"(%[[N:.*]], %[[N]], %{{.*}})
// CHECK: return %[[R]]
func.func @chain(%a: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = tensor.empty() : tensor<64x64xf32>
  %1 = "ttir.exp"(%a, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %2 = tensor.empty() : tensor<64x64xf32>
  %3 = "ttir.neg"(%1, %2) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %4 = tensor.empty() : tensor<64x64xf32>
  %5 = "ttir.exp"(%a, %4) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %6 = tensor.empty() : tensor<64x64xf32>
  %7 = "ttir.neg"(%5, %6) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %8 = tensor.empty() : tensor<64x64xf32>
  %9 = "ttir.add"(%3, %7, %8) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %9 : tensor<64x64xf32>
}

// Results that leave the function, into which another op writes, or whose
// destination two ops share.
// CHECK-LABEL: func.func @kept
// CHECK-COUNT-4: "ttir.exp"
func.func @kept(%a: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>) {
  %0 = tensor.empty() : tensor<64x64xf32>
  %1 = "ttir.exp"(%a, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %2 = tensor.empty() : tensor<64x64xf32>
  %3 = "ttir.exp"(%a, %2) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %4 = tensor.empty() : tensor<64x64xf32>
  %5 = "ttir.exp"(%a, %4) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %6 = "ttir.neg"(%a, %5) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %7 = "ttir.exp"(%a, %4) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %8 = tensor.empty() : tensor<64x64xf32>
  %9 = "ttir.add"(%6, %7, %8) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %1, %3, %9 : tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>
}
}
