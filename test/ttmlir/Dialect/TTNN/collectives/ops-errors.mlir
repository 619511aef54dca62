// RUN: ttmlir-opt %s -split-input-file -verify-diagnostics
// Rules of the TTIR ops of the same name, and where tensors lie.
func.func @all_gather_dim(%a0: tensor<32x64xf32>) {
  // expected-error @+1 {{'ttnn.all_gather' op all_gather_dim must be a dimension of the input: expected one in [-2, 2), found 2}}
  %r = "ttnn.all_gather"(%a0) <{all_gather_dim = 2 : si32, cluster_axis = 1 : ui32}> : (tensor<32x64xf32>) -> tensor<32x256xf32>
  return
}

// -----

func.func @reduce_scatter_type(%a0: tensor<32x64xf32>) {
  // expected-error @+1 {{reduce_type is not supported: expected sum, mean, max or min, found std}}
  %r = "ttnn.reduce_scatter"(%a0) <{cluster_axis = 1 : ui32, reduce_type = #tt.reduce_type<std>, scatter_dim = 1 : si32}> : (tensor<32x64xf32>) -> tensor<32x16xf32>
  return
}

// -----

func.func @all_reduce_shape(%a0: tensor<32x64xf32>) {
  // expected-error @+1 {{Output shape mismatch: expected 32x64, found 32x32}}
  %r = "ttnn.all_reduce"(%a0) <{cluster_axis = 1 : ui32, reduce_type = #tt.reduce_type<sum>}> : (tensor<32x64xf32>) -> tensor<32x32xf32>
  return
}

// -----

func.func @num_links(%a0: tensor<32x64xf32>) {
  // expected-error @+1 {{num_links must be positive: found 0}}
  %r = "ttnn.all_reduce"(%a0) <{cluster_axis = 1 : ui32, num_links = 0 : ui32, reduce_type = #tt.reduce_type<sum>}> : (tensor<32x64xf32>) -> tensor<32x64xf32>
  return
}

// -----

func.func @collective_permute_pairs(%a0: tensor<32x64xf32>) {
  // expected-error @+1 {{source_target_pairs must have each target once: found position 1 twice}}
  %r = "ttnn.collective_permute"(%a0) <{source_target_pairs = dense<[[0, 1], [2, 1]]> : tensor<2x2xi64>}> : (tensor<32x64xf32>) -> tensor<32x64xf32>
  return
}

// -----

func.func @mesh_partition_dim(%a0: tensor<32x64xf32>) {
  // expected-error @+1 {{dim must be a dimension of the input: expected one in [-2, 2), found 2}}
  %r = "ttnn.mesh_partition"(%a0) <{cluster_axis = 1 : ui32, dim = 2 : si32}> : (tensor<32x64xf32>) -> tensor<32x16xf32>
  return
}

// -----

func.func @all_to_all_shape(%a0: tensor<32x64xf32>) {
  // expected-error @+1 {{Output shape mismatch: expected 16x128, found 16x64}}
  %r = "ttnn.all_to_all"(%a0) <{concat_dim = 1 : si32, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 2 : si32, split_dim = 0 : si32}> : (tensor<32x64xf32>) -> tensor<16x64xf32>
  return
}

// -----

func.func @collective_broadcast_groups(%a0: tensor<32x64xf32>) {
  // expected-error @+1 {{replica_groups must have each chip once: found position 0 twice}}
  %r = "ttnn.collective_broadcast"(%a0) <{replica_groups = dense<[[0, 0]]> : tensor<1x2xi64>}> : (tensor<32x64xf32>) -> tensor<32x64xf32>
  return
}

// -----

#host = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<32x64xf32, #tt.memory_space<system>>>
func.func @on_host(%a0: tensor<32x64xf32, #host>) {
  // expected-error @+1 {{input must be on the device: found system}}
  %r = "ttnn.all_reduce"(%a0) <{cluster_axis = 1 : ui32, reduce_type = #tt.reduce_type<sum>}> : (tensor<32x64xf32, #host>) -> tensor<32x64xf32, #host>
  return
}

// -----

#host = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<32x64xf32, #tt.memory_space<system>>>
#dram = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<32x64xf32, #tt.memory_space<dram>>, interleaved>
func.func @result_on_host(%a0: tensor<32x64xf32, #dram>) {
  // expected-error @+1 {{result must be on the device: found system}}
  %r = "ttnn.all_reduce"(%a0) <{cluster_axis = 1 : ui32, reduce_type = #tt.reduce_type<sum>}> : (tensor<32x64xf32, #dram>) -> tensor<32x64xf32, #host>
  return
}

// -----

#dram = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<32x64xf32, #tt.memory_space<dram>>, interleaved>
#device = #tt.device<workerGrid = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>, l1Map = (d0, d1)[s0, s1] -> (0, 0, 0, 0), dramMap = (d0, d1)[s0, s1] -> (0, 0, 0, 0), meshShape = , chipIds = [0]>
func.func @mesh_shard(%a: tensor<32x64xf32, #dram>, %d: !tt.device<#device>) {
  // expected-error @+1 {{input must be in system memory: found dram}}
  %r = "ttnn.mesh_shard"(%a, %d) <{shard_dims = array<i64: -1, -1>, shard_direction = #tt.shard_direction<full_to_shard>, shard_shape = array<i64: 1, 1>, shard_type = #tt.shard_type<replicate>}> : (tensor<32x64xf32, #dram>, !tt.device<#device>) -> tensor<32x64xf32, #dram>
  return
}

// -----

#dram = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<32x64xf32, #tt.memory_space<dram>>, interleaved>
#device = #tt.device<workerGrid = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>, l1Map = (d0, d1)[s0, s1] -> (0, 0, 0, 0), dramMap = (d0, d1)[s0, s1] -> (0, 0, 0, 0), meshShape = , chipIds = [0]>
func.func @mesh_shard_maximal(%a: tensor<32x64xf32, #dram>, %d: !tt.device<#device>) {
  // expected-error @+1 {{shard_type is not supported: expected replicate or devices, found maximal}}
  %r = "ttnn.mesh_shard"(%a, %d) <{shard_dims = array<i64: -1, -1>, shard_direction = #tt.shard_direction<full_to_shard>, shard_shape = array<i64: 1, 1>, shard_type = #tt.shard_type<maximal>}> : (tensor<32x64xf32, #dram>, !tt.device<#device>) -> tensor<32x64xf32, #dram>
  return
}

// -----

#bf16 = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<1x2x!tt.tile<32x32, bf16>, #tt.memory_space<dram>>, interleaved>
#bfp8 = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<1x2x!tt.tile<32x32, bfp_bf8>, #tt.memory_space<dram>>, interleaved>
func.func @two_formats(%a: tensor<32x64xbf16, #bfp8>) -> tensor<32x64xbf16, #bf16> {
  // expected-error @+1 {{input and result must be stored in one format: found bfp_bf8 and bf16}}
  %0 = "ttnn.all_reduce"(%a) <{cluster_axis = 0 : ui32, reduce_type = #tt.reduce_type<sum>}> : (tensor<32x64xbf16, #bfp8>) -> tensor<32x64xbf16, #bf16>
  return %0 : tensor<32x64xbf16, #bf16>
}

// -----

func.func @overlap_of_an_argument(%a: tensor<32x64xf32>) {
  // expected-error @+1 {{expected with overlap_slices a ttnn.matmul or ttnn.linear by one matrix right before, which makes the operand, found no op}}
  %r = "ttnn.all_reduce"(%a) <{cluster_axis = 0 : ui32, overlap_slices = 2 : ui32, reduce_type = #tt.reduce_type<sum>}> : (tensor<32x64xf32>) -> tensor<32x64xf32>
  return
}

// -----

func.func @no_slices(%a: tensor<32x64xf32>, %b: tensor<64x64xf32>, %d: tensor<32x64xf32>) {
  %0 = "ttnn.matmul"(%a, %b, %d) : (tensor<32x64xf32>, tensor<64x64xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
  // expected-error @+1 {{overlap_slices must be positive: found 0}}
  %r = "ttnn.all_reduce"(%0) <{cluster_axis = 0 : ui32, overlap_slices = 0 : ui32, reduce_type = #tt.reduce_type<sum>}> : (tensor<32x64xf32>) -> tensor<32x64xf32>
  return
}

// -----

func.func @another_user(%a: tensor<32x64xf32>, %b: tensor<64x64xf32>, %d: tensor<32x64xf32>) -> tensor<32x64xf32> {
  %0 = "ttnn.matmul"(%a, %b, %d) : (tensor<32x64xf32>, tensor<64x64xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
  // expected-error @+1 {{expected no other user of the operand with overlap_slices, found func.return}}
  %r = "ttnn.reduce_scatter"(%0) <{cluster_axis = 0 : ui32, overlap_slices = 2 : ui32, reduce_type = #tt.reduce_type<sum>, scatter_dim = 1 : si32}> : (tensor<32x64xf32>) -> tensor<32x32xf32>
  return %0 : tensor<32x64xf32>
}

// -----

func.func @batch(%a: tensor<2x32x64xf32>, %b: tensor<2x64x64xf32>, %d: tensor<2x32x64xf32>) {
  %0 = "ttnn.matmul"(%a, %b, %d) : (tensor<2x32x64xf32>, tensor<2x64x64xf32>, tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
  // expected-error @+1 {{expected with overlap_slices a ttnn.matmul or ttnn.linear by one matrix right before, which makes the operand, found ttnn.matmul}}
  %r = "ttnn.all_reduce"(%0) <{cluster_axis = 0 : ui32, overlap_slices = 2 : ui32, reduce_type = #tt.reduce_type<sum>}> : (tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
  return
}
