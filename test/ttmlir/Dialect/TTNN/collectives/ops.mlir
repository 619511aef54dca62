// RUN: ttmlir-opt %s | ttmlir-opt | FileCheck %s
// All collectives, on a mesh of 2x4, whose rules they keep.
#device = #tt.device<workerGrid = #tt.grid<16x32, (d0, d1) -> ((d0 floordiv 8) * 4 + d1 floordiv 8, d0 mod 8, d1 mod 8)>, l1Map = (d0, d1)[s0, s1] -> (0, 0, 0, 0), dramMap = (d0, d1)[s0, s1] -> (0, 0, 0, 0), meshShape = 2x4, chipIds = [0, 1, 2, 3, 4, 5, 6, 7]>
module attributes {tt.device = #device} {
// CHECK-LABEL: func.func @all_gather(
// CHECK: "ttnn.all_gather"(%{{.*}}) <{all_gather_dim = 1 : si32, cluster_axis = 1 : ui32}> : (tensor<32x16xbf16>) -> tensor<32x64xbf16>
func.func @all_gather(%a0: tensor<32x16xbf16>) {
  %r = "ttnn.all_gather"(%a0) <{all_gather_dim = 1 : si32, cluster_axis = 1 : ui32}> : (tensor<32x16xbf16>) -> tensor<32x64xbf16>
  return
}
// CHECK-LABEL: func.func @all_gather_as_line(
// CHECK: "ttnn.all_gather"(%{{.*}}) <{all_gather_dim = -1 : si32, cluster_axis = 1 : ui32, num_links = 2 : ui32, topology = #tt.topology<linear>}> : (tensor<32x16xbf16>) -> tensor<32x64xbf16>
func.func @all_gather_as_line(%a0: tensor<32x16xbf16>) {
  %r = "ttnn.all_gather"(%a0) <{all_gather_dim = -1 : si32, cluster_axis = 1 : ui32, num_links = 2 : ui32, topology = #tt.topology<linear>}> : (tensor<32x16xbf16>) -> tensor<32x64xbf16>
  return
}
// CHECK-LABEL: func.func @reduce_scatter(
// CHECK: "ttnn.reduce_scatter"(%{{.*}}) <{cluster_axis = 1 : ui32, reduce_type = #tt.reduce_type<mean>, scatter_dim = 1 : si32}> : (tensor<32x64xf32>) -> tensor<32x16xf32>
func.func @reduce_scatter(%a0: tensor<32x64xf32>) {
  %r = "ttnn.reduce_scatter"(%a0) <{cluster_axis = 1 : ui32, reduce_type = #tt.reduce_type<mean>, scatter_dim = 1 : si32}> : (tensor<32x64xf32>) -> tensor<32x16xf32>
  return
}
// CHECK-LABEL: func.func @reduce_scatter_rows(
// CHECK: "ttnn.reduce_scatter"(%{{.*}}) <{cluster_axis = 0 : ui32, reduce_type = #tt.reduce_type<max>, scatter_dim = 0 : si32}> : (tensor<32x64xf32>) -> tensor<16x64xf32>
func.func @reduce_scatter_rows(%a0: tensor<32x64xf32>) {
  %r = "ttnn.reduce_scatter"(%a0) <{cluster_axis = 0 : ui32, reduce_type = #tt.reduce_type<max>, scatter_dim = 0 : si32}> : (tensor<32x64xf32>) -> tensor<16x64xf32>
  return
}
// CHECK-LABEL: func.func @all_reduce(
// CHECK: "ttnn.all_reduce"(%{{.*}}) <{cluster_axis = 0 : ui32, reduce_type = #tt.reduce_type<min>}> : (tensor<32x64xf32>) -> tensor<32x64xf32>
func.func @all_reduce(%a0: tensor<32x64xf32>) {
  %r = "ttnn.all_reduce"(%a0) <{cluster_axis = 0 : ui32, reduce_type = #tt.reduce_type<min>}> : (tensor<32x64xf32>) -> tensor<32x64xf32>
  return
}
// CHECK-LABEL: func.func @all_reduce_of_slices(
// CHECK: "ttnn.all_reduce"(%{{.*}}) <{cluster_axis = 0 : ui32, overlap_slices = 4 : ui32, reduce_type = #tt.reduce_type<sum>}> : (tensor<32x64xf32>) -> tensor<32x64xf32>
func.func @all_reduce_of_slices(%a0: tensor<32x64xf32>, %a1: tensor<64x64xf32>, %a2: tensor<32x64xf32>) {
  %0 = "ttnn.matmul"(%a0, %a1, %a2) : (tensor<32x64xf32>, tensor<64x64xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
  "ttnn.dealloc"(%a1) : (tensor<64x64xf32>) -> ()
  %r = "ttnn.all_reduce"(%0) <{cluster_axis = 0 : ui32, overlap_slices = 4 : ui32, reduce_type = #tt.reduce_type<sum>}> : (tensor<32x64xf32>) -> tensor<32x64xf32>
  return
}
// CHECK-LABEL: func.func @collective_permute(
// CHECK: "ttnn.collective_permute"(%{{.*}}) <{source_target_pairs = dense<{{\[\[}}0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<32x64xf32>) -> tensor<32x64xf32>
func.func @collective_permute(%a0: tensor<32x64xf32>) {
  %r = "ttnn.collective_permute"(%a0) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<32x64xf32>) -> tensor<32x64xf32>
  return
}
// CHECK-LABEL: func.func @nobody_sends(
// CHECK: "ttnn.collective_permute"(%{{.*}}) <{source_target_pairs = dense<> : tensor<0x2xi64>}> : (tensor<32x64xf32>) -> tensor<32x64xf32>
func.func @nobody_sends(%a0: tensor<32x64xf32>) {
  %r = "ttnn.collective_permute"(%a0) <{source_target_pairs = dense<> : tensor<0x2xi64>}> : (tensor<32x64xf32>) -> tensor<32x64xf32>
  return
}
// CHECK-LABEL: func.func @mesh_partition(
// CHECK: "ttnn.mesh_partition"(%{{.*}}) <{cluster_axis = 1 : ui32, dim = 1 : si32}> : (tensor<32x64xf32>) -> tensor<32x16xf32>
func.func @mesh_partition(%a0: tensor<32x64xf32>) {
  %r = "ttnn.mesh_partition"(%a0) <{cluster_axis = 1 : ui32, dim = 1 : si32}> : (tensor<32x64xf32>) -> tensor<32x16xf32>
  return
}
// CHECK-LABEL: func.func @mesh_partition_of_all(
// CHECK: "ttnn.mesh_partition"(%{{.*}}) <{dim = -1 : si32}> : (tensor<32x64xf32>) -> tensor<32x8xf32>
func.func @mesh_partition_of_all(%a0: tensor<32x64xf32>) {
  %r = "ttnn.mesh_partition"(%a0) <{dim = -1 : si32}> : (tensor<32x64xf32>) -> tensor<32x8xf32>
  return
}
// CHECK-LABEL: func.func @all_to_all(
// CHECK: "ttnn.all_to_all"(%{{.*}}) <{concat_dim = 1 : si32, replica_groups = dense<{{\[\[}}0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, split_count = 2 : si32, split_dim = 0 : si32}> : (tensor<32x64xf32>) -> tensor<16x128xf32>
func.func @all_to_all(%a0: tensor<32x64xf32>) {
  %r = "ttnn.all_to_all"(%a0) <{concat_dim = 1 : si32, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, split_count = 2 : si32, split_dim = 0 : si32}> : (tensor<32x64xf32>) -> tensor<16x128xf32>
  return
}
// CHECK-LABEL: func.func @all_to_all_one_dim(
// CHECK: "ttnn.all_to_all"(%{{.*}}) <{concat_dim = 0 : si32, replica_groups = dense<{{\[\[}}0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, split_count = 4 : si32, split_dim = 0 : si32}> : (tensor<32x64xf32>) -> tensor<32x64xf32>
func.func @all_to_all_one_dim(%a0: tensor<32x64xf32>) {
  %r = "ttnn.all_to_all"(%a0) <{concat_dim = 0 : si32, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, split_count = 4 : si32, split_dim = 0 : si32}> : (tensor<32x64xf32>) -> tensor<32x64xf32>
  return
}
// CHECK-LABEL: func.func @collective_broadcast(
// CHECK: "ttnn.collective_broadcast"(%{{.*}}) <{replica_groups = dense<{{\[\[}}0, 1], [2, 3]]> : tensor<2x2xi64>}> : (tensor<32x64xf32>) -> tensor<32x64xf32>
func.func @collective_broadcast(%a0: tensor<32x64xf32>) {
  %r = "ttnn.collective_broadcast"(%a0) <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : (tensor<32x64xf32>) -> tensor<32x64xf32>
  return
}
// CHECK-LABEL: func.func @mesh_shard(
// CHECK: "ttnn.mesh_shard"(%{{.*}}, %{{.*}}) <{shard_dims = array<i64: 0, 1>, shard_direction = #tt.shard_direction<full_to_shard>, shard_shape = array<i64: 2, 4>, shard_type = #tt.shard_type<devices>}> : (tensor<64x128xf32>, !tt.device<#device>) -> tensor<32x32xf32>
func.func @mesh_shard(%a: tensor<64x128xf32>) {
  %d = "ttnn.get_device"() : () -> !tt.device<#device>
  %r = "ttnn.mesh_shard"(%a, %d) <{shard_dims = array<i64: 0, 1>, shard_direction = #tt.shard_direction<full_to_shard>, shard_shape = array<i64: 2, 4>, shard_type = #tt.shard_type<devices>}> : (tensor<64x128xf32>, !tt.device<#device>) -> tensor<32x32xf32>
  return
}
}
