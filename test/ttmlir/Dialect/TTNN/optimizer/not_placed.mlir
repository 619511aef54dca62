// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline="optimization-level=1" --remarks=ttnn-optimizer %s -o /dev/null 2>&1 | FileCheck %s
// A result of 128 MiB has no room in L1.

#any_device = #tt.operand_constraint<dram|l1|tile|none|interleaved|single_bank|height_sharded|width_sharded|block_sharded|any_layout|any_device_tile>
// CHECK: [Missed] NotPlaced | Category:ttnn-optimizer | Function=big | Op=ttnn.exp, Reason="the result stays in dram: it does not fit while it is needed"
func.func @big(%a: tensor<8192x8192xbf16>) -> tensor<8192x8192xbf16> {
  %0 = tensor.empty() : tensor<8192x8192xbf16>
  %1 = "ttir.exp"(%a, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any_device, #any_device]}> : (tensor<8192x8192xbf16>, tensor<8192x8192xbf16>) -> tensor<8192x8192xbf16>
  return %1 : tensor<8192x8192xbf16>
}
