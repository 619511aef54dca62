// RUN: ttmlir-opt --ttir-recognize-heads --mlir-pass-statistics %s 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=COUNT <%t
// RUN: ttmlir-opt --ttir-recognize-heads --remarks %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// Heads of one query that share keys become queries of one head.
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
// COUNT: (S) 3 num-stacked
// REMARK-DAG: [Passed] Shared | Category:ttir-recognize-heads | Function=repeated | Op=ttir.scaled_dot_product_attention, Reason="2 heads of keys and values are shared by 8 heads of queries"
// REMARK-DAG: [Passed] Stacked | Category:ttir-recognize-heads | Function=decode | Op=ttir.scaled_dot_product_attention, Reason="4 query heads that share keys are rows of a tile"

// CHECK-LABEL: func.func @decode
// CHECK: %[[Q:.*]] = "ttir.reshape"(%arg0, %{{.*}}) {{.*}} -> tensor<2x8x4x64xbf16>
// CHECK: %[[Y:.*]] = "ttir.scaled_dot_product_attention"(%[[Q]], %arg1, %arg2, %arg3, %{{.*}}) <{is_causal = false, {{.*}}scale = 2.500000e-01 : f32}> {{.*}} -> tensor<2x8x4x32xbf16>
// The result may be where that of the attention could be.
// CHECK: "ttir.reshape"(%[[Y]], %{{.*}}) <{operand_constraints = [#any_device_tile, #any_device], {{.*}} -> tensor<2x32x1x32xbf16>
func.func @decode(%q: tensor<2x32x1x64xbf16>, %k: tensor<2x8x100x64xbf16>, %v: tensor<2x8x100x32xbf16>, %m: tensor<2x1x1x100xbf16>) -> tensor<2x32x1x32xbf16> {
  %0 = tensor.empty() : tensor<2x32x1x32xbf16>
  %1 = "ttir.scaled_dot_product_attention"(%q, %k, %v, %m, %0) <{is_causal = false, scale = 2.500000e-01 : f32, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 1>, operand_constraints = [#any, #any, #any, #any, #any]}> : (tensor<2x32x1x64xbf16>, tensor<2x8x100x64xbf16>, tensor<2x8x100x32xbf16>, tensor<2x1x1x100xbf16>, tensor<2x32x1x32xbf16>) -> tensor<2x32x1x32xbf16>
  return %1 : tensor<2x32x1x32xbf16>
}

// A mask for each head.
// CHECK-LABEL: func.func @masks
// CHECK: %[[M:.*]] = "ttir.reshape"(%arg3, %{{.*}}) {{.*}} -> tensor<1x2x4x40xbf16>
// CHECK: "ttir.scaled_dot_product_attention"(%{{.*}}, %arg1, %arg2, %[[M]], %{{.*}})
func.func @masks(%q: tensor<2x8x1x64xbf16>, %k: tensor<2x2x40x64xbf16>, %v: tensor<2x2x40x64xbf16>, %m: tensor<1x8x1x40xbf16>) -> tensor<2x8x1x64xbf16> {
  %0 = tensor.empty() : tensor<2x8x1x64xbf16>
  %1 = "ttir.scaled_dot_product_attention"(%q, %k, %v, %m, %0) <{is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 1>, operand_constraints = [#any, #any, #any, #any, #any]}> : (tensor<2x8x1x64xbf16>, tensor<2x2x40x64xbf16>, tensor<2x2x40x64xbf16>, tensor<1x8x1x40xbf16>, tensor<2x8x1x64xbf16>) -> tensor<2x8x1x64xbf16>
  return %1 : tensor<2x8x1x64xbf16>
}

// One key: nothing is hidden.
// CHECK-LABEL: func.func @first
// CHECK: "ttir.scaled_dot_product_attention"{{.*}}is_causal = false{{.*}} -> tensor<2x2x4x64xbf16>
func.func @first(%q: tensor<2x8x1x64xbf16>, %k: tensor<2x2x1x64xbf16>, %v: tensor<2x2x1x64xbf16>) -> tensor<2x8x1x64xbf16> {
  %0 = tensor.empty() : tensor<2x8x1x64xbf16>
  %1 = "ttir.scaled_dot_product_attention"(%q, %k, %v, %0) <{is_causal = true, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 1>, operand_constraints = [#any, #any, #any, #any]}> : (tensor<2x8x1x64xbf16>, tensor<2x2x1x64xbf16>, tensor<2x2x1x64xbf16>, tensor<2x8x1x64xbf16>) -> tensor<2x8x1x64xbf16>
  return %1 : tensor<2x8x1x64xbf16>
}

// A causal query sees the first key only; each head has keys of its own; several queries.
// CHECK-LABEL: func.func @unchanged
// CHECK-NOT: ttir.reshape
func.func @unchanged(%q: tensor<2x8x1x64xbf16>, %k: tensor<2x2x40x64xbf16>, %own: tensor<2x8x40x64xbf16>, %more: tensor<2x8x2x64xbf16>) -> (tensor<2x8x1x64xbf16>, tensor<2x8x1x64xbf16>, tensor<2x8x2x64xbf16>) {
  %0 = tensor.empty() : tensor<2x8x1x64xbf16>
  %1 = "ttir.scaled_dot_product_attention"(%q, %k, %k, %0) <{is_causal = true, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 1>, operand_constraints = [#any, #any, #any, #any]}> : (tensor<2x8x1x64xbf16>, tensor<2x2x40x64xbf16>, tensor<2x2x40x64xbf16>, tensor<2x8x1x64xbf16>) -> tensor<2x8x1x64xbf16>
  %2 = tensor.empty() : tensor<2x8x1x64xbf16>
  %3 = "ttir.scaled_dot_product_attention"(%q, %own, %own, %2) <{is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 1>, operand_constraints = [#any, #any, #any, #any]}> : (tensor<2x8x1x64xbf16>, tensor<2x8x40x64xbf16>, tensor<2x8x40x64xbf16>, tensor<2x8x1x64xbf16>) -> tensor<2x8x1x64xbf16>
  %4 = tensor.empty() : tensor<2x8x2x64xbf16>
  %5 = "ttir.scaled_dot_product_attention"(%more, %k, %k, %4) <{is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 1>, operand_constraints = [#any, #any, #any, #any]}> : (tensor<2x8x2x64xbf16>, tensor<2x2x40x64xbf16>, tensor<2x2x40x64xbf16>, tensor<2x8x2x64xbf16>) -> tensor<2x8x2x64xbf16>
  return %1, %3, %5 : tensor<2x8x1x64xbf16>, tensor<2x8x1x64xbf16>, tensor<2x8x2x64xbf16>
}

// The same keys and values for several heads, as copies before.
// CHECK-LABEL: func.func @repeated
// CHECK-NOT: ttir.broadcast
// CHECK: "ttir.scaled_dot_product_attention"(%arg0, %arg1, %arg2, %{{.*}})
func.func @repeated(%q: tensor<2x8x50x64xbf16>, %k: tensor<2x2x40x64xbf16>, %v: tensor<2x2x40x64xbf16>) -> tensor<2x8x50x64xbf16> {
  %0 = tensor.empty() : tensor<2x2x1x40x64xbf16>
  %1 = "ttir.reshape"(%k, %0) <{shape = [2 : i32, 2 : i32, 1 : i32, 40 : i32, 64 : i32], operand_constraints = [#any, #any]}> : (tensor<2x2x40x64xbf16>, tensor<2x2x1x40x64xbf16>) -> tensor<2x2x1x40x64xbf16>
  %2 = tensor.empty() : tensor<2x2x4x40x64xbf16>
  %3 = "ttir.broadcast"(%1, %2) <{dimension = [0, 1, 2, 3, 4], operand_constraints = [#any, #any]}> : (tensor<2x2x1x40x64xbf16>, tensor<2x2x4x40x64xbf16>) -> tensor<2x2x4x40x64xbf16>
  %4 = tensor.empty() : tensor<2x8x40x64xbf16>
  %5 = "ttir.reshape"(%3, %4) <{shape = [2 : i32, 8 : i32, 40 : i32, 64 : i32], operand_constraints = [#any, #any]}> : (tensor<2x2x4x40x64xbf16>, tensor<2x8x40x64xbf16>) -> tensor<2x8x40x64xbf16>
  %6 = tensor.empty() : tensor<2x2x1x40x64xbf16>
  %7 = "ttir.reshape"(%v, %6) <{shape = [2 : i32, 2 : i32, 1 : i32, 40 : i32, 64 : i32], operand_constraints = [#any, #any]}> : (tensor<2x2x40x64xbf16>, tensor<2x2x1x40x64xbf16>) -> tensor<2x2x1x40x64xbf16>
  %8 = tensor.empty() : tensor<2x2x4x40x64xbf16>
  %9 = "ttir.broadcast"(%7, %8) <{dimension = [0, 1, 2, 3, 4], operand_constraints = [#any, #any]}> : (tensor<2x2x1x40x64xbf16>, tensor<2x2x4x40x64xbf16>) -> tensor<2x2x4x40x64xbf16>
  %10 = tensor.empty() : tensor<2x8x40x64xbf16>
  %11 = "ttir.reshape"(%9, %10) <{shape = [2 : i32, 8 : i32, 40 : i32, 64 : i32], operand_constraints = [#any, #any]}> : (tensor<2x2x4x40x64xbf16>, tensor<2x8x40x64xbf16>) -> tensor<2x8x40x64xbf16>
  %12 = tensor.empty() : tensor<2x8x50x64xbf16>
  %13 = "ttir.scaled_dot_product_attention"(%q, %5, %11, %12) <{is_causal = true, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 1>, operand_constraints = [#any, #any, #any, #any]}> : (tensor<2x8x50x64xbf16>, tensor<2x8x40x64xbf16>, tensor<2x8x40x64xbf16>, tensor<2x8x50x64xbf16>) -> tensor<2x8x50x64xbf16>
  return %13 : tensor<2x8x50x64xbf16>
}
