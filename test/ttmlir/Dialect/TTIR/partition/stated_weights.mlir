// RUN: ttmlir-opt --ttir-partition="mesh-shape=1,4" %s | FileCheck %s
// RUN: ttmlir-opt --ttir-partition="mesh-shape=1,4 parallelism=none,tensor" %s | FileCheck %s
// Products are divided as tt.shard_dims divides their weights, also behind ops that move these, and
// whatever the kind of parallelism.
#any_device = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>

// Rows: each chip takes a part of the whole input, and the chips add their results.
// CHECK-LABEL: func.func @rows
// CHECK-DAG: "ttir.mesh_shard"(%arg0, {{.*}}shard_dims = array<i64: -1, 1>{{.*}} -> tensor<8x16xf32>
// CHECK-DAG: "ttir.mesh_shard"(%arg1, {{.*}}shard_dims = array<i64: -1, 1>{{.*}} -> tensor<128x16xf32>
// CHECK: "ttir.matmul"({{.*}}transpose_b = true{{.*}} -> tensor<8x128xf32>
// CHECK: "ttir.all_reduce"({{.*}}cluster_axis = 1 : ui32
func.func @rows(%x: tensor<8x64xf32>, %w: tensor<128x64xf32> {tt.argument_type = #tt.argument_type<parameter>, tt.shard_dims = array<i64: -1, 1>}) -> tensor<8x128xf32> {
  %0 = tensor.empty() : tensor<8x128xf32>
  %1 = "ttir.matmul"(%x, %w, %0) <{transpose_b = true, operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<8x64xf32>, tensor<128x64xf32>, tensor<8x128xf32>) -> tensor<8x128xf32>
  return %1 : tensor<8x128xf32>
}

// Columns of a weight that is reshaped first.
// CHECK-LABEL: func.func @reshaped
// CHECK-DAG: "ttir.mesh_shard"(%arg1, {{.*}}shard_dims = array<i64: -1, 0>{{.*}} -> tensor<32x64xf32>
// CHECK-DAG: "ttir.reshape"({{.*}} -> tensor<1x32x64xf32>
// CHECK: "ttir.matmul"({{.*}} -> tensor<1x8x32xf32>
// CHECK-NOT: "ttir.all_reduce"
func.func @reshaped(%x: tensor<1x8x64xf32>, %w: tensor<128x64xf32> {tt.argument_type = #tt.argument_type<parameter>, tt.shard_dims = array<i64: -1, 0>}) -> tensor<1x8x128xf32> {
  %0 = tensor.empty() : tensor<1x128x64xf32>
  %1 = "ttir.reshape"(%w, %0) <{shape = [1 : i32, 128 : i32, 64 : i32], operand_constraints = [#any_device, #any_device]}> : (tensor<128x64xf32>, tensor<1x128x64xf32>) -> tensor<1x128x64xf32>
  %2 = tensor.empty() : tensor<1x8x128xf32>
  %3 = "ttir.matmul"(%x, %1, %2) <{transpose_b = true, operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<1x8x64xf32>, tensor<1x128x64xf32>, tensor<1x8x128xf32>) -> tensor<1x8x128xf32>
  return %3 : tensor<1x8x128xf32>
}

// Whole.
// CHECK-LABEL: func.func @whole
// CHECK-NOT: "ttir.mesh_shard"
// CHECK: "ttir.matmul"({{.*}} -> tensor<8x128xf32>
func.func @whole(%x: tensor<8x64xf32>, %w: tensor<128x64xf32> {tt.argument_type = #tt.argument_type<parameter>, tt.shard_dims = array<i64: -1, -1>}) -> tensor<8x128xf32> {
  %0 = tensor.empty() : tensor<8x128xf32>
  %1 = "ttir.matmul"(%x, %w, %0) <{transpose_b = true, operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<8x64xf32>, tensor<128x64xf32>, tensor<8x128xf32>) -> tensor<8x128xf32>
  return %1 : tensor<8x128xf32>
}
