// RUN: ttmlir-opt %s | ttmlir-opt | FileCheck %s
// Limits, signs and remainders.
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
// CHECK-LABEL: func.func @ceil
// CHECK: "ttir.ceil"(%{{.*}}, %{{.*}}) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any_device, #any_device]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
func.func @ceil(%a: tensor<64x128xf32>) -> (tensor<64x128xf32>) {
  %0 = tensor.empty() : tensor<64x128xf32>
  %1 = "ttir.ceil"(%a, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %1 : tensor<64x128xf32>
}
// CHECK-LABEL: func.func @floor
// CHECK: "ttir.floor"(%{{.*}}, %{{.*}}) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any_device, #any_device]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
func.func @floor(%a: tensor<64x128xf32>) -> (tensor<64x128xf32>) {
  %0 = tensor.empty() : tensor<64x128xf32>
  %1 = "ttir.floor"(%a, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %1 : tensor<64x128xf32>
}
// CHECK-LABEL: func.func @sign
// CHECK: "ttir.sign"(%{{.*}}, %{{.*}}) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any_device, #any_device]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
func.func @sign(%a: tensor<64x128xf32>) -> (tensor<64x128xf32>) {
  %0 = tensor.empty() : tensor<64x128xf32>
  %1 = "ttir.sign"(%a, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %1 : tensor<64x128xf32>
}
// CHECK-LABEL: func.func @minimum
// CHECK: "ttir.minimum"(%{{.*}}, %{{.*}}, %{{.*}}) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
func.func @minimum(%a: tensor<64x128xf32>, %b: tensor<64x128xf32>) -> (tensor<64x128xf32>) {
  %0 = tensor.empty() : tensor<64x128xf32>
  %1 = "ttir.minimum"(%a, %b, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %1 : tensor<64x128xf32>
}
// CHECK-LABEL: func.func @clamp
// CHECK: "ttir.clamp"(%{{.*}}, %{{.*}}) <{max = 6.000000e+00 : f32, min = 0.000000e+00 : f32, operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any_device, #any_device]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
func.func @clamp(%a: tensor<64x128xf32>) -> (tensor<64x128xf32>) {
  %0 = tensor.empty() : tensor<64x128xf32>
  %1 = "ttir.clamp"(%a, %0) <{max = 6.000000e+00 : f32, min = 0.000000e+00 : f32, operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %1 : tensor<64x128xf32>
}
// CHECK-LABEL: func.func @leaky_relu
// CHECK: "ttir.leaky_relu"(%{{.*}}, %{{.*}}) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any_device, #any_device], parameter = 0.00999999977 : f32}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
func.func @leaky_relu(%a: tensor<64x128xf32>) -> (tensor<64x128xf32>) {
  %0 = tensor.empty() : tensor<64x128xf32>
  %1 = "ttir.leaky_relu"(%a, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any], parameter = 1.000000e-02 : f32}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %1 : tensor<64x128xf32>
}
// CHECK-LABEL: func.func @selu
// CHECK: "ttir.selu"(%{{.*}}, %{{.*}}) <{alpha = 1.67326319 : f32, operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any_device, #any_device], scale = 1.05070102 : f32}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
func.func @selu(%a: tensor<64x128xf32>) -> (tensor<64x128xf32>) {
  %0 = tensor.empty() : tensor<64x128xf32>
  %1 = "ttir.selu"(%a, %0) <{alpha = 1.6732632423543772 : f32, operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any], scale = 1.0507009873554805 : f32}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %1 : tensor<64x128xf32>
}
// CHECK-LABEL: func.func @power
// CHECK: "ttir.power"(%{{.*}}, %{{.*}}, %{{.*}}) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
func.func @power(%a: tensor<64x128xf32>, %b: tensor<64x128xf32>) -> (tensor<64x128xf32>) {
  %0 = tensor.empty() : tensor<64x128xf32>
  %1 = "ttir.power"(%a, %b, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %1 : tensor<64x128xf32>
}
// CHECK-LABEL: func.func @remainder
// CHECK: "ttir.remainder"(%{{.*}}, %{{.*}}, %{{.*}}) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
func.func @remainder(%a: tensor<64x128xf32>, %b: tensor<64x128xf32>) -> (tensor<64x128xf32>) {
  %0 = tensor.empty() : tensor<64x128xf32>
  %1 = "ttir.remainder"(%a, %b, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %1 : tensor<64x128xf32>
}
