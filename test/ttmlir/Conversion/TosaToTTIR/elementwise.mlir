// RUN: ttmlir-opt --convert-tosa-to-ttir %s | FileCheck %s
// Elementwise ops that are one op of TTIR.

// CHECK-LABEL: func.func @abs(
// CHECK: %[[E:.*]] = tensor.empty() : tensor<4x8xf32>
// CHECK-NEXT: %[[R:.*]] = "ttir.abs"(%{{.*}}, %[[E]]) <{{.*}}operandSegmentSizes = array<i32: 1, 1>{{.*}} : ({{.*}}) -> tensor<4x8xf32>
// CHECK-NEXT: return %[[R]]
func.func @abs(%a: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = tosa.abs %a : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @ceil(
// CHECK: %[[E:.*]] = tensor.empty() : tensor<4x8xf32>
// CHECK-NEXT: %[[R:.*]] = "ttir.ceil"(%{{.*}}, %[[E]]) <{{.*}}operandSegmentSizes = array<i32: 1, 1>{{.*}} : ({{.*}}) -> tensor<4x8xf32>
// CHECK-NEXT: return %[[R]]
func.func @ceil(%a: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = tosa.ceil %a : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @cos(
// CHECK: %[[E:.*]] = tensor.empty() : tensor<4x8xf32>
// CHECK-NEXT: %[[R:.*]] = "ttir.cos"(%{{.*}}, %[[E]]) <{{.*}}operandSegmentSizes = array<i32: 1, 1>{{.*}} : ({{.*}}) -> tensor<4x8xf32>
// CHECK-NEXT: return %[[R]]
func.func @cos(%a: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = tosa.cos %a : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @erf(
// CHECK: %[[E:.*]] = tensor.empty() : tensor<4x8xf32>
// CHECK-NEXT: %[[R:.*]] = "ttir.erf"(%{{.*}}, %[[E]]) <{{.*}}operandSegmentSizes = array<i32: 1, 1>{{.*}} : ({{.*}}) -> tensor<4x8xf32>
// CHECK-NEXT: return %[[R]]
func.func @erf(%a: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = tosa.erf %a : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @exp(
// CHECK: %[[E:.*]] = tensor.empty() : tensor<4x8xf32>
// CHECK-NEXT: %[[R:.*]] = "ttir.exp"(%{{.*}}, %[[E]]) <{{.*}}operandSegmentSizes = array<i32: 1, 1>{{.*}} : ({{.*}}) -> tensor<4x8xf32>
// CHECK-NEXT: return %[[R]]
func.func @exp(%a: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = tosa.exp %a : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @floor(
// CHECK: %[[E:.*]] = tensor.empty() : tensor<4x8xf32>
// CHECK-NEXT: %[[R:.*]] = "ttir.floor"(%{{.*}}, %[[E]]) <{{.*}}operandSegmentSizes = array<i32: 1, 1>{{.*}} : ({{.*}}) -> tensor<4x8xf32>
// CHECK-NEXT: return %[[R]]
func.func @floor(%a: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = tosa.floor %a : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @log(
// CHECK: %[[E:.*]] = tensor.empty() : tensor<4x8xf32>
// CHECK-NEXT: %[[R:.*]] = "ttir.log"(%{{.*}}, %[[E]]) <{{.*}}operandSegmentSizes = array<i32: 1, 1>{{.*}} : ({{.*}}) -> tensor<4x8xf32>
// CHECK-NEXT: return %[[R]]
func.func @log(%a: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = tosa.log %a : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @reciprocal(
// CHECK: %[[E:.*]] = tensor.empty() : tensor<4x8xf32>
// CHECK-NEXT: %[[R:.*]] = "ttir.reciprocal"(%{{.*}}, %[[E]]) <{{.*}}operandSegmentSizes = array<i32: 1, 1>{{.*}} : ({{.*}}) -> tensor<4x8xf32>
// CHECK-NEXT: return %[[R]]
func.func @reciprocal(%a: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = tosa.reciprocal %a : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @rsqrt(
// CHECK: %[[E:.*]] = tensor.empty() : tensor<4x8xf32>
// CHECK-NEXT: %[[R:.*]] = "ttir.rsqrt"(%{{.*}}, %[[E]]) <{{.*}}operandSegmentSizes = array<i32: 1, 1>{{.*}} : ({{.*}}) -> tensor<4x8xf32>
// CHECK-NEXT: return %[[R]]
func.func @rsqrt(%a: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = tosa.rsqrt %a : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @sigmoid(
// CHECK: %[[E:.*]] = tensor.empty() : tensor<4x8xf32>
// CHECK-NEXT: %[[R:.*]] = "ttir.sigmoid"(%{{.*}}, %[[E]]) <{{.*}}operandSegmentSizes = array<i32: 1, 1>{{.*}} : ({{.*}}) -> tensor<4x8xf32>
// CHECK-NEXT: return %[[R]]
func.func @sigmoid(%a: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = tosa.sigmoid %a : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @sin(
// CHECK: %[[E:.*]] = tensor.empty() : tensor<4x8xf32>
// CHECK-NEXT: %[[R:.*]] = "ttir.sin"(%{{.*}}, %[[E]]) <{{.*}}operandSegmentSizes = array<i32: 1, 1>{{.*}} : ({{.*}}) -> tensor<4x8xf32>
// CHECK-NEXT: return %[[R]]
func.func @sin(%a: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = tosa.sin %a : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @tanh(
// CHECK: %[[E:.*]] = tensor.empty() : tensor<4x8xf32>
// CHECK-NEXT: %[[R:.*]] = "ttir.tanh"(%{{.*}}, %[[E]]) <{{.*}}operandSegmentSizes = array<i32: 1, 1>{{.*}} : ({{.*}}) -> tensor<4x8xf32>
// CHECK-NEXT: return %[[R]]
func.func @tanh(%a: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = tosa.tanh %a : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @bitwise_not(
// CHECK: %[[E:.*]] = tensor.empty() : tensor<4x8xsi32>
// CHECK-NEXT: %[[R:.*]] = "ttir.bitwise_not"(%{{.*}}, %[[E]]) <{{.*}}operandSegmentSizes = array<i32: 1, 1>{{.*}} : ({{.*}}) -> tensor<4x8xsi32>
// CHECK-NEXT: return %[[R]]
func.func @bitwise_not(%a: tensor<4x8xi32>) -> tensor<4x8xi32> {
  %0 = tosa.bitwise_not %a : (tensor<4x8xi32>) -> tensor<4x8xi32>
  return %0 : tensor<4x8xi32>
}

// CHECK-LABEL: func.func @logical_not(
// CHECK: %[[E:.*]] = tensor.empty() : tensor<4x8xi1>
// CHECK-NEXT: %[[R:.*]] = "ttir.logical_not"(%{{.*}}, %[[E]]) <{{.*}}operandSegmentSizes = array<i32: 1, 1>{{.*}} : ({{.*}}) -> tensor<4x8xi1>
// CHECK-NEXT: return %[[R]]
func.func @logical_not(%a: tensor<4x8xi1>) -> tensor<4x8xi1> {
  %0 = tosa.logical_not %a : (tensor<4x8xi1>) -> tensor<4x8xi1>
  return %0 : tensor<4x8xi1>
}

// CHECK-LABEL: func.func @add(
// CHECK: %[[E:.*]] = tensor.empty() : tensor<4x8xf32>
// CHECK-NEXT: %[[R:.*]] = "ttir.add"(%{{.*}}, %{{.*}}, %[[E]]) <{{.*}}operandSegmentSizes = array<i32: 2, 1>{{.*}} : ({{.*}}) -> tensor<4x8xf32>
// CHECK-NEXT: return %[[R]]
func.func @add(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = tosa.add %a, %b : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @maximum(
// CHECK: %[[E:.*]] = tensor.empty() : tensor<4x8xf32>
// CHECK-NEXT: %[[R:.*]] = "ttir.maximum"(%{{.*}}, %{{.*}}, %[[E]]) <{{.*}}operandSegmentSizes = array<i32: 2, 1>{{.*}} : ({{.*}}) -> tensor<4x8xf32>
// CHECK-NEXT: return %[[R]]
func.func @maximum(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = tosa.maximum %a, %b : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @minimum(
// CHECK: %[[E:.*]] = tensor.empty() : tensor<4x8xf32>
// CHECK-NEXT: %[[R:.*]] = "ttir.minimum"(%{{.*}}, %{{.*}}, %[[E]]) <{{.*}}operandSegmentSizes = array<i32: 2, 1>{{.*}} : ({{.*}}) -> tensor<4x8xf32>
// CHECK-NEXT: return %[[R]]
func.func @minimum(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = tosa.minimum %a, %b : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @pow(
// CHECK: %[[E:.*]] = tensor.empty() : tensor<4x8xf32>
// CHECK-NEXT: %[[R:.*]] = "ttir.power"(%{{.*}}, %{{.*}}, %[[E]]) <{{.*}}operandSegmentSizes = array<i32: 2, 1>{{.*}} : ({{.*}}) -> tensor<4x8xf32>
// CHECK-NEXT: return %[[R]]
func.func @pow(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = tosa.pow %a, %b : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @sub(
// CHECK: %[[E:.*]] = tensor.empty() : tensor<4x8xf32>
// CHECK-NEXT: %[[R:.*]] = "ttir.subtract"(%{{.*}}, %{{.*}}, %[[E]]) <{{.*}}operandSegmentSizes = array<i32: 2, 1>{{.*}} : ({{.*}}) -> tensor<4x8xf32>
// CHECK-NEXT: return %[[R]]
func.func @sub(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = tosa.sub %a, %b : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @intdiv(
// CHECK: %[[E:.*]] = tensor.empty() : tensor<4x8xsi32>
// CHECK-NEXT: %[[R:.*]] = "ttir.div"(%{{.*}}, %{{.*}}, %[[E]]) <{{.*}}operandSegmentSizes = array<i32: 2, 1>{{.*}} : ({{.*}}) -> tensor<4x8xsi32>
// CHECK-NEXT: return %[[R]]
func.func @intdiv(%a: tensor<4x8xi32>, %b: tensor<4x8xi32>) -> tensor<4x8xi32> {
  %0 = tosa.intdiv %a, %b : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi32>
  return %0 : tensor<4x8xi32>
}

// CHECK-LABEL: func.func @equal(
// CHECK: %[[E:.*]] = tensor.empty() : tensor<4x8xi1>
// CHECK-NEXT: %[[R:.*]] = "ttir.eq"(%{{.*}}, %{{.*}}, %[[E]]) <{{.*}}operandSegmentSizes = array<i32: 2, 1>{{.*}} : ({{.*}}) -> tensor<4x8xi1>
// CHECK-NEXT: return %[[R]]
func.func @equal(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) -> tensor<4x8xi1> {
  %0 = tosa.equal %a, %b : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
  return %0 : tensor<4x8xi1>
}

// CHECK-LABEL: func.func @greater(
// CHECK: %[[E:.*]] = tensor.empty() : tensor<4x8xi1>
// CHECK-NEXT: %[[R:.*]] = "ttir.gt"(%{{.*}}, %{{.*}}, %[[E]]) <{{.*}}operandSegmentSizes = array<i32: 2, 1>{{.*}} : ({{.*}}) -> tensor<4x8xi1>
// CHECK-NEXT: return %[[R]]
func.func @greater(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) -> tensor<4x8xi1> {
  %0 = tosa.greater %a, %b : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
  return %0 : tensor<4x8xi1>
}

// CHECK-LABEL: func.func @greater_equal(
// CHECK: %[[E:.*]] = tensor.empty() : tensor<4x8xi1>
// CHECK-NEXT: %[[R:.*]] = "ttir.ge"(%{{.*}}, %{{.*}}, %[[E]]) <{{.*}}operandSegmentSizes = array<i32: 2, 1>{{.*}} : ({{.*}}) -> tensor<4x8xi1>
// CHECK-NEXT: return %[[R]]
func.func @greater_equal(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) -> tensor<4x8xi1> {
  %0 = tosa.greater_equal %a, %b : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
  return %0 : tensor<4x8xi1>
}

// CHECK-LABEL: func.func @logical_and(
// CHECK: %[[E:.*]] = tensor.empty() : tensor<4x8xi1>
// CHECK-NEXT: %[[R:.*]] = "ttir.logical_and"(%{{.*}}, %{{.*}}, %[[E]]) <{{.*}}operandSegmentSizes = array<i32: 2, 1>{{.*}} : ({{.*}}) -> tensor<4x8xi1>
// CHECK-NEXT: return %[[R]]
func.func @logical_and(%a: tensor<4x8xi1>, %b: tensor<4x8xi1>) -> tensor<4x8xi1> {
  %0 = tosa.logical_and %a, %b : (tensor<4x8xi1>, tensor<4x8xi1>) -> tensor<4x8xi1>
  return %0 : tensor<4x8xi1>
}

// CHECK-LABEL: func.func @logical_or(
// CHECK: %[[E:.*]] = tensor.empty() : tensor<4x8xi1>
// CHECK-NEXT: %[[R:.*]] = "ttir.logical_or"(%{{.*}}, %{{.*}}, %[[E]]) <{{.*}}operandSegmentSizes = array<i32: 2, 1>{{.*}} : ({{.*}}) -> tensor<4x8xi1>
// CHECK-NEXT: return %[[R]]
func.func @logical_or(%a: tensor<4x8xi1>, %b: tensor<4x8xi1>) -> tensor<4x8xi1> {
  %0 = tosa.logical_or %a, %b : (tensor<4x8xi1>, tensor<4x8xi1>) -> tensor<4x8xi1>
  return %0 : tensor<4x8xi1>
}

// CHECK-LABEL: func.func @logical_xor(
// CHECK: %[[E:.*]] = tensor.empty() : tensor<4x8xi1>
// CHECK-NEXT: %[[R:.*]] = "ttir.logical_xor"(%{{.*}}, %{{.*}}, %[[E]]) <{{.*}}operandSegmentSizes = array<i32: 2, 1>{{.*}} : ({{.*}}) -> tensor<4x8xi1>
// CHECK-NEXT: return %[[R]]
func.func @logical_xor(%a: tensor<4x8xi1>, %b: tensor<4x8xi1>) -> tensor<4x8xi1> {
  %0 = tosa.logical_xor %a, %b : (tensor<4x8xi1>, tensor<4x8xi1>) -> tensor<4x8xi1>
  return %0 : tensor<4x8xi1>
}

// CHECK-LABEL: func.func @bitwise_and(
// CHECK: %[[E:.*]] = tensor.empty() : tensor<4x8xsi32>
// CHECK-NEXT: %[[R:.*]] = "ttir.bitwise_and"(%{{.*}}, %{{.*}}, %[[E]]) <{{.*}}operandSegmentSizes = array<i32: 2, 1>{{.*}} : ({{.*}}) -> tensor<4x8xsi32>
// CHECK-NEXT: return %[[R]]
func.func @bitwise_and(%a: tensor<4x8xi32>, %b: tensor<4x8xi32>) -> tensor<4x8xi32> {
  %0 = tosa.bitwise_and %a, %b : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi32>
  return %0 : tensor<4x8xi32>
}

// CHECK-LABEL: func.func @bitwise_or(
// CHECK: %[[E:.*]] = tensor.empty() : tensor<4x8xsi32>
// CHECK-NEXT: %[[R:.*]] = "ttir.bitwise_or"(%{{.*}}, %{{.*}}, %[[E]]) <{{.*}}operandSegmentSizes = array<i32: 2, 1>{{.*}} : ({{.*}}) -> tensor<4x8xsi32>
// CHECK-NEXT: return %[[R]]
func.func @bitwise_or(%a: tensor<4x8xi32>, %b: tensor<4x8xi32>) -> tensor<4x8xi32> {
  %0 = tosa.bitwise_or %a, %b : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi32>
  return %0 : tensor<4x8xi32>
}

// CHECK-LABEL: func.func @bitwise_xor(
// CHECK: %[[E:.*]] = tensor.empty() : tensor<4x8xsi32>
// CHECK-NEXT: %[[R:.*]] = "ttir.bitwise_xor"(%{{.*}}, %{{.*}}, %[[E]]) <{{.*}}operandSegmentSizes = array<i32: 2, 1>{{.*}} : ({{.*}}) -> tensor<4x8xsi32>
// CHECK-NEXT: return %[[R]]
func.func @bitwise_xor(%a: tensor<4x8xi32>, %b: tensor<4x8xi32>) -> tensor<4x8xi32> {
  %0 = tosa.bitwise_xor %a, %b : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi32>
  return %0 : tensor<4x8xi32>
}

// CHECK-LABEL: func.func @select(
// CHECK: %[[E:.*]] = tensor.empty() : tensor<4x8xf32>
// CHECK-NEXT: %[[R:.*]] = "ttir.where"(%{{.*}}, %{{.*}}, %{{.*}}, %[[E]]) <{{.*}}operandSegmentSizes = array<i32: 3, 1>{{.*}} : ({{.*}}) -> tensor<4x8xf32>
// CHECK-NEXT: return %[[R]]
func.func @select(%a: tensor<4x8xi1>, %b: tensor<4x8xf32>, %c: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = tosa.select %a, %b, %c : (tensor<4x8xi1>, tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
