// RUN: ttmlir-opt --ttir-load-system-desc --ttir-implicit-device --ttir-optimizer %s | FileCheck %s
// Collectives that are calls already stay as they are.
#t = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<1x4x!tt.tile<32x32, bf16>, #tt.memory_space<dram>>, interleaved>
// CHECK-LABEL: func.func @sum
// CHECK: "ttnn.all_reduce"(%arg0) <{cluster_axis = 1 : ui32, reduce_type = #tt.reduce_type<sum>}> : (tensor<32x128xbf16, #layout>) -> tensor<32x128xbf16, #layout>
func.func @sum(%x: tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t> {
  %0 = "ttnn.all_reduce"(%x) <{cluster_axis = 1 : ui32, reduce_type = #tt.reduce_type<sum>}> : (tensor<32x128xbf16, #t>) -> tensor<32x128xbf16, #t>
  return %0 : tensor<32x128xbf16, #t>
}
