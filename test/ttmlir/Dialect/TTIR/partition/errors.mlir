// RUN: not ttmlir-opt --split-input-file --ttir-partition="mesh-shape=2,4" %s 2>&1 | FileCheck %s
#any_device = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>

// CHECK: error: 'tt.shard_dims' of argument 0: 4 chips do not divide dimension 1 of 'tensor<8x6xf32>'
func.func @uneven(%x: tensor<8x6xf32> {tt.shard_dims = array<i64: 0, 1>}) -> tensor<8x6xf32> {
  return %x : tensor<8x6xf32>
}

// -----

// CHECK: error: 'tt.shard_dims' of argument 0: expected dimensions below 2, or -1, found 2
func.func @no_dim(%x: tensor<8x64xf32> {tt.shard_dims = array<i64: 0, 2>}) -> tensor<8x64xf32> {
  return %x : tensor<8x64xf32>
}

// -----

// CHECK: error: 'tt.shard_dims' of argument 0: expected a dimension or -1 for each axis of the mesh 2x4, found 3
func.func @axes(%x: tensor<8x64xf32> {tt.shard_dims = array<i64: 0, 1, -1>}) -> tensor<8x64xf32> {
  return %x : tensor<8x64xf32>
}

// -----

// CHECK: error: 'func.func' op attribute 'tt.shard_dims' of argument 0 expects array<i64: ...>, found 1 : i64
func.func @kind(%x: tensor<8x64xf32> {tt.shard_dims = 1 : i64}) -> tensor<8x64xf32> {
  return %x : tensor<8x64xf32>
}

// -----

// CHECK: error: 'func.func' op attribute 'tt.presharded' of argument 0 expects array<i64: ...>, found "x"
func.func @argument(%x: tensor<8x64xf32> {tt.presharded = "x"}) -> tensor<8x64xf32> {
  return %x : tensor<8x64xf32>
}

// -----

// CHECK: error: 'func.func' op attribute 'tt.presharded' of result 0 expects array<i64: ...>, found 1 : i64
func.func @result(%x: tensor<8x64xf32>) -> (tensor<8x64xf32> {tt.presharded = 1 : i64}) {
  return %x : tensor<8x64xf32>
}

// -----

#any_device = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>
// CHECK: error: ttir-partition: expected a program for one chip, found the collective ttir.all_reduce
func.func @divided(%x: tensor<8x64xf32> {tt.shard_dims = array<i64: 0, -1>}) -> tensor<8x64xf32> {
  %0 = tensor.empty() : tensor<8x64xf32>
  %1 = "ttir.all_reduce"(%x, %0) <{cluster_axis = 1 : ui32, operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any_device, #any_device], reduce_type = #tt.reduce_type<sum>}> : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
  return %1 : tensor<8x64xf32>
}
