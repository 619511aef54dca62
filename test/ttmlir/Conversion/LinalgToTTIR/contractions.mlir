// RUN: ttmlir-opt --convert-linalg-to-ttir --split-input-file %s | FileCheck %s
// RUN: ttmlir-opt --convert-linalg-to-ttir --split-input-file --remarks %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// Sums of products are matrix products, whatever the op is called.
// REMARK-DAG: remark: [Passed] Translated | Category:convert-linalg-to-ttir | Function=matmul | Op=linalg.matmul, Reason="becomes {{.*}}ttir.matmul"

// CHECK-LABEL: func.func @matmul(
// CHECK-SAME: %[[A:.*]]: tensor<4x8xf32>, %[[B:.*]]: tensor<8x16xf32>
// CHECK: %[[R1:.*]] = "ttir.matmul"(%[[A]], %[[B]], %{{.*}}){{.*}} -> tensor<4x16xf32>
// CHECK-NEXT: return %[[R1]]
func.func @matmul(%a: tensor<4x8xf32>, %b: tensor<8x16xf32>) -> tensor<4x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x16xf32>) -> tensor<4x16xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x16xf32>) outs(%f : tensor<4x16xf32>) -> tensor<4x16xf32>
  return %0 : tensor<4x16xf32>
}

// -----

// The sum goes on from an initial value that is not zero.
// CHECK-LABEL: func.func @accumulates(
// CHECK-SAME: %[[A:.*]]: tensor<4x8xf32>, %[[B:.*]]: tensor<8x16xf32>, %[[C:.*]]: tensor<4x16xf32>
// CHECK: %[[R1:.*]] = "ttir.matmul"(%[[A]], %[[B]], %{{.*}}){{.*}} -> tensor<4x16xf32>
// CHECK: %[[R3:.*]] = "ttir.add"(%[[R1]], %[[C]], %{{.*}}){{.*}} -> tensor<4x16xf32>
// CHECK-NEXT: return %[[R3]]
func.func @accumulates(%a: tensor<4x8xf32>, %b: tensor<8x16xf32>, %c: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x16xf32>) outs(%c : tensor<4x16xf32>) -> tensor<4x16xf32>
  return %0 : tensor<4x16xf32>
}

// -----

// A dense constant of zeros is no initial value either.
// CHECK-LABEL: func.func @dense_zero(
// CHECK-SAME: %[[A:.*]]: tensor<4x8xf32>, %[[B:.*]]: tensor<8x16xf32>
// CHECK: %[[R1:.*]] = "ttir.matmul"(%[[A]], %[[B]], %{{.*}}){{.*}} -> tensor<4x16xf32>
// CHECK-NEXT: return %[[R1]]
func.func @dense_zero(%a: tensor<4x8xf32>, %b: tensor<8x16xf32>) -> tensor<4x16xf32> {
  %c = arith.constant dense<0.0> : tensor<4x16xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x16xf32>) outs(%c : tensor<4x16xf32>) -> tensor<4x16xf32>
  return %0 : tensor<4x16xf32>
}

// -----

// The product transposes its operands itself.
// CHECK-LABEL: func.func @transposed(
// CHECK-SAME: %[[A:.*]]: tensor<8x4xf32>, %[[B:.*]]: tensor<16x8xf32>
// CHECK: %[[R1:.*]] = "ttir.matmul"(%[[A]], %[[B]], %{{.*}}) <{{.*}}transpose_a = true, transpose_b = true{{.*}} -> tensor<4x16xf32>
// CHECK-NEXT: return %[[R1]]
func.func @transposed(%a: tensor<8x4xf32>, %b: tensor<16x8xf32>) -> tensor<4x16xf32> {
  %c = arith.constant dense<0.0> : tensor<4x16xf32>
  %0 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>] ins(%a, %b : tensor<8x4xf32>, tensor<16x8xf32>) outs(%c : tensor<4x16xf32>) -> tensor<4x16xf32>
  return %0 : tensor<4x16xf32>
}

// -----

