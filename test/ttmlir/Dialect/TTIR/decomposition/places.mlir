// RUN: ttmlir-opt --ttir-decomposition %s | FileCheck %s
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>

// Rows of f32 are sorted.
// CHECK-LABEL: func.func @argsort
// CHECK: "ttir.typecast"{{.*}} -> tensor<3x50x4xf32>
// CHECK: "ttir.argsort"
// CHECK-SAME: dim = 1 : i64
// CHECK-SAME: (tensor<12x50xf32>, tensor<12x50xi32>)
// CHECK: return
func.func @argsort(%a: tensor<3x50x4xbf16>) -> tensor<3x50x4xsi32> {
  %0 = tensor.empty() : tensor<3x50x4xsi32>
  %1 = "ttir.argsort"(%a, %0) <{descending = false, dim = 1 : i64, operand_constraints = [#any, #any]}> : (tensor<3x50x4xbf16>, tensor<3x50x4xsi32>) -> tensor<3x50x4xsi32>
  return %1 : tensor<3x50x4xsi32>
}

// The rows that are changed, then distances 1, 2 and 4.
// CHECK-LABEL: func.func @scatter_rows
// CHECK: "ttir.previous_equal"
// CHECK-COUNT-4: "ttir.add"
// CHECK-NOT: "ttir.add"
// CHECK: "ttir.scatter_rows"
// CHECK-SAME: reduce_type = #tt.reduce_type<invalid>
func.func @scatter_rows(%a: tensor<512x128xf32>, %b: tensor<5xi32>, %c: tensor<5x128xf32>) -> tensor<512x128xf32> {
  %0 = tensor.empty() : tensor<512x128xf32>
  %1 = "ttir.scatter_rows"(%a, %b, %c, %0) <{operand_constraints = [#any, #any, #any, #any], reduce_type = #tt.reduce_type<sum>}> : (tensor<512x128xf32>, tensor<5xi32>, tensor<5x128xf32>, tensor<512x128xf32>) -> tensor<512x128xf32>
  return %1 : tensor<512x128xf32>
}

// CHECK-LABEL: func.func @clamped
// CHECK: "ttir.maximum"
// CHECK: "ttir.minimum"
// CHECK: "ttir.embedding"
func.func @clamped(%a: tensor<64x128xf32>, %b: tensor<10x1xi32>) -> tensor<10x128xf32> {
  %0 = tensor.empty() : tensor<10x128xf32>
  %1 = "ttir.gather"(%a, %b, %0) <{clamp = true, collapsed_slice_dims = array<i64: 0>, index_vector_dim = 1 : si64, offset_dims = array<i64: 1>, operand_batching_dims = array<i64>, operand_constraints = [#any, #any, #any], slice_sizes = array<i64: 1, 128>, start_index_map = array<i64: 0>, start_indices_batching_dims = array<i64>}> : (tensor<64x128xf32>, tensor<10x1xi32>, tensor<10x128xf32>) -> tensor<10x128xf32>
  return %1 : tensor<10x128xf32>
}
