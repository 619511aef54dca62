// RUN: echo "module {}" | ttmlir-translate --system-desc-to-flatbuffer --system=n300 -o %t.ttsys
// RUN: ttmlir-opt --split-input-file --verify-diagnostics --ttir-load-system-desc="path=%t.ttsys" --ttir-implicit-device="mesh-shape=1,2" --ttir-allocate --convert-ttir-to-ttmetal="use-all-gather-kernel=true" %s
// RUN: echo "module {}" | not ttmlir-opt --convert-ttir-to-ttmetal="all-gather-swizzle=-1" 2>&1 | FileCheck %s

// CHECK: error: all-gather-swizzle: expected a number of rows of tiles, or 0 for none, found -1

#any_device_tile = #tt.operand_constraint<any_device_tile>
#dram = #tt.memory_space<dram>
#in = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<1x2x!tt.tile<32x32, bf16>, #dram>, interleaved>
#out = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<1x3x!tt.tile<32x32, bf16>, #dram>, interleaved>
func.func @parts_of_tiles(%a: tensor<32x40xbf16, #in>) -> tensor<32x80xbf16, #out> {
  %0 = tensor.empty() : tensor<32x80xbf16, #out>
  // expected-error @+1 {{'ttir.all_gather' op has kernels for blocks of whole pages, found}}
  %1 = "ttir.all_gather"(%a, %0) <{all_gather_dim = 1 : si32, cluster_axis = 1 : ui32, operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any_device_tile, #any_device_tile]}> : (tensor<32x40xbf16, #in>, tensor<32x80xbf16, #out>) -> tensor<32x80xbf16, #out>
  return %1 : tensor<32x80xbf16, #out>
}

// -----

#any_device_tile = #tt.operand_constraint<any_device_tile>
#l1 = #tt.memory_space<l1>
#in = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<32x32xf32, #l1>>
#out = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x32xf32, #l1>>
func.func @shards(%a: tensor<32x32xf32, #in>) -> tensor<64x32xf32, #out> {
  %0 = tensor.empty() : tensor<64x32xf32, #out>
  // expected-error @+1 {{'ttir.all_gather' op has kernels for tensors interleaved in DRAM, found an input of 'tensor<32x32xf32, #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<32x32xf32, #tt.memory_space<l1>>>>'; run --ttir-decomposition=use-all-gather-kernel and --ttir-layout first}}
  %1 = "ttir.all_gather"(%a, %0) <{all_gather_dim = 0 : si32, cluster_axis = 1 : ui32, operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any_device_tile, #any_device_tile]}> : (tensor<32x32xf32, #in>, tensor<64x32xf32, #out>) -> tensor<64x32xf32, #out>
  return %1 : tensor<64x32xf32, #out>
}
