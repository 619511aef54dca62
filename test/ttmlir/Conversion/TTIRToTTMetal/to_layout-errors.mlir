// RUN: ttmlir-opt --ttir-load-system-desc --ttir-implicit-device --ttir-allocate --convert-ttir-to-ttmetal --split-input-file --verify-diagnostics %s
// Moves that one dispatch cannot make, or the network on chip not at all.
#l1_ = #tt.memory_space<l1>
#rows = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #l1_>>
#tiles = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x2>, memref<2x2x!tt.tile<32x32, f32>, #l1_>>
func.func @compound(%arg0: tensor<64x128xf32, #rows>) -> tensor<64x128xf32, #tiles> {
  %0 = tensor.empty() : tensor<64x128xf32, #tiles>
  // expected-error @below {{'ttir.to_layout' op changes the element type from 'f32' to '!tt.tile<32x32, f32>' and the place of the tensor; expected one of them, run --ttir-split-compound-layout first}}
  %1 = "ttir.to_layout"(%arg0, %0) : (tensor<64x128xf32, #rows>, tensor<64x128xf32, #tiles>) -> tensor<64x128xf32, #tiles>
  return %1 : tensor<64x128xf32, #tiles>
}

// -----

#l1_ = #tt.memory_space<l1>
#one = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<4x16xf32, #l1_>>
#four = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x4>, memref<4x4xf32, #l1_>>
func.func @short(%arg0: tensor<4x16xf32, #one>) -> tensor<4x16xf32, #four> {
  %0 = tensor.empty() : tensor<4x16xf32, #four>
  // expected-error @below {{needs a transaction of 16 bytes between the addresses 1280 and 1024; expected multiples of 32 bytes, the alignment of the network on chip}}
  %1 = "ttir.to_layout"(%arg0, %0) : (tensor<4x16xf32, #one>, tensor<4x16xf32, #four>) -> tensor<4x16xf32, #four>
  return %1 : tensor<4x16xf32, #four>
}

// -----

#dram = #tt.memory_space<dram>
#one = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<16x16xf32, #dram>>
#two = #tt.layout<(d0, d1) -> (d0, d1), undef, <2x1>, memref<8x16xf32, #dram>>
func.func @dram(%arg0: tensor<16x16xf32, #one>) -> tensor<16x16xf32, #two> {
  %0 = tensor.empty() : tensor<16x16xf32, #two>
  // expected-error @below {{moves a tensor from DRAM to DRAM; expected L1 on one side}}
  %1 = "ttir.to_layout"(%arg0, %0) : (tensor<16x16xf32, #one>, tensor<16x16xf32, #two>) -> tensor<16x16xf32, #two>
  return %1 : tensor<16x16xf32, #two>
}

// -----

#l1_ = #tt.memory_space<l1>
#dram = #tt.memory_space<dram>
#many = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<512x256xf32, #dram>>
#shards = #tt.layout<(d0, d1) -> (d0, d1), undef, <8x8>, memref<64x32xf32, #l1_>>
func.func @rounds(%arg0: tensor<512x256xf32, #many>) -> tensor<512x256xf32, #shards> {
  %0 = tensor.empty() : tensor<512x256xf32, #shards>
  // expected-error @below {{expected at most 8192 elements a channel of a tensor in DRAM without memory layout, found 'tensor<512x256xf32, }}
  %1 = "ttir.to_layout"(%arg0, %0) : (tensor<512x256xf32, #many>, tensor<512x256xf32, #shards>) -> tensor<512x256xf32, #shards>
  return %1 : tensor<512x256xf32, #shards>
}
