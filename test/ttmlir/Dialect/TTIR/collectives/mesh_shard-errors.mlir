// RUN: ttmlir-opt %s -split-input-file -verify-diagnostics
// A case for each rule of ttir.mesh_shard.
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @c1_maximal(%a0: tensor<64x128xf32>) {
  %e0 = tensor.empty() : tensor<64x128xf32>
  // expected-error @+1 {{shard_type is not supported: expected replicate or devices, found maximal}}
  %r = "ttir.mesh_shard"(%a0, %e0) <{operand_constraints = [#any, #any], shard_dims = array<i64: -1, -1>, shard_direction = #tt.shard_direction<full_to_shard>, shard_shape = array<i64: 1, 1>, shard_type = #tt.shard_type<maximal>}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @c2_elements(%a0: tensor<64x128xf32>) {
  %e0 = tensor.empty() : tensor<32x32xbf16>
  // expected-error @+1 {{input and output must have one element type: found 'f32' and 'bf16'}}
  %r = "ttir.mesh_shard"(%a0, %e0) <{operand_constraints = [#any, #any], shard_dims = array<i64: 0, 1>, shard_direction = #tt.shard_direction<full_to_shard>, shard_shape = array<i64: 2, 4>, shard_type = #tt.shard_type<devices>}> : (tensor<64x128xf32>, tensor<32x32xbf16>) -> tensor<32x32xbf16>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @c2_rank(%a0: tensor<64x128xf32>) {
  %e0 = tensor.empty() : tensor<32xf32>
  // expected-error @+1 {{input and output must have one rank: found 2 and 1}}
  %r = "ttir.mesh_shard"(%a0, %e0) <{operand_constraints = [#any, #any], shard_dims = array<i64: 0, 1>, shard_direction = #tt.shard_direction<full_to_shard>, shard_shape = array<i64: 2, 4>, shard_type = #tt.shard_type<devices>}> : (tensor<64x128xf32>, tensor<32xf32>) -> tensor<32xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @c3_entries(%a0: tensor<64x128xf32>) {
  %e0 = tensor.empty() : tensor<32x32xf32>
  // expected-error @+1 {{shard_shape must have an entry for each of the 2 dimensions of the input: found 1}}
  %r = "ttir.mesh_shard"(%a0, %e0) <{operand_constraints = [#any, #any], shard_dims = array<i64: 0, 1>, shard_direction = #tt.shard_direction<full_to_shard>, shard_shape = array<i64: 2>, shard_type = #tt.shard_type<devices>}> : (tensor<64x128xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @c3_positive(%a0: tensor<64x128xf32>) {
  %e0 = tensor.empty() : tensor<32x32xf32>
  // expected-error @+1 {{shard_shape must be positive: found 0}}
  %r = "ttir.mesh_shard"(%a0, %e0) <{operand_constraints = [#any, #any], shard_dims = array<i64: 0, 1>, shard_direction = #tt.shard_direction<full_to_shard>, shard_shape = array<i64: 2, 0>, shard_type = #tt.shard_type<devices>}> : (tensor<64x128xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @c3_dims(%a0: tensor<64x128xf32>) {
  %e0 = tensor.empty() : tensor<32x32xf32>
  // expected-error @+1 {{shard_dims must be dimensions of the input, or -1 for none: expected numbers below 2, found 2}}
  %r = "ttir.mesh_shard"(%a0, %e0) <{operand_constraints = [#any, #any], shard_dims = array<i64: 0, 2>, shard_direction = #tt.shard_direction<full_to_shard>, shard_shape = array<i64: 2, 4>, shard_type = #tt.shard_type<devices>}> : (tensor<64x128xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @c3_replicate_shape(%a0: tensor<64x128xf32>) {
  %e0 = tensor.empty() : tensor<64x128xf32>
  // expected-error @+1 {{shard_shape of a replicated tensor must be one shard: expected 1, found 2}}
  %r = "ttir.mesh_shard"(%a0, %e0) <{operand_constraints = [#any, #any], shard_dims = array<i64: -1, -1>, shard_direction = #tt.shard_direction<full_to_shard>, shard_shape = array<i64: 2, 1>, shard_type = #tt.shard_type<replicate>}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @c3_replicate_dims(%a0: tensor<64x128xf32>) {
  %e0 = tensor.empty() : tensor<64x128xf32>
  // expected-error @+1 {{shard_dims of a replicated tensor must split no dimension: expected -1, found 0}}
  %r = "ttir.mesh_shard"(%a0, %e0) <{operand_constraints = [#any, #any], shard_dims = array<i64: 0, -1>, shard_direction = #tt.shard_direction<full_to_shard>, shard_shape = array<i64: 1, 1>, shard_type = #tt.shard_type<replicate>}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @c4_unequal(%a0: tensor<64x130xf32>) {
  %e0 = tensor.empty() : tensor<32x32xf32>
  // expected-error @+1 {{shards must be of equal size: expected an extent that 4 shards divide in dimension 1, found 64x130}}
  %r = "ttir.mesh_shard"(%a0, %e0) <{operand_constraints = [#any, #any], shard_dims = array<i64: 0, 1>, shard_direction = #tt.shard_direction<full_to_shard>, shard_shape = array<i64: 2, 4>, shard_type = #tt.shard_type<devices>}> : (tensor<64x130xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @c4_shard(%a0: tensor<64x128xf32>) {
  %e0 = tensor.empty() : tensor<32x64xf32>
  // expected-error @+1 {{Output shape mismatch: expected 32x32, found 32x64}}
  %r = "ttir.mesh_shard"(%a0, %e0) <{operand_constraints = [#any, #any], shard_dims = array<i64: 0, 1>, shard_direction = #tt.shard_direction<full_to_shard>, shard_shape = array<i64: 2, 4>, shard_type = #tt.shard_type<devices>}> : (tensor<64x128xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @c4_full(%a0: tensor<32x32xf32>) {
  %e0 = tensor.empty() : tensor<32x128xf32>
  // expected-error @+1 {{Output shape mismatch: expected 64x128, found 32x128}}
  %r = "ttir.mesh_shard"(%a0, %e0) <{operand_constraints = [#any, #any], shard_dims = array<i64: 0, 1>, shard_direction = #tt.shard_direction<shard_to_full>, shard_shape = array<i64: 2, 4>, shard_type = #tt.shard_type<devices>}> : (tensor<32x32xf32>, tensor<32x128xf32>) -> tensor<32x128xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
#device = #tt.device<workerGrid = #tt.grid<16x32, (d0, d1) -> ((d0 floordiv 8) * 4 + d1 floordiv 8, d0 mod 8, d1 mod 8)>, l1Map = (d0, d1)[s0, s1] -> (0, 0, 0, 0), dramMap = (d0, d1)[s0, s1] -> (0, 0, 0, 0), meshShape = 2x4, chipIds = [0, 1, 2, 3, 4, 5, 6, 7]>
module attributes {tt.device = #device} {
  func.func @c5_axes(%a0: tensor<64x128xf32>) {
    %e0 = tensor.empty() : tensor<32x128xf32>
    // expected-error @+1 {{shard_dims must have an entry for each axis of the mesh 2x4: expected 2, found 1}}
    %r = "ttir.mesh_shard"(%a0, %e0) <{operand_constraints = [#any, #any], shard_dims = array<i64: 0>, shard_direction = #tt.shard_direction<full_to_shard>, shard_shape = array<i64: 2, 1>, shard_type = #tt.shard_type<devices>}> : (tensor<64x128xf32>, tensor<32x128xf32>) -> tensor<32x128xf32>
    return
  }
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
#device = #tt.device<workerGrid = #tt.grid<16x32, (d0, d1) -> ((d0 floordiv 8) * 4 + d1 floordiv 8, d0 mod 8, d1 mod 8)>, l1Map = (d0, d1)[s0, s1] -> (0, 0, 0, 0), dramMap = (d0, d1)[s0, s1] -> (0, 0, 0, 0), meshShape = 2x4, chipIds = [0, 1, 2, 3, 4, 5, 6, 7]>
module attributes {tt.device = #device} {
  func.func @c5_shape(%a0: tensor<64x128xf32>) {
    %e0 = tensor.empty() : tensor<16x64xf32>
    // expected-error @+1 {{shard_shape must be the chips of the mesh 2x4 along the axes that split each dimension: expected 2x4, found 4x2}}
    %r = "ttir.mesh_shard"(%a0, %e0) <{operand_constraints = [#any, #any], shard_dims = array<i64: 0, 1>, shard_direction = #tt.shard_direction<full_to_shard>, shard_shape = array<i64: 4, 2>, shard_type = #tt.shard_type<devices>}> : (tensor<64x128xf32>, tensor<16x64xf32>) -> tensor<16x64xf32>
    return
  }
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
#device = #tt.device<workerGrid = #tt.grid<16x32, (d0, d1) -> ((d0 floordiv 8) * 4 + d1 floordiv 8, d0 mod 8, d1 mod 8)>, l1Map = (d0, d1)[s0, s1] -> (0, 0, 0, 0), dramMap = (d0, d1)[s0, s1] -> (0, 0, 0, 0), meshShape = 2x4, chipIds = [0, 1, 2, 3, 4, 5, 6, 7]>
module attributes {tt.device = #device} {
  func.func @c5_product(%a0: tensor<64x128xf32>) {
    %e0 = tensor.empty() : tensor<32x128xf32>
    // expected-error @+1 {{shard_shape must be the chips of the mesh 2x4 along the axes that split each dimension: expected 8x1, found 2x1}}
    %r = "ttir.mesh_shard"(%a0, %e0) <{operand_constraints = [#any, #any], shard_dims = array<i64: 0, 0>, shard_direction = #tt.shard_direction<full_to_shard>, shard_shape = array<i64: 2, 1>, shard_type = #tt.shard_type<devices>}> : (tensor<64x128xf32>, tensor<32x128xf32>) -> tensor<32x128xf32>
    return
  }
}
