// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline="optimization-level=1 clock-search-limit=0" %s | FileCheck %s
// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline %s | FileCheck %s --check-prefix=OFF
// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline="optimization-level=1 clock-search-limit=0" --remarks=ttnn-fusing %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// Activations become attributes of the calls in front of them.

#any_device = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
// OFF-NOT: activation =
// REMARK-DAG: [Passed] Fused | Category:ttnn-fusing | Function=linear | Op=ttnn.gelu, Reason="ttnn.linear applies it to its result", Rejected="an op of its own: it would read and write tensor<64x96xbf16
// REMARK-DAG: [Missed] NotFused | Category:ttnn-fusing | Function=read_twice | Op=ttnn.relu, Reason="the activation is an op of its own: other ops read its input"
// REMARK-DAG: [Missed] NotFused | Category:ttnn-fusing | Function=twice | Op=ttnn.tanh, Reason="the activation is an op of its own: the op that computes its input has one"
// REMARK-DAG: [Missed] NotFused | Category:ttnn-fusing | Function=of_exp | Op=ttnn.relu, Reason="the activation is an op of its own: the op that computes its input has no activation"

// CHECK-LABEL: func.func @linear
func.func @linear(%a: tensor<64x128xbf16>, %b: tensor<128x96xbf16>, %c: tensor<96xbf16>) -> tensor<64x96xbf16> {
  // CHECK: "ttnn.linear"{{.*}}activation = "gelu"
  // CHECK-NOT: "ttnn.gelu"
  %0 = tensor.empty() : tensor<64x96xbf16>
  %1 = "ttir.linear"(%a, %b, %c, %0) <{operand_constraints = [#any_device, #any_device, #any_device, #any_device]}> : (tensor<64x128xbf16>, tensor<128x96xbf16>, tensor<96xbf16>, tensor<64x96xbf16>) -> tensor<64x96xbf16>
  %2 = tensor.empty() : tensor<64x96xbf16>
  %3 = "ttir.gelu"(%1, %2) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any_device, #any_device]}> : (tensor<64x96xbf16>, tensor<64x96xbf16>) -> tensor<64x96xbf16>
  return %3 : tensor<64x96xbf16>
}

// CHECK-LABEL: func.func @read_twice
func.func @read_twice(%a: tensor<64x96xbf16>, %b: tensor<64x96xbf16>) -> (tensor<64x96xbf16>, tensor<64x96xbf16>) {
  // CHECK: "ttnn.add"
  // CHECK: "ttnn.relu"
  %0 = tensor.empty() : tensor<64x96xbf16>
  %1 = "ttir.add"(%a, %b, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<64x96xbf16>, tensor<64x96xbf16>, tensor<64x96xbf16>) -> tensor<64x96xbf16>
  %2 = tensor.empty() : tensor<64x96xbf16>
  %3 = "ttir.relu"(%1, %2) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any_device, #any_device]}> : (tensor<64x96xbf16>, tensor<64x96xbf16>) -> tensor<64x96xbf16>
  return %1, %3 : tensor<64x96xbf16>, tensor<64x96xbf16>
}

// CHECK-LABEL: func.func @twice
func.func @twice(%a: tensor<64x96xbf16>, %b: tensor<64x96xbf16>) -> tensor<64x96xbf16> {
  // CHECK: "ttnn.multiply"{{.*}}activation = "silu"
  // CHECK: "ttnn.tanh"
  %0 = tensor.empty() : tensor<64x96xbf16>
  %1 = "ttir.multiply"(%a, %b, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<64x96xbf16>, tensor<64x96xbf16>, tensor<64x96xbf16>) -> tensor<64x96xbf16>
  %2 = tensor.empty() : tensor<64x96xbf16>
  %3 = "ttir.silu"(%1, %2) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any_device, #any_device]}> : (tensor<64x96xbf16>, tensor<64x96xbf16>) -> tensor<64x96xbf16>
  %4 = tensor.empty() : tensor<64x96xbf16>
  %5 = "ttir.tanh"(%3, %4) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any_device, #any_device]}> : (tensor<64x96xbf16>, tensor<64x96xbf16>) -> tensor<64x96xbf16>
  return %5 : tensor<64x96xbf16>
}

// CHECK-LABEL: func.func @of_exp
func.func @of_exp(%a: tensor<64x96xbf16>) -> tensor<64x96xbf16> {
  // CHECK: "ttnn.exp"
  // CHECK: "ttnn.relu"
  %0 = tensor.empty() : tensor<64x96xbf16>
  %1 = "ttir.exp"(%a, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any_device, #any_device]}> : (tensor<64x96xbf16>, tensor<64x96xbf16>) -> tensor<64x96xbf16>
  %2 = tensor.empty() : tensor<64x96xbf16>
  %3 = "ttir.relu"(%1, %2) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any_device, #any_device]}> : (tensor<64x96xbf16>, tensor<64x96xbf16>) -> tensor<64x96xbf16>
  return %3 : tensor<64x96xbf16>
}
