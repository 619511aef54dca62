// RUN: ttmlir-opt --ttir-load-system-desc --ttir-layout="pad-to-tiles=true" --ttir-in-place --split-input-file %s | FileCheck %s
// RUN: ttmlir-opt --ttir-load-system-desc --ttir-layout="pad-to-tiles=true" --ttir-in-place --remarks --split-input-file %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

#any = #tt.operand_constraint<any_device_tile>

// A donated argument is changed in place, and so is what was made of it.
// CHECK-LABEL: func.func @chain(
// CHECK-SAME: %[[CACHE:.*]]: tensor<1x2x64x32xf32, #{{.*}}> {tt.aliased_output = 0 : i64}
// CHECK: %[[FIRST:.*]] = "ttir.update_slice"(%[[CACHE]], %{{.*}}, %{{.*}}, %[[CACHE]])
// CHECK: %[[SECOND:.*]] = "ttir.update_slice"(%[[FIRST]], %{{.*}}, %{{.*}}, %[[FIRST]])
// CHECK: return %[[SECOND]]
// REMARK: remark: [Passed] InPlace | Category:ttir-in-place | Function=chain
func.func @chain(%cache: tensor<1x2x64x32xf32> {tt.aliased_output = 0 : i64}, %rows: tensor<1x2x1x32xf32>, %i: tensor<1xi32>) -> tensor<1x2x64x32xf32> {
  %0 = tensor.empty() : tensor<1x2x64x32xf32>
  %1 = "ttir.update_slice"(%cache, %rows, %i, %0) <{clamp = true, dims = array<i64: 2>, operand_constraints = [#any, #any, #any, #any], starts = array<i64: 0, 0, 0, 0>}> : (tensor<1x2x64x32xf32>, tensor<1x2x1x32xf32>, tensor<1xi32>, tensor<1x2x64x32xf32>) -> tensor<1x2x64x32xf32>
  %2 = tensor.empty() : tensor<1x2x64x32xf32>
  %3 = "ttir.update_slice"(%1, %rows, %i, %2) <{clamp = true, dims = array<i64: 2>, operand_constraints = [#any, #any, #any, #any], starts = array<i64: 0, 0, 1, 0>}> : (tensor<1x2x64x32xf32>, tensor<1x2x1x32xf32>, tensor<1xi32>, tensor<1x2x64x32xf32>) -> tensor<1x2x64x32xf32>
  return %3 : tensor<1x2x64x32xf32>
}

// -----

#any = #tt.operand_constraint<any_device_tile>

// What is read behind the op is copied; the result goes to the argument's memory.
// CHECK-LABEL: func.func @read(
// CHECK-SAME: %[[CACHE:[^:]*]]: tensor<64x32xf32
// CHECK: %[[EMPTY:.*]] = tensor.empty() : tensor<64x32xf32
// CHECK-NEXT: %[[NEW:.*]] = "ttir.update_slice"(%[[CACHE]], %{{.*}}, %[[EMPTY]])
// CHECK: "ttir.add"(%[[CACHE]], %[[NEW]]
// CHECK: %[[BACK:.*]] = "ttir.to_layout"(%[[NEW]], %[[CACHE]])
// CHECK: return %[[BACK]]
// REMARK: remark: [Missed] Copied | Category:ttir-in-place | Function=read
// REMARK: remark: [Missed] Returned | Category:ttir-in-place | Function=read
func.func @read(%cache: tensor<64x32xf32> {tt.aliased_output = 0 : i64}, %rows: tensor<1x32xf32>) -> (tensor<64x32xf32>, tensor<64x32xf32>) {
  %0 = tensor.empty() : tensor<64x32xf32>
  %1 = "ttir.update_slice"(%cache, %rows, %0) <{clamp = true, dims = array<i64>, operand_constraints = [#any, #any, #any], starts = array<i64: 3, 0>}> : (tensor<64x32xf32>, tensor<1x32xf32>, tensor<64x32xf32>) -> tensor<64x32xf32>
  %2 = tensor.empty() : tensor<64x32xf32>
  %3 = "ttir.add"(%cache, %1, %2) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>) -> tensor<64x32xf32>
  return %1, %3 : tensor<64x32xf32>, tensor<64x32xf32>
}

// -----

#any = #tt.operand_constraint<any_device_tile>

// An argument of the caller's is not changed.
// CHECK-LABEL: func.func @callers(
// CHECK: %[[EMPTY:.*]] = tensor.empty() : tensor<64x32xf32
// CHECK-NEXT: "ttir.update_slice"(%{{.*}}, %{{.*}}, %[[EMPTY]])
#dram = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<2x1x!tt.tile<32x32, f32>, #tt.memory_space<dram>>, interleaved>
func.func @callers(%cache: tensor<64x32xf32, #dram>, %rows: tensor<1x32xf32>) -> tensor<64x32xf32> {
  %0 = tensor.empty() : tensor<64x32xf32>
  %1 = "ttir.update_slice"(%cache, %rows, %0) <{clamp = true, dims = array<i64>, operand_constraints = [#any, #any, #any], starts = array<i64: 3, 0>}> : (tensor<64x32xf32, #dram>, tensor<1x32xf32>, tensor<64x32xf32>) -> tensor<64x32xf32>
  return %1 : tensor<64x32xf32>
}

// -----

#any = #tt.operand_constraint<any_device_tile>

// Elementwise ops write into an operand that the caller gives up.
// CHECK-LABEL: func.func @optimizer(
// CHECK-SAME: %[[W:[^:]*]]: tensor<64x32xf32
// CHECK: %[[NEW:.*]] = "ttir.subtract"(%[[W]], %{{.*}}, %[[W]])
// CHECK: return %[[NEW]]
func.func @optimizer(%w: tensor<64x32xf32> {tt.aliased_output = 0 : i64}, %g: tensor<64x32xf32>) -> tensor<64x32xf32> {
  %0 = tensor.empty() : tensor<64x32xf32>
  %1 = "ttir.subtract"(%w, %g, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>) -> tensor<64x32xf32>
  return %1 : tensor<64x32xf32>
}

// -----

#any = #tt.operand_constraint<any_device_tile>

// Two results that exchange their memories go through a copy.
// CHECK-LABEL: func.func @exchange(
// CHECK-SAME: %[[A:[^:]*]]: tensor<64x32xf32, #{{.*}}> {tt.aliased_output = 0 : i64}, %[[B:[^:]*]]: tensor<64x32xf32
// CHECK: %[[OLD:.*]] = "ttir.to_layout"(%[[A]], %{{.*}})
// CHECK: %[[FIRST:.*]] = "ttir.to_layout"(%[[B]], %[[A]])
// CHECK: %[[SECOND:.*]] = "ttir.to_layout"(%[[OLD]], %[[B]])
// CHECK: return %[[FIRST]], %[[SECOND]]
func.func @exchange(%a: tensor<64x32xf32> {tt.aliased_output = 0 : i64}, %b: tensor<64x32xf32> {tt.aliased_output = 1 : i64}) -> (tensor<64x32xf32>, tensor<64x32xf32>) {
  return %b, %a : tensor<64x32xf32>, tensor<64x32xf32>
}

// -----

#any = #tt.operand_constraint<any_device_tile>

// One op updates the rows of all users, each at a place of a list.
// CHECK-LABEL: func.func @users(
// CHECK-SAME: %[[CACHE:[^:]*]]: tensor<3x2x64x32xf32, #{{.*}}> {tt.aliased_output = 0 : i64}
// CHECK: %[[NEW:.*]] = "ttir.update_slice"(%[[CACHE]], %{{.*}}, %{{.*}}, %[[CACHE]])
// CHECK: return %[[NEW]]
// REMARK: remark: [Passed] InPlace | Category:ttir-in-place | Function=users
func.func @users(%cache: tensor<3x2x64x32xf32> {tt.aliased_output = 0 : i64}, %rows: tensor<3x2x1x32xf32>, %places: tensor<3x1xi32>) -> tensor<3x2x64x32xf32> {
  %0 = tensor.empty() : tensor<3x2x64x32xf32>
  %1 = "ttir.update_slice"(%cache, %rows, %places, %0) <{clamp = false, dims = array<i64: 2>, operand_constraints = [#any, #any, #any, #any], starts = array<i64: 0, 0, 0, 0>}> : (tensor<3x2x64x32xf32>, tensor<3x2x1x32xf32>, tensor<3x1xi32>, tensor<3x2x64x32xf32>) -> tensor<3x2x64x32xf32>
  return %1 : tensor<3x2x64x32xf32>
}

// -----

#any = #tt.operand_constraint<any_device_tile>

// So does one that updates blocks, whose numbers are in the list, too. What it updates is read behind
// the second op, which copies it.
// CHECK-LABEL: func.func @blocks(
// CHECK-SAME: %[[BLOCKS:[^:]*]]: tensor<5x2x32x32xf32, #{{.*}}> {tt.aliased_output = 0 : i64}
// CHECK: %[[NEW:.*]] = "ttir.update_slice"(%[[BLOCKS]], %{{.*}}, %{{.*}}, %[[BLOCKS]])
// CHECK: %[[EMPTY:.*]] = tensor.empty() : tensor<5x2x32x32xf32
// CHECK-NEXT: %[[OTHER:.*]] = "ttir.update_slice"(%[[NEW]], %{{.*}}, %{{.*}}, %[[EMPTY]])
// CHECK: return %[[NEW]]
// REMARK-DAG: remark: [Passed] InPlace | Category:ttir-in-place | Function=blocks
// REMARK-DAG: remark: [Missed] Copied | Category:ttir-in-place | Function=blocks
func.func @blocks(%blocks: tensor<5x2x32x32xf32> {tt.aliased_output = 0 : i64}, %rows: tensor<3x2x1x32xf32>, %places: tensor<3x2xi32>, %others: tensor<3x2xi32>) -> (tensor<5x2x32x32xf32>, tensor<5x2x32x32xf32>) {
  %0 = tensor.empty() : tensor<5x2x32x32xf32>
  %1 = "ttir.update_slice"(%blocks, %rows, %places, %0) <{clamp = false, dims = array<i64: 0, 2>, operand_constraints = [#any, #any, #any, #any], starts = array<i64: 0, 0, 0, 0>}> : (tensor<5x2x32x32xf32>, tensor<3x2x1x32xf32>, tensor<3x2xi32>, tensor<5x2x32x32xf32>) -> tensor<5x2x32x32xf32>
  %2 = tensor.empty() : tensor<5x2x32x32xf32>
  %3 = "ttir.update_slice"(%1, %rows, %others, %2) <{clamp = false, dims = array<i64: 0, 2>, operand_constraints = [#any, #any, #any, #any], starts = array<i64: 0, 0, 0, 0>}> : (tensor<5x2x32x32xf32>, tensor<3x2x1x32xf32>, tensor<3x2xi32>, tensor<5x2x32x32xf32>) -> tensor<5x2x32x32xf32>
  return %1, %3 : tensor<5x2x32x32xf32>, tensor<5x2x32x32xf32>
}
