// RUN: ttmlir-opt --ttir-partition="mesh-shape=1,4" %s | FileCheck %s
// RUN: ttmlir-opt --ttir-partition="mesh-shape=1,4 inputs-on-device results-on-device" %s | FileCheck %s --check-prefix=DEVICE
#any_device = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>

// A donated input and the result that has its memory are shards on the chips.
// CHECK-LABEL: func.func @donated(
// CHECK-SAME: %[[CACHE:.*]]: tensor<2x2x16x32xf32> {tt.aliased_output = 0 : i64, tt.host_type = tensor<2x8x16x32xf32>, tt.presharded = array<i64: -1, 1>}, %[[X:.*]]: tensor<2x8x16x32xf32>)
// CHECK-SAME: -> (tensor<2x2x16x32xf32> {tt.host_type = tensor<2x8x16x32xf32>, tt.presharded = array<i64: -1, 1>}, tensor<2x8x16x32xf32>)
// CHECK: %[[PART:.*]] = "ttir.mesh_shard"(%[[X]]
// CHECK: %[[SUM:.*]] = "ttir.add"(%[[CACHE]], %[[PART]]
// CHECK: %[[EXP:.*]] = "ttir.exp"(%[[SUM]]
// CHECK: %[[FULL:.*]] = "ttir.mesh_shard"(%[[EXP]]
// CHECK: return %[[SUM]], %[[FULL]]

// With the options other inputs and results are, too.
// DEVICE-LABEL: func.func @donated(
// DEVICE-SAME: %{{.*}}: tensor<2x2x16x32xf32> {{{.*}}tt.presharded = array<i64: -1, 1>}, %{{.*}}: tensor<2x2x16x32xf32> {tt.host_type = tensor<2x8x16x32xf32>, tt.presharded = array<i64: -1, 1>})
// DEVICE-SAME: -> (tensor<2x2x16x32xf32> {{{.*}}}, tensor<2x2x16x32xf32> {{{.*}}tt.presharded = array<i64: -1, 1>})
// DEVICE-NOT: mesh_shard
// DEVICE: return
func.func @donated(%cache: tensor<2x8x16x32xf32> {tt.aliased_output = 0 : i64, tt.shard_dims = array<i64: -1, 1>}, %x: tensor<2x8x16x32xf32>) -> (tensor<2x8x16x32xf32>, tensor<2x8x16x32xf32>) {
  %0 = tensor.empty() : tensor<2x8x16x32xf32>
  %1 = "ttir.add"(%cache, %x, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<2x8x16x32xf32>, tensor<2x8x16x32xf32>, tensor<2x8x16x32xf32>) -> tensor<2x8x16x32xf32>
  %2 = tensor.empty() : tensor<2x8x16x32xf32>
  %3 = "ttir.exp"(%1, %2) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any_device, #any_device]}> : (tensor<2x8x16x32xf32>, tensor<2x8x16x32xf32>) -> tensor<2x8x16x32xf32>
  return %1, %3 : tensor<2x8x16x32xf32>, tensor<2x8x16x32xf32>
}

// What is computed in another sharding goes back to that of the donated input.
// CHECK-LABEL: func.func @back(
// CHECK-SAME: %[[CACHE:.*]]: tensor<2x16xf32> {{{.*}}tt.presharded = array<i64: -1, 0>}
// CHECK: %[[ALL:.*]] = "ttir.all_{{.*}}"(%[[CACHE]]
// CHECK: "ttir.cumsum"
// CHECK: return %{{.*}} : tensor<2x16xf32>
// DEVICE-LABEL: func.func @back(
func.func @back(%cache: tensor<8x16xf32> {tt.aliased_output = 0 : i64, tt.shard_dims = array<i64: -1, 0>}) -> tensor<8x16xf32> {
  %0 = tensor.empty() : tensor<8x16xf32>
  %1 = "ttir.cumsum"(%cache, %0) <{dim = 0 : i64, operand_constraints = [#any_device, #any_device]}> : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  return %1 : tensor<8x16xf32>
}
