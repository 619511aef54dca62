// RUN: ttmlir-opt --ttir-recognize %s | FileCheck %s
// RUN: ttmlir-opt --ttir-recognize --remarks=ttir-recognize %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// A mask of zeros hides nothing; another one stays.

#any = #tt.operand_constraint<dram|l1|tile|none|interleaved|single_bank|height_sharded|width_sharded|block_sharded|any_layout|any_device_tile>
// REMARK: [Passed] MaskOfZeros | Category:ttir-recognize | Function=zeros | Op=ttir.scaled_dot_product_attention, Reason="the mask adds 0 to every score and is dropped"
// REMARK-NOT: MaskOfZeros

// CHECK-LABEL: func.func @zeros
// CHECK-SAME: (%[[Q:.*]]: tensor<1x2x8x16xf32>, %[[K:.*]]: tensor<1x2x24x16xf32>)
func.func @zeros(%q: tensor<1x2x8x16xf32>, %k: tensor<1x2x24x16xf32>) -> tensor<1x2x8x16xf32> {
  // CHECK-NOT: ttir.constant
  // CHECK: "ttir.scaled_dot_product_attention"(%[[Q]], %[[K]], %[[K]], %{{[0-9]+}}) <{is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 1>
  %mask = "ttir.constant"() <{value = dense<0.0> : tensor<1x1x8x24xf32>}> : () -> tensor<1x1x8x24xf32>
  %0 = tensor.empty() : tensor<1x2x8x16xf32>
  %1 = "ttir.scaled_dot_product_attention"(%q, %k, %k, %mask, %0) <{is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 1>, operand_constraints = [#any, #any, #any, #any, #any]}> : (tensor<1x2x8x16xf32>, tensor<1x2x24x16xf32>, tensor<1x2x24x16xf32>, tensor<1x1x8x24xf32>, tensor<1x2x8x16xf32>) -> tensor<1x2x8x16xf32>
  return %1 : tensor<1x2x8x16xf32>
}

// CHECK-LABEL: func.func @integers
func.func @integers(%q: tensor<1x2x8x16xf32>, %k: tensor<1x2x24x16xf32>) -> tensor<1x2x8x16xf32> {
  // Zeros of an integer mask hide keys.
  // CHECK: operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 1>
  %mask = "ttir.constant"() <{value = dense<0> : tensor<1x1x8x24xi32>}> : () -> tensor<1x1x8x24xi32>
  %0 = tensor.empty() : tensor<1x2x8x16xf32>
  %1 = "ttir.scaled_dot_product_attention"(%q, %k, %k, %mask, %0) <{is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 1>, operand_constraints = [#any, #any, #any, #any, #any]}> : (tensor<1x2x8x16xf32>, tensor<1x2x24x16xf32>, tensor<1x2x24x16xf32>, tensor<1x1x8x24xi32>, tensor<1x2x8x16xf32>) -> tensor<1x2x8x16xf32>
  return %1 : tensor<1x2x8x16xf32>
}
