// What cannot be serialized is an error at its operation, and no file appears.
// RUN: ttmlir-opt --split-input-file --ttir-load-system-desc --ttir-implicit-device --mlir-print-debuginfo %s -o %t.mlir
// RUN: not ttmlir-translate --split-input-file --ttnn-to-flatbuffer %t.mlir -o %t.ttnn 2>&1 | FileCheck %s
// RUN: test ! -e %t.ttnn
#dram = #tt.memory_space<dram>
#layout = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<32x32xf32, #dram>, interleaved>
// CHECK: error: 'ttnn.alloc' op has no flatbuffer table and cannot be serialized
func.func @no_table() -> tensor<32x32xf32, #layout> {
  %0 = "ttnn.alloc"() <{address = 1024 : i64, memory_space = #dram, size = 4096 : i64}> : () -> tensor<32x32xf32, #layout>
  return %0 : tensor<32x32xf32, #layout>
}

// -----
// CHECK: error: 'func.func' op expected tensors of static shape with a tt.layout, found 'tensor<32x32xf32>'
func.func @no_layout(%a: tensor<32x32xf32>) -> tensor<32x32xf32> {
  return %a : tensor<32x32xf32>
}

// -----
// CHECK: error: 'func.func' op expected a ranked tensor, found a value of type 'i32'
func.func @no_tensor(%a: i32) {
  return
}

// -----
// CHECK: error: 'func.func' op cannot be serialized: expected a body of one block, found 0 blocks
func.func private @declaration()

// -----
// CHECK: error: 'func.func' op has a tensor on the grid #tt.grid<9x1>, which is not inside the device's grid #tt.grid<8x8>
#l1 = #tt.memory_space<l1>
#wide = #tt.layout<(d0, d1) -> (d0, d1), undef, <9x1>, memref<32x32xf32, #l1>, block_sharded>
func.func @outside_grid(%a: tensor<288x32xf32, #wide>) {
  return
}

// -----
// CHECK: error: 'func.call' op cannot be serialized: programs do not call each other; --inline puts the callee's body here
#system = #tt.memory_space<system>
#host = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<32x32xf32, #system>>
func.func @callee(%a: tensor<32x32xf32, #host>) -> tensor<32x32xf32, #host> {
  return %a : tensor<32x32xf32, #host>
}
func.func @caller(%a: tensor<32x32xf32, #host>) -> tensor<32x32xf32, #host> {
  %0 = func.call @callee(%a) : (tensor<32x32xf32, #host>) -> tensor<32x32xf32, #host>
  return %0 : tensor<32x32xf32, #host>
}

// -----
// CHECK: error: 'func.func' op cannot be serialized: expected a layout whose dimensions follow each other in memory, the last one without gaps, found #tt.layout<(d0, d1, d2) -> (d1 * 2 + d0, d2)
#system = #tt.memory_space<system>
#swapped = #tt.layout<(d0, d1, d2) -> (d1 * 2 + d0, d2), undef, <1x1>, memref<8x8xf32, #system>>
func.func @swapped(%a: tensor<2x4x8xf32, #swapped>) {
  return
}

// -----
// CHECK: error: 'func.func' op cannot be serialized: expected tiles of 32x32, which every runtime loads, found '!tt.tile<16x16, f32>'
#dram = #tt.memory_space<dram>
#small = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<2x2x!tt.tile<16x16, f32>, #dram>, interleaved>
func.func @small_tiles(%a: tensor<32x32xf32, #small>) {
  return
}

// -----
// CHECK: error: 'ttnn.get_device' op expected the chip ids of tt.device, mesh 1x1, to be below 1, the chips of tt.system_desc, found 1
#other = #tt.device<workerGrid = #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>, l1Map = (d0, d1)[s0, s1] -> (0, d0 floordiv s0, d1 floordiv s1, (d0 mod s0) * s1 + d1 mod s1), dramMap = (d0, d1)[s0, s1] -> (0, 0, d0, d1), meshShape = , chipIds = [1]>
func.func @other_chip() {
  %0 = "ttnn.get_device"() : () -> !tt.device<#other>
  return
}
