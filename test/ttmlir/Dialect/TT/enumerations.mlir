// RUN: ttmlir-opt --mlir-print-local-scope %s | ttmlir-opt --mlir-print-local-scope | FileCheck %s
// Every enumerator has the keyword of the documents; a set of operand constraints is printed with all
// the groups that it holds, and is what is listed.

// CHECK-LABEL: @arch()
// CHECK-SAME: all = [#tt.arch<grayskull>, #tt.arch<wormhole_b0>, #tt.arch<blackhole>]
func.func private @arch() attributes {
  all = [#tt.arch<grayskull>, #tt.arch<wormhole_b0>, #tt.arch<blackhole>]}

// CHECK-LABEL: @buffer_access()
// CHECK-SAME: all = [#tt<buffer_access alias>, #tt<buffer_access stream>]
func.func private @buffer_access() attributes {
  all = [#tt<buffer_access alias>, #tt<buffer_access stream>]}

// CHECK-LABEL: @data_type()
// CHECK-SAME: all = [#tt.supportedDataTypes<f32>, #tt.supportedDataTypes<f16>, #tt.supportedDataTypes<bf16>, #tt.supportedDataTypes<bfp_f8>, #tt.supportedDataTypes<bfp_bf8>, #tt.supportedDataTypes<bfp_f4>, #tt.supportedDataTypes<bfp_bf4>, #tt.supportedDataTypes<bfp_f2>, #tt.supportedDataTypes<bfp_bf2>, #tt.supportedDataTypes<u32>, #tt.supportedDataTypes<u16>, #tt.supportedDataTypes<u8>]
func.func private @data_type() attributes {
  all = [#tt.supportedDataTypes<f32>, #tt.supportedDataTypes<f16>, #tt.supportedDataTypes<bf16>,
         #tt.supportedDataTypes<bfp_f8>, #tt.supportedDataTypes<bfp_bf8>,
         #tt.supportedDataTypes<bfp_f4>, #tt.supportedDataTypes<bfp_bf4>,
         #tt.supportedDataTypes<bfp_f2>, #tt.supportedDataTypes<bfp_bf2>,
         #tt.supportedDataTypes<u32>, #tt.supportedDataTypes<u16>, #tt.supportedDataTypes<u8>]}

// CHECK-LABEL: @mem_layout()
// CHECK-SAME: all = [#tt.tensor_memory_layout<none>, #tt.tensor_memory_layout<interleaved>, #tt.tensor_memory_layout<single_bank>, #tt.tensor_memory_layout<height_sharded>, #tt.tensor_memory_layout<width_sharded>, #tt.tensor_memory_layout<block_sharded>]
func.func private @mem_layout() attributes {
  all = [#tt.tensor_memory_layout<none>, #tt.tensor_memory_layout<interleaved>,
         #tt.tensor_memory_layout<single_bank>, #tt.tensor_memory_layout<height_sharded>,
         #tt.tensor_memory_layout<width_sharded>, #tt.tensor_memory_layout<block_sharded>]}

// CHECK-LABEL: @oob_val()
// CHECK-SAME: all = [#tt.oob_val<undef>, #tt.oob_val<zero>, #tt.oob_val<one>, #tt.oob_val<inf>, #tt.oob_val<neginf>]
func.func private @oob_val() attributes {
  all = [#tt.oob_val<undef>, #tt.oob_val<zero>, #tt.oob_val<one>, #tt.oob_val<inf>,
         #tt.oob_val<neginf>]}

// CHECK-LABEL: @ttnn_buffer()
// CHECK-SAME: all = [#ttnn.buffer_type<dram>, #ttnn.buffer_type<l1>, #ttnn.buffer_type<system_memory>, #ttnn.buffer_type<l1_small>, #ttnn.buffer_type<trace>]
func.func private @ttnn_buffer() attributes {
  all = [#ttnn.buffer_type<dram>, #ttnn.buffer_type<l1>, #ttnn.buffer_type<system_memory>,
         #ttnn.buffer_type<l1_small>, #ttnn.buffer_type<trace>]}

// CHECK-LABEL: @ttnn_layout()
// CHECK-SAME: all = [#ttnn.layout<row_major>, #ttnn.layout<tile>, #ttnn.layout<invalid>]
func.func private @ttnn_layout() attributes {
  all = [#ttnn.layout<row_major>, #ttnn.layout<tile>, #ttnn.layout<invalid>]}

// CHECK-LABEL: @ttnn_mem_layout()
// CHECK-SAME: all = [#ttnn.tensor_memory_layout<interleaved>, #ttnn.tensor_memory_layout<single_bank>, #ttnn.tensor_memory_layout<height_sharded>, #ttnn.tensor_memory_layout<width_sharded>, #ttnn.tensor_memory_layout<block_sharded>]
func.func private @ttnn_mem_layout() attributes {
  all = [#ttnn.tensor_memory_layout<interleaved>, #ttnn.tensor_memory_layout<single_bank>,
         #ttnn.tensor_memory_layout<height_sharded>, #ttnn.tensor_memory_layout<width_sharded>,
         #ttnn.tensor_memory_layout<block_sharded>]}

// CHECK-LABEL: @constraints(
// CHECK-SAME: c0 = #tt.operand_constraint<system>
// CHECK-SAME: c1 = #tt.operand_constraint<dram|l1>
// CHECK-SAME: c2 = #tt.operand_constraint<scalar|tile|none>
// CHECK-SAME: c3 = #tt.operand_constraint<interleaved|single_bank|height_sharded>
// CHECK-SAME: c4 = #tt.operand_constraint<width_sharded|block_sharded>
// CHECK-SAME: c5 = #tt.operand_constraint<none|interleaved|single_bank|height_sharded|width_sharded|block_sharded|any_layout>
// CHECK-SAME: c6 = #tt.operand_constraint<system|none|interleaved|single_bank|height_sharded|width_sharded|block_sharded|any_layout>
// CHECK-SAME: c7 = #tt.operand_constraint<dram|l1|tile|none|interleaved|single_bank|height_sharded|width_sharded|block_sharded|any_layout|any_device_tile>
// CHECK-SAME: c8 = #tt.operand_constraint<l1|scalar|tile|block_sharded|l1_block_sharded>
// CHECK-SAME: c9 = #tt.operand_constraint<system|dram|l1|scalar|tile|none|interleaved|single_bank|height_sharded|width_sharded|block_sharded|any_layout|any|any_device|any_device_tile|l1_block_sharded>
func.func private @constraints() attributes {
  c0 = #tt.operand_constraint<system>,
  c1 = #tt.operand_constraint<dram|l1>,
  c2 = #tt.operand_constraint<scalar|tile|none>,
  c3 = #tt.operand_constraint<interleaved|single_bank|height_sharded>,
  c4 = #tt.operand_constraint<width_sharded|block_sharded>,
  c5 = #tt.operand_constraint<any_layout>,
  c6 = #tt.operand_constraint<any_layout|system>,
  c7 = #tt.operand_constraint<dram|l1|tile|any_layout>,
  c8 = #tt.operand_constraint<l1|scalar|tile|block_sharded>,
  c9 = #tt.operand_constraint<any_device|system>}
