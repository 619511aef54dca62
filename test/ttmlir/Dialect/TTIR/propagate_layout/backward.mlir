// RUN: ttmlir-opt --ttir-propagate-layout %s | FileCheck %s
// RUN: ttmlir-opt --ttir-propagate-layout --ttir-layout %s | FileCheck %s --check-prefix=LAID
// Backward: what a placed result needs, and where a value without a layout is made.
#l1 = #tt.memory_space<l1>
#any = #tt.operand_constraint<any_device>
#host = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x64xbf16, #tt.memory_space<system>>>
#a = #tt.layout<(d0, d1) -> (d0, d1), undef, <2x2>, memref<1x1x!tt.tile<32x32, bf16>, #l1>, block_sharded>
#b = #tt.layout<(d0, d1) -> (d0, d1), undef, <2x1>, memref<1x2x!tt.tile<32x32, bf16>, #l1>, height_sharded>
#dram = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<2x2x!tt.tile<32x32, bf16>, #tt.memory_space<dram>>, interleaved>
// CHECK-DAG: #[[A:.*]] = #tt.layout<{{.*}}<2x2>, memref<1x1x!tt.tile<32x32, bf16>, #l1_>, block_sharded>
// CHECK-DAG: #[[B:.*]] = #tt.layout<{{.*}}<2x1>, memref<1x2x!tt.tile<32x32, bf16>, #l1_>, height_sharded>
// LAID-DAG: #[[A:.*]] = #tt.layout<{{.*}}<2x2>, memref<1x1x!tt.tile<32x32, bf16>, #l1_>, block_sharded>
// LAID-DAG: #[[B:.*]] = #tt.layout<{{.*}}<2x1>, memref<1x2x!tt.tile<32x32, bf16>, #l1_>, height_sharded>

