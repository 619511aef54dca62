// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline %s | FileCheck %s
// ttir.softmax becomes ttnn.softmax.
#any_device = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
// CHECK-LABEL: func.func @forward
func.func @forward(%arg0: tensor<512x1024xbf16>) -> tensor<512x1024xbf16> {
  // CHECK: %[[DEVICE:.*]] = "ttnn.get_device"
  // CHECK: %[[OUT:.*]] = "ttnn.empty"(%[[DEVICE]])
  %0 = tensor.empty() : tensor<512x1024xbf16>
  // CHECK: "ttnn.softmax"(%{{.*}}, %[[OUT]]) <{dimension = -1 : si32}>
  // CHECK-NOT: ttir
  %1 = "ttir.softmax"(%arg0, %0) <{dimension = -1 : si32, operand_constraints = [#any_device, #any_device]}> : (tensor<512x1024xbf16>, tensor<512x1024xbf16>) -> tensor<512x1024xbf16>
  // CHECK: "ttnn.to_memory_config"(%{{.*}}, %[[DEVICE]])
  return %1 : tensor<512x1024xbf16>
}
