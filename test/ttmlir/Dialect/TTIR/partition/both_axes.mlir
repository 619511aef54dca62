// Chips along both axes of a mesh divide weights and heads.
// RUN: ttmlir-opt --ttir-partition="mesh-shape=2,4 parallelism=tensor,tensor" %s | FileCheck %s
#any_device = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>

// A sum over both axes: what each chip along the one axis has of it is reduced
// along the other.
// CHECK-LABEL: func.func @mlp
// CHECK: %[[Y:.*]] = "ttir.matmul"({{.*}} -> tensor<8x128xf32>
// CHECK: %[[PART:.*]] = "ttir.reduce_scatter"(%[[Y]], {{.*}}cluster_axis = 0 : ui32{{.*}}scatter_dim = 1 : si32{{.*}} -> tensor<8x64xf32>
// CHECK: %[[SUM:.*]] = "ttir.all_reduce"(%[[PART]], {{.*}}cluster_axis = 1 : ui32{{.*}} -> tensor<8x64xf32>
// CHECK: "ttir.all_gather"(%[[SUM]], {{.*}}all_gather_dim = 1 : si32, cluster_axis = 0 : ui32{{.*}} -> tensor<8x128xf32>
func.func @mlp(%x: tensor<8x128xf32>, %w1: tensor<128x256xf32> {tt.argument_type = #tt.argument_type<parameter>}, %w2: tensor<256x128xf32> {tt.argument_type = #tt.argument_type<parameter>}) -> tensor<8x128xf32> {
  %0 = tensor.empty() : tensor<8x256xf32>
  %1 = "ttir.matmul"(%x, %w1, %0) <{operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<8x128xf32>, tensor<128x256xf32>, tensor<8x256xf32>) -> tensor<8x256xf32>
  %2 = tensor.empty() : tensor<8x128xf32>
  %3 = "ttir.matmul"(%1, %w2, %2) <{operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<8x256xf32>, tensor<256x128xf32>, tensor<8x128xf32>) -> tensor<8x128xf32>
  return %3 : tensor<8x128xf32>
}

// Two heads of keys, each for eight of queries: the chips along the second axis
// have the same one, and two of the queries.
// CHECK-LABEL: func.func @keys
// CHECK: %[[KEYS:.*]] = "ttir.broadcast"({{.*}} -> tensor<1x1x2x32x64xf32>
// CHECK: %[[HEADS:.*]] = "ttir.reshape"(%[[KEYS]], {{.*}} -> tensor<1x2x32x64xf32>
// CHECK-NOT: mesh_partition
// CHECK: "ttir.add"(%{{.*}}, %[[HEADS]], {{.*}} -> tensor<1x2x32x64xf32>
func.func @keys(%q: tensor<1x16x32x64xf32> {tt.shard_dims = array<i64: 1, 1>}, %k: tensor<1x2x32x64xf32> {tt.shard_dims = array<i64: 1, -1>}) -> tensor<1x16x32x64xf32> {
  %0 = tensor.empty() : tensor<1x2x32x64xf32>
  %1 = "ttir.exp"(%k, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any_device, #any_device]}> : (tensor<1x2x32x64xf32>, tensor<1x2x32x64xf32>) -> tensor<1x2x32x64xf32>
  %2 = tensor.empty() : tensor<1x2x1x32x64xf32>
  %3 = "ttir.reshape"(%1, %2) <{operand_constraints = [#any_device, #any_device], shape = [1 : i32, 2 : i32, 1 : i32, 32 : i32, 64 : i32]}> : (tensor<1x2x32x64xf32>, tensor<1x2x1x32x64xf32>) -> tensor<1x2x1x32x64xf32>
  %4 = tensor.empty() : tensor<1x2x8x32x64xf32>
  %5 = "ttir.broadcast"(%3, %4) <{dimension = [0, 1, 2, 3, 4], operand_constraints = [#any_device, #any_device]}> : (tensor<1x2x1x32x64xf32>, tensor<1x2x8x32x64xf32>) -> tensor<1x2x8x32x64xf32>
  %6 = tensor.empty() : tensor<1x16x32x64xf32>
  %7 = "ttir.reshape"(%5, %6) <{operand_constraints = [#any_device, #any_device], shape = [1 : i32, 16 : i32, 32 : i32, 64 : i32]}> : (tensor<1x2x8x32x64xf32>, tensor<1x16x32x64xf32>) -> tensor<1x16x32x64xf32>
  %8 = tensor.empty() : tensor<1x16x32x64xf32>
  %9 = "ttir.add"(%q, %7, %8) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<1x16x32x64xf32>, tensor<1x16x32x64xf32>, tensor<1x16x32x64xf32>) -> tensor<1x16x32x64xf32>
  return %9 : tensor<1x16x32x64xf32>
}

// Two heads on eight chips: each chip along the second axis computes the head
// of its row, since the weights of a head are read in less time than its
// columns are gathered.
// CHECK-LABEL: func.func @heads
// CHECK: "ttir.mesh_shard"(%arg1, {{.*}}shard_dims = array<i64: 1, -1>
// CHECK: "ttir.matmul"({{.*}} -> tensor<32x64xf32>
// CHECK-NOT: all_gather
// CHECK: "ttir.exp"({{.*}} -> tensor<32x1x64xf32>
func.func @heads(%x: tensor<32x128xf32>, %w: tensor<128x128xf32> {tt.argument_type = #tt.argument_type<parameter>}) -> tensor<32x2x64xf32> {
  %0 = tensor.empty() : tensor<32x128xf32>
  %1 = "ttir.matmul"(%x, %w, %0) <{operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<32x128xf32>, tensor<128x128xf32>, tensor<32x128xf32>) -> tensor<32x128xf32>
  %2 = tensor.empty() : tensor<32x2x64xf32>
  %3 = "ttir.reshape"(%1, %2) <{operand_constraints = [#any_device, #any_device], shape = [32 : i32, 2 : i32, 64 : i32]}> : (tensor<32x128xf32>, tensor<32x2x64xf32>) -> tensor<32x2x64xf32>
  %4 = tensor.empty() : tensor<32x2x64xf32>
  %5 = "ttir.exp"(%3, %4) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any_device, #any_device]}> : (tensor<32x2x64xf32>, tensor<32x2x64xf32>) -> tensor<32x2x64xf32>
  return %5 : tensor<32x2x64xf32>
}
