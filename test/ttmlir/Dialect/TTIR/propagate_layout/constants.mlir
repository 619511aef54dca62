// RUN: ttmlir-opt --ttir-propagate-layout %s | FileCheck %s
// RUN: ttmlir-opt --ttir-propagate-layout --ttir-propagate-layout %s | FileCheck %s
// RUN: ttmlir-opt --ttir-propagate-layout --ttir-layout %s | FileCheck %s --check-prefix=LAID
// A constant is made for each layout in which it is read, in front of its first reader there; no
// layout change of a constant is left.
#l1 = #tt.memory_space<l1>
#any = #tt.operand_constraint<any_device>
#host = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x64xbf16, #tt.memory_space<system>>>
#a = #tt.layout<(d0, d1) -> (d0, d1), undef, <2x2>, memref<1x1x!tt.tile<32x32, bf16>, #l1>, block_sharded>
#b = #tt.layout<(d0, d1) -> (d0, d1), undef, <2x1>, memref<1x2x!tt.tile<32x32, bf16>, #l1>, height_sharded>
#dram = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<2x2x!tt.tile<32x32, bf16>, #tt.memory_space<dram>>, interleaved>
// CHECK-DAG: #[[A:.*]] = #tt.layout<{{.*}}<2x2>, memref<1x1x!tt.tile<32x32, bf16>, #l1_>, block_sharded>
// CHECK-DAG: #[[B:.*]] = #tt.layout<{{.*}}<2x1>, memref<1x2x!tt.tile<32x32, bf16>, #l1_>, height_sharded>
// CHECK-DAG: #[[DRAM:.*]] = #tt.layout<{{.*}}#dram>, interleaved>

