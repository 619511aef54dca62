// RUN: ttmlir-opt --ttir-integer-products --remarks=ttir-integer-products %s -o /dev/null 2>&1 | FileCheck %s
// Products that stay products of floats, and why.
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>

// CHECK: remark: [Missed] Floats | Category:ttir-integer-products{{.*}} | Op=ttir.matmul, Reason="the product stays in floats: operand 0 is not dequantized from integers of 8 or 16 bits"
func.func @weights(%x: tensor<4x64xf32>, %w: tensor<64x8xsi8>, %t: tensor<8xf32>, %y: tensor<8xsi32>) -> tensor<4x8xf32> {
  %0 = tensor.empty() : tensor<64x8xf32>
  %1 = "ttir.dequantize_unrolled"(%w, %t, %y, %0) <{axis = 1 : i32, operand_constraints = [#any, #any, #any, #any]}> : (tensor<64x8xsi8>, tensor<8xf32>, tensor<8xsi32>, tensor<64x8xf32>) -> tensor<64x8xf32>
  %2 = tensor.empty() : tensor<4x8xf32>
  %3 = "ttir.matmul"(%x, %1, %2) <{operand_constraints = [#any, #any, #any]}> : (tensor<4x64xf32>, tensor<64x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %3 : tensor<4x8xf32>
}

// CHECK: Op=ttir.matmul, Reason="the product stays in floats: the scales differ along the summed dimension"
func.func @summed(%x: tensor<4x64xsi8>, %s: tensor<64xf32>, %z: tensor<64xsi32>, %w: tensor<64x8xsi8>, %t: tensor<1xf32>, %y: tensor<1xsi32>) -> tensor<4x8xf32> {
  %0 = tensor.empty() : tensor<4x64xf32>
  %1 = "ttir.dequantize_unrolled"(%x, %s, %z, %0) <{axis = 1 : i32, operand_constraints = [#any, #any, #any, #any]}> : (tensor<4x64xsi8>, tensor<64xf32>, tensor<64xsi32>, tensor<4x64xf32>) -> tensor<4x64xf32>
  %2 = tensor.empty() : tensor<64x8xf32>
  %3 = "ttir.dequantize_unrolled"(%w, %t, %y, %2) <{operand_constraints = [#any, #any, #any, #any]}> : (tensor<64x8xsi8>, tensor<1xf32>, tensor<1xsi32>, tensor<64x8xf32>) -> tensor<64x8xf32>
  %4 = tensor.empty() : tensor<4x8xf32>
  %5 = "ttir.matmul"(%1, %3, %4) <{operand_constraints = [#any, #any, #any]}> : (tensor<4x64xf32>, tensor<64x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %5 : tensor<4x8xf32>
}

// CHECK: Op=ttir.matmul, Reason="the product stays in floats: a sum of 64 products might need more than 32 bits"
func.func @wide(%x: tensor<4x64xsi16>, %w: tensor<64x8xsi16>, %t: tensor<1xf32>, %y: tensor<1xsi32>) -> tensor<4x8xf32> {
  %0 = tensor.empty() : tensor<4x64xf32>
  %1 = "ttir.dequantize_unrolled"(%x, %t, %y, %0) <{operand_constraints = [#any, #any, #any, #any]}> : (tensor<4x64xsi16>, tensor<1xf32>, tensor<1xsi32>, tensor<4x64xf32>) -> tensor<4x64xf32>
  %2 = tensor.empty() : tensor<64x8xf32>
  %3 = "ttir.dequantize_unrolled"(%w, %t, %y, %2) <{operand_constraints = [#any, #any, #any, #any]}> : (tensor<64x8xsi16>, tensor<1xf32>, tensor<1xsi32>, tensor<64x8xf32>) -> tensor<64x8xf32>
  %4 = tensor.empty() : tensor<4x8xf32>
  %5 = "ttir.matmul"(%1, %3, %4) <{operand_constraints = [#any, #any, #any]}> : (tensor<4x64xf32>, tensor<64x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %5 : tensor<4x8xf32>
}

// CHECK: remark: [Analysis] Floats | Category:ttir-integer-products{{.*}} | Op=ttir.exp, Reason="the op reads dequantized integers and computes floats"
func.func @exp(%x: tensor<64xsi8>, %t: tensor<1xf32>, %y: tensor<1xsi32>) -> tensor<64xf32> {
  %0 = tensor.empty() : tensor<64xf32>
  %1 = "ttir.dequantize_unrolled"(%x, %t, %y, %0) <{operand_constraints = [#any, #any, #any, #any]}> : (tensor<64xsi8>, tensor<1xf32>, tensor<1xsi32>, tensor<64xf32>) -> tensor<64xf32>
  %2 = tensor.empty() : tensor<64xf32>
  %3 = "ttir.exp"(%1, %2) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  return %3 : tensor<64xf32>
}
