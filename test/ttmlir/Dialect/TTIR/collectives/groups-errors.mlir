// RUN: ttmlir-opt %s -split-input-file -verify-diagnostics
// Rules of collectives on pairs, parts and groups of chips that their op alone can break.
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @collective_permute_c1(%a0: tensor<32x64xf32>) {
  %e0 = tensor.empty() : tensor<32x64xbf16>
  // expected-error @+1 {{input and output must have one element type: found 'f32' and 'bf16'}}
  %r = "ttir.collective_permute"(%a0, %e0) <{operand_constraints = [#any, #any], source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<32x64xf32>, tensor<32x64xbf16>) -> tensor<32x64xbf16>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @collective_permute_c2_columns(%a0: tensor<32x64xf32>) {
  %e0 = tensor.empty() : tensor<32x64xf32>
  // expected-error @+1 {{source_target_pairs must be a tensor of nx2 positions: found 'tensor<1x3xi64>'}}
  %r = "ttir.collective_permute"(%a0, %e0) <{operand_constraints = [#any, #any], source_target_pairs = dense<[[0, 1, 2]]> : tensor<1x3xi64>}> : (tensor<32x64xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @collective_permute_c2_rank(%a0: tensor<32x64xf32>) {
  %e0 = tensor.empty() : tensor<32x64xf32>
  // expected-error @+1 {{source_target_pairs must be a tensor of nx2 positions: found 'tensor<2xi64>'}}
  %r = "ttir.collective_permute"(%a0, %e0) <{operand_constraints = [#any, #any], source_target_pairs = dense<[0, 1]> : tensor<2xi64>}> : (tensor<32x64xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @collective_permute_c3_source(%a0: tensor<32x64xf32>) {
  %e0 = tensor.empty() : tensor<32x64xf32>
  // expected-error @+1 {{source_target_pairs must have each source once: found position 0 twice}}
  %r = "ttir.collective_permute"(%a0, %e0) <{operand_constraints = [#any, #any], source_target_pairs = dense<[[0, 1], [0, 2]]> : tensor<2x2xi64>}> : (tensor<32x64xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @collective_permute_c3_target(%a0: tensor<32x64xf32>) {
  %e0 = tensor.empty() : tensor<32x64xf32>
  // expected-error @+1 {{source_target_pairs must have each target once: found position 1 twice}}
  %r = "ttir.collective_permute"(%a0, %e0) <{operand_constraints = [#any, #any], source_target_pairs = dense<[[0, 1], [2, 1]]> : tensor<2x2xi64>}> : (tensor<32x64xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @collective_permute_c4(%a0: tensor<32x64xf32>) {
  %e0 = tensor.empty() : tensor<32x32xf32>
  // expected-error @+1 {{Output shape mismatch: expected 32x64, found 32x32}}
  %r = "ttir.collective_permute"(%a0, %e0) <{operand_constraints = [#any, #any], source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<32x64xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @collective_permute_c5_negative(%a0: tensor<32x64xf32>) {
  %e0 = tensor.empty() : tensor<32x64xf32>
  // expected-error @+1 {{source_target_pairs must have positions of chips in the mesh: expected numbers from 0 on, found -1}}
  %r = "ttir.collective_permute"(%a0, %e0) <{operand_constraints = [#any, #any], source_target_pairs = dense<[[0, -1]]> : tensor<1x2xi64>}> : (tensor<32x64xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @mesh_partition_c1(%a0: tensor<32x64xf32>) {
  %e0 = tensor.empty() : tensor<32xf32>
  // expected-error @+1 {{input and output must have one rank: found 2 and 1}}
  %r = "ttir.mesh_partition"(%a0, %e0) <{cluster_axis = 1 : ui32, dim = 1 : si32, operand_constraints = [#any, #any]}> : (tensor<32x64xf32>, tensor<32xf32>) -> tensor<32xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @mesh_partition_c2(%a0: tensor<32x64xf32>) {
  %e0 = tensor.empty() : tensor<32x16xf32>
  // expected-error @+1 {{dim must be a dimension of the input: expected one in [-2, 2), found 2}}
  %r = "ttir.mesh_partition"(%a0, %e0) <{cluster_axis = 1 : ui32, dim = 2 : si32, operand_constraints = [#any, #any]}> : (tensor<32x64xf32>, tensor<32x16xf32>) -> tensor<32x16xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @mesh_partition_c3(%a0: tensor<32x64xf32>) {
  %e0 = tensor.empty() : tensor<32x24xf32>
  // expected-error @+1 {{Output shape mismatch: expected a divisor of the input's extent 64 in dimension 1, found 32x24}}
  %r = "ttir.mesh_partition"(%a0, %e0) <{dim = 1 : si32, operand_constraints = [#any, #any]}> : (tensor<32x64xf32>, tensor<32x24xf32>) -> tensor<32x24xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @all_to_all_c1(%a0: tensor<32x64xf32>) {
  %e0 = tensor.empty() : tensor<16x128xbf16>
  // expected-error @+1 {{input and output must have one element type: found 'f32' and 'bf16'}}
  %r = "ttir.all_to_all"(%a0, %e0) <{concat_dim = 1 : si32, operand_constraints = [#any, #any], replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 2 : si32, split_dim = 0 : si32}> : (tensor<32x64xf32>, tensor<16x128xbf16>) -> tensor<16x128xbf16>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @all_to_all_c2_split(%a0: tensor<32x64xf32>) {
  %e0 = tensor.empty() : tensor<16x128xf32>
  // expected-error @+1 {{split_dim must be a dimension of the input: expected one in [-2, 2), found 2}}
  %r = "ttir.all_to_all"(%a0, %e0) <{concat_dim = 1 : si32, operand_constraints = [#any, #any], replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 2 : si32, split_dim = 2 : si32}> : (tensor<32x64xf32>, tensor<16x128xf32>) -> tensor<16x128xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @all_to_all_c2_concat(%a0: tensor<32x64xf32>) {
  %e0 = tensor.empty() : tensor<16x128xf32>
  // expected-error @+1 {{concat_dim must be a dimension of the input: expected one in [-2, 2), found -3}}
  %r = "ttir.all_to_all"(%a0, %e0) <{concat_dim = -3 : si32, operand_constraints = [#any, #any], replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 2 : si32, split_dim = 0 : si32}> : (tensor<32x64xf32>, tensor<16x128xf32>) -> tensor<16x128xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @all_to_all_c3_rank(%a0: tensor<32x64xf32>) {
  %e0 = tensor.empty() : tensor<16x128xf32>
  // expected-error @+1 {{replica_groups must be a tensor of groups x chips positions: found 'tensor<2xi64>'}}
  %r = "ttir.all_to_all"(%a0, %e0) <{concat_dim = 1 : si32, operand_constraints = [#any, #any], replica_groups = dense<[0, 1]> : tensor<2xi64>, split_count = 2 : si32, split_dim = 0 : si32}> : (tensor<32x64xf32>, tensor<16x128xf32>) -> tensor<16x128xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @all_to_all_c3_twice(%a0: tensor<32x64xf32>) {
  %e0 = tensor.empty() : tensor<16x128xf32>
  // expected-error @+1 {{replica_groups must have each chip once: found position 1 twice}}
  %r = "ttir.all_to_all"(%a0, %e0) <{concat_dim = 1 : si32, operand_constraints = [#any, #any], replica_groups = dense<[[0, 1], [2, 1]]> : tensor<2x2xi64>, split_count = 2 : si32, split_dim = 0 : si32}> : (tensor<32x64xf32>, tensor<16x128xf32>) -> tensor<16x128xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @all_to_all_c3_unequal(%a0: tensor<32x64xf32>) {
  %e0 = tensor.empty() : tensor<16x128xf32>
  // expected-error @+1 {{replica_groups must have groups of one size: expected numbers from 0 on, found -1}}
  %r = "ttir.all_to_all"(%a0, %e0) <{concat_dim = 1 : si32, operand_constraints = [#any, #any], replica_groups = dense<[[0, 1], [2, -1]]> : tensor<2x2xi64>, split_count = 2 : si32, split_dim = 0 : si32}> : (tensor<32x64xf32>, tensor<16x128xf32>) -> tensor<16x128xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @all_to_all_c3_count(%a0: tensor<32x64xf32>) {
  %e0 = tensor.empty() : tensor<16x128xf32>
  // expected-error @+1 {{replica_groups must have split_count chips each: expected 2, found 4}}
  %r = "ttir.all_to_all"(%a0, %e0) <{concat_dim = 1 : si32, operand_constraints = [#any, #any], replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, split_count = 2 : si32, split_dim = 0 : si32}> : (tensor<32x64xf32>, tensor<16x128xf32>) -> tensor<16x128xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @all_to_all_c4(%a0: tensor<32x64xf32>) {
  %e0 = tensor.empty() : tensor<16x128xf32>
  // expected-error @+1 {{split_count must divide the input's extent 32 in dimension 0: found 3}}
  %r = "ttir.all_to_all"(%a0, %e0) <{concat_dim = 1 : si32, operand_constraints = [#any, #any], replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>, split_count = 3 : si32, split_dim = 0 : si32}> : (tensor<32x64xf32>, tensor<16x128xf32>) -> tensor<16x128xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @all_to_all_c4_zero(%a0: tensor<32x64xf32>) {
  %e0 = tensor.empty() : tensor<16x128xf32>
  // expected-error @+1 {{split_count must divide the input's extent 32 in dimension 0: found 0}}
  %r = "ttir.all_to_all"(%a0, %e0) <{concat_dim = 1 : si32, operand_constraints = [#any, #any], replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 0 : si32, split_dim = 0 : si32}> : (tensor<32x64xf32>, tensor<16x128xf32>) -> tensor<16x128xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @all_to_all_c5(%a0: tensor<32x64xf32>) {
  %e0 = tensor.empty() : tensor<16x64xf32>
  // expected-error @+1 {{Output shape mismatch: expected 16x128, found 16x64}}
  %r = "ttir.all_to_all"(%a0, %e0) <{concat_dim = 1 : si32, operand_constraints = [#any, #any], replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 2 : si32, split_dim = 0 : si32}> : (tensor<32x64xf32>, tensor<16x64xf32>) -> tensor<16x64xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @collective_broadcast_c1(%a0: tensor<32x64xf32>) {
  %e0 = tensor.empty() : tensor<32x64xbf16>
  // expected-error @+1 {{input and output must have one element type: found 'f32' and 'bf16'}}
  %r = "ttir.collective_broadcast"(%a0, %e0) <{operand_constraints = [#any, #any], replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<32x64xf32>, tensor<32x64xbf16>) -> tensor<32x64xbf16>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @collective_broadcast_c2(%a0: tensor<32x64xf32>) {
  %e0 = tensor.empty() : tensor<32x64xf32>
  // expected-error @+1 {{replica_groups must have each chip once: found position 0 twice}}
  %r = "ttir.collective_broadcast"(%a0, %e0) <{operand_constraints = [#any, #any], replica_groups = dense<[[0, 0]]> : tensor<1x2xi64>}> : (tensor<32x64xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
  return
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @collective_broadcast_c3(%a0: tensor<32x64xf32>) {
  %e0 = tensor.empty() : tensor<64x64xf32>
  // expected-error @+1 {{Output shape mismatch: expected 32x64, found 64x64}}
  %r = "ttir.collective_broadcast"(%a0, %e0) <{operand_constraints = [#any, #any], replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<32x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return
}
