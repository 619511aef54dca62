// RUN: ttmlir-opt --ttir-split-long-integers --remarks=ttir-split-long-integers %s -o /dev/null 2>&1 | FileCheck %s
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>

// CHECK: remark: [Passed] Split | Category:ttir-split-long-integers{{.*}} | Op=ttir.multiply, Reason="integers of 64 bits are words of 32: -4611686016279904256 to 4611686018427387904", Rejected="32 bits: they do not hold them"
func.func @main(%x: tensor<2xsi64>) -> tensor<2xsi64> {
  %0 = tensor.empty() : tensor<2xsi64>
  %1 = "ttir.multiply"(%x, %x, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<2xsi64>, tensor<2xsi64>, tensor<2xsi64>) -> tensor<2xsi64>
  return %1 : tensor<2xsi64>
}
