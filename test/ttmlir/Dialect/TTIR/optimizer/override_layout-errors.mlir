// RUN: not ttmlir-opt --split-input-file --ttir-load-system-desc --ttir-implicit-device --ttir-optimizer="override-output-layout=op=tile" %s 2>&1 | FileCheck %s
// Results whose own layout leaves no room for the override.
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device>
#line = #tt.layout<(d0, d1) -> (d0 * 128 + d1), undef, <1>, memref<8192xf32, #tt.memory_space<dram>>, interleaved>
// CHECK: 'ttir.relu' op override layout has tiles on the grid #tt.grid<1>: expected a grid of rank 2
func.func @line(%a: tensor<64x128xf32, #line>) -> tensor<64x128xf32, #line> {
  %0 = tensor.empty() : tensor<64x128xf32, #line>
  %1 = "ttir.relu"(%a, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x128xf32, #line>, tensor<64x128xf32, #line>) -> tensor<64x128xf32, #line> loc("op")
  return %1 : tensor<64x128xf32, #line>
}
