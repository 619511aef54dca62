// RUN: ttmlir-opt %s --ttir-to-ttnn-backend-pipeline --cse --canonicalize | FileCheck %s
// Calls write to their destinations: two equal ones stay two, and none is removed. What they
// read is brought to the device once.
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
// CHECK-LABEL: func.func @forward
// CHECK: "ttnn.to_device"
// CHECK: %[[E0:.*]] = "ttnn.empty"
// CHECK: %[[X:.*]] = "ttnn.exp"(%{{.*}}, %[[E0]])
// CHECK-NOT: "ttnn.to_device"
// CHECK: %[[E1:.*]] = "ttnn.empty"
// CHECK: %[[Y:.*]] = "ttnn.exp"(%{{.*}}, %[[E1]])
// CHECK: %[[E2:.*]] = "ttnn.empty"
// CHECK: "ttnn.add"(%[[X]], %[[Y]], %[[E2]])
func.func @forward(%a: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %0 = tensor.empty() : tensor<64x128xf32>
  %1 = "ttir.exp"(%a, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  %2 = tensor.empty() : tensor<64x128xf32>
  %3 = "ttir.exp"(%a, %2) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  %4 = tensor.empty() : tensor<64x128xf32>
  %5 = "ttir.add"(%1, %3, %4) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %5 : tensor<64x128xf32>
}
