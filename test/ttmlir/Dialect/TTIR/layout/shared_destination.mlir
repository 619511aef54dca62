// RUN: ttmlir-opt --ttir-layout %s | FileCheck %s
// Two ops never share a destination, and a constant is made anew for each op that uses it.
#any_device = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
#any_device_tile = #tt.operand_constraint<dram|l1|tile|any_device_tile>
// CHECK-LABEL: func.func @forward
func.func @forward(%arg0: tensor<32x32xf32>) -> (tensor<32x32xf32>, tensor<32x32xf32>) {
  %0 = tensor.empty() : tensor<32x32xf32>
  %c = "ttir.constant"() <{value = dense<2.0> : tensor<32x32xf32>}> : () -> tensor<32x32xf32>
  // CHECK: %[[C1:.*]] = "ttir.constant"
  // CHECK-NEXT: %[[E1:.*]] = tensor.empty
  // CHECK-NEXT: "ttir.add"(%{{.*}}, %[[C1]], %[[E1]])
  %1 = "ttir.add"(%arg0, %c, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  // CHECK: %[[C2:.*]] = "ttir.constant"{{.*}} : () -> tensor<32x32xf32, #[[TILED:.*]]>
  // CHECK-NEXT: %[[E2:.*]] = tensor.empty() : tensor<32x32xf32, #[[TILED]]>
  // CHECK-NEXT: "ttir.matmul"(%{{.*}}, %[[C2]], %[[E2]])
  %2 = "ttir.matmul"(%arg0, %c, %0) <{operand_constraints = [#any_device_tile, #any_device_tile, #any_device_tile]}> : (tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  return %1, %2 : tensor<32x32xf32>, tensor<32x32xf32>
}
