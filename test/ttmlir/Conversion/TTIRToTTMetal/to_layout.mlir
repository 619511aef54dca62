// RUN: ttmlir-opt --ttir-load-system-desc --ttir-implicit-device --ttir-allocate --convert-ttir-to-ttmetal %s | FileCheck %s
// Moves of shards: where the output is in L1 its cores read, otherwise those of the input write.
// For a transaction there are y, x, source, destination and size; those that follow each other on
// both sides are one; one barrier is at the end.
#l1_ = #tt.memory_space<l1>
#dram = #tt.memory_space<dram>
#system = #tt.memory_space<system>
#one = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<4x16xf32, #l1_>>
#four = #tt.layout<(d0, d1) -> (d0, d1), undef, <4x1>, memref<1x16xf32, #l1_>>
#in_dram = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<16x16xf32, #dram>>
#in_l1 = #tt.layout<(d0, d1) -> (d0, d1), undef, <4x1>, memref<4x16xf32, #l1_>>
#columns = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x4>, memref<2x1x!tt.tile<32x32, f32>, #l1_>>
#blocks = #tt.layout<(d0, d1) -> (d0, d1), undef, <2x2>, memref<1x2x!tt.tile<32x32, f32>, #l1_>>
#rows = #tt.layout<(d0, d1) -> (d0, d1), undef, <2x2>, memref<32x64xf32, #l1_>>
#swapped = #tt.layout<(d0, d1, d2) -> (d1 * 2 + d0, d2), undef, <1x1>, memref<8x8xf32, #l1_>>
#straight = #tt.layout<(d0, d1, d2) -> (d0 * 4 + d1, d2), undef, <1x1>, memref<8x8xf32, #l1_>>
#host = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xf32, #system>>
!one = tensor<4x16xf32, #one>
!four = tensor<4x16xf32, #four>
!in_dram = tensor<16x16xf32, #in_dram>
!in_l1 = tensor<16x16xf32, #in_l1>
!columns = tensor<64x128xf32, #columns>
!blocks = tensor<64x128xf32, #blocks>
!rows = tensor<64x128xf32, #rows>
!swapped = tensor<2x4x8xf32, #swapped>
!straight = tensor<2x4x8xf32, #straight>
!host = tensor<64x128xf32, #host>

