// RUN: ttmlir-opt --ttir-legalize-types --remarks=ttir-legalize-types %s -o /dev/null 2>&1 | FileCheck %s
// What becomes of the types, and of the ops that do nothing on the new ones.
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>

// CHECK-DAG: remark: [Passed] Narrowed | Category:ttir-legalize-types{{.*}} | Op=func.func, Reason="2 arguments and results have a type of the host only: tensor<2xf64> becomes tensor<2xf32>"
// CHECK-DAG: remark: [Passed] Rounded | Category:ttir-legalize-types{{.*}} | Op=ttir.constant, Reason="1 elements of f64 are no numbers of f32, to which they are rounded"
// CHECK-DAG: remark: [Passed] Replaced | Category:ttir-legalize-types{{.*}} | Op=ttir.typecast, Reason="goes away
func.func @main(%x: tensor<2xf64>) -> tensor<2xf64> {
  %0 = tensor.empty() : tensor<2xf32>
  %1 = "ttir.typecast"(%x, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<2xf64>, tensor<2xf32>) -> tensor<2xf32>
  %2 = "ttir.constant"() <{value = dense<[0.5, 0.1]> : tensor<2xf64>}> : () -> tensor<2xf64>
  %3 = tensor.empty() : tensor<2xf64>
  %4 = "ttir.add"(%1, %2, %3) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<2xf32>, tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
  return %4 : tensor<2xf64>
}
