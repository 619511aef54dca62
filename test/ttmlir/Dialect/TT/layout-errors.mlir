// RUN: ttmlir-opt --split-input-file --verify-diagnostics %s
// Layouts that break one rule each; the names say which.

// expected-error@+1 {{(C4) expected a tensor of rank 2, the dimensions of the layout's linear map, found rank 1}}
func.func private @layout_c4_rank(tensor<4xf32, #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<4x4xf32, #tt.memory_space<l1>>>>)

// -----

// expected-error@+1 {{(C1) expected a linear map of 3 results, one a grid dimension, found 2}}
func.func private @layout_c1_results() attributes {a = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1x1>, memref<4x4xf32, #tt.memory_space<l1>>>}

// -----

// expected-error@+1 {{(C2) expected a memref of the grid's rank 2, found rank 1}}
func.func private @layout_c2_rank() attributes {a = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<4xf32, #tt.memory_space<l1>>>}

// -----

// expected-error@+1 {{(C2) expected a memref in a #tt.memory_space, found 'memref<4x4xf32>'}}
func.func private @layout_c2_space() attributes {a = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<4x4xf32>>}

// -----

// expected-error@+1 {{(C2) expected a memref of static shape, found 'memref<4x?xf32, #tt.memory_space<l1>>'}}
func.func private @layout_c2_dynamic() attributes {a = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<4x?xf32, #tt.memory_space<l1>>>}

// -----

// expected-error@+1 {{(C2) expected a memref with the identity map, found affine_map<(d0, d1) -> (d1, d0)>}}
func.func private @layout_c2_identity() attributes {a = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<4x4xf32, affine_map<(d0, d1) -> (d1, d0)>, #tt.memory_space<l1>>>}

// -----

// expected-error@+1 {{(C1) expected a linear map without symbols, found 1}}
func.func private @layout_c1_symbols() attributes {a = #tt.layout<(d0, d1)[s0] -> (d0, d1), undef, <1x1>, memref<4x4xf32, #tt.memory_space<l1>>>}

// -----

// expected-error@+2 {{expected ::mlir::tt::OOBVal to be one of: undef, zero, one, inf, neginf}}
// expected-error@+1 {{failed to parse TT_LayoutAttr parameter 'oob_val' which is to be a `::mlir::tt::OOBVal`}}
func.func private @layout_oob() attributes {a = #tt.layout<(d0, d1) -> (d0, d1), maybe, <1x1>, memref<4x4xf32, #tt.memory_space<l1>>>}

// -----

// expected-error@+1 {{(C3) expected a tiled memref of rank >= 2, found 1}}
func.func private @layout_c3_tiled() attributes {a = #tt.layout<(d0) -> (d0), undef, <1>, memref<4x!tt.tile<32x32, f32>, #tt.memory_space<l1>>>}

// -----

// expected-error@+1 {{(C1) expected positive divisors in a map, found affine_map<(d0, d1) -> (d0 floordiv 0, d1)>}}
func.func private @layout_c1_divisor(tensor<4x4xf32, #tt.layout<(d0, d1) -> (d0 floordiv 0, d1), undef, <1x1>, memref<4x4xf32, #tt.memory_space<l1>>>>)
