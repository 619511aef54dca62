// RUN: ttmlir-opt --split-input-file --verify-diagnostics %s
// Descriptions of pages that break one rule each.
// expected-error@+1 {{(C1) expected the memory space dram or l1, found system}}
func.func @c1_space() attributes {args = #ttkernel.tensor_accessor_args<system, interleaved, 64, 64, tensor = 2x2>} {
  return
}

// -----

// expected-error@+1 {{(C1) expected an interleaved or a sharded layout, found single_bank}}
func.func @c1_layout() attributes {args = #ttkernel.tensor_accessor_args<dram, single_bank, 64, 64, tensor = 2x2>} {
  return
}

// -----

// expected-error@+1 {{(C2) expected a page of at least 1 byte that fits an aligned page of 32 bits, found 0 and 64}}
func.func @c2_empty() attributes {args = #ttkernel.tensor_accessor_args<dram, interleaved, 0, 64, tensor = 2x2>} {
  return
}

// -----

// expected-error@+1 {{(C2) expected a page of at least 1 byte that fits an aligned page of 32 bits, found 64 and 32}}
func.func @c2_aligned() attributes {args = #ttkernel.tensor_accessor_args<dram, interleaved, 64, 32, tensor = 2x2>} {
  return
}

// -----

// expected-error@+1 {{(C2) expected a page of at least 1 byte that fits an aligned page of 32 bits, found 64 and 4294967296}}
func.func @c2_wide() attributes {args = #ttkernel.tensor_accessor_args<dram, interleaved, 64, 4294967296, tensor = 2x2>} {
  return
}

// -----

// expected-error@+1 {{(C4) expected no shards of an interleaved layout}}
func.func @c4_interleaved() attributes {args = #ttkernel.tensor_accessor_args<l1, interleaved, 64, 64, tensor = 2x2, shard = 1x1, cores = [<0x0, 2x2>]>} {
  return
}

// -----

// expected-error@+1 {{expected ','}}
func.func @c3_none() attributes {args = #ttkernel.tensor_accessor_args<dram, interleaved, 64, 64>} {
  return
}

// -----

// expected-error@+1 {{(C3) expected two positive extents of pages, found [2]}}
func.func @c3_rank() attributes {args = #ttkernel.tensor_accessor_args<dram, interleaved, 64, 64, tensor = 2>} {
  return
}

// -----

// expected-error@+1 {{(C3) expected two positive extents of pages, found [2, 0]}}
func.func @c3_zero() attributes {args = #ttkernel.tensor_accessor_args<dram, interleaved, 64, 64, tensor = 2x0>} {
  return
}

// -----

// expected-error@+1 {{(C4) expected two positive extents of shards, found []}}
func.func @c4_none() attributes {args = #ttkernel.tensor_accessor_args<l1, block_sharded, 64, 64, tensor = 2x2>} {
  return
}

// -----

// expected-error@+1 {{(C4) expected two positive extents of shards, found [1, 0]}}
func.func @c4_zero() attributes {args = #ttkernel.tensor_accessor_args<l1, block_sharded, 64, 64, tensor = 2x2, shard = 1x0, cores = [<0x0, 2x2>]>} {
  return
}

// -----

// expected-error@+1 {{(C4) expected four numbers for each rectangle of cores, found 0}}
func.func @c4_no_cores() attributes {args = #ttkernel.tensor_accessor_args<l1, block_sharded, 64, 64, tensor = 2x2, shard = 1x1, cores = []>} {
  return
}

// -----

// expected-error@+1 {{expected a positive size, found 0x2}}
func.func @c4_rectangle() attributes {args = #ttkernel.tensor_accessor_args<l1, block_sharded, 64, 64, tensor = 2x2, shard = 1x1, cores = [<0x0, 0x2>]>} {
  return
}

// -----

// expected-error@+1 {{(C4) expected a core for each shard: found 4 shards and 3 cores}}
func.func @c4_too_few() attributes {args = #ttkernel.tensor_accessor_args<l1, block_sharded, 64, 64, tensor = 3x3, shard = 2x2, cores = [<0x0, 1x3>]>} {
  return
}

// -----

// expected-error@+1 {{expected an offset and a size of 2 extents each, found 1 and 2}}
func.func @cores_form() attributes {args = #ttkernel.tensor_accessor_args<l1, block_sharded, 64, 64, tensor = 2x2, shard = 1x1, cores = [<0, 2x2>]>} {
  return
}
