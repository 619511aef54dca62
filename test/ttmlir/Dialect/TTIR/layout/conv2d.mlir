// RUN: ttmlir-opt --ttir-layout %s | FileCheck %s
// Of a convolution only the destination is placed: the call takes its inputs from anywhere.
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
// CHECK: #[[OUT:.*]] = #tt.layout<{{.*}}, #dram>, interleaved>
// CHECK-LABEL: func.func @forward
// CHECK-NEXT: %[[E:.*]] = tensor.empty() : tensor<1x32x32x64xbf16, #[[OUT]]>
// CHECK-NEXT: "ttir.conv2d"(%arg0, %arg1, %arg2, %[[E]])
func.func @forward(%a: tensor<1x32x32x64xbf16>, %w: tensor<64x64x3x3xbf16>, %b: tensor<1x1x1x64xbf16>) -> tensor<1x32x32x64xbf16> {
  %0 = tensor.empty() : tensor<1x32x32x64xbf16>
  %1 = "ttir.conv2d"(%a, %w, %b, %0) <{dilation_height = 1 : si32, dilation_width = 1 : si32, groups = 1 : si32, operand_constraints = [#any, #any, #any, #any], padding_bottom = 1 : si32, padding_left = 1 : si32, padding_right = 1 : si32, padding_top = 1 : si32, stride_height = 1 : si32, stride_width = 1 : si32}> : (tensor<1x32x32x64xbf16>, tensor<64x64x3x3xbf16>, tensor<1x1x1x64xbf16>, tensor<1x32x32x64xbf16>) -> tensor<1x32x32x64xbf16>
  return %1 : tensor<1x32x32x64xbf16>
}
