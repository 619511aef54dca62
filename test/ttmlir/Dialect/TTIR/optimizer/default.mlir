// RUN: ttmlir-opt --ttir-layout --ttir-optimizer %s | FileCheck %s
// RUN: ttmlir-opt --ttir-load-system-desc --ttir-layout --ttir-optimizer --remarks=ttir-optimizer %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// Without sharding every op's result lies interleaved in DRAM on the whole worker grid, shards
// rounded up; inputs stay on one core.
// REMARK-DAG: remark: [Passed] Chosen | Category:ttir-optimizer{{.*}} | Op={{.*}}, Reason="the result goes to 8x8:dram:interleaved:
#any_device = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
// CHECK-DAG: #[[ONE:.*]] = #tt.layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), undef, <1x1>, memref<32x32xf32, #dram>, interleaved>
// CHECK-DAG: #[[ALL:.*]] = #tt.layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), undef, <8x8>, memref<4x4xf32, #dram>, interleaved>
// CHECK-DAG: #[[VALUES:.*]] = #tt.layout<(d0, d1) -> (d0, d1), undef, <8x8>, memref<8x8xf32, #dram>, interleaved>
// CHECK-DAG: #[[INDICES:.*]] = #tt.layout<(d0, d1) -> (d0, d1), undef, <8x8>, memref<8x8xi32, #dram>, interleaved>
// CHECK-LABEL: func.func @forward
func.func @forward(%arg0: tensor<1x32x32xf32>) -> tensor<1x32x32xf32> {
  // CHECK: "ttir.to_layout"{{.*}} -> tensor<1x32x32xf32, #[[ONE]]>
  // CHECK: %[[E:.*]] = tensor.empty() : tensor<1x32x32xf32, #[[ALL]]>
  // CHECK: "ttir.relu"{{.*}}%[[E]]){{.*}} -> tensor<1x32x32xf32, #[[ALL]]>
  %0 = tensor.empty() : tensor<1x32x32xf32>
  %1 = "ttir.relu"(%arg0, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any_device, #any_device]}> : (tensor<1x32x32xf32>, tensor<1x32x32xf32>) -> tensor<1x32x32xf32>
  return %1 : tensor<1x32x32xf32>
}

// All results of an op.
// CHECK-LABEL: func.func @sort
func.func @sort(%arg0: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xi32>) {
  // CHECK: "ttir.sort"{{.*}} -> (tensor<64x64xf32, #[[VALUES]]>, tensor<64x64xi32, #[[INDICES]]>)
  %0 = tensor.empty() : tensor<64x64xf32>
  %1 = tensor.empty() : tensor<64x64xi32>
  %2:2 = "ttir.sort"(%arg0, %0, %1) <{descending = false, dim = 1 : si32, num_keys = 1 : i32, operandSegmentSizes = array<i32: 1, 2>, operand_constraints = [#any_device, #any_device, #any_device], stable = true}> : (tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xi32>) -> (tensor<64x64xf32>, tensor<64x64xi32>)
  return %2#0, %2#1 : tensor<64x64xf32>, tensor<64x64xi32>
}
