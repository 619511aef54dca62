// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline %s | FileCheck %s
// An elementwise op of two inputs becomes one library call on the device.
#any_device = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
module attributes {} {
  func.func @forward(%arg0: tensor<64x128xf32>, %arg1: tensor<64x128xf32>) -> tensor<64x128xf32> {
    // CHECK: %[[DEVICE:.*]] = "ttnn.get_device"() : () -> !tt.device<#device>
    // CHECK: %[[OUT:.*]] = "ttnn.empty"(%[[DEVICE]])
    %0 = tensor.empty() : tensor<64x128xf32>
    // CHECK: %[[RESULT:.*]] = "ttnn.maximum"(%{{.*}}, %{{.*}}, %[[OUT]]) <{operandSegmentSizes = array<i32: 2, 1>}>
    %1 = "ttir.maximum"(%arg0, %arg1, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
    // CHECK: "ttnn.to_memory_config"(%[[RESULT]], %[[DEVICE]])
    return %1 : tensor<64x128xf32>
  }
}
