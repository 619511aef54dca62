// RUN: ttmlir-opt --ttir-split-compound-layout %s | FileCheck %s
// A layout change of several kinds becomes steps of one kind each.
#l1 = #tt.memory_space<l1>
#dram = #tt.memory_space<dram>
#system = #tt.memory_space<system>
#host = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #system>>
#on_l1 = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #l1>>
#tiles = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<2x4x!tt.tile<32x32, f32>, #l1>>
#tiles_dram = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<2x4x!tt.tile<32x32, f32>, #dram>, interleaved>
#shards = #tt.layout<(d0, d1) -> (d0, d1), undef, <2x4>, memref<32x32xf32, #l1>>
// CHECK-DAG: #[[HOST:.*]] = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #system>>
// CHECK-DAG: #[[L1:.*]] = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #l1_>>
// CHECK-DAG: #[[TILES:.*]] = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<2x4x!tt.tile<32x32, f32>, #l1_>>
// CHECK-DAG: #[[TILES_INTERLEAVED:.*]] = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<2x4x!tt.tile<32x32, f32>, #l1_>, interleaved>
// CHECK-DAG: #[[TILES_DRAM:.*]] = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<2x4x!tt.tile<32x32, f32>, #dram>, interleaved>
// CHECK-DAG: #[[SHARDS:.*]] = #tt.layout<(d0, d1) -> (d0, d1), undef, <2x4>, memref<32x32xf32, #l1_>>
// CHECK-DAG: #[[TILED_SHARDS:.*]] = #tt.layout<(d0, d1) -> (d0, d1), undef, <2x4>, memref<1x1x!tt.tile<32x32, f32>, #l1_>>

// CHECK-LABEL: func.func @one_kind
// CHECK-COUNT-1: "ttir.to_layout"
// CHECK-NOT: "ttir.to_layout"
// CHECK: return
func.func @one_kind(%a: tensor<64x128xf32, #on_l1>) -> tensor<64x128xf32, #tiles> {
  %0 = tensor.empty() : tensor<64x128xf32, #tiles>
  %1 = "ttir.to_layout"(%a, %0) : (tensor<64x128xf32, #on_l1>, tensor<64x128xf32, #tiles>) -> tensor<64x128xf32, #tiles>
  return %1 : tensor<64x128xf32, #tiles>
}
// CHECK-LABEL: func.func @host_to_dram
// CHECK: "ttir.to_layout"{{.*}} -> tensor<64x128xf32, #[[L1]]>
// CHECK: "ttir.to_layout"{{.*}} -> tensor<64x128xf32, #[[TILES]]>
// CHECK: "ttir.to_layout"{{.*}} -> tensor<64x128xf32, #[[TILES_INTERLEAVED]]>
// CHECK: "ttir.to_layout"{{.*}} -> tensor<64x128xf32, #[[TILES_DRAM]]>
// CHECK-NOT: "ttir.to_layout"
// CHECK: return
func.func @host_to_dram(%a: tensor<64x128xf32, #host>) -> tensor<64x128xf32, #tiles_dram> {
  %0 = tensor.empty() : tensor<64x128xf32, #tiles_dram>
  %1 = "ttir.to_layout"(%a, %0) : (tensor<64x128xf32, #host>, tensor<64x128xf32, #tiles_dram>) -> tensor<64x128xf32, #tiles_dram>
  return %1 : tensor<64x128xf32, #tiles_dram>
}
// Tiles are moved, then made scalars.
// CHECK-LABEL: func.func @tiles_to_shards
// CHECK: "ttir.to_layout"{{.*}} -> tensor<64x128xf32, #[[TILED_SHARDS]]>
// CHECK: "ttir.to_layout"{{.*}} -> tensor<64x128xf32, #[[SHARDS]]>
// CHECK-NOT: "ttir.to_layout"
// CHECK: return
func.func @tiles_to_shards(%a: tensor<64x128xf32, #tiles>) -> tensor<64x128xf32, #shards> {
  %0 = tensor.empty() : tensor<64x128xf32, #shards>
  %1 = "ttir.to_layout"(%a, %0) : (tensor<64x128xf32, #tiles>, tensor<64x128xf32, #shards>) -> tensor<64x128xf32, #shards>
  return %1 : tensor<64x128xf32, #shards>
}
