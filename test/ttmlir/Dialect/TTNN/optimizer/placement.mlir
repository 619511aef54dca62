// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline="optimization-level=1" --mlir-pass-statistics %s 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=COUNT <%t
// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline="optimization-level=1 clock-search-limit=0" %s | FileCheck %s --check-prefix=OFF
// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline="optimization-level=1" --remarks=ttnn-optimizer %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// Results that other ops read are in L1, in one layout where ops go from element to element; the
// residual sum takes the place of an input.

#any_device = #tt.operand_constraint<dram|l1|tile|none|interleaved|single_bank|height_sharded|width_sharded|block_sharded|any_layout|any_device_tile>
// COUNT-DAG: (S) {{ *}}1 num-in-place - Number of results
// COUNT-DAG: (S) {{ *}}4 num-placed
// REMARK: [Passed] Placed | Category:ttnn-optimizer | Function=residual | Op=ttnn.matmul, Reason="the result goes to {{.*}}l1{{.*}}: the ops that write and read the 3 tensors of its group take {{[0-9]+}} cycles", Rejected="{{[0-9x]+:l1:[a-z_]+}}:tile: at least {{[0-9]+}} cycles"

// CHECK: [[L1:#layout[0-9]*]] = #tt.layout<{{.*}}#l1_>, {{[a-z]+}}_sharded>
// CHECK-LABEL: func.func @residual
// OFF-NOT: #l1_>, {{[a-z]+}}_sharded>
func.func @residual(%a: tensor<512x512xbf16>, %b: tensor<512x512xbf16>) -> tensor<512x512xbf16> {
  // CHECK: [[P:%.*]] = "ttnn.matmul"{{.*}} -> tensor<512x512xbf16, [[L1]]>
  %0 = tensor.empty() : tensor<512x512xbf16>
  %1 = "ttir.matmul"(%a, %b, %0) <{operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<512x512xbf16>, tensor<512x512xbf16>, tensor<512x512xbf16>) -> tensor<512x512xbf16>
  // CHECK: [[E:%.*]] = "ttnn.exp"([[P]], {{.*}} -> tensor<512x512xbf16, [[L1]]>
  %2 = tensor.empty() : tensor<512x512xbf16>
  %3 = "ttir.exp"(%1, %2) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any_device, #any_device]}> : (tensor<512x512xbf16>, tensor<512x512xbf16>) -> tensor<512x512xbf16>
  // CHECK: [[S:%.*]] = "ttnn.add"([[P]], [[E]], [[P]]) {{.*}} -> tensor<512x512xbf16, [[L1]]>
  %4 = tensor.empty() : tensor<512x512xbf16>
  %5 = "ttir.add"(%1, %3, %4) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<512x512xbf16>, tensor<512x512xbf16>, tensor<512x512xbf16>) -> tensor<512x512xbf16>
  %6 = tensor.empty() : tensor<512x512xbf16>
  %7 = "ttir.matmul"(%5, %b, %6) <{operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<512x512xbf16>, tensor<512x512xbf16>, tensor<512x512xbf16>) -> tensor<512x512xbf16>
  return %7 : tensor<512x512xbf16>
}
