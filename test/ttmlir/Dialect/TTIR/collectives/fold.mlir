// RUN: ttmlir-opt --canonicalize %s 2> %t | FileCheck %s
// RUN: FileCheck %s --check-prefix=WARNING < %t
// RUN: ttmlir-opt --ttir-implicit-device %s 2>&1 | FileCheck %s --check-prefix=PASS
// Collectives of groups of one chip go, with a warning; one shard of a tensor is the tensor.
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
#device = #tt.device<workerGrid = #tt.grid<16x8, (d0, d1) -> (d0 floordiv 8, d0 mod 8, d1)>, l1Map = (d0, d1)[s0, s1] -> (0, 0, 0, 0), dramMap = (d0, d1)[s0, s1] -> (0, 0, 0, 0), meshShape = 2x1, chipIds = [0, 1]>
module attributes {tt.device = #device} {
// PASS: warning: 'ttir.all_gather' is of groups of one chip
// PASS: module
// PASS-NOT: ttir.reduce_scatter
// CHECK-LABEL: func.func @all_gather(
// CHECK-NEXT: return %arg0
// WARNING: warning: 'ttir.all_gather' is of groups of one chip on the mesh 2x1 and changes nothing: it is removed
func.func @all_gather(%a0: tensor<32x64xf32>, %a1: tensor<5xf32>) -> (tensor<32x64xf32>, tensor<5xf32>) {
  %e0 = tensor.empty() : tensor<32x64xf32>
  %e1 = tensor.empty() : tensor<5xf32>
  %r:2 = "ttir.all_gather"(%a0, %a1, %e0, %e1) <{all_gather_dim = 0 : si32, cluster_axis = 1 : ui32, operandSegmentSizes = array<i32: 2, 2>, operand_constraints = [#any, #any, #any, #any]}> : (tensor<32x64xf32>, tensor<5xf32>, tensor<32x64xf32>, tensor<5xf32>) -> (tensor<32x64xf32>, tensor<5xf32>)
  return %r#0, %r#1 : tensor<32x64xf32>, tensor<5xf32>
}
// CHECK-LABEL: func.func @all_gather_of_two(
// CHECK: ttir.all_gather
func.func @all_gather_of_two(%a0: tensor<32x64xf32>) -> (tensor<64x64xf32>) {
  %e0 = tensor.empty() : tensor<64x64xf32>
  %r = "ttir.all_gather"(%a0, %e0) <{all_gather_dim = 0 : si32, cluster_axis = 0 : ui32, operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<32x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}
// CHECK-LABEL: func.func @reduce_scatter(
// CHECK-NEXT: return %arg0
// WARNING: warning: 'ttir.reduce_scatter' is of groups of one chip on the mesh 2x1 and changes nothing: it is removed
func.func @reduce_scatter(%a0: tensor<32x64xf32>) -> (tensor<32x64xf32>) {
  %e0 = tensor.empty() : tensor<32x64xf32>
  %r = "ttir.reduce_scatter"(%a0, %e0) <{cluster_axis = 1 : ui32, operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any], reduce_type = #tt.reduce_type<mean>, scatter_dim = 0 : si32}> : (tensor<32x64xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
  return %r : tensor<32x64xf32>
}
// CHECK-LABEL: func.func @all_reduce(
// CHECK-NEXT: return %arg0
// WARNING: warning: 'ttir.all_reduce' is of groups of one chip on the mesh 2x1 and changes nothing: it is removed
func.func @all_reduce(%a0: tensor<32x64xf32>) -> (tensor<32x64xf32>) {
  %e0 = tensor.empty() : tensor<32x64xf32>
  %r = "ttir.all_reduce"(%a0, %e0) <{cluster_axis = 1 : ui32, operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any], reduce_type = #tt.reduce_type<sum>}> : (tensor<32x64xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
  return %r : tensor<32x64xf32>
}
// CHECK-LABEL: func.func @all_reduce_of_two(
// CHECK: ttir.all_reduce
func.func @all_reduce_of_two(%a0: tensor<32x64xf32>) -> (tensor<32x64xf32>) {
  %e0 = tensor.empty() : tensor<32x64xf32>
  %r = "ttir.all_reduce"(%a0, %e0) <{cluster_axis = 0 : ui32, operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any], reduce_type = #tt.reduce_type<sum>}> : (tensor<32x64xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
  return %r : tensor<32x64xf32>
}
// CHECK-LABEL: func.func @mesh_partition(
// CHECK-NEXT: return %arg0
// WARNING: warning: 'ttir.mesh_partition' is of groups of one chip on the mesh 2x1 and changes nothing: it is removed
func.func @mesh_partition(%a0: tensor<32x64xf32>) -> (tensor<32x64xf32>) {
  %e0 = tensor.empty() : tensor<32x64xf32>
  %r = "ttir.mesh_partition"(%a0, %e0) <{cluster_axis = 1 : ui32, dim = 0 : si32, operand_constraints = [#any, #any]}> : (tensor<32x64xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
  return %r : tensor<32x64xf32>
}
// CHECK-LABEL: func.func @to_itself(
// CHECK-NEXT: return %arg0
// WARNING: warning: 'ttir.collective_permute' is of groups of one chip on the mesh 2x1 and changes nothing: it is removed
func.func @to_itself(%a0: tensor<32x64xf32>) -> (tensor<32x64xf32>) {
  %e0 = tensor.empty() : tensor<32x64xf32>
  %r = "ttir.collective_permute"(%a0, %e0) <{operand_constraints = [#any, #any], source_target_pairs = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>}> : (tensor<32x64xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
  return %r : tensor<32x64xf32>
}
// CHECK-LABEL: func.func @one_gets_zeros(
// CHECK: ttir.collective_permute
func.func @one_gets_zeros(%a0: tensor<32x64xf32>) -> (tensor<32x64xf32>) {
  %e0 = tensor.empty() : tensor<32x64xf32>
  %r = "ttir.collective_permute"(%a0, %e0) <{operand_constraints = [#any, #any], source_target_pairs = dense<[[0, 0]]> : tensor<1x2xi64>}> : (tensor<32x64xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
  return %r : tensor<32x64xf32>
}
// CHECK-LABEL: func.func @all_to_all(
// CHECK-NEXT: return %arg0
// WARNING: warning: 'ttir.all_to_all' is of groups of one chip on the mesh 2x1 and changes nothing: it is removed
func.func @all_to_all(%a0: tensor<32x64xf32>) -> (tensor<32x64xf32>) {
  %e0 = tensor.empty() : tensor<32x64xf32>
  %r = "ttir.all_to_all"(%a0, %e0) <{concat_dim = 1 : si32, operand_constraints = [#any, #any], replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>, split_count = 1 : si32, split_dim = 0 : si32}> : (tensor<32x64xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
  return %r : tensor<32x64xf32>
}
// CHECK-LABEL: func.func @other_gets_zeros(
// CHECK: ttir.collective_broadcast
func.func @other_gets_zeros(%a0: tensor<32x64xf32>) -> (tensor<32x64xf32>) {
  %e0 = tensor.empty() : tensor<32x64xf32>
  %r = "ttir.collective_broadcast"(%a0, %e0) <{operand_constraints = [#any, #any], replica_groups = dense<[[0]]> : tensor<1x1xi64>}> : (tensor<32x64xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
  return %r : tensor<32x64xf32>
}
// CHECK-LABEL: func.func @one_shard(
// CHECK-NEXT: return %arg0
func.func @one_shard(%a0: tensor<32x64xf32>) -> (tensor<32x64xf32>) {
  %e0 = tensor.empty() : tensor<32x64xf32>
  %r = "ttir.mesh_shard"(%a0, %e0) <{operand_constraints = [#any, #any], shard_dims = array<i64: -1, -1>, shard_direction = #tt.shard_direction<full_to_shard>, shard_shape = array<i64: 1, 1>, shard_type = #tt.shard_type<devices>}> : (tensor<32x64xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
  return %r : tensor<32x64xf32>
}
// CHECK-LABEL: func.func @replicated(
// CHECK: ttir.mesh_shard
func.func @replicated(%a0: tensor<32x64xf32>) -> (tensor<32x64xf32>) {
  %e0 = tensor.empty() : tensor<32x64xf32>
  %r = "ttir.mesh_shard"(%a0, %e0) <{operand_constraints = [#any, #any], shard_dims = array<i64: -1, -1>, shard_direction = #tt.shard_direction<full_to_shard>, shard_shape = array<i64: 1, 1>, shard_type = #tt.shard_type<replicate>}> : (tensor<32x64xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
  return %r : tensor<32x64xf32>
}
}
