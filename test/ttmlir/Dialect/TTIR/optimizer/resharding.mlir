// RUN: ttmlir-opt --ttir-load-system-desc --ttir-layout --ttir-optimizer="sharding-pass-enabled=true clock-search-limit=0 resharding-enabled=true" %s | FileCheck %s
// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline="sharding-pass-enabled=true clock-search-limit=0 resharding-enabled=true" %s | FileCheck %s --check-prefix=TTNN
// RUN: ttmlir-opt --ttir-load-system-desc --ttir-layout --ttir-optimizer="sharding-pass-enabled=true clock-search-limit=0 resharding-enabled=true" --remarks=ttir-optimizer %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// The first input of a chain is brought into the shards of the chain's first op.
// REMARK-DAG: remark: [Passed] Resharded | Category:ttir-optimizer | Function=inserted | Op=ttir.exp, Reason="operand 0 is brought to 2x4:l1:block_sharded:row_major, the shards of the result", Rejected="read from 8x8:dram:interleaved:row_major
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
// CHECK-DAG: #[[DRAM:.*]] = #tt.layout<(d0, d1) -> (d0, d1), undef, <8x8>, memref<8x16xf32, #dram>, interleaved>
// CHECK-DAG: #[[L1:.*]] = #tt.layout<(d0, d1) -> (d0, d1), undef, <2x4>, memref<32x32xf32, #l1_>, block_sharded>

// The layout change of the argument is adjusted: no second one.
// CHECK-LABEL: func.func @adjusted
// CHECK-NEXT: %[[E0:.*]] = tensor.empty() : tensor<64x128xf32, #[[L1]]>
// CHECK-NEXT: %[[IN:.*]] = "ttir.to_layout"(%arg0, %[[E0]]){{.*}} -> tensor<64x128xf32, #[[L1]]>
// CHECK-NEXT: %[[E1:.*]] = tensor.empty() : tensor<64x128xf32, #[[L1]]>
// CHECK-NEXT: %[[RELU:.*]] = "ttir.relu"(%[[IN]], %[[E1]]){{.*}} -> tensor<64x128xf32, #[[L1]]>
// CHECK-NEXT: %[[E2:.*]] = tensor.empty() : tensor<64x128xf32, #[[DRAM]]>
// CHECK-NEXT: "ttir.exp"(%[[RELU]], %[[E2]])
// TTNN-LABEL: func.func @adjusted
// TTNN: "ttnn.to_layout"(%arg0
// TTNN: "ttnn.to_device"{{.*}} <{memory_config = #ttnn.memory_config<<block_sharded>, <l1>>}>
// TTNN: "ttnn.relu"
func.func @adjusted(%a: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %0 = tensor.empty() : tensor<64x128xf32>
  %1 = "ttir.relu"(%a, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  %2 = tensor.empty() : tensor<64x128xf32>
  %3 = "ttir.exp"(%1, %2) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %3 : tensor<64x128xf32>
}
// The value is read elsewhere as well: a layout change of its own.
// CHECK-LABEL: func.func @inserted
// CHECK: %[[RELU:.*]] = "ttir.relu"{{.*}} -> tensor<64x128xf32, #[[DRAM]]>
// CHECK-NEXT: %[[E0:.*]] = tensor.empty() : tensor<64x128xf32, #[[L1]]>
// CHECK-NEXT: %[[E1:.*]] = tensor.empty() : tensor<64x128xf32, #[[L1]]>
// CHECK-NEXT: %[[IN:.*]] = "ttir.to_layout"(%[[RELU]], %[[E1]]){{.*}} -> tensor<64x128xf32, #[[L1]]>
// CHECK-NEXT: %[[EXP:.*]] = "ttir.exp"(%[[IN]], %[[E0]]){{.*}} -> tensor<64x128xf32, #[[L1]]>
// CHECK: "ttir.add"(%[[EXP]], %[[RELU]]
func.func @inserted(%a: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %0 = tensor.empty() : tensor<64x128xf32>
  %1 = "ttir.relu"(%a, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  %2 = tensor.empty() : tensor<64x128xf32>
  %3 = "ttir.exp"(%1, %2) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  %4 = tensor.empty() : tensor<64x128xf32>
  %5 = "ttir.add"(%3, %1, %4) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %5 : tensor<64x128xf32>
}
