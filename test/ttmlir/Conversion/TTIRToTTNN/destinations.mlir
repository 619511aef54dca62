// RUN: ttmlir-opt --ttir-layout --ttir-optimizer --cse --canonicalize --convert-ttir-to-ttnn %s | FileCheck %s
// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline %s | FileCheck %s
// Calls write into their destinations: no two share one, and none is a value that is still needed.
#any_device = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
// CHECK-LABEL: func.func @forward
func.func @forward(%a: tensor<64x128xf32>, %b: tensor<64x128xf32>) -> (tensor<64x128xf32>, tensor<64x128xf32>) {
  %0 = tensor.empty() : tensor<64x128xf32>
  // CHECK: %[[E0:.*]] = "ttnn.empty"
  // CHECK: %[[ADD:.*]] = "ttnn.add"(%{{.*}}, %{{.*}}, %[[E0]])
  %1 = "ttir.add"(%a, %b, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  // CHECK: %[[E1:.*]] = "ttnn.empty"
  // CHECK: %[[SUB:.*]] = "ttnn.subtract"(%[[ADD]], %{{.*}}, %[[E1]])
  %2 = "ttir.subtract"(%1, %b, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  // CHECK: %[[E2:.*]] = "ttnn.empty"
  // CHECK: "ttnn.multiply"(%[[ADD]], %[[SUB]], %[[E2]])
  %3 = "ttir.multiply"(%1, %2, %1) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %1, %3 : tensor<64x128xf32>, tensor<64x128xf32>
}
