// RUN: ttmlir-opt %s | ttmlir-opt | FileCheck %s
// Calls that make tensors and move them.
#device = #tt.device<workerGrid = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>, l1Map = (d0, d1)[s0, s1] -> (0, d0 floordiv s0, d1 floordiv s1, (d0 mod s0) * s1 + d1 mod s1), dramMap = (d0, d1)[s0, s1] -> (0, 0, 0, d0 * s1 + d1), meshShape = , chipIds = [0]>
#dram = #tt.memory_space<dram>
#l1 = #tt.memory_space<l1>
#system = #tt.memory_space<system>
#host = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #system>>
#on_device = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #dram>, interleaved>
// CHECK-LABEL: func.func @forward
func.func @forward(%a: tensor<64x128xf32, #host>) -> tensor<64x128xf32, #host> {
  // CHECK: %[[D:.*]] = "ttnn.get_device"() : () -> !tt.device<#device>
  %0 = "ttnn.get_device"() : () -> !tt.device<#device>
  // CHECK: "ttnn.to_layout"(%{{.*}}, %[[D]]) <{layout = #ttnn.layout<tile>}> : (tensor<64x128xf32, #layout>, !tt.device<#device>) -> tensor<64x128xf32, #layout1>
  %1 = "ttnn.to_layout"(%a, %0) <{layout = #ttnn.layout<tile>}> : (tensor<64x128xf32, #host>, !tt.device<#device>) -> tensor<64x128xf32, #on_device>
  // CHECK: "ttnn.to_device"(%{{.*}}, %[[D]]) <{memory_config = #ttnn.memory_config<<interleaved>, <dram>>}>
  %2 = "ttnn.to_device"(%1, %0) <{memory_config = #ttnn.memory_config<<interleaved>, <dram>>}> : (tensor<64x128xf32, #on_device>, !tt.device<#device>) -> tensor<64x128xf32, #on_device>
  // CHECK: "ttnn.empty"(%[[D]]) <{dtype = #tt.supportedDataTypes<f32>, layout = #ttnn.layout<row_major>, memory_config = #ttnn.memory_config<<interleaved>, <dram>>, shape = #ttnn.shape<64x128>}>
  %3 = "ttnn.empty"(%0) <{dtype = #tt.supportedDataTypes<f32>, layout = #ttnn.layout<row_major>, memory_config = #ttnn.memory_config<<interleaved>, <dram>>, shape = #ttnn.shape<64x128>}> : (!tt.device<#device>) -> tensor<64x128xf32, #on_device>
  // CHECK: "ttnn.empty"() <{dtype = #tt.supportedDataTypes<f32>, layout = #ttnn.layout<row_major>, shape = #ttnn.shape<64x128>}> : () -> tensor<64x128xf32, #layout>
  %4 = "ttnn.empty"() <{dtype = #tt.supportedDataTypes<f32>, layout = #ttnn.layout<row_major>, shape = #ttnn.shape<64x128>}> : () -> tensor<64x128xf32, #host>
  // CHECK: "ttnn.full"(%[[D]]) <{fillValue = 1.000000e+00 : f32}>
  %5 = "ttnn.full"(%0) <{fillValue = 1.0 : f32}> : (!tt.device<#device>) -> tensor<64x128xf32, #on_device>
  // CHECK: "ttnn.dealloc"(%{{.*}}) : (tensor<64x128xf32, #layout1>) -> ()
  "ttnn.dealloc"(%5) : (tensor<64x128xf32, #on_device>) -> ()
  // CHECK: "ttnn.alloc"() <{address = 4096 : i64, memory_space = #dram, size = 32768 : i64}>
  %6 = "ttnn.alloc"() <{address = 4096 : i64, memory_space = #dram, size = 32768 : i64}> : () -> tensor<64x128xf32, #on_device>
  // CHECK: "ttnn.to_memory_config"(%{{.*}}, %[[D]])
  %7 = "ttnn.to_memory_config"(%2, %0) : (tensor<64x128xf32, #on_device>, !tt.device<#device>) -> tensor<64x128xf32, #host>
  return %7 : tensor<64x128xf32, #host>
}
