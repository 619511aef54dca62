// RUN: ttmlir-opt %s --canonicalize | FileCheck %s
// Splats are computed where the result needs no rounding beyond f32's; nothing wraps around.
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
// CHECK-LABEL: func.func @add_0(
// CHECK-NEXT: %[[C:.*]] = "ttir.constant"() <{value = dense<3.750000e+00> : tensor<64x128xf32>}>
// CHECK-NEXT: return %[[C]]
func.func @add_0() -> tensor<64x128xf32> {
  %0 = "ttir.constant"() <{value = dense<1.5> : tensor<64x128xf32>}> : () -> tensor<64x128xf32>
  %1 = "ttir.constant"() <{value = dense<2.25> : tensor<64x128xf32>}> : () -> tensor<64x128xf32>
  %2 = tensor.empty() : tensor<64x128xf32>
  %3 = "ttir.add"(%0, %1, %2) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %3 : tensor<64x128xf32>
}
// CHECK-LABEL: func.func @subtract_1(
// CHECK-NEXT: %[[C:.*]] = "ttir.constant"() <{value = dense<-2.000000e+00> : tensor<64x128xf32>}>
// CHECK-NEXT: return %[[C]]
func.func @subtract_1() -> tensor<64x128xf32> {
  %0 = "ttir.constant"() <{value = dense<1.0> : tensor<64x128xf32>}> : () -> tensor<64x128xf32>
  %1 = "ttir.constant"() <{value = dense<3.0> : tensor<64x128xf32>}> : () -> tensor<64x128xf32>
  %2 = tensor.empty() : tensor<64x128xf32>
  %3 = "ttir.subtract"(%0, %1, %2) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %3 : tensor<64x128xf32>
}
// CHECK-LABEL: func.func @multiply_2(
// CHECK-NEXT: %[[C:.*]] = "ttir.constant"() <{value = dense<1.500000e+00> : tensor<64x128xf32>}>
// CHECK-NEXT: return %[[C]]
func.func @multiply_2() -> tensor<64x128xf32> {
  %0 = "ttir.constant"() <{value = dense<0.5> : tensor<64x128xf32>}> : () -> tensor<64x128xf32>
  %1 = "ttir.constant"() <{value = dense<3.0> : tensor<64x128xf32>}> : () -> tensor<64x128xf32>
  %2 = tensor.empty() : tensor<64x128xf32>
  %3 = "ttir.multiply"(%0, %1, %2) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %3 : tensor<64x128xf32>
}
// CHECK-LABEL: func.func @maximum_3(
// CHECK-NEXT: %[[C:.*]] = "ttir.constant"() <{value = dense<2.000000e+00> : tensor<64x128xf32>}>
// CHECK-NEXT: return %[[C]]
func.func @maximum_3() -> tensor<64x128xf32> {
  %0 = "ttir.constant"() <{value = dense<1.0> : tensor<64x128xf32>}> : () -> tensor<64x128xf32>
  %1 = "ttir.constant"() <{value = dense<2.0> : tensor<64x128xf32>}> : () -> tensor<64x128xf32>
  %2 = tensor.empty() : tensor<64x128xf32>
  %3 = "ttir.maximum"(%0, %1, %2) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %3 : tensor<64x128xf32>
}
// CHECK-LABEL: func.func @minimum_4(
// CHECK-NEXT: %[[C:.*]] = "ttir.constant"() <{value = dense<1.000000e+00> : tensor<64x128xf32>}>
// CHECK-NEXT: return %[[C]]
func.func @minimum_4() -> tensor<64x128xf32> {
  %0 = "ttir.constant"() <{value = dense<1.0> : tensor<64x128xf32>}> : () -> tensor<64x128xf32>
  %1 = "ttir.constant"() <{value = dense<2.0> : tensor<64x128xf32>}> : () -> tensor<64x128xf32>
  %2 = tensor.empty() : tensor<64x128xf32>
  %3 = "ttir.minimum"(%0, %1, %2) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %3 : tensor<64x128xf32>
}
// CHECK-LABEL: func.func @neg_5(
// CHECK-NEXT: %[[C:.*]] = "ttir.constant"() <{value = dense<-1.000000e+00> : tensor<64x128xf32>}>
// CHECK-NEXT: return %[[C]]
func.func @neg_5() -> tensor<64x128xf32> {
  %0 = "ttir.constant"() <{value = dense<1.0> : tensor<64x128xf32>}> : () -> tensor<64x128xf32>
  %1 = tensor.empty() : tensor<64x128xf32>
  %2 = "ttir.neg"(%0, %1) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %2 : tensor<64x128xf32>
}
// CHECK-LABEL: func.func @abs_6(
// CHECK-NEXT: %[[C:.*]] = "ttir.constant"() <{value = dense<1.500000e+00> : tensor<64x128xf32>}>
// CHECK-NEXT: return %[[C]]
func.func @abs_6() -> tensor<64x128xf32> {
  %0 = "ttir.constant"() <{value = dense<-1.5> : tensor<64x128xf32>}> : () -> tensor<64x128xf32>
  %1 = tensor.empty() : tensor<64x128xf32>
  %2 = "ttir.abs"(%0, %1) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %2 : tensor<64x128xf32>
}
// CHECK-LABEL: func.func @relu_7(
// CHECK-NEXT: %[[C:.*]] = "ttir.constant"() <{value = dense<0.000000e+00> : tensor<64x128xf32>}>
// CHECK-NEXT: return %[[C]]
func.func @relu_7() -> tensor<64x128xf32> {
  %0 = "ttir.constant"() <{value = dense<-1.5> : tensor<64x128xf32>}> : () -> tensor<64x128xf32>
  %1 = tensor.empty() : tensor<64x128xf32>
  %2 = "ttir.relu"(%0, %1) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %2 : tensor<64x128xf32>
}
// CHECK-LABEL: func.func @floor_8(
// CHECK-NEXT: %[[C:.*]] = "ttir.constant"() <{value = dense<-2.000000e+00> : tensor<64x128xf32>}>
// CHECK-NEXT: return %[[C]]
func.func @floor_8() -> tensor<64x128xf32> {
  %0 = "ttir.constant"() <{value = dense<-1.5> : tensor<64x128xf32>}> : () -> tensor<64x128xf32>
  %1 = tensor.empty() : tensor<64x128xf32>
  %2 = "ttir.floor"(%0, %1) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %2 : tensor<64x128xf32>
}
// CHECK-LABEL: func.func @lt_9(
// CHECK-NEXT: %[[C:.*]] = "ttir.constant"() <{value = dense<1.000000e+00> : tensor<64x128xf32>}>
// CHECK-NEXT: return %[[C]]
func.func @lt_9() -> tensor<64x128xf32> {
  %0 = "ttir.constant"() <{value = dense<1.0> : tensor<64x128xf32>}> : () -> tensor<64x128xf32>
  %1 = "ttir.constant"() <{value = dense<2.0> : tensor<64x128xf32>}> : () -> tensor<64x128xf32>
  %2 = tensor.empty() : tensor<64x128xf32>
  %3 = "ttir.lt"(%0, %1, %2) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %3 : tensor<64x128xf32>
}
// CHECK-LABEL: func.func @ge_10(
// CHECK-NEXT: %[[C:.*]] = "ttir.constant"() <{value = dense<0> : tensor<64x128xui8>}>
// CHECK-NEXT: return %[[C]]
func.func @ge_10() -> tensor<64x128xui8> {
  %0 = "ttir.constant"() <{value = dense<1.0> : tensor<64x128xf32>}> : () -> tensor<64x128xf32>
  %1 = "ttir.constant"() <{value = dense<2.0> : tensor<64x128xf32>}> : () -> tensor<64x128xf32>
  %2 = tensor.empty() : tensor<64x128xui8>
  %3 = "ttir.ge"(%0, %1, %2) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xui8>) -> tensor<64x128xui8>
  return %3 : tensor<64x128xui8>
}
// CHECK-LABEL: func.func @add_11(
// CHECK-NEXT: %[[C:.*]] = "ttir.constant"() <{value = dense<7> : tensor<64x128xi32>}>
// CHECK-NEXT: return %[[C]]
func.func @add_11() -> tensor<64x128xi32> {
  %0 = "ttir.constant"() <{value = dense<3> : tensor<64x128xi32>}> : () -> tensor<64x128xi32>
  %1 = "ttir.constant"() <{value = dense<4> : tensor<64x128xi32>}> : () -> tensor<64x128xi32>
  %2 = tensor.empty() : tensor<64x128xi32>
  %3 = "ttir.add"(%0, %1, %2) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x128xi32>, tensor<64x128xi32>, tensor<64x128xi32>) -> tensor<64x128xi32>
  return %3 : tensor<64x128xi32>
}
// CHECK-LABEL: func.func @subtract_12(
// CHECK-NEXT: %[[C:.*]] = "ttir.constant"() <{value = dense<-1> : tensor<64x128xsi32>}>
// CHECK-NEXT: return %[[C]]
func.func @subtract_12() -> tensor<64x128xsi32> {
  %0 = "ttir.constant"() <{value = dense<3> : tensor<64x128xsi32>}> : () -> tensor<64x128xsi32>
  %1 = "ttir.constant"() <{value = dense<4> : tensor<64x128xsi32>}> : () -> tensor<64x128xsi32>
  %2 = tensor.empty() : tensor<64x128xsi32>
  %3 = "ttir.subtract"(%0, %1, %2) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x128xsi32>, tensor<64x128xsi32>, tensor<64x128xsi32>) -> tensor<64x128xsi32>
  return %3 : tensor<64x128xsi32>
}
// CHECK-LABEL: func.func @subtract_13(
// CHECK: "ttir.subtract"
func.func @subtract_13() -> tensor<64x128xi32> {
  %0 = "ttir.constant"() <{value = dense<3> : tensor<64x128xi32>}> : () -> tensor<64x128xi32>
  %1 = "ttir.constant"() <{value = dense<4> : tensor<64x128xi32>}> : () -> tensor<64x128xi32>
  %2 = tensor.empty() : tensor<64x128xi32>
  %3 = "ttir.subtract"(%0, %1, %2) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x128xi32>, tensor<64x128xi32>, tensor<64x128xi32>) -> tensor<64x128xi32>
  return %3 : tensor<64x128xi32>
}
// CHECK-LABEL: func.func @add_14(
// CHECK: "ttir.add"
func.func @add_14() -> tensor<64x128xbf16> {
  %0 = "ttir.constant"() <{value = dense<1.0> : tensor<64x128xbf16>}> : () -> tensor<64x128xbf16>
  %1 = "ttir.constant"() <{value = dense<0.00390625> : tensor<64x128xbf16>}> : () -> tensor<64x128xbf16>
  %2 = tensor.empty() : tensor<64x128xbf16>
  %3 = "ttir.add"(%0, %1, %2) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x128xbf16>, tensor<64x128xbf16>, tensor<64x128xbf16>) -> tensor<64x128xbf16>
  return %3 : tensor<64x128xbf16>
}
// CHECK-LABEL: func.func @exp_15(
// CHECK: "ttir.exp"
func.func @exp_15() -> tensor<64x128xf32> {
  %0 = "ttir.constant"() <{value = dense<1.0> : tensor<64x128xf32>}> : () -> tensor<64x128xf32>
  %1 = tensor.empty() : tensor<64x128xf32>
  %2 = "ttir.exp"(%0, %1) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %2 : tensor<64x128xf32>
}
// CHECK-LABEL: func.func @maximum_16(
// CHECK: "ttir.maximum"
func.func @maximum_16() -> tensor<64x128xf32> {
  %0 = "ttir.constant"() <{value = dense<0.0> : tensor<64x128xf32>}> : () -> tensor<64x128xf32>
  %1 = "ttir.constant"() <{value = dense<-0.0> : tensor<64x128xf32>}> : () -> tensor<64x128xf32>
  %2 = tensor.empty() : tensor<64x128xf32>
  %3 = "ttir.maximum"(%0, %1, %2) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %3 : tensor<64x128xf32>
}
