// RUN: ttmlir-opt %s | FileCheck %s
// Names of attributes at the top of a module.

// CHECK-DAG: #any = #tt.operand_constraint<system|dram|l1|scalar|tile|none|interleaved|single_bank|height_sharded|width_sharded|block_sharded|any_layout|any|any_device|any_device_tile|l1_block_sharded>
// CHECK-DAG: #any_device = #tt.operand_constraint<dram|l1|scalar|tile|none|interleaved|single_bank|height_sharded|width_sharded|block_sharded|any_layout|any_device|any_device_tile|l1_block_sharded>
// CHECK-DAG: #any_device_tile = #tt.operand_constraint<dram|l1|tile|none|interleaved|single_bank|height_sharded|width_sharded|block_sharded|any_layout|any_device_tile>
// CHECK-DAG: #l1_block_sharded = #tt.operand_constraint<l1|scalar|tile|block_sharded|l1_block_sharded>
// CHECK-DAG: #operand_constraint = #tt.operand_constraint<dram|l1|tile|none>
// CHECK-DAG: #parallel = #tt.iterator_type<parallel>
// CHECK-DAG: #systolic = #tt.iterator_type<systolic>
// CHECK-DAG: #broadcast = #tt.iterator_type<broadcast>
// CHECK-DAG: #system = #tt.memory_space<system>
// CHECK-DAG: #mmio = #tt.memory_space<mmio>
// CHECK-DAG: #dram = #tt.memory_space<dram>
// CHECK-DAG: #l1_ = #tt.memory_space<l1>
// CHECK-DAG: #layout = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<2x4x!tt.tile<32x32, bf16>, #dram>, interleaved>
// CHECK-DAG: #layout1 = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #system>>

// CHECK-LABEL: @f(tensor<64x128xbf16, #layout>, tensor<64x128xf32, #layout1>)
// CHECK-SAME: iterators = [#parallel, #systolic, #broadcast]
// CHECK-SAME: operands = [#any, #any_device, #any_device_tile, #l1_block_sharded, #operand_constraint]
// CHECK-SAME: spaces = [#mmio, #l1_]
#a = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<2x4x!tt.tile<32 x 32, bf16>, #tt.memory_space<dram>>, interleaved>
#b = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #tt.memory_space<system>>, none>
func.func private @f(tensor<64x128xbf16, #a>, tensor<64x128xf32, #b>) attributes {
  iterators = [#tt.iterator_type<parallel>, #tt.iterator_type<systolic>, #tt.iterator_type<broadcast>],
  operands = [#tt.operand_constraint<any>, #tt.operand_constraint<any_device>,
              #tt.operand_constraint<any_device_tile>, #tt.operand_constraint<l1_block_sharded>,
              #tt.operand_constraint<dram|l1|tile|none>],
  spaces = [#tt.memory_space<mmio>, #tt.memory_space<l1>]}
