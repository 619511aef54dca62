// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline --split-input-file %s | FileCheck %s
// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline="optimization-level=1 clock-search-limit=0" --split-input-file %s | FileCheck %s

#any = #tt.operand_constraint<any_device_tile>

// An update in place stays one: rows of a donated cache are written where they are.
// CHECK-LABEL: func.func @donated(
// CHECK-SAME: %[[CACHE:[^:]*]]: tensor<2x64x32xbf16
// CHECK: %[[NEW:.*]] = "ttnn.update_slice"(%[[CACHE]], %{{.*}}, %{{.*}}, %[[CACHE]])
// CHECK: return %[[NEW]]
func.func @donated(%cache: tensor<2x64x32xbf16> {tt.aliased_output = 0 : i64}, %rows: tensor<2x1x32xbf16>, %i: tensor<1xsi32>) -> tensor<2x64x32xbf16> {
  %0 = tensor.empty() : tensor<2x64x32xbf16>
  %1 = "ttir.update_slice"(%cache, %rows, %i, %0) <{clamp = true, dims = array<i64: 1>, operand_constraints = [#any, #any, #any, #any], starts = array<i64: 0, 0, 0>}> : (tensor<2x64x32xbf16>, tensor<2x1x32xbf16>, tensor<1xsi32>, tensor<2x64x32xbf16>) -> tensor<2x64x32xbf16>
  return %1 : tensor<2x64x32xbf16>
}

// -----

#any = #tt.operand_constraint<any_device_tile>

// A program that says so itself, though the input is read behind the op, gets a copy.
// CHECK-LABEL: func.func @read(
// CHECK: %[[X:.*]] = "ttnn.add"
// CHECK: %[[EMPTY:.*]] = "ttnn.empty"
// CHECK: %[[NEW:.*]] = "ttnn.update_slice"(%[[X]], %{{.*}}, %[[EMPTY]])
// CHECK: "ttnn.multiply"(%[[X]], %[[NEW]]
func.func @read(%x: tensor<64x32xbf16>, %rows: tensor<1x32xbf16>) -> tensor<64x32xbf16> {
  %0 = tensor.empty() : tensor<64x32xbf16>
  %1 = "ttir.add"(%x, %x, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x32xbf16>, tensor<64x32xbf16>, tensor<64x32xbf16>) -> tensor<64x32xbf16>
  %2 = "ttir.update_slice"(%1, %rows, %1) <{clamp = true, dims = array<i64>, operand_constraints = [#any, #any, #any], starts = array<i64: 3, 0>}> : (tensor<64x32xbf16>, tensor<1x32xbf16>, tensor<64x32xbf16>) -> tensor<64x32xbf16>
  %3 = tensor.empty() : tensor<64x32xbf16>
  %4 = "ttir.multiply"(%1, %2, %3) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x32xbf16>, tensor<64x32xbf16>, tensor<64x32xbf16>) -> tensor<64x32xbf16>
  return %4 : tensor<64x32xbf16>
}
