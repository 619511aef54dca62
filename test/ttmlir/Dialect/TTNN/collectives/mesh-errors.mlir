// RUN: ttmlir-opt %s -split-input-file -verify-diagnostics
// Rules about the mesh and its links.
#device = #tt.device<workerGrid = #tt.grid<16x32, (d0, d1) -> ((d0 floordiv 8) * 4 + d1 floordiv 8, d0 mod 8, d1 mod 8)>, l1Map = (d0, d1)[s0, s1] -> (0, 0, 0, 0), dramMap = (d0, d1)[s0, s1] -> (0, 0, 0, 0), meshShape = 2x4, chipIds = [0, 1, 2, 3, 4, 5, 6, 7]>
module attributes {tt.device = #device} {
  func.func @axis(%a0: tensor<32x64xf32>) {
    // expected-error @+1 {{'ttnn.all_gather' op expected a cluster axis below 2, the dimensions of mesh 2x4, found 2}}
    %r = "ttnn.all_gather"(%a0) <{all_gather_dim = 1 : si32, cluster_axis = 2 : ui32}> : (tensor<32x64xf32>) -> tensor<32x256xf32>
    return
  }
}

// -----

#device = #tt.device<workerGrid = #tt.grid<16x32, (d0, d1) -> ((d0 floordiv 8) * 4 + d1 floordiv 8, d0 mod 8, d1 mod 8)>, l1Map = (d0, d1)[s0, s1] -> (0, 0, 0, 0), dramMap = (d0, d1)[s0, s1] -> (0, 0, 0, 0), meshShape = 2x4, chipIds = [0, 1, 2, 3, 4, 5, 6, 7]>
module attributes {tt.device = #device} {
  func.func @extent(%a0: tensor<32x64xf32>) {
    // expected-error @+1 {{Output shape mismatch: expected 32x16, found 32x32 with groups of 4 chips on the mesh 2x4}}
    %r = "ttnn.reduce_scatter"(%a0) <{cluster_axis = 1 : ui32, reduce_type = #tt.reduce_type<sum>, scatter_dim = 1 : si32}> : (tensor<32x64xf32>) -> tensor<32x32xf32>
    return
  }
}

// -----

#chip = #tt<chip_desc {arch = <wormhole_b0>, grid = 1x1, l1_size = 1499136, num_dram_channels = 1, dram_channel_size = 1073741824, noc_l1_address_align_bytes = 16, pcie_address_align_bytes = 32, noc_dram_address_align_bytes = 32, l1_unreserved_base = 1024, erisc_l1_unreserved_base = 1024, dram_unreserved_base = 1024, dram_unreserved_end = 1073741824, physical_cores = {worker = [ 0x0] dram = [ 8x0]}, supported_data_types = [<f32>, <bf16>], supported_tile_sizes = [ 32x32]}>
#system = #tt.system_desc<[#chip], [0, 0, 0, 0], [3 : i32, 3 : i32, 3 : i32, 3 : i32], [ 0x0x0x0,  0x0x0x1,  0x0x0x2,  0x0x0x3], [<[0, 0, 0], [1, 0, 0]>, <[0, 1, 0], [1, 1, 0]>, <[1, 2, 0], [2, 2, 0]>, <[2, 0, 0], [3, 0, 0]>]>
#device = #tt.device<workerGrid = #tt.grid<1x4, (d0, d1) -> (d0 * 4 + d1, 0, 0)>, l1Map = (d0, d1)[s0, s1] -> (0, 0, 0, 0), dramMap = (d0, d1)[s0, s1] -> (0, 0, 0, 0), meshShape = 1x4, chipIds = [0, 1, 2, 3]>
module attributes {tt.device = #device, tt.system_desc = #system} {
  func.func @ring(%a0: tensor<32x64xf32>) {
    // expected-error @+1 {{'ttnn.all_gather' op expected an Ethernet link between chips 3 and 0 (positions 3 and 0 of mesh 1x4), found none in the system}}
    %r = "ttnn.all_gather"(%a0) <{all_gather_dim = 1 : si32, cluster_axis = 1 : ui32, topology = #tt.topology<ring>}> : (tensor<32x64xf32>) -> tensor<32x256xf32>
    return
  }
}

// -----

#chip = #tt<chip_desc {arch = <wormhole_b0>, grid = 1x1, l1_size = 1499136, num_dram_channels = 1, dram_channel_size = 1073741824, noc_l1_address_align_bytes = 16, pcie_address_align_bytes = 32, noc_dram_address_align_bytes = 32, l1_unreserved_base = 1024, erisc_l1_unreserved_base = 1024, dram_unreserved_base = 1024, dram_unreserved_end = 1073741824, physical_cores = {worker = [ 0x0] dram = [ 8x0]}, supported_data_types = [<f32>, <bf16>], supported_tile_sizes = [ 32x32]}>
#system = #tt.system_desc<[#chip], [0, 0, 0, 0], [3 : i32, 3 : i32, 3 : i32, 3 : i32], [ 0x0x0x0,  0x0x0x1,  0x0x0x2,  0x0x0x3], [<[0, 0, 0], [1, 0, 0]>, <[0, 1, 0], [1, 1, 0]>, <[1, 2, 0], [2, 2, 0]>, <[2, 0, 0], [3, 0, 0]>]>
#device = #tt.device<workerGrid = #tt.grid<1x4, (d0, d1) -> (d0 * 4 + d1, 0, 0)>, l1Map = (d0, d1)[s0, s1] -> (0, 0, 0, 0), dramMap = (d0, d1)[s0, s1] -> (0, 0, 0, 0), meshShape = 1x4, chipIds = [0, 1, 2, 3]>
module attributes {tt.device = #device, tt.system_desc = #system} {
  func.func @links(%a0: tensor<32x64xf32>) {
    // expected-error @+1 {{'ttnn.all_reduce' op num_links must be links that the system has: expected at most 1 between chips 1 and 2 (positions 1 and 2 of mesh 1x4), found 2}}
    %r = "ttnn.all_reduce"(%a0) <{cluster_axis = 1 : ui32, num_links = 2 : ui32, reduce_type = #tt.reduce_type<sum>}> : (tensor<32x64xf32>) -> tensor<32x64xf32>
    return
  }
}

// -----


#chip = #tt<chip_desc {arch = <wormhole_b0>, grid = 1x1, l1_size = 1499136, num_dram_channels = 1, dram_channel_size = 1073741824, noc_l1_address_align_bytes = 16, pcie_address_align_bytes = 32, noc_dram_address_align_bytes = 32, l1_unreserved_base = 1024, erisc_l1_unreserved_base = 1024, dram_unreserved_base = 1024, dram_unreserved_end = 1073741824, physical_cores = {worker = [ 0x0] dram = [ 8x0]}, supported_data_types = [<f32>, <bf16>], supported_tile_sizes = [ 32x32]}>
#system = #tt.system_desc<[#chip], [0, 0, 0, 0], [3 : i32, 3 : i32, 3 : i32, 3 : i32], [ 0x0x0x0,  0x0x0x1,  0x0x0x2,  0x0x0x3], [<[0, 0, 0], [1, 0, 0]>, <[0, 1, 0], [1, 1, 0]>, <[1, 2, 0], [2, 2, 0]>, <[1, 3, 0], [2, 3, 0]>, <[2, 0, 0], [3, 0, 0]>, <[2, 1, 0], [3, 1, 0]>, <[3, 2, 0], [0, 2, 0]>]>
#device = #tt.device<workerGrid = #tt.grid<1x4, (d0, d1) -> (d0 * 4 + d1, 0, 0)>, l1Map = (d0, d1)[s0, s1] -> (0, 0, 0, 0), dramMap = (d0, d1)[s0, s1] -> (0, 0, 0, 0), meshShape = 1x4, chipIds = [0, 1, 2, 3]>
module attributes {tt.device = #device, tt.system_desc = #system} {
  func.func @links_of_a_ring(%a0: tensor<32x64xf32>) {
    // expected-error @+1 {{'ttnn.all_reduce' op num_links must be links that the system has: expected at most 1 between chips 3 and 0 (positions 3 and 0 of mesh 1x4), found 2}}
    %r = "ttnn.all_reduce"(%a0) <{cluster_axis = 1 : ui32, num_links = 2 : ui32, reduce_type = #tt.reduce_type<sum>, topology = #tt.topology<ring>}> : (tensor<32x64xf32>) -> tensor<32x64xf32>
    return
  }
}
