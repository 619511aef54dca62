// RUN: ttmlir-opt --ttir-split-compound-layout %s | FileCheck %s
// RUN: ttmlir-opt --ttir-split-compound-layout --remarks %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// A layout change of several kinds becomes steps of one kind each.
// REMARK-DAG: remark: [Passed] Split | Category:ttir-split-compound-layout | Function=host_to_dram | Op=ttir.to_layout, Reason="4 steps: 1x1:system:none:row_major to 1x1:l1:none:row_major to 1x1:l1:none:tile to 1x1:l1:interleaved:tile to 1x1:dram:interleaved:tile", Rejected="one step
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
// CHECK-DAG: #[[ONE_BLOCK:.*]] = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #l1_>, block_sharded>
// CHECK-DAG: #[[BLOCKS:.*]] = #tt.layout<(d0, d1) -> (d0, d1), undef, <2x4>, memref<32x32xf32, #l1_>, block_sharded>
// CHECK-DAG: #[[SCALARS:.*]] = #tt.layout<(d0, d1, d2) -> (d0 * 64 + d1, d2), undef, <1x1>, memref<128x128xf32, #l1_>>
// CHECK-DAG: #[[OTHER_MAP:.*]] = #tt.layout<(d0, d1, d2) -> (d1 * 2 + d0, d2), undef, <1x1>, memref<128x128xf32, #l1_>>
// CHECK-DAG: #[[OTHER_GRID:.*]] = #tt.layout<(d0, d1, d2) -> (d1 * 2 + d0, d2), undef, <2x2>, memref<64x64xf32, #l1_>>
// CHECK-DAG: #[[RESULT:.*]] = #tt.layout<(d0, d1, d2) -> (d1 * 2 + d0, d2), undef, <2x2>, memref<2x2x!tt.tile<32x32, f32>, #l1_>>

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

// The memory layout changes on the old grid.
// CHECK-LABEL: func.func @grid_and_memory_layout
// CHECK: "ttir.to_layout"{{.*}} -> tensor<64x128xf32, #[[ONE_BLOCK]]>
// CHECK: "ttir.to_layout"{{.*}} -> tensor<64x128xf32, #[[BLOCKS]]>
// CHECK-NOT: "ttir.to_layout"
// CHECK: return
#blocks = #tt.layout<(d0, d1) -> (d0, d1), undef, <2x4>, memref<32x32xf32, #l1>, block_sharded>
func.func @grid_and_memory_layout(%a: tensor<64x128xf32, #on_l1>) -> tensor<64x128xf32, #blocks> {
  %0 = tensor.empty() : tensor<64x128xf32, #blocks>
  %1 = "ttir.to_layout"(%a, %0) : (tensor<64x128xf32, #on_l1>, tensor<64x128xf32, #blocks>) -> tensor<64x128xf32, #blocks>
  return %1 : tensor<64x128xf32, #blocks>
}
// Where dimensions lie in the matrix of the grid changes for scalars, on the old grid; the author's
// map stays.
// CHECK-LABEL: func.func @map_of_tiles
// CHECK: "ttir.to_layout"{{.*}} -> tensor<2x64x128xf32, #[[SCALARS]]>
// CHECK: "ttir.to_layout"{{.*}} -> tensor<2x64x128xf32, #[[OTHER_MAP]]>
// CHECK: "ttir.to_layout"{{.*}} -> tensor<2x64x128xf32, #[[OTHER_GRID]]>
// CHECK: "ttir.to_layout"{{.*}} -> tensor<2x64x128xf32, #[[RESULT]]>
// CHECK-NOT: "ttir.to_layout"
// CHECK: return
#planes = #tt.layout<(d0, d1, d2) -> (d0 * 64 + d1, d2), undef, <1x1>, memref<4x4x!tt.tile<32x32, f32>, #l1>>
#rows = #tt.layout<(d0, d1, d2) -> (d1 * 2 + d0, d2), undef, <2x2>, memref<2x2x!tt.tile<32x32, f32>, #l1>>
func.func @map_of_tiles(%a: tensor<2x64x128xf32, #planes>) -> tensor<2x64x128xf32, #rows> {
  %0 = tensor.empty() : tensor<2x64x128xf32, #rows>
  %1 = "ttir.to_layout"(%a, %0) : (tensor<2x64x128xf32, #planes>, tensor<2x64x128xf32, #rows>) -> tensor<2x64x128xf32, #rows>
  return %1 : tensor<2x64x128xf32, #rows>
}
