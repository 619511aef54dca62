// RUN: ttmlir-opt --split-input-file --verify-diagnostics --ttir-layout %s
// Layouts that do not fit the tensor whose encoding they are.

#l1 = #tt.memory_space<l1>
#small = #tt.layout<(d0, d1) -> (d0, d1), undef, <2x2>, memref<2x2x!tt.tile<32x32, f32>, #l1>>
// expected-error@+1 {{(C6) expected a grid of shards that hold the tensor: dimension 0 of the shards has indices from 0 to 127, the tensor 160x160 takes 0 to 159}}
func.func private @rows(tensor<160x160xf32, #small>)

// -----

#dram = #tt.memory_space<dram>
#narrow = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xbf16, #dram>, interleaved>
// expected-error@+1 {{(C6) expected a grid of shards that hold the tensor: dimension 1 of the shards has indices from 0 to 127, the tensor 64x129 takes 0 to 128}}
func.func private @columns(tensor<64x129xbf16, #narrow>)

// -----

#system = #tt.memory_space<system>
#host = #tt.layout<(d0, d1, d2) -> (d0 * 4 + d1, d2), undef, <1x1>, memref<8x8xf32, #system>>
// expected-error@+1 {{dimension 0 of the shards has indices from 0 to 7, the tensor 2x5x8 takes 0 to 8}}
func.func private @collapsed(tensor<2x5x8xf32, #host>)

// -----

#l1 = #tt.memory_space<l1>
#below = #tt.layout<(d0, d1, d2) -> (d1 * -1 + d0, d2), undef, <2x2>, memref<2x2x!tt.tile<32x32, f32>, #l1>>
// expected-error@+1 {{dimension 0 of the shards has indices from 0 to 127, the tensor 2x64x128 takes -63 to 1}}
func.func private @below_zero(tensor<2x64x128xf32, #below>)

// -----

#l1 = #tt.memory_space<l1>
#wrapped = #tt.layout<(d0, d1) -> (d0 mod 64, d1 floordiv 2), undef, <1x1>, memref<63x64xf32, #l1>>
// expected-error@+1 {{dimension 0 of the shards has indices from 0 to 62, the tensor 100x128 takes 0 to 63}}
func.func private @remainder(tensor<100x128xf32, #wrapped>)

// -----

#l1 = #tt.memory_space<l1>
#dynamic = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x64xf32, #l1>>
// expected-error@+1 {{(C4) expected a tensor of static, positive extents}}
func.func private @dynamic(tensor<?x64xf32, #dynamic>)

// -----

#l1 = #tt.memory_space<l1>
#empty = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x64xf32, #l1>>
// expected-error@+1 {{(C4) expected a tensor of static, positive extents}}
func.func private @empty(tensor<0x64xf32, #empty>)

// -----

#dram = #tt.memory_space<dram>
#plain = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x64xf32, #dram>, interleaved>
// expected-error@+1 {{(C4) expected a tensor of elements f32, f16, bf16 or integers of 32, 16 or 8 bits, found 'f64'}}
func.func private @elements(tensor<64x64xf64, #plain>)

// -----

#dram = #tt.memory_space<dram>
// expected-error@+1 {{(C2) expected a memref of tiles or of elements f32, f16, bf16 or integers of 32, 16 or 8 bits, found 'memref<64x256xf64, #tt.memory_space<dram>>'}}
#wide = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x256xf64, #dram>, interleaved>
func.func private @wide(tensor<64x256xf64, #wide>)

// -----

// No layout is asked about elements that could not be read.
#host = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<32x128xbf16, #tt.memory_space<system>>>
// expected-error@+1 {{unknown  type `nothing` in dialect `tt`}}
func.func private @unread(tensor<32x128x!tt.nothing, #host>)
