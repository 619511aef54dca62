// RUN: ttmlir-opt --ttir-allocate %s | FileCheck %s
// RUN: ttmlir-opt --ttir-allocate --remarks %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// Where L1 would be more than half full, tensors take the places of those that are not needed
// any more: smallest hole first; neighbours become one; what lives until the return stays.
// REMARK-DAG: remark: [Passed] Reused | Category:ttir-allocate | Function=reuse | Op=func.func, Reason="tensors in l1 take {{[0-9]+}} bytes a core: one takes the place of those that are not needed any more", Rejected="a place for each: {{[0-9]+}} bytes
#l1_ = #tt.memory_space<l1>
#big = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<512x128xf32, #l1_>>
#small = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<256x128xf32, #l1_>>
#c = #tt.operand_constraint<any>
// CHECK-LABEL: func.func @reuse
// CHECK-SAME: tt.arg_alloc = [#tt.arg_alloc<1024, 262144, l1>, #tt.arg_alloc<263168, 131072, l1>]
// CHECK: %[[A:.*]] = "ttir.alloc"() <{address = 394240 :
// CHECK: %[[KEPT:.*]] = "ttir.alloc"() <{address = 656384 :
// CHECK: %[[B:.*]] = "ttir.alloc"() <{address = 787456 :
// CHECK: "ttir.dealloc"(%[[A]])
// CHECK: %[[C:.*]] = "ttir.alloc"() <{address = 394240 :
// CHECK: "ttir.dealloc"(%[[B]])
// CHECK: %[[D:.*]] = "ttir.alloc"() <{address = 787456 :
// CHECK-NOT: "ttir.dealloc"(%[[KEPT]])
func.func @reuse(%arg0: tensor<512x128xf32, #big>, %arg1: tensor<256x128xf32, #small>) -> (tensor<512x128xf32, #big>, tensor<256x128xf32, #small>) {
  %0 = tensor.empty() : tensor<512x128xf32, #big>
  %1 = "ttir.exp"(%arg0, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#c, #c]}> : (tensor<512x128xf32, #big>, tensor<512x128xf32, #big>) -> tensor<512x128xf32, #big>
  %2 = tensor.empty() : tensor<256x128xf32, #small>
  %3 = "ttir.exp"(%arg1, %2) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#c, #c]}> : (tensor<256x128xf32, #small>, tensor<256x128xf32, #small>) -> tensor<256x128xf32, #small>
  %4 = tensor.empty() : tensor<512x128xf32, #big>
  %5 = "ttir.abs"(%1, %4) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#c, #c]}> : (tensor<512x128xf32, #big>, tensor<512x128xf32, #big>) -> tensor<512x128xf32, #big>
  %6 = tensor.empty() : tensor<512x128xf32, #big>
  %7 = "ttir.abs"(%5, %6) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#c, #c]}> : (tensor<512x128xf32, #big>, tensor<512x128xf32, #big>) -> tensor<512x128xf32, #big>
  %8 = tensor.empty() : tensor<512x128xf32, #big>
  %9 = "ttir.neg"(%7, %8) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#c, #c]}> : (tensor<512x128xf32, #big>, tensor<512x128xf32, #big>) -> tensor<512x128xf32, #big>
  return %9, %3 : tensor<512x128xf32, #big>, tensor<256x128xf32, #small>
}

// DRAM is used again from a 64th of it on.
#dram = #tt.memory_space<dram>
#activation = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<16384x2048xf32, #dram>, interleaved>
// CHECK-LABEL: func.func @chain
// CHECK: %[[A:.*]] = "ttir.alloc"() <{address = [[FIRST:[0-9]+]] : i64
// CHECK: "ttir.alloc"() <{address = [[SECOND:[0-9]+]] : i64
// CHECK: "ttir.dealloc"(%[[A]])
// CHECK: "ttir.alloc"() <{address = [[FIRST]] : i64
// CHECK: "ttir.alloc"() <{address = [[SECOND]] : i64
func.func @chain(%arg0: tensor<16384x2048xf32, #activation>) -> tensor<16384x2048xf32, #activation> {
  %0 = tensor.empty() : tensor<16384x2048xf32, #activation>
  %1 = "ttir.abs"(%arg0, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#c, #c]}> : (tensor<16384x2048xf32, #activation>, tensor<16384x2048xf32, #activation>) -> tensor<16384x2048xf32, #activation>
  %2 = tensor.empty() : tensor<16384x2048xf32, #activation>
  %3 = "ttir.abs"(%1, %2) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#c, #c]}> : (tensor<16384x2048xf32, #activation>, tensor<16384x2048xf32, #activation>) -> tensor<16384x2048xf32, #activation>
  %4 = tensor.empty() : tensor<16384x2048xf32, #activation>
  %5 = "ttir.abs"(%3, %4) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#c, #c]}> : (tensor<16384x2048xf32, #activation>, tensor<16384x2048xf32, #activation>) -> tensor<16384x2048xf32, #activation>
  %6 = tensor.empty() : tensor<16384x2048xf32, #activation>
  %7 = "ttir.abs"(%5, %6) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#c, #c]}> : (tensor<16384x2048xf32, #activation>, tensor<16384x2048xf32, #activation>) -> tensor<16384x2048xf32, #activation>
  return %7 : tensor<16384x2048xf32, #activation>
}
