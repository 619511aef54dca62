// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline="optimization-level=1 weight-rows=32" %s | FileCheck %s
// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline="optimization-level=1" %s | FileCheck %s --check-prefix=OWN
// A product of many rows takes the weights of one with 32, for which they are divided over the DRAM banks.

#any = #tt.operand_constraint<dram|l1|tile|none|interleaved|single_bank|height_sharded|width_sharded|block_sharded|any_layout|any_device_tile>

// CHECK-DAG: [[BANKS:#layout[0-9]*]] = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x12>, memref<64x11x!tt.tile<32x32, bf16>, #dram>, width_sharded>
// CHECK-LABEL: func.func @many_rows
// CHECK: [[W:%.*]] = tt.load_cached{{.*}} -> tensor<2048x4096xbf16, [[BANKS]]>
// CHECK: "ttnn.matmul"(%{{.*}}, [[W]],
// OWN-NOT: #dram>, width_sharded
func.func @many_rows(%x: tensor<512x2048xbf16>, %w: tensor<2048x4096xbf16> {tt.argument_type = #tt.argument_type<parameter>}) -> tensor<512x4096xbf16> {
  %0 = tensor.empty() : tensor<512x4096xbf16>
  %1 = "ttir.matmul"(%x, %w, %0) <{operand_constraints = [#any, #any, #any]}> : (tensor<512x2048xbf16>, tensor<2048x4096xbf16>, tensor<512x4096xbf16>) -> tensor<512x4096xbf16>
  return %1 : tensor<512x4096xbf16>
}
