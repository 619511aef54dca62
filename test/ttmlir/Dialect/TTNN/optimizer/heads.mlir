// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline="optimization-level=1" %s | FileCheck %s
// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline %s | FileCheck %s --check-prefix=OFF
// Heads are split and joined by one call each; without optimization they are taken apart.

#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
// OFF-NOT: heads"
// OFF: "ttnn.permute"
// CHECK-LABEL: func.func @heads
// CHECK-COUNT-3: "ttnn.empty"
// CHECK: %[[Q:.*]], %{{.*}}, %{{.*}} = "ttnn.split_query_key_value_and_split_heads"(%{{.*}}) <{num_heads = 4 : ui32, num_kv_heads = 2 : ui32, transpose_key = true}>
// CHECK: "ttnn.concatenate_heads"(%[[Q]]
// CHECK-NOT: ttnn.permute
func.func @heads(%a: tensor<2x40x256xbf16>) -> (tensor<2x40x128xbf16>, tensor<2x2x32x40xbf16>, tensor<2x2x40x32xbf16>) {
  %0 = tensor.empty() : tensor<2x4x40x32xbf16>
  %1 = tensor.empty() : tensor<2x2x32x40xbf16>
  %2 = tensor.empty() : tensor<2x2x40x32xbf16>
  %3:3 = "ttir.split_query_key_value_and_split_heads"(%a, %0, %1, %2) <{num_heads = 4 : ui32, num_kv_heads = 2 : ui32, operandSegmentSizes = array<i32: 1, 0, 3>, operand_constraints = [#any, #any, #any, #any], transpose_key = true}> : (tensor<2x40x256xbf16>, tensor<2x4x40x32xbf16>, tensor<2x2x32x40xbf16>, tensor<2x2x40x32xbf16>) -> (tensor<2x4x40x32xbf16>, tensor<2x2x32x40xbf16>, tensor<2x2x40x32xbf16>)
  %4 = tensor.empty() : tensor<2x40x128xbf16>
  %5 = "ttir.concatenate_heads"(%3#0, %4) <{operand_constraints = [#any, #any]}> : (tensor<2x4x40x32xbf16>, tensor<2x40x128xbf16>) -> tensor<2x40x128xbf16>
  return %5, %3#1, %3#2 : tensor<2x40x128xbf16>, tensor<2x2x32x40xbf16>, tensor<2x2x40x32xbf16>
}
