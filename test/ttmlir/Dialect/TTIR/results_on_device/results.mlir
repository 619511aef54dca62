// RUN: ttmlir-opt --ttir-results-on-device %s | FileCheck %s
// RUN: ttmlir-opt --ttir-results-on-device --remarks %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// Results that an op computes get tiles in DRAM; arguments, constants, elements without a format and
// tensors with a layout stay as they are.
// REMARK-DAG: remark: [Passed] OnDevice | Category:ttir-results-on-device | Function=computed | Op=ttir.relu, Reason="the result stays on the device, in 1x1:dram:interleaved:tile", Rejected="on the host: results-on-device
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
#l1 = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<2x4x!tt.tile<32x32, f32>, #tt.memory_space<l1>>, block_sharded>
// CHECK-DAG: #[[DRAM:.*]] = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<2x4x!tt.tile<32x32, f32>, #dram>, interleaved>
// CHECK-DAG: #[[L1:.*]] = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<2x4x!tt.tile<32x32, f32>, #l1_>, block_sharded>

// CHECK-LABEL: func.func @computed(
// CHECK-SAME: -> (tensor<64x128xf32, #[[DRAM]]>, tensor<64x128xf32, #[[DRAM]]>)
func.func @computed(%a: tensor<64x128xf32>) -> (tensor<64x128xf32>, tensor<64x128xf32>) {
  // CHECK: %[[TO:.*]] = tensor.empty() : tensor<64x128xf32, #[[DRAM]]>
  // CHECK: %[[R:.*]] = "ttir.relu"(%{{.*}}, %[[TO]]) {{.*}} -> tensor<64x128xf32, #[[DRAM]]>
  // CHECK: return %[[R]], %[[R]]
  %0 = tensor.empty() : tensor<64x128xf32>
  %1 = "ttir.relu"(%a, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %1, %1 : tensor<64x128xf32>, tensor<64x128xf32>
}

// Each result of an op has a destination of its own.
// CHECK-LABEL: func.func @second(
// CHECK-SAME: -> tensor<64x128xf32, #[[DRAM]]>
func.func @second(%a: tensor<64x64xf32>, %b: tensor<64x128xf32>) -> tensor<64x128xf32> {
  // CHECK: %[[FIRST:.*]] = tensor.empty() : tensor<64x64xf32>
  // CHECK: %[[SECOND:.*]] = tensor.empty() : tensor<64x128xf32, #[[DRAM]]>
  // CHECK: "ttir.all_reduce"(%{{.*}}, %{{.*}}, %[[FIRST]], %[[SECOND]])
  // CHECK-SAME: -> (tensor<64x64xf32>, tensor<64x128xf32, #[[DRAM]]>)
  %0 = tensor.empty() : tensor<64x64xf32>
  %1 = tensor.empty() : tensor<64x128xf32>
  %2:2 = "ttir.all_reduce"(%a, %b, %0, %1) <{cluster_axis = 1 : ui32, operandSegmentSizes = array<i32: 2, 2>, operand_constraints = [#any, #any, #any, #any], reduce_type = #tt.reduce_type<sum>}> : (tensor<64x64xf32>, tensor<64x128xf32>, tensor<64x64xf32>, tensor<64x128xf32>) -> (tensor<64x64xf32>, tensor<64x128xf32>)
  return %2#1 : tensor<64x128xf32>
}

// CHECK-LABEL: func.func @stays(
// CHECK-SAME: -> (tensor<64x128xf32>, tensor<8xf32>, tensor<64x128xf64>, tensor<64x128xf32, #[[L1]]>)
func.func @stays(%a: tensor<64x128xf32>, %b: tensor<64x128xf64>) -> (tensor<64x128xf32>, tensor<8xf32>, tensor<64x128xf64>, tensor<64x128xf32, #l1>) {
  %0 = "ttir.constant"() <{value = dense<1.0> : tensor<8xf32>}> : () -> tensor<8xf32>
  %1 = tensor.empty() : tensor<64x128xf64>
  %2 = "ttir.relu"(%b, %1) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x128xf64>, tensor<64x128xf64>) -> tensor<64x128xf64>
  %3 = tensor.empty() : tensor<64x128xf32, #l1>
  %4 = "ttir.relu"(%a, %3) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32, #l1>) -> tensor<64x128xf32, #l1>
  return %a, %0, %2, %4 : tensor<64x128xf32>, tensor<8xf32>, tensor<64x128xf64>, tensor<64x128xf32, #l1>
}

// CHECK-LABEL: func.func private @declared() -> tensor<64x128xf32>
func.func private @declared() -> tensor<64x128xf32>
