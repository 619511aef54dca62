// RUN: ttmlir-opt --ttir-layout --convert-ttir-to-ttnn --split-input-file --verify-diagnostics %s
// What has no library call is an error at the op.
func.func @non_splat() -> tensor<2xf32> {
  // expected-error @+1 {{TTNN doesn't currently support tensor creation from multiple given values (issue #685): expected a splat}}
  %0 = "ttir.constant"() <{value = dense<[1.0, 2.0]> : tensor<2xf32>}> : () -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

#any_device = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
func.func @asymmetric_padding(%arg0: tensor<1x32x32x64xbf16>, %arg1: tensor<64x64x3x3xbf16>) -> tensor<1x31x30x64xbf16> {
  %0 = tensor.empty() : tensor<1x31x30x64xbf16>
  // expected-error @+1 {{padding of the library call is symmetric: expected padding_top == padding_bottom and padding_left == padding_right, found top 1, bottom 0, left 0, right 0}}
  %1 = "ttir.conv2d"(%arg0, %arg1, %0) <{dilation_height = 1 : si32, dilation_width = 1 : si32, groups = 1 : si32, operand_constraints = [#any_device, #any_device, #any_device], padding_bottom = 0 : si32, padding_left = 0 : si32, padding_right = 0 : si32, padding_top = 1 : si32, stride_height = 1 : si32, stride_width = 1 : si32}> : (tensor<1x32x32x64xbf16>, tensor<64x64x3x3xbf16>, tensor<1x31x30x64xbf16>) -> tensor<1x31x30x64xbf16>
  return %1 : tensor<1x31x30x64xbf16>
}
