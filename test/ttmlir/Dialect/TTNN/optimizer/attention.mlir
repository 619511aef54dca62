// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline="optimization-level=1" %s | FileCheck %s
// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline %s | FileCheck %s --check-prefix=OFF
// Attention is one call, with its scale; without optimization it is taken apart.

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
// OFF-NOT: scaled_dot_product_attention
// OFF: "ttnn.softmax"
// CHECK-LABEL: func.func @attention
func.func @attention(%q: tensor<1x8x64x64xbf16>, %k: tensor<1x2x96x64xbf16>, %v: tensor<1x2x96x32xbf16>) -> tensor<1x8x64x32xbf16> {
  // CHECK: "ttnn.scaled_dot_product_attention"{{.*}}is_causal = true{{.*}}scale = 1.250000e-01 : f32
  // CHECK-NOT: "ttnn.softmax"
  %0 = tensor.empty() : tensor<1x8x64x32xbf16>
  %1 = "ttir.scaled_dot_product_attention"(%q, %k, %v, %0) <{is_causal = true, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 1>, operand_constraints = [#any, #any, #any, #any]}> : (tensor<1x8x64x64xbf16>, tensor<1x2x96x64xbf16>, tensor<1x2x96x32xbf16>, tensor<1x8x64x32xbf16>) -> tensor<1x8x64x32xbf16>
  return %1 : tensor<1x8x64x32xbf16>
}
