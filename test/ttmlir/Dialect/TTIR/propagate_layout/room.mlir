// RUN: ttmlir-opt --ttir-propagate-layout %s | FileCheck %s
// RUN: ttmlir-opt --ttir-propagate-layout --remarks %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: ttmlir-opt --ttir-to-ttnn-backend-pipeline %s -o /dev/null
// RUN: ttmlir-opt --ttir-to-ttmetal-backend-pipeline %s -o /dev/null
// What the compiler places beside the author's tensors fits a core's L1 of 1498112 bytes, of which a
// fifth is left to the ops: with the argument of 524288 bytes, one tensor of that size at any time.
#l1 = #tt.memory_space<l1>
#any = #tt.operand_constraint<any_device_tile>
#a = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<16x16x!tt.tile<32x32, bf16>, #l1>, block_sharded>

// A result stays in L1 for as long as it is read: what is computed meanwhile goes to DRAM.
// REMARK: remark: [Missed] NoRoom | Category:ttir-propagate-layout | {{.*}}Function=results | Op=ttir.abs, Reason="the result does not go to 1x1:l1:block_sharded:tile: 524288 bytes of it beside 1048576 are too many for a core's L1"
// REMARK: remark: [Missed] NoRoom | Category:ttir-propagate-layout | {{.*}}Function=inputs | Op=ttir.add, Reason="input 1 does not go to 1x1:l1:block_sharded:tile: 524288 bytes of it beside 1048576 are too many for a core's L1"
// CHECK-DAG: #[[A:.*]] = #tt.layout<{{.*}}<1x1>, memref<16x16x!tt.tile<32x32, bf16>, #l1_>, block_sharded>
// CHECK-LABEL: func.func @results
// CHECK: "ttir.exp"{{.*}} {ttir.placed = [#[[A]], #[[A]]]}
// CHECK: "ttir.abs"{{.*}} {ttir.placed = [#[[A]], unit]}
// CHECK: "ttir.add"{{.*}} {ttir.placed = [#[[A]], unit, unit]}
func.func @results(%x: tensor<512x512xbf16, #a>) -> tensor<512x512xbf16> {
  %0 = tensor.empty() : tensor<512x512xbf16>
  %1 = "ttir.exp"(%x, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<512x512xbf16, #a>, tensor<512x512xbf16>) -> tensor<512x512xbf16>
  %2 = tensor.empty() : tensor<512x512xbf16>
  %3 = "ttir.abs"(%1, %2) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<512x512xbf16>, tensor<512x512xbf16>) -> tensor<512x512xbf16>
  %4 = tensor.empty() : tensor<512x512xbf16>
  %5 = "ttir.add"(%1, %3, %4) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<512x512xbf16>, tensor<512x512xbf16>, tensor<512x512xbf16>) -> tensor<512x512xbf16>
  return %5 : tensor<512x512xbf16>
}

// An input that has no room beside the result is read from DRAM.
// CHECK-LABEL: func.func @inputs
// CHECK: "ttir.add"{{.*}} {ttir.placed = [#[[A]], unit, #[[A]]]}
func.func @inputs(%x: tensor<512x512xbf16, #a>, %y: tensor<512x512xbf16>) -> tensor<512x512xbf16> {
  %0 = tensor.empty() : tensor<512x512xbf16>
  %1 = "ttir.add"(%x, %y, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<512x512xbf16, #a>, tensor<512x512xbf16>, tensor<512x512xbf16>) -> tensor<512x512xbf16>
  return %1 : tensor<512x512xbf16>
}

// Elements are kept from their first reader to their last only where there is room in between; else
// they are made again.
// CHECK-LABEL: func.func @makings
// CHECK: %[[C0:.*]] = "ttir.constant"{{.*}} -> tensor<512x256xbf16, #[[H:.*]]>
// CHECK: "ttir.add"(%{{.*}}, %[[C0]],
// CHECK: "ttir.to_layout"{{.*}}#[[A]]
// CHECK: "ttir.matmul"
// CHECK: %[[C1:.*]] = "ttir.constant"{{.*}} -> tensor<512x256xbf16, #[[H]]>
// CHECK: "ttir.add"(%{{.*}}, %[[C1]],
// CHECK: "ttir.add"(%{{.*}}, %[[C1]],
#h = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<16x8x!tt.tile<32x32, bf16>, #l1>, block_sharded>
#host = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<512x512xbf16, #tt.memory_space<system>>>
func.func @makings(%x: tensor<512x256xbf16, #h>, %y: tensor<512x512xbf16, #host>) -> tensor<512x256xbf16> {
  %c = "ttir.constant"() <{value = dense<2.0> : tensor<512x256xbf16>}> : () -> tensor<512x256xbf16>
  %0 = tensor.empty() : tensor<512x256xbf16>
  %1 = "ttir.add"(%x, %c, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<512x256xbf16, #h>, tensor<512x256xbf16>, tensor<512x256xbf16>) -> tensor<512x256xbf16>
  %2 = tensor.empty() : tensor<512x512xbf16, #a>
  %3 = "ttir.to_layout"(%y, %2) : (tensor<512x512xbf16, #host>, tensor<512x512xbf16, #a>) -> tensor<512x512xbf16, #a>
  %4 = tensor.empty() : tensor<512x256xbf16>
  %5 = "ttir.matmul"(%3, %1, %4) <{operand_constraints = [#any, #any, #any]}> : (tensor<512x512xbf16, #a>, tensor<512x256xbf16>, tensor<512x256xbf16>) -> tensor<512x256xbf16>
  %6 = tensor.empty() : tensor<512x256xbf16>
  %7 = "ttir.add"(%x, %c, %6) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<512x256xbf16, #h>, tensor<512x256xbf16>, tensor<512x256xbf16>) -> tensor<512x256xbf16>
  %8 = tensor.empty() : tensor<512x256xbf16>
  %9 = "ttir.add"(%7, %c, %8) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<512x256xbf16>, tensor<512x256xbf16>, tensor<512x256xbf16>) -> tensor<512x256xbf16>
  %10 = tensor.empty() : tensor<512x256xbf16>
  %11 = "ttir.add"(%9, %5, %10) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<512x256xbf16>, tensor<512x256xbf16>, tensor<512x256xbf16>) -> tensor<512x256xbf16>
  return %11 : tensor<512x256xbf16>
}
