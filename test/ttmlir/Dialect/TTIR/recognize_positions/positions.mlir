// RUN: ttmlir-opt --ttir-recognize-positions %s | FileCheck %s
// RUN: ttmlir-opt --ttir-recognize-positions --remarks=ttir-recognize-positions %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// Masks that hide what is behind a position, and those that hide more or less.
#any = #tt.operand_constraint<any_device>
// REMARK: [Passed] Positions | Category:ttir-recognize-positions | Function=decode | Op=ttir.scaled_dot_product_attention, Reason="the mask hides the keys after a position"
module {
// CHECK-LABEL: func.func @decode
// CHECK: %[[P:.*]] = "ttir.reshape"(%arg3{{.*}} -> tensor<1x1xsi32>
// CHECK: %[[Y:.*]] = "ttir.scaled_dot_product_attention"(%arg0, %arg1, %arg2, %[[P]], %{{.*}}) <{is_causal = true{{.*}}operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 1, 0, 1>
// CHECK-NEXT: return %[[Y]]
func.func @decode(%q: tensor<2x4x1x32xbf16>, %k: tensor<2x4x8x32xbf16>, %v: tensor<2x4x8x32xbf16>, %p: tensor<1x1x1x1xsi32>) -> tensor<2x4x1x32xbf16> {
  %keys = "ttir.constant"() <{value = dense<[[[[0, 1, 2, 3, 4, 5, 6, 7]]]]> : tensor<1x1x1x8xsi32>}> : () -> tensor<1x1x1x8xsi32>
  %zero = "ttir.constant"() <{value = dense<0.0> : tensor<bf16>}> : () -> tensor<bf16>
  %none = "ttir.constant"() <{value = dense<0xFF80> : tensor<bf16>}> : () -> tensor<bf16>
  %0 = tensor.empty() : tensor<1x1x1x8xi1>
  %1 = "ttir.le"(%keys, %p, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<1x1x1x8xsi32>, tensor<1x1x1x1xsi32>, tensor<1x1x1x8xi1>) -> tensor<1x1x1x8xi1>
  %2 = tensor.empty() : tensor<2x1x1x8xi1>
  %3 = "ttir.broadcast"(%1, %2) <{dimension = [0, 1, 2, 3], operand_constraints = [#any, #any]}> : (tensor<1x1x1x8xi1>, tensor<2x1x1x8xi1>) -> tensor<2x1x1x8xi1>
  %4 = tensor.empty() : tensor<2x1x1x8xbf16>
  %5 = "ttir.where"(%3, %zero, %none, %4) <{operandSegmentSizes = array<i32: 3, 1>, operand_constraints = [#any, #any, #any, #any]}> : (tensor<2x1x1x8xi1>, tensor<bf16>, tensor<bf16>, tensor<2x1x1x8xbf16>) -> tensor<2x1x1x8xbf16>
  %6 = tensor.empty() : tensor<2x4x1x32xbf16>
  %7 = "ttir.scaled_dot_product_attention"(%q, %k, %v, %5, %6) <{is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 1>, operand_constraints = [#any, #any, #any, #any, #any]}> : (tensor<2x4x1x32xbf16>, tensor<2x4x8x32xbf16>, tensor<2x4x8x32xbf16>, tensor<2x1x1x8xbf16>, tensor<2x4x1x32xbf16>) -> tensor<2x4x1x32xbf16>
  // What PyTorch does for queries that see no key.
  %8 = tensor.empty() : tensor<2x1x1x1xbf16>
  %9 = "ttir.max"(%5, %8) <{dim_arg = [-1 : i32], keep_dim = true, operand_constraints = [#any, #any]}> : (tensor<2x1x1x8xbf16>, tensor<2x1x1x1xbf16>) -> tensor<2x1x1x1xbf16>
  %10 = tensor.empty() : tensor<2x1x1x1xi1>
  %11 = "ttir.eq"(%9, %none, %10) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<2x1x1x1xbf16>, tensor<bf16>, tensor<2x1x1x1xi1>) -> tensor<2x1x1x1xi1>
  %12 = tensor.empty() : tensor<2x4x1x32xbf16>
  %13 = "ttir.where"(%11, %zero, %7, %12) <{operandSegmentSizes = array<i32: 3, 1>, operand_constraints = [#any, #any, #any, #any]}> : (tensor<2x1x1x1xi1>, tensor<bf16>, tensor<2x4x1x32xbf16>, tensor<2x4x1x32xbf16>) -> tensor<2x4x1x32xbf16>
  return %13 : tensor<2x4x1x32xbf16>
}

// A query for each position, of which it sees the last three keys.
// CHECK-LABEL: func.func @window
// CHECK: "ttir.reshape"(%arg3{{.*}} -> tensor<2x3xsi32>
// CHECK: "ttir.scaled_dot_product_attention"{{.*}}is_causal = true{{.*}}sliding_window_size = 3 : ui32
func.func @window(%q: tensor<2x4x3x32xbf16>, %k: tensor<2x4x8x32xbf16>, %v: tensor<2x4x8x32xbf16>, %p: tensor<2x1x3x1xsi32>) -> tensor<2x4x3x32xbf16> {
  %keys = "ttir.constant"() <{value = dense<[[[[0, 1, 2, 3, 4, 5, 6, 7]]]]> : tensor<1x1x1x8xsi32>}> : () -> tensor<1x1x1x8xsi32>
  %zero = "ttir.constant"() <{value = dense<0.0> : tensor<bf16>}> : () -> tensor<bf16>
  %none = "ttir.constant"() <{value = dense<0xFF80> : tensor<bf16>}> : () -> tensor<bf16>
  %size = "ttir.constant"() <{value = dense<3> : tensor<si32>}> : () -> tensor<si32>
  %0 = tensor.empty() : tensor<2x1x3x8xi1>
  %1 = "ttir.ge"(%p, %keys, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<2x1x3x1xsi32>, tensor<1x1x1x8xsi32>, tensor<2x1x3x8xi1>) -> tensor<2x1x3x8xi1>
  %2 = tensor.empty() : tensor<2x1x3x1xsi32>
  %3 = "ttir.subtract"(%p, %size, %2) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<2x1x3x1xsi32>, tensor<si32>, tensor<2x1x3x1xsi32>) -> tensor<2x1x3x1xsi32>
  %4 = tensor.empty() : tensor<2x1x3x8xi1>
  %5 = "ttir.gt"(%keys, %3, %4) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<1x1x1x8xsi32>, tensor<2x1x3x1xsi32>, tensor<2x1x3x8xi1>) -> tensor<2x1x3x8xi1>
  %6 = tensor.empty() : tensor<2x1x3x8xi1>
  %7 = "ttir.logical_and"(%1, %5, %6) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<2x1x3x8xi1>, tensor<2x1x3x8xi1>, tensor<2x1x3x8xi1>) -> tensor<2x1x3x8xi1>
  %8 = tensor.empty() : tensor<2x1x3x8xbf16>
  %9 = "ttir.where"(%7, %zero, %none, %8) <{operandSegmentSizes = array<i32: 3, 1>, operand_constraints = [#any, #any, #any, #any]}> : (tensor<2x1x3x8xi1>, tensor<bf16>, tensor<bf16>, tensor<2x1x3x8xbf16>) -> tensor<2x1x3x8xbf16>
  %10 = tensor.empty() : tensor<2x4x3x32xbf16>
  %11 = "ttir.scaled_dot_product_attention"(%q, %k, %v, %9, %10) <{is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 1>, operand_constraints = [#any, #any, #any, #any, #any]}> : (tensor<2x4x3x32xbf16>, tensor<2x4x8x32xbf16>, tensor<2x4x8x32xbf16>, tensor<2x1x3x8xbf16>, tensor<2x4x3x32xbf16>) -> tensor<2x4x3x32xbf16>
  return %11 : tensor<2x4x3x32xbf16>
}

// The same mask for all queries, reshaped; keys before the position, not with it, are seen.
// CHECK-LABEL: func.func @reshaped
// CHECK: %[[M:.*]] = "ttir.add"
// CHECK: %[[P:.*]] = "ttir.reshape"(%arg3{{.*}} -> tensor<1x1xsi32>
// CHECK: "ttir.add"(%[[P]]
// CHECK: "ttir.scaled_dot_product_attention"{{.*}}is_causal = true
func.func @reshaped(%q: tensor<2x4x3x32xbf16>, %k: tensor<2x4x8x32xbf16>, %v: tensor<2x4x8x32xbf16>, %p: tensor<si32>) -> (tensor<2x4x3x32xbf16>, tensor<si32>) {
  %keys = "ttir.constant"() <{value = dense<[0, 1, 2, 3, 4, 5, 6, 7]> : tensor<8xsi32>}> : () -> tensor<8xsi32>
  %zero = "ttir.constant"() <{value = dense<0.0> : tensor<bf16>}> : () -> tensor<bf16>
  %none = "ttir.constant"() <{value = dense<0xFF80> : tensor<bf16>}> : () -> tensor<bf16>
  %one = "ttir.constant"() <{value = dense<1> : tensor<si32>}> : () -> tensor<si32>
  %e = tensor.empty() : tensor<si32>
  %next = "ttir.add"(%p, %one, %e) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<si32>, tensor<si32>, tensor<si32>) -> tensor<si32>
  %0 = tensor.empty() : tensor<8xi1>
  %1 = "ttir.lt"(%keys, %p, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<8xsi32>, tensor<si32>, tensor<8xi1>) -> tensor<8xi1>
  %2 = tensor.empty() : tensor<1x1x1x8xi1>
  %3 = "ttir.reshape"(%1, %2) <{shape = [1 : i32, 1 : i32, 1 : i32, 8 : i32], operand_constraints = [#any, #any]}> : (tensor<8xi1>, tensor<1x1x1x8xi1>) -> tensor<1x1x1x8xi1>
  %4 = tensor.empty() : tensor<1x1x1x8xbf16>
  %5 = "ttir.where"(%3, %zero, %none, %4) <{operandSegmentSizes = array<i32: 3, 1>, operand_constraints = [#any, #any, #any, #any]}> : (tensor<1x1x1x8xi1>, tensor<bf16>, tensor<bf16>, tensor<1x1x1x8xbf16>) -> tensor<1x1x1x8xbf16>
  %6 = tensor.empty() : tensor<2x4x3x32xbf16>
  %7 = "ttir.scaled_dot_product_attention"(%q, %k, %v, %5, %6) <{is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 1>, operand_constraints = [#any, #any, #any, #any, #any]}> : (tensor<2x4x3x32xbf16>, tensor<2x4x8x32xbf16>, tensor<2x4x8x32xbf16>, tensor<1x1x1x8xbf16>, tensor<2x4x3x32xbf16>) -> tensor<2x4x3x32xbf16>
  return %7, %next : tensor<2x4x3x32xbf16>, tensor<si32>
}

// The mask hides others, too, and stays.
// CHECK-LABEL: func.func @beside
// CHECK: %[[M:.*]] = "ttir.typecast"
// CHECK: %[[P:.*]] = "ttir.reshape"(%arg3{{.*}} -> tensor<1x1xsi32>
// CHECK: "ttir.scaled_dot_product_attention"(%arg0, %arg1, %arg2, %[[M]], %[[P]], %{{.*}}) <{is_causal = true{{.*}}operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 1, 0, 1>
func.func @beside(%q: tensor<2x4x1x32xbf16>, %k: tensor<2x4x8x32xbf16>, %v: tensor<2x4x8x32xbf16>, %p: tensor<1x1x1x1xsi32>, %m: tensor<2x1x1x8xi1>) -> tensor<2x4x1x32xbf16> {
  %keys = "ttir.constant"() <{value = dense<[[[[0, 1, 2, 3, 4, 5, 6, 7]]]]> : tensor<1x1x1x8xsi32>}> : () -> tensor<1x1x1x8xsi32>
  %zero = "ttir.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %none = "ttir.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
  %0 = tensor.empty() : tensor<1x1x1x8xi1>
  %1 = "ttir.le"(%keys, %p, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<1x1x1x8xsi32>, tensor<1x1x1x1xsi32>, tensor<1x1x1x8xi1>) -> tensor<1x1x1x8xi1>
  %2 = tensor.empty() : tensor<2x1x1x8xi1>
  %3 = "ttir.logical_and"(%m, %1, %2) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<2x1x1x8xi1>, tensor<1x1x1x8xi1>, tensor<2x1x1x8xi1>) -> tensor<2x1x1x8xi1>
  %4 = tensor.empty() : tensor<2x1x1x8xf32>
  %5 = "ttir.where"(%3, %zero, %none, %4) <{operandSegmentSizes = array<i32: 3, 1>, operand_constraints = [#any, #any, #any, #any]}> : (tensor<2x1x1x8xi1>, tensor<f32>, tensor<f32>, tensor<2x1x1x8xf32>) -> tensor<2x1x1x8xf32>
  %6 = tensor.empty() : tensor<2x1x1x8xbf16>
  %7 = "ttir.typecast"(%5, %6) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<2x1x1x8xf32>, tensor<2x1x1x8xbf16>) -> tensor<2x1x1x8xbf16>
  %8 = tensor.empty() : tensor<2x4x1x32xbf16>
  %9 = "ttir.scaled_dot_product_attention"(%q, %k, %v, %7, %8) <{is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 1>, operand_constraints = [#any, #any, #any, #any, #any]}> : (tensor<2x4x1x32xbf16>, tensor<2x4x8x32xbf16>, tensor<2x4x8x32xbf16>, tensor<2x1x1x8xbf16>, tensor<2x4x1x32xbf16>) -> tensor<2x4x1x32xbf16>
  return %9 : tensor<2x4x1x32xbf16>
}

// Keys counted from 1, a finite number, and a mask by key: none is a position.
// CHECK-LABEL: func.func @others
// CHECK-NOT: is_causal = true
func.func @others(%q: tensor<2x4x1x32xbf16>, %k: tensor<2x4x8x32xbf16>, %v: tensor<2x4x8x32xbf16>, %p: tensor<1x1x1x1xsi32>, %m: tensor<1x1x1x8xsi32>) -> (tensor<2x4x1x32xbf16>, tensor<2x4x1x32xbf16>, tensor<2x4x1x32xbf16>) {
  %keys = "ttir.constant"() <{value = dense<[[[[0, 1, 2, 3, 4, 5, 6, 7]]]]> : tensor<1x1x1x8xsi32>}> : () -> tensor<1x1x1x8xsi32>
  %from1 = "ttir.constant"() <{value = dense<[[[[1, 2, 3, 4, 5, 6, 7, 8]]]]> : tensor<1x1x1x8xsi32>}> : () -> tensor<1x1x1x8xsi32>
  %zero = "ttir.constant"() <{value = dense<0.0> : tensor<bf16>}> : () -> tensor<bf16>
  %none = "ttir.constant"() <{value = dense<0xFF80> : tensor<bf16>}> : () -> tensor<bf16>
  %finite = "ttir.constant"() <{value = dense<-1.0e4> : tensor<bf16>}> : () -> tensor<bf16>
  %0 = tensor.empty() : tensor<1x1x1x8xi1>
  %1 = "ttir.le"(%from1, %p, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<1x1x1x8xsi32>, tensor<1x1x1x1xsi32>, tensor<1x1x1x8xi1>) -> tensor<1x1x1x8xi1>
  %2 = tensor.empty() : tensor<1x1x1x8xi1>
  %3 = "ttir.le"(%keys, %p, %2) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<1x1x1x8xsi32>, tensor<1x1x1x1xsi32>, tensor<1x1x1x8xi1>) -> tensor<1x1x1x8xi1>
  %4 = tensor.empty() : tensor<1x1x1x8xi1>
  %5 = "ttir.le"(%keys, %m, %4) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<1x1x1x8xsi32>, tensor<1x1x1x8xsi32>, tensor<1x1x1x8xi1>) -> tensor<1x1x1x8xi1>
  %6 = tensor.empty() : tensor<1x1x1x8xbf16>
  %7 = "ttir.where"(%1, %zero, %none, %6) <{operandSegmentSizes = array<i32: 3, 1>, operand_constraints = [#any, #any, #any, #any]}> : (tensor<1x1x1x8xi1>, tensor<bf16>, tensor<bf16>, tensor<1x1x1x8xbf16>) -> tensor<1x1x1x8xbf16>
  %8 = tensor.empty() : tensor<1x1x1x8xbf16>
  %9 = "ttir.where"(%3, %zero, %finite, %8) <{operandSegmentSizes = array<i32: 3, 1>, operand_constraints = [#any, #any, #any, #any]}> : (tensor<1x1x1x8xi1>, tensor<bf16>, tensor<bf16>, tensor<1x1x1x8xbf16>) -> tensor<1x1x1x8xbf16>
  %10 = tensor.empty() : tensor<1x1x1x8xbf16>
  %11 = "ttir.where"(%5, %zero, %none, %10) <{operandSegmentSizes = array<i32: 3, 1>, operand_constraints = [#any, #any, #any, #any]}> : (tensor<1x1x1x8xi1>, tensor<bf16>, tensor<bf16>, tensor<1x1x1x8xbf16>) -> tensor<1x1x1x8xbf16>
  %12 = tensor.empty() : tensor<2x4x1x32xbf16>
  %13 = "ttir.scaled_dot_product_attention"(%q, %k, %v, %7, %12) <{is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 1>, operand_constraints = [#any, #any, #any, #any, #any]}> : (tensor<2x4x1x32xbf16>, tensor<2x4x8x32xbf16>, tensor<2x4x8x32xbf16>, tensor<1x1x1x8xbf16>, tensor<2x4x1x32xbf16>) -> tensor<2x4x1x32xbf16>
  %14 = tensor.empty() : tensor<2x4x1x32xbf16>
  %15 = "ttir.scaled_dot_product_attention"(%q, %k, %v, %9, %14) <{is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 1>, operand_constraints = [#any, #any, #any, #any, #any]}> : (tensor<2x4x1x32xbf16>, tensor<2x4x8x32xbf16>, tensor<2x4x8x32xbf16>, tensor<1x1x1x8xbf16>, tensor<2x4x1x32xbf16>) -> tensor<2x4x1x32xbf16>
  %16 = tensor.empty() : tensor<2x4x1x32xbf16>
  %17 = "ttir.scaled_dot_product_attention"(%q, %k, %v, %11, %16) <{is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 1>, operand_constraints = [#any, #any, #any, #any, #any]}> : (tensor<2x4x1x32xbf16>, tensor<2x4x8x32xbf16>, tensor<2x4x8x32xbf16>, tensor<1x1x1x8xbf16>, tensor<2x4x1x32xbf16>) -> tensor<2x4x1x32xbf16>
  return %13, %15, %17 : tensor<2x4x1x32xbf16>, tensor<2x4x1x32xbf16>, tensor<2x4x1x32xbf16>
}
}
