// RUN: ttmlir-opt --ttir-erase-inverse-ops %s | FileCheck %s
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>

// A pooled image is one pixel, so front ends reshape where they permute others.
// CHECK-LABEL: func.func @pixel
// CHECK-SAME: (%[[X:.*]]: tensor<2x1x1x64xf32>)
func.func @pixel(%x: tensor<2x1x1x64xf32>) -> tensor<2x1x1x64xf32> {
  // CHECK-NOT: ttir.reshape
  // CHECK: %[[R:.*]] = "ttir.silu"(%[[X]], %{{.*}} -> tensor<2x1x1x64xf32>
  // CHECK-NEXT: return %[[R]]
  %e0 = tensor.empty() : tensor<2x64x1x1xf32>
  %0 = "ttir.reshape"(%x, %e0) <{operand_constraints = [#any, #any], shape = [2 : i32, 64 : i32, 1 : i32, 1 : i32]}> : (tensor<2x1x1x64xf32>, tensor<2x64x1x1xf32>) -> tensor<2x64x1x1xf32>
  %e1 = tensor.empty() : tensor<2x64x1x1xf32>
  %1 = "ttir.silu"(%0, %e1) <{operand_constraints = [#any, #any], operandSegmentSizes = array<i32: 1, 1>}> : (tensor<2x64x1x1xf32>, tensor<2x64x1x1xf32>) -> tensor<2x64x1x1xf32>
  %e2 = tensor.empty() : tensor<2x1x1x64xf32>
  %2 = "ttir.reshape"(%1, %e2) <{operand_constraints = [#any, #any], shape = [2 : i32, 1 : i32, 1 : i32, 64 : i32]}> : (tensor<2x64x1x1xf32>, tensor<2x1x1x64xf32>) -> tensor<2x1x1x64xf32>
  return %2 : tensor<2x1x1x64xf32>
}

// Elements change their places: 2x1x1x64 has rows of 64, 1x64x1x2 of 2.
// CHECK-LABEL: func.func @elements
func.func @elements(%x: tensor<2x1x1x64xf32>) -> tensor<2x1x1x64xf32> {
  // CHECK: ttir.reshape
  // CHECK: ttir.silu
  // CHECK-SAME: -> tensor<1x64x1x2xf32>
  // CHECK: ttir.reshape
  %e0 = tensor.empty() : tensor<1x64x1x2xf32>
  %0 = "ttir.reshape"(%x, %e0) <{operand_constraints = [#any, #any], shape = [1 : i32, 64 : i32, 1 : i32, 2 : i32]}> : (tensor<2x1x1x64xf32>, tensor<1x64x1x2xf32>) -> tensor<1x64x1x2xf32>
  %e1 = tensor.empty() : tensor<1x64x1x2xf32>
  %1 = "ttir.silu"(%0, %e1) <{operand_constraints = [#any, #any], operandSegmentSizes = array<i32: 1, 1>}> : (tensor<1x64x1x2xf32>, tensor<1x64x1x2xf32>) -> tensor<1x64x1x2xf32>
  %e2 = tensor.empty() : tensor<2x1x1x64xf32>
  %2 = "ttir.reshape"(%1, %e2) <{operand_constraints = [#any, #any], shape = [2 : i32, 1 : i32, 1 : i32, 64 : i32]}> : (tensor<1x64x1x2xf32>, tensor<2x1x1x64xf32>) -> tensor<2x1x1x64xf32>
  return %2 : tensor<2x1x1x64xf32>
}

// A sequence of pixels becomes an image: the channels are last before and
// behind.
// CHECK-LABEL: func.func @image
// CHECK-SAME: (%[[X:.*]]: tensor<1x64x32xf32>)
func.func @image(%x: tensor<1x64x32xf32>) -> tensor<1x4x16x32xf32> {
  // CHECK-NOT: ttir.permute
  // CHECK: %[[R:.*]] = "ttir.reshape"(%[[X]], {{.*}}shape = [1 : i32, 4 : i32, 16 : i32, 32 : i32]
  // CHECK-NEXT: return %[[R]]
  %e0 = tensor.empty() : tensor<1x32x64xf32>
  %0 = "ttir.permute"(%x, %e0) <{operand_constraints = [#any, #any], permutation = array<i64: 0, 2, 1>}> : (tensor<1x64x32xf32>, tensor<1x32x64xf32>) -> tensor<1x32x64xf32>
  %e1 = tensor.empty() : tensor<1x32x4x16xf32>
  %1 = "ttir.reshape"(%0, %e1) <{operand_constraints = [#any, #any], shape = [1 : i32, 32 : i32, 4 : i32, 16 : i32]}> : (tensor<1x32x64xf32>, tensor<1x32x4x16xf32>) -> tensor<1x32x4x16xf32>
  %e2 = tensor.empty() : tensor<1x4x16x32xf32>
  %2 = "ttir.permute"(%1, %e2) <{operand_constraints = [#any, #any], permutation = array<i64: 0, 2, 3, 1>}> : (tensor<1x32x4x16xf32>, tensor<1x4x16x32xf32>) -> tensor<1x4x16x32xf32>
  return %2 : tensor<1x4x16x32xf32>
}

// Heads are split from the last dimension, which would move twice.
// CHECK-LABEL: func.func @heads
func.func @heads(%x: tensor<1x64x32xf32>) -> tensor<1x4x8x64xf32> {
  // CHECK: "ttir.permute"(%arg0
  // CHECK: ttir.reshape
  // CHECK-NOT: ttir.permute
  // CHECK: return
  %e0 = tensor.empty() : tensor<1x32x64xf32>
  %0 = "ttir.permute"(%x, %e0) <{operand_constraints = [#any, #any], permutation = array<i64: 0, 2, 1>}> : (tensor<1x64x32xf32>, tensor<1x32x64xf32>) -> tensor<1x32x64xf32>
  %e1 = tensor.empty() : tensor<1x4x8x64xf32>
  %1 = "ttir.reshape"(%0, %e1) <{operand_constraints = [#any, #any], shape = [1 : i32, 4 : i32, 8 : i32, 64 : i32]}> : (tensor<1x32x64xf32>, tensor<1x4x8x64xf32>) -> tensor<1x4x8x64xf32>
  return %1 : tensor<1x4x8x64xf32>
}
