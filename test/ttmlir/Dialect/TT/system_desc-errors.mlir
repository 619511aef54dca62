// RUN: ttmlir-opt --split-input-file --verify-diagnostics %s
// Systems that break one rule each; the comments say which.

// chip_c1_rank
// expected-error@+1 {{(C1) expected a chip grid of two positive dimensions, found 2}}
#chip = #tt<chip_desc{arch = <wormhole_b0>, grid = 2, l1_size = 4096, num_dram_channels = 1, dram_channel_size = 8192, noc_l1_address_align_bytes = 16, pcie_address_align_bytes = 32, noc_dram_address_align_bytes = 32, l1_unreserved_base = 1024, erisc_l1_unreserved_base = 1024, dram_unreserved_base = 1024, dram_unreserved_end = 8192, physical_cores = {worker = [0x0, 0x1] dram = [1x0]}, supported_data_types = [<f32>], supported_tile_sizes = [32x32]}>
module attributes {tt.system_desc = #tt.system_desc<[#chip], [0], [3 : i32], [0x0x0x0]>} {}

// -----

// chip_c1_zero
// expected-error@+1 {{(C1) expected a chip grid of two positive dimensions, found 0x2}}
#chip = #tt<chip_desc{arch = <wormhole_b0>, grid = 0x2, l1_size = 4096, num_dram_channels = 1, dram_channel_size = 8192, noc_l1_address_align_bytes = 16, pcie_address_align_bytes = 32, noc_dram_address_align_bytes = 32, l1_unreserved_base = 1024, erisc_l1_unreserved_base = 1024, dram_unreserved_base = 1024, dram_unreserved_end = 8192, physical_cores = {worker = [0x0, 0x1] dram = [1x0]}, supported_data_types = [<f32>], supported_tile_sizes = [32x32]}>
module attributes {tt.system_desc = #tt.system_desc<[#chip], [0], [3 : i32], [0x0x0x0]>} {}

// -----

// chip_c2_workers
// expected-error@+1 {{(C2) expected 4 physical workers for the grid 2x2, found 2}}
#chip = #tt<chip_desc{arch = <wormhole_b0>, grid = 2x2, l1_size = 4096, num_dram_channels = 1, dram_channel_size = 8192, noc_l1_address_align_bytes = 16, pcie_address_align_bytes = 32, noc_dram_address_align_bytes = 32, l1_unreserved_base = 1024, erisc_l1_unreserved_base = 1024, dram_unreserved_base = 1024, dram_unreserved_end = 8192, physical_cores = {worker = [0x0, 0x1] dram = [1x0]}, supported_data_types = [<f32>], supported_tile_sizes = [32x32]}>
module attributes {tt.system_desc = #tt.system_desc<[#chip], [0], [3 : i32], [0x0x0x0]>} {}

// -----

// chip_c3_align
// expected-error@+1 {{(C3) expected an alignment that is a power of two, found 12}}
#chip = #tt<chip_desc{arch = <wormhole_b0>, grid = 1x2, l1_size = 4096, num_dram_channels = 1, dram_channel_size = 8192, noc_l1_address_align_bytes = 12, pcie_address_align_bytes = 32, noc_dram_address_align_bytes = 32, l1_unreserved_base = 1024, erisc_l1_unreserved_base = 1024, dram_unreserved_base = 1024, dram_unreserved_end = 8192, physical_cores = {worker = [0x0, 0x1] dram = [1x0]}, supported_data_types = [<f32>], supported_tile_sizes = [32x32]}>
module attributes {tt.system_desc = #tt.system_desc<[#chip], [0], [3 : i32], [0x0x0x0]>} {}

// -----

// chip_c4_l1
// expected-error@+1 {{(C4) expected l1_unreserved_base <= l1_size 4096, found 5000}}
#chip = #tt<chip_desc{arch = <wormhole_b0>, grid = 1x2, l1_size = 4096, num_dram_channels = 1, dram_channel_size = 8192, noc_l1_address_align_bytes = 16, pcie_address_align_bytes = 32, noc_dram_address_align_bytes = 32, l1_unreserved_base = 5000, erisc_l1_unreserved_base = 1024, dram_unreserved_base = 1024, dram_unreserved_end = 8192, physical_cores = {worker = [0x0, 0x1] dram = [1x0]}, supported_data_types = [<f32>], supported_tile_sizes = [32x32]}>
module attributes {tt.system_desc = #tt.system_desc<[#chip], [0], [3 : i32], [0x0x0x0]>} {}

// -----

// chip_c4_dram
// expected-error@+1 {{(C4) expected dram_unreserved_base <= dram_unreserved_end <= dram_channel_size 8192, found 1024 and 9000}}
#chip = #tt<chip_desc{arch = <wormhole_b0>, grid = 1x2, l1_size = 4096, num_dram_channels = 1, dram_channel_size = 8192, noc_l1_address_align_bytes = 16, pcie_address_align_bytes = 32, noc_dram_address_align_bytes = 32, l1_unreserved_base = 1024, erisc_l1_unreserved_base = 1024, dram_unreserved_base = 1024, dram_unreserved_end = 9000, physical_cores = {worker = [0x0, 0x1] dram = [1x0]}, supported_data_types = [<f32>], supported_tile_sizes = [32x32]}>
module attributes {tt.system_desc = #tt.system_desc<[#chip], [0], [3 : i32], [0x0x0x0]>} {}

// -----

// system_c2_index
#chip = #tt<chip_desc{arch = <wormhole_b0>, grid = 1x2, l1_size = 4096, num_dram_channels = 1, dram_channel_size = 8192, noc_l1_address_align_bytes = 16, pcie_address_align_bytes = 32, noc_dram_address_align_bytes = 32, l1_unreserved_base = 1024, erisc_l1_unreserved_base = 1024, dram_unreserved_base = 1024, dram_unreserved_end = 8192, physical_cores = {worker = [0x0, 0x1] dram = [1x0]}, supported_data_types = [<f32>], supported_tile_sizes = [32x32]}>
// expected-error@+1 {{(C2) expected chip description indices below 1, found 1}}
module attributes {tt.system_desc = #tt.system_desc<[#chip], [1], [3 : i32], [0x0x0x0]>} {}

// -----

// system_c3_capabilities
#chip = #tt<chip_desc{arch = <wormhole_b0>, grid = 1x2, l1_size = 4096, num_dram_channels = 1, dram_channel_size = 8192, noc_l1_address_align_bytes = 16, pcie_address_align_bytes = 32, noc_dram_address_align_bytes = 32, l1_unreserved_base = 1024, erisc_l1_unreserved_base = 1024, dram_unreserved_base = 1024, dram_unreserved_end = 8192, physical_cores = {worker = [0x0, 0x1] dram = [1x0]}, supported_data_types = [<f32>], supported_tile_sizes = [32x32]}>
// expected-error@+1 {{(C3) expected 1 chip capabilities, one a chip, found 2}}
module attributes {tt.system_desc = #tt.system_desc<[#chip], [0], [3 : i32, 3 : i32], [0x0x0x0]>} {}

// -----

// system_c3_coords
#chip = #tt<chip_desc{arch = <wormhole_b0>, grid = 1x2, l1_size = 4096, num_dram_channels = 1, dram_channel_size = 8192, noc_l1_address_align_bytes = 16, pcie_address_align_bytes = 32, noc_dram_address_align_bytes = 32, l1_unreserved_base = 1024, erisc_l1_unreserved_base = 1024, dram_unreserved_base = 1024, dram_unreserved_end = 8192, physical_cores = {worker = [0x0, 0x1] dram = [1x0]}, supported_data_types = [<f32>], supported_tile_sizes = [32x32]}>
// expected-error@+1 {{(C3) expected 1 chip coordinates, one a chip, found 2}}
module attributes {tt.system_desc = #tt.system_desc<[#chip], [0], [3 : i32], [0x0x0x0, 0x0x0x1]>} {}

// -----

// system_c4_channel
#chip = #tt<chip_desc{arch = <wormhole_b0>, grid = 1x2, l1_size = 4096, num_dram_channels = 1, dram_channel_size = 8192, noc_l1_address_align_bytes = 16, pcie_address_align_bytes = 32, noc_dram_address_align_bytes = 32, l1_unreserved_base = 1024, erisc_l1_unreserved_base = 1024, dram_unreserved_base = 1024, dram_unreserved_end = 8192, physical_cores = {worker = [0x0, 0x1] dram = [1x0]}, supported_data_types = [<f32>], supported_tile_sizes = [32x32]}>
// expected-error@+1 {{(C4) expected chip channels between chips below 1, found chip 1}}
module attributes {tt.system_desc = #tt.system_desc<[#chip], [0], [3 : i32], [0x0x0x0], [<[0, 8, 0], [1, 0, 0]>]>} {}

// -----

// system_capability
#chip = #tt<chip_desc{arch = <wormhole_b0>, grid = 1x2, l1_size = 4096, num_dram_channels = 1, dram_channel_size = 8192, noc_l1_address_align_bytes = 16, pcie_address_align_bytes = 32, noc_dram_address_align_bytes = 32, l1_unreserved_base = 1024, erisc_l1_unreserved_base = 1024, dram_unreserved_base = 1024, dram_unreserved_end = 8192, physical_cores = {worker = [0x0, 0x1] dram = [1x0]}, supported_data_types = [<f32>], supported_tile_sizes = [32x32]}>
// expected-error@+1 {{expected chip capabilities of pcie, host_mmio as a set of 32 bits, found 8 : i32}}
module attributes {tt.system_desc = #tt.system_desc<[#chip], [0], [8 : i32], [0x0x0x0]>} {}

// -----

// device_outside
#chip = #tt<chip_desc{arch = <wormhole_b0>, grid = 1x2, l1_size = 4096, num_dram_channels = 1, dram_channel_size = 8192, noc_l1_address_align_bytes = 16, pcie_address_align_bytes = 32, noc_dram_address_align_bytes = 32, l1_unreserved_base = 1024, erisc_l1_unreserved_base = 1024, dram_unreserved_base = 1024, dram_unreserved_end = 8192, physical_cores = {worker = [0x0, 0x1] dram = [1x0]}, supported_data_types = [<f32>], supported_tile_sizes = [32x32]}>
#system = #tt.system_desc<[#chip], [0], [3 : i32], [0x0x0x0]>
#device = #tt.device<workerGrid = #tt.grid<1x4, (d0, d1) -> (d1 floordiv 2, d0, d1 mod 2)>, l1Map = (d0, d1)[s0, s1] -> (0, d0, d1, 0), dramMap = (d0, d1)[s0, s1] -> (0, 0, d0, d1), meshShape = 1x2, chipIds = [0, 1]>
// expected-error@+1 {{'builtin.module' op expected the chip ids of tt.device, mesh 1x2, to be below 1, the chips of tt.system_desc, found 1}}
module attributes {tt.device = #device, tt.system_desc = #system} {}

// -----

// expected-error@+1 {{(C2) expected 1 physical DRAM cores, one for each channel, or none, found 2}}
#chip = #tt<chip_desc{arch = <wormhole_b0>, grid = 2x2, l1_size = 4096, num_dram_channels = 1, dram_channel_size = 8192, noc_l1_address_align_bytes = 16, pcie_address_align_bytes = 32, noc_dram_address_align_bytes = 32, l1_unreserved_base = 1024, erisc_l1_unreserved_base = 1024, dram_unreserved_base = 1024, dram_unreserved_end = 8192, physical_cores = {worker = [0x0, 0x1, 1x0, 1x1] dram = [2x0, 2x1]}, supported_data_types = [<f32>], supported_tile_sizes = [32x32]}>
module attributes {tt.system_desc = #tt.system_desc<[#chip], [0], [3 : i32], [0x0x0x0]>} {}

// -----

// system_capability_name
// expected-error@+1 {{expected one of pcie, host_mmio, found usb}}
module attributes {tt.system_desc = #tt.system_desc<[<#tt.arch<wormhole_b0>, #tt.grid<8x8>>], [0], [<pcie|usb>], [<0, 0, 0, 0>]>} {}

// -----

// short_chip_grid
// expected-error@+1 {{expected a grid of at most 8x8, the cores of #tt.arch<wormhole_b0>, found #tt.grid<8x9>}}
module attributes {tt.system_desc = #tt.system_desc<[<#tt.arch<wormhole_b0>, #tt.grid<8x9>>], [0], [<pcie|host_mmio>], [<0, 0, 0, 0>]>} {}

// -----

// short_chip_rank
// expected-error@+1 {{expected a grid of at most 8x8, the cores of #tt.arch<wormhole_b0>, found #tt.grid<8x8x1>}}
module attributes {tt.system_desc = #tt.system_desc<[<#tt.arch<wormhole_b0>, #tt.grid<8x8x1>>], [0], [<pcie|host_mmio>], [<0, 0, 0, 0>]>} {}
