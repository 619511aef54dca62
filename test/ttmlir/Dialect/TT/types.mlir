// RUN: ttmlir-opt %s | ttmlir-opt | FileCheck %s
// Tiles of every format, also with spaces in the shape; the device type.

// CHECK: #device = #tt.device<workerGrid = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>, l1Map = (d0, d1)[s0, s1] -> (0, d0, d1, 0), dramMap = (d0, d1)[s0, s1] -> (0, 0, d0, d1), meshShape = 1, chipIds = [0]>

// CHECK: @tiles(!tt.tile<32x32, f32>, !tt.tile<16x32, f16>, !tt.tile<4x16, bf16>, !tt.tile<32x32, u32>, !tt.tile<32x32, u16>, !tt.tile<32x32, u8>)
func.func private @tiles(!tt.tile<32 x 32, f32>, !tt.tile<16x32, f16>, !tt.tile<4x16, bf16>,
                         !tt.tile<32x32, u32>, !tt.tile<32x32, u16>, !tt.tile<32x32, u8>)

// CHECK: @blocks(!tt.tile<32x32, bfp_f8>, !tt.tile<32x32, bfp_bf8>, !tt.tile<32x32, bfp_f4>, !tt.tile<32x32, bfp_bf4>, !tt.tile<32x32, bfp_f2>, !tt.tile<32x32, bfp_bf2>)
func.func private @blocks(!tt.tile<32x32, bfp_f8>, !tt.tile<32x32, bfp_bf8>, !tt.tile<32x32, bfp_f4>,
                          !tt.tile<32x32, bfp_bf4>, !tt.tile<32x32, bfp_f2>, !tt.tile<32x32, bfp_bf2>)

// CHECK: @device(!tt.device<#device>)
func.func private @device(!tt.device<#tt.device<workerGrid = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>,
  l1Map = (d0, d1)[s0, s1] -> (0, d0, d1, 0), dramMap = (d0, d1)[s0, s1] -> (0, 0, d0, d1),
  meshShape = 1, chipIds = [0]>>)
