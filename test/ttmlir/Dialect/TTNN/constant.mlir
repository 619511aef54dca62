// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline %s | FileCheck %s
// A constant of zeros is a ttnn.empty that says so, another splat a ttnn.full.
#any_device = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
// CHECK-LABEL: func.func @zeros
// CHECK: %{{.*}} = "ttnn.empty"{{.*}} {ttnn.zeros}
func.func @zeros() -> tensor<64x128xi32> {
  %0 = "ttir.constant"() <{value = dense<0> : tensor<64x128xi32>}> : () -> tensor<64x128xi32>
  return %0 : tensor<64x128xi32>
}
// CHECK-LABEL: func.func @negative_zero
// CHECK: "ttnn.full"(%{{.*}}) <{fillValue = -0.000000e+00 : f32}>
func.func @negative_zero() -> tensor<64x128xf32> {
  %0 = "ttir.constant"() <{value = dense<-0.0> : tensor<64x128xf32>}> : () -> tensor<64x128xf32>
  return %0 : tensor<64x128xf32>
}
// CHECK-LABEL: func.func @input
// CHECK: %[[C:.*]] = "ttnn.full"(%{{.*}}) <{fillValue = 3.000000e+00 : f32}> : (!tt.device<#device>) -> tensor<64x128xbf16, #[[LAYOUT:.*]]>
// CHECK: "ttnn.add"(%{{.*}}, %[[C]], %{{.*}}){{.*}} tensor<64x128xbf16, #[[LAYOUT]]>
func.func @input(%arg0: tensor<64x128xbf16>) -> tensor<64x128xbf16> {
  %0 = "ttir.constant"() <{value = dense<3.0> : tensor<64x128xbf16>}> : () -> tensor<64x128xbf16>
  %1 = tensor.empty() : tensor<64x128xbf16>
  %2 = "ttir.add"(%arg0, %0, %1) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<64x128xbf16>, tensor<64x128xbf16>, tensor<64x128xbf16>) -> tensor<64x128xbf16>
  return %2 : tensor<64x128xbf16>
}
