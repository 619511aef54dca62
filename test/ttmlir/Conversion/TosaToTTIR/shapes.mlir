// RUN: ttmlir-opt --convert-tosa-to-ttir --split-input-file %s | FileCheck %s
// Ops that move data; their parameters are constants.

// CHECK-LABEL: func.func @reshape(
// CHECK-SAME: %[[A:.*]]: tensor<4x8xf32>
// CHECK: %[[R1:.*]] = "ttir.reshape"(%[[A]], %{{.*}}) <{{.*}}shape = [2 : i32, 16 : i32]{{.*}} -> tensor<2x16xf32>
// CHECK-NEXT: return %[[R1]]
func.func @reshape(%a: tensor<4x8xf32>) -> tensor<2x16xf32> {
  %s = tosa.const_shape {values = dense<[2, 16]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %0 = tosa.reshape %a, %s : (tensor<4x8xf32>, !tosa.shape<2>) -> tensor<2x16xf32>
  return %0 : tensor<2x16xf32>
}

// -----

// Two dimensions exchanged are a transpose, ..
// CHECK-LABEL: func.func @transpose(
// CHECK-SAME: %[[A:.*]]: tensor<4x8x2xf32>
// CHECK: %[[R1:.*]] = "ttir.transpose"(%[[A]], %{{.*}}) <{dim0 = 0 : si32, dim1 = 2 : si32{{.*}} -> tensor<2x8x4xf32>
// CHECK-NEXT: return %[[R1]]
func.func @transpose(%a: tensor<4x8x2xf32>) -> tensor<2x8x4xf32> {
  %0 = tosa.transpose %a {perms = array<i32: 2, 1, 0>} : (tensor<4x8x2xf32>) -> tensor<2x8x4xf32>
  return %0 : tensor<2x8x4xf32>
}

// -----

// .. other orders a permutation, ..
// CHECK-LABEL: func.func @permute(
// CHECK-SAME: %[[A:.*]]: tensor<4x8x2xf32>
// CHECK: %[[R1:.*]] = "ttir.permute"(%[[A]], %{{.*}}) <{{.*}}permutation = array<i64: 2, 0, 1>{{.*}} -> tensor<2x4x8xf32>
// CHECK-NEXT: return %[[R1]]
func.func @permute(%a: tensor<4x8x2xf32>) -> tensor<2x4x8xf32> {
  %0 = tosa.transpose %a {perms = array<i32: 2, 0, 1>} : (tensor<4x8x2xf32>) -> tensor<2x4x8xf32>
  return %0 : tensor<2x4x8xf32>
}

// -----

// .. and dimensions of extent 1 move for nothing.
// CHECK-LABEL: func.func @move_of_ones(
// CHECK-SAME: %[[A:.*]]: tensor<4x8x1xf32>
// CHECK: %[[R1:.*]] = "ttir.reshape"(%[[A]], %{{.*}}) <{{.*}}shape = [1 : i32, 4 : i32, 8 : i32]{{.*}} -> tensor<1x4x8xf32>
// CHECK-NEXT: return %[[R1]]
func.func @move_of_ones(%a: tensor<4x8x1xf32>) -> tensor<1x4x8xf32> {
  %0 = tosa.transpose %a {perms = array<i32: 2, 0, 1>} : (tensor<4x8x1xf32>) -> tensor<1x4x8xf32>
  return %0 : tensor<1x4x8xf32>
}

// -----

// Constants are turned around when they are compiled.
// CHECK-LABEL: func.func @constant(
// CHECK: %[[R0:.*]] = "ttir.constant"() <{value = dense<{{\[\[}}1, 4], [2, 5], [3, 6]]> : tensor<3x2xsi32>{{.*}} -> tensor<3x2xsi32>
// CHECK-NEXT: return %[[R0]]
func.func @constant() -> tensor<3x2xi32> {
  %c = "tosa.const"() <{values = dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>}> : () -> tensor<2x3xi32>
  %0 = tosa.transpose %c {perms = array<i32: 1, 0>} : (tensor<2x3xi32>) -> tensor<3x2xi32>
  return %0 : tensor<3x2xi32>
}

// -----

// CHECK-LABEL: func.func @concat(
// CHECK-SAME: %[[A:.*]]: tensor<4x8xf32>, %[[B:.*]]: tensor<4x2xf32>
// CHECK: %[[R1:.*]] = "ttir.concat"(%[[A]], %[[B]], %{{.*}}) <{dim = 1 : si32{{.*}} -> tensor<4x10xf32>
// CHECK-NEXT: return %[[R1]]
func.func @concat(%a: tensor<4x8xf32>, %b: tensor<4x2xf32>) -> tensor<4x10xf32> {
  %0 = tosa.concat %a, %b {axis = 1 : i32} : (tensor<4x8xf32>, tensor<4x2xf32>) -> tensor<4x10xf32>
  return %0 : tensor<4x10xf32>
}

// -----

// CHECK-LABEL: func.func @slice(
// CHECK-SAME: %[[A:.*]]: tensor<4x8xf32>
// CHECK: %[[R1:.*]] = "ttir.slice"(%[[A]], %{{.*}}) <{begins = [1 : i32, 0 : i32], ends = [3 : i32, 8 : i32]{{.*}}, step = [1 : i32, 1 : i32]{{.*}} -> tensor<2x8xf32>
// CHECK-NEXT: return %[[R1]]
func.func @slice(%a: tensor<4x8xf32>) -> tensor<2x8xf32> {
  %b = tosa.const_shape {values = dense<[1, 0]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %s = tosa.const_shape {values = dense<[2, 8]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %0 = tosa.slice %a, %b, %s : (tensor<4x8xf32>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func.func @pad(
// CHECK-SAME: %[[A:.*]]: tensor<4x8xf32>
// CHECK: %[[R1:.*]] = "ttir.pad"(%[[A]], %{{.*}}) <{{.*}}padding = array<i32: 0, 1, 2, 1>, value = 3.000000e+00 : f32{{.*}} -> tensor<5x11xf32>
// CHECK-NEXT: return %[[R1]]
func.func @pad(%a: tensor<4x8xf32>) -> tensor<5x11xf32> {
  %p = tosa.const_shape {values = dense<[0, 1, 2, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %v = "tosa.const"() <{values = dense<3.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.pad %a, %p, %v : (tensor<4x8xf32>, !tosa.shape<4>, tensor<1xf32>) -> tensor<5x11xf32>
  return %0 : tensor<5x11xf32>
}

// -----

// CHECK-LABEL: func.func @tile(
// CHECK-SAME: %[[A:.*]]: tensor<4x8xf32>
// CHECK: %[[R1:.*]] = "ttir.repeat"(%[[A]], %{{.*}}) <{{.*}}repeat_dimensions = array<i64: 3, 1>{{.*}} -> tensor<12x8xf32>
// CHECK-NEXT: return %[[R1]]
func.func @tile(%a: tensor<4x8xf32>) -> tensor<12x8xf32> {
  %m = tosa.const_shape {values = dense<[3, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %0 = tosa.tile %a, %m : (tensor<4x8xf32>, !tosa.shape<2>) -> tensor<12x8xf32>
  return %0 : tensor<12x8xf32>
}

// -----

// Places in the reverse order.
// CHECK-LABEL: func.func @reverse(
// CHECK-SAME: %[[A:.*]]: tensor<4x3xf32>
// CHECK: %[[R0:.*]] = "ttir.constant"() <{value = dense<[2, 1, 0]> : tensor<3xsi32>{{.*}} -> tensor<3xsi32>
// CHECK: %[[R2:.*]] = "ttir.gather"(%[[A]], %[[R0]], %{{.*}}) <{collapsed_slice_dims = array<i64: 1>, index_vector_dim = 1 : si64, offset_dims = array<i64: 0>, operand_batching_dims = array<i64>{{.*}}, slice_sizes = array<i64: 4, 1>, start_index_map = array<i64: 1>, start_indices_batching_dims = array<i64>{{.*}} -> tensor<4x3xf32>
// CHECK-NEXT: return %[[R2]]
func.func @reverse(%a: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %0 = tosa.reverse %a {axis = 1 : i32} : (tensor<4x3xf32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// -----

// CHECK-LABEL: func.func @gather(
// CHECK-SAME: %[[A:.*]]: tensor<2x6x8xf32>, %[[B:.*]]: tensor<2x4xsi32>
// CHECK: %[[R1:.*]] = "ttir.gather"(%[[A]], %[[B]], %{{.*}}) <{collapsed_slice_dims = array<i64: 1>, index_vector_dim = 2 : si64, offset_dims = array<i64: 2>, operand_batching_dims = array<i64: 0>{{.*}}, slice_sizes = array<i64: 1, 1, 8>, start_index_map = array<i64: 1>, start_indices_batching_dims = array<i64: 0>{{.*}} -> tensor<2x4x8xf32>
// CHECK-NEXT: return %[[R1]]
func.func @gather(%a: tensor<2x6x8xf32>, %i: tensor<2x4xi32>) -> tensor<2x4x8xf32> {
  %0 = tosa.gather %a, %i : (tensor<2x6x8xf32>, tensor<2x4xi32>) -> tensor<2x4x8xf32>
  return %0 : tensor<2x4x8xf32>
}

// -----

// CHECK-LABEL: func.func @identity(
// CHECK-SAME: %[[A:.*]]: tensor<4x8xf32>
// CHECK-NEXT: return %[[A]]
func.func @identity(%a: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = tosa.identity %a : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
