// RUN: ttmlir-opt --convert-linalg-to-ttir --split-input-file %s | FileCheck %s
// Named ops that move data or fill.

// CHECK-LABEL: func.func @transpose(
// CHECK-SAME: %[[A:.*]]: tensor<2x4x8xf32>
// CHECK: %[[R1:.*]] = "ttir.permute"(%[[A]], %{{.*}}) <{{.*}}permutation = array<i64: 2, 0, 1>{{.*}} -> tensor<8x2x4xf32>
// CHECK-NEXT: return %[[R1]]
func.func @transpose(%a: tensor<2x4x8xf32>) -> tensor<8x2x4xf32> {
  %e = tensor.empty() : tensor<8x2x4xf32>
  %0 = linalg.transpose ins(%a : tensor<2x4x8xf32>) outs(%e : tensor<8x2x4xf32>) permutation = [2, 0, 1]
  return %0 : tensor<8x2x4xf32>
}

// -----

// CHECK-LABEL: func.func @broadcast(
// CHECK-SAME: %[[A:.*]]: tensor<4xf32>
// CHECK: %[[R1:.*]] = "ttir.reshape"(%[[A]], %{{.*}}) <{{.*}}shape = [4 : i32, 1 : i32]{{.*}} -> tensor<4x1xf32>
// CHECK: %[[R3:.*]] = "ttir.broadcast"(%[[R1]], %{{.*}}) <{dimension = [0, 1]{{.*}} -> tensor<4x8xf32>
// CHECK-NEXT: return %[[R3]]
func.func @broadcast(%a: tensor<4xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.broadcast ins(%a : tensor<4xf32>) outs(%e : tensor<4x8xf32>) dimensions = [1]
  return %0 : tensor<4x8xf32>
}

// -----

// CHECK-LABEL: func.func @fill(
// CHECK: %[[R0:.*]] = "ttir.constant"() <{value = dense<7> : tensor<4x8xsi32>{{.*}} -> tensor<4x8xsi32>
// CHECK-NEXT: return %[[R0]]
func.func @fill() -> tensor<4x8xi32> {
  %c = arith.constant 7 : i32
  %e = tensor.empty() : tensor<4x8xi32>
  %0 = linalg.fill ins(%c : i32) outs(%e : tensor<4x8xi32>) -> tensor<4x8xi32>
  return %0 : tensor<4x8xi32>
}

// -----

