// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline="optimization-level=1 override-output-layout=product=dram:interleaved,act=l1:block_sharded:4x4" %s | FileCheck %s
// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline="optimization-level=1 override-grid-sizes=product=4x4" --remarks=ttnn-fusing %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// Overrides decide: their results stay where they are, and their ops are not fused into others.

#any_device = #tt.operand_constraint<dram|l1|tile|none|interleaved|single_bank|height_sharded|width_sharded|block_sharded|any_layout|any_device_tile>
// REMARK: [Missed] NotFused | Category:ttnn-fusing | Function=overrides | Op=ttnn.relu, Reason="the activation is an op of its own: an override names the result of the op that computes its input"

// CHECK-DAG: [[DRAM:#layout[0-9]*]] = #tt.layout<{{.*}}, <8x8>, memref<2x2x!tt.tile<32x32, bf16>, #dram>, interleaved>
// CHECK-DAG: [[FOUR:#layout[0-9]*]] = #tt.layout<{{.*}}, <4x4>, memref<4x4x!tt.tile<32x32, bf16>, #l1_>, block_sharded>
// CHECK-LABEL: func.func @overrides
func.func @overrides(%a: tensor<512x512xbf16>, %b: tensor<512x512xbf16>) -> tensor<512x512xbf16> {
  // CHECK: "ttnn.matmul"{{.*}} -> tensor<512x512xbf16, [[DRAM]]>
  %0 = tensor.empty() : tensor<512x512xbf16>
  %1 = "ttir.matmul"(%a, %b, %0) <{operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<512x512xbf16>, tensor<512x512xbf16>, tensor<512x512xbf16>) -> tensor<512x512xbf16> loc("product")
  // CHECK: "ttnn.relu"{{.*}} -> tensor<512x512xbf16, [[FOUR]]>
  %2 = tensor.empty() : tensor<512x512xbf16>
  %3 = "ttir.relu"(%1, %2) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any_device, #any_device]}> : (tensor<512x512xbf16>, tensor<512x512xbf16>) -> tensor<512x512xbf16> loc("act")
  %4 = tensor.empty() : tensor<512x512xbf16>
  %5 = "ttir.matmul"(%3, %b, %4) <{operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<512x512xbf16>, tensor<512x512xbf16>, tensor<512x512xbf16>) -> tensor<512x512xbf16>
  %6 = tensor.empty() : tensor<512x512xbf16>
  %7 = "ttir.exp"(%5, %6) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any_device, #any_device]}> : (tensor<512x512xbf16>, tensor<512x512xbf16>) -> tensor<512x512xbf16>
  return %7 : tensor<512x512xbf16>
}
