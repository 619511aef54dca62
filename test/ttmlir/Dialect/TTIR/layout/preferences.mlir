// RUN: ttmlir-opt --ttir-layout %s | FileCheck %s
// RUN: ttmlir-opt --ttir-layout="init-memory-space=dram" %s | FileCheck %s --check-prefix=DEVICE
// Where the default is not allowed: DRAM, L1, then the host; interleaved, single_bank, height-,
// width-, then block-sharded; tiles unless scalars are allowed.
#dram_tile = #tt.operand_constraint<dram|tile|interleaved>
#l1_blocks = #tt.operand_constraint<l1|tile|block_sharded>
#l1_height = #tt.operand_constraint<l1|scalar|tile|height_sharded|width_sharded|block_sharded>
#l1_single = #tt.operand_constraint<l1|scalar|single_bank|height_sharded>
#host = #tt.operand_constraint<system|scalar|interleaved>
// CHECK-DAG: #[[HOST:.*]] = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #system>>
// CHECK-DAG: #[[TILES:.*]] = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<2x4x!tt.tile<32x32, f32>, #dram>, interleaved>
// CHECK-DAG: #[[BLOCKS:.*]] = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<2x4x!tt.tile<32x32, f32>, #l1_>, block_sharded>
// CHECK-DAG: #[[HEIGHT:.*]] = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #l1_>, height_sharded>
// CHECK-DAG: #[[SINGLE:.*]] = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #l1_>, single_bank>
// DEVICE: #[[START:.*]] = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #dram>, interleaved>
// CHECK-LABEL: func.func @forward
// DEVICE-LABEL: func.func @forward
// DEVICE: return %{{.*}} : tensor<64x128xf32, #[[START]]>
func.func @forward(%a: tensor<64x128xf32>) -> tensor<64x128xf32> {
  // CHECK: "ttir.abs"{{.*}} : (tensor<64x128xf32, #[[TILES]]>, tensor<64x128xf32, #[[BLOCKS]]>)
  %0 = tensor.empty() : tensor<64x128xf32>
  %1 = "ttir.abs"(%a, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#dram_tile, #l1_blocks]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  // CHECK: "ttir.exp"{{.*}} : (tensor<64x128xf32, #[[HEIGHT]]>, tensor<64x128xf32, #[[SINGLE]]>)
  %2 = tensor.empty() : tensor<64x128xf32>
  %3 = "ttir.exp"(%1, %2) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#l1_height, #l1_single]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  // CHECK: "ttir.neg"{{.*}} : (tensor<64x128xf32, #[[HOST]]>, tensor<64x128xf32, #[[HOST]]>)
  %4 = tensor.empty() : tensor<64x128xf32>
  %5 = "ttir.neg"(%3, %4) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#host, #host]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %5 : tensor<64x128xf32>
}
// A constraint that names no memory space allows all of them; so with memory layouts.
#any_layout = #tt.operand_constraint<any_layout>
#any_dram = #tt.operand_constraint<dram|tile>
// CHECK-LABEL: func.func @unnamed
func.func @unnamed(%a: tensor<64x128xf32>) -> tensor<64x128xf32> {
  // CHECK: "ttir.abs"{{.*}} : (tensor<64x128xf32, #[[TILES]]>, tensor<64x128xf32, #[[TILES]]>)
  %0 = tensor.empty() : tensor<64x128xf32>
  %1 = "ttir.abs"(%a, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any_layout, #any_dram]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %1 : tensor<64x128xf32>
}
// A constant is made anew in front of each op that wants it elsewhere.
// CHECK-LABEL: func.func @constants
// CHECK-NEXT: %[[C0:.*]] = "ttir.constant"{{.*}} -> tensor<64x128xf32, #[[TILES]]>
// CHECK-NEXT: %[[E0:.*]] = tensor.empty
// CHECK-NEXT: %[[A:.*]] = "ttir.abs"(%[[C0]], %[[E0]])
// CHECK-NEXT: %[[C1:.*]] = "ttir.constant"{{.*}} -> tensor<64x128xf32, #[[HEIGHT]]>
// CHECK-NEXT: %[[E1:.*]] = tensor.empty
// CHECK-NEXT: "ttir.exp"(%[[C1]], %[[E1]])
func.func @constants() -> (tensor<64x128xf32>, tensor<64x128xf32>) {
  %c = "ttir.constant"() <{value = dense<1.0> : tensor<64x128xf32>}> : () -> tensor<64x128xf32>
  %0 = tensor.empty() : tensor<64x128xf32>
  %1 = "ttir.abs"(%c, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#dram_tile, #dram_tile]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  %2 = "ttir.exp"(%c, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#l1_height, #dram_tile]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %1, %2 : tensor<64x128xf32>, tensor<64x128xf32>
}
