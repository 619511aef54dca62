// RUN: ttmlir-opt %s | ttmlir-opt | FileCheck %s
// Ops that move elements or change the shape only.
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
// CHECK-LABEL: func.func @transpose
// CHECK: "ttir.transpose"(%{{.*}}, %{{.*}}) <{dim0 = -2 : si32, dim1 = 2 : si32, operand_constraints = [#any_device, #any_device]}>
func.func @transpose(%a: tensor<2x64x128xbf16>) {
  %0 = tensor.empty() : tensor<2x128x64xbf16>
  %1 = "ttir.transpose"(%a, %0) <{dim0 = -2 : si32, dim1 = 2 : si32, operand_constraints = [#any, #any]}> : (tensor<2x64x128xbf16>, tensor<2x128x64xbf16>) -> tensor<2x128x64xbf16>
  return
}
// CHECK-LABEL: func.func @concat
// CHECK: "ttir.concat"(%{{.*}}, %{{.*}}, %{{.*}}) <{dim = -1 : si32, operand_constraints = [#any_device, #any_device, #any_device]}>
func.func @concat(%a: tensor<32x32xf32>, %b: tensor<32x64xf32>) {
  %0 = tensor.empty() : tensor<32x96xf32>
  %1 = "ttir.concat"(%a, %b, %0) <{dim = -1 : si32, operand_constraints = [#any, #any, #any]}> : (tensor<32x32xf32>, tensor<32x64xf32>, tensor<32x96xf32>) -> tensor<32x96xf32>
  return
}
// CHECK-LABEL: func.func @reshape
// CHECK: "ttir.reshape"(%{{.*}}, %{{.*}}) <{operand_constraints = [#any_device, #any_device], shape = [2 : i32, 4 : i32, 32 : i32, -1 : i32]}>
func.func @reshape(%a: tensor<8x32x32xbf16>) {
  %0 = tensor.empty() : tensor<2x4x32x32xbf16>
  %1 = "ttir.reshape"(%a, %0) <{operand_constraints = [#any, #any], shape = [2 : i32, 4 : i32, 32 : i32, -1 : i32]}> : (tensor<8x32x32xbf16>, tensor<2x4x32x32xbf16>) -> tensor<2x4x32x32xbf16>
  return
}
// CHECK-LABEL: func.func @squeeze
// CHECK: "ttir.squeeze"(%{{.*}}, %{{.*}}) <{dim = -3 : si32, operand_constraints = [#any_device, #any_device]}>
func.func @squeeze(%a: tensor<1x64x128xbf16>) {
  %0 = tensor.empty() : tensor<64x128xbf16>
  %1 = "ttir.squeeze"(%a, %0) <{dim = -3 : si32, operand_constraints = [#any, #any]}> : (tensor<1x64x128xbf16>, tensor<64x128xbf16>) -> tensor<64x128xbf16>
  return
}
// CHECK-LABEL: func.func @unsqueeze_last
// CHECK: "ttir.unsqueeze"(%{{.*}}, %{{.*}}) <{dim = 2 : si32, operand_constraints = [#any_device, #any_device]}>
func.func @unsqueeze_last(%a: tensor<64x128xbf16>) {
  %0 = tensor.empty() : tensor<64x128x1xbf16>
  %1 = "ttir.unsqueeze"(%a, %0) <{dim = 2 : si32, operand_constraints = [#any, #any]}> : (tensor<64x128xbf16>, tensor<64x128x1xbf16>) -> tensor<64x128x1xbf16>
  return
}
// CHECK-LABEL: func.func @broadcast
// CHECK: "ttir.broadcast"(%{{.*}}, %{{.*}}) <{dimension = [0, 1], operand_constraints = [#any_device, #any_device]}>
func.func @broadcast(%a: tensor<1x128xf32>) {
  %0 = tensor.empty() : tensor<64x128xf32>
  %1 = "ttir.broadcast"(%a, %0) <{dimension = [0, 1], operand_constraints = [#any, #any]}> : (tensor<1x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return
}
// CHECK-LABEL: func.func @broadcast_along
// CHECK: "ttir.broadcast"(%{{.*}}, %{{.*}}) <{dimension = [0], operand_constraints = [#any_device, #any_device]}>
func.func @broadcast_along(%a: tensor<64xf32>) {
  %0 = tensor.empty() : tensor<64x128xf32>
  %1 = "ttir.broadcast"(%a, %0) <{dimension = [0], operand_constraints = [#any, #any]}> : (tensor<64xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return
}
