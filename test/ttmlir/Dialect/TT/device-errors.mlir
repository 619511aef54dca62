// RUN: ttmlir-opt --split-input-file --verify-diagnostics %s
// Devices that break one rule each; the names say which.

// expected-error@+1 {{'func.func' op attribute 'tt.device' expects #tt.device, found 1 : i64}}
func.func private @device_kind() attributes {tt.device = 1}

// -----

// expected-error@+1 {{expected chipIds size to match the volume of meshShape, expected 2, found 1}}
func.func private @device_c2_ids() attributes {a = #tt.device<workerGrid = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>, l1Map = (d0, d1)[s0, s1] -> (0, d0, d1, 0), dramMap = (d0, d1)[s0, s1] -> (0, 0, d0, d1), meshShape = 2, chipIds = [0]>}

// -----

// expected-error@+1 {{expected chipIds size to match the volume of meshShape, expected 2, found 1}}
func.func private @device_c2_mesh() attributes {a = #tt.device<workerGrid = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>, l1Map = (d0, d1)[s0, s1] -> (0, d0, d1, 0), dramMap = (d0, d1)[s0, s1] -> (0, 0, d0, d1), meshShape = 1x2, chipIds = [0]>}

// -----

// expected-error@+1 {{expected positive mesh dimensions, found 0}}
func.func private @device_c3_mesh() attributes {a = #tt.device<workerGrid = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>, l1Map = (d0, d1)[s0, s1] -> (0, d0, d1, 0), dramMap = (d0, d1)[s0, s1] -> (0, 0, d0, d1), meshShape = 0, chipIds = [0]>}

// -----

// expected-error@+2 {{(C1) expected positive grid dimensions, found 8x0}}
// expected-error@+1 {{failed to parse TT_DeviceAttr parameter 'workerGrid' which is to be a `::mlir::tt::GridAttr`}}
func.func private @device_c3_grid() attributes {a = #tt.device<workerGrid = #tt.grid<8x0, (d0, d1) -> (0, d0, d1)>, l1Map = (d0, d1)[s0, s1] -> (0, d0, d1, 0), dramMap = (d0, d1)[s0, s1] -> (0, 0, d0, d1), meshShape = 1, chipIds = [0]>}

// -----

// expected-error@+1 {{expected physical grid mapping to have PhysGridResultIdx::NumIndices results, expected 3, found 0}}
func.func private @device_c4_grid() attributes {a = #tt.device<workerGrid = #tt.grid<8x8>, l1Map = (d0, d1)[s0, s1] -> (0, d0, d1, 0), dramMap = (d0, d1)[s0, s1] -> (0, 0, d0, d1), meshShape = 1, chipIds = [0]>}

// -----

// expected-error@+1 {{expected l1Map to have MemoryMapResultIdx::NumIndices results, expected 4, found 3}}
func.func private @device_c4_l1() attributes {a = #tt.device<workerGrid = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>, l1Map = (d0, d1)[s0, s1] -> (0, d0, d1), dramMap = (d0, d1)[s0, s1] -> (0, 0, d0, d1), meshShape = 1, chipIds = [0]>}

// -----

// expected-error@+1 {{expected dramMap to have MemoryMapResultIdx::NumIndices results, expected 4, found 2}}
func.func private @device_c4_dram() attributes {a = #tt.device<workerGrid = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>, l1Map = (d0, d1)[s0, s1] -> (0, d0, d1, 0), dramMap = (d0, d1)[s0, s1] -> (0, 0), meshShape = 1, chipIds = [0]>}

// -----

// expected-error@+1 {{expected l1Map of 2 dimensions and at most as many symbols, found 1 dimensions and 0 symbols}}
func.func private @device_c4_rank() attributes {a = #tt.device<workerGrid = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>, l1Map = (d0) -> (0, d0, 0, 0), dramMap = (d0, d1) -> (0, 0, d0, d1), meshShape = , chipIds = [0]>}

// -----

// expected-error@+1 {{expected at least one chip}}
func.func private @device_c1_chips() attributes {a = #tt.device<workerGrid = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>, l1Map = (d0, d1)[s0, s1] -> (0, d0, d1, 0), dramMap = (d0, d1)[s0, s1] -> (0, 0, d0, d1), meshShape = , chipIds = []>}

// -----

// expected-error@+1 {{expected every chip once in mesh 1x2, found chip 1 twice}}
func.func private @device_c2_twice() attributes {a = #tt.device<workerGrid = #tt.grid<8x16, (d0, d1) -> (d1 floordiv 8, d0, d1 mod 8)>, l1Map = (d0, d1)[s0, s1] -> (0, d0, d1, 0), dramMap = (d0, d1)[s0, s1] -> (0, 0, d0, d1), meshShape = 1x2, chipIds = [1, 1]>}

// -----

// expected-error@+1 {{expected a worker grid of 3 dimensions, those of mesh 2x1x1, found 2}}
func.func private @device_c5_rank() attributes {a = #tt.device<workerGrid = #tt.grid<16x8, (d0, d1) -> (d0 floordiv 8, d0 mod 8, d1)>, l1Map = (d0, d1)[s0, s1] -> (0, d0, d1, 0), dramMap = (d0, d1)[s0, s1] -> (0, 0, d0, d1), meshShape = 2x1x1, chipIds = [0, 1]>}

// -----

// expected-error@+1 {{expected the points of the worker grid on the 2 chips of the mesh, found 0x8 on chip 2}}
func.func private @device_c5_chip() attributes {a = #tt.device<workerGrid = #tt.grid<8x16, (d0, d1) -> ((d1 floordiv 8) * 2, d0, d1 mod 8)>, l1Map = (d0, d1)[s0, s1] -> (0, d0, d1, 0), dramMap = (d0, d1)[s0, s1] -> (0, 0, d0, d1), meshShape = 1x2, chipIds = [0, 1]>}

// -----

// expected-error@+1 {{expected chipIds size to match the volume of meshShape, expected 2, found 1}}
func.func private @short_c2_ids() attributes {a = #tt.device<workerGrid = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>, meshShape = 1x2, chipIds = [0]>}

// -----

// expected-error@+1 {{expected physical grid mapping to have PhysGridResultIdx::NumIndices results, expected 3, found 0}}
func.func private @short_c4_grid() attributes {a = #tt.device<workerGrid = #tt.grid<8x8>, meshShape = 1, chipIds = [0]>}

// -----

// expected-error@+1 {{expected a worker grid of 2 dimensions, those of mesh 1x2, found 3}}
func.func private @short_c5_rank() attributes {a = #tt.device<workerGrid = #tt.grid<2x8x8, (d0, d1, d2) -> (d0, d1, d2)>, meshShape = 1x2, chipIds = [0, 1]>}

// -----

// expected-error@+1 {{expected 'workerGrid'}}
func.func private @no_grid() attributes {a = #tt.device<meshShape = 1, chipIds = [0]>}

// -----

// expected-error@+1 {{expected 'meshShape'}}
func.func private @no_mesh() attributes {a = #tt.device<workerGrid = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>, chipIds = [0]>}

// -----

// expected-error@+1 {{expected ', chipIds = [..]', the chips of the mesh}}
func.func private @no_chips() attributes {a = #tt.device<workerGrid = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>, meshShape = 1>}

// -----

// expected-error@+1 {{expected 'dramMap'}}
func.func private @no_dram_map() attributes {a = #tt.device<workerGrid = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>, l1Map = (d0, d1)[s0, s1] -> (0, d0, d1, 0), meshShape = 1, chipIds = [0]>}

// -----

// c6_size
// expected-error@+1 {{'builtin.module' op expected a worker grid of at most 64 points, the cores of mesh 1x1, found 9x8}}
module attributes {tt.device = #tt.device<workerGrid = #tt.grid<9x8, (d0, d1) -> (0, d0, d1)>, meshShape = 1, chipIds = [0]>, tt.system_desc = #tt.system_desc<[<#tt.arch<wormhole_b0>, #tt.grid<8x8>>], [0], [<pcie|host_mmio>], [<0, 0, 0, 0>]>} {}

// -----

// c6_cores
// expected-error@+1 {{'builtin.module' op expected the points of the worker grid on the 8x8 cores of a chip of mesh 1x1, found 0x8 on core 0,8}}
module attributes {tt.device = #tt.device<workerGrid = #tt.grid<1x64, (d0, d1) -> (0, d0, d1)>, meshShape = 1, chipIds = [0]>, tt.system_desc = #tt.system_desc<[<#tt.arch<wormhole_b0>, #tt.grid<8x8>>], [0], [<pcie|host_mmio>], [<0, 0, 0, 0>]>} {}

// -----

// c6_chip
// expected-error@+1 {{'builtin.module' op expected the chip ids of tt.device, mesh 1x1, to be below 1, the chips of tt.system_desc, found 1}}
module attributes {tt.device = #tt.device<workerGrid = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>, meshShape = 1, chipIds = [1]>, tt.system_desc = #tt.system_desc<[<#tt.arch<wormhole_b0>, #tt.grid<8x8>>], [0], [<pcie|host_mmio>], [<0, 0, 0, 0>]>} {}

// -----

// c6_channels
// expected-error@+1 {{'builtin.module' op expected the dramMap of tt.device over at most 8 DRAM channels, those of chip 0 of tt.system_desc, found 12}}
module attributes {tt.device = #tt.device<workerGrid = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>, meshShape = 1, chipIds = [0]>, tt.system_desc = #tt.system_desc<[<#tt.arch<blackhole>, #tt.grid<10x13>>], [0], [<pcie|host_mmio>], [<0, 0, 0, 0>]>} {}
