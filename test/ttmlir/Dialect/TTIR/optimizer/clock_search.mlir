// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline="sharding-pass-enabled=true resharding-enabled=true" --remarks='optimizer|convert-ttir-to-ttnn' %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=CLOCK --implicit-check-not=Function=program
// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline="sharding-pass-enabled=true resharding-enabled=true clock-search-limit=1" --remarks=optimizer %s -o /dev/null 2>&1 | FileCheck %s --check-prefixes=LIMIT,RULES
// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline="sharding-pass-enabled=true resharding-enabled=true clock-search-limit=0" --remarks=optimizer %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=RULES --implicit-check-not=Timed
// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline="sharding-pass-enabled=true resharding-enabled=true override-output-layout=product=11x1:l1:height_sharded" --remarks=optimizer %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=OVERRIDE
// RUN: not ttmlir-opt --ttir-to-ttnn-backend-pipeline="clock-search-limit=-1" %s 2>&1 | FileCheck %s --check-prefix=BAD
// The emulator's clock chooses among the layouts of a chain: the rules give these 11x11 tiles 11 cores. An override is kept, and no remark is about a trial.
// CLOCK: [Passed] Timed | Category:ttir-optimizer | Function=chain | Op=ttir.matmul, Reason="a chain of 2 ops, with its reader, takes [[#]] cycles in the layouts that the clock found; [[#]] pairs of layouts of neighbours were compared", Rejected="by rules: [[#]] cycles; all in dram: [[#]] cycles"
// CLOCK-NOT: in 11x1:l1:height_sharded
// LIMIT: [Missed] Timed | Category:ttir-optimizer | Function=chain | Op=ttir.matmul, Reason="a chain of 2 ops has layouts by rules: clock-search-limit is reached"
// RULES: [Passed] Sharded | {{.*}}Op=ttir.matmul, Reason="the result stays in l1, in 11x1:l1:height_sharded:tile
// OVERRIDE: [Passed] Timed
// OVERRIDE: [Passed] Sharded | {{.*}}Op=ttir.matmul, Reason="the result stays in l1, in 11x1:l1:height_sharded:tile
// BAD: clock-search-limit option: '-1' value invalid
#any = #tt.operand_constraint<dram|l1|tile|any_layout|any_device_tile>
func.func @chain(%x: tensor<352x352xbf16>, %w: tensor<352x352xbf16>) -> tensor<352x352xbf16> {
  %0 = tensor.empty() : tensor<352x352xbf16>
  %1 = "ttir.matmul"(%x, %w, %0) <{operand_constraints = [#any, #any, #any]}> : (tensor<352x352xbf16>, tensor<352x352xbf16>, tensor<352x352xbf16>) -> tensor<352x352xbf16> loc("product")
  %2 = "ttir.relu"(%1, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<352x352xbf16>, tensor<352x352xbf16>) -> tensor<352x352xbf16>
  %3 = "ttir.exp"(%2, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<352x352xbf16>, tensor<352x352xbf16>) -> tensor<352x352xbf16>
  return %3 : tensor<352x352xbf16>
}
