// RUN: ttmlir-opt --convert-linalg-to-ttir --split-input-file %s | FileCheck %s
// Bodies of arith and math, with the transposes and broadcasts that indexing
// maps say.

// Broadcasts go without an op where elementwise ops broadcast themselves.
// CHECK-LABEL: func.func @bias(
// CHECK-SAME: %[[A:.*]]: tensor<4x16xf32>, %[[B:.*]]: tensor<16xf32>
// CHECK: %[[R1:.*]] = "ttir.add"(%[[A]], %[[B]], %{{.*}}){{.*}} -> tensor<4x16xf32>
// CHECK: %[[R3:.*]] = "ttir.relu"(%[[R1]], %{{.*}}){{.*}} -> tensor<4x16xf32>
// CHECK-NEXT: return %[[R3]]
func.func @bias(%a: tensor<4x16xf32>, %c: tensor<16xf32>) -> tensor<4x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x16xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a, %c : tensor<4x16xf32>, tensor<16xf32>) outs(%e : tensor<4x16xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    %r = arith.maximumf %s, %zero : f32
    linalg.yield %r : f32
  } -> tensor<4x16xf32>
  return %0 : tensor<4x16xf32>
}

// -----

// CHECK-LABEL: func.func @maps(
// CHECK-SAME: %[[A:.*]]: tensor<8x4xf32>, %[[B:.*]]: tensor<4xf32>, %[[C:.*]]: tensor<1x8xf32>
// CHECK: %[[R1:.*]] = "ttir.transpose"(%[[A]], %{{.*}}) <{dim0 = 0 : si32, dim1 = 1 : si32{{.*}} -> tensor<4x8xf32>
// CHECK: %[[R3:.*]] = "ttir.reshape"(%[[B]], %{{.*}}) <{{.*}}shape = [4 : i32, 1 : i32]{{.*}} -> tensor<4x1xf32>
// CHECK: %[[R5:.*]] = "ttir.multiply"(%[[R1]], %[[R3]], %{{.*}}){{.*}} -> tensor<4x8xf32>
// CHECK: %[[R7:.*]] = "ttir.subtract"(%[[R5]], %[[C]], %{{.*}}){{.*}} -> tensor<4x8xf32>
// CHECK-NEXT: return %[[R7]]
func.func @maps(%a: tensor<8x4xf32>, %b: tensor<4xf32>, %c: tensor<1x8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (0, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a, %b, %c : tensor<8x4xf32>, tensor<4xf32>, tensor<1x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32, %o: f32):
    %s = arith.mulf %x, %y : f32
    %r = arith.subf %s, %z : f32
    linalg.yield %r : f32
  } -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

// The loops are in the order of the output.
// CHECK-LABEL: func.func @output_map(
// CHECK-SAME: %[[A:.*]]: tensor<4x8xf32>
// CHECK: %[[R1:.*]] = "ttir.transpose"(%[[A]], %{{.*}}) <{dim0 = 0 : si32, dim1 = 1 : si32{{.*}} -> tensor<8x4xf32>
// CHECK: %[[R3:.*]] = "ttir.exp"(%[[R1]], %{{.*}}){{.*}} -> tensor<8x4xf32>
// CHECK-NEXT: return %[[R3]]
func.func @output_map(%a: tensor<4x8xf32>) -> tensor<8x4xf32> {
  %e = tensor.empty() : tensor<8x4xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j, i)>], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<4x8xf32>) outs(%e : tensor<8x4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %r = math.exp %x : f32
    linalg.yield %r : f32
  } -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// -----

// A copy into more dimensions is a broadcast, and constants come from outside.
// CHECK-LABEL: func.func @copies(
// CHECK-SAME: %[[A:.*]]: tensor<8xf32>
// CHECK: %[[R1:.*]] = "ttir.reshape"(%[[A]], %{{.*}}) <{{.*}}shape = [1 : i32, 8 : i32]{{.*}} -> tensor<1x8xf32>
// CHECK: %[[R3:.*]] = "ttir.broadcast"(%[[R1]], %{{.*}}) <{dimension = [0, 1]{{.*}} -> tensor<4x8xf32>
// CHECK: %[[R4:.*]] = "ttir.constant"() <{value = dense<2.000000e+00> : tensor<4x8xf32>{{.*}} -> tensor<4x8xf32>
// CHECK-NEXT: return %[[R3]], %[[R4]]
func.func @copies(%a: tensor<8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %two = arith.constant 2.0 : f32
  %e = tensor.empty() : tensor<4x8xf32>
  %0:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<8xf32>) outs(%e, %e : tensor<4x8xf32>, tensor<4x8xf32>) {
  ^bb0(%x: f32, %o: f32, %p: f32):
    linalg.yield %x, %two : f32, f32
  } -> (tensor<4x8xf32>, tensor<4x8xf32>)
  return %0#0, %0#1 : tensor<4x8xf32>, tensor<4x8xf32>
}

