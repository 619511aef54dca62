// RUN: ttmlir-opt --ttir-decomposition %s | FileCheck %s
// What moves elements takes rows, but for the transposition of matrices; a broadcast that elementwise
// ops can do themselves goes away.
#any = #tt.operand_constraint<any_device>
// CHECK-DAG: #[[ROWS:.*]] = #tt.operand_constraint<dram|scalar|none|
// CHECK-LABEL: func.func @transposes
// CHECK: %[[A:.*]] = "ttir.permute"(%arg0, %{{.*}}) <{operand_constraints = [#[[ROWS]], #[[ROWS]]], permutation = array<i64: 1, 0, 2>}>
// CHECK: "ttir.transpose"(%[[A]], %{{.*}}) <{dim0 = 1 : si32, dim1 = 2 : si32, operand_constraints = [#any_device_tile, #any_device_tile]}>
func.func @transposes(%a: tensor<2x3x64xf32>) -> tensor<3x64x2xf32> {
  %0 = tensor.empty() : tensor<3x2x64xf32>
  %1 = "ttir.transpose"(%a, %0) <{dim0 = 0 : si32, dim1 = -2 : si32, operand_constraints = [#any, #any]}> : (tensor<2x3x64xf32>, tensor<3x2x64xf32>) -> tensor<3x2x64xf32>
  %2 = tensor.empty() : tensor<3x64x2xf32>
  %3 = "ttir.permute"(%1, %2) <{operand_constraints = [#any, #any], permutation = array<i64: 0, 2, 1>}> : (tensor<3x2x64xf32>, tensor<3x64x2xf32>) -> tensor<3x64x2xf32>
  return %3 : tensor<3x64x2xf32>
}
// CHECK-LABEL: func.func @folded
// CHECK-NOT: ttir.repeat
// CHECK: %[[R:.*]] = "ttir.reshape"(%arg1, {{.*}} -> tensor<64x1xf32>
// CHECK: "ttir.add"(%arg0, %[[R]],
// CHECK-NOT: ttir.repeat
// CHECK: return
func.func @folded(%a: tensor<64x10xf32>, %b: tensor<64xf32>) -> tensor<64x10xf32> {
  %0 = tensor.empty() : tensor<64x10xf32>
  %1 = "ttir.broadcast"(%b, %0) <{dimension = [0], operand_constraints = [#any, #any]}> : (tensor<64xf32>, tensor<64x10xf32>) -> tensor<64x10xf32>
  %2 = tensor.empty() : tensor<64x10xf32>
  %3 = "ttir.add"(%a, %1, %2) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x10xf32>, tensor<64x10xf32>, tensor<64x10xf32>) -> tensor<64x10xf32>
  return %3 : tensor<64x10xf32>
}
// Returned, and the sum of two broadcasts would be too small without them.
// CHECK-LABEL: func.func @repeated
// CHECK: %[[R:.*]] = "ttir.repeat"(%arg0, {{.*}}repeat_dimensions = array<i64: 64, 1>
// CHECK: return %[[R]]
func.func @repeated(%a: tensor<1x10xf32>) -> tensor<64x10xf32> {
  %0 = tensor.empty() : tensor<64x10xf32>
  %1 = "ttir.broadcast"(%a, %0) <{dimension = [0, 1], operand_constraints = [#any, #any]}> : (tensor<1x10xf32>, tensor<64x10xf32>) -> tensor<64x10xf32>
  return %1 : tensor<64x10xf32>
}
// The last dimension moves by a transposition between permutations of rows.
// CHECK-LABEL: func.func @channels_first
// CHECK: "ttir.transpose"({{.*}}dim0 = 2 : si32, dim1 = 3 : si32{{.*}}-> tensor<8x56x64x48xf32>
// CHECK: "ttir.permute"({{.*}}permutation = array<i64: 0, 2, 1, 3>{{.*}}-> tensor<8x64x56x48xf32>
func.func @channels_first(%a: tensor<8x56x48x64xf32>) -> tensor<8x64x56x48xf32> {
  %0 = tensor.empty() : tensor<8x64x56x48xf32>
  %1 = "ttir.permute"(%a, %0) <{operand_constraints = [#any, #any], permutation = array<i64: 0, 3, 1, 2>}> : (tensor<8x56x48x64xf32>, tensor<8x64x56x48xf32>) -> tensor<8x64x56x48xf32>
  return %1 : tensor<8x64x56x48xf32>
}
// CHECK-LABEL: func.func @reversed
// CHECK: "ttir.permute"({{.*}}permutation = array<i64: 1, 0, 2>{{.*}}-> tensor<96x64x100xf32>
// CHECK: "ttir.transpose"({{.*}}-> tensor<96x100x64xf32>
// CHECK: "ttir.permute"({{.*}}permutation = array<i64: 1, 0, 2>{{.*}}-> tensor<100x96x64xf32>
func.func @reversed(%a: tensor<64x96x100xf32>) -> tensor<100x96x64xf32> {
  %0 = tensor.empty() : tensor<100x96x64xf32>
  %1 = "ttir.permute"(%a, %0) <{operand_constraints = [#any, #any], permutation = array<i64: 2, 1, 0>}> : (tensor<64x96x100xf32>, tensor<100x96x64xf32>) -> tensor<100x96x64xf32>
  return %1 : tensor<100x96x64xf32>
}
// Tiles of these matrices would be padding.
// CHECK-LABEL: func.func @small_matrices
// CHECK-NOT: "ttir.transpose"
func.func @small_matrices(%a: tensor<2x1000x3xf32>) -> tensor<1000x3x2xf32> {
  %0 = tensor.empty() : tensor<1000x3x2xf32>
  %1 = "ttir.permute"(%a, %0) <{operand_constraints = [#any, #any], permutation = array<i64: 1, 2, 0>}> : (tensor<2x1000x3xf32>, tensor<1000x3x2xf32>) -> tensor<1000x3x2xf32>
  return %1 : tensor<1000x3x2xf32>
}
// One-hot rows of a large table by many tokens would be gigabytes: rows of the table are taken in
// blocks of at most 2^26 of them.
// CHECK-LABEL: func.func @gradient
// CHECK: "ttir.arange"() <{arange_dimension = 0 : i64, end = 1632 : si64, start = 0 : si64
// CHECK: "ttir.eq"({{.*}} -> tensor<1632x40960xf32>
// CHECK: %[[FIRST:.*]] = "ttir.matmul"({{.*}} -> tensor<1632x64xf32>
// CHECK: "ttir.arange"() <{arange_dimension = 0 : i64, end = 2000 : si64, start = 1632 : si64
// CHECK: %[[SECOND:.*]] = "ttir.matmul"({{.*}} -> tensor<368x64xf32>
// CHECK: "ttir.concat"(%[[FIRST]], %[[SECOND]],
func.func @gradient(%index: tensor<10x4096xi32>, %table: tensor<2000x64xf32>, %g: tensor<10x4096x64xf32>) -> tensor<2000x64xf32> {
  %0 = tensor.empty() : tensor<2000x64xf32>
  %1 = "ttir.embedding_backward"(%index, %table, %g, %0) <{operand_constraints = [#any, #any, #any, #any]}> : (tensor<10x4096xi32>, tensor<2000x64xf32>, tensor<10x4096x64xf32>, tensor<2000x64xf32>) -> tensor<2000x64xf32>
  return %1 : tensor<2000x64xf32>
}
