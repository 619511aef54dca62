// RUN: ttmlir-opt %s | FileCheck %s
// Shards that hold the tensor, with room to spare and without.

#l1 = #tt.memory_space<l1>
#tiles = #tt.layout<(d0, d1) -> (d0, d1), undef, <3x2>, memref<1x1x!tt.tile<32x32, bfp_bf8>, #l1>>
#swapped = #tt.layout<(d0, d1, d2) -> (d1 * 2 + d0, d2), undef, <1x1>, memref<8x8xf32, #l1>>
#wrapped = #tt.layout<(d0, d1) -> (d0 mod 64, d0 floordiv 64 + d1 * 2), undef, <1x1>, memref<64x256xf32, #l1>>
#wide = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<640x640xf32, #l1>>
// CHECK-LABEL: func.func private @held(
// CHECK-SAME: tensor<53x63xf32, {{.*}}>, tensor<2x4x8xf32, {{.*}}>, tensor<128x128xf32, {{.*}}>, tensor<1x1xf32, {{.*}}>)
func.func private @held(tensor<53x63xf32, #tiles>, tensor<2x4x8xf32, #swapped>, tensor<128x128xf32, #wrapped>, tensor<1x1xf32, #wide>)
