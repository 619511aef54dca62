// RUN: ttmlir-opt %s --canonicalize | FileCheck %s
// Ops that undo one another go.
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
// CHECK-LABEL: func.func @transposes(
// CHECK-NEXT: return %arg0
func.func @transposes(%a: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %0 = tensor.empty() : tensor<128x64xf32>
  %1 = "ttir.transpose"(%a, %0) <{dim0 = 0 : si32, dim1 = 1 : si32, operand_constraints = [#any, #any]}> : (tensor<64x128xf32>, tensor<128x64xf32>) -> tensor<128x64xf32>
  %2 = tensor.empty() : tensor<64x128xf32>
  %3 = "ttir.transpose"(%1, %2) <{dim0 = -1 : si32, dim1 = -2 : si32, operand_constraints = [#any, #any]}> : (tensor<128x64xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %3 : tensor<64x128xf32>
}
// CHECK-LABEL: func.func @permutes(
// CHECK-NEXT: return %arg0
func.func @permutes(%a: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %0 = tensor.empty() : tensor<4x2x3xf32>
  %1 = "ttir.permute"(%a, %0) <{permutation = array<i64: 2, 0, 1>, operand_constraints = [#any, #any]}> : (tensor<2x3x4xf32>, tensor<4x2x3xf32>) -> tensor<4x2x3xf32>
  %2 = tensor.empty() : tensor<2x3x4xf32>
  %3 = "ttir.permute"(%1, %2) <{permutation = array<i64: 1, 2, 0>, operand_constraints = [#any, #any]}> : (tensor<4x2x3xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return %3 : tensor<2x3x4xf32>
}
// CHECK-LABEL: func.func @reshapes(
// CHECK-NEXT: return %arg0
func.func @reshapes(%a: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %0 = tensor.empty() : tensor<8192xf32>
  %1 = "ttir.reshape"(%a, %0) <{shape = [8192 : i32], operand_constraints = [#any, #any]}> : (tensor<64x128xf32>, tensor<8192xf32>) -> tensor<8192xf32>
  %2 = tensor.empty() : tensor<64x128xf32>
  %3 = "ttir.reshape"(%1, %2) <{shape = [64 : i32, -1 : i32], operand_constraints = [#any, #any]}> : (tensor<8192xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %3 : tensor<64x128xf32>
}
// CHECK-LABEL: func.func @negations(
// CHECK-NEXT: return %arg0
func.func @negations(%a: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %0 = tensor.empty() : tensor<64x128xf32>
  %1 = "ttir.neg"(%a, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  %2 = tensor.empty() : tensor<64x128xf32>
  %3 = "ttir.neg"(%1, %2) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %3 : tensor<64x128xf32>
}
// CHECK-LABEL: func.func @complements(
// CHECK-NEXT: return %arg0
func.func @complements(%a: tensor<64x128xi32>) -> tensor<64x128xi32> {
  %0 = tensor.empty() : tensor<64x128xi32>
  %1 = "ttir.bitwise_not"(%a, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x128xi32>, tensor<64x128xi32>) -> tensor<64x128xi32>
  %2 = tensor.empty() : tensor<64x128xi32>
  %3 = "ttir.bitwise_not"(%1, %2) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x128xi32>, tensor<64x128xi32>) -> tensor<64x128xi32>
  return %3 : tensor<64x128xi32>
}
// CHECK-LABEL: func.func @widened(
// CHECK-NEXT: return %arg0
func.func @widened(%a: tensor<64x128xbf16>) -> tensor<64x128xbf16> {
  %0 = tensor.empty() : tensor<64x128xf32>
  %1 = "ttir.typecast"(%a, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x128xbf16>, tensor<64x128xf32>) -> tensor<64x128xf32>
  %2 = tensor.empty() : tensor<64x128xbf16>
  %3 = "ttir.typecast"(%1, %2) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x128xf32>, tensor<64x128xbf16>) -> tensor<64x128xbf16>
  return %3 : tensor<64x128xbf16>
}
// bf16 has not all values of f32: both stay.
// CHECK-LABEL: func.func @narrowed(
// CHECK-COUNT-2: "ttir.typecast"
func.func @narrowed(%a: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %0 = tensor.empty() : tensor<64x128xbf16>
  %1 = "ttir.typecast"(%a, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x128xf32>, tensor<64x128xbf16>) -> tensor<64x128xbf16>
  %2 = tensor.empty() : tensor<64x128xf32>
  %3 = "ttir.typecast"(%1, %2) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x128xbf16>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %3 : tensor<64x128xf32>
}
// CHECK-LABEL: func.func @squeezes(
// CHECK-NEXT: return %arg0
func.func @squeezes(%a: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %0 = tensor.empty() : tensor<1x64x128xf32>
  %1 = "ttir.unsqueeze"(%a, %0) <{dim = 0 : si32, operand_constraints = [#any, #any]}> : (tensor<64x128xf32>, tensor<1x64x128xf32>) -> tensor<1x64x128xf32>
  %2 = tensor.empty() : tensor<64x128xf32>
  %3 = "ttir.squeeze"(%1, %2) <{dim = 0 : si32, operand_constraints = [#any, #any]}> : (tensor<1x64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %3 : tensor<64x128xf32>
}
// CHECK-LABEL: func.func @maximum_of_one(
// CHECK-NEXT: return %arg0
func.func @maximum_of_one(%a: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %0 = tensor.empty() : tensor<64x128xf32>
  %1 = "ttir.maximum"(%a, %a, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %1 : tensor<64x128xf32>
}
