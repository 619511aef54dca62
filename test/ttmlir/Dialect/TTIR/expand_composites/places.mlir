// RUN: ttmlir-opt --ttir-expand-composites %s | FileCheck %s
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>

// The last key first; all tensors are brought into the order of all keys.
// CHECK-LABEL: func.func @sort
// CHECK: %[[LATER:.*]] = "ttir.argsort"(%arg1
// CHECK: %[[FIRST:.*]] = "ttir.gather"(%arg0, %[[LATER]]
// CHECK: %[[ORDER:.*]] = "ttir.argsort"(%[[FIRST]]
// CHECK: %[[PLACES:.*]] = "ttir.gather"(%[[LATER]], %[[ORDER]]
// CHECK: "ttir.gather"(%arg0, %[[PLACES]]
// CHECK: "ttir.gather"(%arg1, %[[PLACES]]
// CHECK-NOT: ttir.sort
func.func @sort(%arg0: tensor<4x50xf32>, %arg1: tensor<4x50xsi32>) -> (tensor<4x50xf32>, tensor<4x50xsi32>) {
  %0 = tensor.empty() : tensor<4x50xf32>
  %1 = tensor.empty() : tensor<4x50xsi32>
  %2:3 = "ttir.sort"(%arg0, %arg1, %0, %1, %1) <{descending = false, dim = 1 : si32, num_keys = 2 : i32, operandSegmentSizes = array<i32: 2, 3>, operand_constraints = [#any, #any, #any, #any, #any], stable = true}> : (tensor<4x50xf32>, tensor<4x50xsi32>, tensor<4x50xf32>, tensor<4x50xsi32>, tensor<4x50xsi32>) -> (tensor<4x50xf32>, tensor<4x50xsi32>, tensor<4x50xsi32>)
  return %2#0, %2#1 : tensor<4x50xf32>, tensor<4x50xsi32>
}

// Windows of whole rows are rows of a table; one that leaves it has the row -1.
// CHECK-LABEL: func.func @scatter_of_rows
// CHECK: "ttir.where"
// CHECK: "ttir.scatter_rows"(%arg0
// CHECK-SAME: reduce_type = #tt.reduce_type<sum>
// CHECK-SAME: (tensor<32000x128xf32>, tensor<10xsi32>, tensor<10x128xf32>, tensor<32000x128xf32>)
// CHECK-NOT: ttir.permute
// CHECK: return
func.func @scatter_of_rows(%arg0: tensor<32000x128xf32>, %arg1: tensor<10x1xsi32>, %arg2: tensor<10x128xf32>) -> tensor<32000x128xf32> {
  %0 = tensor.empty() : tensor<32000x128xf32>
  %1 = "ttir.scatter"(%arg0, %arg1, %arg2, %0) <{index_vector_dim = 1 : si64, input_batching_dims = array<i64>, inserted_window_dims = array<i64: 0>, operand_constraints = [#any, #any, #any, #any], reduce_type = #tt.reduce_type<sum>, scatter_dims_to_operand_dims = array<i64: 0>, scatter_indices_batching_dims = array<i64>, update_window_dims = array<i64: 1>}> : (tensor<32000x128xf32>, tensor<10x1xsi32>, tensor<10x128xf32>, tensor<32000x128xf32>) -> tensor<32000x128xf32>
  return %1 : tensor<32000x128xf32>
}

// A cache is not moved: an update has a row for each head.
// CHECK-LABEL: func.func @cache
// CHECK-NOT: ttir.permute
// CHECK: "ttir.update_slice"(%arg0, %arg1, %arg2, %{{.*}}) <{clamp = true, dims = array<i64: 0, 1, 2, 3>
// CHECK-SAME: starts = array<i64: 0, 0, 0, 0>
// CHECK: return
func.func @cache(%arg0: tensor<1x4x128x64xbf16>, %arg1: tensor<1x4x1x64xbf16>, %arg2: tensor<4xsi32>) -> tensor<1x4x128x64xbf16> {
  %0 = tensor.empty() : tensor<1x4x128x64xbf16>
  %1 = "ttir.dynamic_update_slice"(%arg0, %arg1, %arg2, %0) <{operand_constraints = [#any, #any, #any, #any]}> : (tensor<1x4x128x64xbf16>, tensor<1x4x1x64xbf16>, tensor<4xsi32>, tensor<1x4x128x64xbf16>) -> tensor<1x4x128x64xbf16>
  return %1 : tensor<1x4x128x64xbf16>
}

// CHECK-LABEL: func.func @dynamic_slice
// CHECK: "ttir.gather"(%arg0, %arg1
// CHECK-SAME: clamp = true
func.func @dynamic_slice(%arg0: tensor<64x128xf32>, %arg1: tensor<2xsi32>) -> tensor<1x128xf32> {
  %0 = tensor.empty() : tensor<1x128xf32>
  %1 = "ttir.dynamic_slice"(%arg0, %arg1, %0) <{operand_constraints = [#any, #any, #any], slice_sizes = array<i64: 1, 128>}> : (tensor<64x128xf32>, tensor<2xsi32>, tensor<1x128xf32>) -> tensor<1x128xf32>
  return %1 : tensor<1x128xf32>
}
