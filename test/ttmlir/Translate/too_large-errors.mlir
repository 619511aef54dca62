// A constant that no flatbuffer has room for is an error that says what to do.
// RUN: ttmlir-opt --ttir-load-system-desc --ttir-implicit-device %s -o %t.mlir
// RUN: not ttmlir-translate --ttmetal-to-flatbuffer %t.mlir -o %t.ttm 2>&1 | FileCheck %s
// RUN: test ! -e %t.ttm
#dram = #tt.memory_space<dram>
#system = #tt.memory_space<system>
#host = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<32768x32768xf32, #system>>
#device = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<1024x1024x!tt.tile<32x32, f32>, #dram>, interleaved>
!host = tensor<32768x32768xf32, #host>
!device = tensor<32768x32768xf32, #device>
// CHECK: error: 'ttmetal.host_write' op does not fit into the 2 GB of a flatbuffer, which has the bytes of constants and their texts: make large constants inputs of the program
func.func @program() -> !host {
  %0 = "ttmetal.host_constant"() <{value = dense<1.0> : tensor<32768x32768xf32>}> : () -> !host
  %1 = "ttmetal.alloc"() <{address = 32768 : i64, memory_space = #dram, size = 358612992 : i64}> : () -> !device
  %2 = "ttmetal.host_write"(%0, %1) : (!host, !device) -> !device
  %3 = tensor.empty() : !host
  %4 = "ttmetal.host_read"(%2, %3) : (!device, !host) -> !host
  return %4 : !host
}
