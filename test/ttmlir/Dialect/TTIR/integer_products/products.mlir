// RUN: ttmlir-opt --ttir-integer-products %s | FileCheck %s
// RUN: ttmlir-opt --ttir-integer-products --remarks=ttir-integer-products %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// Products of dequantized tensors become products of their integers, whose sums are scaled.
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>

// The zero point of %x is subtracted, that of %w is 0.
// REMARK: remark: [Passed] Integers | Category:ttir-integer-products | Function=columns | Op=ttir.matmul, Reason="the product is computed in integers, summed in si32", Rejected="floats: 64 products are rounded"
// CHECK-LABEL: @columns
// CHECK: %[[X:.*]] = "ttir.typecast"(%arg0, {{.*}} -> tensor<4x64xsi32>
// CHECK: %[[A:.*]] = "ttir.subtract"(%[[X]],
// CHECK: %[[W:.*]] = "ttir.typecast"(%arg3, {{.*}} -> tensor<8x64xsi32>
// CHECK: %[[SUM:.*]] = "ttir.matmul"(%[[A]], %[[W]], {{.*}}transpose_b = true{{.*}} -> tensor<4x8xsi32>
// CHECK: %[[S:.*]] = "ttir.reshape"(%arg4, {{.*}} -> tensor<8x1xf32>
// CHECK: %[[T:.*]] = "ttir.reshape"(%[[S]], {{.*}} -> tensor<1x8xf32>
// CHECK: %[[FACTOR:.*]] = "ttir.multiply"({{.*}}, %[[T]], {{.*}} -> tensor<1x8xf32>
// CHECK: %[[REAL:.*]] = "ttir.typecast"(%[[SUM]], {{.*}} -> tensor<4x8xf32>
// CHECK: %[[FOUND:.*]] = "ttir.multiply"(%[[REAL]], %[[FACTOR]],
// CHECK-NEXT: return %[[FOUND]]
func.func @columns(%x: tensor<4x64xui8>, %s: tensor<1xf32>, %z: tensor<1xsi32>, %w: tensor<8x64xsi8>, %t: tensor<8xf32>) -> tensor<4x8xf32> {
  %y = "ttir.constant"() <{value = dense<0> : tensor<8xsi32>}> : () -> tensor<8xsi32>
  %0 = tensor.empty() : tensor<4x64xf32>
  %1 = "ttir.dequantize_unrolled"(%x, %s, %z, %0) <{operand_constraints = [#any, #any, #any, #any]}> : (tensor<4x64xui8>, tensor<1xf32>, tensor<1xsi32>, tensor<4x64xf32>) -> tensor<4x64xf32>
  %2 = tensor.empty() : tensor<8x64xf32>
  %3 = "ttir.dequantize_unrolled"(%w, %t, %y, %2) <{axis = 0 : i32, operand_constraints = [#any, #any, #any, #any]}> : (tensor<8x64xsi8>, tensor<8xf32>, tensor<8xsi32>, tensor<8x64xf32>) -> tensor<8x64xf32>
  %4 = tensor.empty() : tensor<4x8xf32>
  %5 = "ttir.matmul"(%1, %3, %4) <{operand_constraints = [#any, #any, #any], transpose_b = true}> : (tensor<4x64xf32>, tensor<8x64xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %5 : tensor<4x8xf32>
}

// Rows of a reshaped operand keep their scales; the bias is added to floats.
// CHECK-LABEL: @rows
// CHECK-NOT: dequantize
// CHECK: %[[SUM:.*]] = "ttir.linear"({{.*}}#any_device]}> : (tensor<2x3x64xsi32>, tensor<1x64x8xsi32>, tensor<2x3x8xsi32>) -> tensor<2x3x8xsi32>
// CHECK: "ttir.reshape"({{.*}} -> tensor<2x3x1xf32>
// CHECK: %[[REAL:.*]] = "ttir.typecast"(%[[SUM]],
// CHECK: %[[SCALED:.*]] = "ttir.multiply"(%[[REAL]], {{.*}} -> tensor<2x3x8xf32>
// CHECK: "ttir.add"(%[[SCALED]], %arg4,
func.func @rows(%x: tensor<6x64xsi8>, %s: tensor<6xf32>, %z: tensor<6xsi32>, %w: tensor<1x64x8xsi8>, %b: tensor<8xf32>) -> tensor<2x3x8xf32> {
  %t = "ttir.constant"() <{value = dense<0.5> : tensor<1xf32>}> : () -> tensor<1xf32>
  %y = "ttir.constant"() <{value = dense<0> : tensor<1xsi32>}> : () -> tensor<1xsi32>
  %0 = tensor.empty() : tensor<6x64xf32>
  %1 = "ttir.dequantize_unrolled"(%x, %s, %z, %0) <{axis = 0 : i32, operand_constraints = [#any, #any, #any, #any]}> : (tensor<6x64xsi8>, tensor<6xf32>, tensor<6xsi32>, tensor<6x64xf32>) -> tensor<6x64xf32>
  %2 = tensor.empty() : tensor<2x3x64xf32>
  %3 = "ttir.reshape"(%1, %2) <{operand_constraints = [#any, #any], shape = [2 : i32, 3 : i32, 64 : i32]}> : (tensor<6x64xf32>, tensor<2x3x64xf32>) -> tensor<2x3x64xf32>
  %4 = tensor.empty() : tensor<1x64x8xf32>
  %5 = "ttir.dequantize_unrolled"(%w, %t, %y, %4) <{operand_constraints = [#any, #any, #any, #any]}> : (tensor<1x64x8xsi8>, tensor<1xf32>, tensor<1xsi32>, tensor<1x64x8xf32>) -> tensor<1x64x8xf32>
  %6 = tensor.empty() : tensor<2x3x8xf32>
  %7 = "ttir.linear"(%3, %5, %b, %6) <{operand_constraints = [#any, #any, #any, #any]}> : (tensor<2x3x64xf32>, tensor<1x64x8xf32>, tensor<8xf32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  return %7 : tensor<2x3x8xf32>
}