// CHECK-LABEL: func.func @softmax(
// CHECK-SAME: %[[A:.*]]: tensor<4x8xf32>
// CHECK: %[[R1:.*]] = "ttir.softmax"(%[[A]], %{{.*}}) <{dimension = 1 : si32{{.*}} -> tensor<4x8xf32>
// CHECK-NEXT: return %[[R1]]
func.func @softmax(%a: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.softmax dimension(1) ins(%a : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

// CHECK-LABEL: func.func @map(
// CHECK-SAME: %[[A:.*]]: tensor<8xf32>, %[[B:.*]]: tensor<8xf32>
// CHECK: %[[R1:.*]] = "ttir.multiply"(%[[A]], %[[B]], %{{.*}}){{.*}} -> tensor<8xf32>
// CHECK-NEXT: return %[[R1]]
func.func @map(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.map { arith.mulf } ins(%a, %b : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>)
  return %0 : tensor<8xf32>
}

// -----

// CHECK-LABEL: func.func @elementwise(
// CHECK-SAME: %[[A:.*]]: tensor<8x4xf32>, %[[B:.*]]: tensor<4xf32>
// CHECK: %[[R1:.*]] = "ttir.transpose"(%[[A]], %{{.*}}) <{dim0 = 0 : si32, dim1 = 1 : si32{{.*}} -> tensor<4x8xf32>
// CHECK: %[[R3:.*]] = "ttir.exp"(%[[R1]], %{{.*}}){{.*}} -> tensor<4x8xf32>
// CHECK-NEXT: return %[[R3]]
func.func @elementwise(%a: tensor<8x4xf32>, %b: tensor<4xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<exp> indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>] ins(%a : tensor<8x4xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

// CHECK-LABEL: func.func @select(
// CHECK-SAME: %[[A:.*]]: tensor<8xi1>, %[[B:.*]]: tensor<8xf32>, %[[C:.*]]: tensor<8xf32>
// CHECK: %[[R1:.*]] = "ttir.where"(%[[A]], %[[B]], %[[C]], %{{.*}}){{.*}} -> tensor<8xf32>
// CHECK-NEXT: return %[[R1]]
func.func @select(%c: tensor<8xi1>, %a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.select ins(%c, %a, %b : tensor<8xi1>, tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// CHECK-LABEL: func.func @square(
// CHECK-SAME: %[[A:.*]]: tensor<8xf32>
// CHECK: %[[R1:.*]] = "ttir.multiply"(%[[A]], %[[A]], %{{.*}}){{.*}} -> tensor<8xf32>
// CHECK-NEXT: return %[[R1]]
func.func @square(%a: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.square ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// Tiles are dimensions of their own.
// CHECK-LABEL: func.func @pack(
// CHECK-SAME: %[[A:.*]]: tensor<7x8xf32>
// CHECK: %[[R1:.*]] = "ttir.pad"(%[[A]], %{{.*}}) <{{.*}}padding = array<i32: 0, 1, 0, 0>, value = 0.000000e+00 : f32{{.*}} -> tensor<8x8xf32>
// CHECK: %[[R3:.*]] = "ttir.reshape"(%[[R1]], %{{.*}}) <{{.*}}shape = [4 : i32, 2 : i32, 2 : i32, 4 : i32]{{.*}} -> tensor<4x2x2x4xf32>
// CHECK: %[[R5:.*]] = "ttir.transpose"(%[[R3]], %{{.*}}) <{dim0 = 1 : si32, dim1 = 2 : si32{{.*}} -> tensor<4x2x2x4xf32>
// CHECK-NEXT: return %[[R5]]
func.func @pack(%a: tensor<7x8xf32>) -> tensor<4x2x2x4xf32> {
  %c = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x2x2x4xf32>
  %0 = linalg.pack %a padding_value(%c : f32) inner_dims_pos = [0, 1] inner_tiles = [2, 4] into %e : tensor<7x8xf32> -> tensor<4x2x2x4xf32>
  return %0 : tensor<4x2x2x4xf32>
}

// -----

// CHECK-LABEL: func.func @unpack(
// CHECK-SAME: %[[A:.*]]: tensor<4x2x2x4xf32>
// CHECK: %[[R1:.*]] = "ttir.transpose"(%[[A]], %{{.*}}) <{dim0 = 1 : si32, dim1 = 2 : si32{{.*}} -> tensor<4x2x2x4xf32>
// CHECK: %[[R3:.*]] = "ttir.reshape"(%[[R1]], %{{.*}}) <{{.*}}shape = [8 : i32, 8 : i32]{{.*}} -> tensor<8x8xf32>
// CHECK: %[[R5:.*]] = "ttir.slice"(%[[R3]], %{{.*}}) <{begins = [0 : i32, 0 : i32], ends = [7 : i32, 8 : i32]{{.*}}, step = [1 : i32, 1 : i32]{{.*}} -> tensor<7x8xf32>
// CHECK-NEXT: return %[[R5]]
func.func @unpack(%a: tensor<4x2x2x4xf32>) -> tensor<7x8xf32> {
  %e = tensor.empty() : tensor<7x8xf32>
  %0 = linalg.unpack %a inner_dims_pos = [0, 1] inner_tiles = [2, 4] into %e : tensor<4x2x2x4xf32> -> tensor<7x8xf32>
  return %0 : tensor<7x8xf32>
}
