// RUN: ttmlir-opt %s -split-input-file -verify-diagnostics
// A link between neighbours that the system does not have. Chips 0, 1 and 2 are in a line.
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
#chip = #tt<chip_desc {arch = <wormhole_b0>, grid = 1x1, l1_size = 1499136, num_dram_channels = 1, dram_channel_size = 1073741824, noc_l1_address_align_bytes = 16, pcie_address_align_bytes = 32, noc_dram_address_align_bytes = 32, l1_unreserved_base = 1024, erisc_l1_unreserved_base = 1024, dram_unreserved_base = 1024, dram_unreserved_end = 1073741824, physical_cores = {worker = [ 0x0] dram = [ 8x0]}, supported_data_types = [<f32>, <bf16>], supported_tile_sizes = [ 32x32]}>
#system = #tt.system_desc<[#chip], [0, 0, 0, 0], [3 : i32, 3 : i32, 3 : i32, 3 : i32], [ 0x0x0x0,  0x0x0x1,  0x0x0x2,  0x0x0x3], [<[0, 0, 0], [1, 0, 0]>, <[0, 1, 0], [1, 1, 0]>, <[1, 2, 0], [2, 2, 0]>]>
#device = #tt.device<workerGrid = #tt.grid<1x4, (d0, d1) -> (d0 * 4 + d1, 0, 0)>, l1Map = (d0, d1)[s0, s1] -> (0, 0, 0, 0), dramMap = (d0, d1)[s0, s1] -> (0, 0, 0, 0), meshShape = 1x4, chipIds = [0, 1, 2, 3]>
module attributes {tt.device = #device, tt.system_desc = #system} {
  func.func @all_gather_c6(%a0: tensor<32x64xf32>) {
    %e0 = tensor.empty() : tensor<32x256xf32>
    // expected-error @+1 {{'ttir.all_gather' op expected an Ethernet link between chips 2 and 3 (positions 2 and 3 of mesh 1x4), found none in the system}}
    %r = "ttir.all_gather"(%a0, %e0) <{all_gather_dim = 1 : si32, cluster_axis = 1 : ui32, operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<32x64xf32>, tensor<32x256xf32>) -> tensor<32x256xf32>
    return
  }
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
#chip = #tt<chip_desc {arch = <wormhole_b0>, grid = 1x1, l1_size = 1499136, num_dram_channels = 1, dram_channel_size = 1073741824, noc_l1_address_align_bytes = 16, pcie_address_align_bytes = 32, noc_dram_address_align_bytes = 32, l1_unreserved_base = 1024, erisc_l1_unreserved_base = 1024, dram_unreserved_base = 1024, dram_unreserved_end = 1073741824, physical_cores = {worker = [ 0x0] dram = [ 8x0]}, supported_data_types = [<f32>, <bf16>], supported_tile_sizes = [ 32x32]}>
#system = #tt.system_desc<[#chip], [0, 0, 0, 0], [3 : i32, 3 : i32, 3 : i32, 3 : i32], [ 0x0x0x0,  0x0x0x1,  0x0x0x2,  0x0x0x3], [<[0, 0, 0], [1, 0, 0]>, <[0, 1, 0], [1, 1, 0]>, <[1, 2, 0], [2, 2, 0]>]>
#device = #tt.device<workerGrid = #tt.grid<1x4, (d0, d1) -> (d0 * 4 + d1, 0, 0)>, l1Map = (d0, d1)[s0, s1] -> (0, 0, 0, 0), dramMap = (d0, d1)[s0, s1] -> (0, 0, 0, 0), meshShape = 1x4, chipIds = [1, 0, 2, 3]>
module attributes {tt.device = #device, tt.system_desc = #system} {
  func.func @reduce_scatter_c7(%a0: tensor<32x64xf32>) {
    %e0 = tensor.empty() : tensor<32x16xf32>
    // expected-error @+1 {{expected an Ethernet link between chips 0 and 2 (positions 1 and 2 of mesh 1x4), found none in the system}}
    %r = "ttir.reduce_scatter"(%a0, %e0) <{cluster_axis = 1 : ui32, operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any], reduce_type = #tt.reduce_type<sum>, scatter_dim = 1 : si32}> : (tensor<32x64xf32>, tensor<32x16xf32>) -> tensor<32x16xf32>
    return
  }
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
#chip = #tt<chip_desc {arch = <wormhole_b0>, grid = 1x1, l1_size = 1499136, num_dram_channels = 1, dram_channel_size = 1073741824, noc_l1_address_align_bytes = 16, pcie_address_align_bytes = 32, noc_dram_address_align_bytes = 32, l1_unreserved_base = 1024, erisc_l1_unreserved_base = 1024, dram_unreserved_base = 1024, dram_unreserved_end = 1073741824, physical_cores = {worker = [ 0x0] dram = [ 8x0]}, supported_data_types = [<f32>, <bf16>], supported_tile_sizes = [ 32x32]}>
#system = #tt.system_desc<[#chip], [0, 0, 0, 0], [3 : i32, 3 : i32, 3 : i32, 3 : i32], [ 0x0x0x0,  0x0x0x1,  0x0x0x2,  0x0x0x3], [<[0, 0, 0], [1, 0, 0]>, <[0, 1, 0], [1, 1, 0]>, <[1, 2, 0], [2, 2, 0]>, <[2, 0, 0], [3, 0, 0]>]>
#device = #tt.device<workerGrid = #tt.grid<2x2, (d0, d1) -> (d0 * 2 + d1, 0, 0)>, l1Map = (d0, d1)[s0, s1] -> (0, 0, 0, 0), dramMap = (d0, d1)[s0, s1] -> (0, 0, 0, 0), meshShape = 2x2, chipIds = [0, 1, 2, 3]>
module attributes {tt.device = #device, tt.system_desc = #system} {
  func.func @all_reduce_c5(%a0: tensor<32x64xf32>) {
    %e0 = tensor.empty() : tensor<32x64xf32>
    // expected-error @+1 {{expected an Ethernet link between chips 0 and 2 (positions 0 and 2 of mesh 2x2), found none in the system}}
    %r = "ttir.all_reduce"(%a0, %e0) <{cluster_axis = 0 : ui32, operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any], reduce_type = #tt.reduce_type<max>}> : (tensor<32x64xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
    return
  }
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
#chip = #tt<chip_desc {arch = <wormhole_b0>, grid = 1x1, l1_size = 1499136, num_dram_channels = 1, dram_channel_size = 1073741824, noc_l1_address_align_bytes = 16, pcie_address_align_bytes = 32, noc_dram_address_align_bytes = 32, l1_unreserved_base = 1024, erisc_l1_unreserved_base = 1024, dram_unreserved_base = 1024, dram_unreserved_end = 1073741824, physical_cores = {worker = [ 0x0] dram = [ 8x0]}, supported_data_types = [<f32>, <bf16>], supported_tile_sizes = [ 32x32]}>
#system = #tt.system_desc<[#chip], [0, 0, 0, 0], [3 : i32, 3 : i32, 3 : i32, 3 : i32], [ 0x0x0x0,  0x0x0x1,  0x0x0x2,  0x0x0x3], [<[0, 0, 0], [1, 0, 0]>, <[0, 1, 0], [1, 1, 0]>, <[1, 2, 0], [2, 2, 0]>]>
#device = #tt.device<workerGrid = #tt.grid<1x4, (d0, d1) -> (d0 * 4 + d1, 0, 0)>, l1Map = (d0, d1)[s0, s1] -> (0, 0, 0, 0), dramMap = (d0, d1)[s0, s1] -> (0, 0, 0, 0), meshShape = 1x4, chipIds = [0, 1, 2, 3]>
module attributes {tt.device = #device, tt.system_desc = #system} {
  func.func @collective_permute_c6(%a0: tensor<32x64xf32>) {
    %e0 = tensor.empty() : tensor<32x64xf32>
    // expected-error @+1 {{expected an Ethernet link between chips 2 and 3 (positions 2 and 3 of mesh 1x4), found none in the system}}
    %r = "ttir.collective_permute"(%a0, %e0) <{operand_constraints = [#any, #any], source_target_pairs = dense<[[0, 1], [1, 3]]> : tensor<2x2xi64>}> : (tensor<32x64xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
    return
  }
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
#chip = #tt<chip_desc {arch = <wormhole_b0>, grid = 1x1, l1_size = 1499136, num_dram_channels = 1, dram_channel_size = 1073741824, noc_l1_address_align_bytes = 16, pcie_address_align_bytes = 32, noc_dram_address_align_bytes = 32, l1_unreserved_base = 1024, erisc_l1_unreserved_base = 1024, dram_unreserved_base = 1024, dram_unreserved_end = 1073741824, physical_cores = {worker = [ 0x0] dram = [ 8x0]}, supported_data_types = [<f32>, <bf16>], supported_tile_sizes = [ 32x32]}>
#system = #tt.system_desc<[#chip], [0, 0, 0, 0], [3 : i32, 3 : i32, 3 : i32, 3 : i32], [ 0x0x0x0,  0x0x0x1,  0x0x0x2,  0x0x0x3], [<[0, 0, 0], [1, 0, 0]>, <[0, 1, 0], [1, 1, 0]>, <[1, 2, 0], [2, 2, 0]>]>
#device = #tt.device<workerGrid = #tt.grid<1x4, (d0, d1) -> (d0 * 4 + d1, 0, 0)>, l1Map = (d0, d1)[s0, s1] -> (0, 0, 0, 0), dramMap = (d0, d1)[s0, s1] -> (0, 0, 0, 0), meshShape = 1x4, chipIds = [0, 1, 2, 3]>
module attributes {tt.device = #device, tt.system_desc = #system} {
  func.func @all_to_all_c7(%a0: tensor<32x64xf32>) {
    %e0 = tensor.empty() : tensor<16x128xf32>
    // expected-error @+1 {{expected an Ethernet link between chips 2 and 3 (positions 2 and 3 of mesh 1x4), found none in the system}}
    %r = "ttir.all_to_all"(%a0, %e0) <{concat_dim = 1 : si32, operand_constraints = [#any, #any], replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, split_count = 2 : si32, split_dim = 0 : si32}> : (tensor<32x64xf32>, tensor<16x128xf32>) -> tensor<16x128xf32>
    return
  }
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
#chip = #tt<chip_desc {arch = <wormhole_b0>, grid = 1x1, l1_size = 1499136, num_dram_channels = 1, dram_channel_size = 1073741824, noc_l1_address_align_bytes = 16, pcie_address_align_bytes = 32, noc_dram_address_align_bytes = 32, l1_unreserved_base = 1024, erisc_l1_unreserved_base = 1024, dram_unreserved_base = 1024, dram_unreserved_end = 1073741824, physical_cores = {worker = [ 0x0] dram = [ 8x0]}, supported_data_types = [<f32>, <bf16>], supported_tile_sizes = [ 32x32]}>
#system = #tt.system_desc<[#chip], [0, 0, 0, 0], [3 : i32, 3 : i32, 3 : i32, 3 : i32], [ 0x0x0x0,  0x0x0x1,  0x0x0x2,  0x0x0x3], [<[0, 0, 0], [1, 0, 0]>, <[0, 1, 0], [1, 1, 0]>, <[1, 2, 0], [2, 2, 0]>]>
#device = #tt.device<workerGrid = #tt.grid<1x4, (d0, d1) -> (d0 * 4 + d1, 0, 0)>, l1Map = (d0, d1)[s0, s1] -> (0, 0, 0, 0), dramMap = (d0, d1)[s0, s1] -> (0, 0, 0, 0), meshShape = 1x4, chipIds = [0, 1, 2, 3]>
module attributes {tt.device = #device, tt.system_desc = #system} {
  func.func @collective_broadcast_c5(%a0: tensor<32x64xf32>) {
    %e0 = tensor.empty() : tensor<32x64xf32>
    // expected-error @+1 {{expected an Ethernet link between chips 2 and 3 (positions 2 and 3 of mesh 1x4), found none in the system}}
    %r = "ttir.collective_broadcast"(%a0, %e0) <{operand_constraints = [#any, #any], replica_groups = dense<[[0, 3]]> : tensor<1x2xi64>}> : (tensor<32x64xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
    return
  }
}
