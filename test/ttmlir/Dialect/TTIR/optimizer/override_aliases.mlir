// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline="override-grid-sizes=add_1_0=4x4" %s | FileCheck %s --strict-whitespace
// The aliases of the layouts stand in the order of their first use: the host, the overridden op and
// its inputs, the inputs of the other op, its result.
#any_device = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
// CHECK: {{^}}#layout = #tt.layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), undef, <1x1>, memref<32x32xf32, #system>>
// CHECK-NEXT: {{^}}#layout1 = #tt.layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), undef, <4x4>, memref<8x8xf32, #dram>, interleaved>
// CHECK-NEXT: {{^}}#layout2 = #tt.layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), undef, <1x1>, memref<32x32xf32, #dram>, interleaved>
// CHECK-NEXT: {{^}}#layout3 = #tt.layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), undef, <8x8>, memref<4x4xf32, #dram>, interleaved>
// CHECK: "ttnn.add"{{.*}} : (tensor<1x32x32xf32, #layout1>, tensor<1x32x32xf32, #layout1>, tensor<1x32x32xf32, #layout1>) -> tensor<1x32x32xf32, #layout1>
// CHECK: "ttnn.add"{{.*}} : (tensor<1x32x32xf32, #layout1>, tensor<1x32x32xf32, #layout2>, tensor<1x32x32xf32, #layout3>) -> tensor<1x32x32xf32, #layout3>
func.func @main(%arg0: tensor<1x32x32xf32>, %arg1: tensor<1x32x32xf32>, %arg2: tensor<1x32x32xf32>) -> tensor<1x32x32xf32> {
  %0 = tensor.empty() : tensor<1x32x32xf32>
  %1 = "ttir.add"(%arg1, %arg2, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<1x32x32xf32>, tensor<1x32x32xf32>, tensor<1x32x32xf32>) -> tensor<1x32x32xf32> loc("add_1_0")
  %2 = tensor.empty() : tensor<1x32x32xf32>
  %3 = "ttir.add"(%1, %arg0, %2) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<1x32x32xf32>, tensor<1x32x32xf32>, tensor<1x32x32xf32>) -> tensor<1x32x32xf32> loc("add_1_1")
  return %3 : tensor<1x32x32xf32>
}
