// RUN: ttmlir-opt %s --canonicalize | FileCheck %s
// x + 0, x - 0, x * 1 and x / 1 are x; +0.0 is not neutral, since -0.0 + 0.0 is 0.0.
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
// CHECK-LABEL: func.func @add_minus_0_0_f32(
// CHECK-NEXT: return %arg0
func.func @add_minus_0_0_f32(%a: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %0 = "ttir.constant"() <{value = dense<-0.0> : tensor<64x128xf32>}> : () -> tensor<64x128xf32>
  %1 = tensor.empty() : tensor<64x128xf32>
  %2 = "ttir.add"(%a, %0, %1) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %2 : tensor<64x128xf32>
}
// CHECK-LABEL: func.func @add_0_0_f32(
// CHECK: "ttir.add"
func.func @add_0_0_f32(%a: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %0 = "ttir.constant"() <{value = dense<0.0> : tensor<64x128xf32>}> : () -> tensor<64x128xf32>
  %1 = tensor.empty() : tensor<64x128xf32>
  %2 = "ttir.add"(%a, %0, %1) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %2 : tensor<64x128xf32>
}
// CHECK-LABEL: func.func @subtract_0_0_f32(
// CHECK-NEXT: return %arg0
func.func @subtract_0_0_f32(%a: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %0 = "ttir.constant"() <{value = dense<0.0> : tensor<64x128xf32>}> : () -> tensor<64x128xf32>
  %1 = tensor.empty() : tensor<64x128xf32>
  %2 = "ttir.subtract"(%a, %0, %1) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %2 : tensor<64x128xf32>
}
// CHECK-LABEL: func.func @subtract_minus_0_0_f32(
// CHECK: "ttir.subtract"
func.func @subtract_minus_0_0_f32(%a: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %0 = "ttir.constant"() <{value = dense<-0.0> : tensor<64x128xf32>}> : () -> tensor<64x128xf32>
  %1 = tensor.empty() : tensor<64x128xf32>
  %2 = "ttir.subtract"(%a, %0, %1) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %2 : tensor<64x128xf32>
}
// CHECK-LABEL: func.func @multiply_1_0_f32(
// CHECK-NEXT: return %arg0
func.func @multiply_1_0_f32(%a: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %0 = "ttir.constant"() <{value = dense<1.0> : tensor<64x128xf32>}> : () -> tensor<64x128xf32>
  %1 = tensor.empty() : tensor<64x128xf32>
  %2 = "ttir.multiply"(%a, %0, %1) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %2 : tensor<64x128xf32>
}
// CHECK-LABEL: func.func @div_1_0_f32(
// CHECK-NEXT: return %arg0
func.func @div_1_0_f32(%a: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %0 = "ttir.constant"() <{value = dense<1.0> : tensor<64x128xf32>}> : () -> tensor<64x128xf32>
  %1 = tensor.empty() : tensor<64x128xf32>
  %2 = "ttir.div"(%a, %0, %1) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %2 : tensor<64x128xf32>
}
// CHECK-LABEL: func.func @multiply_2_0_f32(
// CHECK: "ttir.multiply"
func.func @multiply_2_0_f32(%a: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %0 = "ttir.constant"() <{value = dense<2.0> : tensor<64x128xf32>}> : () -> tensor<64x128xf32>
  %1 = tensor.empty() : tensor<64x128xf32>
  %2 = "ttir.multiply"(%a, %0, %1) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %2 : tensor<64x128xf32>
}
// CHECK-LABEL: func.func @add_0_i32(
// CHECK-NEXT: return %arg0
func.func @add_0_i32(%a: tensor<64x128xi32>) -> tensor<64x128xi32> {
  %0 = "ttir.constant"() <{value = dense<0> : tensor<64x128xi32>}> : () -> tensor<64x128xi32>
  %1 = tensor.empty() : tensor<64x128xi32>
  %2 = "ttir.add"(%a, %0, %1) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x128xi32>, tensor<64x128xi32>, tensor<64x128xi32>) -> tensor<64x128xi32>
  return %2 : tensor<64x128xi32>
}
// CHECK-LABEL: func.func @multiply_1_i32(
// CHECK-NEXT: return %arg0
func.func @multiply_1_i32(%a: tensor<64x128xi32>) -> tensor<64x128xi32> {
  %0 = "ttir.constant"() <{value = dense<1> : tensor<64x128xi32>}> : () -> tensor<64x128xi32>
  %1 = tensor.empty() : tensor<64x128xi32>
  %2 = "ttir.multiply"(%a, %0, %1) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x128xi32>, tensor<64x128xi32>, tensor<64x128xi32>) -> tensor<64x128xi32>
  return %2 : tensor<64x128xi32>
}
// CHECK-LABEL: func.func @one_first(
// CHECK-NEXT: return %arg0
func.func @one_first(%a: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %0 = "ttir.constant"() <{value = dense<1.0> : tensor<1x128xf32>}> : () -> tensor<1x128xf32>
  %1 = tensor.empty() : tensor<64x128xf32>
  %2 = "ttir.multiply"(%0, %a, %1) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<1x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %2 : tensor<64x128xf32>
}
// The product broadcasts.
// CHECK-LABEL: func.func @one_of_more_rows(
// CHECK: "ttir.multiply"
func.func @one_of_more_rows(%a: tensor<1x128xf32>) -> tensor<64x128xf32> {
  %0 = "ttir.constant"() <{value = dense<1.0> : tensor<64x128xf32>}> : () -> tensor<64x128xf32>
  %1 = tensor.empty() : tensor<64x128xf32>
  %2 = "ttir.multiply"(%a, %0, %1) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<1x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %2 : tensor<64x128xf32>
}
