// RUN: ttmlir-opt --convert-linalg-to-ttir --split-input-file %s | FileCheck %s
// Ops of tensor, arith and math on whole tensors.

// CHECK-LABEL: func.func @shapes(
// CHECK-SAME: %[[A:.*]]: tensor<4x8xf32>
// CHECK: %[[R1:.*]] = "ttir.reshape"(%[[A]], %{{.*}}) <{{.*}}shape = [32 : i32]{{.*}} -> tensor<32xf32>
// CHECK: %[[R3:.*]] = "ttir.reshape"(%[[A]], %{{.*}}) <{{.*}}shape = [4 : i32, 2 : i32, 4 : i32]{{.*}} -> tensor<4x2x4xf32>
// CHECK: %[[R5:.*]] = "ttir.reshape"(%[[A]], %{{.*}}) <{{.*}}shape = [8 : i32, 4 : i32]{{.*}} -> tensor<8x4xf32>
// CHECK-NEXT: return %[[R1]], %[[R3]], %[[R5]], %[[A]]
func.func @shapes(%a: tensor<4x8xf32>) -> (tensor<32xf32>, tensor<4x2x4xf32>, tensor<8x4xf32>, tensor<4x8xf32>) {
  %0 = tensor.collapse_shape %a [[0, 1]] : tensor<4x8xf32> into tensor<32xf32>
  %1 = tensor.expand_shape %a [[0], [1, 2]] output_shape [4, 2, 4] : tensor<4x8xf32> into tensor<4x2x4xf32>
  %s = arith.constant dense<[8, 4]> : tensor<2xi64>
  %2 = tensor.reshape %a(%s) : (tensor<4x8xf32>, tensor<2xi64>) -> tensor<8x4xf32>
  %3 = tensor.cast %a : tensor<4x8xf32> to tensor<4x8xf32>
  return %0, %1, %2, %3 : tensor<32xf32>, tensor<4x2x4xf32>, tensor<8x4xf32>, tensor<4x8xf32>
}

// -----

// CHECK-LABEL: func.func @pad(
// CHECK-SAME: %[[A:.*]]: tensor<4x8xf32>
// CHECK: %[[R1:.*]] = "ttir.pad"(%[[A]], %{{.*}}) <{{.*}}padding = array<i32: 0, 1, 2, 1>, value = 2.000000e+00 : f32{{.*}} -> tensor<5x11xf32>
// CHECK-NEXT: return %[[R1]]
func.func @pad(%a: tensor<4x8xf32>) -> tensor<5x11xf32> {
  %c = arith.constant 2.0 : f32
  %0 = tensor.pad %a low[0, 2] high[1, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %c : f32
  } : tensor<4x8xf32> to tensor<5x11xf32>
  return %0 : tensor<5x11xf32>
}

// -----

