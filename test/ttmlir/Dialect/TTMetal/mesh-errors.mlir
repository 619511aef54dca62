// RUN: ttmlir-opt --split-input-file --verify-diagnostics %s
// Commands of a mesh that break one rule each; the names say which.
#l1_ = #tt.memory_space<l1>
#device = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #l1_>>
func.func @collective_c1(%a: tensor<64x128xf32>, %b: tensor<64x128xf32, #device>) {
  // expected-error@+1 {{'ttmetal.collective' op Input tensor missing layout attribute: found 'tensor<64x128xf32>'}}
  %0 = "ttmetal.collective"(%a, %b) <{cluster_axis = 1 : ui32, kind = #ttmetal.collective_kind<all_reduce>, reduce_type = #tt.reduce_type<sum>}> : (tensor<64x128xf32>, tensor<64x128xf32, #device>) -> tensor<64x128xf32, #device>
  return
}

// -----

#l1_ = #tt.memory_space<l1>
#system = #tt.memory_space<system>
#host = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #system>>
#device = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #l1_>>
func.func @collective_c2(%a: tensor<64x128xf32, #device>, %b: tensor<64x128xf32, #host>) {
  // expected-error@+1 {{'ttmetal.collective' op Output tensor must be in device memory space: found system}}
  %0 = "ttmetal.collective"(%a, %b) <{cluster_axis = 1 : ui32, kind = #ttmetal.collective_kind<all_reduce>, reduce_type = #tt.reduce_type<sum>}> : (tensor<64x128xf32, #device>, tensor<64x128xf32, #host>) -> tensor<64x128xf32, #host>
  return
}

// -----

#l1_ = #tt.memory_space<l1>
#device = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #l1_>>
func.func @collective_c3_missing(%a: tensor<64x128xf32, #device>, %b: tensor<64x128xf32, #device>) {
  // expected-error@+1 {{'ttmetal.collective' op (C3) expected attribute 'reduce_type' of all_reduce, found none}}
  %0 = "ttmetal.collective"(%a, %b) <{cluster_axis = 1 : ui32, kind = #ttmetal.collective_kind<all_reduce>}> : (tensor<64x128xf32, #device>, tensor<64x128xf32, #device>) -> tensor<64x128xf32, #device>
  return
}

// -----

#l1_ = #tt.memory_space<l1>
#device = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #l1_>>
func.func @collective_c3_more(%a: tensor<64x128xf32, #device>, %b: tensor<64x128xf32, #device>) {
  // expected-error@+1 {{'ttmetal.collective' op (C3) expected no attribute 'dim' of all_reduce, found one}}
  %0 = "ttmetal.collective"(%a, %b) <{cluster_axis = 1 : ui32, dim = 1 : si32, kind = #ttmetal.collective_kind<all_reduce>, reduce_type = #tt.reduce_type<sum>}> : (tensor<64x128xf32, #device>, tensor<64x128xf32, #device>) -> tensor<64x128xf32, #device>
  return
}

// -----

#l1_ = #tt.memory_space<l1>
#system = #tt.memory_space<system>
#host = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #system>>
func.func @mesh_shard_c1(%a: tensor<64x128xf32, #host>, %b: tensor<64x128xf32>) {
  // expected-error@+1 {{'ttmetal.mesh_shard' op Output tensor missing layout attribute: found 'tensor<64x128xf32>'}}
  %0 = "ttmetal.mesh_shard"(%a, %b) <{shard_dims = array<i64: -1, -1>, shard_direction = #tt.shard_direction<full_to_shard>, shard_shape = array<i64: 1, 1>, shard_type = #tt.shard_type<replicate>}> : (tensor<64x128xf32, #host>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return
}

// -----

#l1_ = #tt.memory_space<l1>
#system = #tt.memory_space<system>
#host = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #system>>
#device = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #l1_>>
func.func @mesh_shard_c2(%a: tensor<64x128xf32, #device>, %b: tensor<64x128xf32, #host>) {
  // expected-error@+1 {{'ttmetal.mesh_shard' op Input tensor must be in system memory space: found l1}}
  %0 = "ttmetal.mesh_shard"(%a, %b) <{shard_dims = array<i64: -1, -1>, shard_direction = #tt.shard_direction<full_to_shard>, shard_shape = array<i64: 1, 1>, shard_type = #tt.shard_type<replicate>}> : (tensor<64x128xf32, #device>, tensor<64x128xf32, #host>) -> tensor<64x128xf32, #host>
  return
}
