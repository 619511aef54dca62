// RUN: ttmlir-opt --convert-linalg-to-ttir --split-input-file %s | FileCheck %s
// Reductions, and what becomes of their initial values.

// CHECK-LABEL: func.func @sum(
// CHECK-SAME: %[[A:.*]]: tensor<4x8xf32>
// CHECK: %[[R1:.*]] = "ttir.sum"(%[[A]], %{{.*}}) <{dim_arg = [1 : i32], keep_dim = false{{.*}} -> tensor<4xf32>
// CHECK-NEXT: return %[[R1]]
func.func @sum(%a: tensor<4x8xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %0 = linalg.reduce { arith.addf } ins(%a : tensor<4x8xf32>) outs(%f : tensor<4xf32>) dimensions = [1]
  return %0 : tensor<4xf32>
}

// -----

// One is not the neutral element of a sum.
// CHECK-LABEL: func.func @from_one(
// CHECK-SAME: %[[A:.*]]: tensor<4x8xf32>
// CHECK: %[[R0:.*]] = "ttir.constant"() <{value = dense<1.000000e+00> : tensor<8xf32>{{.*}} -> tensor<8xf32>
// CHECK: %[[R2:.*]] = "ttir.transpose"(%[[A]], %{{.*}}) <{dim0 = 0 : si32, dim1 = 1 : si32{{.*}} -> tensor<8x4xf32>
// CHECK: %[[R4:.*]] = "ttir.sum"(%[[R2]], %{{.*}}) <{dim_arg = [1 : i32], keep_dim = false{{.*}} -> tensor<8xf32>
// CHECK: %[[R6:.*]] = "ttir.add"(%[[R4]], %[[R0]], %{{.*}}){{.*}} -> tensor<8xf32>
// CHECK-NEXT: return %[[R6]]
func.func @from_one(%a: tensor<4x8xf32>) -> tensor<8xf32> {
  %c = arith.constant dense<1.0> : tensor<8xf32>
  %0 = linalg.reduce { arith.addf } ins(%a : tensor<4x8xf32>) outs(%c : tensor<8xf32>) dimensions = [0]
  return %0 : tensor<8xf32>
}

// -----

// CHECK-LABEL: func.func @max(
// CHECK-SAME: %[[A:.*]]: tensor<4x8xf32>
// CHECK: %[[R1:.*]] = "ttir.max"(%[[A]], %{{.*}}) <{dim_arg = [0 : i32, 1 : i32], keep_dim = false{{.*}} -> tensor<1xf32>
// CHECK: %[[R3:.*]] = "ttir.reshape"(%[[R1]], %{{.*}}) <{{.*}}shape = []{{.*}} -> tensor<f32>
// CHECK-NEXT: return %[[R3]]
func.func @max(%a: tensor<4x8xf32>) -> tensor<f32> {
  %c = arith.constant dense<0xFF800000> : tensor<f32>
  %0 = linalg.reduce { arith.maximumf } ins(%a : tensor<4x8xf32>) outs(%c : tensor<f32>) dimensions = [0, 1]
  return %0 : tensor<f32>
}

// -----

// The least finite number is not neutral either: of infinities it is the maximum.
// CHECK-LABEL: func.func @min_of_i32(
// CHECK-SAME: %[[A:.*]]: tensor<4x8xsi32>
// CHECK: %[[R1:.*]] = "ttir.min"(%[[A]], %{{.*}}) <{dim_arg = [1 : i32], keep_dim = false{{.*}} -> tensor<4xsi32>
// CHECK-NEXT: return %[[R1]]
func.func @min_of_i32(%a: tensor<4x8xi32>) -> tensor<4xi32> {
  %c = arith.constant dense<2147483647> : tensor<4xi32>
  %0 = linalg.reduce { arith.minsi } ins(%a : tensor<4x8xi32>) outs(%c : tensor<4xi32>) dimensions = [1]
  return %0 : tensor<4xi32>
}

// -----