// A product is made where the addition needs it, through an op in between; what it reads is moved once.
// CHECK-LABEL: func.func @producers
// CHECK: "ttir.matmul"{{.*}} {ttir.placed = [unit, unit, #[[A]]]}
// CHECK: "ttir.exp"{{.*}} {ttir.placed = [#[[A]], #[[A]]]}
// CHECK: "ttir.add"{{.*}} {ttir.placed = [#[[A]], #[[A]], #[[A]]]}
// LAID-LABEL: func.func @producers
// LAID: "ttir.matmul"
// LAID-NOT: "ttir.to_layout"
// LAID: "ttir.add"
func.func @producers(%x: tensor<64x64xbf16, #a>, %y: tensor<64x64xbf16>) -> tensor<64x64xbf16> {
  %0 = tensor.empty() : tensor<64x64xbf16>
  %1 = "ttir.matmul"(%y, %y, %0) <{operand_constraints = [#any, #any, #any]}> : (tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
  %2 = tensor.empty() : tensor<64x64xbf16>
  %3 = "ttir.exp"(%1, %2) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
  %4 = tensor.empty() : tensor<64x64xbf16>
  %5 = "ttir.add"(%3, %x, %4) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x64xbf16>, tensor<64x64xbf16, #a>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
  return %5 : tensor<64x64xbf16>
}

// A result goes to where the signature says, without a move.
// CHECK-LABEL: func.func @signature
// CHECK: "ttir.matmul"{{.*}} {ttir.placed = [unit, unit, #[[B]]]}
// LAID-LABEL: func.func @signature
// LAID: %[[M:.*]] = "ttir.matmul"
// LAID-NEXT: return %[[M]]
func.func @signature(%y: tensor<64x64xbf16>) -> tensor<64x64xbf16, #b> {
  %0 = tensor.empty() : tensor<64x64xbf16, #b>
  %1 = "ttir.matmul"(%y, %y, %0) <{operand_constraints = [#any, #any, #any]}> : (tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xbf16, #b>) -> tensor<64x64xbf16, #b>
  return %1 : tensor<64x64xbf16, #b>
}

// Two readers want different layouts: the first has its way, the other gets one move.
// CHECK-LABEL: func.func @two_readers
// CHECK: %[[M:.*]] = "ttir.matmul"{{.*}} {ttir.placed = [unit, unit, #[[A]]]}
// CHECK: "ttir.add"(%[[M]], {{.*}} {ttir.placed = [#[[A]], #[[A]], #[[A]]]}
// CHECK: "ttir.add"(%[[M]], {{.*}} {ttir.placed = [#[[B]], #[[B]], #[[B]]]}
// LAID-LABEL: func.func @two_readers
// LAID: %[[M:.*]] = "ttir.matmul"
// LAID-NOT: "ttir.to_layout"
// LAID: "ttir.add"(%[[M]],
// LAID-NEXT: %[[E:.*]] = tensor.empty() : tensor<64x64xbf16, #[[B]]>
// LAID-NEXT: %[[T:.*]] = "ttir.to_layout"(%[[M]], %[[E]])
// LAID-NEXT: tensor.empty
// LAID-NEXT: "ttir.add"(%[[T]],
func.func @two_readers(%y: tensor<64x64xbf16>, %a: tensor<64x64xbf16, #a>, %b: tensor<64x64xbf16, #b>) -> (tensor<64x64xbf16>, tensor<64x64xbf16>) {
  %0 = tensor.empty() : tensor<64x64xbf16>
  %1 = "ttir.matmul"(%y, %y, %0) <{operand_constraints = [#any, #any, #any]}> : (tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
  %2 = tensor.empty() : tensor<64x64xbf16>
  %3 = "ttir.add"(%1, %a, %2) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x64xbf16>, tensor<64x64xbf16, #a>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
  %4 = tensor.empty() : tensor<64x64xbf16>
  %5 = "ttir.add"(%1, %b, %4) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x64xbf16>, tensor<64x64xbf16, #b>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
  return %3, %5 : tensor<64x64xbf16>, tensor<64x64xbf16>
}

// Inputs that disagree: who reads the result decides, else the first input. One move either way.
// CHECK-LABEL: func.func @disagree
// CHECK: "ttir.add"{{.*}} {ttir.placed = [#[[A]], #[[A]], #[[A]]]} 
// CHECK: "ttir.multiply"{{.*}} {ttir.placed = [#[[B]], #[[B]], #[[B]]]}
// LAID-LABEL: func.func @disagree
// LAID-COUNT-3: "ttir.to_layout"
// LAID-NOT: "ttir.to_layout"
// LAID: return
func.func @disagree(%a: tensor<64x64xbf16, #a>, %b: tensor<64x64xbf16, #b>) -> (tensor<64x64xbf16>, tensor<64x64xbf16, #b>) {
  %0 = tensor.empty() : tensor<64x64xbf16>
  %1 = "ttir.add"(%a, %b, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x64xbf16, #a>, tensor<64x64xbf16, #b>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
  %2 = tensor.empty() : tensor<64x64xbf16, #b>
  %3 = "ttir.multiply"(%a, %b, %2) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x64xbf16, #a>, tensor<64x64xbf16, #b>, tensor<64x64xbf16, #b>) -> tensor<64x64xbf16, #b>
  return %1, %3 : tensor<64x64xbf16>, tensor<64x64xbf16, #b>
}

// What a layout change reads is not made in its layout; what lies in DRAM by an anchor, and what comes
// from there, stays there until its reader.
// CHECK-LABEL: func.func @boundaries
// CHECK: "ttir.matmul"
// CHECK-NOT: ttir.placed
// CHECK: "ttir.to_layout"{{.*}} {ttir.placed = [unit, #[[A]]]}
// CHECK: "ttir.exp"
// CHECK-NOT: ttir.placed
// CHECK: "ttir.add"{{.*}} {ttir.placed = [#[[A]], #[[A]], #[[A]]]}
func.func @boundaries(%y: tensor<64x64xbf16>, %d: tensor<64x64xbf16, #dram>) -> tensor<64x64xbf16> {
  %0 = tensor.empty() : tensor<64x64xbf16, #host>
  %1 = "ttir.matmul"(%y, %y, %0) <{operand_constraints = [#any, #any, #any]}> : (tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xbf16, #host>) -> tensor<64x64xbf16, #host>
  %2 = tensor.empty() : tensor<64x64xbf16, #a>
  %3 = "ttir.to_layout"(%1, %2) : (tensor<64x64xbf16, #host>, tensor<64x64xbf16, #a>) -> tensor<64x64xbf16, #a>
  %4 = tensor.empty() : tensor<64x64xbf16>
  %5 = "ttir.exp"(%d, %4) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x64xbf16, #dram>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
  %6 = tensor.empty() : tensor<64x64xbf16>
  %7 = "ttir.add"(%3, %5, %6) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x64xbf16, #a>, tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
  return %7 : tensor<64x64xbf16>
}
