// RUN: ttmlir-opt --ttir-layout="init-memory-space=dram pad-to-tiles=true" %s | FileCheck %s
// A layout change of the program between DRAM and L1 that changes the form too: the form changes in
// DRAM.
#dram = #tt.memory_space<dram>
#l1_ = #tt.memory_space<l1>
#tiles = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<2x4x!tt.tile<32x32, f32>, #dram>, interleaved>
#shards = #tt.layout<(d0, d1) -> (d0, d1), undef, <2x4>, memref<32x32xf32, #l1_>, block_sharded>
// CHECK-DAG: #[[TILES:.*]] = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<2x4x!tt.tile<32x32, f32>, #dram>, interleaved>
// CHECK-DAG: #[[ROWS:.*]] = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #dram>, interleaved>
// CHECK-DAG: #[[SHARDS:.*]] = #tt.layout<(d0, d1) -> (d0, d1), undef, <2x4>, memref<32x32xf32, #l1_>, block_sharded>
// CHECK-LABEL: func.func @there(
// CHECK: %[[R:.*]] = "ttir.to_layout"(%arg0, {{.*}} -> tensor<64x128xf32, #[[ROWS]]>
// CHECK: "ttir.to_layout"(%[[R]], {{.*}} -> tensor<64x128xf32, #[[SHARDS]]>
func.func @there(%a: tensor<64x128xf32, #tiles>) -> tensor<64x128xf32, #shards> {
  %0 = tensor.empty() : tensor<64x128xf32, #shards>
  %1 = "ttir.to_layout"(%a, %0) : (tensor<64x128xf32, #tiles>, tensor<64x128xf32, #shards>) -> tensor<64x128xf32, #shards>
  return %1 : tensor<64x128xf32, #shards>
}
// CHECK-LABEL: func.func @back(
// CHECK: %[[R:.*]] = "ttir.to_layout"(%arg0, {{.*}} -> tensor<64x128xf32, #[[ROWS]]>
// CHECK: "ttir.to_layout"(%[[R]], {{.*}} -> tensor<64x128xf32, #[[TILES]]>
func.func @back(%a: tensor<64x128xf32, #shards>) -> tensor<64x128xf32, #tiles> {
  %0 = tensor.empty() : tensor<64x128xf32, #tiles>
  %1 = "ttir.to_layout"(%a, %0) : (tensor<64x128xf32, #shards>, tensor<64x128xf32, #tiles>) -> tensor<64x128xf32, #tiles>
  return %1 : tensor<64x128xf32, #tiles>
}