// CHECK-LABEL: func.func @product(
// CHECK-SAME: %[[A:.*]]: tensor<4x8xf32>
// CHECK: %[[R1:.*]] = "ttir.prod"(%[[A]], %{{.*}}) <{dim_arg = [1 : i32], keep_dim = false{{.*}} -> tensor<4xf32>
// CHECK-NEXT: return %[[R1]]
func.func @product(%a: tensor<4x8xf32>) -> tensor<4xf32> {
  %c = arith.constant dense<1.0> : tensor<4xf32>
  %0 = linalg.reduce { arith.mulf } ins(%a : tensor<4x8xf32>) outs(%c : tensor<4xf32>) dimensions = [1]
  return %0 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @any(
// CHECK-SAME: %[[A:.*]]: tensor<4x8xi1>
// CHECK: %[[R1:.*]] = "ttir.max"(%[[A]], %{{.*}}) <{dim_arg = [1 : i32], keep_dim = false{{.*}} -> tensor<4xi1>
// CHECK-NEXT: return %[[R1]]
func.func @any(%a: tensor<4x8xi1>) -> tensor<4xi1> {
  %c = arith.constant dense<false> : tensor<4xi1>
  %0 = linalg.reduce { arith.ori } ins(%a : tensor<4x8xi1>) outs(%c : tensor<4xi1>) dimensions = [1]
  return %0 : tensor<4xi1>
}

// -----

// NaN does not count in maxnumf.
// CHECK-LABEL: func.func @maxnum(
// CHECK-SAME: %[[A:.*]]: tensor<4x8xf32>
// CHECK: %[[R0:.*]] = "ttir.constant"() <{value = dense<0xFF800000> : tensor<1xf32>{{.*}} -> tensor<1xf32>
// CHECK: %[[R2:.*]] = "ttir.ne"(%[[A]], %[[A]], %{{.*}}){{.*}} -> tensor<4x8xi1>
// CHECK: %[[R4:.*]] = "ttir.where"(%[[R2]], %[[R0]], %[[A]], %{{.*}}){{.*}} -> tensor<4x8xf32>
// CHECK: %[[R6:.*]] = "ttir.max"(%[[R4]], %{{.*}}) <{dim_arg = [1 : i32], keep_dim = false{{.*}} -> tensor<4xf32>
// CHECK-NEXT: return %[[R6]]
func.func @maxnum(%a: tensor<4x8xf32>) -> tensor<4xf32> {
  %c = arith.constant dense<0xFF800000> : tensor<4xf32>
  %0 = linalg.reduce { arith.maxnumf } ins(%a : tensor<4x8xf32>) outs(%c : tensor<4xf32>) dimensions = [1]
  return %0 : tensor<4xf32>
}

// -----

// The elementwise part comes first, broadcast to all loops.
// CHECK-LABEL: func.func @of_expression(
// CHECK-SAME: %[[A:.*]]: tensor<4x8xf32>, %[[B:.*]]: tensor<4xf32>
// CHECK: %[[R1:.*]] = "ttir.reshape"(%[[B]], %{{.*}}) <{{.*}}shape = [4 : i32, 1 : i32]{{.*}} -> tensor<4x1xf32>
// CHECK: %[[R3:.*]] = "ttir.subtract"(%[[A]], %[[R1]], %{{.*}}){{.*}} -> tensor<4x8xf32>
// CHECK: %[[R5:.*]] = "ttir.multiply"(%[[R3]], %[[R3]], %{{.*}}){{.*}} -> tensor<4x8xf32>
// CHECK: %[[R7:.*]] = "ttir.sum"(%[[R5]], %{{.*}}) <{dim_arg = [1 : i32], keep_dim = false{{.*}} -> tensor<4xf32>
// CHECK-NEXT: return %[[R7]]
func.func @of_expression(%a: tensor<4x8xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %c = arith.constant dense<0.0> : tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%a, %b : tensor<4x8xf32>, tensor<4xf32>) outs(%c : tensor<4xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %d = arith.subf %x, %y : f32
    %q = arith.mulf %d, %d : f32
    %s = arith.addf %q, %o : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
