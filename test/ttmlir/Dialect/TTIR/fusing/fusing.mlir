// RUN: ttmlir-opt --ttir-expand-composites --ttir-fusing %s | FileCheck %s
// RUN: ttmlir-opt --ttir-expand-composites --ttir-fusing --remarks %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK-DAG: remark: [Passed] Folded | Category:ttir-fusing | Function=batch_norm | Op=ttir.multiply, Reason="the weights of the convolution have its factors
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>

// CHECK-LABEL: func.func @batch_norm
// CHECK: %[[FACTOR:.*]] = "ttir.multiply"(%{{.*}}) {{.*}} -> tensor<1x1x1x16xf32>
// CHECK: %[[W:.*]] = "ttir.prepare_conv2d_weights"(%arg1
// CHECK: %[[SCALED:.*]] = "ttir.multiply"(%[[W]], %[[FACTOR]]
// CHECK: %[[BIAS:.*]] = "ttir.add"(
// CHECK: %[[Y:.*]] = "ttir.conv2d"(%arg0, %[[SCALED]], %[[BIAS]], %{{.*}}kernel_size = array<i32: 3, 3>
// CHECK-NOT: batch_norm
// CHECK: "ttir.relu"(%[[Y]]
func.func @batch_norm(%x: tensor<1x8x8x4xf32>, %pw: tensor<16x4x3x3xf32> {tt.argument_type = #tt.argument_type<parameter>}, %pb: tensor<1x1x1x16xf32> {tt.argument_type = #tt.argument_type<parameter>}, %ps: tensor<16xf32> {tt.argument_type = #tt.argument_type<parameter>}, %po: tensor<16xf32> {tt.argument_type = #tt.argument_type<parameter>}, %pm: tensor<16xf32> {tt.argument_type = #tt.argument_type<parameter>}, %pv: tensor<16xf32> {tt.argument_type = #tt.argument_type<parameter>}) -> tensor<1x8x8x16xf32> {
  %e0 = tensor.empty() : tensor<1x8x8x16xf32>
  %0 = "ttir.conv2d"(%x, %pw, %pb, %e0) <{stride_height = 1 : si32, stride_width = 1 : si32, dilation_height = 1 : si32, dilation_width = 1 : si32, groups = 1 : si32, padding_left = 1 : si32, padding_right = 1 : si32, padding_top = 1 : si32, padding_bottom = 1 : si32, operand_constraints = [#any, #any, #any, #any]}> : (tensor<1x8x8x4xf32>, tensor<16x4x3x3xf32>, tensor<1x1x1x16xf32>, tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  %e1 = tensor.empty() : tensor<1x8x8x16xf32>
  %1 = "ttir.batch_norm_inference"(%0, %ps, %po, %pm, %pv, %e1) <{dimension = 3 : i32, epsilon = 1.0e-05 : f32, operand_constraints = [#any, #any, #any, #any, #any, #any]}> : (tensor<1x8x8x16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  %e2 = tensor.empty() : tensor<1x8x8x16xf32>
  %2 = "ttir.relu"(%1, %e2) <{operand_constraints = [#any, #any], operandSegmentSizes = array<i32: 1, 1>}> : (tensor<1x8x8x16xf32>, tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  return %2 : tensor<1x8x8x16xf32>
}

// A permutation between the two stays, with a factor for each channel in front.
// CHECK-LABEL: func.func @behind_permutation
// CHECK: %[[Y:.*]] = "ttir.conv2d"
// CHECK: %[[P:.*]] = "ttir.permute"(%[[Y]]
// CHECK-NOT: ttir.multiply
// CHECK: return %[[P]]
func.func @behind_permutation(%x: tensor<1x8x8x4xf32>, %pw: tensor<16x4x3x3xf32> {tt.argument_type = #tt.argument_type<parameter>}, %ps: tensor<16x1x1xf32> {tt.argument_type = #tt.argument_type<parameter>}) -> tensor<1x16x8x8xf32> {
  %e0 = tensor.empty() : tensor<1x8x8x16xf32>
  %0 = "ttir.conv2d"(%x, %pw, %e0) <{stride_height = 1 : si32, stride_width = 1 : si32, dilation_height = 1 : si32, dilation_width = 1 : si32, groups = 1 : si32, padding_left = 1 : si32, padding_right = 1 : si32, padding_top = 1 : si32, padding_bottom = 1 : si32, operand_constraints = [#any, #any, #any]}> : (tensor<1x8x8x4xf32>, tensor<16x4x3x3xf32>, tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  %e1 = tensor.empty() : tensor<1x16x8x8xf32>
  %1 = "ttir.permute"(%0, %e1) <{permutation = array<i64: 0, 3, 1, 2>, operand_constraints = [#any, #any]}> : (tensor<1x8x8x16xf32>, tensor<1x16x8x8xf32>) -> tensor<1x16x8x8xf32>
  %e2 = tensor.empty() : tensor<1x16x8x8xf32>
  %2 = "ttir.multiply"(%1, %ps, %e2) <{operand_constraints = [#any, #any, #any], operandSegmentSizes = array<i32: 2, 1>}> : (tensor<1x16x8x8xf32>, tensor<16x1x1xf32>, tensor<1x16x8x8xf32>) -> tensor<1x16x8x8xf32>
  return %2 : tensor<1x16x8x8xf32>
}

// A bias of its own, in front of the weight's matrix.
// CHECK-LABEL: func.func @shift
// CHECK: "ttir.conv2d"(%arg0, %arg1, %{{.*}}, %{{.*}}operand_constraints = [#{{[a-z_]*}}, #{{[a-z_]*}}, #{{[a-z_]*}}, #{{[a-z_]*}}]
// CHECK-NOT: ttir.add
// CHECK: return
func.func @shift(%x: tensor<1x8x8x4xf32>, %pw: tensor<16x4x3x3xf32> {tt.argument_type = #tt.argument_type<parameter>}, %pb: tensor<1x1x1x16xf32> {tt.argument_type = #tt.argument_type<parameter>}) -> tensor<1x8x8x16xf32> {
  %e0 = tensor.empty() : tensor<1x8x8x16xf32>
  %0 = "ttir.conv2d"(%x, %pw, %e0) <{stride_height = 1 : si32, stride_width = 1 : si32, dilation_height = 1 : si32, dilation_width = 1 : si32, groups = 1 : si32, padding_left = 1 : si32, padding_right = 1 : si32, padding_top = 1 : si32, padding_bottom = 1 : si32, operand_constraints = [#any, #any, #any]}> : (tensor<1x8x8x4xf32>, tensor<16x4x3x3xf32>, tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  %e1 = tensor.empty() : tensor<1x8x8x16xf32>
  %1 = "ttir.add"(%pb, %0, %e1) <{operand_constraints = [#any, #any, #any], operandSegmentSizes = array<i32: 2, 1>}> : (tensor<1x1x1x16xf32>, tensor<1x8x8x16xf32>, tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  return %1 : tensor<1x8x8x16xf32>
}

// The same in pieces, by a number too.
// CHECK-LABEL: func.func @pieces
// CHECK: "ttir.conv2d"
// CHECK-NEXT: return
func.func @pieces(%x: tensor<1x8x8x4xf32>, %pw: tensor<16x4x3x3xf32> {tt.argument_type = #tt.argument_type<parameter>}, %pm: tensor<16xf32> {tt.argument_type = #tt.argument_type<parameter>}, %ps: tensor<1x16xf32> {tt.argument_type = #tt.argument_type<parameter>}) -> tensor<1x8x8x16xf32> {
  %e0 = tensor.empty() : tensor<1x8x8x16xf32>
  %0 = "ttir.conv2d"(%x, %pw, %e0) <{stride_height = 1 : si32, stride_width = 1 : si32, dilation_height = 1 : si32, dilation_width = 1 : si32, groups = 1 : si32, padding_left = 1 : si32, padding_right = 1 : si32, padding_top = 1 : si32, padding_bottom = 1 : si32, operand_constraints = [#any, #any, #any]}> : (tensor<1x8x8x4xf32>, tensor<16x4x3x3xf32>, tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  %e1 = tensor.empty() : tensor<1x8x8x16xf32>
  %1 = "ttir.subtract"(%0, %pm, %e1) <{operand_constraints = [#any, #any, #any], operandSegmentSizes = array<i32: 2, 1>}> : (tensor<1x8x8x16xf32>, tensor<16xf32>, tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  %e2 = tensor.empty() : tensor<1x8x8x16xf32>
  %2 = "ttir.multiply"(%1, %ps, %e2) <{operand_constraints = [#any, #any, #any], operandSegmentSizes = array<i32: 2, 1>}> : (tensor<1x8x8x16xf32>, tensor<1x16xf32>, tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  %3 = "ttir.constant"() <{value = dense<5.0e-01> : tensor<1xf32>}> : () -> tensor<1xf32>
  %e4 = tensor.empty() : tensor<1x8x8x16xf32>
  %4 = "ttir.multiply"(%3, %2, %e4) <{operand_constraints = [#any, #any, #any], operandSegmentSizes = array<i32: 2, 1>}> : (tensor<1xf32>, tensor<1x8x8x16xf32>, tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  return %4 : tensor<1x8x8x16xf32>
}

// A difference that has the result behind the minus is no bias.
// CHECK-LABEL: func.func @minus_result
// CHECK: %[[Y:.*]] = "ttir.conv2d"(%arg0, %arg1, %{{[0-9]+}})
// CHECK: "ttir.subtract"(%arg2, %[[Y]], %{{.*}})
// CHECK-NEXT: return
func.func @minus_result(%x: tensor<1x8x8x4xf32>, %pw: tensor<16x4x3x3xf32> {tt.argument_type = #tt.argument_type<parameter>}, %pm: tensor<16xf32> {tt.argument_type = #tt.argument_type<parameter>}) -> tensor<1x8x8x16xf32> {
  %e0 = tensor.empty() : tensor<1x8x8x16xf32>
  %0 = "ttir.conv2d"(%x, %pw, %e0) <{stride_height = 1 : si32, stride_width = 1 : si32, dilation_height = 1 : si32, dilation_width = 1 : si32, groups = 1 : si32, padding_left = 1 : si32, padding_right = 1 : si32, padding_top = 1 : si32, padding_bottom = 1 : si32, operand_constraints = [#any, #any, #any]}> : (tensor<1x8x8x4xf32>, tensor<16x4x3x3xf32>, tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  %e1 = tensor.empty() : tensor<1x8x8x16xf32>
  %1 = "ttir.subtract"(%pm, %0, %e1) <{operand_constraints = [#any, #any, #any], operandSegmentSizes = array<i32: 2, 1>}> : (tensor<16xf32>, tensor<1x8x8x16xf32>, tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  return %1 : tensor<1x8x8x16xf32>
}

// A factor of the call, a result that is read twice, a factor for each row.
// CHECK-LABEL: func.func @kept
// CHECK-COUNT-3: "ttir.multiply"
// CHECK: return
func.func @kept(%x: tensor<1x8x8x4xf32>, %pw: tensor<16x4x3x3xf32> {tt.argument_type = #tt.argument_type<parameter>}, %c: tensor<1x1x1x16xf32>, %pr: tensor<8x1xf32> {tt.argument_type = #tt.argument_type<parameter>}) -> (tensor<1x8x8x16xf32>, tensor<1x8x8x16xf32>, tensor<1x8x8x16xf32>, tensor<1x8x8x16xf32>) {
  %e0 = tensor.empty() : tensor<1x8x8x16xf32>
  %0 = "ttir.conv2d"(%x, %pw, %e0) <{stride_height = 1 : si32, stride_width = 1 : si32, dilation_height = 1 : si32, dilation_width = 1 : si32, groups = 1 : si32, padding_left = 1 : si32, padding_right = 1 : si32, padding_top = 1 : si32, padding_bottom = 1 : si32, operand_constraints = [#any, #any, #any]}> : (tensor<1x8x8x4xf32>, tensor<16x4x3x3xf32>, tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  %e1 = tensor.empty() : tensor<1x8x8x16xf32>
  %1 = "ttir.multiply"(%0, %c, %e1) <{operand_constraints = [#any, #any, #any], operandSegmentSizes = array<i32: 2, 1>}> : (tensor<1x8x8x16xf32>, tensor<1x1x1x16xf32>, tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  %e2 = tensor.empty() : tensor<1x8x8x16xf32>
  %2 = "ttir.conv2d"(%x, %pw, %e2) <{stride_height = 1 : si32, stride_width = 1 : si32, dilation_height = 1 : si32, dilation_width = 1 : si32, groups = 1 : si32, padding_left = 1 : si32, padding_right = 1 : si32, padding_top = 1 : si32, padding_bottom = 1 : si32, operand_constraints = [#any, #any, #any]}> : (tensor<1x8x8x4xf32>, tensor<16x4x3x3xf32>, tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  %e3 = tensor.empty() : tensor<1x8x8x16xf32>
  %3 = "ttir.multiply"(%2, %pr, %e3) <{operand_constraints = [#any, #any, #any], operandSegmentSizes = array<i32: 2, 1>}> : (tensor<1x8x8x16xf32>, tensor<8x1xf32>, tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  %e4 = tensor.empty() : tensor<1x8x8x16xf32>
  %4 = "ttir.conv2d"(%x, %pw, %e4) <{stride_height = 1 : si32, stride_width = 1 : si32, dilation_height = 1 : si32, dilation_width = 1 : si32, groups = 1 : si32, padding_left = 1 : si32, padding_right = 1 : si32, padding_top = 1 : si32, padding_bottom = 1 : si32, operand_constraints = [#any, #any, #any]}> : (tensor<1x8x8x4xf32>, tensor<16x4x3x3xf32>, tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  %5 = "ttir.constant"() <{value = dense<5.0e-01> : tensor<1xf32>}> : () -> tensor<1xf32>
  %e6 = tensor.empty() : tensor<1x8x8x16xf32>
  %6 = "ttir.multiply"(%4, %5, %e6) <{operand_constraints = [#any, #any, #any], operandSegmentSizes = array<i32: 2, 1>}> : (tensor<1x8x8x16xf32>, tensor<1xf32>, tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  return %1, %3, %6, %4 : tensor<1x8x8x16xf32>, tensor<1x8x8x16xf32>, tensor<1x8x8x16xf32>, tensor<1x8x8x16xf32>
}

// Weights of the call would be multiplied in every call.
// CHECK-LABEL: func.func @input_weight
// CHECK: "ttir.multiply"
// CHECK: return
func.func @input_weight(%x: tensor<1x8x8x4xf32>, %w: tensor<16x4x3x3xf32>) -> tensor<1x8x8x16xf32> {
  %e0 = tensor.empty() : tensor<1x8x8x16xf32>
  %0 = "ttir.conv2d"(%x, %w, %e0) <{stride_height = 1 : si32, stride_width = 1 : si32, dilation_height = 1 : si32, dilation_width = 1 : si32, groups = 1 : si32, padding_left = 1 : si32, padding_right = 1 : si32, padding_top = 1 : si32, padding_bottom = 1 : si32, operand_constraints = [#any, #any, #any]}> : (tensor<1x8x8x4xf32>, tensor<16x4x3x3xf32>, tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  %1 = "ttir.constant"() <{value = dense<5.0e-01> : tensor<1xf32>}> : () -> tensor<1xf32>
  %e2 = tensor.empty() : tensor<1x8x8x16xf32>
  %2 = "ttir.multiply"(%0, %1, %e2) <{operand_constraints = [#any, #any, #any], operandSegmentSizes = array<i32: 2, 1>}> : (tensor<1x8x8x16xf32>, tensor<1xf32>, tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  return %2 : tensor<1x8x8x16xf32>
}
