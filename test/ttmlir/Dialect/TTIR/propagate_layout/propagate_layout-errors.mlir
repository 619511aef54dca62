// RUN: ttmlir-opt --ttir-propagate-layout --split-input-file --verify-diagnostics %s
#host = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x64xbf16, #tt.memory_space<system>>>
#a = #tt.layout<(d0, d1) -> (d0, d1), undef, <9x2>, memref<1x1x!tt.tile<32x32, bf16>, #tt.memory_space<l1>>, block_sharded>
func.func @to_layout_grid(%x: tensor<64x64xbf16, #host>) -> tensor<64x64xbf16, #host> {
  %0 = tensor.empty() : tensor<64x64xbf16, #a>
  // expected-error @+1 {{places a tensor on the grid #tt.grid<9x2> that is not on the device: expected one inside #tt.grid<8x8>}}
  %1 = "ttir.to_layout"(%x, %0) : (tensor<64x64xbf16, #host>, tensor<64x64xbf16, #a>) -> tensor<64x64xbf16, #a>
  return %x : tensor<64x64xbf16, #host>
}

// -----
#a = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x65>, memref<2x1x!tt.tile<32x32, bf16>, #tt.memory_space<l1>>, width_sharded>
// expected-error @+1 {{places a tensor on the grid #tt.grid<1x65> that is not on the device: expected one inside #tt.grid<8x8>}}
func.func @argument_grid(%x: tensor<64x64xbf16, #a>) -> tensor<64x64xbf16, #a> {
  return %x : tensor<64x64xbf16, #a>
}

// -----
#a = #tt.layout<(d0, d1) -> (d0, d1), undef, <9x2>, memref<1x1x!tt.tile<32x32, bf16>, #tt.memory_space<l1>>, block_sharded>
// expected-error @+1 {{places a tensor on the grid #tt.grid<9x2> that is not on the device: expected one inside #tt.grid<8x8>}}
func.func @result_grid(%x: tensor<64x64xbf16>) -> tensor<64x64xbf16, #a> {
  %0 = "ttir.constant"() <{value = dense<2.0> : tensor<64x64xbf16>}> : () -> tensor<64x64xbf16, #a>
  return %0 : tensor<64x64xbf16, #a>
}

// -----
#host = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<1024x1024xf32, #tt.memory_space<system>>>
#a = #tt.layout<(d0, d1) -> (d0, d1), undef, <2x1>, memref<16x32x!tt.tile<32x32, f32>, #tt.memory_space<l1>>, height_sharded>
func.func @to_layout_room(%x: tensor<1024x1024xf32, #host>) -> tensor<1024x1024xf32, #host> {
  %0 = tensor.empty() : tensor<1024x1024xf32, #a>
  // expected-error @+1 {{places 2097152 bytes of a tensor in the L1 of each core of the grid #tt.grid<2x1>: expected at most 1498112, found 'tensor<1024x1024xf32, #tt.layout<}}
  %1 = "ttir.to_layout"(%x, %0) : (tensor<1024x1024xf32, #host>, tensor<1024x1024xf32, #a>) -> tensor<1024x1024xf32, #a>
  return %x : tensor<1024x1024xf32, #host>
}

// -----
#a = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<32x32x!tt.tile<32x32, f32>, #tt.memory_space<l1>>, block_sharded>
// expected-error @+1 {{places 4194304 bytes of a tensor in the L1 of each core of the grid #tt.grid<1x1>: expected at most 1498112, found 'tensor<1024x1024xf32, #tt.layout<}}
func.func @argument_room(%x: tensor<1024x1024xf32, #a>) -> tensor<1024x1024xf32, #a> {
  return %x : tensor<1024x1024xf32, #a>
}

// -----
// Interleaved pages are on all cores, whatever the grid.
#host = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<1024x1024xf32, #tt.memory_space<system>>>
#a = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<32x32x!tt.tile<32x32, f32>, #tt.memory_space<l1>>, interleaved>
func.func @interleaved(%x: tensor<1024x1024xf32, #host>) -> tensor<1024x1024xf32, #host> {
  %0 = tensor.empty() : tensor<1024x1024xf32, #a>
  %1 = "ttir.to_layout"(%x, %0) : (tensor<1024x1024xf32, #host>, tensor<1024x1024xf32, #a>) -> tensor<1024x1024xf32, #a>
  return %x : tensor<1024x1024xf32, #host>
}
