// RUN: ttmlir-opt --ttir-partition="mesh-shape=2,4 parallelism=data,tensor" --remarks %s 2>&1 | FileCheck %s
#any_device = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>

// CHECK: remark: [Passed] Sends | Category:ttir-partition | Function=mlp | Op=ttir.all_reduce, Reason="all_reduce makes tensor<4x64xf32> on each chip: the chips have partial results"
// CHECK-LABEL: func.func @mlp
// The batch, the columns of one weight, the rows of the next.
// CHECK-DAG: "ttir.mesh_shard"(%arg0, {{.*}}shard_dims = array<i64: 0, -1>{{.*}} -> tensor<4x64xf32>
// CHECK-DAG: "ttir.mesh_shard"(%arg1, {{.*}}shard_dims = array<i64: -1, 1>{{.*}} -> tensor<64x32xf32>
// CHECK: "ttir.gelu"({{.*}} -> tensor<4x32xf32>
// CHECK: "ttir.mesh_shard"(%arg2, {{.*}}shard_dims = array<i64: -1, 0>{{.*}} -> tensor<32x64xf32>
// CHECK: "ttir.all_reduce"({{.*}}cluster_axis = 1 : ui32
// CHECK-NOT: "ttir.all_gather"
func.func @mlp(%x: tensor<8x64xf32>, %w1: tensor<64x128xf32> {tt.argument_type = #tt.argument_type<parameter>}, %w2: tensor<128x64xf32> {tt.argument_type = #tt.argument_type<parameter>}) -> tensor<8x64xf32> {
  %0 = tensor.empty() : tensor<8x128xf32>
  %1 = "ttir.matmul"(%x, %w1, %0) <{operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<8x64xf32>, tensor<64x128xf32>, tensor<8x128xf32>) -> tensor<8x128xf32>
  %2 = tensor.empty() : tensor<8x128xf32>
  %3 = "ttir.gelu"(%1, %2) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any_device, #any_device]}> : (tensor<8x128xf32>, tensor<8x128xf32>) -> tensor<8x128xf32>
  %4 = tensor.empty() : tensor<8x64xf32>
  %5 = "ttir.matmul"(%3, %w2, %4) <{operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<8x128xf32>, tensor<128x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
  return %5 : tensor<8x64xf32>
}
