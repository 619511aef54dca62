// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline="sharding-pass-enabled=true resharding-enabled=true" --remarks='optimizer|convert-ttir-to-ttnn' %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=CLOCK --implicit-check-not=Function=program
// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline="sharding-pass-enabled=true resharding-enabled=true clock-search-limit=1" --remarks=optimizer %s -o /dev/null 2>&1 | FileCheck %s --check-prefixes=LIMIT,RULES
// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline="sharding-pass-enabled=true resharding-enabled=true clock-search-limit=0" --remarks=optimizer %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=RULES --implicit-check-not=Timed
// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline="sharding-pass-enabled=true resharding-enabled=true override-output-layout=filter=1x2:l1:block_sharded" --remarks=optimizer %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=OVERRIDE
// RUN: not ttmlir-opt --ttir-to-ttnn-backend-pipeline="clock-search-limit=-1" %s 2>&1 | FileCheck %s --check-prefix=BAD
// The emulator's clock chooses among the layouts of a chain: the rules give this image 2 cores. An override is kept, and no remark is about a trial.
// CLOCK: [Passed] Timed | Category:ttir-optimizer | Function=image | Op=ttir.conv2d, Reason="a chain of 2 ops, with its reader, takes [[#]] cycles in the layouts that the clock found; [[#]] pairs of layouts of neighbours were compared", Rejected="by rules: [[#]] cycles; all in dram: [[#]] cycles"
// CLOCK-NOT: in 1x2:l1:block_sharded
// LIMIT: [Missed] Timed | Category:ttir-optimizer | Function=image | Op=ttir.conv2d, Reason="a chain of 2 ops has layouts by rules: clock-search-limit is reached"
// RULES: [Passed] Sharded | {{.*}}Op=ttir.conv2d, Reason="the result stays in l1, in 1x2:l1:block_sharded:tile
// OVERRIDE: [Passed] Timed
// OVERRIDE: [Passed] Sharded | {{.*}}Op=ttir.conv2d, Reason="the result stays in l1, in 1x2:l1:block_sharded:tile
// BAD: clock-search-limit option: '-1' value invalid
#any = #tt.operand_constraint<dram|l1|tile|any_layout|any_device_tile>
func.func @image(%x: tensor<1x14x14x64xbf16>, %w: tensor<64x64x1x1xbf16>) -> tensor<1x14x14x64xbf16> {
  %0 = tensor.empty() : tensor<1x14x14x64xbf16>
  %1 = "ttir.conv2d"(%x, %w, %0) <{dilation_height = 1 : si32, dilation_width = 1 : si32, groups = 1 : si32, operand_constraints = [#any, #any, #any], padding_bottom = 0 : si32, padding_left = 0 : si32, padding_right = 0 : si32, padding_top = 0 : si32, stride_height = 1 : si32, stride_width = 1 : si32}> : (tensor<1x14x14x64xbf16>, tensor<64x64x1x1xbf16>, tensor<1x14x14x64xbf16>) -> tensor<1x14x14x64xbf16> loc("filter")
  %2 = "ttir.relu"(%1, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<1x14x14x64xbf16>, tensor<1x14x14x64xbf16>) -> tensor<1x14x14x64xbf16>
  %3 = "ttir.exp"(%2, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<1x14x14x64xbf16>, tensor<1x14x14x64xbf16>) -> tensor<1x14x14x64xbf16>
  return %3 : tensor<1x14x14x64xbf16>
}
