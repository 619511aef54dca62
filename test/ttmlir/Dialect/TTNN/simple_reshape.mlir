// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline %s | FileCheck %s
// ttir.reshape becomes ttnn.reshape.
#any_device = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
// CHECK-LABEL: func.func @forward
func.func @forward(%arg0: tensor<4x2x32x32xbf16>) -> tensor<2x4x32x32xbf16> {
  // CHECK: %[[DEVICE:.*]] = "ttnn.get_device"
  // CHECK: %[[OUT:.*]] = "ttnn.empty"(%[[DEVICE]])
  %0 = tensor.empty() : tensor<2x4x32x32xbf16>
  // CHECK: "ttnn.reshape"(%{{.*}}, %[[OUT]]) <{shape = [2 : i32, 4 : i32, 32 : i32, 32 : i32]}>
  // CHECK-NOT: ttir
  %1 = "ttir.reshape"(%arg0, %0) <{operand_constraints = [#any_device, #any_device], shape = [2 : i32, 4 : i32, 32 : i32, 32 : i32]}> : (tensor<4x2x32x32xbf16>, tensor<2x4x32x32xbf16>) -> tensor<2x4x32x32xbf16>
  // CHECK: "ttnn.to_memory_config"(%{{.*}}, %[[DEVICE]])
  return %1 : tensor<2x4x32x32xbf16>
}
