// RUN: ttmlir-opt %s | ttmlir-opt | FileCheck %s
// Bits, choices and changes of the element type.
// CHECK-LABEL: func.func @bitwise_and
// CHECK: "ttnn.bitwise_and"(%{{.*}}, %{{.*}}, %{{.*}}) <{operandSegmentSizes = array<i32: 2, 1>}> : (tensor<64x128xi32>, tensor<64x128xi32>, tensor<64x128xi32>) -> tensor<64x128xi32>
func.func @bitwise_and(%a: tensor<64x128xi32>, %b: tensor<64x128xi32>, %1: tensor<64x128xi32>) -> (tensor<64x128xi32>) {
  %2 = "ttnn.bitwise_and"(%a, %b, %1) <{operandSegmentSizes = array<i32: 2, 1>}> : (tensor<64x128xi32>, tensor<64x128xi32>, tensor<64x128xi32>) -> tensor<64x128xi32>
  return %2 : tensor<64x128xi32>
}
// CHECK-LABEL: func.func @bitwise_not
// CHECK: "ttnn.bitwise_not"(%{{.*}}, %{{.*}}) <{operandSegmentSizes = array<i32: 1, 1>}> : (tensor<64x128xi32>, tensor<64x128xi32>) -> tensor<64x128xi32>
func.func @bitwise_not(%a: tensor<64x128xi32>, %1: tensor<64x128xi32>) -> (tensor<64x128xi32>) {
  %2 = "ttnn.bitwise_not"(%a, %1) <{operandSegmentSizes = array<i32: 1, 1>}> : (tensor<64x128xi32>, tensor<64x128xi32>) -> tensor<64x128xi32>
  return %2 : tensor<64x128xi32>
}
// CHECK-LABEL: func.func @bitwise_or
// CHECK: "ttnn.bitwise_or"(%{{.*}}, %{{.*}}, %{{.*}}) <{operandSegmentSizes = array<i32: 2, 1>}> : (tensor<64x128xi32>, tensor<64x128xi32>, tensor<64x128xi32>) -> tensor<64x128xi32>
func.func @bitwise_or(%a: tensor<64x128xi32>, %b: tensor<64x128xi32>, %1: tensor<64x128xi32>) -> (tensor<64x128xi32>) {
  %2 = "ttnn.bitwise_or"(%a, %b, %1) <{operandSegmentSizes = array<i32: 2, 1>}> : (tensor<64x128xi32>, tensor<64x128xi32>, tensor<64x128xi32>) -> tensor<64x128xi32>
  return %2 : tensor<64x128xi32>
}
// CHECK-LABEL: func.func @bitwise_xor
// CHECK: "ttnn.bitwise_xor"(%{{.*}}, %{{.*}}, %{{.*}}) <{operandSegmentSizes = array<i32: 2, 1>}> : (tensor<64x128xi32>, tensor<64x128xi32>, tensor<64x128xi32>) -> tensor<64x128xi32>
func.func @bitwise_xor(%a: tensor<64x128xi32>, %b: tensor<64x128xi32>, %1: tensor<64x128xi32>) -> (tensor<64x128xi32>) {
  %2 = "ttnn.bitwise_xor"(%a, %b, %1) <{operandSegmentSizes = array<i32: 2, 1>}> : (tensor<64x128xi32>, tensor<64x128xi32>, tensor<64x128xi32>) -> tensor<64x128xi32>
  return %2 : tensor<64x128xi32>
}
// CHECK-LABEL: func.func @where
// CHECK: "ttnn.where"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) <{operandSegmentSizes = array<i32: 3, 1>}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
func.func @where(%a: tensor<64x128xf32>, %b: tensor<64x128xf32>, %c: tensor<64x128xf32>, %1: tensor<64x128xf32>) -> (tensor<64x128xf32>) {
  %2 = "ttnn.where"(%a, %b, %c, %1) <{operandSegmentSizes = array<i32: 3, 1>}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %2 : tensor<64x128xf32>
}
// CHECK-LABEL: func.func @typecast
// CHECK: "ttnn.typecast"(%{{.*}}, %{{.*}}) <{dtype = #tt.supportedDataTypes<f32>, operandSegmentSizes = array<i32: 1, 1>}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
func.func @typecast(%a: tensor<64x128xf32>, %1: tensor<64x128xf32>) -> (tensor<64x128xf32>) {
  %2 = "ttnn.typecast"(%a, %1) <{dtype = #tt.supportedDataTypes<f32>, operandSegmentSizes = array<i32: 1, 1>}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %2 : tensor<64x128xf32>
}
