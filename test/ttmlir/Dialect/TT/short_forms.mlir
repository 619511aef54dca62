// RUN: ttmlir-opt %s | FileCheck %s
// RUN: ttmlir-opt %s | ttmlir-opt | FileCheck %s
// Forms that are read beside those that are printed.

// CHECK: #[[SYSTEM:system_desc[0-9]*]] = #tt.system_desc<[{arch = <wormhole_b0>, grid = 8x8, l1_size = 1499136, num_dram_channels = 12, {{.*}}}], [0], [3 : i32], [ 0x0x0x0]>
// CHECK: #[[SMALL:system_desc[0-9]*]] = #tt.system_desc<[{arch = <blackhole>, grid = 2x2, {{.*}}worker = [ 0x0,  0x1,  1x0,  1x1] dram = [ 10x0, {{.*}}}], [0, 0], [1 : i32, 2 : i32], [ 0x0x0x0,  0x0x0x1], [<[0, 0, 0], [1, 0, 0]>]>

// CHECK: @sets
// CHECK-SAME: access = #tt<buffer_access alias>
// CHECK-SAME: both = #tt<buffer_access alias|stream>
func.func private @sets() attributes {
  access = #tt.buffer_access<alias>, both = #tt.buffer_access<stream|alias>}

// CHECK: @coordinates
// CHECK-SAME: chip = #tt<chip_coord 0x1x2x3>
// CHECK-SAME: core = #tt<core_coord 0x1>
// CHECK-SAME: tile = #tt<tile_size 32x16>
func.func private @coordinates() attributes {
  chip = #tt.chip_coord<0, 1, 2, 3>, core = #tt.core_coord<0, 1>, tile = #tt.tile_size<32, 16>}

// CHECK: @systems
// CHECK-SAME: in_full = #[[SYSTEM]]
// CHECK-SAME: n150 = #[[SYSTEM]]
// CHECK-SAME: small = #[[SMALL]]
func.func private @systems() attributes {
  n150 = #tt.system_desc<[<#tt.arch<wormhole_b0>, #tt.grid<8x8>>], [0], [<pcie|host_mmio>], [<0, 0, 0, 0>]>,
  in_full = #tt.system_desc<[{arch = <wormhole_b0>, grid = 8x8, l1_size = 1499136, num_dram_channels = 12, dram_channel_size = 1073741824, noc_l1_address_align_bytes = 16, pcie_address_align_bytes = 32, noc_dram_address_align_bytes = 32, l1_unreserved_base = 1024, erisc_l1_unreserved_base = 1024, dram_unreserved_base = 1024, dram_unreserved_end = 1073741824, physical_cores = {worker = [ 0x0,  0x1,  0x2,  0x3,  0x4,  0x5,  0x6,  0x7,  1x0,  1x1,  1x2,  1x3,  1x4,  1x5,  1x6,  1x7,  2x0,  2x1,  2x2,  2x3,  2x4,  2x5,  2x6,  2x7,  3x0,  3x1,  3x2,  3x3,  3x4,  3x5,  3x6,  3x7,  4x0,  4x1,  4x2,  4x3,  4x4,  4x5,  4x6,  4x7,  5x0,  5x1,  5x2,  5x3,  5x4,  5x5,  5x6,  5x7,  6x0,  6x1,  6x2,  6x3,  6x4,  6x5,  6x6,  6x7,  7x0,  7x1,  7x2,  7x3,  7x4,  7x5,  7x6,  7x7] dram = [ 8x0,  9x0,  10x0,  8x1,  9x1,  10x1,  8x2,  9x2,  10x2,  8x3,  9x3,  10x3]}, supported_data_types = [<f32>, <f16>, <bf16>, <bfp_f8>, <bfp_bf8>, <bfp_f4>, <bfp_bf4>, <bfp_f2>, <bfp_bf2>, <u32>, <u16>, <u8>], supported_tile_sizes = [ 4x16,  16x16,  32x16,  4x32,  16x32,  32x32]}], [0], [3 : i32], [ 0x0x0x0]>,
  small = #tt.system_desc<[<<blackhole>, <2x2>>], [0, 0], [<pcie>, 2 : i32], [0x0x0x0, <0x0x0x1>], [<[0, 0, 0], [1, 0, 0]>]>}
