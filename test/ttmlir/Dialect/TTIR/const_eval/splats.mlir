// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline="optimization-level=1" %s | FileCheck %s
// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline %s | FileCheck %s --check-prefix=OFF
// The optimizer keeps splats on the device: a fill in each call takes as long as a small op.

#any = #tt.operand_constraint<dram|l1|tile|none|interleaved|single_bank|height_sharded|width_sharded|block_sharded|any_layout|any_device_tile>

// Two equal ones are one.
// CHECK-LABEL: func.func private @twice_const_eval_0()
// CHECK: [[S:%.*]] = "ttnn.full"
// CHECK-NOT: "ttnn.full"
// CHECK: return [[S]] :
// CHECK-LABEL: func.func @twice(
// CHECK: [[S:%.*]] = tt.load_cached(@twice_const_eval_0, [])
// CHECK-NOT: "ttnn.full"
// CHECK: "ttnn.add"(%{{.*}}, [[S]],
// CHECK: "ttnn.multiply"(%{{.*}}, [[S]],
// OFF-LABEL: func.func @twice(
// OFF: "ttnn.full"
// OFF: "ttnn.full"
func.func @twice(%x: tensor<64x64xbf16>) -> tensor<64x64xbf16> {
  %0 = "ttir.constant"() <{value = dense<2.5> : tensor<1xbf16>}> : () -> tensor<1xbf16>
  %1 = tensor.empty() : tensor<64x64xbf16>
  %2 = "ttir.add"(%x, %0, %1) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x64xbf16>, tensor<1xbf16>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
  %3 = "ttir.constant"() <{value = dense<2.5> : tensor<1xbf16>}> : () -> tensor<1xbf16>
  %4 = tensor.empty() : tensor<64x64xbf16>
  %5 = "ttir.multiply"(%2, %3, %4) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x64xbf16>, tensor<1xbf16>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
  return %5 : tensor<64x64xbf16>
}

// The caller gets one of its own.
// CHECK-LABEL: func.func @returned(
// CHECK: [[S:%.*]] = tt.load_cached(@returned_const_eval_0, [])
// CHECK: [[R:%.*]] = "ttnn.full"
// CHECK: "ttnn.add"(%{{.*}}, [[S]],
// CHECK: return [[R]],
// Large: filled in each call.
// CHECK-LABEL: func.func @large(
// CHECK-NOT: tt.load_cached
// CHECK: "ttnn.full"
func.func @returned(%x: tensor<32x32xbf16>) -> (tensor<32x32xbf16>, tensor<32x32xbf16>) {
  %0 = "ttir.constant"() <{value = dense<2.5> : tensor<32x32xbf16>}> : () -> tensor<32x32xbf16>
  %1 = tensor.empty() : tensor<32x32xbf16>
  %2 = "ttir.add"(%x, %0, %1) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>) -> tensor<32x32xbf16>
  return %0, %2 : tensor<32x32xbf16>, tensor<32x32xbf16>
}
func.func @large(%x: tensor<1024x2048xbf16>) -> tensor<1024x2048xbf16> {
  %0 = "ttir.constant"() <{value = dense<2.5> : tensor<1024x2048xbf16>}> : () -> tensor<1024x2048xbf16>
  %1 = tensor.empty() : tensor<1024x2048xbf16>
  %2 = "ttir.add"(%x, %0, %1) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<1024x2048xbf16>, tensor<1024x2048xbf16>, tensor<1024x2048xbf16>) -> tensor<1024x2048xbf16>
  return %2 : tensor<1024x2048xbf16>
}
