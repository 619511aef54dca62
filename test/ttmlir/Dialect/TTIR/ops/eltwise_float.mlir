// RUN: ttmlir-opt %s | ttmlir-opt | FileCheck %s
// Elementwise ops of floats.
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
// CHECK-LABEL: func.func @cbrt
// CHECK: "ttir.cbrt"(%{{.*}}, %{{.*}}) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any_device, #any_device]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
func.func @cbrt(%a: tensor<64x128xf32>) -> (tensor<64x128xf32>) {
  %0 = tensor.empty() : tensor<64x128xf32>
  %1 = "ttir.cbrt"(%a, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %1 : tensor<64x128xf32>
}
// CHECK-LABEL: func.func @cos
// CHECK: "ttir.cos"(%{{.*}}, %{{.*}}) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any_device, #any_device]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
func.func @cos(%a: tensor<64x128xf32>) -> (tensor<64x128xf32>) {
  %0 = tensor.empty() : tensor<64x128xf32>
  %1 = "ttir.cos"(%a, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %1 : tensor<64x128xf32>
}
// CHECK-LABEL: func.func @erf
// CHECK: "ttir.erf"(%{{.*}}, %{{.*}}) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any_device, #any_device]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
func.func @erf(%a: tensor<64x128xf32>) -> (tensor<64x128xf32>) {
  %0 = tensor.empty() : tensor<64x128xf32>
  %1 = "ttir.erf"(%a, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %1 : tensor<64x128xf32>
}
// CHECK-LABEL: func.func @expm1
// CHECK: "ttir.expm1"(%{{.*}}, %{{.*}}) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any_device, #any_device]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
func.func @expm1(%a: tensor<64x128xf32>) -> (tensor<64x128xf32>) {
  %0 = tensor.empty() : tensor<64x128xf32>
  %1 = "ttir.expm1"(%a, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %1 : tensor<64x128xf32>
}
// CHECK-LABEL: func.func @gelu
// CHECK: "ttir.gelu"(%{{.*}}, %{{.*}}) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any_device, #any_device]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
func.func @gelu(%a: tensor<64x128xf32>) -> (tensor<64x128xf32>) {
  %0 = tensor.empty() : tensor<64x128xf32>
  %1 = "ttir.gelu"(%a, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %1 : tensor<64x128xf32>
}
// CHECK-LABEL: func.func @log
// CHECK: "ttir.log"(%{{.*}}, %{{.*}}) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any_device, #any_device]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
func.func @log(%a: tensor<64x128xf32>) -> (tensor<64x128xf32>) {
  %0 = tensor.empty() : tensor<64x128xf32>
  %1 = "ttir.log"(%a, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %1 : tensor<64x128xf32>
}
// CHECK-LABEL: func.func @log1p
// CHECK: "ttir.log1p"(%{{.*}}, %{{.*}}) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any_device, #any_device]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
func.func @log1p(%a: tensor<64x128xf32>) -> (tensor<64x128xf32>) {
  %0 = tensor.empty() : tensor<64x128xf32>
  %1 = "ttir.log1p"(%a, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %1 : tensor<64x128xf32>
}
// CHECK-LABEL: func.func @rsqrt
// CHECK: "ttir.rsqrt"(%{{.*}}, %{{.*}}) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any_device, #any_device]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
func.func @rsqrt(%a: tensor<64x128xf32>) -> (tensor<64x128xf32>) {
  %0 = tensor.empty() : tensor<64x128xf32>
  %1 = "ttir.rsqrt"(%a, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %1 : tensor<64x128xf32>
}
// CHECK-LABEL: func.func @silu
// CHECK: "ttir.silu"(%{{.*}}, %{{.*}}) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any_device, #any_device]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
func.func @silu(%a: tensor<64x128xf32>) -> (tensor<64x128xf32>) {
  %0 = tensor.empty() : tensor<64x128xf32>
  %1 = "ttir.silu"(%a, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %1 : tensor<64x128xf32>
}
// CHECK-LABEL: func.func @sin
// CHECK: "ttir.sin"(%{{.*}}, %{{.*}}) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any_device, #any_device]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
func.func @sin(%a: tensor<64x128xf32>) -> (tensor<64x128xf32>) {
  %0 = tensor.empty() : tensor<64x128xf32>
  %1 = "ttir.sin"(%a, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %1 : tensor<64x128xf32>
}
// CHECK-LABEL: func.func @tan
// CHECK: "ttir.tan"(%{{.*}}, %{{.*}}) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any_device, #any_device]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
func.func @tan(%a: tensor<64x128xf32>) -> (tensor<64x128xf32>) {
  %0 = tensor.empty() : tensor<64x128xf32>
  %1 = "ttir.tan"(%a, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %1 : tensor<64x128xf32>
}
// CHECK-LABEL: func.func @tanh
// CHECK: "ttir.tanh"(%{{.*}}, %{{.*}}) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any_device, #any_device]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
func.func @tanh(%a: tensor<64x128xf32>) -> (tensor<64x128xf32>) {
  %0 = tensor.empty() : tensor<64x128xf32>
  %1 = "ttir.tanh"(%a, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %1 : tensor<64x128xf32>
}
