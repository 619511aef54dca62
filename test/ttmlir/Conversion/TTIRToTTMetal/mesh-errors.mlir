// RUN: ttmlir-opt --convert-ttir-to-ttmetal --verify-diagnostics %s
// Kernels name physical cores, so those of all chips must be at the same places.

#chip = #tt<chip_desc{arch = <wormhole_b0>, grid = 1x2, l1_size = 4096, num_dram_channels = 1, dram_channel_size = 8192, noc_l1_address_align_bytes = 16, pcie_address_align_bytes = 32, noc_dram_address_align_bytes = 32, l1_unreserved_base = 1024, erisc_l1_unreserved_base = 1024, dram_unreserved_base = 1024, dram_unreserved_end = 8192, physical_cores = {worker = [0x0, 0x1] dram = [1x0]}, supported_data_types = [<f32>], supported_tile_sizes = [32x32]}>
#other = #tt<chip_desc{arch = <wormhole_b0>, grid = 1x2, l1_size = 4096, num_dram_channels = 1, dram_channel_size = 8192, noc_l1_address_align_bytes = 16, pcie_address_align_bytes = 32, noc_dram_address_align_bytes = 32, l1_unreserved_base = 1024, erisc_l1_unreserved_base = 1024, dram_unreserved_base = 1024, dram_unreserved_end = 8192, physical_cores = {worker = [0x0, 0x2] dram = [1x0]}, supported_data_types = [<f32>], supported_tile_sizes = [32x32]}>
#system = #tt.system_desc<[#chip, #other], [0, 0, 1], [3 : i32, 3 : i32, 3 : i32], [0x0x0x0, 0x0x0x1, 0x0x0x2]>
#device = #tt.device<workerGrid = #tt.grid<1x4, (d0, d1) -> (d1 floordiv 2, d0, d1 mod 2)>, l1Map = (d0, d1)[s0, s1] -> (0, d0, d1, 0), dramMap = (d0, d1)[s0, s1] -> (0, 0, d0, d1), meshShape = 1x2, chipIds = [1, 2]>
// expected-error@+1 {{expected the cores of all chips of mesh 1x2 at the same places, found chips 1 and 2 with different ones}}
module attributes {tt.device = #device, tt.system_desc = #system} {}
