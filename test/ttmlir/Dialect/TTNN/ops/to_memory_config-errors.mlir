// RUN: ttmlir-opt %s -split-input-file -verify-diagnostics
// One case for each rule of ttnn.to_memory_config.
#device = #tt.device<workerGrid = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>, l1Map = (d0, d1)[s0, s1] -> (0, d0 floordiv s0, d1 floordiv s1, (d0 mod s0) * s1 + d1 mod s1), dramMap = (d0, d1)[s0, s1] -> (0, 0, 0, d0 * s1 + d1), meshShape = , chipIds = [0]>
#dram = #tt.memory_space<dram>
#l1 = #tt.memory_space<l1>
#system = #tt.memory_space<system>
#host = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #system>>
#on_device = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #dram>, interleaved>
func.func @no_input_layout(%a: tensor<64x128xf32>, %d: !tt.device<#device>) {
  // expected-error @+1 {{'ttnn.to_memory_config' op Input tensor type missing layout attribute}}
  %0 = "ttnn.to_memory_config"(%a, %d) : (tensor<64x128xf32>, !tt.device<#device>) -> tensor<64x128xf32, #host>
  return
}

// -----

#device = #tt.device<workerGrid = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>, l1Map = (d0, d1)[s0, s1] -> (0, d0 floordiv s0, d1 floordiv s1, (d0 mod s0) * s1 + d1 mod s1), dramMap = (d0, d1)[s0, s1] -> (0, 0, 0, d0 * s1 + d1), meshShape = , chipIds = [0]>
#dram = #tt.memory_space<dram>
#l1 = #tt.memory_space<l1>
#system = #tt.memory_space<system>
#host = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #system>>
#on_device = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #dram>, interleaved>
func.func @no_output_layout(%a: tensor<64x128xf32, #host>, %d: !tt.device<#device>) {
  // expected-error @+1 {{Output tensor type missing layout attribute}}
  %0 = "ttnn.to_memory_config"(%a, %d) : (tensor<64x128xf32, #host>, !tt.device<#device>) -> tensor<64x128xf32>
  return
}

// -----

#device = #tt.device<workerGrid = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>, l1Map = (d0, d1)[s0, s1] -> (0, d0 floordiv s0, d1 floordiv s1, (d0 mod s0) * s1 + d1 mod s1), dramMap = (d0, d1)[s0, s1] -> (0, 0, 0, d0 * s1 + d1), meshShape = , chipIds = [0]>
#dram = #tt.memory_space<dram>
#l1 = #tt.memory_space<l1>
#system = #tt.memory_space<system>
#host = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #system>>
#on_device = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #dram>, interleaved>
#x = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #system>, interleaved>
func.func @host_memory_layout(%a: tensor<64x128xf32, #on_device>, %d: !tt.device<#device>) {
  // expected-error @+1 {{System memory space only supports undef memory layout: found interleaved}}
  %0 = "ttnn.to_memory_config"(%a, %d) : (tensor<64x128xf32, #on_device>, !tt.device<#device>) -> tensor<64x128xf32, #x>
  return
}

// -----

#device = #tt.device<workerGrid = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>, l1Map = (d0, d1)[s0, s1] -> (0, d0 floordiv s0, d1 floordiv s1, (d0 mod s0) * s1 + d1 mod s1), dramMap = (d0, d1)[s0, s1] -> (0, 0, 0, d0 * s1 + d1), meshShape = , chipIds = [0]>
#dram = #tt.memory_space<dram>
#l1 = #tt.memory_space<l1>
#system = #tt.memory_space<system>
#host = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #system>>
#on_device = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #dram>, interleaved>
#x = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #l1>, single_bank>
func.func @device_memory_layout(%a: tensor<64x128xf32, #host>, %d: !tt.device<#device>) {
  // expected-error @+1 {{Device memory space only supports interleaved or sharded memory layouts: found single_bank}}
  %0 = "ttnn.to_memory_config"(%a, %d) : (tensor<64x128xf32, #host>, !tt.device<#device>) -> tensor<64x128xf32, #x>
  return
}

// -----

#device = #tt.device<workerGrid = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>, l1Map = (d0, d1)[s0, s1] -> (0, d0 floordiv s0, d1 floordiv s1, (d0 mod s0) * s1 + d1 mod s1), dramMap = (d0, d1)[s0, s1] -> (0, 0, 0, d0 * s1 + d1), meshShape = , chipIds = [0]>
#dram = #tt.memory_space<dram>
#l1 = #tt.memory_space<l1>
#system = #tt.memory_space<system>
#host = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #system>>
#on_device = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #dram>, interleaved>
#x = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #dram>, block_sharded>
func.func @dram_sharded(%a: tensor<64x128xf32, #host>, %d: !tt.device<#device>) {
  // expected-error @+1 {{Device DRAM memory space only supports interleaved memory layout: found block_sharded}}
  %0 = "ttnn.to_memory_config"(%a, %d) : (tensor<64x128xf32, #host>, !tt.device<#device>) -> tensor<64x128xf32, #x>
  return
}

// -----

#device = #tt.device<workerGrid = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>, l1Map = (d0, d1)[s0, s1] -> (0, d0 floordiv s0, d1 floordiv s1, (d0 mod s0) * s1 + d1 mod s1), dramMap = (d0, d1)[s0, s1] -> (0, 0, 0, d0 * s1 + d1), meshShape = , chipIds = [0]>
#dram = #tt.memory_space<dram>
#l1 = #tt.memory_space<l1>
#system = #tt.memory_space<system>
#host = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #system>>
#on_device = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #dram>, interleaved>
#x = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #l1>, height_sharded>
func.func @height_sharded(%a: tensor<64x128xf32, #host>, %d: !tt.device<#device>) {
  // expected-error @+1 {{Currently only block sharding is supported for sharded memory layouts: found height_sharded}}
  %0 = "ttnn.to_memory_config"(%a, %d) : (tensor<64x128xf32, #host>, !tt.device<#device>) -> tensor<64x128xf32, #x>
  return
}

// -----

#device = #tt.device<workerGrid = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>, l1Map = (d0, d1)[s0, s1] -> (0, d0 floordiv s0, d1 floordiv s1, (d0 mod s0) * s1 + d1 mod s1), dramMap = (d0, d1)[s0, s1] -> (0, 0, 0, d0 * s1 + d1), meshShape = , chipIds = [0]>
#dram = #tt.memory_space<dram>
#l1 = #tt.memory_space<l1>
#system = #tt.memory_space<system>
#host = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #system>>
#on_device = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #dram>, interleaved>
#x = #tt.layout<(d0, d1) -> (0, d0, d1), undef, <1x1x1>, memref<1x64x128xf32, #l1>, block_sharded>
func.func @shard_rank(%a: tensor<64x128xf32, #host>, %d: !tt.device<#device>) {
  // expected-error @+1 {{Shard shape must be 2D}}
  %0 = "ttnn.to_memory_config"(%a, %d) : (tensor<64x128xf32, #host>, !tt.device<#device>) -> tensor<64x128xf32, #x>
  return
}

// -----

#device = #tt.device<workerGrid = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>, l1Map = (d0, d1)[s0, s1] -> (0, d0 floordiv s0, d1 floordiv s1, (d0 mod s0) * s1 + d1 mod s1), dramMap = (d0, d1)[s0, s1] -> (0, 0, 0, d0 * s1 + d1), meshShape = , chipIds = [0]>
#dram = #tt.memory_space<dram>
#l1 = #tt.memory_space<l1>
#system = #tt.memory_space<system>
#host = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #system>>
#on_device = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #dram>, interleaved>
#x = #tt.layout<(d0, d1) -> (d0, d1), undef, <4x8>, memref<16x16xf32, #l1>, block_sharded>
func.func @shard_tiles(%a: tensor<64x128xf32, #host>, %d: !tt.device<#device>) {
  // expected-error @+1 {{Shard shape must divide tile shape (32, 32) evenly: found 16x16}}
  %0 = "ttnn.to_memory_config"(%a, %d) : (tensor<64x128xf32, #host>, !tt.device<#device>) -> tensor<64x128xf32, #x>
  return
}
