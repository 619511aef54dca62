// RUN: ttmlir-opt --ttir-layout --convert-ttir-to-ttnn --split-input-file --verify-diagnostics %s
// What has no library call is an error at the op.
#any_device = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
func.func @three_dimensions(%arg0: tensor<32x32x64xbf16>, %arg1: tensor<64x64x1x1xbf16>) -> tensor<32x32x64xbf16> {
  %0 = tensor.empty() : tensor<32x32x64xbf16>
  // expected-error @+1 {{expected an input of rank 4 (N, H, W, C), found}}
  %1 = "ttir.conv2d"(%arg0, %arg1, %0) <{dilation_height = 1 : si32, dilation_width = 1 : si32, groups = 1 : si32, operand_constraints = [#any_device, #any_device, #any_device], padding_bottom = 0 : si32, padding_left = 0 : si32, padding_right = 0 : si32, padding_top = 0 : si32, stride_height = 1 : si32, stride_width = 1 : si32}> : (tensor<32x32x64xbf16>, tensor<64x64x1x1xbf16>, tensor<32x32x64xbf16>) -> tensor<32x32x64xbf16>
  return %1 : tensor<32x32x64xbf16>
}

// -----

#any_device = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
func.func @pool(%arg0: tensor<1x4x4x32xbf16>) -> tensor<1x2x2x32xbf16> {
  %0 = tensor.empty() : tensor<1x2x2x32xbf16>
  // expected-error @+1 {{expected original_height and original_width; run --ttir-sliding-window-2d-fix-shapes first}}
  %1 = "ttir.avg_pool2d"(%arg0, %0) <{ceil_mode = false, count_include_pad = true, dilation_height = 1 : si32, dilation_width = 1 : si32, kernel_height = 2 : si32, kernel_width = 2 : si32, operand_constraints = [#any_device, #any_device], padding_bottom = 0 : si32, padding_left = 0 : si32, padding_right = 0 : si32, padding_top = 0 : si32, stride_height = 2 : si32, stride_width = 2 : si32}> : (tensor<1x4x4x32xbf16>, tensor<1x2x2x32xbf16>) -> tensor<1x2x2x32xbf16>
  return %1 : tensor<1x2x2x32xbf16>
}

// -----

#any_device = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
func.func @kernel(%a: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %0 = tensor.empty() : tensor<64x128xf32>
  // expected-error @+1 {{'ttir.kernel' op has no library call in TTNN; it is lowered by the TTMetal backend}}
  %1 = "ttir.kernel"(%a, %a, %0) <{op = @add, kind = @eltwise, operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %1 : tensor<64x128xf32>
}

// -----

#l1 = #tt.memory_space<l1>
#layout = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #l1>>
func.func @alloc() -> tensor<64x128xf32, #layout> {
  // expected-error @+1 {{'ttir.alloc' op has no library call in TTNN; it is lowered by the TTMetal backend}}
  %0 = "ttir.alloc"() <{address = 1024 : i64, memory_space = #l1, size = 32768 : i64}> : () -> tensor<64x128xf32, #layout>
  return %0 : tensor<64x128xf32, #layout>
}

// -----

func.func @another_dialect(%a: tensor<64x128xf32>) -> tensor<64x128xf32> {
  // expected-error @+1 {{'arith.addf' op has no library call in TTNN: expected ops of the 'ttir' dialect}}
  %0 = arith.addf %a, %a : tensor<64x128xf32>
  return %0 : tensor<64x128xf32>
}