// -----

// Types change inside; comparisons are 0 and 1.
// CHECK-LABEL: func.func @types(
// CHECK-SAME: %[[A:.*]]: tensor<4x8xbf16>, %[[B:.*]]: tensor<4x8xsi32>
// CHECK: %[[R1:.*]] = "ttir.typecast"(%[[A]], %{{.*}}){{.*}} -> tensor<4x8xf32>
// CHECK: %[[R3:.*]] = "ttir.typecast"(%[[B]], %{{.*}}){{.*}} -> tensor<4x8xf32>
// CHECK: %[[R5:.*]] = "ttir.lt"(%[[R1]], %[[R3]], %{{.*}}){{.*}} -> tensor<4x8xi1>
// CHECK: %[[R7:.*]] = "ttir.where"(%[[R5]], %[[R1]], %[[R3]], %{{.*}}){{.*}} -> tensor<4x8xf32>
// CHECK-NEXT: return %[[R7]], %[[R5]]
func.func @types(%a: tensor<4x8xbf16>, %b: tensor<4x8xi32>) -> (tensor<4x8xf32>, tensor<4x8xi1>) {
  %e = tensor.empty() : tensor<4x8xf32>
  %g = tensor.empty() : tensor<4x8xi1>
  %0:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a, %b : tensor<4x8xbf16>, tensor<4x8xi32>) outs(%e, %g : tensor<4x8xf32>, tensor<4x8xi1>) {
  ^bb0(%x: bf16, %y: i32, %o: f32, %p: i1):
    %w = arith.extf %x : bf16 to f32
    %f = arith.sitofp %y : i32 to f32
    %l = arith.cmpf olt, %w, %f : f32
    %s = arith.select %l, %w, %f : f32
    linalg.yield %s, %l : f32, i1
  } -> (tensor<4x8xf32>, tensor<4x8xi1>)
  return %0#0, %0#1 : tensor<4x8xf32>, tensor<4x8xi1>
}

// -----

// The number of the loop, spread over the others.
// CHECK-LABEL: func.func @index(
// CHECK: %[[R0:.*]] = "ttir.arange"() <{arange_dimension = 0 : i64, end = 4 : si64, start = 0 : si64, step = 1 : si64{{.*}} -> tensor<4xsi32>
// CHECK: %[[R2:.*]] = "ttir.reshape"(%[[R0]], %{{.*}}) <{{.*}}shape = [4 : i32, 1 : i32]{{.*}} -> tensor<4x1xsi32>
// CHECK: %[[R4:.*]] = "ttir.broadcast"(%[[R2]], %{{.*}}) <{dimension = [0, 1]{{.*}} -> tensor<4x8xsi32>
// CHECK-NEXT: return %[[R4]]
func.func @index() -> tensor<4x8xi32> {
  %e = tensor.empty() : tensor<4x8xi32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<4x8xi32>) {
  ^bb0(%o: i32):
    %i = linalg.index 0 : index
    %n = arith.index_cast %i : index to i32
    linalg.yield %n : i32
  } -> tensor<4x8xi32>
  return %0 : tensor<4x8xi32>
}

// -----

// The output's former elements are an operand like others.
// CHECK-LABEL: func.func @in_place(
// CHECK-SAME: %[[A:.*]]: tensor<8xf32>, %[[B:.*]]: tensor<8xf32>
// CHECK: %[[R1:.*]] = "ttir.add"(%[[A]], %[[B]], %{{.*}}){{.*}} -> tensor<8xf32>
// CHECK-NEXT: return %[[R1]]
func.func @in_place(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%a : tensor<8xf32>) outs(%b : tensor<8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %r = arith.addf %x, %o : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
