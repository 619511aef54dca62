// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline="optimization-level=1 clock-search-limit=0" %s | FileCheck %s
// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline %s | FileCheck %s --check-prefix=OFF
// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline="optimization-level=1 clock-search-limit=0" --remarks=ttnn-fusing %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// A convolution pads its image itself.

#any_device = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
// REMARK: [Passed] Fused | Category:ttnn-fusing | Function=zeros | Op=ttnn.conv2d, Reason="it pads its input itself"

// CHECK-LABEL: func.func @zeros
// OFF-LABEL: func.func @zeros
func.func @zeros(%a: tensor<1x32x32x64xbf16>, %w: tensor<64x64x3x3xbf16>) -> tensor<1x16x16x64xbf16> {
  // CHECK-NOT: "ttnn.pad"
  // CHECK: "ttnn.conv2d"{{.*}}input_height = 32 : i32, input_width = 32 : i32,{{.*}}padding_bottom = 1 : i32, padding_height = 0 : i32, padding_right = 1 : i32, padding_width = 0 : i32
  // OFF: "ttnn.pad"
  %0 = tensor.empty() : tensor<1x33x33x64xbf16>
  %1 = "ttir.pad"(%a, %0) <{operand_constraints = [#any_device, #any_device], padding = array<i32: 0, 0, 0, 1, 0, 1, 0, 0>, value = 0.0 : f32}> : (tensor<1x32x32x64xbf16>, tensor<1x33x33x64xbf16>) -> tensor<1x33x33x64xbf16>
  %2 = tensor.empty() : tensor<1x16x16x64xbf16>
  %3 = "ttir.conv2d"(%1, %w, %2) <{dilation_height = 1 : si32, dilation_width = 1 : si32, groups = 1 : si32, operand_constraints = [#any_device, #any_device, #any_device], padding_bottom = 0 : si32, padding_left = 0 : si32, padding_right = 0 : si32, padding_top = 0 : si32, stride_height = 2 : si32, stride_width = 2 : si32}> : (tensor<1x33x33x64xbf16>, tensor<64x64x3x3xbf16>, tensor<1x16x16x64xbf16>) -> tensor<1x16x16x64xbf16>
  return %3 : tensor<1x16x16x64xbf16>
}

// CHECK-LABEL: func.func @ones
func.func @ones(%a: tensor<1x32x32x64xbf16>, %w: tensor<64x64x3x3xbf16>) -> tensor<1x16x16x64xbf16> {
  // CHECK: "ttnn.pad"
  // CHECK: "ttnn.conv2d"{{.*}}input_height = 33 : i32
  %0 = tensor.empty() : tensor<1x33x33x64xbf16>
  %1 = "ttir.pad"(%a, %0) <{operand_constraints = [#any_device, #any_device], padding = array<i32: 0, 0, 0, 1, 0, 1, 0, 0>, value = 1.0 : f32}> : (tensor<1x32x32x64xbf16>, tensor<1x33x33x64xbf16>) -> tensor<1x33x33x64xbf16>
  %2 = tensor.empty() : tensor<1x16x16x64xbf16>
  %3 = "ttir.conv2d"(%1, %w, %2) <{dilation_height = 1 : si32, dilation_width = 1 : si32, groups = 1 : si32, operand_constraints = [#any_device, #any_device, #any_device], padding_bottom = 0 : si32, padding_left = 0 : si32, padding_right = 0 : si32, padding_top = 0 : si32, stride_height = 2 : si32, stride_width = 2 : si32}> : (tensor<1x33x33x64xbf16>, tensor<64x64x3x3xbf16>, tensor<1x16x16x64xbf16>) -> tensor<1x16x16x64xbf16>
  return %3 : tensor<1x16x16x64xbf16>
}
