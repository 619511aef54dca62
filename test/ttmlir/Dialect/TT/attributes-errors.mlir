// RUN: ttmlir-opt --split-input-file --verify-diagnostics %s
// Attributes and types that break one rule each; the names say which.

// expected-error@+1 {{(C1) expected a grid of at least one dimension, found none}}
func.func private @grid_c1_empty() attributes {a = #tt.grid<>}

// -----

// expected-error@+1 {{(C1) expected positive grid dimensions, found 0x4}}
func.func private @grid_c1_zero() attributes {a = #tt.grid<0x4>}

// -----

// expected-error@+1 {{(C2) expected a grid mapping of 2 dimensions without symbols, found 1 dimensions and 0 symbols}}
func.func private @grid_c2_rank() attributes {a = #tt.grid<2x4, (d0) -> (d0)>}

// -----

// expected-error@+1 {{expected 2 coordinates separated by 'x', found 1}}
func.func private @coord_one() attributes {a = #tt<core_coord 1>}

// -----

// expected-error@+1 {{expected 2 coordinates separated by 'x', found 3}}
func.func private @coord_three() attributes {a = #tt.core_coord<1x2x3>}

// -----

// expected-error@+1 {{expected 2 coordinates separated by 'x', found 0}}
func.func private @coord_none() attributes {a = #tt.core_coord<>}

// -----

// expected-error@+1 {{expected 2 coordinates separated by 'x', found 0}}
func.func private @coord_missing() attributes {a = #tt.core_coord}

// -----

// expected-error@+1 {{expected coordinates below 2^31, found 99999999999}}
func.func private @coord_large() attributes {a = #tt<core_coord 1x99999999999>}

// -----

// expected-error@+1 {{(C1) expected a tile of positive height and width, found 0x32}}
func.func private @tile_size_c1() attributes {a = #tt.tile_size<0x32>}

// -----

// expected-error@+1 {{(C1) expected 2D shape, found rank 1}}
func.func private @tile_c1_rank1(!tt.tile<32, f32>)

// -----

// expected-error@+1 {{(C1) expected 2D shape, found rank 3}}
func.func private @tile_c1_rank3(!tt.tile<32x32x1, f32>)

// -----

// expected-error@+1 {{(C2) expected a 32x32 tile of the block format bfp_f8, found 16x32}}
func.func private @tile_c2_block(!tt.tile<16x32, bfp_f8>)

// -----

// expected-error@+1 {{expected static shape}}
func.func private @tile_dynamic(!tt.tile<?x32, f32>)

// -----

// expected-error@+2 {{expected ::mlir::tt::DataType to be one of: f32, f16, bf16, bfp_f8, bfp_bf8, bfp_f4, bfp_bf4, bfp_f2, bfp_bf2, u32, u16, u8}}
// expected-error@+1 {{failed to parse TT_Tile parameter 'dataType' which is to be a `::mlir::tt::DataType`}}
func.func private @tile_format(!tt.tile<32x32, f64>)

// -----

// expected-error@+1 {{unknown attribute `foo` in dialect `tt`}}
func.func private @unknown() attributes {a = #tt.foo<1>}

// -----

// expected-error@+1 {{(C1) expected 2 coordinates of an Ethernet core, found 1}}
func.func private @channel_c1() attributes {a = #tt.chip_channel<[0, 8], [1, 0, 0]>}

// -----

// expected-error@+2 {{expected ::mlir::tt::OperandConstraint to be one of: system, dram, l1, scalar, tile, none, interleaved, single_bank, height_sharded, width_sharded, block_sharded, any_layout, any, any_device, any_device_tile, l1_block_sharded}}
// expected-error@+1 {{failed to parse TT_OperandConstraintAttr parameter 'value' which is to be a `::mlir::tt::OperandConstraint`}}
func.func private @constraint_name() attributes {a = #tt.operand_constraint<dram|sky>}

// -----

// expected-error@+1 {{'func.func' op attribute 'tt.arg_alloc' expects an array of #tt.arg_alloc, found [1]}}
func.func private @arg_alloc() attributes {tt.arg_alloc = [1]}

// -----

// system_desc_kind
// expected-error@+1 {{'builtin.module' op attribute 'tt.system_desc' expects #tt.system_desc, found 1 : i64}}
module attributes {tt.system_desc = 1} {}

// -----

// expected-error @below {{(C1) expected a tile of at most 2^20 elements, found 32x9223372036854775807}}
func.func private @tile_c1_huge(!tt.tile<32x9223372036854775807, f32>)

// -----

// expected-error@+1 {{expected 4 coordinates separated by 'x', found 3}}
func.func private @coord_commas() attributes {a = #tt.chip_coord<0, 0, 1>}

// -----

// expected-error@+1 {{expected coordinates from 0, found -1}}
func.func private @coord_negative() attributes {a = #tt.core_coord<0, -1>}

// -----

// expected-error@+1 {{expected one of alias, stream, found streams}}
func.func private @access_name() attributes {a = #tt.buffer_access<streams>}

// -----

// expected-error@+1 {{expected '>'}}
func.func private @access_open() attributes {a = #tt.buffer_access<alias, stream>}
