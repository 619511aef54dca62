// RUN: ttmlir-opt --ttir-recognize-heads --mlir-pass-statistics %s 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=COUNT <%t
// RUN: ttmlir-opt --ttir-recognize-heads --remarks %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// Keys and values that are gathered from a paged cache are read there.
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
// COUNT: (S) 1 num-paged
// REMARK: [Passed] Paged | Category:ttir-recognize-heads | Function=paged | Op=ttir.scaled_dot_product_attention, Reason="keys and values are blocks of 32 positions in a paged cache", Rejected="a copy of each user's blocks"

// CHECK-LABEL: func.func @paged
// CHECK-NOT: ttir.embedding
// CHECK: "ttir.scaled_dot_product_attention"(%arg0, %arg1, %arg2, %arg3, %{{.*}}) <{is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 1, 1>, operand_constraints = [#any_device, #any_device, #any_device, #any_device, #any_device]}>
func.func @paged(%q: tensor<2x4x5x16xbf16>, %k: tensor<7x2x32x16xbf16>, %v: tensor<7x2x32x16xbf16>, %t: tensor<2x3xsi32>) -> tensor<2x4x5x16xbf16> {
  %z = "ttir.constant"() <{value = dense<0> : tensor<1x1xsi32>}> : () -> tensor<1x1xsi32>
  %e = tensor.empty() : tensor<2x3xsi32>
  %i = "ttir.maximum"(%t, %z, %e) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<2x3xsi32>, tensor<1x1xsi32>, tensor<2x3xsi32>) -> tensor<2x3xsi32>
  %0 = tensor.empty() : tensor<7x1024xbf16>
  %1 = "ttir.reshape"(%k, %0) <{shape = [7 : i32, 1024 : i32], operand_constraints = [#any, #any]}> : (tensor<7x2x32x16xbf16>, tensor<7x1024xbf16>) -> tensor<7x1024xbf16>
  %2 = tensor.empty() : tensor<2x3x1024xbf16>
  %3 = "ttir.embedding"(%i, %1, %2) <{operand_constraints = [#any, #any, #any]}> : (tensor<2x3xsi32>, tensor<7x1024xbf16>, tensor<2x3x1024xbf16>) -> tensor<2x3x1024xbf16>
  %4 = tensor.empty() : tensor<2x3x2x32x16xbf16>
  %5 = "ttir.reshape"(%3, %4) <{shape = [2 : i32, 3 : i32, 2 : i32, 32 : i32, 16 : i32], operand_constraints = [#any, #any]}> : (tensor<2x3x1024xbf16>, tensor<2x3x2x32x16xbf16>) -> tensor<2x3x2x32x16xbf16>
  %6 = tensor.empty() : tensor<2x2x3x32x16xbf16>
  %7 = "ttir.permute"(%5, %6) <{permutation = array<i64: 0, 2, 1, 3, 4>, operand_constraints = [#any, #any]}> : (tensor<2x3x2x32x16xbf16>, tensor<2x2x3x32x16xbf16>) -> tensor<2x2x3x32x16xbf16>
  %8 = tensor.empty() : tensor<2x2x96x16xbf16>
  %9 = "ttir.reshape"(%7, %8) <{shape = [2 : i32, 2 : i32, 96 : i32, 16 : i32], operand_constraints = [#any, #any]}> : (tensor<2x2x3x32x16xbf16>, tensor<2x2x96x16xbf16>) -> tensor<2x2x96x16xbf16>
  %10 = "ttir.reshape"(%v, %0) <{shape = [7 : i32, 1024 : i32], operand_constraints = [#any, #any]}> : (tensor<7x2x32x16xbf16>, tensor<7x1024xbf16>) -> tensor<7x1024xbf16>
  %11 = "ttir.embedding"(%i, %10, %2) <{operand_constraints = [#any, #any, #any]}> : (tensor<2x3xsi32>, tensor<7x1024xbf16>, tensor<2x3x1024xbf16>) -> tensor<2x3x1024xbf16>
  %12 = "ttir.reshape"(%11, %4) <{shape = [2 : i32, 3 : i32, 2 : i32, 32 : i32, 16 : i32], operand_constraints = [#any, #any]}> : (tensor<2x3x1024xbf16>, tensor<2x3x2x32x16xbf16>) -> tensor<2x3x2x32x16xbf16>
  %13 = "ttir.permute"(%12, %6) <{permutation = array<i64: 0, 2, 1, 3, 4>, operand_constraints = [#any, #any]}> : (tensor<2x3x2x32x16xbf16>, tensor<2x2x3x32x16xbf16>) -> tensor<2x2x3x32x16xbf16>
  %14 = "ttir.reshape"(%13, %8) <{shape = [2 : i32, 2 : i32, 96 : i32, 16 : i32], operand_constraints = [#any, #any]}> : (tensor<2x2x3x32x16xbf16>, tensor<2x2x96x16xbf16>) -> tensor<2x2x96x16xbf16>
  %15 = tensor.empty() : tensor<2x4x5x16xbf16>
  %16 = "ttir.scaled_dot_product_attention"(%q, %9, %14, %15) <{is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 1>, operand_constraints = [#any, #any, #any, #any]}> : (tensor<2x4x5x16xbf16>, tensor<2x2x96x16xbf16>, tensor<2x2x96x16xbf16>, tensor<2x4x5x16xbf16>) -> tensor<2x4x5x16xbf16>
  return %16 : tensor<2x4x5x16xbf16>
}

// Without the permutation, rows are those of other positions.
// CHECK-LABEL: func.func @other_order
// CHECK: ttir.embedding
func.func @other_order(%q: tensor<2x4x5x16xbf16>, %k: tensor<7x2x32x16xbf16>, %t: tensor<2x3xsi32>) -> tensor<2x4x5x16xbf16> {
  %0 = tensor.empty() : tensor<7x1024xbf16>
  %1 = "ttir.reshape"(%k, %0) <{shape = [7 : i32, 1024 : i32], operand_constraints = [#any, #any]}> : (tensor<7x2x32x16xbf16>, tensor<7x1024xbf16>) -> tensor<7x1024xbf16>
  %2 = tensor.empty() : tensor<2x3x1024xbf16>
  %3 = "ttir.embedding"(%t, %1, %2) <{operand_constraints = [#any, #any, #any]}> : (tensor<2x3xsi32>, tensor<7x1024xbf16>, tensor<2x3x1024xbf16>) -> tensor<2x3x1024xbf16>
  %4 = tensor.empty() : tensor<2x2x96x16xbf16>
  %5 = "ttir.reshape"(%3, %4) <{shape = [2 : i32, 2 : i32, 96 : i32, 16 : i32], operand_constraints = [#any, #any]}> : (tensor<2x3x1024xbf16>, tensor<2x2x96x16xbf16>) -> tensor<2x2x96x16xbf16>
  %6 = tensor.empty() : tensor<2x4x5x16xbf16>
  %7 = "ttir.scaled_dot_product_attention"(%q, %5, %5, %6) <{is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 1>, operand_constraints = [#any, #any, #any, #any]}> : (tensor<2x4x5x16xbf16>, tensor<2x2x96x16xbf16>, tensor<2x2x96x16xbf16>, tensor<2x4x5x16xbf16>) -> tensor<2x4x5x16xbf16>
  return %7 : tensor<2x4x5x16xbf16>
}
