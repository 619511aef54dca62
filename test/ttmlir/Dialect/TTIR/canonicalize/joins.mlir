// RUN: ttmlir-opt %s --canonicalize | FileCheck %s
// Several ops that move elements become one.
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
// CHECK-LABEL: func.func @permutations(
// CHECK-NEXT: %[[E:.*]] = tensor.empty() : tensor<4x3x2xf32>
// CHECK-NEXT: %[[R:.*]] = "ttir.permute"(%arg0, %[[E]]){{.*}}permutation = array<i64: 2, 1, 0>
// CHECK-NEXT: return %[[R]]
func.func @permutations(%a: tensor<2x3x4xf32>) -> tensor<4x3x2xf32> {
  %0 = tensor.empty() : tensor<3x2x4xf32>
  %1 = "ttir.transpose"(%a, %0) <{dim0 = 0 : si32, dim1 = 1 : si32, operand_constraints = [#any, #any]}> : (tensor<2x3x4xf32>, tensor<3x2x4xf32>) -> tensor<3x2x4xf32>
  %2 = tensor.empty() : tensor<4x3x2xf32>
  %3 = "ttir.permute"(%1, %2) <{permutation = array<i64: 2, 0, 1>, operand_constraints = [#any, #any]}> : (tensor<3x2x4xf32>, tensor<4x3x2xf32>) -> tensor<4x3x2xf32>
  return %3 : tensor<4x3x2xf32>
}
// CHECK-LABEL: func.func @reshapes(
// CHECK-NEXT: %[[E:.*]] = tensor.empty() : tensor<8192xf32>
// CHECK-NEXT: %[[R:.*]] = "ttir.reshape"(%arg0, %[[E]]){{.*}}shape = [8192 : i32]
// CHECK-NEXT: return %[[R]]
func.func @reshapes(%a: tensor<64x128xf32>) -> tensor<8192xf32> {
  %0 = tensor.empty() : tensor<64x1x128xf32>
  %1 = "ttir.unsqueeze"(%a, %0) <{dim = 1 : si32, operand_constraints = [#any, #any]}> : (tensor<64x128xf32>, tensor<64x1x128xf32>) -> tensor<64x1x128xf32>
  %2 = tensor.empty() : tensor<32x256xf32>
  %3 = "ttir.reshape"(%1, %2) <{shape = [32 : i32, 256 : i32], operand_constraints = [#any, #any]}> : (tensor<64x1x128xf32>, tensor<32x256xf32>) -> tensor<32x256xf32>
  %4 = tensor.empty() : tensor<1x8192xf32>
  %5 = "ttir.reshape"(%3, %4) <{shape = [1 : i32, 8192 : i32], operand_constraints = [#any, #any]}> : (tensor<32x256xf32>, tensor<1x8192xf32>) -> tensor<1x8192xf32>
  %6 = tensor.empty() : tensor<8192xf32>
  %7 = "ttir.squeeze"(%5, %6) <{dim = 0 : si32, operand_constraints = [#any, #any]}> : (tensor<1x8192xf32>, tensor<8192xf32>) -> tensor<8192xf32>
  return %7 : tensor<8192xf32>
}