// CHECK-LABEL: func.func @simple
// CHECK-NEXT: %[[OUT:.*]] = "ttmetal.alloc"() <{address = 1280 : i64, memory_space = #l1_, size = 64 : i64}>
// CHECK-NEXT: "ttmetal.dispatch"(%arg0, %[[OUT]]) <{core_ranges = [#ttmetal.core_range<0x0, 1x1>, #ttmetal.core_range<1x0, 1x1>, #ttmetal.core_range<2x0, 1x1>, #ttmetal.core_range<3x0, 1x1>], kernelConfigs = [#ttkernel.noc_config<noc0>, #ttkernel.noc_config<noc0>, #ttkernel.noc_config<noc0>, #ttkernel.noc_config<noc0>], operandSegmentSizes = array<i32: 1, 1>}> ({
// CHECK-NEXT: %[[Y:.*]] = arith.constant 0 : i32
// CHECK-NEXT: %[[X:.*]] = arith.constant 0 : i32
// CHECK-NEXT: %[[FROM:.*]] = arith.constant 1024 : i32
// CHECK-NEXT: %[[TO:.*]] = arith.constant 1280 : i32
// CHECK-NEXT: %[[SIZE:.*]] = arith.constant 64 : i32
// CHECK-NEXT: %[[NOC:.*]] = "ttkernel.get_noc_addr"(%[[X]], %[[Y]], %[[FROM]]) : (i32, i32, i32) -> !ttkernel.noc_addr
// CHECK-NEXT: "ttkernel.noc_async_read"(%[[NOC]], %[[TO]], %[[SIZE]])
// CHECK-NEXT: "ttkernel.noc_async_read_barrier"()
// CHECK-NEXT: "ttkernel.return"()
// CHECK-NEXT: }, {
// CHECK: arith.constant 1088 : i32
// CHECK-NEXT: arith.constant 1280 : i32
// CHECK: }, {
// CHECK: arith.constant 1152 : i32
// CHECK: }, {
// CHECK: arith.constant 1216 : i32
func.func @simple(%arg0: !one) -> !four {
  %0 = tensor.empty() : !four
  %1 = "ttir.to_layout"(%arg0, %0) : (!one, !four) -> !four
  return %1 : !four
}
// Channel 0 is core 8x0; its bytes follow each other, those of a core are one transaction.
// CHECK-LABEL: func.func @to_dram
// CHECK-SAME: #tt.arg_alloc<1024, 256, l1>
// CHECK-NEXT: "ttmetal.alloc"() <{address = 1024 : i64, memory_space = #dram, size = 1024 : i64}>
// CHECK-NEXT: core_ranges = [#ttmetal.core_range<0x0, 1x1>, #ttmetal.core_range<1x0, 1x1>, #ttmetal.core_range<2x0, 1x1>, #ttmetal.core_range<3x0, 1x1>]
// CHECK: }, {
// CHECK-NEXT: %[[Y:.*]] = arith.constant 8 : i32
// CHECK-NEXT: %[[X:.*]] = arith.constant 0 : i32
// CHECK-NEXT: %[[FROM:.*]] = arith.constant 1024 : i32
// CHECK-NEXT: %[[TO:.*]] = arith.constant 1280 : i32
// CHECK-NEXT: %[[SIZE:.*]] = arith.constant 256 : i32
// CHECK-NEXT: %[[NOC:.*]] = "ttkernel.get_noc_addr"(%[[X]], %[[Y]], %[[TO]])
// CHECK-NEXT: "ttkernel.noc_async_write"(%[[FROM]], %[[NOC]], %[[SIZE]])
// CHECK-NEXT: "ttkernel.noc_async_write_barrier"()
// CHECK-NEXT: "ttkernel.return"()
func.func @to_dram(%arg0: !in_l1) -> !in_dram {
  %0 = tensor.empty() : !in_dram
  %1 = "ttir.to_layout"(%arg0, %0) : (!in_l1, !in_dram) -> !in_dram
  return %1 : !in_dram
}
// CHECK-LABEL: func.func @from_dram
// CHECK: }, {
// CHECK-NEXT: arith.constant 8 : i32
// CHECK-NEXT: arith.constant 0 : i32
// CHECK-NEXT: arith.constant 1280 : i32
// CHECK-NEXT: arith.constant 1024 : i32
// CHECK-NEXT: arith.constant 256 : i32
// CHECK-NEXT: get_noc_addr
// CHECK-NEXT: noc_async_read
// CHECK-NEXT: noc_async_read_barrier
func.func @from_dram(%arg0: !in_dram) -> !in_l1 {
  %0 = tensor.empty() : !in_l1
  %1 = "ttir.to_layout"(%arg0, %0) : (!in_dram, !in_l1) -> !in_l1
  return %1 : !in_l1
}
// Tiles move as they are. Each core gets two, from two cores.
// CHECK-LABEL: func.func @reblock
// CHECK: core_ranges = [#ttmetal.core_range<0x0, 1x1>, #ttmetal.core_range<0x1, 1x1>, #ttmetal.core_range<1x0, 1x1>, #ttmetal.core_range<1x1, 1x1>]
// CHECK: }, {
// CHECK-NEXT: arith.constant 0 : i32
// CHECK-NEXT: arith.constant 2 : i32
// CHECK-NEXT: arith.constant 1024 : i32
// CHECK-NEXT: arith.constant 9216 : i32
// CHECK-NEXT: arith.constant 4096 : i32
// CHECK-NEXT: get_noc_addr
// CHECK-NEXT: noc_async_read
// CHECK-NEXT: arith.constant 0 : i32
// CHECK-NEXT: arith.constant 3 : i32
// CHECK-NEXT: arith.constant 1024 : i32
// CHECK-NEXT: arith.constant 13312 : i32
// CHECK-NEXT: arith.constant 4096 : i32
// CHECK-NEXT: get_noc_addr
// CHECK-NEXT: noc_async_read
// CHECK-NEXT: noc_async_read_barrier
// CHECK-NEXT: return
func.func @reblock(%arg0: !columns) -> !blocks {
  %0 = tensor.empty() : !blocks
  %1 = "ttir.to_layout"(%arg0, %0) : (!columns, !blocks) -> !blocks
  return %1 : !blocks
}
// Another linear map on the same core: every row is a transaction of 32 bytes.
// CHECK-LABEL: func.func @linear
// CHECK: arith.constant 1024 : i32
// CHECK-NEXT: arith.constant 1280 : i32
// CHECK-NEXT: arith.constant 32 : i32
// CHECK: arith.constant 1088 : i32
// CHECK-NEXT: arith.constant 1312 : i32
// CHECK-NEXT: arith.constant 32 : i32
func.func @linear(%arg0: !swapped) -> !straight {
  %0 = tensor.empty() : !straight
  %1 = "ttir.to_layout"(%arg0, %0) : (!swapped, !straight) -> !straight
  return %1 : !straight
}
// Shards become tiles on their cores, a row of tiles at a time.
// CHECK-LABEL: func.func @tilize
// CHECK: core_ranges = [#ttmetal.core_range<0x0, 2x2>], kernelConfigs = [#ttkernel.tensix_config<hifi4, false, false, false>]
// CHECK-NEXT: ^bb0(%[[IN:.*]]: !ttkernel.cb<cb_in0, 1024, memref<32x64xf32, #l1_>, 4096, 1>, %[[OUT:.*]]: !ttkernel.cb<cb_out0, 9216, memref<1x2x!tt.tile<32x32, f32>, #l1_>, 4096, 1>):
// CHECK-NEXT: %[[N:.*]] = arith.constant 2 : i32
// CHECK-NEXT: tilize_init
// CHECK-NEXT: tilize_block
// CHECK-NEXT: cb_pop_front
// CHECK-NEXT: cb_push_back
// CHECK-NEXT: return
func.func @tilize(%arg0: !rows) -> !blocks {
  %0 = tensor.empty() : !blocks
  %1 = "ttir.to_layout"(%arg0, %0) : (!rows, !blocks) -> !blocks
  return %1 : !blocks
}
// CHECK-LABEL: func.func @untilize
// CHECK: "ttkernel.untilize_init"(%[[IN:[^,]*]], %[[OUT:[^)]*]])
// CHECK-NEXT: "ttkernel.untilize_block"(%[[IN]], %{{.*}}, %[[OUT]])
// CHECK-NEXT: cb_pop_front
// CHECK-NEXT: cb_push_back
// CHECK-NEXT: return
func.func @untilize(%arg0: !blocks) -> !rows {
  %0 = tensor.empty() : !rows
  %1 = "ttir.to_layout"(%arg0, %0) : (!blocks, !rows) -> !rows
  return %1 : !rows
}
// CHECK-LABEL: func.func @host
// CHECK-SAME: #tt.arg_alloc<1024, 8192, l1>
// CHECK-NEXT: %[[HOST:.*]] = "ttmetal.alloc"() <{address = 0 : i64, memory_space = #system, size = 32768 : i64}>
// CHECK-NEXT: %[[READ:.*]] = "ttmetal.host_read"(%arg0, %[[HOST]])
// CHECK-NEXT: %[[OUT:.*]] = "ttmetal.alloc"() <{address = 9216 : i64, memory_space = #l1_, size = 8192 : i64}>
// CHECK-NEXT: "ttmetal.host_write"(%[[READ]], %[[OUT]])
// CHECK-NEXT: "ttmetal.dealloc"(%[[HOST]])
func.func @host(%arg0: !rows) -> !rows {
  %0 = tensor.empty() : !host
  %1 = "ttir.to_layout"(%arg0, %0) : (!rows, !host) -> !host
  %2 = tensor.empty() : !rows
  %3 = "ttir.to_layout"(%1, %2) : (!host, !rows) -> !rows
  return %3 : !rows
}
