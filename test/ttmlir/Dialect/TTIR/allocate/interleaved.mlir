// RUN: ttmlir-opt --ttir-allocate %s | FileCheck %s
// RUN: ttmlir-opt --ttir-allocate --remarks %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// An interleaved tensor takes in every of the 12 banks its share of pages: rows, aligned to 32 bytes,
// or tiles, which as arguments are where the caller has them. Constants are written into their place.
// REMARK-DAG: remark: [Passed] Separate | Category:ttir-allocate{{.*}} | Op=func.func, Reason="tensors in dram take {{[0-9]+}} bytes a bank, each a place of its own to the end
#dram = #tt.memory_space<dram>
#rows = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<40x20xf32, #dram>, interleaved>
#tiles = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<5x5x!tt.tile<32x32, bf16>, #dram>, interleaved>
#odd = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<13x3xbf16, #dram>, interleaved>
// 40 rows of 80 bytes: 4 rows of 96 bytes in a bank. 25 tiles of 2048 bytes: 3 in a bank. 13 rows of 6 bytes: 2 of 32.
// CHECK-LABEL: func.func @pages
// CHECK-SAME: tt.arg_alloc = [#tt.arg_alloc<1024, 384, dram>, #tt.arg_alloc<0, 0, dram>]
// CHECK: %[[A:.*]] = "ttir.alloc"() <{address = 1408 : i64, memory_space = #dram, size = 64 : i64}>
// CHECK: %[[C:.*]] = "ttir.fill"(%[[A]]) <{{.*}}value = dense<2.000000e+00> : tensor<13x3xbf16>
// CHECK-NOT: ttir.dealloc
// CHECK: return %[[C]]
func.func @pages(%a: tensor<40x20xf32, #rows>, %b: tensor<160x160xbf16, #tiles>) -> tensor<13x3xbf16, #odd> {
  %0 = "ttir.full"() <{fill_value = 2.0 : f32, shape = array<i32: 13, 3>}> : () -> tensor<13x3xbf16, #odd>
  return %0 : tensor<13x3xbf16, #odd>
}

// Pages in L1 go to the 64 cores, rows of them aligned to 16 bytes; those of one bank to one core.
// Addresses are aligned for transfers with the DRAM: the 48 bytes of 3 rows end at 1072.
#l1_rows = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<65x3xbf16, #tt.memory_space<l1>>, interleaved>
#bank = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<3x3xbf16, #tt.memory_space<l1>>, single_bank>
// CHECK-LABEL: func.func @in_l1
// CHECK-SAME: tt.arg_alloc = [#tt.arg_alloc<1024, 48, l1>, #tt.arg_alloc<1088, 32, l1>]
func.func @in_l1(%a: tensor<3x3xbf16, #bank>, %b: tensor<65x3xbf16, #l1_rows>) {
  return
}
