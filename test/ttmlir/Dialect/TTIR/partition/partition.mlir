// RUN: ttmlir-opt --ttir-partition="mesh-shape=2,4" %s | FileCheck %s
// RUN: ttmlir-opt --ttir-partition="mesh-shape=2,4" --remarks %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK: [Missed] Whole | Category:ttir-partition | Function=rows | Op=ttir.softmax, Reason="each chip computes the whole result: no sharded dimension of its inputs can stay sharded"
#any_device = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>

// Nothing is divided without shardings.
// CHECK-LABEL: func.func @whole
// CHECK-NEXT: tensor.empty
// CHECK-NEXT: "ttir.relu"
// CHECK-NEXT: return
func.func @whole(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %0 = tensor.empty() : tensor<8x64xf32>
  %1 = "ttir.relu"(%x, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any_device, #any_device]}> : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
  return %1 : tensor<8x64xf32>
}

// Chips that shard the sum have partial results, which are reduced if they are
// smaller than the operand.
// CHECK-LABEL: func.func @product(
// CHECK-SAME: %[[X:.*]]: tensor<8x8192xf32>, %[[W:.*]]: tensor<8192x96xf32>) -> tensor<8x96xf32>
// CHECK-DAG: %[[XS:.*]] = "ttir.mesh_shard"(%[[X]], %{{.*}}) <{{.*}}shard_dims = array<i64: 0, 1>, shard_direction = #tt.shard_direction<full_to_shard>, shard_shape = array<i64: 2, 4>{{.*}} -> tensor<4x2048xf32>
// CHECK-DAG: %[[WS:.*]] = "ttir.mesh_shard"(%[[W]], %{{.*}}) <{{.*}}shard_dims = array<i64: -1, 0>{{.*}} -> tensor<2048x96xf32>
// CHECK: %[[Y:.*]] = "ttir.matmul"(%[[XS]], %[[WS]], %{{.*}}) {{.*}} -> tensor<4x96xf32>
// CHECK: %[[SUM:.*]] = "ttir.all_reduce"(%[[Y]], %{{.*}}) <{cluster_axis = 1 : ui32, {{.*}}reduce_type = #tt.reduce_type<sum>
// CHECK: %[[FULL:.*]] = "ttir.mesh_shard"(%[[SUM]], %{{.*}}) <{{.*}}shard_dims = array<i64: 0, -1>, shard_direction = #tt.shard_direction<shard_to_full>
// CHECK: return %[[FULL]]
func.func @product(%x: tensor<8x8192xf32> {tt.shard_dims = array<i64: 0, 1>}, %w: tensor<8192x96xf32>) -> tensor<8x96xf32> {
  %0 = tensor.empty() : tensor<8x96xf32>
  %1 = "ttir.matmul"(%x, %w, %0) <{operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<8x8192xf32>, tensor<8192x96xf32>, tensor<8x96xf32>) -> tensor<8x96xf32>
  return %1 : tensor<8x96xf32>
}

// The bias is added once.
// CHECK-LABEL: func.func @bias
// CHECK: %[[Y:.*]] = "ttir.matmul"
// CHECK: %[[SUM:.*]] = "ttir.all_reduce"(%[[Y]]
// CHECK: "ttir.add"(%[[SUM]], %arg2, %{{.*}})
func.func @bias(%x: tensor<8x8192xf32> {tt.shard_dims = array<i64: -1, 1>}, %w: tensor<8192x96xf32>, %b: tensor<96xf32>) -> tensor<8x96xf32> {
  %0 = tensor.empty() : tensor<8x96xf32>
  %1 = "ttir.linear"(%x, %w, %b, %0) <{operand_constraints = [#any_device, #any_device, #any_device, #any_device]}> : (tensor<8x8192xf32>, tensor<8192x96xf32>, tensor<96xf32>, tensor<8x96xf32>) -> tensor<8x96xf32>
  return %1 : tensor<8x96xf32>
}

// Columns are split into heads where chips have whole ones.
// CHECK-LABEL: func.func @heads
// CHECK: "ttir.reshape"(%{{.*}}) <{{.*}}shape = [2 : i32, 16 : i32, 1 : i32, 32 : i32]}> {{.*}} -> tensor<2x16x1x32xf32>
// CHECK: "ttir.permute"(%{{.*}} -> tensor<2x1x16x32xf32>
func.func @heads(%x: tensor<2x16x128xf32> {tt.shard_dims = array<i64: -1, 2>}) -> tensor<2x4x16x32xf32> {
  %0 = tensor.empty() : tensor<2x16x4x32xf32>
  %1 = "ttir.reshape"(%x, %0) <{operand_constraints = [#any_device, #any_device], shape = [2 : i32, 16 : i32, 4 : i32, 32 : i32]}> : (tensor<2x16x128xf32>, tensor<2x16x4x32xf32>) -> tensor<2x16x4x32xf32>
  %2 = tensor.empty() : tensor<2x4x16x32xf32>
  %3 = "ttir.permute"(%1, %2) <{operand_constraints = [#any_device, #any_device], permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x16x4x32xf32>, tensor<2x4x16x32xf32>) -> tensor<2x4x16x32xf32>
  return %3 : tensor<2x4x16x32xf32>
}

// A softmax needs the whole row: its chips get other rows instead.
// CHECK-LABEL: func.func @rows
// CHECK: %[[E:.*]] = "ttir.exp"({{.*}} -> tensor<8x16xf32>
// CHECK: %[[ALL:.*]] = "ttir.all_gather"(%[[E]], %{{.*}}) <{all_gather_dim = 1 : si32, cluster_axis = 1 : ui32{{.*}} -> tensor<8x64xf32>
// CHECK: "ttir.softmax"(%[[ALL]]
func.func @rows(%x: tensor<8x64xf32> {tt.shard_dims = array<i64: -1, 1>}) -> tensor<8x64xf32> {
  %0 = tensor.empty() : tensor<8x64xf32>
  %1 = "ttir.exp"(%x, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any_device, #any_device]}> : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
  %2 = tensor.empty() : tensor<8x64xf32>
  %3 = "ttir.softmax"(%1, %2) <{dimension = 1 : si32, operand_constraints = [#any_device, #any_device]}> : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
  return %3 : tensor<8x64xf32>
}

// Parts move from one dimension to another.
// CHECK-LABEL: func.func @exchange
// CHECK: %[[E:.*]] = "ttir.exp"({{.*}} -> tensor<4x64xf32>
// CHECK: %[[MOVED:.*]] = "ttir.all_to_all"(%[[E]], %{{.*}}) <{concat_dim = 0 : si32, {{.*}}replica_groups = dense<{{\[\[}}0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, split_count = 4 : si32, split_dim = 1 : si32}> {{.*}} -> tensor<16x16xf32>
// CHECK: "ttir.add"(%[[MOVED]],
func.func @exchange(%x: tensor<16x64xf32> {tt.shard_dims = array<i64: -1, 0>}, %y: tensor<1024x16x64xf32> {tt.shard_dims = array<i64: -1, 2>}) -> tensor<1024x16x64xf32> {
  %0 = tensor.empty() : tensor<16x64xf32>
  %1 = "ttir.exp"(%x, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any_device, #any_device]}> : (tensor<16x64xf32>, tensor<16x64xf32>) -> tensor<16x64xf32>
  %2 = tensor.empty() : tensor<1024x16x64xf32>
  %3 = "ttir.sqrt"(%y, %2) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any_device, #any_device]}> : (tensor<1024x16x64xf32>, tensor<1024x16x64xf32>) -> tensor<1024x16x64xf32>
  %4 = tensor.empty() : tensor<1024x16x64xf32>
  %5 = "ttir.add"(%1, %3, %4) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<16x64xf32>, tensor<1024x16x64xf32>, tensor<1024x16x64xf32>) -> tensor<1024x16x64xf32>
  return %5 : tensor<1024x16x64xf32>
}

// What two axes shard is gathered from the last one on.
// CHECK-LABEL: func.func @both
// CHECK: %[[E:.*]] = "ttir.exp"({{.*}} -> tensor<8x8xf32>
// CHECK: %[[ONE:.*]] = "ttir.all_gather"(%[[E]], %{{.*}}) <{all_gather_dim = 1 : si32, cluster_axis = 1 : ui32{{.*}} -> tensor<8x32xf32>
// CHECK: %[[TWO:.*]] = "ttir.all_gather"(%[[ONE]], %{{.*}}) <{all_gather_dim = 1 : si32, cluster_axis = 0 : ui32{{.*}} -> tensor<8x64xf32>
// CHECK: "ttir.cumsum"(%[[TWO]]
func.func @both(%x: tensor<8x64xf32> {tt.shard_dims = array<i64: 1, 1>}) -> tensor<8x64xf32> {
  %0 = tensor.empty() : tensor<8x64xf32>
  %1 = "ttir.exp"(%x, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any_device, #any_device]}> : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
  %2 = tensor.empty() : tensor<8x64xf32>
  %3 = "ttir.cumsum"(%1, %2) <{dim = 1 : i64, operand_constraints = [#any_device, #any_device]}> : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
  return %3 : tensor<8x64xf32>
}

// Constants and values of parameters are made in parts.
// CHECK-LABEL: func.func @fixed
// CHECK-DAG: %[[W:.*]] = "ttir.mesh_shard"(%arg1, {{.*}} -> tensor<8x16xf32>
// CHECK-DAG: %[[C:.*]] = "ttir.constant"() <{value = dense<2.000000e+00> : tensor<8x16xf32>}>
// CHECK: %[[P:.*]] = "ttir.multiply"(%[[W]], %[[C]], {{.*}} -> tensor<8x16xf32>
// CHECK: "ttir.add"(%{{.*}}, %[[P]], {{.*}} -> tensor<8x16xf32>
func.func @fixed(%x: tensor<8x64xf32> {tt.shard_dims = array<i64: -1, 1>}, %w: tensor<8x64xf32> {tt.argument_type = #tt.argument_type<parameter>}) -> tensor<8x64xf32> {
  %c = "ttir.constant"() <{value = dense<2.0> : tensor<8x64xf32>}> : () -> tensor<8x64xf32>
  %0 = tensor.empty() : tensor<8x64xf32>
  %1 = "ttir.multiply"(%w, %c, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
  %2 = tensor.empty() : tensor<8x64xf32>
  %3 = "ttir.add"(%x, %1, %2) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
  return %3 : tensor<8x64xf32>
}
