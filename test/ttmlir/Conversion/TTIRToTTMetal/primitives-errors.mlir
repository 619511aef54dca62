// RUN: ttmlir-opt --split-input-file --verify-diagnostics --ttir-load-system-desc --ttir-implicit-device --ttir-allocate --convert-ttir-to-ttmetal %s

#any_device_tile = #tt.operand_constraint<any_device_tile>
#dram = #tt.memory_space<dram>
#a = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<1x2x!tt.tile<32x32, bf16>, #dram>, interleaved>
#b = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<2x1x!tt.tile<32x32, bf16>, #dram>, interleaved>
#c = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<1x1x!tt.tile<32x32, bf16>, #dram>, interleaved>
func.func @padding(%a: tensor<32x40xbf16, #a>, %b: tensor<40x32xbf16, #b>) -> tensor<32x32xbf16, #c> {
  %0 = tensor.empty() : tensor<32x32xbf16, #c>
  // expected-error @+1 {{'ttir.matmul' op expected operand a padded with zero behind its extent of 40, found undef}}
  %1 = "ttir.matmul"(%a, %b, %0) <{operand_constraints = [#any_device_tile, #any_device_tile, #any_device_tile]}> : (tensor<32x40xbf16, #a>, tensor<40x32xbf16, #b>, tensor<32x32xbf16, #c>) -> tensor<32x32xbf16, #c>
  return %1 : tensor<32x32xbf16, #c>
}

// -----

#any_device_tile = #tt.operand_constraint<any_device_tile>
#dram = #tt.memory_space<dram>
#a = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<1x1x!tt.tile<32x32, u32>, #dram>, interleaved>
func.func @integers(%a: tensor<32x32xi32, #a>) -> tensor<32x32xi32, #a> {
  %0 = tensor.empty() : tensor<32x32xi32, #a>
  // expected-error @+1 {{'ttir.matmul' op has kernels for tiles of 32x32 floats, found operand a of '!tt.tile<32x32, u32>'}}
  %1 = "ttir.matmul"(%a, %a, %0) <{operand_constraints = [#any_device_tile, #any_device_tile, #any_device_tile]}> : (tensor<32x32xi32, #a>, tensor<32x32xi32, #a>, tensor<32x32xi32, #a>) -> tensor<32x32xi32, #a>
  return %1 : tensor<32x32xi32, #a>
}

// -----

#any_device_tile = #tt.operand_constraint<any_device_tile>
#dram = #tt.memory_space<dram>
#in = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<2x2x!tt.tile<32x32, f32>, #dram>, interleaved>
#out = #tt.layout<(d0) -> (0, d0), undef, <1x1>, memref<1x2x!tt.tile<32x32, f32>, #dram>, interleaved>
func.func @dropped(%a: tensor<64x64xf32, #in>) -> tensor<64xf32, #out> {
  %0 = tensor.empty() : tensor<64xf32, #out>
  // expected-error @+1 {{'ttir.sum' op has kernels that keep the reduced dimensions: expected a result of 1x64, found 64; run --ttir-decomposition first}}
  %1 = "ttir.sum"(%a, %0) <{dim_arg = [0 : i32], keep_dim = false, operand_constraints = [#any_device_tile, #any_device_tile]}> : (tensor<64x64xf32, #in>, tensor<64xf32, #out>) -> tensor<64xf32, #out>
  return %1 : tensor<64xf32, #out>
}

// -----

#any_device_tile = #tt.operand_constraint<any_device_tile>
#dram = #tt.memory_space<dram>
#in = #tt.layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), undef, <1x1>, memref<3x1x!tt.tile<32x32, f32>, #dram>, interleaved>
#out = #tt.layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), undef, <1x1>, memref<32x1x!tt.tile<32x32, f32>, #dram>, interleaved>
func.func @leading(%a: tensor<3x32x32xf32, #in>) -> tensor<32x3x32xf32, #out> {
  %0 = tensor.empty() : tensor<32x3x32xf32, #out>
  // expected-error @+1 {{'ttir.transpose' op has kernels for the last two dimensions, found 0 and 1; run --ttir-decomposition first}}
  %1 = "ttir.transpose"(%a, %0) <{dim0 = 0 : si32, dim1 = 1 : si32, operand_constraints = [#any_device_tile, #any_device_tile]}> : (tensor<3x32x32xf32, #in>, tensor<32x3x32xf32, #out>) -> tensor<32x3x32xf32, #out>
  return %1 : tensor<32x3x32xf32, #out>
}

// -----

#scalar = #tt.operand_constraint<dram|scalar|interleaved>
#dram = #tt.memory_space<dram>
#in = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<2x2x!tt.tile<32x32, f32>, #dram>, interleaved>
func.func @tiles(%a: tensor<64x64xf32, #in>) -> tensor<64x64xf32, #in> {
  %0 = tensor.empty() : tensor<64x64xf32, #in>
  // expected-error @+1 {{'ttir.permute' op has kernels for row-major tensors, found 'tensor<64x64xf32, }}
  %1 = "ttir.permute"(%a, %0) <{operand_constraints = [#scalar, #scalar], permutation = array<i64: 1, 0>}> : (tensor<64x64xf32, #in>, tensor<64x64xf32, #in>) -> tensor<64x64xf32, #in>
  return %1 : tensor<64x64xf32, #in>
}
