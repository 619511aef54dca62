// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline --verify-diagnostics %s
// RUN: ttmlir-opt --ttir-to-ttmetal-backend-pipeline --verify-diagnostics %s
// A grid of another rank than the device's.
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device>
#line = #tt.layout<(d0, d1) -> (d0 * 128 + d1), undef, <1>, memref<8192xf32, #tt.memory_space<dram>>, interleaved>
// expected-error @+1 {{places a tensor on the grid #tt.grid<1> that is not on the device: expected one inside #tt.grid<8x8>}}
func.func @line(%a: tensor<64x128xf32, #line>) -> tensor<64x128xf32, #line> {
  %0 = tensor.empty() : tensor<64x128xf32, #line>
  %1 = "ttir.relu"(%a, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x128xf32, #line>, tensor<64x128xf32, #line>) -> tensor<64x128xf32, #line>
  return %1 : tensor<64x128xf32, #line>
}
