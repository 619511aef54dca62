// Chips divide stacked weights: each computes its experts, and the sum over all
// is one over the chips. Other weights are whole.
// RUN: ttmlir-opt --ttir-partition="mesh-shape=1,4 parallelism=none,expert" %s | FileCheck %s
#any_device = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>

// CHECK-LABEL: func.func @mixture
// CHECK: %[[W:.*]] = "ttir.mesh_shard"(%arg1, {{.*}}shard_dims = array<i64: -1, 0>{{.*}} -> tensor<2x64x96xf32>
// CHECK: %[[Y:.*]] = "ttir.matmul"(%arg0, %[[W]], {{.*}} -> tensor<2x16x96xf32>
// CHECK: %[[GATES:.*]] = "ttir.mesh_shard"(%arg2, {{.*}}shard_dims = array<i64: -1, 0>{{.*}} -> tensor<2x16x1xf32>
// CHECK: "ttir.multiply"(%[[Y]], %[[GATES]], {{.*}} -> tensor<2x16x96xf32>
// CHECK: %[[PART:.*]] = "ttir.sum"({{.*}} -> tensor<16x96xf32>
// CHECK: %[[ALL:.*]] = "ttir.all_reduce"(%[[PART]], {{.*}}cluster_axis = 1 : ui32
// CHECK: "ttir.matmul"(%[[ALL]], %arg3, {{.*}} -> tensor<16x32xf32>
func.func @mixture(%x: tensor<1x16x64xf32>, %experts: tensor<8x64x96xf32> {tt.argument_type = #tt.argument_type<parameter>}, %gates: tensor<8x16x1xf32>, %head: tensor<96x32xf32> {tt.argument_type = #tt.argument_type<parameter>}) -> tensor<16x32xf32> {
  %0 = tensor.empty() : tensor<8x16x96xf32>
  %1 = "ttir.matmul"(%x, %experts, %0) <{operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<1x16x64xf32>, tensor<8x64x96xf32>, tensor<8x16x96xf32>) -> tensor<8x16x96xf32>
  %2 = tensor.empty() : tensor<8x16x96xf32>
  %3 = "ttir.multiply"(%1, %gates, %2) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<8x16x96xf32>, tensor<8x16x1xf32>, tensor<8x16x96xf32>) -> tensor<8x16x96xf32>
  %4 = tensor.empty() : tensor<16x96xf32>
  %5 = "ttir.sum"(%3, %4) <{dim_arg = [0 : i32], keep_dim = false, operand_constraints = [#any_device, #any_device]}> : (tensor<8x16x96xf32>, tensor<16x96xf32>) -> tensor<16x96xf32>
  %6 = tensor.empty() : tensor<16x32xf32>
  %7 = "ttir.matmul"(%5, %head, %6) <{operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<16x96xf32>, tensor<96x32xf32>, tensor<16x32xf32>) -> tensor<16x32xf32>
  return %7 : tensor<16x32xf32>
}
