// RUN: ttmlir-opt %s | ttmlir-opt | FileCheck %s
// All collectives, on a mesh of 2x4, whose rules they keep.
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
#device = #tt.device<workerGrid = #tt.grid<16x32, (d0, d1) -> ((d0 floordiv 8) * 4 + d1 floordiv 8, d0 mod 8, d1 mod 8)>, l1Map = (d0, d1)[s0, s1] -> (0, 0, 0, 0), dramMap = (d0, d1)[s0, s1] -> (0, 0, 0, 0), meshShape = 2x4, chipIds = [0, 1, 2, 3, 4, 5, 6, 7]>
module attributes {tt.device = #device} {
// CHECK-LABEL: func.func @all_gather(
// CHECK: "ttir.all_gather"(%{{.*}}, %{{.*}}) <{all_gather_dim = 1 : si32, cluster_axis = 1 : ui32, operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any_device, #any_device]}> : (tensor<32x16xbf16>, tensor<32x64xbf16>) -> tensor<32x64xbf16>
func.func @all_gather(%a0: tensor<32x16xbf16>) {
  %e0 = tensor.empty() : tensor<32x64xbf16>
  %r = "ttir.all_gather"(%a0, %e0) <{all_gather_dim = 1 : si32, cluster_axis = 1 : ui32, operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<32x16xbf16>, tensor<32x64xbf16>) -> tensor<32x64xbf16>
  return
}
// CHECK-LABEL: func.func @all_gather_of_two(
// CHECK: "ttir.all_gather"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) <{all_gather_dim = -1 : si32, cluster_axis = 1 : ui32, operandSegmentSizes = array<i32: 2, 2>, operand_constraints = [#any_device, #any_device, #any_device, #any_device]}> : (tensor<32x16xbf16>, tensor<8x16xf32>, tensor<32x64xbf16>, tensor<8x64xf32>) -> (tensor<32x64xbf16>, tensor<8x64xf32>)
func.func @all_gather_of_two(%a0: tensor<32x16xbf16>, %a1: tensor<8x16xf32>) {
  %e0 = tensor.empty() : tensor<32x64xbf16>
  %e1 = tensor.empty() : tensor<8x64xf32>
  %r:2 = "ttir.all_gather"(%a0, %a1, %e0, %e1) <{all_gather_dim = -1 : si32, cluster_axis = 1 : ui32, operandSegmentSizes = array<i32: 2, 2>, operand_constraints = [#any, #any, #any, #any]}> : (tensor<32x16xbf16>, tensor<8x16xf32>, tensor<32x64xbf16>, tensor<8x64xf32>) -> (tensor<32x64xbf16>, tensor<8x64xf32>)
  return
}
// CHECK-LABEL: func.func @reduce_scatter(
// CHECK: "ttir.reduce_scatter"(%{{.*}}, %{{.*}}) <{cluster_axis = 1 : ui32, operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any_device, #any_device], reduce_type = #tt.reduce_type<mean>, scatter_dim = 1 : si32}> : (tensor<32x64xf32>, tensor<32x16xf32>) -> tensor<32x16xf32>
func.func @reduce_scatter(%a0: tensor<32x64xf32>) {
  %e0 = tensor.empty() : tensor<32x16xf32>
  %r = "ttir.reduce_scatter"(%a0, %e0) <{cluster_axis = 1 : ui32, operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any], reduce_type = #tt.reduce_type<mean>, scatter_dim = 1 : si32}> : (tensor<32x64xf32>, tensor<32x16xf32>) -> tensor<32x16xf32>
  return
}
// CHECK-LABEL: func.func @reduce_scatter_rows(
// CHECK: "ttir.reduce_scatter"(%{{.*}}, %{{.*}}) <{cluster_axis = 0 : ui32, operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any_device, #any_device], reduce_type = #tt.reduce_type<max>, scatter_dim = 0 : si32}> : (tensor<32x64xf32>, tensor<16x64xf32>) -> tensor<16x64xf32>
func.func @reduce_scatter_rows(%a0: tensor<32x64xf32>) {
  %e0 = tensor.empty() : tensor<16x64xf32>
  %r = "ttir.reduce_scatter"(%a0, %e0) <{cluster_axis = 0 : ui32, operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any], reduce_type = #tt.reduce_type<max>, scatter_dim = 0 : si32}> : (tensor<32x64xf32>, tensor<16x64xf32>) -> tensor<16x64xf32>
  return
}
// CHECK-LABEL: func.func @all_reduce(
// CHECK: "ttir.all_reduce"(%{{.*}}, %{{.*}}) <{cluster_axis = 0 : ui32, operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any_device, #any_device], reduce_type = #tt.reduce_type<min>}> : (tensor<32x64xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
func.func @all_reduce(%a0: tensor<32x64xf32>) {
  %e0 = tensor.empty() : tensor<32x64xf32>
  %r = "ttir.all_reduce"(%a0, %e0) <{cluster_axis = 0 : ui32, operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any], reduce_type = #tt.reduce_type<min>}> : (tensor<32x64xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
  return
}
// CHECK-LABEL: func.func @all_reduce_of_two(
// CHECK: "ttir.all_reduce"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) <{cluster_axis = 1 : ui32, operandSegmentSizes = array<i32: 2, 2>, operand_constraints = [#any_device, #any_device, #any_device, #any_device], reduce_type = #tt.reduce_type<sum>}> : (tensor<32x64xf32>, tensor<5xf32>, tensor<32x64xf32>, tensor<5xf32>) -> (tensor<32x64xf32>, tensor<5xf32>)
func.func @all_reduce_of_two(%a0: tensor<32x64xf32>, %a1: tensor<5xf32>) {
  %e0 = tensor.empty() : tensor<32x64xf32>
  %e1 = tensor.empty() : tensor<5xf32>
  %r:2 = "ttir.all_reduce"(%a0, %a1, %e0, %e1) <{cluster_axis = 1 : ui32, operandSegmentSizes = array<i32: 2, 2>, operand_constraints = [#any, #any, #any, #any], reduce_type = #tt.reduce_type<sum>}> : (tensor<32x64xf32>, tensor<5xf32>, tensor<32x64xf32>, tensor<5xf32>) -> (tensor<32x64xf32>, tensor<5xf32>)
  return
}
// CHECK-LABEL: func.func @collective_permute(
// CHECK: "ttir.collective_permute"(%{{.*}}, %{{.*}}) <{operand_constraints = [#any_device, #any_device], source_target_pairs = dense<{{\[\[}}0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<32x64xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
func.func @collective_permute(%a0: tensor<32x64xf32>) {
  %e0 = tensor.empty() : tensor<32x64xf32>
  %r = "ttir.collective_permute"(%a0, %e0) <{operand_constraints = [#any, #any], source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<32x64xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
  return
}
// CHECK-LABEL: func.func @nobody_sends(
// CHECK: "ttir.collective_permute"(%{{.*}}, %{{.*}}) <{operand_constraints = [#any_device, #any_device], source_target_pairs = dense<> : tensor<0x2xi64>}> : (tensor<32x64xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
func.func @nobody_sends(%a0: tensor<32x64xf32>) {
  %e0 = tensor.empty() : tensor<32x64xf32>
  %r = "ttir.collective_permute"(%a0, %e0) <{operand_constraints = [#any, #any], source_target_pairs = dense<> : tensor<0x2xi64>}> : (tensor<32x64xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
  return
}
// CHECK-LABEL: func.func @mesh_partition(
// CHECK: "ttir.mesh_partition"(%{{.*}}, %{{.*}}) <{cluster_axis = 1 : ui32, dim = 1 : si32, operand_constraints = [#any_device, #any_device]}> : (tensor<32x64xf32>, tensor<32x16xf32>) -> tensor<32x16xf32>
func.func @mesh_partition(%a0: tensor<32x64xf32>) {
  %e0 = tensor.empty() : tensor<32x16xf32>
  %r = "ttir.mesh_partition"(%a0, %e0) <{cluster_axis = 1 : ui32, dim = 1 : si32, operand_constraints = [#any, #any]}> : (tensor<32x64xf32>, tensor<32x16xf32>) -> tensor<32x16xf32>
  return
}
// CHECK-LABEL: func.func @mesh_partition_of_all(
// CHECK: "ttir.mesh_partition"(%{{.*}}, %{{.*}}) <{dim = -1 : si32, operand_constraints = [#any_device, #any_device]}> : (tensor<32x64xf32>, tensor<32x8xf32>) -> tensor<32x8xf32>
func.func @mesh_partition_of_all(%a0: tensor<32x64xf32>) {
  %e0 = tensor.empty() : tensor<32x8xf32>
  %r = "ttir.mesh_partition"(%a0, %e0) <{dim = -1 : si32, operand_constraints = [#any, #any]}> : (tensor<32x64xf32>, tensor<32x8xf32>) -> tensor<32x8xf32>
  return
}
// CHECK-LABEL: func.func @all_to_all(
// CHECK: "ttir.all_to_all"(%{{.*}}, %{{.*}}) <{concat_dim = 1 : si32, operand_constraints = [#any_device, #any_device], replica_groups = dense<{{\[\[}}0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, split_count = 2 : si32, split_dim = 0 : si32}> : (tensor<32x64xf32>, tensor<16x128xf32>) -> tensor<16x128xf32>
func.func @all_to_all(%a0: tensor<32x64xf32>) {
  %e0 = tensor.empty() : tensor<16x128xf32>
  %r = "ttir.all_to_all"(%a0, %e0) <{concat_dim = 1 : si32, operand_constraints = [#any, #any], replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, split_count = 2 : si32, split_dim = 0 : si32}> : (tensor<32x64xf32>, tensor<16x128xf32>) -> tensor<16x128xf32>
  return
}
// CHECK-LABEL: func.func @all_to_all_one_dim(
// CHECK: "ttir.all_to_all"(%{{.*}}, %{{.*}}) <{concat_dim = 0 : si32, operand_constraints = [#any_device, #any_device], replica_groups = dense<{{\[\[}}0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, split_count = 4 : si32, split_dim = 0 : si32}> : (tensor<32x64xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
func.func @all_to_all_one_dim(%a0: tensor<32x64xf32>) {
  %e0 = tensor.empty() : tensor<32x64xf32>
  %r = "ttir.all_to_all"(%a0, %e0) <{concat_dim = 0 : si32, operand_constraints = [#any, #any], replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, split_count = 4 : si32, split_dim = 0 : si32}> : (tensor<32x64xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
  return
}
// CHECK-LABEL: func.func @collective_broadcast(
// CHECK: "ttir.collective_broadcast"(%{{.*}}, %{{.*}}) <{operand_constraints = [#any_device, #any_device], replica_groups = dense<{{\[\[}}0, 1], [2, 3]]> : tensor<2x2xi64>}> : (tensor<32x64xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
func.func @collective_broadcast(%a0: tensor<32x64xf32>) {
  %e0 = tensor.empty() : tensor<32x64xf32>
  %r = "ttir.collective_broadcast"(%a0, %e0) <{operand_constraints = [#any, #any], replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : (tensor<32x64xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
  return
}
// CHECK-LABEL: func.func @mesh_shard(
// CHECK: "ttir.mesh_shard"(%{{.*}}, %{{.*}}) <{operand_constraints = [#any_device, #any_device], shard_dims = array<i64: 0, 1>, shard_direction = #tt.shard_direction<full_to_shard>, shard_shape = array<i64: 2, 4>, shard_type = #tt.shard_type<devices>}> : (tensor<64x128xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
func.func @mesh_shard(%a0: tensor<64x128xf32>) {
  %e0 = tensor.empty() : tensor<32x32xf32>
  %r = "ttir.mesh_shard"(%a0, %e0) <{operand_constraints = [#any, #any], shard_dims = array<i64: 0, 1>, shard_direction = #tt.shard_direction<full_to_shard>, shard_shape = array<i64: 2, 4>, shard_type = #tt.shard_type<devices>}> : (tensor<64x128xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  return
}
// CHECK-LABEL: func.func @mesh_shard_one_axis(
// CHECK: "ttir.mesh_shard"(%{{.*}}, %{{.*}}) <{operand_constraints = [#any_device, #any_device], shard_dims = array<i64: -1, 1>, shard_direction = #tt.shard_direction<full_to_shard>, shard_shape = array<i64: 1, 4>, shard_type = #tt.shard_type<devices>}> : (tensor<64x128xf32>, tensor<64x32xf32>) -> tensor<64x32xf32>
func.func @mesh_shard_one_axis(%a0: tensor<64x128xf32>) {
  %e0 = tensor.empty() : tensor<64x32xf32>
  %r = "ttir.mesh_shard"(%a0, %e0) <{operand_constraints = [#any, #any], shard_dims = array<i64: -1, 1>, shard_direction = #tt.shard_direction<full_to_shard>, shard_shape = array<i64: 1, 4>, shard_type = #tt.shard_type<devices>}> : (tensor<64x128xf32>, tensor<64x32xf32>) -> tensor<64x32xf32>
  return
}
// CHECK-LABEL: func.func @mesh_shard_one_dim(
// CHECK: "ttir.mesh_shard"(%{{.*}}, %{{.*}}) <{operand_constraints = [#any_device, #any_device], shard_dims = array<i64: 0, 0>, shard_direction = #tt.shard_direction<full_to_shard>, shard_shape = array<i64: 8, 1>, shard_type = #tt.shard_type<devices>}> : (tensor<64x128xf32>, tensor<8x128xf32>) -> tensor<8x128xf32>
func.func @mesh_shard_one_dim(%a0: tensor<64x128xf32>) {
  %e0 = tensor.empty() : tensor<8x128xf32>
  %r = "ttir.mesh_shard"(%a0, %e0) <{operand_constraints = [#any, #any], shard_dims = array<i64: 0, 0>, shard_direction = #tt.shard_direction<full_to_shard>, shard_shape = array<i64: 8, 1>, shard_type = #tt.shard_type<devices>}> : (tensor<64x128xf32>, tensor<8x128xf32>) -> tensor<8x128xf32>
  return
}
// CHECK-LABEL: func.func @mesh_shard_back(
// CHECK: "ttir.mesh_shard"(%{{.*}}, %{{.*}}) <{operand_constraints = [#any_device, #any_device], shard_dims = array<i64: 0, 1>, shard_direction = #tt.shard_direction<shard_to_full>, shard_shape = array<i64: 2, 4>, shard_type = #tt.shard_type<devices>}> : (tensor<32x32xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
func.func @mesh_shard_back(%a0: tensor<32x32xf32>) {
  %e0 = tensor.empty() : tensor<64x128xf32>
  %r = "ttir.mesh_shard"(%a0, %e0) <{operand_constraints = [#any, #any], shard_dims = array<i64: 0, 1>, shard_direction = #tt.shard_direction<shard_to_full>, shard_shape = array<i64: 2, 4>, shard_type = #tt.shard_type<devices>}> : (tensor<32x32xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return
}
// CHECK-LABEL: func.func @mesh_shard_replicate(
// CHECK: "ttir.mesh_shard"(%{{.*}}, %{{.*}}) <{operand_constraints = [#any_device, #any_device], shard_dims = array<i64: -1>, shard_direction = #tt.shard_direction<full_to_shard>, shard_shape = array<i64: 1>, shard_type = #tt.shard_type<replicate>}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
func.func @mesh_shard_replicate(%a0: tensor<64x128xf32>) {
  %e0 = tensor.empty() : tensor<64x128xf32>
  %r = "ttir.mesh_shard"(%a0, %e0) <{operand_constraints = [#any, #any], shard_dims = array<i64: -1>, shard_direction = #tt.shard_direction<full_to_shard>, shard_shape = array<i64: 1>, shard_type = #tt.shard_type<replicate>}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return
}
}
