// RUN: ttmlir-opt --ttir-load-system-desc --ttir-implicit-device --ttir-allocate --convert-ttir-to-ttmetal %s | FileCheck %s
// Moves to shards from DRAM, from shards of another form, and in another order of rows.
#l1_ = #tt.memory_space<l1>
#dram = #tt.memory_space<dram>
#in_dram = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<16x16xf32, #dram>>
#in_l1 = #tt.layout<(d0, d1) -> (d0, d1), undef, <4x1>, memref<4x16xf32, #l1_>>
#columns = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x4>, memref<2x1x!tt.tile<32x32, f32>, #l1_>>
#blocks = #tt.layout<(d0, d1) -> (d0, d1), undef, <2x2>, memref<1x2x!tt.tile<32x32, f32>, #l1_>>
#swapped = #tt.layout<(d0, d1, d2) -> (d1 * 2 + d0, d2), undef, <1x1>, memref<8x8xf32, #l1_>>
#straight = #tt.layout<(d0, d1, d2) -> (d0 * 4 + d1, d2), undef, <1x1>, memref<8x8xf32, #l1_>>
!in_dram = tensor<16x16xf32, #in_dram>
!in_l1 = tensor<16x16xf32, #in_l1>
!columns = tensor<64x128xf32, #columns>
!blocks = tensor<64x128xf32, #blocks>
!swapped = tensor<2x4x8xf32, #swapped>
!straight = tensor<2x4x8xf32, #straight>

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
