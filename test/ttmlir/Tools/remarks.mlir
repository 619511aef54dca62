// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline --remarks %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=ALL
// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline --remarks='optimizer|deallocate' %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=SOME
// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline --remarks --remark-format=yaml --remarks-output-file=%t.yaml %s -o /dev/null
// RUN: FileCheck %s --check-prefix=YAML --input-file=%t.yaml
// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=NONE --allow-empty
// RUN: not ttmlir-opt --remarks='ttir-(' %s 2>&1 | FileCheck %s --check-prefix=BAD
// Remarks of all passes or of some, for people or as YAML; none unless somebody asks.
// ALL-DAG: remark: [Passed] Converted | Category:ttir-layout | Function=forward | Op=ttir.relu
// ALL-DAG: remark: [Passed] Chosen | Category:ttir-optimizer | Function=forward | Op=ttir.relu
// SOME-NOT: Category:ttir-layout
// SOME: remark: [Passed] Chosen | Category:ttir-optimizer | Function=forward | Op=ttir.relu
// SOME: remark: [Passed] Kept | Category:ttnn-deallocate | Function=forward
// SOME-NOT: remark
// YAML: --- !Passed
// YAML: Pass: {{ *}}ttir-optimizer
// YAML-NEXT: Name: {{ *}}Chosen
// YAML: Op: {{ *}}ttir.relu
// YAML: Reason: {{.*}}the result goes to 8x8:dram:interleaved:
// NONE-NOT: remark
// BAD: --remarks: expected a regular expression, found 'ttir-(': parentheses not balanced
#any = #tt.operand_constraint<any_device>
func.func @forward(%a: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %0 = tensor.empty() : tensor<64x128xf32>
  %1 = "ttir.relu"(%a, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %1 : tensor<64x128xf32>
}
