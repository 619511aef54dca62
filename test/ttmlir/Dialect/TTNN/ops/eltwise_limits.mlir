// RUN: ttmlir-opt %s | ttmlir-opt | FileCheck %s
// Limits, signs and remainders.
// CHECK-LABEL: func.func @ceil
// CHECK: "ttnn.ceil"(%{{.*}}, %{{.*}}) <{operandSegmentSizes = array<i32: 1, 1>}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
func.func @ceil(%a: tensor<64x128xf32>, %1: tensor<64x128xf32>) -> (tensor<64x128xf32>) {
  %2 = "ttnn.ceil"(%a, %1) <{operandSegmentSizes = array<i32: 1, 1>}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %2 : tensor<64x128xf32>
}
// CHECK-LABEL: func.func @floor
// CHECK: "ttnn.floor"(%{{.*}}, %{{.*}}) <{operandSegmentSizes = array<i32: 1, 1>}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
func.func @floor(%a: tensor<64x128xf32>, %1: tensor<64x128xf32>) -> (tensor<64x128xf32>) {
  %2 = "ttnn.floor"(%a, %1) <{operandSegmentSizes = array<i32: 1, 1>}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %2 : tensor<64x128xf32>
}
// CHECK-LABEL: func.func @sign
// CHECK: "ttnn.sign"(%{{.*}}, %{{.*}}) <{operandSegmentSizes = array<i32: 1, 1>}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
func.func @sign(%a: tensor<64x128xf32>, %1: tensor<64x128xf32>) -> (tensor<64x128xf32>) {
  %2 = "ttnn.sign"(%a, %1) <{operandSegmentSizes = array<i32: 1, 1>}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %2 : tensor<64x128xf32>
}
// CHECK-LABEL: func.func @minimum
// CHECK: "ttnn.minimum"(%{{.*}}, %{{.*}}, %{{.*}}) <{operandSegmentSizes = array<i32: 2, 1>}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
func.func @minimum(%a: tensor<64x128xf32>, %b: tensor<64x128xf32>, %1: tensor<64x128xf32>) -> (tensor<64x128xf32>) {
  %2 = "ttnn.minimum"(%a, %b, %1) <{operandSegmentSizes = array<i32: 2, 1>}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %2 : tensor<64x128xf32>
}
// CHECK-LABEL: func.func @clamp
// CHECK: "ttnn.clamp"(%{{.*}}, %{{.*}}) <{max = 6.000000e+00 : f32, min = 0.000000e+00 : f32, operandSegmentSizes = array<i32: 1, 1>}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
func.func @clamp(%a: tensor<64x128xf32>, %1: tensor<64x128xf32>) -> (tensor<64x128xf32>) {
  %2 = "ttnn.clamp"(%a, %1) <{max = 6.000000e+00 : f32, min = 0.000000e+00 : f32, operandSegmentSizes = array<i32: 1, 1>}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %2 : tensor<64x128xf32>
}
// CHECK-LABEL: func.func @leaky_relu
// CHECK: "ttnn.leaky_relu"(%{{.*}}, %{{.*}}) <{operandSegmentSizes = array<i32: 1, 1>, parameter = 0.00999999977 : f32}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
func.func @leaky_relu(%a: tensor<64x128xf32>, %1: tensor<64x128xf32>) -> (tensor<64x128xf32>) {
  %2 = "ttnn.leaky_relu"(%a, %1) <{operandSegmentSizes = array<i32: 1, 1>, parameter = 1.000000e-02 : f32}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %2 : tensor<64x128xf32>
}
// CHECK-LABEL: func.func @selu
// CHECK: "ttnn.selu"(%{{.*}}, %{{.*}}) <{alpha = 1.67326319 : f32, operandSegmentSizes = array<i32: 1, 1>, scale = 1.05070102 : f32}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
func.func @selu(%a: tensor<64x128xf32>, %1: tensor<64x128xf32>) -> (tensor<64x128xf32>) {
  %2 = "ttnn.selu"(%a, %1) <{alpha = 1.6732632423543772 : f32, operandSegmentSizes = array<i32: 1, 1>, scale = 1.0507009873554805 : f32}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %2 : tensor<64x128xf32>
}
// CHECK-LABEL: func.func @power
// CHECK: "ttnn.power"(%{{.*}}, %{{.*}}, %{{.*}}) <{operandSegmentSizes = array<i32: 2, 1>}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
func.func @power(%a: tensor<64x128xf32>, %b: tensor<64x128xf32>, %1: tensor<64x128xf32>) -> (tensor<64x128xf32>) {
  %2 = "ttnn.power"(%a, %b, %1) <{operandSegmentSizes = array<i32: 2, 1>}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %2 : tensor<64x128xf32>
}
// CHECK-LABEL: func.func @remainder
// CHECK: "ttnn.remainder"(%{{.*}}, %{{.*}}, %{{.*}}) <{operandSegmentSizes = array<i32: 2, 1>}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
func.func @remainder(%a: tensor<64x128xf32>, %b: tensor<64x128xf32>, %1: tensor<64x128xf32>) -> (tensor<64x128xf32>) {
  %2 = "ttnn.remainder"(%a, %b, %1) <{operandSegmentSizes = array<i32: 2, 1>}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %2 : tensor<64x128xf32>
}
