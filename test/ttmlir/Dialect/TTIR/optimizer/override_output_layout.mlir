// RUN: ttmlir-opt --ttir-load-system-desc --ttir-layout --ttir-optimizer="override-output-layout=relu_1=4x4:l1:block_sharded:tile:bf16,exp_2=dram:2x2" %s | FileCheck %s --check-prefix=FULL
// RUN: ttmlir-opt --ttir-load-system-desc --ttir-layout --ttir-optimizer="override-output-layout=relu_1=l1,exp_2=width_sharded" %s | FileCheck %s --check-prefix=PART
// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline="sharding-pass-enabled=true override-output-layout=relu_1=height_sharded" %s | FileCheck %s --check-prefix=CHAIN
// RUN: ttmlir-opt --ttir-load-system-desc --ttir-layout --ttir-optimizer="override-output-layout=none_such=l1" %s 2>&1 >/dev/null | FileCheck %s --check-prefix=UNUSED
// RUN: ttmlir-opt --ttir-load-system-desc --ttir-layout --ttir-optimizer="override-output-layout=relu_1=4x4:l1:block_sharded:tile:bf16 override-grid-sizes=exp_2=2x2" --remarks=ttir-optimizer %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// The layout of a result is the user's as far as he gives it; the destination follows, the inputs do not.
// REMARK-DAG: remark: {{.*}}[Passed] Overridden | Category:ttir-optimizer | Function=forward | Op=ttir.relu, Reason="override-output-layout puts the result on 4x4:l1:block_sharded:tile:bf16", Rejected="8x8:dram:interleaved:
// REMARK-DAG: remark: {{.*}}[Passed] Overridden | Category:ttir-optimizer | Function=forward | Op=ttir.exp, Reason="override-grid-sizes puts the result on 2x2:dram:interleaved:row_major", Rejected="1x1:dram:interleaved:row_major, where it would be without
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
// FULL-DAG: #[[A:.*]] = #tt.layout<(d0, d1) -> (d0, d1), undef, <4x4>, memref<1x1x!tt.tile<32x32, bf16>, #l1_>, block_sharded>
// FULL-DAG: #[[B:.*]] = #tt.layout<(d0, d1) -> (d0, d1), undef, <2x2>, memref<32x64xf32, #dram>, interleaved>
// FULL: tensor.empty() : tensor<64x128xf32, #[[IN:.*]]>
// FULL: %[[E:.*]] = tensor.empty() : tensor<64x128xbf16, #[[A]]>
// FULL: "ttir.relu"(%{{.*}}, %[[E]]) {{.*}} -> tensor<64x128xbf16, #[[A]]>
// FULL: "ttir.exp"{{.*}} -> tensor<64x128xf32, #[[B]]>
// PART-DAG: #[[A:.*]] = #tt.layout<(d0, d1) -> (d0, d1), undef, <8x8>, memref<8x16xf32, #l1_>, interleaved>
// PART-DAG: #[[B:.*]] = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x4>, memref<64x32xf32, #l1_>, width_sharded>
// PART: "ttir.relu"{{.*}} -> tensor<64x128xf32, #[[A]]>
// PART: "ttir.exp"{{.*}} -> tensor<64x128xf32, #[[B]]>
// CHAIN-DAG: #[[A:.*]] = #tt.layout<(d0, d1) -> (d0, d1), undef, <2x1>, memref<32x128xf32, #l1_>, height_sharded>
// CHAIN: "ttnn.relu"{{.*}} -> tensor<64x128xf32, #[[A]]>
// UNUSED: warning: no op has the location name 'none_such' of override-output-layout
func.func @forward(%a: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %0 = tensor.empty() : tensor<64x128xf32>
  %1 = "ttir.relu"(%a, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32> loc("relu_1")
  %2 = tensor.empty() : tensor<64x128xf32>
  %3 = "ttir.exp"(%1, %2) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32> loc("exp_2")
  return %3 : tensor<64x128xf32>
}
