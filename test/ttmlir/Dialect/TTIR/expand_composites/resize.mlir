// RUN: ttmlir-opt --ttir-expand-composites %s | FileCheck %s
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>

// Images that grow a whole number of times are one op, with channels last.
// CHECK-LABEL: func.func @linear
func.func @linear(%x: tensor<1x8x4x16xbf16>) -> tensor<1x16x12x16xbf16> {
  // CHECK: "ttir.upsample"(%arg0, {{.*}}mode = "bilinear"{{.*}}scale_factor = array<i32: 2, 3>
  // CHECK-NOT: ttir.matmul
  // CHECK: return
  %e = tensor.empty() : tensor<1x16x12x16xbf16>
  %0 = "ttir.resize"(%x, %e) <{mode = "linear", operand_constraints = [#any, #any], sizes = array<i64: 1, 16, 12, 16>}> : (tensor<1x8x4x16xbf16>, tensor<1x16x12x16xbf16>) -> tensor<1x16x12x16xbf16>
  return %0 : tensor<1x16x12x16xbf16>
}

// CHECK-LABEL: func.func @channels_first
func.func @channels_first(%x: tensor<1x16x8x4xbf16>) -> tensor<1x16x16x8xbf16> {
  // CHECK: "ttir.permute"(%arg0, {{.*}}permutation = array<i64: 0, 2, 3, 1>
  // CHECK: "ttir.upsample"({{.*}}mode = "nearest"{{.*}}scale_factor = array<i32: 2, 2>
  // CHECK: "ttir.permute"({{.*}}permutation = array<i64: 0, 3, 1, 2>
  %e = tensor.empty() : tensor<1x16x16x8xbf16>
  %0 = "ttir.resize"(%x, %e) <{coordinates = "asymmetric", mode = "nearest", nearest = "floor", operand_constraints = [#any, #any], sizes = array<i64: 1, 16, 16, 8>}> : (tensor<1x16x8x4xbf16>, tensor<1x16x16x8xbf16>) -> tensor<1x16x16x8xbf16>
  return %0 : tensor<1x16x16x8xbf16>
}

// Corners that meet have other positions than an upsample.
// CHECK-LABEL: func.func @corners
func.func @corners(%x: tensor<1x8x4x16xbf16>) -> tensor<1x16x8x16xbf16> {
  // CHECK-NOT: ttir.upsample
  // CHECK: ttir.matmul
  %e = tensor.empty() : tensor<1x16x8x16xbf16>
  %0 = "ttir.resize"(%x, %e) <{coordinates = "align_corners", mode = "linear", operand_constraints = [#any, #any], sizes = array<i64: 1, 16, 8, 16>}> : (tensor<1x8x4x16xbf16>, tensor<1x16x8x16xbf16>) -> tensor<1x16x8x16xbf16>
  return %0 : tensor<1x16x8x16xbf16>
}
