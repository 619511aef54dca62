// RUN: ttmlir-opt --ttir-expand-composites %s | FileCheck %s
// RUN: ttmlir-opt --ttir-expand-composites="keep=rearrange,dot_general" %s | FileCheck %s --check-prefix=KEEP
// RUN: ttmlir-opt --ttir-expand-composites --remarks %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK-DAG: remark: [Passed] Expanded | Category:ttir-expand-composites{{.*}} | Op=ttir.rearrange, Reason="becomes ttir.permute, ttir.reshape", Rejected="one op: no backend has it"
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>

// Operands that lie as the product wants them do not move: one is read transposed.
// CHECK-LABEL: func.func @dot_general
// CHECK-NOT: ttir.permute
// CHECK: %[[A:.*]] = "ttir.reshape"(%arg0
// CHECK-SAME: tensor<6x16x32xbf16>
// CHECK: %[[B:.*]] = "ttir.reshape"(%arg1
// CHECK-SAME: tensor<6x64x32xbf16>
// CHECK: "ttir.matmul"(%[[A]], %[[B]]
// CHECK-SAME: transpose_b = true
// CHECK-SAME: tensor<6x16x64xf32>
// CHECK-NOT: ttir.dot_general
// KEEP: ttir.dot_general
func.func @dot_general(%arg0: tensor<2x3x4x4x32xbf16>, %arg1: tensor<2x3x64x32xbf16>) -> tensor<2x3x4x4x64xf32> {
  %0 = tensor.empty() : tensor<2x3x4x4x64xf32>
  %1 = "ttir.dot_general"(%arg0, %arg1, %0) <{batch_dims_lhs = array<i64: 0, 1>, batch_dims_rhs = array<i64: 0, 1>, contract_dims_lhs = array<i64: 4>, contract_dims_rhs = array<i64: 3>, operand_constraints = [#any, #any, #any]}> : (tensor<2x3x4x4x32xbf16>, tensor<2x3x64x32xbf16>, tensor<2x3x4x4x64xf32>) -> tensor<2x3x4x4x64xf32>
  return %1 : tensor<2x3x4x4x64xf32>
}

// Everything is f32 until the last op.
// CHECK-LABEL: func.func @batch_norm
// CHECK: "ttir.subtract"{{.*}} -> tensor<2x8x8x3xf32>
// CHECK: "ttir.rsqrt"{{.*}} -> tensor<1x1x1x3xf32>
// CHECK: "ttir.multiply"{{.*}} -> tensor<2x8x8x3xf32>
// CHECK: "ttir.add"{{.*}} -> tensor<2x8x8x3xbf16>
func.func @batch_norm(%a: tensor<2x8x8x3xbf16>, %b: tensor<3xbf16>) -> tensor<2x8x8x3xbf16> {
  %0 = tensor.empty() : tensor<2x8x8x3xbf16>
  %1 = "ttir.batch_norm_inference"(%a, %b, %b, %b, %b, %0) <{dimension = 3 : i32, epsilon = 1.0e-5 : f32, operand_constraints = [#any, #any, #any, #any, #any, #any]}> : (tensor<2x8x8x3xbf16>, tensor<3xbf16>, tensor<3xbf16>, tensor<3xbf16>, tensor<3xbf16>, tensor<2x8x8x3xbf16>) -> tensor<2x8x8x3xbf16>
  return %1 : tensor<2x8x8x3xbf16>
}

// CHECK-LABEL: func.func @rearrange
// CHECK: "ttir.permute"{{.*}}permutation = array<i64: 0, 2, 3, 1>
// CHECK: "ttir.reshape"{{.*}}shape = [2 : i32, 20 : i32, 3 : i32]
// CHECK-NOT: tensor.empty
// CHECK: return
// KEEP: ttir.rearrange
func.func @rearrange(%a: tensor<2x3x4x5xf32>) -> tensor<2x20x3xf32> {
  %0 = tensor.empty() : tensor<2x20x3xf32>
  %1 = "ttir.rearrange"(%a, %0) <{operand_constraints = [#any, #any], pattern = "b c h w -> b (h w) c"}> : (tensor<2x3x4x5xf32>, tensor<2x20x3xf32>) -> tensor<2x20x3xf32>
  return %1 : tensor<2x20x3xf32>
}

// A pattern that moves nothing leaves nothing.
// CHECK-LABEL: func.func @same
// CHECK-NEXT: return %arg0
func.func @same(%arg0: tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32> {
  %0 = tensor.empty() : tensor<2x3x4x5xf32>
  %1 = "ttir.rearrange"(%arg0, %0) <{operand_constraints = [#any, #any], pattern = "... w -> ... w"}> : (tensor<2x3x4x5xf32>, tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32>
  return %1 : tensor<2x3x4x5xf32>
}

// The last op writes into the layout of the result.
#dram = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<1x1x!tt.tile<32x32, f32>, #tt.memory_space<dram>>, interleaved>
// CHECK-LABEL: func.func @layout
// CHECK: "ttir.transpose"{{.*}} -> tensor<3x2xf32, #
func.func @layout(%arg0: tensor<2x3xf32>) -> tensor<3x2xf32, #dram> {
  %0 = tensor.empty() : tensor<3x2xf32, #dram>
  %1 = "ttir.rearrange"(%arg0, %0) <{operand_constraints = [#any, #any], pattern = "a b -> b a"}> : (tensor<2x3xf32>, tensor<3x2xf32, #dram>) -> tensor<3x2xf32, #dram>
  return %1 : tensor<3x2xf32, #dram>
}