// CHECK-LABEL: func.func @batch_matmul(
// CHECK-SAME: %[[A:.*]]: tensor<2x4x8xbf16>, %[[B:.*]]: tensor<2x8x16xbf16>
// CHECK: %[[R1:.*]] = "ttir.matmul"(%[[A]], %[[B]], %{{.*}}){{.*}} -> tensor<2x4x16xf32>
// CHECK-NEXT: return %[[R1]]
func.func @batch_matmul(%a: tensor<2x4x8xbf16>, %b: tensor<2x8x16xbf16>) -> tensor<2x4x16xf32> {
  %c = arith.constant dense<0.0> : tensor<2x4x16xf32>
  %0 = linalg.batch_matmul ins(%a, %b : tensor<2x4x8xbf16>, tensor<2x8x16xbf16>) outs(%c : tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
  return %0 : tensor<2x4x16xf32>
}

// -----

// The batches are summed: they are inner dimensions.
// CHECK-LABEL: func.func @batch_reduce_matmul(
// CHECK-SAME: %[[A:.*]]: tensor<2x4x8xf32>, %[[B:.*]]: tensor<2x8x16xf32>
// CHECK: %[[R1:.*]] = "ttir.transpose"(%[[A]], %{{.*}}) <{dim0 = 0 : si32, dim1 = 1 : si32{{.*}} -> tensor<4x2x8xf32>
// CHECK: %[[R3:.*]] = "ttir.reshape"(%[[R1]], %{{.*}}) <{{.*}}shape = [4 : i32, 16 : i32]{{.*}} -> tensor<4x16xf32>
// CHECK: %[[R5:.*]] = "ttir.reshape"(%[[B]], %{{.*}}) <{{.*}}shape = [16 : i32, 16 : i32]{{.*}} -> tensor<16x16xf32>
// CHECK: %[[R7:.*]] = "ttir.matmul"(%[[R3]], %[[R5]], %{{.*}}){{.*}} -> tensor<4x16xf32>
// CHECK-NEXT: return %[[R7]]
func.func @batch_reduce_matmul(%a: tensor<2x4x8xf32>, %b: tensor<2x8x16xf32>) -> tensor<4x16xf32> {
  %c = arith.constant dense<0.0> : tensor<4x16xf32>
  %0 = linalg.batch_reduce_matmul ins(%a, %b : tensor<2x4x8xf32>, tensor<2x8x16xf32>) outs(%c : tensor<4x16xf32>) -> tensor<4x16xf32>
  return %0 : tensor<4x16xf32>
}

// -----

// CHECK-LABEL: func.func @matvec(
// CHECK-SAME: %[[A:.*]]: tensor<4x8xf32>, %[[B:.*]]: tensor<8xf32>
// CHECK: %[[R1:.*]] = "ttir.reshape"(%[[B]], %{{.*}}) <{{.*}}shape = [8 : i32, 1 : i32]{{.*}} -> tensor<8x1xf32>
// CHECK: %[[R3:.*]] = "ttir.matmul"(%[[A]], %[[R1]], %{{.*}}){{.*}} -> tensor<4x1xf32>
// CHECK: %[[R5:.*]] = "ttir.reshape"(%[[R3]], %{{.*}}) <{{.*}}shape = [4 : i32]{{.*}} -> tensor<4xf32>
// CHECK-NEXT: return %[[R5]]
func.func @matvec(%a: tensor<4x8xf32>, %b: tensor<8xf32>) -> tensor<4xf32> {
  %c = arith.constant dense<0.0> : tensor<4xf32>
  %0 = linalg.matvec ins(%a, %b : tensor<4x8xf32>, tensor<8xf32>) outs(%c : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @vecmat(
// CHECK-SAME: %[[A:.*]]: tensor<8xf32>, %[[B:.*]]: tensor<8x4xf32>
// CHECK: %[[R1:.*]] = "ttir.reshape"(%[[A]], %{{.*}}) <{{.*}}shape = [1 : i32, 8 : i32]{{.*}} -> tensor<1x8xf32>
// CHECK: %[[R3:.*]] = "ttir.matmul"(%[[R1]], %[[B]], %{{.*}}){{.*}} -> tensor<1x4xf32>
// CHECK: %[[R5:.*]] = "ttir.reshape"(%[[R3]], %{{.*}}) <{{.*}}shape = [4 : i32]{{.*}} -> tensor<4xf32>
// CHECK-NEXT: return %[[R5]]
func.func @vecmat(%a: tensor<8xf32>, %b: tensor<8x4xf32>) -> tensor<4xf32> {
  %c = arith.constant dense<0.0> : tensor<4xf32>
  %0 = linalg.vecmat ins(%a, %b : tensor<8xf32>, tensor<8x4xf32>) outs(%c : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @dot(
// CHECK-SAME: %[[A:.*]]: tensor<8xf32>, %[[B:.*]]: tensor<8xf32>
// CHECK: %[[R1:.*]] = "ttir.reshape"(%[[A]], %{{.*}}) <{{.*}}shape = [1 : i32, 8 : i32]{{.*}} -> tensor<1x8xf32>
// CHECK: %[[R3:.*]] = "ttir.reshape"(%[[B]], %{{.*}}) <{{.*}}shape = [8 : i32, 1 : i32]{{.*}} -> tensor<8x1xf32>
// CHECK: %[[R5:.*]] = "ttir.matmul"(%[[R1]], %[[R3]], %{{.*}}){{.*}} -> tensor<1x1xf32>
// CHECK: %[[R7:.*]] = "ttir.reshape"(%[[R5]], %{{.*}}) <{{.*}}shape = [1 : i32]{{.*}} -> tensor<1xf32>
// CHECK: %[[R9:.*]] = "ttir.reshape"(%[[R7]], %{{.*}}) <{{.*}}shape = []{{.*}} -> tensor<f32>
// CHECK-NEXT: return %[[R9]]
func.func @dot(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<f32> {
  %c = arith.constant dense<0.0> : tensor<f32>
  %0 = linalg.dot ins(%a, %b : tensor<8xf32>, tensor<8xf32>) outs(%c : tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// A contraction of two dimensions at once, with the result turned around.
// CHECK-LABEL: func.func @generic(
// CHECK-SAME: %[[A:.*]]: tensor<2x3x4x5xf32>, %[[B:.*]]: tensor<4x5x6xf32>
// CHECK: %[[R1:.*]] = "ttir.permute"(%[[B]], %{{.*}}) <{{.*}}permutation = array<i64: 2, 0, 1>{{.*}} -> tensor<6x4x5xf32>
// CHECK: %[[R3:.*]] = "ttir.permute"(%[[A]], %{{.*}}) <{{.*}}permutation = array<i64: 2, 3, 1, 0>{{.*}} -> tensor<4x5x3x2xf32>
// CHECK: %[[R5:.*]] = "ttir.reshape"(%[[R1]], %{{.*}}) <{{.*}}shape = [6 : i32, 20 : i32]{{.*}} -> tensor<6x20xf32>
// CHECK: %[[R7:.*]] = "ttir.reshape"(%[[R3]], %{{.*}}) <{{.*}}shape = [20 : i32, 6 : i32]{{.*}} -> tensor<20x6xf32>
// CHECK: %[[R9:.*]] = "ttir.matmul"(%[[R5]], %[[R7]], %{{.*}}){{.*}} -> tensor<6x6xf32>
// CHECK: %[[R11:.*]] = "ttir.reshape"(%[[R9]], %{{.*}}) <{{.*}}shape = [6 : i32, 3 : i32, 2 : i32]{{.*}} -> tensor<6x3x2xf32>
// CHECK-NEXT: return %[[R11]]
func.func @generic(%a: tensor<2x3x4x5xf32>, %b: tensor<4x5x6xf32>) -> tensor<6x3x2xf32> {
  %c = arith.constant dense<0.0> : tensor<6x3x2xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(n, b, a, k, l) -> (a, b, k, l)>, affine_map<(n, b, a, k, l) -> (k, l, n)>, affine_map<(n, b, a, k, l) -> (n, b, a)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%a, %b : tensor<2x3x4x5xf32>, tensor<4x5x6xf32>) outs(%c : tensor<6x3x2xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<6x3x2xf32>
  return %0 : tensor<6x3x2xf32>
}

// -----

// CHECK-LABEL: func.func @mmt4d(
// CHECK-SAME: %[[A:.*]]: tensor<2x3x4x8xf32>, %[[B:.*]]: tensor<5x3x6x8xf32>
// CHECK: %[[R1:.*]] = "ttir.transpose"(%[[A]], %{{.*}}) <{dim0 = 1 : si32, dim1 = 2 : si32{{.*}} -> tensor<2x4x3x8xf32>
// CHECK: %[[R3:.*]] = "ttir.permute"(%[[B]], %{{.*}}) <{{.*}}permutation = array<i64: 1, 3, 0, 2>{{.*}} -> tensor<3x8x5x6xf32>
// CHECK: %[[R5:.*]] = "ttir.reshape"(%[[R1]], %{{.*}}) <{{.*}}shape = [8 : i32, 24 : i32]{{.*}} -> tensor<8x24xf32>
// CHECK: %[[R7:.*]] = "ttir.reshape"(%[[R3]], %{{.*}}) <{{.*}}shape = [24 : i32, 30 : i32]{{.*}} -> tensor<24x30xf32>
// CHECK: %[[R9:.*]] = "ttir.matmul"(%[[R5]], %[[R7]], %{{.*}}){{.*}} -> tensor<8x30xf32>
// CHECK: %[[R11:.*]] = "ttir.reshape"(%[[R9]], %{{.*}}) <{{.*}}shape = [2 : i32, 4 : i32, 5 : i32, 6 : i32]{{.*}} -> tensor<2x4x5x6xf32>
// CHECK: %[[R13:.*]] = "ttir.transpose"(%[[R11]], %{{.*}}) <{dim0 = 1 : si32, dim1 = 2 : si32{{.*}} -> tensor<2x5x4x6xf32>
// CHECK-NEXT: return %[[R13]]
func.func @mmt4d(%a: tensor<2x3x4x8xf32>, %b: tensor<5x3x6x8xf32>) -> tensor<2x5x4x6xf32> {
  %c = arith.constant dense<0.0> : tensor<2x5x4x6xf32>
  %0 = linalg.mmt4d ins(%a, %b : tensor<2x3x4x8xf32>, tensor<5x3x6x8xf32>) outs(%c : tensor<2x5x4x6xf32>) -> tensor<2x5x4x6xf32>
  return %0 : tensor<2x5x4x6xf32>
}

// -----

// Factors may be expressions.
// CHECK-LABEL: func.func @fused(
// CHECK-SAME: %[[A:.*]]: tensor<4x8xf32>, %[[B:.*]]: tensor<8x16xsi32>
// CHECK: %[[R1:.*]] = "ttir.exp"(%[[A]], %{{.*}}){{.*}} -> tensor<4x8xf32>
// CHECK: %[[R3:.*]] = "ttir.typecast"(%[[B]], %{{.*}}){{.*}} -> tensor<8x16xf32>
// CHECK: %[[R5:.*]] = "ttir.matmul"(%[[R1]], %[[R3]], %{{.*}}){{.*}} -> tensor<4x16xf32>
// CHECK-NEXT: return %[[R5]]
func.func @fused(%a: tensor<4x8xf32>, %b: tensor<8x16xi32>) -> tensor<4x16xf32> {
  %c = arith.constant dense<0.0> : tensor<4x16xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<4x8xf32>, tensor<8x16xi32>) outs(%c : tensor<4x16xf32>) {
  ^bb0(%x: f32, %y: i32, %z: f32):
    %e = math.exp %x : f32
    %f = arith.sitofp %y : i32 to f32
    %p = arith.mulf %e, %f : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x16xf32>
  return %0 : tensor<4x16xf32>
}

// -----

// The square of one operand is not a matrix product.
// CHECK-LABEL: func.func @square(
// CHECK-SAME: %[[A:.*]]: tensor<4x8xf32>
// CHECK: %[[R1:.*]] = "ttir.multiply"(%[[A]], %[[A]], %{{.*}}){{.*}} -> tensor<4x8xf32>
// CHECK: %[[R3:.*]] = "ttir.sum"(%[[R1]], %{{.*}}) <{dim_arg = [1 : i32], keep_dim = false{{.*}} -> tensor<4xf32>
// CHECK-NEXT: return %[[R3]]
func.func @square(%a: tensor<4x8xf32>) -> tensor<4xf32> {
  %c = arith.constant dense<0.0> : tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> (m)>], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<4x8xf32>) outs(%c : tensor<4xf32>) {
  ^bb0(%x: f32, %z: f32):
    %p = arith.mulf %x, %x : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
