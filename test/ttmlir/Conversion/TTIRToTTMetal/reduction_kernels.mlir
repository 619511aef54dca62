// RUN: echo "module {}" | ttmlir-translate --system-desc-to-flatbuffer --system=t3000 -o %t.ttsys
// RUN: ttmlir-opt --ttir-load-system-desc="path=%t.ttsys" --ttir-implicit-device="mesh-shape=1,8" --ttir-allocate --convert-ttir-to-ttmetal="use-all-gather-kernel=true" %s | FileCheck %s
// Eight chips of a ring: four steps each way; to the chip opposite goes half of
// a block.

#any_device_tile = #tt.operand_constraint<any_device_tile>
#dram = #tt.memory_space<dram>
#in = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<3x8x!tt.tile<32x32, f32>, #dram>, interleaved>
#out = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<3x1x!tt.tile<32x32, f32>, #dram>, interleaved>

// CHECK-LABEL: func.func @scatter
func.func @scatter(%a: tensor<96x256xf32, #in>) -> tensor<96x32xf32, #out> {
  %0 = tensor.empty() : tensor<96x32xf32, #out>
  // A block has three tiles. What comes and the room for it are signalled.
  // CHECK: "ttmetal.dispatch"(%arg0, %{{.*}}) <{core_ranges = [#ttmetal.core_range<0x0, 1x3>, #ttmetal.core_range<0x0, 1x3>, #ttmetal.core_range<0x0, 1x3>]
  // CHECK-SAME: semaphores = array<i32: 0, 0, 0, 0>
  // CHECK: "ttkernel.fabric_async_write"
  // CHECK: "ttkernel.binary_max_tile"
  %1 = "ttir.reduce_scatter"(%a, %0) <{cluster_axis = 1 : ui32, operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any_device_tile, #any_device_tile], reduce_type = #tt.reduce_type<max>, scatter_dim = 1 : si32}> : (tensor<96x256xf32, #in>, tensor<96x32xf32, #out>) -> tensor<96x32xf32, #out>
  return %1 : tensor<96x32xf32, #out>
}

// CHECK-LABEL: func.func @reduce
func.func @reduce(%a: tensor<96x256xf32, #in>) -> tensor<96x256xf32, #in> {
  %0 = tensor.empty() : tensor<96x256xf32, #in>
  // The blocks then go to all chips, which is signalled too.
  // CHECK: semaphores = array<i32: 0, 0, 0, 0, 0, 0>
  // CHECK: "ttkernel.add_binary_tile"
  // CHECK: "ttkernel.div_binary_tile"
  %1 = "ttir.all_reduce"(%a, %0) <{cluster_axis = 1 : ui32, operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any_device_tile, #any_device_tile], reduce_type = #tt.reduce_type<mean>}> : (tensor<96x256xf32, #in>, tensor<96x256xf32, #in>) -> tensor<96x256xf32, #in>
  return %1 : tensor<96x256xf32, #in>
}
