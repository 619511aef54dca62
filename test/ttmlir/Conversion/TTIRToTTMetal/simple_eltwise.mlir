// RUN: ttmlir-opt --ttir-to-ttmetal-backend-pipeline="default-memory-space=l1" %s | FileCheck %s
// RUN: ttmlir-opt --ttir-load-system-desc --ttir-implicit-device --ttir-generic --ttir-layout="init-memory-space=l1 default-memory-space=l1 default-device-memory-layout=none" --ttir-generic-region-operands-to-memref --ttir-allocate --convert-ttir-to-ttmetal %s | FileCheck %s
// RUN: ttmlir-opt --ttir-to-ttmetal-backend-pipeline="default-memory-space=l1" --remarks=ttmetal %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// Shards in L1: each tensor on one core, buffers that alias them, one kernel for each step. Pipeline
// and single passes write the same.
// REMARK-DAG: remark: [Passed] OnShards | Category:convert-ttir-to-ttmetal | Function=multiply | Op=ttir.generic, Reason="every core computes on its shards in l1, and moves nothing
#any_device = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
// CHECK-DAG: #[[ROWS:.*]] = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #l1_>>
// CHECK-DAG: #[[TILES:.*]] = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<2x4x!tt.tile<32x32, f32>, #l1_>>
// CHECK-LABEL: func.func @multiply(
// CHECK-SAME: %arg0: tensor<64x128xf32, #[[ROWS]]>, %arg1: tensor<64x128xf32, #[[ROWS]]>) -> tensor<64x128xf32, #[[ROWS]]>
// CHECK-SAME: {tt.arg_alloc = [#tt.arg_alloc<1024, 32768, l1>, #tt.arg_alloc<33792, 32768, l1>]}

// CHECK-NEXT: %[[A:.*]] = "ttmetal.alloc"() <{address = 66560 : i64, memory_space = #l1_, size = 32768 : i64}> : () -> tensor<64x128xf32, #[[TILES]]>
// CHECK-NEXT: %[[A1:.*]] = "ttmetal.dispatch"(%arg0, %[[A]]) <{core_ranges = [#ttmetal.core_range<0x0, 1x1>], kernelConfigs = [#ttkernel.tensix_config<hifi4, false, false, false>], kernel_names = ["to_layout"], operandSegmentSizes = array<i32: 1, 1>, program_name = "to_layout"}> ({
// CHECK-NEXT: ^bb0(%[[IN:.*]]: !ttkernel.cb<cb_in0, 1024, memref<64x128xf32, #l1_>, 4096, 1>, %[[OUT:.*]]: !ttkernel.cb<cb_out0, 66560, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>):
// CHECK-NEXT: %[[N:.*]] = arith.constant 4 : i32
// CHECK-NEXT: "ttkernel.tilize_init"(%[[IN]], %[[N]], %[[OUT]])
// CHECK-NEXT: "ttkernel.tilize_block"(%[[IN]], %[[N]], %[[OUT]])
// CHECK-NEXT: "ttkernel.cb_pop_front"(%[[IN]], %[[N]])
// CHECK-NEXT: "ttkernel.cb_push_back"(%[[OUT]], %[[N]])
// CHECK-NEXT: "ttkernel.tilize_block"(%[[IN]], %[[N]], %[[OUT]])
// CHECK-NEXT: "ttkernel.cb_pop_front"(%[[IN]], %[[N]])
// CHECK-NEXT: "ttkernel.cb_push_back"(%[[OUT]], %[[N]])
// CHECK-NEXT: "ttkernel.return"() : () -> ()
// CHECK-NEXT: }) : (tensor<64x128xf32, #[[ROWS]]>, tensor<64x128xf32, #[[TILES]]>) -> tensor<64x128xf32, #[[TILES]]>

// CHECK-NEXT: %[[B:.*]] = "ttmetal.alloc"() <{address = 99328 : i64,
// CHECK-NEXT: %[[B1:.*]] = "ttmetal.dispatch"(%arg1, %[[B]])
// CHECK-NEXT: cb_in0, 33792, {{.*}}cb_out0, 99328,
// CHECK: "ttkernel.return"
// CHECK-NEXT: })

