// RUN: ttmlir-opt %s | ttmlir-opt | FileCheck %s
// Every attribute prints as it is read.

// CHECK-LABEL: @enums
// CHECK-SAME: arch = #tt.arch<blackhole>
// CHECK-SAME: data_type = #tt.supportedDataTypes<bfp_f2>
// CHECK-SAME: mem_layout = #tt.tensor_memory_layout<block_sharded>
// CHECK-SAME: oob = #tt.oob_val<neginf>
func.func private @enums() attributes {
  arch = #tt.arch<blackhole>, data_type = #tt.supportedDataTypes<bfp_f2>,
  mem_layout = #tt.tensor_memory_layout<block_sharded>,
  oob = #tt.oob_val<neginf>}

// CHECK-LABEL: @coordinates
// CHECK-SAME: chip = #tt<chip_coord 0x1x2x3>
// CHECK-SAME: core = #tt<core_coord 0x1>
// CHECK-SAME: core_in_brackets = #tt<core_coord 0x1>
// CHECK-SAME: tile = #tt<tile_size 32x16>
func.func private @coordinates() attributes {
  chip = #tt<chip_coord 0x1x2x3>, core = #tt<core_coord 0x1>,
  core_in_brackets = #tt.core_coord<0x1>, tile = #tt<tile_size 32x16>}

// CHECK-LABEL: @cores
// CHECK-SAME: channel = #tt.chip_channel<[0, 8, 0], [1, 0, 0]>
// CHECK-SAME: eth = #tt<chip_physical_cores{worker = [ 0x0,  0x1] dram = [ 8x0] eth = [ 1x0] eth_inactive = [ 2x0]}>
// CHECK-SAME: no_eth = #tt<chip_physical_cores{worker = [ 0x0,  0x1] dram = [ 8x0]}>
func.func private @cores() attributes {
  channel = #tt.chip_channel<[0, 8, 0], [1, 0, 0]>,
  no_eth = #tt<chip_physical_cores{worker = [0x0, 0x1] dram = [8x0]}>,
  eth = #tt<chip_physical_cores{worker = [ 0x0,  0x1] dram = [ 8x0] eth = [ 1x0] eth_inactive = [ 2x0]}>}

// CHECK-LABEL: @grids
// CHECK-SAME: mapped = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>
// CHECK-SAME: plain = #tt.grid<2x4x8>
func.func private @grids() attributes {
  mapped = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>, plain = #tt.grid<2x4x8>}

// CHECK-LABEL: @buffers
// CHECK-SAME: access = #tt<buffer_access alias|stream>
// CHECK-SAME: buffer = #tt.buffer<memref<2x4x!tt.tile<32x32, f32>, #l1_>, alias>
// CHECK-SAME: tt.arg_alloc = [#tt.arg_alloc<1024, 32768, l1>]
func.func private @buffers() attributes {
  access = #tt<buffer_access alias|stream>,
  buffer = #tt.buffer<memref<2x4x!tt.tile<32x32, f32>, #tt.memory_space<l1>>, alias>,
  tt.arg_alloc = [#tt.arg_alloc<1024, 32768, l1>]}
