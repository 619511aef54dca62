// RUN: ttmlir-opt %s | ttmlir-opt | FileCheck %s
// Elementwise ops of floats.
// CHECK-LABEL: func.func @cbrt
// CHECK: "ttnn.cbrt"(%{{.*}}, %{{.*}}) <{operandSegmentSizes = array<i32: 1, 1>}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
func.func @cbrt(%a: tensor<64x128xf32>, %1: tensor<64x128xf32>) -> (tensor<64x128xf32>) {
  %2 = "ttnn.cbrt"(%a, %1) <{operandSegmentSizes = array<i32: 1, 1>}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %2 : tensor<64x128xf32>
}
// CHECK-LABEL: func.func @cos
// CHECK: "ttnn.cos"(%{{.*}}, %{{.*}}) <{operandSegmentSizes = array<i32: 1, 1>}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
func.func @cos(%a: tensor<64x128xf32>, %1: tensor<64x128xf32>) -> (tensor<64x128xf32>) {
  %2 = "ttnn.cos"(%a, %1) <{operandSegmentSizes = array<i32: 1, 1>}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %2 : tensor<64x128xf32>
}
// CHECK-LABEL: func.func @erf
// CHECK: "ttnn.erf"(%{{.*}}, %{{.*}}) <{operandSegmentSizes = array<i32: 1, 1>}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
func.func @erf(%a: tensor<64x128xf32>, %1: tensor<64x128xf32>) -> (tensor<64x128xf32>) {
  %2 = "ttnn.erf"(%a, %1) <{operandSegmentSizes = array<i32: 1, 1>}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %2 : tensor<64x128xf32>
}
// CHECK-LABEL: func.func @expm1
// CHECK: "ttnn.expm1"(%{{.*}}, %{{.*}}) <{operandSegmentSizes = array<i32: 1, 1>}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
func.func @expm1(%a: tensor<64x128xf32>, %1: tensor<64x128xf32>) -> (tensor<64x128xf32>) {
  %2 = "ttnn.expm1"(%a, %1) <{operandSegmentSizes = array<i32: 1, 1>}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %2 : tensor<64x128xf32>
}
// CHECK-LABEL: func.func @gelu
// CHECK: "ttnn.gelu"(%{{.*}}, %{{.*}}) <{operandSegmentSizes = array<i32: 1, 1>}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
func.func @gelu(%a: tensor<64x128xf32>, %1: tensor<64x128xf32>) -> (tensor<64x128xf32>) {
  %2 = "ttnn.gelu"(%a, %1) <{operandSegmentSizes = array<i32: 1, 1>}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %2 : tensor<64x128xf32>
}
// CHECK-LABEL: func.func @log
// CHECK: "ttnn.log"(%{{.*}}, %{{.*}}) <{operandSegmentSizes = array<i32: 1, 1>}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
func.func @log(%a: tensor<64x128xf32>, %1: tensor<64x128xf32>) -> (tensor<64x128xf32>) {
  %2 = "ttnn.log"(%a, %1) <{operandSegmentSizes = array<i32: 1, 1>}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %2 : tensor<64x128xf32>
}
// CHECK-LABEL: func.func @log1p
// CHECK: "ttnn.log1p"(%{{.*}}, %{{.*}}) <{operandSegmentSizes = array<i32: 1, 1>}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
func.func @log1p(%a: tensor<64x128xf32>, %1: tensor<64x128xf32>) -> (tensor<64x128xf32>) {
  %2 = "ttnn.log1p"(%a, %1) <{operandSegmentSizes = array<i32: 1, 1>}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %2 : tensor<64x128xf32>
}
// CHECK-LABEL: func.func @rsqrt
// CHECK: "ttnn.rsqrt"(%{{.*}}, %{{.*}}) <{operandSegmentSizes = array<i32: 1, 1>}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
func.func @rsqrt(%a: tensor<64x128xf32>, %1: tensor<64x128xf32>) -> (tensor<64x128xf32>) {
  %2 = "ttnn.rsqrt"(%a, %1) <{operandSegmentSizes = array<i32: 1, 1>}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %2 : tensor<64x128xf32>
}
// CHECK-LABEL: func.func @silu
// CHECK: "ttnn.silu"(%{{.*}}, %{{.*}}) <{operandSegmentSizes = array<i32: 1, 1>}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
func.func @silu(%a: tensor<64x128xf32>, %1: tensor<64x128xf32>) -> (tensor<64x128xf32>) {
  %2 = "ttnn.silu"(%a, %1) <{operandSegmentSizes = array<i32: 1, 1>}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %2 : tensor<64x128xf32>
}
// CHECK-LABEL: func.func @sin
// CHECK: "ttnn.sin"(%{{.*}}, %{{.*}}) <{operandSegmentSizes = array<i32: 1, 1>}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
func.func @sin(%a: tensor<64x128xf32>, %1: tensor<64x128xf32>) -> (tensor<64x128xf32>) {
  %2 = "ttnn.sin"(%a, %1) <{operandSegmentSizes = array<i32: 1, 1>}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %2 : tensor<64x128xf32>
}
// CHECK-LABEL: func.func @tan
// CHECK: "ttnn.tan"(%{{.*}}, %{{.*}}) <{operandSegmentSizes = array<i32: 1, 1>}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
func.func @tan(%a: tensor<64x128xf32>, %1: tensor<64x128xf32>) -> (tensor<64x128xf32>) {
  %2 = "ttnn.tan"(%a, %1) <{operandSegmentSizes = array<i32: 1, 1>}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %2 : tensor<64x128xf32>
}
// CHECK-LABEL: func.func @tanh
// CHECK: "ttnn.tanh"(%{{.*}}, %{{.*}}) <{operandSegmentSizes = array<i32: 1, 1>}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
func.func @tanh(%a: tensor<64x128xf32>, %1: tensor<64x128xf32>) -> (tensor<64x128xf32>) {
  %2 = "ttnn.tanh"(%a, %1) <{operandSegmentSizes = array<i32: 1, 1>}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %2 : tensor<64x128xf32>
}
