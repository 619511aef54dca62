// RUN: echo "module {}" | ttmlir-translate --system-desc-to-flatbuffer --system=n300 -o %t.ttsys
// RUN: ttmlir-opt --ttir-load-system-desc="path=%t.ttsys" --ttir-implicit-device="mesh-shape=1,2" --ttir-layout --ttir-optimizer="override-output-layout=clip=bf16" --remarks=ttir-optimizer %s -o /dev/null 2>&1 | FileCheck %s
// A collective sends in the number format that an override has given to its input.
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
// CHECK: remark: [Passed] Format | Category:ttir-optimizer | Function=sum | Op=ttir.all_reduce, Reason="result 0 has the number format of its input: a collective sends in one"
func.func @sum(%a: tensor<32x64xf32>) -> tensor<32x64xf32> {
  %0 = tensor.empty() : tensor<32x64xf32>
  %1 = "ttir.relu"(%a, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<32x64xf32>, tensor<32x64xf32>) -> tensor<32x64xf32> loc("clip")
  %2 = tensor.empty() : tensor<32x64xf32>
  %3 = "ttir.all_reduce"(%1, %2) <{cluster_axis = 1 : ui32, operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any], reduce_type = #tt.reduce_type<sum>}> : (tensor<32x64xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
  return %3 : tensor<32x64xf32>
}
