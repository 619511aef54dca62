// RUN: ttmlir-opt --ttir-generic --ttir-layout="init-memory-space=dram pad-to-tiles=true" --ttir-generic-region-operands-to-memref %s | FileCheck %s
// The exponent of a block covers the padding in it: what is written into partly filled blocks is
// written in plain numbers, cleared around, then brought into blocks. Infinities never go into blocks.
#dram = #tt.memory_space<dram>
#odd = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<1x2x!tt.tile<32x32, bfp_bf8>, #dram>, interleaved>
#tile = #tt.operand_constraint<dram|l1|tile|any_device_tile>
// CHECK-DAG: #[[BLOCKS:.*]] = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<1x2x!tt.tile<32x32, bfp_bf8>, #dram>, interleaved>
// CHECK-DAG: #[[PLAIN:.*]] = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<1x2x!tt.tile<32x32, bf16>, #dram>, interleaved>
// CHECK-DAG: #[[ZERO:.*]] = #tt.layout<(d0, d1) -> (d0, d1), zero, <1x1>, memref<1x2x!tt.tile<32x32, bf16>, #dram>, interleaved>
// CHECK-DAG: #[[NEGINF:.*]] = #tt.layout<(d0, d1) -> (d0, d1), neginf, <1x1>, memref<1x2x!tt.tile<32x32, bf16>, #dram>, interleaved>

// CHECK-LABEL: func.func @written(
// CHECK: %[[SUM:.*]] = "ttir.generic"(%arg0, %arg0,
// 'arith' has no sum of blocks in plain numbers.
// CHECK: "ttir.add"
// CHECK: -> tensor<8x40xbf16, #[[PLAIN]]>
// CHECK: %[[CLEAR:.*]] = "ttir.to_layout"(%[[SUM]], {{.*}} -> tensor<8x40xbf16, #[[ZERO]]>
// CHECK: %[[OUT:.*]] = "ttir.to_layout"(%[[CLEAR]], {{.*}} -> tensor<8x40xbf16, #[[BLOCKS]]>
// CHECK: return %[[OUT]]
func.func @written(%a: tensor<8x40xbf16, #odd>) -> tensor<8x40xbf16, #odd> {
  %0 = tensor.empty() : tensor<8x40xbf16, #odd>
  %1 = "ttir.add"(%a, %a, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#tile, #tile, #tile]}> : (tensor<8x40xbf16, #odd>, tensor<8x40xbf16, #odd>, tensor<8x40xbf16, #odd>) -> tensor<8x40xbf16, #odd>
  return %1 : tensor<8x40xbf16, #odd>
}
// CHECK-LABEL: func.func @read(
// CHECK: %[[A:.*]] = "ttir.to_layout"(%arg0, {{.*}} -> tensor<8x40xbf16, #[[PLAIN]]>
// CHECK: %[[M:.*]] = "ttir.to_layout"(%[[A]], {{.*}} -> tensor<8x40xbf16, #[[NEGINF]]>
// CHECK: "ttir.max"(%[[M]],
func.func @read(%a: tensor<8x40xbf16, #odd>) -> tensor<8x1xbf16> {
  %0 = tensor.empty() : tensor<8x1xbf16>
  %1 = "ttir.max"(%a, %0) <{dim_arg = [1 : i32], keep_dim = true, operand_constraints = [#tile, #tile]}> : (tensor<8x40xbf16, #odd>, tensor<8x1xbf16>) -> tensor<8x1xbf16>
  return %1 : tensor<8x1xbf16>
}
