// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline="optimization-level=1" %s | FileCheck %s
// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline %s | FileCheck %s --check-prefix=OFF
// Heads are rotated by one call; without optimization it is taken apart.

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
// OFF-NOT: ttnn.rotary_embedding
// OFF: "ttnn.concat"
// CHECK-LABEL: func.func @rotary
// CHECK: "ttnn.rotary_embedding"({{.*}} -> tensor<2x4x40x64xbf16
// CHECK-NOT: ttnn.concat
func.func @rotary(%a: tensor<2x4x40x64xbf16>, %b: tensor<2x1x40x64xbf16>, %c: tensor<2x1x40x64xbf16>) -> tensor<2x4x40x64xbf16> {
  %0 = tensor.empty() : tensor<2x4x40x64xbf16>
  %1 = "ttir.rotary_embedding"(%a, %b, %c, %0) <{operand_constraints = [#any, #any, #any, #any]}> : (tensor<2x4x40x64xbf16>, tensor<2x1x40x64xbf16>, tensor<2x1x40x64xbf16>, tensor<2x4x40x64xbf16>) -> tensor<2x4x40x64xbf16>
  return %1 : tensor<2x4x40x64xbf16>
}
