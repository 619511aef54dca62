// RUN: ttmlir-opt --ttir-to-ttmetal-backend-pipeline %s | FileCheck %s
// RUN: ttmlir-opt --ttir-to-ttmetal-backend-pipeline --remarks %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: ttmlir-opt --ttir-to-ttmetal-backend-pipeline %s | FileCheck %s --check-prefix=SCORES
// Attention is one dispatch, and no tensor has the size of all scores.
// REMARK-DAG: remark: [Passed] Blocks | Category:convert-ttir-to-ttmetal{{.*}} | Op=ttir.scaled_dot_product_attention, Reason="blocks of {{[0-9]+}} of 64 tiles of queries go through 64 tiles of keys in steps of 8
// SCORES-NOT: 2048x2048
// SCORES-NOT: memref<{{[0-9]+}}x64x!tt.tile
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>

// CHECK-LABEL: func.func @forward
// CHECK: "ttmetal.dispatch"
// CHECK: ttkernel.mm_block_init
// CHECK: ttkernel.exp_tile
// CHECK: ttkernel.recip_tile
func.func @forward(%q: tensor<1x4x2048x64xbf16>, %k: tensor<1x2x2048x64xbf16>, %v: tensor<1x2x2048x64xbf16>) -> tensor<1x4x2048x64xbf16> {
  %0 = tensor.empty() : tensor<1x4x2048x64xbf16>
  %1 = "ttir.scaled_dot_product_attention"(%q, %k, %v, %0) <{is_causal = true, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 1>, operand_constraints = [#any, #any, #any, #any]}> : (tensor<1x4x2048x64xbf16>, tensor<1x2x2048x64xbf16>, tensor<1x2x2048x64xbf16>, tensor<1x4x2048x64xbf16>) -> tensor<1x4x2048x64xbf16>
  return %1 : tensor<1x4x2048x64xbf16>
}
