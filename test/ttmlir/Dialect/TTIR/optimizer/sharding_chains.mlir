// RUN: ttmlir-opt --ttir-load-system-desc --ttir-layout --ttir-optimizer="sharding-pass-enabled=true clock-search-limit=0" %s | FileCheck %s
// RUN: ttmlir-opt --ttir-load-system-desc --ttir-layout --ttir-optimizer="sharding-pass-enabled=true clock-search-limit=0" --remarks=ttir-optimizer %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// What belongs to a chain: results with one reader that can come next and fit L1, but never the last op.
// REMARK-DAG: remark: [Passed] Sharded | Category:ttir-optimizer | Function=chain | Bytes=4096, Op=ttir.relu, Reason="the result stays in l1, in 2x4:l1:block_sharded:row_major: op 1 of 2 of a chain
// REMARK-DAG: remark: [Missed] NotSharded | Category:ttir-optimizer | Function=fork | Op=ttir.relu, Reason="begins no chain in l1: several ops read its result, or none
// REMARK-DAG: remark: [Missed] NotSharded | Category:ttir-optimizer | Function=too_big | Op=ttir.relu, Reason="begins no chain in l1: its result and its reader's do not fit l1 together
// REMARK-DAG: remark: [Missed] NotSharded | Category:ttir-optimizer | Function=join | Op=ttir.exp, Reason="ends a chain of ops in l1, and lies in dram: its reader waits for other ops
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
#dram_only = #tt.operand_constraint<dram|scalar|tile|any_layout>
// CHECK-DAG: #[[DRAM:.*]] = #tt.layout<(d0, d1) -> (d0, d1), undef, <8x8>, memref<8x16xf32, #dram>, interleaved>
// CHECK-DAG: #[[L1:.*]] = #tt.layout<(d0, d1) -> (d0, d1), undef, <2x4>, memref<32x32xf32, #l1_>, block_sharded>
// CHECK-DAG: #[[BIG_DRAM:.*]] = #tt.layout<(d0, d1) -> (d0, d1), undef, <8x8>, memref<512x384xf32, #dram>, interleaved>
// CHECK-DAG: #[[TALL:.*]] = #tt.layout<(d0, d1) -> (d0, d1), undef, <64x1>, memref<32x32xf32, #l1_>, height_sharded>
// CHECK-DAG: #[[WIDE:.*]] = #tt.layout<(d0) -> (0, d0), undef, <1x20>, memref<1x32xf32, #l1_>, width_sharded>
// CHECK-DAG: #[[UNEVEN:.*]] = #tt.layout<(d0, d1, d2) -> (d0 * 40 + d1, d2), undef, <4x4>, memref<30x25xf32, #l1_>, block_sharded>
// CHECK-DAG: #[[IMAGE:.*]] = #tt.layout<(d0, d1, d2, d3) -> (d0 * 196 + d1 * 14 + d2, d3), undef, <7x2>, memref<28x32xf32, #l1_>, block_sharded>

