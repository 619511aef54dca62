// RUN: echo "module {}" | ttmlir-translate --system-desc-to-flatbuffer --system=t3000 -o %t.ttsys
// RUN: ttmlir-opt --ttir-load-system-desc="path=%t.ttsys" --ttir-layout --convert-ttir-to-ttnn %s | FileCheck %s
// RUN: ttmlir-opt --ttir-load-system-desc="path=%t.ttsys" --ttir-layout --convert-ttir-to-ttnn --remarks %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: ttmlir-opt --ttir-load-system-desc="path=%t.ttsys" --ttir-layout --convert-ttir-to-ttnn="num-links=2" %s | FileCheck %s --check-prefix=LINKS
// LINKS: "ttnn.all_gather"(%{{.*}}) <{all_gather_dim = 1 : si32, cluster_axis = 1 : ui32, num_links = 2 : ui32}>
// A call for each tensor of a collective, which makes its result: no destination is left. Tensors of
// collectives lie on the device, those of mesh_shard on the host, whatever the constraints say.
// REMARK-DAG: remark: [Passed] Divided | Category:convert-ttir-to-ttnn | Function=all_gather | Op=ttir.all_gather, Reason="becomes 2 calls, one for each tensor
#tile = #tt.operand_constraint<any_device_tile>
#device = #tt.device<workerGrid = #tt.grid<16x32, (d0, d1) -> ((d0 floordiv 8) * 4 + d1 floordiv 8, d0 mod 8, d1 mod 8)>, l1Map = (d0, d1)[s0, s1] -> (0, 0, 0, 0), dramMap = (d0, d1)[s0, s1] -> (0, 0, 0, 0), meshShape = 2x4, chipIds = [0, 1, 2, 3, 4, 5, 6, 7]>
// CHECK-DAG: #[[SYSTEM:layout[0-9]*]] = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<32x64xf32, #system>>
// CHECK-DAG: #[[DRAM:layout[0-9]*]] = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<1x2x!tt.tile<32x32, f32>, #dram>, interleaved>
module attributes {tt.device = #device} {
// CHECK-LABEL: func.func @all_gather(
// CHECK: "ttnn.all_gather"(%{{.*}}) <{all_gather_dim = 1 : si32, cluster_axis = 1 : ui32}> : (tensor<32x64xf32, #[[DRAM]]>) -> tensor<32x256xf32, #{{.*}}>
// CHECK: "ttnn.all_gather"(%{{.*}}) <{all_gather_dim = 1 : si32, cluster_axis = 1 : ui32}> : (tensor<8x16xbf16, #{{.*}}>) -> tensor<8x64xbf16, #{{.*}}>
// CHECK-NOT: ttnn.empty
func.func @all_gather(%a0: tensor<32x64xf32>, %a1: tensor<8x16xbf16>) -> (tensor<32x256xf32>, tensor<8x64xbf16>) {
  %e0 = tensor.empty() : tensor<32x256xf32>
  %e1 = tensor.empty() : tensor<8x64xbf16>
  %r:2 = "ttir.all_gather"(%a0, %a1, %e0, %e1) <{all_gather_dim = 1 : si32, cluster_axis = 1 : ui32, operandSegmentSizes = array<i32: 2, 2>, operand_constraints = [#tile, #tile, #tile, #tile]}> : (tensor<32x64xf32>, tensor<8x16xbf16>, tensor<32x256xf32>, tensor<8x64xbf16>) -> (tensor<32x256xf32>, tensor<8x64xbf16>)
  return %r#0, %r#1 : tensor<32x256xf32>, tensor<8x64xbf16>
}
// CHECK-LABEL: func.func @reduce_scatter(
// CHECK: "ttnn.reduce_scatter"(%{{.*}}) <{cluster_axis = 0 : ui32, reduce_type = #tt.reduce_type<mean>, scatter_dim = -2 : si32}> : (tensor<32x64xf32, #[[DRAM]]>) -> tensor<16x64xf32, #{{.*}}>
func.func @reduce_scatter(%a0: tensor<32x64xf32>) -> (tensor<16x64xf32>) {
  %e0 = tensor.empty() : tensor<16x64xf32>
  %r = "ttir.reduce_scatter"(%a0, %e0) <{cluster_axis = 0 : ui32, operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#tile, #tile], reduce_type = #tt.reduce_type<mean>, scatter_dim = -2 : si32}> : (tensor<32x64xf32>, tensor<16x64xf32>) -> tensor<16x64xf32>
  return %r : tensor<16x64xf32>
}
// CHECK-LABEL: func.func @all_reduce(
// CHECK: "ttnn.all_reduce"(%{{.*}}) <{cluster_axis = 1 : ui32, reduce_type = #tt.reduce_type<max>}> : (tensor<32x64xf32, #[[DRAM]]>) -> tensor<32x64xf32, #[[DRAM]]>
func.func @all_reduce(%a0: tensor<32x64xf32>) -> (tensor<32x64xf32>) {
  %e0 = tensor.empty() : tensor<32x64xf32>
  %r = "ttir.all_reduce"(%a0, %e0) <{cluster_axis = 1 : ui32, operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#tile, #tile], reduce_type = #tt.reduce_type<max>}> : (tensor<32x64xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
  return %r : tensor<32x64xf32>
}
// CHECK-LABEL: func.func @collective_permute(
// CHECK: "ttnn.collective_permute"(%{{.*}}) <{source_target_pairs = dense<{{\[\[}}0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<32x64xf32, #[[DRAM]]>) -> tensor<32x64xf32, #[[DRAM]]>
func.func @collective_permute(%a0: tensor<32x64xf32>) -> (tensor<32x64xf32>) {
  %e0 = tensor.empty() : tensor<32x64xf32>
  %r = "ttir.collective_permute"(%a0, %e0) <{operand_constraints = [#tile, #tile], source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<32x64xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
  return %r : tensor<32x64xf32>
}
// CHECK-LABEL: func.func @mesh_partition(
// CHECK: "ttnn.mesh_partition"(%{{.*}}) <{dim = 1 : si32}> : (tensor<32x64xf32, #[[DRAM]]>) -> tensor<32x8xf32, #{{.*}}>
func.func @mesh_partition(%a0: tensor<32x64xf32>) -> (tensor<32x8xf32>) {
  %e0 = tensor.empty() : tensor<32x8xf32>
  %r = "ttir.mesh_partition"(%a0, %e0) <{dim = 1 : si32, operand_constraints = [#tile, #tile]}> : (tensor<32x64xf32>, tensor<32x8xf32>) -> tensor<32x8xf32>
  return %r : tensor<32x8xf32>
}
// CHECK-LABEL: func.func @all_to_all(
// CHECK: "ttnn.all_to_all"(%{{.*}}) <{concat_dim = 1 : si32, replica_groups = dense<{{\[\[}}0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, split_count = 2 : si32, split_dim = 0 : si32}> : (tensor<32x64xf32, #[[DRAM]]>) -> tensor<16x128xf32, #{{.*}}>
func.func @all_to_all(%a0: tensor<32x64xf32>) -> (tensor<16x128xf32>) {
  %e0 = tensor.empty() : tensor<16x128xf32>
  %r = "ttir.all_to_all"(%a0, %e0) <{concat_dim = 1 : si32, operand_constraints = [#tile, #tile], replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, split_count = 2 : si32, split_dim = 0 : si32}> : (tensor<32x64xf32>, tensor<16x128xf32>) -> tensor<16x128xf32>
  return %r : tensor<16x128xf32>
}
// CHECK-LABEL: func.func @collective_broadcast(
// CHECK: "ttnn.collective_broadcast"(%{{.*}}) <{replica_groups = dense<{{\[\[}}3, 1]]> : tensor<1x2xi64>}> : (tensor<32x64xf32, #[[DRAM]]>) -> tensor<32x64xf32, #[[DRAM]]>
func.func @collective_broadcast(%a0: tensor<32x64xf32>) -> (tensor<32x64xf32>) {
  %e0 = tensor.empty() : tensor<32x64xf32>
  %r = "ttir.collective_broadcast"(%a0, %e0) <{operand_constraints = [#tile, #tile], replica_groups = dense<[[3, 1]]> : tensor<1x2xi64>}> : (tensor<32x64xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
  return %r : tensor<32x64xf32>
}
// CHECK-LABEL: func.func @mesh_shard(
// CHECK-NEXT: %[[DEVICE:.*]] = "ttnn.get_device"
// CHECK-NEXT: "ttnn.mesh_shard"(%{{.*}}, %[[DEVICE]]) <{shard_dims = array<i64: 0, 1>, shard_direction = #tt.shard_direction<full_to_shard>, shard_shape = array<i64: 2, 4>, shard_type = #tt.shard_type<devices>}> : (tensor<64x256xf32, #{{.*}}>, !tt.device<#device>) -> tensor<32x64xf32, #[[SYSTEM]]>
// CHECK-NEXT: return
func.func @mesh_shard(%a0: tensor<64x256xf32>) -> (tensor<32x64xf32>) {
  %e0 = tensor.empty() : tensor<32x64xf32>
  %r = "ttir.mesh_shard"(%a0, %e0) <{operand_constraints = [#tile, #tile], shard_dims = array<i64: 0, 1>, shard_direction = #tt.shard_direction<full_to_shard>, shard_shape = array<i64: 2, 4>, shard_type = #tt.shard_type<devices>}> : (tensor<64x256xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
  return %r : tensor<32x64xf32>
}
// CHECK-LABEL: func.func @from_device_to_host(
// CHECK: %[[SUM:.*]] = "ttnn.all_reduce"
// CHECK-NEXT: %[[HOST:.*]] = "ttnn.to_memory_config"(%[[SUM]], %{{.*}}) : (tensor<32x64xf32, #[[DRAM]]>, !tt.device<#device>) -> tensor<32x64xf32, #[[SYSTEM]]>
// CHECK-NEXT: "ttnn.mesh_shard"(%[[HOST]], %{{.*}})
func.func @from_device_to_host(%a: tensor<32x64xf32>) -> tensor<64x256xf32> {
  %0 = tensor.empty() : tensor<32x64xf32>
  %1 = "ttir.all_reduce"(%a, %0) <{cluster_axis = 1 : ui32, operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#tile, #tile], reduce_type = #tt.reduce_type<sum>}> : (tensor<32x64xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
  %2 = tensor.empty() : tensor<64x256xf32>
  %3 = "ttir.mesh_shard"(%1, %2) <{operand_constraints = [#tile, #tile], shard_dims = array<i64: 0, 1>, shard_direction = #tt.shard_direction<shard_to_full>, shard_shape = array<i64: 2, 4>, shard_type = #tt.shard_type<devices>}> : (tensor<32x64xf32>, tensor<64x256xf32>) -> tensor<64x256xf32>
  return %3 : tensor<64x256xf32>
}
}
