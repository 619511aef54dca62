// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline %s | FileCheck %s
// ttir.conv2d becomes ttnn.conv2d with the extents written out.
#any_device = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
// CHECK-LABEL: func.func @forward
func.func @forward(%arg0: tensor<1x32x32x64xbf16>, %arg1: tensor<64x64x3x3xbf16>, %arg2: tensor<1x1x1x64xbf16>) -> tensor<1x32x32x64xbf16> {
  // CHECK: %[[DEVICE:.*]] = "ttnn.get_device"
  // CHECK: %[[OUT:.*]] = "ttnn.empty"(%[[DEVICE]])
  %0 = tensor.empty() : tensor<1x32x32x64xbf16>
  // CHECK: "ttnn.conv2d"(%{{.*}}, %{{.*}}, %{{.*}}, %[[OUT]], %[[DEVICE]]) <{batch_size = 1 : i32, dilation_height = 1 : i32, dilation_width = 1 : i32, groups = 1 : i32, in_channels = 64 : i32, input_height = 32 : i32, input_width = 32 : i32, kernel_height = 3 : i32, kernel_width = 3 : i32, out_channels = 64 : i32, padding_height = 1 : i32, padding_width = 1 : i32, stride_height = 1 : i32, stride_width = 1 : i32}>
  // CHECK-NOT: ttir
  %1 = "ttir.conv2d"(%arg0, %arg1, %arg2, %0) <{dilation_height = 1 : si32, dilation_width = 1 : si32, groups = 1 : si32, operand_constraints = [#any_device, #any_device, #any_device, #any_device], padding_bottom = 1 : si32, padding_left = 1 : si32, padding_right = 1 : si32, padding_top = 1 : si32, stride_height = 1 : si32, stride_width = 1 : si32}> : (tensor<1x32x32x64xbf16>, tensor<64x64x3x3xbf16>, tensor<1x1x1x64xbf16>, tensor<1x32x32x64xbf16>) -> tensor<1x32x32x64xbf16>
  // CHECK: "ttnn.to_memory_config"(%{{.*}}, %[[DEVICE]])
  return %1 : tensor<1x32x32x64xbf16>
}
