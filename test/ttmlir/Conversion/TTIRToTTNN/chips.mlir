// RUN: ttmlir-opt --convert-ttir-to-ttnn %s | FileCheck %s
// A program on another chip than the first one says so, also where no call needs the device; parts of it run where
// it does.
#device = #tt.device<workerGrid = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>, l1Map = (d0, d1)[s0, s1] -> (0, 0, 0, 0), dramMap = (d0, d1)[s0, s1] -> (0, 0, 0, 0), meshShape = 1, chipIds = [3]>
#dram = #tt.memory_space<dram>
#layout = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<1x1x!tt.tile<32x32, f32>, #dram>, interleaved>
module attributes {tt.device = #device} {
// CHECK-LABEL: func.func @program(
// CHECK-NEXT: "ttnn.get_device"() : () -> !tt.device<#{{.*}}>
// CHECK-NEXT: return
func.func @program(%x: tensor<32x32xf32, #layout>) -> tensor<32x32xf32, #layout> {
  return %x : tensor<32x32xf32, #layout>
}
// CHECK-LABEL: func.func private @part(
// CHECK-NEXT: return
func.func private @part(%x: tensor<32x32xf32, #layout>) -> tensor<32x32xf32, #layout> attributes {tt.part} {
  return %x : tensor<32x32xf32, #layout>
}
}
