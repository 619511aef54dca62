// RUN: ttmlir-opt %s | ttmlir-opt | FileCheck %s
// Comparisons and logic.
// CHECK-LABEL: func.func @eq
// CHECK: "ttnn.eq"(%{{.*}}, %{{.*}}, %{{.*}}) <{operandSegmentSizes = array<i32: 2, 1>}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
func.func @eq(%a: tensor<64x128xf32>, %b: tensor<64x128xf32>, %1: tensor<64x128xf32>) -> (tensor<64x128xf32>) {
  %2 = "ttnn.eq"(%a, %b, %1) <{operandSegmentSizes = array<i32: 2, 1>}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %2 : tensor<64x128xf32>
}
// CHECK-LABEL: func.func @gt
// CHECK: "ttnn.gt"(%{{.*}}, %{{.*}}, %{{.*}}) <{operandSegmentSizes = array<i32: 2, 1>}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
func.func @gt(%a: tensor<64x128xf32>, %b: tensor<64x128xf32>, %1: tensor<64x128xf32>) -> (tensor<64x128xf32>) {
  %2 = "ttnn.gt"(%a, %b, %1) <{operandSegmentSizes = array<i32: 2, 1>}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %2 : tensor<64x128xf32>
}
// CHECK-LABEL: func.func @le
// CHECK: "ttnn.le"(%{{.*}}, %{{.*}}, %{{.*}}) <{operandSegmentSizes = array<i32: 2, 1>}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
func.func @le(%a: tensor<64x128xf32>, %b: tensor<64x128xf32>, %1: tensor<64x128xf32>) -> (tensor<64x128xf32>) {
  %2 = "ttnn.le"(%a, %b, %1) <{operandSegmentSizes = array<i32: 2, 1>}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %2 : tensor<64x128xf32>
}
// CHECK-LABEL: func.func @lt
// CHECK: "ttnn.lt"(%{{.*}}, %{{.*}}, %{{.*}}) <{operandSegmentSizes = array<i32: 2, 1>}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
func.func @lt(%a: tensor<64x128xf32>, %b: tensor<64x128xf32>, %1: tensor<64x128xf32>) -> (tensor<64x128xf32>) {
  %2 = "ttnn.lt"(%a, %b, %1) <{operandSegmentSizes = array<i32: 2, 1>}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %2 : tensor<64x128xf32>
}
// CHECK-LABEL: func.func @ne
// CHECK: "ttnn.ne"(%{{.*}}, %{{.*}}, %{{.*}}) <{operandSegmentSizes = array<i32: 2, 1>}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
func.func @ne(%a: tensor<64x128xf32>, %b: tensor<64x128xf32>, %1: tensor<64x128xf32>) -> (tensor<64x128xf32>) {
  %2 = "ttnn.ne"(%a, %b, %1) <{operandSegmentSizes = array<i32: 2, 1>}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %2 : tensor<64x128xf32>
}
// CHECK-LABEL: func.func @isfinite
// CHECK: "ttnn.isfinite"(%{{.*}}, %{{.*}}) <{operandSegmentSizes = array<i32: 1, 1>}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
func.func @isfinite(%a: tensor<64x128xf32>, %1: tensor<64x128xf32>) -> (tensor<64x128xf32>) {
  %2 = "ttnn.isfinite"(%a, %1) <{operandSegmentSizes = array<i32: 1, 1>}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %2 : tensor<64x128xf32>
}
// CHECK-LABEL: func.func @logical_and
// CHECK: "ttnn.logical_and"(%{{.*}}, %{{.*}}, %{{.*}}) <{operandSegmentSizes = array<i32: 2, 1>}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
func.func @logical_and(%a: tensor<64x128xf32>, %b: tensor<64x128xf32>, %1: tensor<64x128xf32>) -> (tensor<64x128xf32>) {
  %2 = "ttnn.logical_and"(%a, %b, %1) <{operandSegmentSizes = array<i32: 2, 1>}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %2 : tensor<64x128xf32>
}
// CHECK-LABEL: func.func @logical_not
// CHECK: "ttnn.logical_not"(%{{.*}}, %{{.*}}) <{operandSegmentSizes = array<i32: 1, 1>}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
func.func @logical_not(%a: tensor<64x128xf32>, %1: tensor<64x128xf32>) -> (tensor<64x128xf32>) {
  %2 = "ttnn.logical_not"(%a, %1) <{operandSegmentSizes = array<i32: 1, 1>}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %2 : tensor<64x128xf32>
}
// CHECK-LABEL: func.func @logical_or
// CHECK: "ttnn.logical_or"(%{{.*}}, %{{.*}}, %{{.*}}) <{operandSegmentSizes = array<i32: 2, 1>}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
func.func @logical_or(%a: tensor<64x128xf32>, %b: tensor<64x128xf32>, %1: tensor<64x128xf32>) -> (tensor<64x128xf32>) {
  %2 = "ttnn.logical_or"(%a, %b, %1) <{operandSegmentSizes = array<i32: 2, 1>}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %2 : tensor<64x128xf32>
}
// CHECK-LABEL: func.func @logical_xor
// CHECK: "ttnn.logical_xor"(%{{.*}}, %{{.*}}, %{{.*}}) <{operandSegmentSizes = array<i32: 2, 1>}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
func.func @logical_xor(%a: tensor<64x128xf32>, %b: tensor<64x128xf32>, %1: tensor<64x128xf32>) -> (tensor<64x128xf32>) {
  %2 = "ttnn.logical_xor"(%a, %b, %1) <{operandSegmentSizes = array<i32: 2, 1>}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %2 : tensor<64x128xf32>
}
