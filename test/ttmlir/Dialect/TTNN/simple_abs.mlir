// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline %s | FileCheck %s
// ttir.abs becomes ttnn.abs.
#any_device = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
// CHECK-LABEL: func.func @forward
func.func @forward(%arg0: tensor<64x128xf32>) -> tensor<64x128xf32> {
  // CHECK: %[[DEVICE:.*]] = "ttnn.get_device"
  // CHECK: %[[OUT:.*]] = "ttnn.empty"(%[[DEVICE]])
  %0 = tensor.empty() : tensor<64x128xf32>
  // CHECK: "ttnn.abs"(%{{.*}}, %[[OUT]]) <{operandSegmentSizes = array<i32: 1, 1>}>
  // CHECK-NOT: ttir
  %1 = "ttir.abs"(%arg0, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any_device, #any_device]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  // CHECK: "ttnn.to_memory_config"(%{{.*}}, %[[DEVICE]])
  return %1 : tensor<64x128xf32>
}
