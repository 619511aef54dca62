// RUN: ttmlir-opt --ttir-layout="init-memory-space=dram pad-to-tiles=true" %s | FileCheck %s
// Every matrix has tiles of its own; what ops read in the padding is stated; a tensor that is
// wanted in one layout several times is converted once.
#tile = #tt.operand_constraint<dram|l1|tile|any_device_tile>
#rows = #tt.operand_constraint<dram|scalar|interleaved>
// CHECK-DAG: #[[ROWS:.*]] = #tt.layout<(d0, d1, d2) -> (d0 * 10 + d1, d2), undef, <1x1>, memref<40x20xf32, #dram>, interleaved>
// CHECK-DAG: #[[TILES:.*]] = #tt.layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), undef, <1x1>, memref<4x1x!tt.tile<32x32, f32>, #dram>, interleaved>
// CHECK-DAG: #[[ZERO:.*]] = #tt.layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), zero, <1x1>, memref<4x1x!tt.tile<32x32, f32>, #dram>, interleaved>
// CHECK-DAG: #[[NEGINF:.*]] = #tt.layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), neginf, <1x1>, memref<4x1x!tt.tile<32x32, f32>, #dram>, interleaved>
// CHECK-DAG: #[[WIDE:.*]] = #tt.layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 64 + d2, d3), undef, <1x1>, memref<12x3x!tt.tile<32x32, f32>, #dram>, interleaved>

// CHECK-LABEL: func.func @inner_dimension(
// CHECK-SAME: tensor<4x10x20xf32, #[[ROWS]]>
func.func @inner_dimension(%a: tensor<4x10x20xf32>, %b: tensor<4x20x7xf32>) -> tensor<4x10x7xf32> {
  // CHECK: %[[A:.*]] = "ttir.to_layout"(%arg0, %{{.*}}) : {{.*}} -> tensor<4x10x20xf32, #[[TILES]]>
  // CHECK: %[[ABS:.*]] = "ttir.abs"(%[[A]], {{.*}} -> tensor<4x10x20xf32, #[[TILES]]>
  %0 = tensor.empty() : tensor<4x10x20xf32>
  %1 = "ttir.abs"(%a, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#tile, #tile]}> : (tensor<4x10x20xf32>, tensor<4x10x20xf32>) -> tensor<4x10x20xf32>
  // Only the padding changes.
  // CHECK: %[[MASKED:.*]] = "ttir.to_layout"(%[[ABS]], %{{.*}}) : (tensor<4x10x20xf32, #[[TILES]]>, tensor<4x10x20xf32, #[[ZERO]]>)
  // CHECK: %[[B:.*]] = "ttir.to_layout"(%arg1, {{.*}} -> tensor<4x20x7xf32, #[[ZERO]]>
  // CHECK: "ttir.matmul"(%[[MASKED]], %[[B]], {{.*}} -> tensor<4x10x7xf32, #[[TILES]]>
  %2 = tensor.empty() : tensor<4x10x7xf32>
  %3 = "ttir.matmul"(%1, %b, %2) <{operand_constraints = [#tile, #tile, #tile]}> : (tensor<4x10x20xf32>, tensor<4x20x7xf32>, tensor<4x10x7xf32>) -> tensor<4x10x7xf32>
  return %3 : tensor<4x10x7xf32>
}

// CHECK-LABEL: func.func @reductions(
func.func @reductions(%a: tensor<4x10x20xf32>) -> (tensor<4x10x1xf32>, tensor<1x10x20xf32>, tensor<4x10x20xf32>) {
  // CHECK: %[[MAX:.*]] = "ttir.to_layout"(%arg0, {{.*}} -> tensor<4x10x20xf32, #[[NEGINF]]>
  // CHECK: "ttir.max"(%[[MAX]],
  %0 = tensor.empty() : tensor<4x10x1xf32>
  %1 = "ttir.max"(%a, %0) <{dim_arg = [2 : i32], keep_dim = true, operand_constraints = [#tile, #tile]}> : (tensor<4x10x20xf32>, tensor<4x10x1xf32>) -> tensor<4x10x1xf32>
  // The leading dimension has no padding, and an op that reads none takes any.
  // CHECK: "ttir.sum"(%[[MAX]],
  %2 = tensor.empty() : tensor<1x10x20xf32>
  %3 = "ttir.sum"(%a, %2) <{dim_arg = [0 : i32], keep_dim = true, operand_constraints = [#tile, #tile]}> : (tensor<4x10x20xf32>, tensor<1x10x20xf32>) -> tensor<1x10x20xf32>
  // CHECK: "ttir.exp"(%[[MAX]],
  %4 = tensor.empty() : tensor<4x10x20xf32>
  %5 = "ttir.exp"(%a, %4) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#tile, #tile]}> : (tensor<4x10x20xf32>, tensor<4x10x20xf32>) -> tensor<4x10x20xf32>
  return %1, %3, %5 : tensor<4x10x1xf32>, tensor<1x10x20xf32>, tensor<4x10x20xf32>
}

// CHECK-LABEL: func.func @rows(
// CHECK: %[[T:.*]] = "ttir.exp"({{.*}} -> tensor<3x2x33x90xf32, #[[WIDE]]>
// CHECK: %[[R:.*]] = "ttir.to_layout"(%[[T]],
// CHECK: "ttir.permute"(%[[R]],
// CHECK-NOT: ttir.to_layout
func.func @rows(%a: tensor<3x2x33x90xf32>) -> (tensor<2x3x33x90xf32>, tensor<3x2x33x90xf32>) {
  %0 = tensor.empty() : tensor<3x2x33x90xf32>
  %1 = "ttir.exp"(%a, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#tile, #tile]}> : (tensor<3x2x33x90xf32>, tensor<3x2x33x90xf32>) -> tensor<3x2x33x90xf32>
  %2 = tensor.empty() : tensor<2x3x33x90xf32>
  %3 = "ttir.permute"(%1, %2) <{operand_constraints = [#rows, #rows], permutation = array<i64: 1, 0, 2, 3>}> : (tensor<3x2x33x90xf32>, tensor<2x3x33x90xf32>) -> tensor<2x3x33x90xf32>
  return %3, %1 : tensor<2x3x33x90xf32>, tensor<3x2x33x90xf32>
}
// What the program states to be in tiles gets the padding too.
// CHECK-LABEL: func.func @stated(
// CHECK-SAME: tensor<4x10x20xf32, #[[TILES]]>) -> tensor<4x10x20xf32, #[[TILES]]>
// CHECK-NEXT: tensor.empty
// CHECK-NEXT: "ttir.abs"(%arg0,
#dram = #tt.memory_space<dram>
#packed = #tt.layout<(d0, d1, d2) -> (d0 * 10 + d1, d2), undef, <1x1>, memref<2x1x!tt.tile<32x32, f32>, #dram>, interleaved>
func.func @stated(%a: tensor<4x10x20xf32, #packed>) -> tensor<4x10x20xf32, #packed> {
  %0 = tensor.empty() : tensor<4x10x20xf32, #packed>
  %1 = "ttir.abs"(%a, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#tile, #tile]}> : (tensor<4x10x20xf32, #packed>, tensor<4x10x20xf32, #packed>) -> tensor<4x10x20xf32, #packed>
  return %1 : tensor<4x10x20xf32, #packed>
}
