// RUN: ttmlir-opt --ttir-load-system-desc --ttir-implicit-device --convert-host-functions-to-ttnn %s | FileCheck %s
// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline %s | FileCheck %s --check-prefix=TTNN
// RUN: ttmlir-opt --ttir-to-ttmetal-backend-pipeline %s | FileCheck %s --check-prefix=TTMETAL
// Functions of the host become library calls on its tensors; no other function changes.

#any = #tt.operand_constraint<any_device>

// CHECK: #[[HOST:.*]] = #tt.layout<{{.*}}memref<33x65xf32, #system>>
// CHECK-LABEL: func.func @main(
// CHECK: tt.call(@hoisted, [%{{.*}}]) : (tensor<33x65xf32>) -> tensor<33x65xf32>
// TTNN-LABEL: func.func @main(
// TTNN: %[[D:.*]] = "ttnn.exp"
// TTNN: %[[H:.*]] = "ttnn.to_memory_config"(%[[D]]
// TTNN: tt.call(@hoisted, [%[[H]]])
// TTMETAL-LABEL: func.func @main(
// TTMETAL: %[[R:.*]] = "ttmetal.host_read"
// TTMETAL: tt.call(@hoisted, [%[[R]]])
func.func @main(%a: tensor<33x65xf32>) -> tensor<33x65xf32> {
  %0 = tensor.empty() : tensor<33x65xf32>
  %1 = "ttir.exp"(%a, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<33x65xf32>, tensor<33x65xf32>) -> tensor<33x65xf32>
  %2 = tt.call(@hoisted, [%1]) : (tensor<33x65xf32>) -> tensor<33x65xf32>
  return %2 : tensor<33x65xf32>
}

// CHECK-LABEL: func.func private @hoisted(
// CHECK-SAME: %[[A:.*]]: tensor<33x65xf32, #[[HOST]]>) -> tensor<33x65xf32, #[[HOST]]> attributes {tt.host, tt.part}
// CHECK: %[[E:.*]] = "ttnn.empty"() {{.*}} -> tensor<33x65xf32, #[[HOST]]>
// CHECK: "ttnn.relu"(%[[A]], %[[E]])
// TTMETAL-LABEL: func.func private @hoisted(
// TTMETAL: "ttnn.relu"
func.func private @hoisted(%a: tensor<33x65xf32>) -> tensor<33x65xf32> attributes {tt.host, tt.part} {
  %0 = tensor.empty() : tensor<33x65xf32>
  %1 = "ttir.relu"(%a, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<33x65xf32>, tensor<33x65xf32>) -> tensor<33x65xf32>
  return %1 : tensor<33x65xf32>
}
