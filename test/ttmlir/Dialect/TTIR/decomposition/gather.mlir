// RUN: ttmlir-opt --ttir-decomposition %s | FileCheck %s
// A gather looks up rows of whole innermost dimensions: slices of 2 rows that begin at 8 times the
// first entry of the index plus the second.
#any = #tt.operand_constraint<any_device>
// CHECK-LABEL: func.func @slices
// CHECK-DAG: %[[WITHIN:.*]] = "ttir.constant"() <{value = dense<{{\[}}[0.000000e+00, 1.000000e+00]]> : tensor<1x2xf32>}>
// CHECK-DAG: "ttir.full"() <{fill_value = 8.000000e+00 : f32
// CHECK-DAG: "ttir.reshape"(%arg0, {{.*}} -> tensor<48x128xf32>
// CHECK: %[[ROWS:.*]] = "ttir.embedding"({{.*}} (tensor<10x2xi32>, tensor<48x128xf32>, tensor<10x2x128xf32>)
// CHECK: return %[[ROWS]]
func.func @slices(%a: tensor<6x8x128xf32>, %i: tensor<10x2xi32>) -> tensor<10x2x128xf32> {
  %0 = tensor.empty() : tensor<10x2x128xf32>
  %1 = "ttir.gather"(%a, %i, %0) <{collapsed_slice_dims = array<i64: 0>, index_vector_dim = 1 : si64, offset_dims = array<i64: 1, 2>, operand_batching_dims = array<i64>, operand_constraints = [#any, #any, #any], slice_sizes = array<i64: 1, 2, 128>, start_index_map = array<i64: 0, 1>, start_indices_batching_dims = array<i64>}> : (tensor<6x8x128xf32>, tensor<10x2xi32>, tensor<10x2x128xf32>) -> tensor<10x2x128xf32>
  return %1 : tensor<10x2x128xf32>
}
