// RUN: ttmlir-opt %s -split-input-file -verify-diagnostics
// Rules about the mesh: axes, positions and extents.
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
#device = #tt.device<workerGrid = #tt.grid<16x32, (d0, d1) -> ((d0 floordiv 8) * 4 + d1 floordiv 8, d0 mod 8, d1 mod 8)>, l1Map = (d0, d1)[s0, s1] -> (0, 0, 0, 0), dramMap = (d0, d1)[s0, s1] -> (0, 0, 0, 0), meshShape = 2x4, chipIds = [0, 1, 2, 3, 4, 5, 6, 7]>
module attributes {tt.device = #device} {
  func.func @all_gather_c4(%a0: tensor<32x64xf32>) {
    %e0 = tensor.empty() : tensor<32x256xf32>
    // expected-error @+1 {{'ttir.all_gather' op expected a cluster axis below 2, the dimensions of mesh 2x4, found 2}}
    %r = "ttir.all_gather"(%a0, %e0) <{all_gather_dim = 1 : si32, cluster_axis = 2 : ui32, operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<32x64xf32>, tensor<32x256xf32>) -> tensor<32x256xf32>
    return
  }
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
#device = #tt.device<workerGrid = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>, l1Map = (d0, d1)[s0, s1] -> (0, 0, 0, 0), dramMap = (d0, d1)[s0, s1] -> (0, 0, 0, 0), meshShape = , chipIds = [0]>
module attributes {tt.device = #device} {
  func.func @all_gather_c5_no_mesh(%a0: tensor<32x64xf32>) {
    %e0 = tensor.empty() : tensor<32x256xf32>
    // expected-error @+1 {{Output shape mismatch: expected 32x64, found 32x256 with groups of 1 chip on the mesh 1x1}}
    %r = "ttir.all_gather"(%a0, %e0) <{all_gather_dim = 1 : si32, cluster_axis = 1 : ui32, operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<32x64xf32>, tensor<32x256xf32>) -> tensor<32x256xf32>
    return
  }
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
#device = #tt.device<workerGrid = #tt.grid<16x32, (d0, d1) -> ((d0 floordiv 8) * 4 + d1 floordiv 8, d0 mod 8, d1 mod 8)>, l1Map = (d0, d1)[s0, s1] -> (0, 0, 0, 0), dramMap = (d0, d1)[s0, s1] -> (0, 0, 0, 0), meshShape = 2x4, chipIds = [0, 1, 2, 3, 4, 5, 6, 7]>
module attributes {tt.device = #device} {
  func.func @all_gather_c5(%a0: tensor<32x64xf32>) {
    %e0 = tensor.empty() : tensor<32x256xf32>
    // expected-error @+1 {{'ttir.all_gather' op Output shape mismatch: expected 32x128, found 32x256 with groups of 2 chips on the mesh 2x4}}
    %r = "ttir.all_gather"(%a0, %e0) <{all_gather_dim = 1 : si32, cluster_axis = 0 : ui32, operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<32x64xf32>, tensor<32x256xf32>) -> tensor<32x256xf32>
    return
  }
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
#device = #tt.device<workerGrid = #tt.grid<16x32, (d0, d1) -> ((d0 floordiv 8) * 4 + d1 floordiv 8, d0 mod 8, d1 mod 8)>, l1Map = (d0, d1)[s0, s1] -> (0, 0, 0, 0), dramMap = (d0, d1)[s0, s1] -> (0, 0, 0, 0), meshShape = 2x4, chipIds = [0, 1, 2, 3, 4, 5, 6, 7]>
module attributes {tt.device = #device} {
  func.func @reduce_scatter_c5(%a0: tensor<32x64xf32>) {
    %e0 = tensor.empty() : tensor<32x16xf32>
    // expected-error @+1 {{expected a cluster axis below 2, the dimensions of mesh 2x4, found 7}}
    %r = "ttir.reduce_scatter"(%a0, %e0) <{cluster_axis = 7 : ui32, operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any], reduce_type = #tt.reduce_type<sum>, scatter_dim = 1 : si32}> : (tensor<32x64xf32>, tensor<32x16xf32>) -> tensor<32x16xf32>
    return
  }
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
#device = #tt.device<workerGrid = #tt.grid<16x32, (d0, d1) -> ((d0 floordiv 8) * 4 + d1 floordiv 8, d0 mod 8, d1 mod 8)>, l1Map = (d0, d1)[s0, s1] -> (0, 0, 0, 0), dramMap = (d0, d1)[s0, s1] -> (0, 0, 0, 0), meshShape = 2x4, chipIds = [0, 1, 2, 3, 4, 5, 6, 7]>
module attributes {tt.device = #device} {
  func.func @reduce_scatter_c6_unequal(%a0: tensor<32x66xf32>) {
    %e0 = tensor.empty() : tensor<32x33xf32>
    // expected-error @+1 {{the chips of a group must get equal parts: expected an extent that 4 chips of the mesh 2x4 divide in dimension 1, found 32x66}}
    %r = "ttir.reduce_scatter"(%a0, %e0) <{cluster_axis = 1 : ui32, operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any], reduce_type = #tt.reduce_type<sum>, scatter_dim = 1 : si32}> : (tensor<32x66xf32>, tensor<32x33xf32>) -> tensor<32x33xf32>
    return
  }
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
#device = #tt.device<workerGrid = #tt.grid<16x32, (d0, d1) -> ((d0 floordiv 8) * 4 + d1 floordiv 8, d0 mod 8, d1 mod 8)>, l1Map = (d0, d1)[s0, s1] -> (0, 0, 0, 0), dramMap = (d0, d1)[s0, s1] -> (0, 0, 0, 0), meshShape = 2x4, chipIds = [0, 1, 2, 3, 4, 5, 6, 7]>
module attributes {tt.device = #device} {
  func.func @reduce_scatter_c6(%a0: tensor<32x64xf32>) {
    %e0 = tensor.empty() : tensor<32x32xf32>
    // expected-error @+1 {{Output shape mismatch: expected 32x16, found 32x32 with groups of 4 chips on the mesh 2x4}}
    %r = "ttir.reduce_scatter"(%a0, %e0) <{cluster_axis = 1 : ui32, operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any], reduce_type = #tt.reduce_type<sum>, scatter_dim = -1 : si32}> : (tensor<32x64xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
    return
  }
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
#device = #tt.device<workerGrid = #tt.grid<16x32, (d0, d1) -> ((d0 floordiv 8) * 4 + d1 floordiv 8, d0 mod 8, d1 mod 8)>, l1Map = (d0, d1)[s0, s1] -> (0, 0, 0, 0), dramMap = (d0, d1)[s0, s1] -> (0, 0, 0, 0), meshShape = 2x4, chipIds = [0, 1, 2, 3, 4, 5, 6, 7]>
module attributes {tt.device = #device} {
  func.func @all_reduce_c4(%a0: tensor<32x64xf32>) {
    %e0 = tensor.empty() : tensor<32x64xf32>
    // expected-error @+1 {{expected a cluster axis below 2, the dimensions of mesh 2x4, found 2}}
    %r = "ttir.all_reduce"(%a0, %e0) <{cluster_axis = 2 : ui32, operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any], reduce_type = #tt.reduce_type<sum>}> : (tensor<32x64xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
    return
  }
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
#device = #tt.device<workerGrid = #tt.grid<16x32, (d0, d1) -> ((d0 floordiv 8) * 4 + d1 floordiv 8, d0 mod 8, d1 mod 8)>, l1Map = (d0, d1)[s0, s1] -> (0, 0, 0, 0), dramMap = (d0, d1)[s0, s1] -> (0, 0, 0, 0), meshShape = 2x4, chipIds = [0, 1, 2, 3, 4, 5, 6, 7]>
module attributes {tt.device = #device} {
  func.func @collective_permute_c5(%a0: tensor<32x64xf32>) {
    %e0 = tensor.empty() : tensor<32x64xf32>
    // expected-error @+1 {{source_target_pairs must have positions of chips in the mesh 2x4: expected numbers below 8, found 8}}
    %r = "ttir.collective_permute"(%a0, %e0) <{operand_constraints = [#any, #any], source_target_pairs = dense<[[0, 8]]> : tensor<1x2xi64>}> : (tensor<32x64xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
    return
  }
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
#device = #tt.device<workerGrid = #tt.grid<16x32, (d0, d1) -> ((d0 floordiv 8) * 4 + d1 floordiv 8, d0 mod 8, d1 mod 8)>, l1Map = (d0, d1)[s0, s1] -> (0, 0, 0, 0), dramMap = (d0, d1)[s0, s1] -> (0, 0, 0, 0), meshShape = 2x4, chipIds = [0, 1, 2, 3, 4, 5, 6, 7]>
module attributes {tt.device = #device} {
  func.func @mesh_partition_c4(%a0: tensor<32x64xf32>) {
    %e0 = tensor.empty() : tensor<32x16xf32>
    // expected-error @+1 {{expected a cluster axis below 2, the dimensions of mesh 2x4, found 2}}
    %r = "ttir.mesh_partition"(%a0, %e0) <{cluster_axis = 2 : ui32, dim = 1 : si32, operand_constraints = [#any, #any]}> : (tensor<32x64xf32>, tensor<32x16xf32>) -> tensor<32x16xf32>
    return
  }
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
#device = #tt.device<workerGrid = #tt.grid<16x32, (d0, d1) -> ((d0 floordiv 8) * 4 + d1 floordiv 8, d0 mod 8, d1 mod 8)>, l1Map = (d0, d1)[s0, s1] -> (0, 0, 0, 0), dramMap = (d0, d1)[s0, s1] -> (0, 0, 0, 0), meshShape = 2x4, chipIds = [0, 1, 2, 3, 4, 5, 6, 7]>
module attributes {tt.device = #device} {
  func.func @mesh_partition_c5(%a0: tensor<32x64xf32>) {
    %e0 = tensor.empty() : tensor<32x16xf32>
    // expected-error @+1 {{Output shape mismatch: expected 32x8, found 32x16 with groups of 8 chips on the mesh 2x4}}
    %r = "ttir.mesh_partition"(%a0, %e0) <{dim = 1 : si32, operand_constraints = [#any, #any]}> : (tensor<32x64xf32>, tensor<32x16xf32>) -> tensor<32x16xf32>
    return
  }
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
#device = #tt.device<workerGrid = #tt.grid<16x32, (d0, d1) -> ((d0 floordiv 8) * 4 + d1 floordiv 8, d0 mod 8, d1 mod 8)>, l1Map = (d0, d1)[s0, s1] -> (0, 0, 0, 0), dramMap = (d0, d1)[s0, s1] -> (0, 0, 0, 0), meshShape = 2x4, chipIds = [0, 1, 2, 3, 4, 5, 6, 7]>
module attributes {tt.device = #device} {
  func.func @all_to_all_c6_missing(%a0: tensor<32x64xf32>) {
    %e0 = tensor.empty() : tensor<16x128xf32>
    // expected-error @+1 {{replica_groups must have every chip of the mesh 2x4: expected 8 positions, found 2}}
    %r = "ttir.all_to_all"(%a0, %e0) <{concat_dim = 1 : si32, operand_constraints = [#any, #any], replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 2 : si32, split_dim = 0 : si32}> : (tensor<32x64xf32>, tensor<16x128xf32>) -> tensor<16x128xf32>
    return
  }
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
#device = #tt.device<workerGrid = #tt.grid<16x32, (d0, d1) -> ((d0 floordiv 8) * 4 + d1 floordiv 8, d0 mod 8, d1 mod 8)>, l1Map = (d0, d1)[s0, s1] -> (0, 0, 0, 0), dramMap = (d0, d1)[s0, s1] -> (0, 0, 0, 0), meshShape = 2x4, chipIds = [0, 1, 2, 3, 4, 5, 6, 7]>
module attributes {tt.device = #device} {
  func.func @all_to_all_c6_position(%a0: tensor<32x64xf32>) {
    %e0 = tensor.empty() : tensor<16x128xf32>
    // expected-error @+1 {{replica_groups must have positions of chips in the mesh 2x4: expected numbers below 8, found 9}}
    %r = "ttir.all_to_all"(%a0, %e0) <{concat_dim = 1 : si32, operand_constraints = [#any, #any], replica_groups = dense<[[0, 1], [2, 3], [4, 5], [6, 9]]> : tensor<4x2xi64>, split_count = 2 : si32, split_dim = 0 : si32}> : (tensor<32x64xf32>, tensor<16x128xf32>) -> tensor<16x128xf32>
    return
  }
}

// -----

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
#device = #tt.device<workerGrid = #tt.grid<16x32, (d0, d1) -> ((d0 floordiv 8) * 4 + d1 floordiv 8, d0 mod 8, d1 mod 8)>, l1Map = (d0, d1)[s0, s1] -> (0, 0, 0, 0), dramMap = (d0, d1)[s0, s1] -> (0, 0, 0, 0), meshShape = 2x4, chipIds = [0, 1, 2, 3, 4, 5, 6, 7]>
module attributes {tt.device = #device} {
  func.func @collective_broadcast_c4(%a0: tensor<32x64xf32>) {
    %e0 = tensor.empty() : tensor<32x64xf32>
    // expected-error @+1 {{replica_groups must have positions of chips in the mesh 2x4: expected numbers below 8, found 8}}
    %r = "ttir.collective_broadcast"(%a0, %e0) <{operand_constraints = [#any, #any], replica_groups = dense<[[0, 8]]> : tensor<1x2xi64>}> : (tensor<32x64xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
    return
  }
}
