// RUN: ttmlir-opt --ttir-to-ttmetal-backend-pipeline --split-input-file %s | FileCheck %s

// Pages in L1 are streamed like those in DRAM: over the banks of all cores, whatever the grid, ...
#any = #tt.operand_constraint<any_device_tile>
#l1 = #tt.layout<(d0, d1) -> (d0, d1), undef, <2x2>, memref<1x2x!tt.tile<32x32, f32>, #tt.memory_space<l1>>, interleaved>
// CHECK-LABEL: func.func @interleaved
func.func @interleaved(%x: tensor<64x128xf32, #l1>) -> tensor<64x128xf32, #l1> {
  %0 = tensor.empty() : tensor<64x128xf32, #l1>
  // CHECK: "ttmetal.dispatch"(%arg0, %{{.*}}kernelConfigs = [#ttkernel.noc_config<noc0>, #ttkernel.tensix_config<hifi4, true, false, false>, #ttkernel.noc_config<noc1>]
  // CHECK: "ttkernel.tensor_accessor"(%{{.*}}) <{args = #ttkernel.tensor_accessor_args<l1, interleaved, 4096, 4096, tensor ={{ *}}2x4
  // CHECK: "ttkernel.noc_async_read_page"
  // CHECK: "ttkernel.relu_tile"
  // CHECK: "ttkernel.tensor_accessor"(%{{.*}}) <{args = #ttkernel.tensor_accessor_args<l1, interleaved, 4096, 4096, tensor ={{ *}}2x4
  // CHECK: "ttkernel.noc_async_write_page"
  // CHECK-NOT: "ttmetal.dispatch"
  %1 = "ttir.relu"(%x, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x128xf32, #l1>, tensor<64x128xf32, #l1>) -> tensor<64x128xf32, #l1>
  return %1 : tensor<64x128xf32, #l1>
}

// -----

// ... or all in the first bank.
#dram = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<40x50xbf16, #tt.memory_space<dram>>, interleaved>
#bank = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<40x50xbf16, #tt.memory_space<l1>>, single_bank>
// CHECK-LABEL: func.func @single_bank
func.func @single_bank(%x: tensor<40x50xbf16, #dram>) -> tensor<40x50xbf16, #bank> {
  %0 = tensor.empty() : tensor<40x50xbf16, #bank>
  // 40 rows of 100 bytes, aligned to 112.
  // CHECK: "ttmetal.alloc"() <{address = {{.*}}, memory_space = #l1_, size = 4480 : i64}>
  // CHECK: kernelConfigs = [#ttkernel.noc_config<noc0>, #ttkernel.noc_config<noc1>]
  // CHECK: #ttkernel.tensor_accessor_args<dram, interleaved, 100, 128, tensor ={{ *}}40x1
  // CHECK: #ttkernel.tensor_accessor_args<l1, height_sharded, 100, 112, tensor ={{ *}}40x1{{ ?}}, shard = 40x1, cores = [<0x0, 1x1>]>
  %1 = "ttir.to_layout"(%x, %0) : (tensor<40x50xbf16, #dram>, tensor<40x50xbf16, #bank>) -> tensor<40x50xbf16, #bank>
  return %1 : tensor<40x50xbf16, #bank>
}

// -----

// On a grid with more cores than the tensor has columns of tiles, the last ones hold nothing and
// are none of those that pages are counted over.
#any = #tt.operand_constraint<any_device_tile>
#shards = #tt.layout<(d0, d1) -> (d0, d1), undef, <2x2>, memref<1x1x!tt.tile<32x32, f32>, #tt.memory_space<l1>>, block_sharded>
// CHECK-LABEL: func.func @empty_shards
func.func @empty_shards(%x: tensor<33x2xf32, #shards>) -> tensor<2x33xf32> {
  %0 = tensor.empty() : tensor<2x33xf32>
  // CHECK: #ttkernel.tensor_accessor_args<l1, block_sharded, 4096, 4096, tensor ={{ *}}2x1{{ ?}}, shard = 1x1, cores = [<0x0, 2x1>]>
  // CHECK: "ttkernel.transpose_wh_tile"
  %1 = "ttir.transpose"(%x, %0) <{dim0 = 0 : si32, dim1 = 1 : si32, operand_constraints = [#any, #any]}> : (tensor<33x2xf32, #shards>, tensor<2x33xf32>) -> tensor<2x33xf32>
  return %1 : tensor<2x33xf32>
}

// -----

// Tensors in shards have every matrix in tiles of its own, too.
#any = #tt.operand_constraint<any_device_tile>
#packed = #tt.layout<(d0, d1, d2) -> (d0 * 10 + d1, d2), undef, <2x1>, memref<1x1x!tt.tile<32x32, f32>, #tt.memory_space<l1>>, height_sharded>
// CHECK: #[[OWN:.*]] = #tt.layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), undef, <2x1>, memref<2x1x!tt.tile<32x32, f32>, #l1_>, height_sharded>
// CHECK-LABEL: func.func @matrices
// CHECK-SAME: %arg0: tensor<4x10x20xf32, #[[OWN]]>
func.func @matrices(%x: tensor<4x10x20xf32, #packed>) -> tensor<4x10x20xf32> {
  %0 = tensor.empty() : tensor<4x10x20xf32>
  // CHECK: "ttkernel.exp_tile"
  %1 = "ttir.exp"(%x, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<4x10x20xf32, #packed>, tensor<4x10x20xf32>) -> tensor<4x10x20xf32>
  return %1 : tensor<4x10x20xf32>
}

// -----

// Rows of bytes of which a tile's width is less than what reads of the DRAM are aligned to go
// through another buffer.
module attributes {tt.system_desc = #tt.system_desc<[{arch = <blackhole>, grid = 2x2, l1_size = 1499136, num_dram_channels = 2, dram_channel_size = 1073741824, noc_l1_address_align_bytes = 16, pcie_address_align_bytes = 64, noc_dram_address_align_bytes = 64, l1_unreserved_base = 1024, erisc_l1_unreserved_base = 1024, dram_unreserved_base = 1024, dram_unreserved_end = 1073741824, physical_cores = {worker = [ 0x0, 0x1, 1x0, 1x1] dram = [ 2x0, 3x0]}, supported_data_types = [<f32>, <u8>], supported_tile_sizes = [ 32x32]}], [0], [3 : i32], [ 0x0x0x0]>} {
  // CHECK-LABEL: func.func @bytes
  func.func @bytes(%x: tensor<4x40xi8>) -> tensor<4x40xi8> {
    // CHECK: "ttmetal.dispatch"{{.*}}core_ranges = [#ttmetal.core_range<0x0, 1x1>, #ttmetal.core_range<0x0, 1x1>, #ttmetal.core_range<0x0, 1x1>]
    // CHECK-NEXT: ^bb0(%{{.*}}: !ttkernel.cb<cb_in0, {{.*}}>, %{{.*}}: !ttkernel.cb<cb_out0, {{.*}}>, %[[ALIGNED:.*]]: !ttkernel.cb<cb_dfl0, {{.*}}, memref<32x128xi8, #l1_>, 4096, 1>):
    // CHECK: "ttkernel.cb_reserve_back"(%[[ALIGNED]]
    // CHECK: "ttkernel.noc_async_read"
    // CHECK: "ttkernel.noc_async_read_barrier"
    // CHECK: "ttkernel.tt_memmove"
    // CHECK: "ttkernel.tilize_block"
    %0 = tensor.empty() : tensor<4x40xi8>
    %1 = "ttir.add"(%x, %x, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#tt.operand_constraint<any_device_tile>, #tt.operand_constraint<any_device_tile>, #tt.operand_constraint<any_device_tile>]}> : (tensor<4x40xi8>, tensor<4x40xi8>, tensor<4x40xi8>) -> tensor<4x40xi8>
    return %1 : tensor<4x40xi8>
  }
}
