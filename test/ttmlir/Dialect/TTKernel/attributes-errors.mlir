// RUN: ttmlir-opt --split-input-file --verify-diagnostics %s
// Types and attributes that break one rule each.

// expected-error@+1 {{(C1) expected a memref of static shape, found 'memref<?x4xf32>'}}
func.func private @cb_c1_dynamic(!ttkernel.cb<cb_in0, 0, memref<?x4xf32>, 16, 1>)

// -----

// expected-error@+1 {{(C1) expected a memref of tiles, integers or floats, found 'memref<2x4xindex>'}}
func.func private @cb_c1_index(!ttkernel.cb<cb_in0, 0, memref<2x4xindex>, 16, 1>)

// -----

// expected-error @+1 {{(C1) expected a memref of at most 2^31 elements, found 'memref<144115188075855871x8xi8>'}}
func.func private @cb_c1_elements(!ttkernel.cb<cb_in0, 1024, memref<144115188075855871x8xi8>, 8, 1>)

// -----

// expected-error@+1 {{(C2) expected numbers of 32 bits, found -1}}
func.func private @cb_c2_address(!ttkernel.cb<cb_in0, -1, memref<2x4xf32>, 16, 1>)

// -----

// expected-error@+1 {{(C2) expected numbers of 32 bits, found 4294967296}}
func.func private @cb_c2_page_size(!ttkernel.cb<cb_in0, 0, memref<2x4xf32>, 4294967296, 1>)

// -----

// expected-error@+1 {{(C2) expected numbers of 32 bits, found -1}}
func.func private @cb_c2_num_buffers(!ttkernel.cb<cb_in0, 0, memref<2x4xf32>, 16, -1>)

// -----

// expected-error@+2 {{to be one of: cb_in0, cb_in1}}
// expected-error@+1 {{failed to parse TTKernel_CB parameter 'port'}}
func.func private @cb_port(!ttkernel.cb<cb_in8, 0, memref<2x4xf32>, 16, 1>)

// -----

// expected-error@+2 {{to be one of: noc0, noc1}}
// expected-error@+1 {{failed to parse TTKernel_NocConfigAttr parameter 'noc_index'}}
func.func private @noc() attributes {a = #ttkernel.noc_config<noc2>}

// -----

// expected-error @below {{(C1) expected a memref of positive extents, found 'memref<0x4xf32>'}}
func.func private @cb_c1_empty(!ttkernel.cb<cb_in0, 0, memref<0x4xf32>, 16, 1>)
