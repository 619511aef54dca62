// RUN: ttmlir-opt --ttir-fusing %s | FileCheck %s
// RUN: ttmlir-opt --ttir-fusing --remarks %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK: remark: [Passed] Joined | Category:ttir-fusing | Function=norm | Op=ttir.subtract, Reason="the subtraction is folded into a later addition: both depend only on parameters"
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>

// A batch norm of what is no convolution.
// CHECK-LABEL: func.func @norm
// CHECK-SAME: (%[[X:[a-z0-9]+]]: {{.*}}, %[[MEAN:[a-z0-9]+]]: {{.*}}, %[[FACTOR:[a-z0-9]+]]: {{.*}}, %[[OFFSET:[a-z0-9]+]]: tensor
// CHECK: %[[PART:.*]] = "ttir.multiply"(%[[MEAN]], %[[FACTOR]], {{.*}} -> tensor<1x1x1x16xf32>
// CHECK: %[[SHIFT:.*]] = "ttir.subtract"(%[[OFFSET]], %[[PART]], {{.*}} -> tensor<1x1x1x16xf32>
// CHECK: %[[SCALED:.*]] = "ttir.multiply"(%[[X]], %[[FACTOR]], {{.*}} -> tensor<1x8x8x16xf32>
// CHECK: %[[SUM:.*]] = "ttir.add"(%[[SCALED]], %[[SHIFT]], {{.*}} -> tensor<1x8x8x16xbf16>
// CHECK-NEXT: return %[[SUM]]
func.func @norm(%x: tensor<1x8x8x16xbf16>, %mean: tensor<1x1x1x16xf32> {tt.argument_type = #tt.argument_type<parameter>}, %factor: tensor<1x1x1x16xf32> {tt.argument_type = #tt.argument_type<parameter>}, %offset: tensor<1x1x1x16xf32> {tt.argument_type = #tt.argument_type<parameter>}) -> tensor<1x8x8x16xbf16> {
  %e0 = tensor.empty() : tensor<1x8x8x16xf32>
  %0 = "ttir.subtract"(%x, %mean, %e0) <{operand_constraints = [#any, #any, #any], operandSegmentSizes = array<i32: 2, 1>}> : (tensor<1x8x8x16xbf16>, tensor<1x1x1x16xf32>, tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  %e1 = tensor.empty() : tensor<1x8x8x16xf32>
  %1 = "ttir.multiply"(%0, %factor, %e1) <{operand_constraints = [#any, #any, #any], operandSegmentSizes = array<i32: 2, 1>}> : (tensor<1x8x8x16xf32>, tensor<1x1x1x16xf32>, tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  %e2 = tensor.empty() : tensor<1x8x8x16xbf16>
  %2 = "ttir.add"(%1, %offset, %e2) <{operand_constraints = [#any, #any, #any], operandSegmentSizes = array<i32: 2, 1>}> : (tensor<1x8x8x16xf32>, tensor<1x1x1x16xf32>, tensor<1x8x8x16xbf16>) -> tensor<1x8x8x16xbf16>
  return %2 : tensor<1x8x8x16xbf16>
}

// Each call has another mean.
// CHECK-LABEL: func.func @inputs
// CHECK: ttir.subtract
// CHECK-NEXT: tensor.empty
// CHECK-NEXT: ttir.multiply
// CHECK-NEXT: tensor.empty
// CHECK-NEXT: ttir.add
func.func @inputs(%x: tensor<1x8x8x16xf32>, %mean: tensor<1x1x1x16xf32>, %factor: tensor<1x1x1x16xf32> {tt.argument_type = #tt.argument_type<parameter>}, %offset: tensor<1x1x1x16xf32> {tt.argument_type = #tt.argument_type<parameter>}) -> tensor<1x8x8x16xf32> {
  %e0 = tensor.empty() : tensor<1x8x8x16xf32>
  %0 = "ttir.subtract"(%x, %mean, %e0) <{operand_constraints = [#any, #any, #any], operandSegmentSizes = array<i32: 2, 1>}> : (tensor<1x8x8x16xf32>, tensor<1x1x1x16xf32>, tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  %e1 = tensor.empty() : tensor<1x8x8x16xf32>
  %1 = "ttir.multiply"(%0, %factor, %e1) <{operand_constraints = [#any, #any, #any], operandSegmentSizes = array<i32: 2, 1>}> : (tensor<1x8x8x16xf32>, tensor<1x1x1x16xf32>, tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  %e2 = tensor.empty() : tensor<1x8x8x16xf32>
  %2 = "ttir.add"(%1, %offset, %e2) <{operand_constraints = [#any, #any, #any], operandSegmentSizes = array<i32: 2, 1>}> : (tensor<1x8x8x16xf32>, tensor<1x1x1x16xf32>, tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  return %2 : tensor<1x8x8x16xf32>
}
