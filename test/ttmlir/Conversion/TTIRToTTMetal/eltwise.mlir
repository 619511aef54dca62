// RUN: ttmlir-opt --ttir-to-ttmetal-backend-pipeline="inputs-on-device=true results-on-device=true" --split-input-file %s | FileCheck %s
// RUN: ttmlir-opt --ttir-to-ttmetal-backend-pipeline=default-memory-space=l1 --split-input-file %s | FileCheck %s --check-prefix=L1
// RUN: ttmlir-opt --ttir-to-ttmetal-backend-pipeline --split-input-file --remarks=ttmetal %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK-DAG: remark: [Passed] Streamed | Category:convert-ttir-to-ttmetal | Function=multiply | Intermediates=0, Op=ttir.generic, Reason="tiles come and go through double buffers, read on noc0 and written on noc1", Rejected="on shards: the output is not in whole shards in l1

// A lone sum or product: in DRAM streamed by blocks, in L1 on the shards themselves.
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
// CHECK-LABEL: func.func @multiply
// L1-LABEL: func.func @multiply
func.func @multiply(%arg0: tensor<64x128xf32>, %arg1: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %0 = tensor.empty() : tensor<64x128xf32>
  // CHECK: "ttmetal.dispatch"(%{{.*}}, %{{.*}}, %{{.*}}) <{core_ranges = [#ttmetal.core_range<0x0, 1x8>, #ttmetal.core_range<0x0, 1x8>, #ttmetal.core_range<0x0, 1x8>], kernelConfigs = [#ttkernel.noc_config<noc0>, #ttkernel.tensix_config<hifi4, true, false, false>, #ttkernel.noc_config<noc1>]
  // CHECK-COUNT-2: "ttkernel.noc_async_read_page"
  // CHECK: "ttkernel.binary_op_init_common"
  // CHECK-NEXT: "ttkernel.mul_tiles_init"
  // CHECK: "ttkernel.mul_tiles"
  // CHECK: "ttkernel.noc_async_write_page"

  // L1: %[[IN:.*]] = "ttmetal.alloc"() <{address = 132096 : i64, memory_space = #l1_, size = 32768 : i64}>
  // L1: "ttmetal.dispatch"(%{{.*}}, %{{.*}}, %[[IN]]) <{core_ranges = [#ttmetal.core_range<0x0, 1x1>], kernelConfigs = [#ttkernel.tensix_config<hifi4, true, false, false>], kernel_names = ["eltwise.multiply"], operandSegmentSizes = array<i32: 2, 1>, program_name = "eltwise.multiply"}> ({
  // L1-NEXT: ^bb0(%[[A:.*]]: !ttkernel.cb<cb_in0, 66560, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, %[[B:.*]]: !ttkernel.cb<cb_in1, 99328, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, %[[C:.*]]: !ttkernel.cb<cb_out0, 132096, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>):
  // L1-NEXT: "ttkernel.binary_op_init_common"(%[[A]], %[[B]], %[[C]])
  // L1-NEXT: "ttkernel.mul_tiles_init"(%[[A]], %[[B]])
  // L1: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[OUTER:.*]] = %{{.*}}) -> (i32) : i32 {
  // L1: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[TILE:.*]] = %[[OUTER]]) -> (i32) : i32 {
  // L1-NEXT: %[[DST:.*]] = arith.constant 0 : i32
  // L1-NEXT: "ttkernel.tile_regs_acquire"()
  // L1-NEXT: "ttkernel.mul_tiles"(%[[A]], %[[B]], %[[TILE]], %[[TILE]], %[[DST]])
  // L1-NEXT: "ttkernel.tile_regs_commit"()
  // L1-NEXT: "ttkernel.tile_regs_wait"()
  // L1-NEXT: "ttkernel.pack_tile"(%[[DST]], %[[C]], %[[TILE]])
  // L1-NEXT: "ttkernel.tile_regs_release"()
  // L1: %[[NEXT:.*]] = arith.addi %[[TILE]]
  // L1-NEXT: scf.yield %[[NEXT]] : i32
  %1 = "ttir.multiply"(%arg0, %arg1, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %1 : tensor<64x128xf32>
}

// -----

// A bias is one row of tiles, of which every tile stands for all rows; it broadcasts when it is read.
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
// CHECK-LABEL: func.func @bias
func.func @bias(%arg0: tensor<2x64x128xf32>, %arg1: tensor<128xf32>) -> tensor<2x64x128xf32> {
  %0 = tensor.empty() : tensor<2x64x128xf32>
  // CHECK: "ttkernel.init_sfpu"
  // CHECK: "ttkernel.copy_tile"
  // CHECK: "ttkernel.unary_bcast_init"(%{{.*}}, %{{.*}}) <{broadcast_type = #ttkernel.broadcast_type<row>}>
  // CHECK: "ttkernel.unary_bcast"(%{{.*}}) <{broadcast_type = #ttkernel.broadcast_type<row>}>
  // CHECK: "ttkernel.add_binary_tile_init"()
  // CHECK: "ttkernel.add_binary_tile"
  %1 = "ttir.add"(%arg0, %arg1, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<2x64x128xf32>, tensor<128xf32>, tensor<2x64x128xf32>) -> tensor<2x64x128xf32>
  return %1 : tensor<2x64x128xf32>
}

// -----

// Integers are added by the vector engine; a comparison of floats gives the integers of its result.
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
// CHECK-LABEL: func.func @integers
func.func @integers(%arg0: tensor<32x32xi32>, %arg1: tensor<32x32xf32>, %arg2: tensor<32x32xf32>) -> (tensor<32x32xi32>, tensor<32x32xi32>) {
  %0 = tensor.empty() : tensor<32x32xi32>
  // CHECK: "ttkernel.add_binary_tile"
  %1 = "ttir.add"(%arg0, %arg0, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<32x32xi32>, tensor<32x32xi32>, tensor<32x32xi32>) -> tensor<32x32xi32>
  %2 = tensor.empty() : tensor<32x32xi32>
  // CHECK: "ttkernel.lt_binary_tile"
  // CHECK: "ttkernel.typecast_tile"(%{{.*}}) <{in_dtype = 0 : i32, out_dtype = 9 : i32}>
  %3 = "ttir.lt"(%arg1, %arg2, %2) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xi32>) -> tensor<32x32xi32>
  return %1, %3 : tensor<32x32xi32>, tensor<32x32xi32>
}

