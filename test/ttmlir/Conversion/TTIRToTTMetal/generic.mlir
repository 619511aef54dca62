// RUN: ttmlir-opt --ttir-load-system-desc --ttir-implicit-device --ttir-allocate --convert-ttir-to-ttmetal --split-input-file %s | FileCheck %s

// A region on shards: the first product comes from the matrix engine, what is read twice is copied
// before an op on it in place.
#tile = #tt.operand_constraint<dram|l1|tile|any_layout|any_device_tile>
#parallel = #tt.iterator_type<parallel>
#map = affine_map<(d0, d1) -> (d0, d1)>
#shards = #tt.layout<(d0, d1) -> (d0, d1), undef, <2x2>, memref<1x2x!tt.tile<32x32, f32>, #tt.memory_space<l1>>>
!shard = tensor<32x64xf32, #tt.buffer<memref<1x2x!tt.tile<32x32, f32>, #tt.memory_space<l1>>, alias>>
// CHECK-LABEL: func.func @shards
func.func @shards(%arg0: tensor<64x128xf32, #shards>, %arg1: tensor<64x128xf32, #shards>) -> tensor<64x128xf32, #shards> {
  %0 = tensor.empty() : tensor<64x128xf32, #shards>
  // CHECK: core_ranges = [#ttmetal.core_range<0x0, 2x2>], kernelConfigs = [#ttkernel.tensix_config<hifi4, true, false, false>]
  // CHECK: %[[ZERO:.*]] = arith.constant 0 : i32
  // CHECK: %[[ONE:.*]] = arith.constant 1 : i32
  // CHECK: "ttkernel.mul_tiles"(%{{.*}}, %{{.*}}, %[[ZERO]], %[[ZERO]], %[[ZERO]])
  // CHECK: "ttkernel.binary_max_tile"(%[[ZERO]], %[[ZERO]], %[[ONE]])
  // CHECK: "ttkernel.exp_tile"(%[[ONE]])
  // CHECK: "ttkernel.sub_binary_tile"(%[[ZERO]], %[[ONE]], %{{.*}})
  %1 = "ttir.generic"(%arg0, %arg1, %0) <{grid = #tt.grid<2x2>, indexing_maps = [#map, #map, #map], iterator_types = [#parallel, #parallel], operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#tile, #tile, #tile]}> ({
  ^bb0(%a: !shard, %b: !shard, %c: !shard):
    %2 = arith.mulf %a, %b : !shard
    %3 = "ttir.exp"(%2, %c) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#tile, #tile]}> : (!shard, !shard) -> !shard
    %4 = arith.subf %2, %3 : !shard
    "ttir.yield"(%4) : (!shard) -> ()
  }) : (tensor<64x128xf32, #shards>, tensor<64x128xf32, #shards>, tensor<64x128xf32, #shards>) -> tensor<64x128xf32, #shards>
  return %1 : tensor<64x128xf32, #shards>
}

// -----

// Seven results that are all read at the end need more than the four registers: some wait in buffers
// of intermediate results.
#tile = #tt.operand_constraint<dram|l1|tile|any_layout|any_device_tile>
#parallel = #tt.iterator_type<parallel>
#map = affine_map<(d0, d1) -> (d0, d1)>
#pages = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<1x1x!tt.tile<32x32, bf16>, #tt.memory_space<dram>>, interleaved>
!tile = tensor<32x32xbf16, #tt.buffer<memref<1x1x!tt.tile<32x32, bf16>, #tt.memory_space<l1>>, stream>>
// CHECK-LABEL: func.func @intermediates
func.func @intermediates(%arg0: tensor<32x32xbf16, #pages>) -> tensor<32x32xbf16, #pages> {
  %0 = tensor.empty() : tensor<32x32xbf16, #pages>
  // CHECK: !ttkernel.cb<cb_int0, {{.*}}, memref<1x1x!tt.tile<32x32, f32>, #l1_>, 4096, 1>
  // CHECK: "ttkernel.pack_tile"
  // CHECK: "ttkernel.tile_regs_release"
  // CHECK: "ttkernel.tile_regs_acquire"
  %1 = "ttir.generic"(%arg0, %0) <{grid = #tt.grid<1x1>, indexing_maps = [#map, #map], iterator_types = [#parallel, #parallel], operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#tile, #tile]}> ({
  ^bb0(%a: !tile, %b: !tile):
    %2 = math.exp %a : !tile
    %3 = math.tanh %2 : !tile
    %4 = math.sqrt %3 : !tile
    %5 = math.erf %4 : !tile
    %6 = math.log %5 : !tile
    %7 = arith.addf %6, %5 : !tile
    %8 = arith.mulf %7, %4 : !tile
    %9 = arith.subf %8, %3 : !tile
    %10 = arith.divf %9, %2 : !tile
    "ttir.yield"(%10) : (!tile) -> ()
  }) : (tensor<32x32xbf16, #pages>, tensor<32x32xbf16, #pages>) -> tensor<32x32xbf16, #pages>
  return %1 : tensor<32x32xbf16, #pages>
}

// -----

// A kernel by the name of an elementwise op is that op; one by another name is called on the shards.
#tile = #tt.operand_constraint<dram|l1|tile|any_layout|any_device_tile>
#parallel = #tt.iterator_type<parallel>
#map = affine_map<(d0, d1) -> (d0, d1)>
#shards = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<1x2x!tt.tile<32x32, f32>, #tt.memory_space<l1>>>
!shard = tensor<32x64xf32, #tt.buffer<memref<1x2x!tt.tile<32x32, f32>, #tt.memory_space<l1>>, alias>>
// CHECK-LABEL: func.func @kernels
func.func @kernels(%arg0: tensor<32x64xf32, #shards>) -> tensor<32x64xf32, #shards> {
  %0 = tensor.empty() : tensor<32x64xf32, #shards>
  // CHECK: "ttkernel.relu_tile"
  %1 = "ttir.generic"(%arg0, %0) <{grid = #tt.grid<1x1>, indexing_maps = [#map, #map], iterator_types = [#parallel, #parallel], operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#tile, #tile]}> ({
  ^bb0(%a: !shard, %b: !shard):
    %4 = "ttir.kernel"(%a, %b) <{kind = @eltwise, op = @relu, operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#tile, #tile]}> : (!shard, !shard) -> !shard
    "ttir.yield"(%4) : (!shard) -> ()
  }) : (tensor<32x64xf32, #shards>, tensor<32x64xf32, #shards>) -> tensor<32x64xf32, #shards>
  %2 = tensor.empty() : tensor<32x64xf32, #shards>
  // CHECK: ^bb0(%[[IN:.*]]: !ttkernel.cb<cb_in0, {{.*}}, %[[OUT:.*]]: !ttkernel.cb<cb_out0
  // CHECK-NEXT: "ttkernel.builtin"(%[[IN]], %[[OUT]]) <{kind = @eltwise, op = @mine}>
  // CHECK-NEXT: "ttkernel.return"()
  %3 = "ttir.generic"(%1, %2) <{grid = #tt.grid<1x1>, indexing_maps = [#map, #map], iterator_types = [#parallel, #parallel], operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#tile, #tile]}> ({
  ^bb0(%a: !shard, %b: !shard):
    %4 = "ttir.kernel"(%a, %b) <{kind = @eltwise, op = @mine, operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#tile, #tile]}> : (!shard, !shard) -> !shard
    "ttir.yield"(%4) : (!shard) -> ()
  }) : (tensor<32x64xf32, #shards>, tensor<32x64xf32, #shards>) -> tensor<32x64xf32, #shards>
  return %3 : tensor<32x64xf32, #shards>
}
