// RUN: ttmlir-opt %s | ttmlir-opt | FileCheck %s
// Ops that make tensors.
#layout = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #tt.memory_space<system>>>
#layout1 = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #tt.memory_space<dram>>, interleaved>
#device = #tt.device<workerGrid = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>, l1Map = (d0, d1)[s0, s1] -> (0, d0 floordiv s0, d1 floordiv s1, (d0 mod s0) * s1 + d1 mod s1), dramMap = (d0, d1)[s0, s1] -> (0, 0, ((((d0 floordiv s0) * 8 + d1 floordiv s1) * (s0 * s1) + (d0 mod s0) * s1 + d1 mod s1) floordiv 8192) mod 12, (((d0 floordiv s0) * 8 + d1 floordiv s1) * (s0 * s1) + (d0 mod s0) * s1 + d1 mod s1) floordiv 98304 + (((d0 floordiv s0) * 8 + d1 floordiv s1) * (s0 * s1) + (d0 mod s0) * s1 + d1 mod s1) mod 8192), meshShape = , chipIds = [0]>
#vector = #tt.layout<(d0) -> (0, d0), undef, <1x1>, memref<1x128xf32, #tt.memory_space<dram>>, interleaved>
// CHECK-LABEL: func.func @arange
// CHECK: "ttnn.arange"(%{{.*}}) <{end = 128 : si64, memory_config = #ttnn.memory_config<<interleaved>, <dram>>, start = 0 : si64, step = 1 : si64}> : (!tt.device<#device>) -> tensor<128xf32, #layout{{[0-9]*}}>
func.func @arange(%0: !tt.device<#device>) -> (tensor<128xf32, #vector>) {
  %1 = "ttnn.arange"(%0) <{end = 128 : si64, memory_config = #ttnn.memory_config<<interleaved>, <dram>>, start = 0 : si64, step = 1 : si64}> : (!tt.device<#device>) -> tensor<128xf32, #vector>
  return %1 : tensor<128xf32, #vector>
}
// CHECK-LABEL: func.func @constant
// CHECK: "ttnn.constant"(%{{.*}}) <{memory_config = #ttnn.memory_config<<interleaved>, <dram>>, value = dense<{{\[\[}}1.000000e+00, 2.000000e+00]]> : tensor<1x2xf32>}> : (!tt.device<#device>) -> tensor<1x2xf32, #layout{{[0-9]*}}>
func.func @constant(%0: !tt.device<#device>) -> (tensor<1x2xf32, #layout1>) {
  %1 = "ttnn.constant"(%0) <{memory_config = #ttnn.memory_config<<interleaved>, <dram>>, value = dense<[[1.0, 2.0]]> : tensor<1x2xf32>}> : (!tt.device<#device>) -> tensor<1x2xf32, #layout1>
  return %1 : tensor<1x2xf32, #layout1>
}
// CHECK-LABEL: func.func @from_device
// CHECK: "ttnn.from_device"(%{{.*}}) : (tensor<64x128xf32, #layout{{[0-9]*}}>) -> tensor<64x128xf32, #layout{{[0-9]*}}>
func.func @from_device(%1: tensor<64x128xf32, #layout1>) -> (tensor<64x128xf32, #layout>) {
  %2 = "ttnn.from_device"(%1) : (tensor<64x128xf32, #layout1>) -> tensor<64x128xf32, #layout>
  return %2 : tensor<64x128xf32, #layout>
}
