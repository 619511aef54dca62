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