// A slice may lose dimensions.
// CHECK-LABEL: func.func @extract_slice(
// CHECK-SAME: %[[A:.*]]: tensor<4x8xf32>
// CHECK: %[[R1:.*]] = "ttir.slice"(%[[A]], %{{.*}}) <{begins = [1 : i32, 2 : i32], ends = [2 : i32, 7 : i32]{{.*}}, step = [1 : i32, 2 : i32]{{.*}} -> tensor<1x3xf32>
// CHECK: %[[R3:.*]] = "ttir.reshape"(%[[R1]], %{{.*}}) <{{.*}}shape = [3 : i32]{{.*}} -> tensor<3xf32>
// CHECK-NEXT: return %[[R3]]
func.func @extract_slice(%a: tensor<4x8xf32>) -> tensor<3xf32> {
  %0 = tensor.extract_slice %a[1, 2] [1, 3] [1, 2] : tensor<4x8xf32> to tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// What lies around the block is put together with it.
// CHECK-LABEL: func.func @insert_slice(
// CHECK-SAME: %[[A:.*]]: tensor<2x8xf32>, %[[B:.*]]: tensor<4x8xf32>
// CHECK: %[[R1:.*]] = "ttir.slice"(%[[B]], %{{.*}}) <{begins = [0 : i32, 0 : i32], ends = [1 : i32, 8 : i32]{{.*}}, step = [1 : i32, 1 : i32]{{.*}} -> tensor<1x8xf32>
// CHECK: %[[R3:.*]] = "ttir.slice"(%[[B]], %{{.*}}) <{begins = [3 : i32, 0 : i32], ends = [4 : i32, 8 : i32]{{.*}}, step = [1 : i32, 1 : i32]{{.*}} -> tensor<1x8xf32>
// CHECK: %[[R5:.*]] = "ttir.concat"(%[[R1]], %[[A]], %[[R3]], %{{.*}}) <{dim = 0 : si32{{.*}} -> tensor<4x8xf32>
// CHECK-NEXT: return %[[R5]]
func.func @insert_slice(%a: tensor<2x8xf32>, %b: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = tensor.insert_slice %a into %b[1, 0] [2, 8] [1, 1] : tensor<2x8xf32> into tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

// CHECK-LABEL: func.func @concat(
// CHECK-SAME: %[[A:.*]]: tensor<4x8xf32>, %[[B:.*]]: tensor<4x2xf32>
// CHECK: %[[R1:.*]] = "ttir.concat"(%[[A]], %[[B]], %{{.*}}) <{dim = 1 : si32{{.*}} -> tensor<4x10xf32>
// CHECK-NEXT: return %[[R1]]
func.func @concat(%a: tensor<4x8xf32>, %b: tensor<4x2xf32>) -> tensor<4x10xf32> {
  %0 = tensor.concat dim(1) %a, %b : (tensor<4x8xf32>, tensor<4x2xf32>) -> tensor<4x10xf32>
  return %0 : tensor<4x10xf32>
}

// -----

// CHECK-LABEL: func.func @constants(
// CHECK: %[[R0:.*]] = "ttir.constant"() <{value = dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>{{.*}} -> tensor<2xf32>
// CHECK: %[[R1:.*]] = "ttir.constant"() <{value = dense<3> : tensor<4xsi32>{{.*}} -> tensor<4xsi32>
// CHECK: %[[R2:.*]] = "ttir.constant"() <{value = dense<{{\[\[}}true, false], [false, true]]> : tensor<2x2xi1>{{.*}} -> tensor<2x2xi1>
// CHECK-NEXT: return %[[R0]], %[[R1]], %[[R2]]
func.func @constants() -> (tensor<2xf32>, tensor<4xi32>, tensor<2x2xi1>) {
  %a = arith.constant 1.0 : f32
  %b = arith.constant 2.0 : f32
  %0 = tensor.from_elements %a, %b : tensor<2xf32>
  %c = arith.constant 3 : i32
  %1 = tensor.splat %c : tensor<4xi32>
  %2 = arith.constant dense<[[true, false], [false, true]]> : tensor<2x2xi1>
  return %0, %1, %2 : tensor<2xf32>, tensor<4xi32>, tensor<2x2xi1>
}

// -----

// CHECK-LABEL: func.func @on_tensors(
// CHECK-SAME: %[[A:.*]]: tensor<4xf32>, %[[B:.*]]: tensor<4xf32>
// CHECK: %[[R1:.*]] = "ttir.add"(%[[A]], %[[B]], %{{.*}}){{.*}} -> tensor<4xf32>
// CHECK: %[[R3:.*]] = "ttir.exp"(%[[R1]], %{{.*}}){{.*}} -> tensor<4xf32>
// CHECK: %[[R5:.*]] = "ttir.ge"(%[[R3]], %[[B]], %{{.*}}){{.*}} -> tensor<4xi1>
// CHECK-NEXT: return %[[R3]], %[[R5]]
func.func @on_tensors(%a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xi1>) {
  %0 = arith.addf %a, %b : tensor<4xf32>
  %1 = math.exp %0 : tensor<4xf32>
  %2 = arith.cmpf oge, %1, %b : tensor<4xf32>
  return %1, %2 : tensor<4xf32>, tensor<4xi1>
}

// -----

// The only element of a tensor is a number for others to compute with.
// CHECK-LABEL: func.func @number(
// CHECK-SAME: %[[S:.*]]: tensor<f32>, %[[B:.*]]: tensor<4xf32>
// CHECK: %[[A:.*]] = "ttir.reshape"(%[[S]], %{{.*}}) <{{.*}}shape = [1 : i32]{{.*}} -> tensor<1xf32>
// CHECK: %[[R1:.*]] = "ttir.multiply"(%[[B]], %[[A]], %{{.*}}){{.*}} -> tensor<4xf32>
// CHECK: %[[R3:.*]] = "ttir.broadcast"(%[[A]], %{{.*}}) <{dimension = [0]{{.*}} -> tensor<8xf32>
// CHECK-NEXT: return %[[R1]], %[[R3]]
func.func @number(%a: tensor<f32>, %b: tensor<4xf32>) -> (tensor<4xf32>, tensor<8xf32>) {
  %s = tensor.extract %a[] : tensor<f32>
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%b : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %r = arith.mulf %x, %s : f32
    linalg.yield %r : f32
  } -> tensor<4xf32>
  %1 = tensor.splat %s : tensor<8xf32>
  return %0, %1 : tensor<4xf32>, tensor<8xf32>
}