// CHECK-LABEL: func.func @chain
// CHECK: "ttir.relu"{{.*}} -> tensor<64x128xf32, #[[L1]]>
// CHECK: "ttir.exp"{{.*}} -> tensor<64x128xf32, #[[L1]]>
// CHECK: "ttir.sqrt"{{.*}} -> tensor<64x128xf32, #[[DRAM]]>
func.func @chain(%a: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %0 = tensor.empty() : tensor<64x128xf32>
  %1 = "ttir.relu"(%a, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  %2 = "ttir.exp"(%1, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  %3 = "ttir.sqrt"(%2, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %3 : tensor<64x128xf32>
}
// Two readers: neither side of the fork is a chain with it.
// CHECK-LABEL: func.func @fork
// CHECK: "ttir.relu"{{.*}} -> tensor<64x128xf32, #[[DRAM]]>
// CHECK: "ttir.exp"{{.*}} -> tensor<64x128xf32, #[[L1]]>
// CHECK: "ttir.add"{{.*}} -> tensor<64x128xf32, #[[DRAM]]>
func.func @fork(%a: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %0 = tensor.empty() : tensor<64x128xf32>
  %1 = "ttir.relu"(%a, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  %2 = "ttir.exp"(%1, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  %3 = "ttir.add"(%1, %2, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %3 : tensor<64x128xf32>
}
// Depth first: the first branch is finished up to the join, which waits for the second. The
// layout changes of all inputs come first.
// CHECK-LABEL: func.func @join
// CHECK-COUNT-2: "ttir.to_layout"
// CHECK: %[[A1:.*]] = "ttir.relu"{{.*}} -> tensor<64x128xf32, #[[L1]]>
// CHECK: %[[A2:.*]] = "ttir.exp"(%[[A1]]{{.*}} -> tensor<64x128xf32, #[[DRAM]]>
// CHECK: %[[B1:.*]] = "ttir.abs"{{.*}} -> tensor<64x128xf32, #[[L1]]>
// CHECK: %[[B2:.*]] = "ttir.neg"(%[[B1]]{{.*}} -> tensor<64x128xf32, #[[L1]]>
// CHECK: "ttir.add"(%[[A2]], %[[B2]]{{.*}} -> tensor<64x128xf32, #[[DRAM]]>
func.func @join(%a: tensor<64x128xf32>, %b: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %0 = tensor.empty() : tensor<64x128xf32>
  %1 = "ttir.relu"(%a, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  %2 = "ttir.abs"(%b, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  %3 = "ttir.exp"(%1, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  %4 = "ttir.neg"(%2, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  %5 = "ttir.add"(%3, %4, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %5 : tensor<64x128xf32>
}
// Two results of 768 KiB a core are more than 0.8 of the 1498112 bytes that L1 has for tensors.
// CHECK-LABEL: func.func @too_big
// CHECK-COUNT-2: -> tensor<4096x3072xf32, #[[BIG_DRAM]]>
func.func @too_big(%a: tensor<4096x3072xf32>) -> tensor<4096x3072xf32> {
  %0 = tensor.empty() : tensor<4096x3072xf32>
  %1 = "ttir.relu"(%a, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<4096x3072xf32>, tensor<4096x3072xf32>) -> tensor<4096x3072xf32>
  %2 = "ttir.exp"(%1, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<4096x3072xf32>, tensor<4096x3072xf32>) -> tensor<4096x3072xf32>
  return %2 : tensor<4096x3072xf32>
}
// The result of the second op may be in DRAM only.
// CHECK-LABEL: func.func @constraint
// CHECK-COUNT-2: -> tensor<64x128xf32, #[[DRAM]]>
// CHECK-NOT: #[[L1]]>
// CHECK: return
func.func @constraint(%a: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %0 = tensor.empty() : tensor<64x128xf32>
  %1 = "ttir.relu"(%a, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  %2 = "ttir.exp"(%1, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #dram_only]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %2 : tensor<64x128xf32>
}
// Most cores win: a column of 64, a row of 20; and shards need not be whole tiles. What counts is the
// matrix that the dimensions are collapsed to: 120 rows, and 196 of an image.
// CHECK-LABEL: func.func @grids
// CHECK: "ttir.relu"{{.*}} -> tensor<2048x32xf32, #[[TALL]]>
// CHECK: "ttir.relu"{{.*}} -> tensor<640xf32, #[[WIDE]]>
// CHECK: "ttir.relu"{{.*}} -> tensor<3x40x100xf32, #[[UNEVEN]]>
// CHECK: "ttir.relu"{{.*}} -> tensor<1x14x14x64xf32, #[[IMAGE]]>
func.func @grids(%a: tensor<2048x32xf32>, %b: tensor<640xf32>, %c: tensor<3x40x100xf32>, %d: tensor<1x14x14x64xf32>) -> (tensor<2048x32xf32>, tensor<640xf32>, tensor<3x40x100xf32>, tensor<1x14x14x64xf32>) {
  %0 = tensor.empty() : tensor<2048x32xf32>
  %1 = "ttir.relu"(%a, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<2048x32xf32>, tensor<2048x32xf32>) -> tensor<2048x32xf32>
  %2 = "ttir.exp"(%1, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<2048x32xf32>, tensor<2048x32xf32>) -> tensor<2048x32xf32>
  %3 = tensor.empty() : tensor<640xf32>
  %4 = "ttir.relu"(%b, %3) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<640xf32>, tensor<640xf32>) -> tensor<640xf32>
  %5 = "ttir.exp"(%4, %3) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<640xf32>, tensor<640xf32>) -> tensor<640xf32>
  %6 = tensor.empty() : tensor<3x40x100xf32>
  %7 = "ttir.relu"(%c, %6) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<3x40x100xf32>, tensor<3x40x100xf32>) -> tensor<3x40x100xf32>
  %8 = "ttir.exp"(%7, %6) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<3x40x100xf32>, tensor<3x40x100xf32>) -> tensor<3x40x100xf32>
  %9 = tensor.empty() : tensor<1x14x14x64xf32>
  %10 = "ttir.relu"(%d, %9) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<1x14x14x64xf32>, tensor<1x14x14x64xf32>) -> tensor<1x14x14x64xf32>
  %11 = "ttir.exp"(%10, %9) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<1x14x14x64xf32>, tensor<1x14x14x64xf32>) -> tensor<1x14x14x64xf32>
  return %2, %5, %8, %11 : tensor<2048x32xf32>, tensor<640xf32>, tensor<3x40x100xf32>, tensor<1x14x14x64xf32>
}
