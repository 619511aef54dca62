// RUN: ttmlir-opt --ttir-load-system-desc --ttir-generic="fuse=true" --ttir-layout="init-memory-space=dram default-device-memory-layout=interleaved pad-to-tiles=true" --ttir-fuse-layouts --split-input-file %s | FileCheck %s
// RUN: ttmlir-opt --ttir-load-system-desc --ttir-generic="fuse=true" --ttir-layout="init-memory-space=dram default-device-memory-layout=interleaved pad-to-tiles=true" --ttir-fuse-layouts --remarks --split-input-file %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: ttmlir-opt --ttir-load-system-desc --ttir-generic="fuse=true" --ttir-layout="init-memory-space=dram default-device-memory-layout=interleaved pad-to-tiles=true" --ttir-fuse-layouts --ttir-generic-region-operands-to-memref --split-input-file %s | FileCheck %s --check-prefix=REGION

// Both operands and the result are in rows; what is broadcast is in tiles.
// REMARK: remark: [Passed] InKernel | Category:ttir-fuse-layouts | Function=all | Op=ttir.generic, Reason="the kernel tilizes operand 0 itself"
// REMARK: remark: [Passed] InKernel | Category:ttir-fuse-layouts | Function=all | Op=ttir.generic, Reason="the kernel tilizes operand 1 itself"
// REMARK: remark: [Passed] InKernel | Category:ttir-fuse-layouts | Function=all | Op=ttir.generic, Reason="the kernel untilizes operand 3 itself"
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
// CHECK-DAG: #[[ROWS:.*]] = #tt.layout<(d0, d1, d2) -> (d0 * 40 + d1, d2), undef, <1x1>, memref<80x70xf32, #dram>, interleaved>
// CHECK-DAG: #[[TILES:.*]] = #tt.layout<(d0) -> (0, d0), undef, <1x1>, memref<1x3x!tt.tile<32x32, f32>, #dram>, interleaved>
// CHECK-LABEL: func.func @all(
// CHECK-SAME: %[[A:.*]]: tensor<2x40x70xf32, #[[ROWS]]>, %[[B:.*]]: tensor<2x40x70xf32, #[[ROWS]]>, %[[C:.*]]: tensor<70xf32
// CHECK-NEXT: tensor.empty() : tensor<70xf32, #[[TILES]]>
// CHECK-NEXT: %[[BIAS:.*]] = "ttir.to_layout"(%[[C]]
// CHECK-NEXT: %[[TO:.*]] = tensor.empty() : tensor<2x40x70xf32, #[[ROWS]]>
// CHECK-NEXT: %[[R:.*]] = "ttir.generic"(%[[A]], %[[B]], %[[BIAS]], %[[TO]]) {{.*}}operand_constraints = [#any_device_tile, #any_device_tile, #any_device_tile, #any_device_tile]
// CHECK: return %[[R]] : tensor<2x40x70xf32, #[[ROWS]]>
// The region sees tiles all the same.
// REGION-LABEL: func.func @all(
// REGION: ^bb0(%{{.*}}: tensor<32x32xf32, #tt.buffer<memref<1x1x!tt.tile<32x32, f32>, #l1_>, stream>>, %{{.*}}: tensor<32x32xf32, #tt.buffer<memref<1x1x!tt.tile<32x32, f32>, #l1_>, stream>>,
func.func @all(%x: tensor<2x40x70xf32>, %y: tensor<2x40x70xf32>, %b: tensor<70xf32>) -> tensor<2x40x70xf32> {
  %0 = tensor.empty() : tensor<2x40x70xf32>
  %1 = "ttir.add"(%x, %y, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<2x40x70xf32>, tensor<2x40x70xf32>, tensor<2x40x70xf32>) -> tensor<2x40x70xf32>
  %2 = tensor.empty() : tensor<2x40x70xf32>
  %3 = "ttir.multiply"(%1, %b, %2) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<2x40x70xf32>, tensor<70xf32>, tensor<2x40x70xf32>) -> tensor<2x40x70xf32>
  return %3 : tensor<2x40x70xf32>
}

// -----

// Tiles that two ops read are made once.
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
#tile = #tt.operand_constraint<dram|l1|tile|any_layout|any_device_tile>
// CHECK-LABEL: func.func @shared(
// CHECK: %[[TILES:.*]] = "ttir.to_layout"(%arg0
// CHECK: "ttir.matmul"(%[[TILES]],
// CHECK: "ttir.generic"(%[[TILES]],
func.func @shared(%x: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %0 = tensor.empty() : tensor<64x64xf32>
  %1 = "ttir.matmul"(%x, %x, %0) <{operand_constraints = [#tile, #tile, #tile]}> : (tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %2 = tensor.empty() : tensor<64x64xf32>
  %3 = "ttir.exp"(%x, %2) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %1, %3 : tensor<64x64xf32>, tensor<64x64xf32>
}

// -----

// A vector is one row: it has no tiles of its rows.
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
// CHECK-LABEL: func.func @vector(
// CHECK: "ttir.to_layout"
// CHECK: "ttir.generic"
// CHECK: "ttir.to_layout"
func.func @vector(%x: tensor<64xf32>) -> tensor<64xf32> {
  %0 = tensor.empty() : tensor<64xf32>
  %1 = "ttir.exp"(%x, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  return %1 : tensor<64xf32>
}

// -----

// The matmul takes tiles: only the operand comes in rows.
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
#tile = #tt.operand_constraint<dram|l1|tile|any_layout|any_device_tile>
// CHECK-LABEL: func.func @front(
// CHECK: %[[E:.*]] = "ttir.generic"(%arg0,
// CHECK: }) : (tensor<64x64xf32, #[[R:layout[0-9]*]]>, tensor<64x64xf32, #[[T:layout[0-9]*]]>) -> tensor<64x64xf32, #[[T]]>
// CHECK: "ttir.matmul"(%[[E]], %[[E]],
func.func @front(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = tensor.empty() : tensor<64x64xf32>
  %1 = "ttir.exp"(%x, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %2 = tensor.empty() : tensor<64x64xf32>
  %3 = "ttir.matmul"(%1, %1, %2) <{operand_constraints = [#tile, #tile, #tile]}> : (tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %3 : tensor<64x64xf32>
}
