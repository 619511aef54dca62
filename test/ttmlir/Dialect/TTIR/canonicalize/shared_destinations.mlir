// RUN: ttmlir-opt %s --cse --canonicalize | FileCheck %s
// RUN: ttmlir-opt %s --canonicalize --cse --ttir-to-ttnn-backend-pipeline | FileCheck %s --check-prefix=TTNN
// Equal ops become one whatever their destinations, dead ones go; in TTNN each call has a destination of its own.
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
// CHECK-LABEL: func.func @forward
// CHECK-NEXT: %[[E:.*]] = tensor.empty()
// CHECK-NEXT: %[[X:.*]] = "ttir.exp"(%arg0, %[[E]])
// CHECK-NEXT: %[[Y:.*]] = "ttir.sqrt"(%[[X]], %[[E]])
// CHECK-NEXT: %[[Z:.*]] = "ttir.add"(%[[X]], %[[Y]], %[[E]])
// CHECK-NEXT: return %[[Z]]
// TTNN-LABEL: func.func @forward
// TTNN: %[[E0:.*]] = "ttnn.empty"
// TTNN: %[[X:.*]] = "ttnn.exp"(%{{.*}}, %[[E0]])
// TTNN: %[[E1:.*]] = "ttnn.empty"
// TTNN: %[[Y:.*]] = "ttnn.sqrt"(%[[X]], %[[E1]])
// TTNN: %[[E2:.*]] = "ttnn.empty"
// TTNN: "ttnn.add"(%[[X]], %[[Y]], %[[E2]])
func.func @forward(%a: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %0 = tensor.empty() : tensor<64x128xf32>
  %1 = "ttir.exp"(%a, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  %2 = tensor.empty() : tensor<64x128xf32>
  %3 = "ttir.exp"(%a, %2) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  %4 = "ttir.sqrt"(%3, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  %5 = "ttir.neg"(%4, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  %6 = "ttir.add"(%1, %4, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %6 : tensor<64x128xf32>
}
