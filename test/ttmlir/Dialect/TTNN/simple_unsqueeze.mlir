// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline %s | FileCheck %s
// ttir.unsqueeze becomes ttnn.reshape, at the last position too.
#any_device = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
// CHECK-LABEL: func.func @forward
func.func @forward(%arg0: tensor<4x2x32x32xbf16>) -> tensor<4x2x32x32x1xbf16> {
  // CHECK: %[[DEVICE:.*]] = "ttnn.get_device"
  // CHECK: %[[OUT:.*]] = "ttnn.empty"(%[[DEVICE]])
  %0 = tensor.empty() : tensor<4x2x32x32x1xbf16>
  // CHECK: "ttnn.reshape"(%{{.*}}, %[[OUT]]) <{shape = [4 : i32, 2 : i32, 32 : i32, 32 : i32, 1 : i32]}>
  // CHECK-NOT: ttir
  %1 = "ttir.unsqueeze"(%arg0, %0) <{dim = 4 : si32, operand_constraints = [#any_device, #any_device]}> : (tensor<4x2x32x32xbf16>, tensor<4x2x32x32x1xbf16>) -> tensor<4x2x32x32x1xbf16>
  // CHECK: "ttnn.to_memory_config"(%{{.*}}, %[[DEVICE]])
  return %1 : tensor<4x2x32x32x1xbf16>
}
