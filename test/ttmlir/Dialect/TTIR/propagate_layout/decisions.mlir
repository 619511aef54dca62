// RUN: ttmlir-opt --ttir-propagate-layout --remarks %s -o /dev/null 2>&1 | FileCheck %s
// RUN: ttmlir-opt --ttir-propagate-layout --mlir-pass-statistics %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=STATISTICS
// RUN: ttmlir-opt --ttir-propagate-layout %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=SILENT --allow-empty
// Whoever asks for them sees all decisions: one of each kind here.
#l1 = #tt.memory_space<l1>
#any = #tt.operand_constraint<any_device>
#dram_only = #tt.operand_constraint<dram|tile|interleaved>
#host = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x64xbf16, #tt.memory_space<system>>>
#a = #tt.layout<(d0, d1) -> (d0, d1), undef, <2x2>, memref<1x1x!tt.tile<32x32, bf16>, #l1>, block_sharded>
#b = #tt.layout<(d0, d1) -> (d0, d1), undef, <2x1>, memref<1x2x!tt.tile<32x32, bf16>, #l1>, height_sharded>
// SILENT-NOT: remark
// STATISTICS: (S) 1 num-conflicts
// STATISTICS: (S) 1 num-constants
// STATISTICS: (S) 4 num-propagated
// STATISTICS: (S) 1 num-resolved
// CHECK-DAG: remark: [Passed] Anchor | Category:ttir-propagate-layout | {{.*}}Op=func.func, Reason="an argument is in 2x2:l1:block_sharded:tile
// CHECK-DAG: remark: [Passed] Anchor | Category:ttir-propagate-layout | {{.*}}Op=ttir.to_layout, Reason="stays, to 2x1:l1:height_sharded:tile
// CHECK-DAG: remark: [Passed] Forward | Category:ttir-propagate-layout | {{.*}}Function=decisions{{.*}}Op=ttir.add, Reason="the result goes to 2x2:l1:block_sharded:tile, as input 0
// CHECK-DAG: remark: [Missed] Disagree | Category:ttir-propagate-layout | {{.*}}Op=ttir.multiply, Reason="inputs disagree: 0 is in 2x2:l1:block_sharded:tile, 1 in 2x1:l1:height_sharded:tile
// CHECK-DAG: remark: [Missed] NotAllowed | Category:ttir-propagate-layout | {{.*}}Op=ttir.exp, Reason="the result does not go to 2x2:l1:block_sharded:tile, which the op cannot write
// CHECK-DAG: remark: [Passed] Tie | Category:ttir-propagate-layout | {{.*}}Op=ttir.multiply, Reason="the result goes to 2x2:l1:block_sharded:tile, as input 0
// CHECK-DAG: remark: [Missed] Conflict | Category:ttir-propagate-layout | {{.*}}Op=ttir.multiply, Reason="input 1 is in 2x1:l1:height_sharded:tile: one ttir.to_layout brings it to 2x2:l1:block_sharded:tile
// CHECK-DAG: remark: [Passed] Backward | Category:ttir-propagate-layout | {{.*}}Op=ttir.matmul, Reason="the result goes to 2x2:l1:block_sharded:tile, where 'ttir.add' wants it
// CHECK-DAG: remark: [Passed] Constant | Category:ttir-propagate-layout | {{.*}}Op=ttir.constant, Reason="made for 1 use in 2x1:l1:height_sharded:tile
func.func @decisions(%x: tensor<64x64xbf16, #a>, %y: tensor<64x64xbf16>, %z: tensor<64x64xbf16, #b>) -> (tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xbf16>) {
  %c = "ttir.constant"() <{value = dense<2.0> : tensor<64x64xbf16>}> : () -> tensor<64x64xbf16, #host>
  %m0 = tensor.empty() : tensor<64x64xbf16>
  %m = "ttir.matmul"(%y, %y, %m0) <{operand_constraints = [#any, #any, #any]}> : (tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
  %0 = tensor.empty() : tensor<64x64xbf16>
  %1 = "ttir.add"(%x, %m, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x64xbf16, #a>, tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
  %2 = tensor.empty() : tensor<64x64xbf16, #b>
  %3 = "ttir.to_layout"(%c, %2) : (tensor<64x64xbf16, #host>, tensor<64x64xbf16, #b>) -> tensor<64x64xbf16, #b>
  %4 = tensor.empty() : tensor<64x64xbf16>
  %5 = "ttir.multiply"(%1, %z, %4) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x64xbf16>, tensor<64x64xbf16, #b>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
  %6 = tensor.empty() : tensor<64x64xbf16>
  %7 = "ttir.exp"(%1, %6) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #dram_only]}> : (tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
  %8 = tensor.empty() : tensor<64x64xbf16>
  %9 = "ttir.abs"(%3, %8) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x64xbf16, #b>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
  return %5, %7, %9 : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xbf16>
}

// A result beside its input that L1 has no room for.
// CHECK-DAG: remark: [Missed] NoRoom | Category:ttir-propagate-layout | {{.*}}Function=no_room{{.*}}Op=ttir.exp, Reason="the result does not go to 1x1:l1:block_sharded:tile: 1048576 bytes of it beside 1048576 are too many for a core's L1
#large = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<16x32x!tt.tile<32x32, bf16>, #l1>, block_sharded>
func.func @no_room(%x: tensor<512x1024xbf16, #large>) -> tensor<512x1024xbf16> {
  %0 = tensor.empty() : tensor<512x1024xbf16>
  %1 = "ttir.exp"(%x, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<512x1024xbf16, #large>, tensor<512x1024xbf16>) -> tensor<512x1024xbf16>
  return %1 : tensor<512x1024xbf16>
}