// CHECK-NEXT: %[[C:.*]] = "ttmetal.alloc"() <{address = 132096 : i64,
// CHECK-NEXT: %[[C1:.*]] = "ttmetal.dispatch"(%[[A1]], %[[B1]], %[[C]]) <{core_ranges = [#ttmetal.core_range<0x0, 1x1>], kernelConfigs = [#ttkernel.tensix_config<hifi4, true, false, false>], kernel_names = ["eltwise.multiply"], operandSegmentSizes = array<i32: 2, 1>, program_name = "eltwise.multiply"}> ({
// CHECK-NEXT: ^bb0(%[[IN0:.*]]: !ttkernel.cb<cb_in0, 66560, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, %[[IN1:.*]]: !ttkernel.cb<cb_in1, 99328, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, %[[OUT0:.*]]: !ttkernel.cb<cb_out0, 132096, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>):
// CHECK-NEXT: "ttkernel.binary_op_init_common"(%[[IN0]], %[[IN1]], %[[OUT0]])
// CHECK-NEXT: "ttkernel.mul_tiles_init"(%[[IN0]], %[[IN1]])
// CHECK-NEXT: %[[FIRST:.*]] = arith.constant 0 : i32
// CHECK-NEXT: %[[ZERO:.*]] = arith.constant 0 : i32
// CHECK-NEXT: %[[ROWS2:.*]] = arith.constant 2 : i32
// CHECK-NEXT: %[[ONE:.*]] = arith.constant 1 : i32
// CHECK-NEXT: scf.for %{{.*}} = %[[ZERO]] to %[[ROWS2]] step %[[ONE]] iter_args(%[[I:.*]] = %[[FIRST]]) -> (i32) : i32 {
// CHECK-NEXT: %[[ZERO:.*]] = arith.constant 0 : i32
// CHECK-NEXT: %[[COLUMNS:.*]] = arith.constant 4 : i32
// CHECK-NEXT: %[[ONE:.*]] = arith.constant 1 : i32
// CHECK-NEXT: %[[ROW:.*]] = scf.for %{{.*}} = %[[ZERO]] to %[[COLUMNS]] step %[[ONE]] iter_args(%[[J:.*]] = %[[I]]) -> (i32) : i32 {
// CHECK-NEXT: %[[DST:.*]] = arith.constant 0 : i32
// CHECK-NEXT: "ttkernel.tile_regs_acquire"()
// CHECK-NEXT: "ttkernel.mul_tiles"(%[[IN0]], %[[IN1]], %[[J]], %[[J]], %[[DST]])
// CHECK-NEXT: "ttkernel.tile_regs_commit"()
// CHECK-NEXT: "ttkernel.tile_regs_wait"()
// CHECK-NEXT: "ttkernel.pack_tile"(%[[DST]], %[[OUT0]], %[[J]])
// CHECK-NEXT: "ttkernel.tile_regs_release"()
// CHECK-NEXT: %[[STRIDE:.*]] = arith.constant 1 : i32
// CHECK-NEXT: %[[NEXT:.*]] = arith.addi %[[J]], %[[STRIDE]] : i32
// CHECK-NEXT: scf.yield %[[NEXT]] : i32
// CHECK-NEXT: }
// CHECK-NEXT: %[[STEP:.*]] = arith.constant 0 : i32
// CHECK-NEXT: %[[END:.*]] = arith.addi %[[ROW]], %[[STEP]] : i32
// CHECK-NEXT: scf.yield %[[END]] : i32
// CHECK-NEXT: }
// CHECK-NEXT: "ttkernel.return"() : () -> ()
// CHECK-NEXT: })
// CHECK-NEXT: "ttmetal.dealloc"(%[[B]])
// CHECK-NEXT: "ttmetal.dealloc"(%[[A]])

// CHECK-NEXT: %[[R:.*]] = "ttmetal.alloc"() <{address = 164864 : i64, {{.*}} -> tensor<64x128xf32, #[[ROWS]]>
// CHECK-NEXT: %[[R1:.*]] = "ttmetal.dispatch"(%[[C1]], %[[R]]) <{core_ranges = [#ttmetal.core_range<0x0, 1x1>], kernelConfigs = [#ttkernel.tensix_config<hifi4, false, false, false>],
// CHECK-NEXT: ^bb0(%[[IN:.*]]: !ttkernel.cb<cb_in0, 132096, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, %[[OUT:.*]]: !ttkernel.cb<cb_out0, 164864, memref<64x128xf32, #l1_>, 4096, 1>):
// CHECK-NEXT: %[[N:.*]] = arith.constant 4 : i32
// CHECK-NEXT: "ttkernel.untilize_init"(%[[IN]], %[[OUT]])
// CHECK-NEXT: "ttkernel.untilize_block"(%[[IN]], %[[N]], %[[OUT]])
// CHECK-NEXT: "ttkernel.cb_pop_front"(%[[IN]], %[[N]])
// CHECK-NEXT: "ttkernel.cb_push_back"(%[[OUT]], %[[N]])
// CHECK-NEXT: "ttkernel.untilize_block"(%[[IN]], %[[N]], %[[OUT]])
// CHECK-NEXT: "ttkernel.cb_pop_front"(%[[IN]], %[[N]])
// CHECK-NEXT: "ttkernel.cb_push_back"(%[[OUT]], %[[N]])
// CHECK-NEXT: "ttkernel.return"() : () -> ()
// CHECK-NEXT: })
// CHECK-NEXT: "ttmetal.dealloc"(%[[C]])
// CHECK-NEXT: return %[[R1]] : tensor<64x128xf32, #[[ROWS]]>
func.func @multiply(%arg0: tensor<64x128xf32>, %arg1: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %0 = tensor.empty() : tensor<64x128xf32>
  %1 = "ttir.multiply"(%arg0, %arg1, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %1 : tensor<64x128xf32>
}

// CHECK-LABEL: func.func @add
// CHECK: "ttkernel.binary_op_init_common"
// CHECK-NEXT: "ttkernel.add_tiles_init"
// CHECK: "ttkernel.add_tiles"(%{{.*}}, %{{.*}}, %[[J:.*]], %[[J]], %{{.*}})
func.func @add(%arg0: tensor<64x128xf32>, %arg1: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %0 = tensor.empty() : tensor<64x128xf32>
  %1 = "ttir.add"(%arg0, %arg1, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any_device, #any_device, #any_device]}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %1 : tensor<64x128xf32>
}
