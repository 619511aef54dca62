// RUN: ttmlir-opt %s -split-input-file -verify-diagnostics
// Rules of ops that place tensors.
#dram = #tt.memory_space<dram>
#host = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #tt.memory_space<system>>>
#on_device = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #dram>, interleaved>
func.func @alloc_without_layout() {
  // expected-error @+1 {{'ttnn.alloc' op Result type missing layout attribute: found 'tensor<64x128xf32>'}}
  %0 = "ttnn.alloc"() <{address = 4096 : i64, memory_space = #dram, size = 32768 : i64}> : () -> tensor<64x128xf32>
  return
}

// -----

#dram = #tt.memory_space<dram>
#host = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #tt.memory_space<system>>>
#on_device = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #dram>, interleaved>
func.func @alloc_elsewhere() {
  // expected-error @+1 {{'ttnn.alloc' op Input tensor layout memory space must match alloc memory space: expected dram, found l1}}
  %0 = "ttnn.alloc"() <{address = 4096 : i64, memory_space = #tt.memory_space<l1>, size = 32768 : i64}> : () -> tensor<64x128xf32, #on_device>
  return
}

// -----

#dram = #tt.memory_space<dram>
#host = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #tt.memory_space<system>>>
#on_device = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #dram>, interleaved>
func.func @alloc_nothing() {
  // expected-error @+1 {{'ttnn.alloc' op Alloc size must be non-zero: found 0}}
  %0 = "ttnn.alloc"() <{address = 4096 : i64, memory_space = #dram, size = 0 : i64}> : () -> tensor<64x128xf32, #on_device>
  return
}

// -----

#dram = #tt.memory_space<dram>
#host = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #tt.memory_space<system>>>
#on_device = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #dram>, interleaved>
func.func @alloc_at_zero() {
  // expected-error @+1 {{'ttnn.alloc' op Allocating from a device memory space must have address set to a non-zero value, device addresses are statically allocated: found 0}}
  %0 = "ttnn.alloc"() <{address = 0 : i64, memory_space = #dram, size = 32768 : i64}> : () -> tensor<64x128xf32, #on_device>
  return
}

// -----

#device = #tt.device<workerGrid = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>, l1Map = (d0, d1)[s0, s1] -> (0, d0 floordiv s0, d1 floordiv s1, (d0 mod s0) * s1 + d1 mod s1), dramMap = (d0, d1)[s0, s1] -> (0, 0, ((((d0 floordiv s0) * 8 + d1 floordiv s1) * (s0 * s1) + (d0 mod s0) * s1 + d1 mod s1) floordiv 8192) mod 12, (((d0 floordiv s0) * 8 + d1 floordiv s1) * (s0 * s1) + (d0 mod s0) * s1 + d1 mod s1) floordiv 98304 + (((d0 floordiv s0) * 8 + d1 floordiv s1) * (s0 * s1) + (d0 mod s0) * s1 + d1 mod s1) mod 8192), meshShape = , chipIds = [0]>
#dram = #tt.memory_space<dram>
#host = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #tt.memory_space<system>>>
#on_device = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #dram>, interleaved>
func.func @to_device_shape(%a: tensor<64x128xf32, #host>, %d: !tt.device<#device>) {
  // expected-error @+1 {{'ttnn.to_device' op Input and result shapes must be the same: found 64x128 and 64x64}}
  %0 = "ttnn.to_device"(%a, %d) <{memory_config = #ttnn.memory_config<<interleaved>, <dram>>}> : (tensor<64x128xf32, #host>, !tt.device<#device>) -> tensor<64x64xf32, #on_device>
  return
}

// -----

#device = #tt.device<workerGrid = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>, l1Map = (d0, d1)[s0, s1] -> (0, d0 floordiv s0, d1 floordiv s1, (d0 mod s0) * s1 + d1 mod s1), dramMap = (d0, d1)[s0, s1] -> (0, 0, ((((d0 floordiv s0) * 8 + d1 floordiv s1) * (s0 * s1) + (d0 mod s0) * s1 + d1 mod s1) floordiv 8192) mod 12, (((d0 floordiv s0) * 8 + d1 floordiv s1) * (s0 * s1) + (d0 mod s0) * s1 + d1 mod s1) floordiv 98304 + (((d0 floordiv s0) * 8 + d1 floordiv s1) * (s0 * s1) + (d0 mod s0) * s1 + d1 mod s1) mod 8192), meshShape = , chipIds = [0]>
#dram = #tt.memory_space<dram>
#host = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #tt.memory_space<system>>>
#on_device = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<128x128xf32, #dram>, interleaved>
func.func @to_layout_shape(%a: tensor<64x128xf32, #host>, %d: !tt.device<#device>) {
  // expected-error @+1 {{'ttnn.to_layout' op Input and result shapes must be the same: found 64x128 and 128x64}}
  %0 = "ttnn.to_layout"(%a, %d) <{layout = #ttnn.layout<tile>}> : (tensor<64x128xf32, #host>, !tt.device<#device>) -> tensor<128x64xf32, #on_device>
  return
}