// -----

// The vector engine has roots of floats alone, and negates integers as they are.
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
// CHECK-LABEL: func.func @functions
func.func @functions(%arg0: tensor<32x32xi32>, %arg1: tensor<32x32xui16>) -> (tensor<32x32xui16>, tensor<32x32xi32>, tensor<32x32xi32>) {
  %0 = tensor.empty() : tensor<32x32xui16>
  // CHECK: "ttkernel.typecast_tile"(%{{.*}}) <{in_dtype = 10 : i32, out_dtype = 0 : i32}>
  // CHECK: "ttkernel.sqrt_tile"
  // CHECK: "ttkernel.typecast_tile"(%{{.*}}) <{in_dtype = 0 : i32, out_dtype = 10 : i32}>
  %1 = "ttir.sqrt"(%arg1, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<32x32xui16>, tensor<32x32xui16>) -> tensor<32x32xui16>
  %2 = tensor.empty() : tensor<32x32xi32>
  // CHECK-NOT: "ttkernel.typecast_tile"
  // CHECK: "ttkernel.negative_tile"
  // CHECK-NOT: "ttkernel.typecast_tile"
  %3 = "ttir.neg"(%arg0, %2) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<32x32xi32>, tensor<32x32xi32>) -> tensor<32x32xi32>
  %4 = tensor.empty() : tensor<32x32xi32>
  // CHECK: "ttkernel.copy_tile"
  // CHECK-NOT: "ttkernel.floor_tile"
  // CHECK: "ttkernel.pack_tile"
  %5 = "ttir.floor"(%arg0, %4) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<32x32xi32>, tensor<32x32xi32>) -> tensor<32x32xi32>
  return %1, %3, %5 : tensor<32x32xui16>, tensor<32x32xi32>, tensor<32x32xi32>
}
