// RUN: ttmlir-opt --ttir-decomposition %s | FileCheck %s
// RUN: ttmlir-opt --ttir-decomposition --remarks %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// Softmax and norms are reductions and elementwise ops, in f32 until the last one.
// REMARK-DAG: remark: [Passed] Decomposed | Category:ttir-decomposition{{.*}} | Op=ttir.softmax, Reason="becomes ttir.max, ttir.subtract, ttir.exp, ttir.sum, ttir.div", Rejected="one kernel: there is none
#any = #tt.operand_constraint<any_device>
// CHECK-DAG: #any_device_tile = #tt.operand_constraint<
// CHECK-LABEL: func.func @softmax
// CHECK: %[[MAX:.*]] = "ttir.max"(%arg0, %{{.*}}) <{dim_arg = [1 : i32], keep_dim = true, operand_constraints = [#any_device_tile, #any_device_tile]}> {{.*}} -> tensor<64x1xbf16>
// CHECK: %[[SHIFTED:.*]] = "ttir.subtract"(%arg0, %[[MAX]], {{.*}} -> tensor<64x10xf32>
// CHECK: %[[EXP:.*]] = "ttir.exp"(%[[SHIFTED]], {{.*}} -> tensor<64x10xf32>
// CHECK: %[[SUM:.*]] = "ttir.sum"(%[[EXP]], {{.*}}dim_arg = [1 : i32], keep_dim = true{{.*}} -> tensor<64x1xf32>
// CHECK: %[[OUT:.*]] = "ttir.div"(%[[EXP]], %[[SUM]], {{.*}} -> tensor<64x10xbf16>
// CHECK-NEXT: return %[[OUT]]
func.func @softmax(%a: tensor<64x10xbf16>) -> tensor<64x10xbf16> {
  %0 = tensor.empty() : tensor<64x10xbf16>
  %1 = "ttir.softmax"(%a, %0) <{dimension = -1 : si32, operand_constraints = [#any, #any]}> : (tensor<64x10xbf16>, tensor<64x10xbf16>) -> tensor<64x10xbf16>
  return %1 : tensor<64x10xbf16>
}
// CHECK-LABEL: func.func @layer_norm
// CHECK: %[[SUM:.*]] = "ttir.sum"(%arg0, {{.*}}dim_arg = [1 : i32]
// CHECK: %[[COUNT:.*]] = "ttir.full"() <{fill_value = 1.000000e+01 : f32, shape = array<i32: 1>}>
// CHECK: %[[MEAN:.*]] = "ttir.div"(%[[SUM]], %[[COUNT]],
// CHECK: %[[X:.*]] = "ttir.subtract"(%arg0, %[[MEAN]],
// CHECK: %[[SQUARE:.*]] = "ttir.multiply"(%[[X]], %[[X]],
// CHECK: "ttir.sum"(%[[SQUARE]],
// CHECK: %[[SCALE:.*]] = "ttir.rsqrt"
// CHECK: %[[Y:.*]] = "ttir.multiply"(%[[X]], %[[SCALE]],
// CHECK: %[[W:.*]] = "ttir.multiply"(%[[Y]], %arg1,
// CHECK: "ttir.add"(%[[W]], %arg2,
func.func @layer_norm(%a: tensor<64x10xf32>, %w: tensor<10xf32>, %b: tensor<10xf32>) -> tensor<64x10xf32> {
  %0 = tensor.empty() : tensor<64x10xf32>
  %1 = "ttir.layer_norm"(%a, %w, %b, %0) <{normalized_shape = array<i64: 10>, operandSegmentSizes = array<i32: 1, 1, 1, 1>, operand_constraints = [#any, #any, #any, #any]}> : (tensor<64x10xf32>, tensor<10xf32>, tensor<10xf32>, tensor<64x10xf32>) -> tensor<64x10xf32>
  return %1 : tensor<64x10xf32>
}
// Transposed operands are transposed in tiles; the bias comes before the rounding.
// CHECK-LABEL: func.func @linear
// CHECK: %[[T:.*]] = "ttir.transpose"(%arg1, {{.*}}dim0 = 0 : si32, dim1 = 1 : si32
// CHECK: %[[M:.*]] = "ttir.matmul"(%arg0, %[[T]], {{.*}} -> tensor<64x96xf32>
// CHECK: "ttir.add"(%[[M]], %arg2, {{.*}} -> tensor<64x96xbf16>
func.func @linear(%a: tensor<64x128xbf16>, %b: tensor<96x128xbf16>, %c: tensor<96xbf16>) -> tensor<64x96xbf16> {
  %0 = tensor.empty() : tensor<64x96xbf16>
  %1 = "ttir.linear"(%a, %b, %c, %0) <{operand_constraints = [#any, #any, #any, #any], transpose_b = true}> : (tensor<64x128xbf16>, tensor<96x128xbf16>, tensor<96xbf16>, tensor<64x96xbf16>) -> tensor<64x96xbf16>
  return %1 : tensor<64x96xbf16>
}
// Matrices of few rows are multiplied as one, and the bias is added in front of the reshape.
// CHECK-LABEL: func.func @few_rows
// CHECK: %[[A:.*]] = "ttir.reshape"(%arg0, {{.*}} -> tensor<1x128x64xbf16>
// CHECK: %[[M:.*]] = "ttir.matmul"(%[[A]], %arg1, {{.*}} -> tensor<1x128x96xf32>
// CHECK: %[[S:.*]] = "ttir.add"(%[[M]], %arg2, {{.*}} -> tensor<1x128x96xbf16>
// CHECK: "ttir.reshape"(%[[S]], {{.*}} -> tensor<128x1x96xbf16>
func.func @few_rows(%a: tensor<128x1x64xbf16>, %b: tensor<1x64x96xbf16>, %c: tensor<96xbf16>) -> tensor<128x1x96xbf16> {
  %0 = tensor.empty() : tensor<128x1x96xbf16>
  %1 = "ttir.linear"(%a, %b, %c, %0) <{operand_constraints = [#any, #any, #any, #any]}> : (tensor<128x1x64xbf16>, tensor<1x64x96xbf16>, tensor<96xbf16>, tensor<128x1x96xbf16>) -> tensor<128x1x96xbf16>
  return %1 : tensor<128x1x96xbf16>
}
// The reshapes of a sequence to and from matrices of one row go away.
// CHECK-LABEL: func.func @sequence
// CHECK-NOT: ttir.reshape
// CHECK: %[[M:.*]] = "ttir.matmul"(%arg0, %arg1, {{.*}} -> tensor<1x128x96xbf16>
// CHECK: %[[R:.*]] = "ttir.relu"(%[[M]], {{.*}} -> tensor<1x128x96xbf16>
// CHECK-NEXT: return %[[R]]
func.func @sequence(%a: tensor<1x128x64xbf16>, %b: tensor<1x64x96xbf16>) -> tensor<1x128x96xbf16> {
  %0 = tensor.empty() : tensor<128x1x64xbf16>
  %1 = "ttir.reshape"(%a, %0) <{operand_constraints = [#any, #any], shape = [128 : i32, 1 : i32, 64 : i32]}> : (tensor<1x128x64xbf16>, tensor<128x1x64xbf16>) -> tensor<128x1x64xbf16>
  %2 = tensor.empty() : tensor<128x1x96xbf16>
  %3 = "ttir.matmul"(%1, %b, %2) <{operand_constraints = [#any, #any, #any]}> : (tensor<128x1x64xbf16>, tensor<1x64x96xbf16>, tensor<128x1x96xbf16>) -> tensor<128x1x96xbf16>
  %4 = tensor.empty() : tensor<128x1x96xbf16>
  %5 = "ttir.relu"(%3, %4) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<128x1x96xbf16>, tensor<128x1x96xbf16>) -> tensor<128x1x96xbf16>
  %6 = tensor.empty() : tensor<1x128x96xbf16>
  %7 = "ttir.reshape"(%5, %6) <{operand_constraints = [#any, #any], shape = [1 : i32, 128 : i32, 96 : i32]}> : (tensor<128x1x96xbf16>, tensor<1x128x96xbf16>) -> tensor<1x128x96xbf16>
  return %7 : tensor<1x128x96xbf16>
}
// Whole tiles of rows stay matrices of their own, and so do those with factors of their own.
// CHECK-LABEL: func.func @own_tiles
// CHECK-NOT: ttir.reshape
// CHECK: return
func.func @own_tiles(%a: tensor<4x32x64xbf16>, %b: tensor<1x64x96xbf16>, %c: tensor<8x1x64xbf16>, %d: tensor<8x64x96xbf16>) -> (tensor<4x32x96xbf16>, tensor<8x1x96xbf16>) {
  %0 = tensor.empty() : tensor<4x32x96xbf16>
  %1 = "ttir.matmul"(%a, %b, %0) <{operand_constraints = [#any, #any, #any]}> : (tensor<4x32x64xbf16>, tensor<1x64x96xbf16>, tensor<4x32x96xbf16>) -> tensor<4x32x96xbf16>
  %2 = tensor.empty() : tensor<8x1x96xbf16>
  %3 = "ttir.matmul"(%c, %d, %2) <{operand_constraints = [#any, #any, #any]}> : (tensor<8x1x64xbf16>, tensor<8x64x96xbf16>, tensor<8x1x96xbf16>) -> tensor<8x1x96xbf16>
  return %1, %3 : tensor<4x32x96xbf16>, tensor<8x1x96xbf16>
}
