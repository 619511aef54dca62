// RUN: ttmlir-opt %s | ttmlir-opt | FileCheck %s
// Bits, choices and changes of the element type.
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
// CHECK-LABEL: func.func @bitwise_and
// CHECK: "ttir.bitwise_and"(%{{.*}}, %{{.*}}, %{{.*}}) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<64x128xi32>, tensor<64x128xi32>, tensor<64x128xi32>) -> tensor<64x128xi32>
func.func @bitwise_and(%a: tensor<64x128xi32>, %b: tensor<64x128xi32>) -> (tensor<64x128xi32>) {
  %0 = tensor.empty() : tensor<64x128xi32>
  %1 = "ttir.bitwise_and"(%a, %b, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x128xi32>, tensor<64x128xi32>, tensor<64x128xi32>) -> tensor<64x128xi32>
  return %1 : tensor<64x128xi32>
}
// CHECK-LABEL: func.func @bitwise_not
// CHECK: "ttir.bitwise_not"(%{{.*}}, %{{.*}}) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any_device, #any_device]}> : (tensor<64x128xi32>, tensor<64x128xi32>) -> tensor<64x128xi32>
func.func @bitwise_not(%a: tensor<64x128xi32>) -> (tensor<64x128xi32>) {
  %0 = tensor.empty() : tensor<64x128xi32>
  %1 = "ttir.bitwise_not"(%a, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x128xi32>, tensor<64x128xi32>) -> tensor<64x128xi32>
  return %1 : tensor<64x128xi32>
}
// CHECK-LABEL: func.func @bitwise_or
// CHECK: "ttir.bitwise_or"(%{{.*}}, %{{.*}}, %{{.*}}) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<64x128xi32>, tensor<64x128xi32>, tensor<64x128xi32>) -> tensor<64x128xi32>
func.func @bitwise_or(%a: tensor<64x128xi32>, %b: tensor<64x128xi32>) -> (tensor<64x128xi32>) {
  %0 = tensor.empty() : tensor<64x128xi32>
  %1 = "ttir.bitwise_or"(%a, %b, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x128xi32>, tensor<64x128xi32>, tensor<64x128xi32>) -> tensor<64x128xi32>
  return %1 : tensor<64x128xi32>
}
// CHECK-LABEL: func.func @bitwise_xor
// CHECK: "ttir.bitwise_xor"(%{{.*}}, %{{.*}}, %{{.*}}) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<64x128xi32>, tensor<64x128xi32>, tensor<64x128xi32>) -> tensor<64x128xi32>
func.func @bitwise_xor(%a: tensor<64x128xi32>, %b: tensor<64x128xi32>) -> (tensor<64x128xi32>) {
  %0 = tensor.empty() : tensor<64x128xi32>
  %1 = "ttir.bitwise_xor"(%a, %b, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x128xi32>, tensor<64x128xi32>, tensor<64x128xi32>) -> tensor<64x128xi32>
  return %1 : tensor<64x128xi32>
}
// CHECK-LABEL: func.func @where
// CHECK: "ttir.where"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) <{operandSegmentSizes = array<i32: 3, 1>, operand_constraints = [#any_device, #any_device, #any_device, #any_device]}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
func.func @where(%a: tensor<64x128xf32>, %b: tensor<64x128xf32>, %c: tensor<64x128xf32>) -> (tensor<64x128xf32>) {
  %0 = tensor.empty() : tensor<64x128xf32>
  %1 = "ttir.where"(%a, %b, %c, %0) <{operandSegmentSizes = array<i32: 3, 1>, operand_constraints = [#any, #any, #any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %1 : tensor<64x128xf32>
}
// CHECK-LABEL: func.func @typecast
// CHECK: "ttir.typecast"(%{{.*}}, %{{.*}}) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any_device, #any_device]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
func.func @typecast(%a: tensor<64x128xf32>) -> (tensor<64x128xf32>) {
  %0 = tensor.empty() : tensor<64x128xf32>
  %1 = "ttir.typecast"(%a, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %1 : tensor<64x128xf32>
}
