// RUN: echo "module {}" | ttmlir-translate --system-desc-to-flatbuffer --system=t3000 -o %t.ttsys
// RUN: ttmlir-opt --ttir-load-system-desc="path=%t.ttsys" --ttir-implicit-device="mesh-shape=2,4" --ttir-allocate --convert-ttir-to-ttmetal %s | FileCheck %s
// RUN: ttmlir-opt --ttir-load-system-desc="path=%t.ttsys" --ttir-implicit-device="mesh-shape=2,4" --ttir-allocate --convert-ttir-to-ttmetal --remarks %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// What the chips of a mesh do together is a command for each tensor.
// REMARK-DAG: remark: [Passed] Command | Category:convert-ttir-to-ttmetal | Function=variadic | Op=ttir.all_gather, Reason="becomes a command of the runtime for each of 2 tensors", Rejected="kernels: use-all-gather-kernel is off

#any_device = #tt.operand_constraint<any_device>
#dram = #tt.memory_space<dram>
#system = #tt.memory_space<system>
#tile = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<1x2x!tt.tile<32x32, bf16>, #dram>, interleaved>
#tiles = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<1x8x!tt.tile<32x32, bf16>, #dram>, interleaved>
#full = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x256xbf16, #system>>
#shard = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<32x64xbf16, #system>>

// CHECK-LABEL: func.func @variadic
func.func @variadic(%a: tensor<32x64xbf16, #tile>, %b: tensor<32x64xbf16, #tile>) -> (tensor<32x256xbf16, #tiles>, tensor<32x256xbf16, #tiles>) {
  %0 = tensor.empty() : tensor<32x256xbf16, #tiles>
  %1 = tensor.empty() : tensor<32x256xbf16, #tiles>
  // CHECK: %[[A:.*]] = "ttmetal.collective"(%arg0, %{{.*}}) <{cluster_axis = 1 : ui32, dim = 1 : si32, kind = #ttmetal.collective_kind<all_gather>}>
  // CHECK: %[[B:.*]] = "ttmetal.collective"(%arg1, %{{.*}}) <{cluster_axis = 1 : ui32, dim = 1 : si32, kind = #ttmetal.collective_kind<all_gather>}>
  // CHECK: return %[[A]], %[[B]]
  %2:2 = "ttir.all_gather"(%a, %b, %0, %1) <{all_gather_dim = 1 : si32, cluster_axis = 1 : ui32, operandSegmentSizes = array<i32: 2, 2>, operand_constraints = [#any_device, #any_device, #any_device, #any_device]}> : (tensor<32x64xbf16, #tile>, tensor<32x64xbf16, #tile>, tensor<32x256xbf16, #tiles>, tensor<32x256xbf16, #tiles>) -> (tensor<32x256xbf16, #tiles>, tensor<32x256xbf16, #tiles>)
  return %2#0, %2#1 : tensor<32x256xbf16, #tiles>, tensor<32x256xbf16, #tiles>
}

// CHECK-LABEL: func.func @permute
func.func @permute(%a: tensor<32x64xbf16, #tile>) -> tensor<32x64xbf16, #tile> {
  %0 = tensor.empty() : tensor<32x64xbf16, #tile>
  // CHECK: "ttmetal.collective"(%arg0, %{{.*}}) <{groups = dense<{{.*}}> : tensor<2x2xi64>, kind = #ttmetal.collective_kind<collective_permute>}>
  %1 = "ttir.collective_permute"(%a, %0) <{operand_constraints = [#any_device, #any_device], source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<32x64xbf16, #tile>, tensor<32x64xbf16, #tile>) -> tensor<32x64xbf16, #tile>
  return %1 : tensor<32x64xbf16, #tile>
}

// CHECK-LABEL: func.func @shard
func.func @shard(%a: tensor<64x256xbf16, #full>) -> tensor<32x64xbf16, #shard> {
  %0 = tensor.empty() : tensor<32x64xbf16, #shard>
  // CHECK: "ttmetal.mesh_shard"(%arg0, %{{.*}}) <{shard_dims = array<i64: 0, 1>, shard_direction = #tt.shard_direction<full_to_shard>, shard_shape = array<i64: 2, 4>, shard_type = #tt.shard_type<devices>}>
  %1 = "ttir.mesh_shard"(%a, %0) <{operand_constraints = [#any_device, #any_device], shard_dims = array<i64: 0, 1>, shard_direction = #tt.shard_direction<full_to_shard>, shard_shape = array<i64: 2, 4>, shard_type = #tt.shard_type<devices>}> : (tensor<64x256xbf16, #full>, tensor<32x64xbf16, #shard>) -> tensor<32x64xbf16, #shard>
  return %1 : tensor<32x64xbf16, #shard>
}
