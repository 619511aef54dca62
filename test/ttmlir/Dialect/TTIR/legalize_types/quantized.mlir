// RUN: ttmlir-opt --ttir-legalize-types %s | FileCheck %s
// Quantized tensors are their integers.
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
!a = !quant.uniform<i8:f32, 0.5:3>
!w = !quant.uniform<i8:f32:1, {0.5, 0.25}>

// CHECK-LABEL: func.func @moved
// CHECK-SAME: (%arg0: tensor<2x3xsi8>) -> tensor<3x2xsi8>
func.func @moved(%x: tensor<2x3x!a>) -> tensor<3x2x!a> {
  %0 = tensor.empty() : tensor<3x2x!a>
  // CHECK: "ttir.transpose"(%arg0, %{{.*}}) {{.*}} -> tensor<3x2xsi8>
  %1 = "ttir.transpose"(%x, %0) <{dim0 = 0 : si32, dim1 = 1 : si32, operand_constraints = [#any, #any]}> : (tensor<2x3x!a>, tensor<3x2x!a>) -> tensor<3x2x!a>
  return %1 : tensor<3x2x!a>
}

// CHECK-LABEL: func.func @dequantize
func.func @dequantize(%x: tensor<2x3x!a>) -> tensor<2x3xf32> {
  %0 = tensor.empty() : tensor<2x3xf32>
  // CHECK-DAG: %[[S:.*]] = "ttir.constant"() <{value = dense<5.000000e-01> : tensor<1xf32>}>
  // CHECK-DAG: %[[Z:.*]] = "ttir.constant"() <{value = dense<3.000000e+00> : tensor<1xf32>}>
  // CHECK: %[[F:.*]] = "ttir.typecast"(%arg0
  // CHECK: %[[D:.*]] = "ttir.subtract"(%[[F]], %[[Z]]
  // CHECK: "ttir.multiply"(%[[D]], %[[S]]
  %1 = "ttir.dequantize"(%x, %0) <{operand_constraints = [#any, #any]}> : (tensor<2x3x!a>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @product
func.func @product(%x: tensor<2x3x!a>, %w: tensor<3x2x!w>) -> tensor<2x2x!a> {
  %0 = tensor.empty() : tensor<2x2x!a>
  // The zero point of the first operand goes, the second one has none.
  // CHECK: %[[A:.*]] = "ttir.subtract"({{.*}} -> tensor<2x3xsi32>
  // CHECK: "ttir.matmul"(%[[A]], %arg1, %{{.*}}) {{.*}} (tensor<2x3xsi32>, tensor<3x2xsi8>, tensor<2x2xsi32>) -> tensor<2x2xsi32>
  // One multiplication by the quotient of the products' scales and the result's.
  // CHECK: dense<{{\[}}[5.000000e-01, 2.500000e-01]]> : tensor<1x2xf32>
  %1 = "ttir.matmul"(%x, %w, %0) <{operand_constraints = [#any, #any, #any]}> : (tensor<2x3x!a>, tensor<3x2x!w>, tensor<2x2x!a>) -> tensor<2x2x!a>
  return %1 : tensor<2x2x!a>
}

!rows = !quant.uniform<i8:f32:0, {0.5, 0.25}>
!sum = !quant.uniform<i32:f32:0, {0.25, 0.125}>

// The axis goes where its dimension goes.
// CHECK-LABEL: func.func @axes
func.func @axes(%x: tensor<2x3x!rows>) -> tensor<1x3x2x!quant.uniform<i8:f32:2, {0.5, 0.25}>> {
  %0 = tensor.empty() : tensor<3x2x!w>
  // CHECK: "ttir.transpose"{{.*}} -> tensor<3x2xsi8>
  %1 = "ttir.transpose"(%x, %0) <{dim0 = 0 : si32, dim1 = 1 : si32, operand_constraints = [#any, #any]}> : (tensor<2x3x!rows>, tensor<3x2x!w>) -> tensor<3x2x!w>
  // CHECK: "ttir.reverse"{{.*}} -> tensor<3x2xsi8>
  %2 = "ttir.reverse"(%1, %0) <{dimensions = array<i64: 0>, operand_constraints = [#any, #any]}> : (tensor<3x2x!w>, tensor<3x2x!w>) -> tensor<3x2x!w>
  %3 = tensor.empty() : tensor<1x3x2x!quant.uniform<i8:f32:2, {0.5, 0.25}>>
  // CHECK: "ttir.reshape"{{.*}} -> tensor<1x3x2xsi8>
  %4 = "ttir.reshape"(%2, %3) <{shape = [1 : i32, 3 : i32, 2 : i32], operand_constraints = [#any, #any]}> : (tensor<3x2x!w>, tensor<1x3x2x!quant.uniform<i8:f32:2, {0.5, 0.25}>>) -> tensor<1x3x2x!quant.uniform<i8:f32:2, {0.5, 0.25}>>
  return %4 : tensor<1x3x2x!quant.uniform<i8:f32:2, {0.5, 0.25}>>
}

// A bias counts in the scales of the products.
// CHECK-LABEL: func.func @bias
func.func @bias(%x: tensor<2x3x!a>, %w: tensor<3x2x!w>, %b: tensor<2x!sum>) -> tensor<2x2xsi32> {
  %0 = tensor.empty() : tensor<2x2xsi32>
  // CHECK: "ttir.linear"({{.*}}) {{.*}}tensor<2xsi32>, tensor<2x2xsi32>) -> tensor<2x2xsi32>
  %1 = "ttir.linear"(%x, %w, %b, %0) <{operandSegmentSizes = array<i32: 1, 1, 1, 1>, operand_constraints = [#any, #any, #any, #any]}> : (tensor<2x3x!a>, tensor<3x2x!w>, tensor<2x!sum>, tensor<2x2xsi32>) -> tensor<2x2xsi32>
  return %1 : tensor<2x2xsi32>
}
