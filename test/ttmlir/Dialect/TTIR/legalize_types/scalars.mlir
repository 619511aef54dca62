// RUN: ttmlir-opt --ttir-legalize-types %s | FileCheck %s
// Tensors of rank 0 have the shape 1.
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>

// CHECK-LABEL: func.func @shapes
func.func @shapes(%x: tensor<f32>) -> tensor<2x3xf32> {
  // CHECK: %[[R:.*]] = "ttir.reshape"(%arg0, %{{.*}}) {{.*}}shape = [1 : i32, 1 : i32]{{.*}} -> tensor<1x1xf32>
  %0 = tensor.empty() : tensor<1x1xf32>
  %1 = "ttir.reshape"(%x, %0) <{operand_constraints = [#any, #any], shape = [1 : i32, 1 : i32]}> : (tensor<f32>, tensor<1x1xf32>) -> tensor<1x1xf32>
  // CHECK: %[[S:.*]] = "ttir.reshape"(%[[R]], %{{.*}}) {{.*}}shape = [1 : i32]{{.*}} -> tensor<1xf32>
  %2 = tensor.empty() : tensor<f32>
  %3 = "ttir.reshape"(%1, %2) <{operand_constraints = [#any, #any], shape = []}> : (tensor<1x1xf32>, tensor<f32>) -> tensor<f32>
  // CHECK: %[[P:.*]] = "ttir.permute"(%[[S]], %{{.*}}) {{.*}}permutation = array<i64: 0>
  %4 = "ttir.permute"(%3, %2) <{operand_constraints = [#any, #any], permutation = array<i64>}> : (tensor<f32>, tensor<f32>) -> tensor<f32>
  // Nothing is left of these.
  // CHECK-NOT: unsqueeze
  // CHECK-NOT: "ttir.squeeze"
  %5 = tensor.empty() : tensor<1xf32>
  %6 = "ttir.unsqueeze"(%4, %5) <{dim = 0 : si32, operand_constraints = [#any, #any]}> : (tensor<f32>, tensor<1xf32>) -> tensor<1xf32>
  %7 = "ttir.squeeze"(%6, %2) <{dim = 0 : si32, operand_constraints = [#any, #any]}> : (tensor<1xf32>, tensor<f32>) -> tensor<f32>
  // CHECK: "ttir.broadcast"(%[[P]], %{{.*}}) <{dimension = [1]
  %8 = tensor.empty() : tensor<2x3xf32>
  %9 = "ttir.broadcast"(%7, %8) <{dimension = [], operand_constraints = [#any, #any]}> : (tensor<f32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %9 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @reduction
func.func @reduction(%x: tensor<2x3xf32>) -> tensor<f32> {
  %0 = tensor.empty() : tensor<f32>
  // CHECK: "ttir.sum"(%arg0, %{{.*}}) {{.*}} -> tensor<1xf32>
  %1 = "ttir.sum"(%x, %0) <{keep_dim = false, operand_constraints = [#any, #any]}> : (tensor<2x3xf32>, tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}

// CHECK-LABEL: func.func @embedding
func.func @embedding(%i: tensor<si64>, %w: tensor<9x4xf32>) -> tensor<4xf32> {
  %0 = tensor.empty() : tensor<4xf32>
  // CHECK: %[[E:.*]] = "ttir.embedding"(%arg0, %arg1, %{{.*}}) {{.*}} -> tensor<1x4xf32>
  // CHECK: %[[R:.*]] = "ttir.reshape"(%[[E]], %{{.*}}) {{.*}} -> tensor<4xf32>
  %1 = "ttir.embedding"(%i, %w, %0) <{operand_constraints = [#any, #any, #any]}> : (tensor<si64>, tensor<9x4xf32>, tensor<4xf32>) -> tensor<4xf32>
  // CHECK: return %[[R]]
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: func.func @gather
func.func @gather(%x: tensor<9xf32>, %i: tensor<1xi32>) -> tensor<f32> {
  %0 = tensor.empty() : tensor<f32>
  // CHECK: %[[I:.*]] = "ttir.reshape"(%arg1, %{{.*}}) {{.*}} -> tensor<1x1xi32>
  // CHECK: "ttir.gather"(%arg0, %[[I]], %{{.*}}) {{.*}}index_vector_dim = 1 : si64{{.*}} -> tensor<1xf32>
  %1 = "ttir.gather"(%x, %i, %0) <{collapsed_slice_dims = array<i64: 0>, index_vector_dim = 0 : si64, offset_dims = array<i64>, operand_batching_dims = array<i64>, operand_constraints = [#any, #any, #any], slice_sizes = array<i64: 1>, start_index_map = array<i64: 0>, start_indices_batching_dims = array<i64>}> : (tensor<9xf32>, tensor<1xi32>, tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}

// CHECK-LABEL: func.func @filled
func.func @filled() -> (tensor<f32>, tensor<f32>) {
  // CHECK: "ttir.full"() {{.*}}shape = array<i32: 1>{{.*}} -> tensor<1xf32>
  %0 = "ttir.full"() <{fill_value = 2.0 : f32, shape = array<i32>}> : () -> tensor<f32>
  %1 = tensor.empty() : tensor<f32>
  // CHECK: "ttir.rand"(%{{.*}}) {{.*}}shape = array<i64: 1>{{.*}} -> tensor<1xf32>
  %2 = "ttir.rand"(%1) <{high = 1.0 : f32, low = 0.0 : f32, operand_constraints = [#any], seed = 7 : ui32, shape = array<i64>}> : (tensor<f32>) -> tensor<f32>
  return %0, %2 : tensor<f32>, tensor<f32>
}

// CHECK-LABEL: func.func @all
func.func @all(%x: tensor<2x3xf32>) -> tensor<f32> {
  %0 = tensor.empty() : tensor<f32>
  // CHECK: "ttir.reduce_and"(%arg0, %{{.*}}) {{.*}} -> tensor<1xf32>
  %1 = "ttir.reduce_and"(%x, %0) <{keep_dim = false, operand_constraints = [#any, #any]}> : (tensor<2x3xf32>, tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}