// A splat that two layout changes and an addition read; the addition's two readers share one. The
// softmax, which wants it nowhere, keeps the old one.
// CHECK-LABEL: func.func @splat
// CHECK: %[[C:.*]] = "ttir.constant"{{.*}} -> tensor<64x64xbf16, #{{.*}}>
// CHECK: %[[CA:.*]] = "ttir.constant"() <{value = dense<2.000000e+00> : tensor<64x64xbf16>}> : () -> tensor<64x64xbf16, #[[A]]>
// CHECK-NOT: "ttir.to_layout"
// CHECK: "ttir.add"(%{{.*}}, %[[CA]],
// CHECK: "ttir.multiply"(%{{.*}}, %[[CA]],
// CHECK: %[[CB:.*]] = "ttir.constant"{{.*}} -> tensor<64x64xbf16, #[[B]]>
// CHECK-NEXT: tensor.empty
// CHECK-NEXT: "ttir.exp"(%[[CB]],
// CHECK: %[[CD:.*]] = "ttir.constant"{{.*}} -> tensor<64x64xbf16, #[[DRAM]]>
// CHECK-NEXT: tensor.empty
// CHECK-NEXT: "ttir.exp"(%[[CD]],
// CHECK: "ttir.softmax"(%[[C]],
// LAID-LABEL: func.func @splat
// LAID-NOT: "ttir.to_layout"(%c
// LAID-COUNT-4: "ttir.constant"
// LAID: return
func.func @splat(%x: tensor<64x64xbf16, #a>) -> (tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xbf16>) {
  %c = "ttir.constant"() <{value = dense<2.0> : tensor<64x64xbf16>}> : () -> tensor<64x64xbf16, #host>
  %0 = tensor.empty() : tensor<64x64xbf16>
  %1 = "ttir.add"(%x, %c, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x64xbf16, #a>, tensor<64x64xbf16, #host>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
  %2 = tensor.empty() : tensor<64x64xbf16>
  %3 = "ttir.multiply"(%1, %c, %2) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x64xbf16>, tensor<64x64xbf16, #host>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
  %4 = tensor.empty() : tensor<64x64xbf16, #b>
  %5 = "ttir.to_layout"(%c, %4) : (tensor<64x64xbf16, #host>, tensor<64x64xbf16, #b>) -> tensor<64x64xbf16, #b>
  %6 = tensor.empty() : tensor<64x64xbf16>
  %7 = "ttir.exp"(%5, %6) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x64xbf16, #b>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
  %8 = tensor.empty() : tensor<64x64xbf16, #dram>
  %9 = "ttir.to_layout"(%c, %8) : (tensor<64x64xbf16, #host>, tensor<64x64xbf16, #dram>) -> tensor<64x64xbf16, #dram>
  %10 = tensor.empty() : tensor<64x64xbf16>
  %11 = "ttir.exp"(%9, %10) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x64xbf16, #dram>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
  %12 = tensor.empty() : tensor<64x64xbf16>
  %13 = "ttir.softmax"(%c, %12) <{dimension = 1 : si32, operand_constraints = [#any, #any]}> : (tensor<64x64xbf16, #host>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
  return %3, %7, %11, %13 : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xbf16>
}

// Elements that differ, and what makes tensors in other ways, with or without a layout change. A fill,
// which can be written in few layouts, becomes a constant.
// CHECK-LABEL: func.func @kinds
// CHECK-SAME: %[[X:[a-z0-9]*]]: tensor<2x2xbf16
// CHECK: %[[C:.*]] = "ttir.constant"() <{value = dense<{{.*}}1.000000e+00, 2.000000e+00{{.*}}-> tensor<2x2xbf16, #[[SMALL:.*]]>
// CHECK: "ttir.add"(%[[X]], %[[C]],
// CHECK: %[[F:.*]] = "ttir.full"{{.*}} -> tensor<2x2xbf16, #[[SMALL]]>
// CHECK: "ttir.add"(%{{.*}}, %[[F]],
// CHECK: %[[R:.*]] = "ttir.arange"{{.*}} -> tensor<2x2xbf16, #[[SMALL]]>
// CHECK: "ttir.add"(%{{.*}}, %[[R]],
// CHECK-NOT: "ttir.fill"
// CHECK: %[[L:.*]] = "ttir.constant"{{.*}}1.000000e+00{{.*}} -> tensor<2x2xbf16, #[[SMALL]]>
// CHECK-NEXT: "ttir.add"(%{{.*}}, %[[L]],
// CHECK: %[[E:.*]] = tensor.empty() : tensor<2x2xbf16, #[[SMALL]]>
// CHECK: "ttir.add"(%{{.*}}, %[[E]],
// LAID-LABEL: func.func @kinds
// LAID-COUNT-1: "ttir.to_layout"
// LAID-NOT: "ttir.to_layout"
// LAID: return
#small_host = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<2x2xbf16, #tt.memory_space<system>>>
#small = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<1x1x!tt.tile<32x32, bf16>, #l1>, block_sharded>
func.func @kinds(%x: tensor<2x2xbf16, #small>) -> tensor<2x2xbf16> {
  %c = "ttir.constant"() <{value = dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xbf16>}> : () -> tensor<2x2xbf16>
  %f = "ttir.full"() <{fill_value = 0.5 : f32, shape = array<i32: 2, 2>}> : () -> tensor<2x2xbf16>
  %r = "ttir.arange"() <{arange_dimension = 1 : i64, end = 2 : si64, start = 0 : si64, step = 1 : si64}> : () -> tensor<2x2xbf16, #small_host>
  %d = tensor.empty() : tensor<2x2xbf16>
  %l = "ttir.fill"(%d) <{operand_constraints = [#any], value = dense<1.0> : tensor<2x2xbf16>}> : (tensor<2x2xbf16>) -> tensor<2x2xbf16>
  %e = tensor.empty() : tensor<2x2xbf16>
  %0 = tensor.empty() : tensor<2x2xbf16>
  %1 = "ttir.add"(%x, %c, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<2x2xbf16, #small>, tensor<2x2xbf16>, tensor<2x2xbf16>) -> tensor<2x2xbf16>
  %2 = "ttir.add"(%1, %f, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<2x2xbf16>, tensor<2x2xbf16>, tensor<2x2xbf16>) -> tensor<2x2xbf16>
  %3 = tensor.empty() : tensor<2x2xbf16, #small>
  %4 = "ttir.to_layout"(%r, %3) : (tensor<2x2xbf16, #small_host>, tensor<2x2xbf16, #small>) -> tensor<2x2xbf16, #small>
  %5 = "ttir.add"(%2, %4, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<2x2xbf16>, tensor<2x2xbf16, #small>, tensor<2x2xbf16>) -> tensor<2x2xbf16>
  %6 = "ttir.add"(%5, %l, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<2x2xbf16>, tensor<2x2xbf16>, tensor<2x2xbf16>) -> tensor<2x2xbf16>
  %7 = "ttir.add"(%6, %e, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<2x2xbf16>, tensor<2x2xbf16>, tensor<2x2xbf16>) -> tensor<2x2xbf16>
  return %7 : tensor<2x2xbf16>
}

// What the region of an elementwise op reads from outside, whole or broadcast, becomes an input of the
// op, in the layout that it wants and that others want, too.
// CHECK-LABEL: func.func @region
// CHECK: %[[C:.*]] = "ttir.constant"() <{value = dense<2.000000e+00> : tensor<64x64xbf16>}> : () -> tensor<64x64xbf16, #[[A]]>
// CHECK-NEXT: "ttir.generic"(%{{.*}}, %[[C]], %[[R:.*]], %{{.*}}) {{.*}}indexing_maps = [#[[ALL:.*]], #[[ALL]], #[[ROW:.*]], #[[ALL]]]
// CHECK-NEXT: ^bb0(%[[P:.*]]: tensor<64x64xbf16>, %[[IN:.*]]: tensor<64x64xbf16>, %[[SIDE:.*]]: tensor<64x1xbf16>, %{{.*}}: tensor<64x64xbf16>):
// CHECK-NEXT: "ttir.maximum"(%[[P]], %[[IN]],
// CHECK-NEXT: "ttir.add"(%{{.*}}, %[[SIDE]],
// CHECK: ttir.placed = [#[[A]], #[[A]], unit, #[[A]]]
// CHECK: "ttir.add"(%{{.*}}, %[[C]],
// CHECK-NOT: "ttir.constant"
#map = affine_map<(d0, d1) -> (d0, d1)>
#parallel = #tt.iterator_type<parallel>
func.func @region(%x: tensor<64x64xbf16, #a>) -> (tensor<64x64xbf16>, tensor<64x64xbf16>) {
  %c = "ttir.constant"() <{value = dense<2.0> : tensor<64x64xbf16>}> : () -> tensor<64x64xbf16>
  %r = "ttir.full"() <{fill_value = 0.5 : f32, shape = array<i32: 64, 1>}> : () -> tensor<64x1xbf16>
  %0 = tensor.empty() : tensor<64x64xbf16>
  %1 = "ttir.generic"(%x, %0) <{grid = #tt.grid<1x1>, indexing_maps = [#map, #map], iterator_types = [#parallel, #parallel], operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> ({
  ^bb0(%p: tensor<64x64xbf16>, %q: tensor<64x64xbf16>):
    %4 = "ttir.maximum"(%p, %c, %q) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
    %5 = "ttir.add"(%4, %r, %q) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x64xbf16>, tensor<64x1xbf16>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
    "ttir.yield"(%5) : (tensor<64x64xbf16>) -> ()
  }) : (tensor<64x64xbf16, #a>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
  %2 = tensor.empty() : tensor<64x64xbf16>
  %3 = "ttir.add"(%1, %c, %2) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
  return %1, %3 : tensor<64x64xbf16>, tensor<64x64xbf16>
}

// A layout change of a layout change: both read the constant.
// CHECK-LABEL: func.func @twice
// CHECK-NOT: "ttir.to_layout"
// CHECK: %[[CB:.*]] = "ttir.constant"{{.*}} -> tensor<64x64xbf16, #[[B]]>
// CHECK-NEXT: %[[CA:.*]] = "ttir.constant"{{.*}} -> tensor<64x64xbf16, #[[A]]>
// CHECK-NEXT: return %[[CB]], %[[CA]]
func.func @twice() -> (tensor<64x64xbf16, #b>, tensor<64x64xbf16, #a>) {
  %c = "ttir.constant"() <{value = dense<2.0> : tensor<64x64xbf16>}> : () -> tensor<64x64xbf16, #host>
  %0 = tensor.empty() : tensor<64x64xbf16, #a>
  %1 = "ttir.to_layout"(%c, %0) : (tensor<64x64xbf16, #host>, tensor<64x64xbf16, #a>) -> tensor<64x64xbf16, #a>
  %2 = tensor.empty() : tensor<64x64xbf16, #b>
  %3 = "ttir.to_layout"(%1, %2) : (tensor<64x64xbf16, #a>, tensor<64x64xbf16, #b>) -> tensor<64x64xbf16, #b>
  return %3, %1 : tensor<64x64xbf16, #b>, tensor<64x64xbf16, #a>
}

// But what was rounded to block floats on the way is not what the constant is.
// CHECK-LABEL: func.func @rounded
// CHECK: %[[C8:.*]] = "ttir.constant"{{.*}} -> tensor<64x64xbf16, #[[A8:.*]]>
// CHECK: %[[R:.*]] = "ttir.to_layout"(%[[C8]],
// CHECK: return %[[R]]
#a8 = #tt.layout<(d0, d1) -> (d0, d1), undef, <2x2>, memref<1x1x!tt.tile<32x32, bfp_bf8>, #l1>, block_sharded>
func.func @rounded() -> tensor<64x64xbf16, #a> {
  %k = "ttir.constant"() <{value = dense<2.0> : tensor<64x64xbf16>}> : () -> tensor<64x64xbf16, #host>
  %0 = tensor.empty() : tensor<64x64xbf16, #a8>
  %1 = "ttir.to_layout"(%k, %0) : (tensor<64x64xbf16, #host>, tensor<64x64xbf16, #a8>) -> tensor<64x64xbf16, #a8>
  %2 = tensor.empty() : tensor<64x64xbf16, #a>
  %3 = "ttir.to_layout"(%1, %2) : (tensor<64x64xbf16, #a8>, tensor<64x64xbf16, #a>) -> tensor<64x64xbf16, #a>
  return %3 : tensor<64x64xbf16, #a>
}

// A constant that the author has placed stays for who reads it there and is made for the others. It is
// the destination of an op, too, which does not make it another value.
// CHECK-LABEL: func.func @placed
// CHECK: %[[CA:.*]] = "ttir.constant"{{.*}} -> tensor<64x64xbf16, #[[A]]>
// CHECK-NEXT: %[[S:.*]] = "ttir.add"(%{{.*}}, %[[CA]], %[[CA]]) {{.*}}ttir.placed = [#[[A]], #[[A]], #[[A]]]
// CHECK-NEXT: tensor.empty
// CHECK-NEXT: %[[CB:.*]] = "ttir.constant"{{.*}} -> tensor<64x64xbf16, #[[B]]>
// CHECK-NEXT: "ttir.add"(%{{.*}}, %[[CB]], %{{.*}}) {{.*}}ttir.placed = [#[[B]], #[[B]], #[[B]]]
// CHECK-NOT: "ttir.constant"
// CHECK: return %[[S]], %{{.*}}, %[[CA]]
func.func @placed(%x: tensor<64x64xbf16, #a>, %y: tensor<64x64xbf16, #b>) -> (tensor<64x64xbf16, #a>, tensor<64x64xbf16>, tensor<64x64xbf16, #a>) {
  %c = "ttir.constant"() <{value = dense<2.0> : tensor<64x64xbf16>}> : () -> tensor<64x64xbf16, #a>
  %0 = "ttir.add"(%x, %c, %c) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x64xbf16, #a>, tensor<64x64xbf16, #a>, tensor<64x64xbf16, #a>) -> tensor<64x64xbf16, #a>
  %1 = tensor.empty() : tensor<64x64xbf16>
  %2 = "ttir.add"(%y, %c, %1) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x64xbf16, #b>, tensor<64x64xbf16, #a>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
  return %0, %2, %c : tensor<64x64xbf16, #a>, tensor<64x64xbf16>, tensor<64x64xbf16, #a>
}

// The region of a loop is like the block around it: what is read in it stands in front of the loop,
// once for all readers.
// CHECK-LABEL: func.func @loop
// CHECK: %[[CA:.*]] = "ttir.constant"{{.*}} -> tensor<64x64xbf16, #[[A]]>
// CHECK-NEXT: %[[CB:.*]] = "ttir.constant"{{.*}} -> tensor<64x64xbf16, #[[B]]>
// CHECK-NEXT: scf.for
// CHECK: "ttir.add"(%{{.*}}, %[[CA]],
// CHECK-NEXT: "ttir.add"(%{{.*}}, %[[CB]],
// CHECK: }
// CHECK: "ttir.add"(%{{.*}}, %[[CA]],
func.func @loop(%x: tensor<64x64xbf16, #a>, %y: tensor<64x64xbf16, #b>, %n: index) -> tensor<64x64xbf16> {
  %c = "ttir.constant"() <{value = dense<2.0> : tensor<64x64xbf16>}> : () -> tensor<64x64xbf16>
  %0 = tensor.empty() : tensor<64x64xbf16>
  scf.for %i = %n to %n step %n {
    %1 = "ttir.add"(%x, %c, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x64xbf16, #a>, tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
    %2 = "ttir.add"(%y, %c, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x64xbf16, #b>, tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
  }
  %3 = "ttir.add"(%x, %c, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x64xbf16, #a>, tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
  return %3 : tensor<64x64xbf16>
}
