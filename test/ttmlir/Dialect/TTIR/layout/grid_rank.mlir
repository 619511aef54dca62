// RUN: ttmlir-opt --ttir-load-system-desc --ttir-layout %s | FileCheck %s
// Tiles have rows and columns: a tensor on a line of cores moves to the device's grid for them.
// CHECK: #[[TILES:.*]] = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<2x4x!tt.tile<32x32, f32>
// CHECK: "ttir.to_layout"(%arg0, %{{.*}}) {{.*}} -> tensor<64x128xf32, #[[TILES]]>
#tile = #tt.operand_constraint<dram|l1|tile|any_device_tile>
#line = #tt.layout<(d0, d1) -> (d0 * 128 + d1), undef, <1>, memref<8192xf32, #tt.memory_space<dram>>, interleaved>
func.func @line(%a: tensor<64x128xf32, #line>) -> tensor<64x128xf32> {
  %0 = tensor.empty() : tensor<64x128xf32>
  %1 = "ttir.relu"(%a, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#tile, #tile]}> : (tensor<64x128xf32, #line>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %1 : tensor<64x128xf32>
}
