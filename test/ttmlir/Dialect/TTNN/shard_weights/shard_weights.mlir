// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline="optimization-level=1" %s | FileCheck %s
// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline="optimization-level=1" --mlir-pass-statistics %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline="optimization-level=1 clock-search-limit=0" %s | FileCheck %s --check-prefix=OFF
// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline %s | FileCheck %s --check-prefix=OFF
// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline="optimization-level=1" --remarks=ttnn-shard-weights %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// The weight of a product of few rows is divided over the 12 DRAM banks of an n150, once.

#any = #tt.operand_constraint<dram|l1|tile|none|interleaved|single_bank|height_sharded|width_sharded|block_sharded|any_layout|any_device_tile>
// OFF-NOT: #dram>, width_sharded
// COUNT: (S) 3 num-sharded - Number of weights sharded
// REMARK-DAG: [Passed] Sharded | Category:ttnn-shard-weights | Function=few_rows | Op=ttnn.matmul, Reason="the weight is sharded over the DRAM banks: {{[0-9]+}} cycles in 12 shards, {{[0-9]+}} interleaved"
// REMARK-DAG: [Missed] NotSharded | Category:ttnn-shard-weights | Function=one_shard | Op=ttnn.matmul, Reason="the weight is interleaved: {{[0-9]+}} cycles in 1 shards, {{[0-9]+}} interleaved"

// CHECK-DAG: [[BANKS:#layout[0-9]*]] = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x12>, memref<64x11x!tt.tile<32x32, bf16>, #dram>, width_sharded>
// CHECK-DAG: [[EXPERTS:#layout[0-9]*]] = #tt.layout<(d0, d1, d2) -> (d0 * 1024 + d1, d2), undef, <1x12>, memref<256x11x!tt.tile<32x32, bf16>, #dram>, width_sharded>
// CHECK-LABEL: func.func private @few_rows_const_eval
// CHECK: [[W:%.*]] = "ttnn.to_memory_config"{{.*}} -> tensor<2048x4096xbf16, [[BANKS]]>
// CHECK: return [[W]]
// CHECK-LABEL: func.func @few_rows
// CHECK: [[W:%.*]] = tt.load_cached{{.*}} -> tensor<2048x4096xbf16, [[BANKS]]>
// CHECK: "ttnn.matmul"(%{{.*}}, [[W]],
func.func @few_rows(%x: tensor<32x2048xbf16>, %w: tensor<2048x4096xbf16> {tt.argument_type = #tt.argument_type<parameter>}) -> tensor<32x4096xbf16> {
  %0 = tensor.empty() : tensor<32x4096xbf16>
  %1 = "ttir.matmul"(%x, %w, %0) <{operand_constraints = [#any, #any, #any]}> : (tensor<32x2048xbf16>, tensor<2048x4096xbf16>, tensor<32x4096xbf16>) -> tensor<32x4096xbf16>
  return %1 : tensor<32x4096xbf16>
}

// Transposed once before.
// CHECK-LABEL: func.func private @transposed_const_eval
// CHECK: "ttnn.transpose"
// CHECK: "ttnn.to_memory_config"{{.*}} -> tensor<2048x4096xbf16, [[BANKS]]>
// CHECK-LABEL: func.func @transposed
// CHECK: "ttnn.matmul"
// CHECK-NOT: transpose_b
func.func @transposed(%x: tensor<32x2048xbf16>, %w: tensor<4096x2048xbf16> {tt.argument_type = #tt.argument_type<parameter>}) -> tensor<32x4096xbf16> {
  %0 = tensor.empty() : tensor<32x4096xbf16>
  %1 = "ttir.matmul"(%x, %w, %0) <{transpose_b = true, operand_constraints = [#any, #any, #any]}> : (tensor<32x2048xbf16>, tensor<4096x2048xbf16>, tensor<32x4096xbf16>) -> tensor<32x4096xbf16>
  return %1 : tensor<32x4096xbf16>
}

// Many rows: all cores have enough to do.
// CHECK-LABEL: func.func @many_rows
// CHECK-NOT: [[BANKS]]{{[>)]}}
func.func @many_rows(%x: tensor<512x2048xbf16>, %w: tensor<2048x4096xbf16> {tt.argument_type = #tt.argument_type<parameter>}) -> tensor<512x4096xbf16> {
  %0 = tensor.empty() : tensor<512x4096xbf16>
  %1 = "ttir.matmul"(%x, %w, %0) <{operand_constraints = [#any, #any, #any]}> : (tensor<512x2048xbf16>, tensor<2048x4096xbf16>, tensor<512x4096xbf16>) -> tensor<512x4096xbf16>
  return %1 : tensor<512x4096xbf16>
}

// One tile wide: one bank would be slower than all.
// CHECK-LABEL: func.func @one_shard
// CHECK-NOT: [[BANKS]]{{[>)]}}
func.func @one_shard(%x: tensor<32x2048xbf16>, %w: tensor<2048x32xbf16> {tt.argument_type = #tt.argument_type<parameter>}) -> tensor<32x32xbf16> {
  %0 = tensor.empty() : tensor<32x32xbf16>
  %1 = "ttir.matmul"(%x, %w, %0) <{operand_constraints = [#any, #any, #any]}> : (tensor<32x2048xbf16>, tensor<2048x32xbf16>, tensor<32x32xbf16>) -> tensor<32x32xbf16>
  return %1 : tensor<32x32xbf16>
}

// Another op reads the weight, too: it stays as it is.
// CHECK-LABEL: func.func @shared
// CHECK-NOT: [[BANKS]]{{[>)]}}
func.func @shared(%x: tensor<32x2048xbf16>, %w: tensor<2048x2048xbf16> {tt.argument_type = #tt.argument_type<parameter>}) -> (tensor<32x2048xbf16>, tensor<2048x2048xbf16>) {
  %0 = tensor.empty() : tensor<32x2048xbf16>
  %1 = "ttir.matmul"(%x, %w, %0) <{operand_constraints = [#any, #any, #any]}> : (tensor<32x2048xbf16>, tensor<2048x2048xbf16>, tensor<32x2048xbf16>) -> tensor<32x2048xbf16>
  %2 = tensor.empty() : tensor<2048x2048xbf16>
  %3 = "ttir.matmul"(%w, %w, %2) <{operand_constraints = [#any, #any, #any]}> : (tensor<2048x2048xbf16>, tensor<2048x2048xbf16>, tensor<2048x2048xbf16>) -> tensor<2048x2048xbf16>
  return %1, %3 : tensor<32x2048xbf16>, tensor<2048x2048xbf16>
}

// Experts: the rows of their matrices follow each other.
// CHECK-LABEL: func.func @experts
// CHECK: tt.load_cached{{.*}} -> tensor<8x1024x4096xbf16, [[EXPERTS]]>
func.func @experts(%x: tensor<1x64x1024xbf16>, %w: tensor<8x1024x4096xbf16> {tt.argument_type = #tt.argument_type<parameter>}) -> tensor<8x64x4096xbf16> {
  %0 = tensor.empty() : tensor<8x64x4096xbf16>
  %1 = "ttir.matmul"(%x, %w, %0) <{operand_constraints = [#any, #any, #any]}> : (tensor<1x64x1024xbf16>, tensor<8x1024x4096xbf16>, tensor<8x64x4096xbf16>) -> tensor<8x64x4096xbf16>
  return %1 : tensor<8x64x4096xbf16>
}
