// RUN: not ttmlir-opt --ttir-load-system-desc %s 2>&1 | FileCheck %s

#l1_ = #tt.memory_space<l1>
#layout = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #l1_>>
// CHECK: 'ttmetal.dispatch' op (C9) circular buffers must end within the 1499136 bytes of L1: found cb_in1 with 1638400 bytes at 33792
func.func @too_many_pages(%a: tensor<64x128xf32, #layout>) {
  %0 = "ttmetal.dispatch"(%a, %a) <{core_ranges = [#ttmetal.core_range<0x0, 1x1>], kernelConfigs = [#ttkernel.noc_config<noc0>], operandSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%x: !ttkernel.cb<cb_in0, 1024, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, %y: !ttkernel.cb<cb_in1, 33792, memref<1x200x!tt.tile<32x32, f32>, #l1_>, 4096, 2>):
    "ttkernel.return"() : () -> ()
  }) : (tensor<64x128xf32, #layout>, tensor<64x128xf32, #layout>) -> tensor<64x128xf32, #layout>
  return
}
