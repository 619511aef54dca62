// RUN: ttmlir-opt --ttir-propagate-layout %s | FileCheck %s
// Forward: the result of an elementwise op goes to where its inputs lie, if those that have a say agree.
#l1 = #tt.memory_space<l1>
#any = #tt.operand_constraint<any_device>
#dram_only = #tt.operand_constraint<dram|tile|interleaved>
#host = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<64x128xbf16, #tt.memory_space<system>>>
#a = #tt.layout<(d0, d1) -> (d0, d1), undef, <2x4>, memref<1x1x!tt.tile<32x32, bf16>, #l1>, block_sharded>
#block = #tt.layout<(d0, d1) -> (d0, d1), zero, <2x4>, memref<1x1x!tt.tile<32x32, bfp_bf8>, #l1>, block_sharded>
#dram = #tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<2x4x!tt.tile<32x32, bf16>, #tt.memory_space<dram>>, interleaved>
// CHECK-DAG: #[[A:.*]] = #tt.layout<{{.*}}undef, <2x4>, memref<1x1x!tt.tile<32x32, bf16>, #l1_>, block_sharded>
// CHECK-DAG: #[[F:.*]] = #tt.layout<{{.*}}undef, <2x4>, memref<1x1x!tt.tile<32x32, f32>, #l1_>, block_sharded>
// CHECK-DAG: #[[BLOCK:.*]] = #tt.layout<{{.*}}zero, <2x4>, memref<1x1x!tt.tile<32x32, bfp_bf8>, #l1_>, block_sharded>

// A chain, with an input that nobody has placed and one that is broadcast; elements keep their own
// format.
// CHECK-LABEL: func.func @chain
// CHECK: "ttir.add"{{.*}} {ttir.placed = [#[[A]], #[[A]], #[[A]]]}
// CHECK: "ttir.multiply"{{.*}} {ttir.placed = [unit, #[[A]], #[[A]]]}
// CHECK: "ttir.typecast"{{.*}} {ttir.placed = [#[[A]], #[[F]]]}
func.func @chain(%x: tensor<64x128xbf16, #a>, %y: tensor<64x128xbf16>, %s: tensor<64x1xbf16>) -> tensor<64x128xf32> {
  %0 = tensor.empty() : tensor<64x128xbf16>
  %1 = "ttir.add"(%x, %y, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x128xbf16, #a>, tensor<64x128xbf16>, tensor<64x128xbf16>) -> tensor<64x128xbf16>
  %2 = tensor.empty() : tensor<64x128xbf16>
  %3 = "ttir.multiply"(%s, %1, %2) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x1xbf16>, tensor<64x128xbf16>, tensor<64x128xbf16>) -> tensor<64x128xbf16>
  %4 = tensor.empty() : tensor<64x128xf32>
  %5 = "ttir.typecast"(%3, %4) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x128xbf16>, tensor<64x128xf32>) -> tensor<64x128xf32>
  return %5 : tensor<64x128xf32>
}

// The condition lies elsewhere and stays there.
// CHECK-LABEL: func.func @condition
// CHECK-SAME: %[[C:[a-z0-9]*]]: tensor<64x128xbf16, #[[BLOCK]]>
// CHECK: "ttir.where"(%[[C]], {{.*}} {ttir.placed = [#[[BLOCK]], #[[A]], #[[A]], #[[A]]]}
func.func @condition(%c: tensor<64x128xbf16, #block>, %x: tensor<64x128xbf16, #a>) -> tensor<64x128xbf16> {
  %k = "ttir.full"() <{fill_value = 0.5 : f32, shape = array<i32: 64, 128>}> : () -> tensor<64x128xbf16>
  %0 = tensor.empty() : tensor<64x128xbf16>
  %1 = "ttir.where"(%c, %x, %k, %0) <{operandSegmentSizes = array<i32: 3, 1>, operand_constraints = [#any, #any, #any, #any]}> : (tensor<64x128xbf16, #block>, tensor<64x128xbf16, #a>, tensor<64x128xbf16>, tensor<64x128xbf16>) -> tensor<64x128xbf16>
  return %1 : tensor<64x128xbf16>
}

// A condition alone places nothing; the op only reads it where it lies.
// CHECK-LABEL: func.func @only_condition
// CHECK: "ttir.where"{{.*}} {ttir.placed = [#[[A]], unit, unit, unit]}
func.func @only_condition(%c: tensor<64x128xbf16, #a>, %x: tensor<64x128xbf16>, %y: tensor<64x128xbf16>) -> tensor<64x128xbf16> {
  %0 = tensor.empty() : tensor<64x128xbf16>
  %1 = "ttir.where"(%c, %x, %y, %0) <{operandSegmentSizes = array<i32: 3, 1>, operand_constraints = [#any, #any, #any, #any]}> : (tensor<64x128xbf16, #a>, tensor<64x128xbf16>, tensor<64x128xbf16>, tensor<64x128xbf16>) -> tensor<64x128xbf16>
  return %1 : tensor<64x128xbf16>
}

// Formats and padding are no reason to disagree, and block floats are not carried on.
// CHECK-LABEL: func.func @formats
// CHECK: "ttir.add"{{.*}} {ttir.placed = [#[[BLOCK]], #[[A]], #[[A]]]}
func.func @formats(%x: tensor<64x128xbf16, #block>, %y: tensor<64x128xbf16, #a>) -> tensor<64x128xbf16> {
  %0 = tensor.empty() : tensor<64x128xbf16>
  %1 = "ttir.add"(%x, %y, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x128xbf16, #block>, tensor<64x128xbf16, #a>, tensor<64x128xbf16>) -> tensor<64x128xbf16>
  return %1 : tensor<64x128xbf16>
}

// An op that cannot write there writes where ttir-layout says, and one that is not elementwise carries
// nothing.
// CHECK-LABEL: func.func @not_allowed
// CHECK: "ttir.exp"{{.*}} {ttir.placed = [#[[A]], unit]}
// CHECK: "ttir.softmax"{{.*}} {ttir.placed = [#[[A]], unit]}
func.func @not_allowed(%x: tensor<64x128xbf16, #a>) -> (tensor<64x128xbf16>, tensor<64x128xbf16>) {
  %0 = tensor.empty() : tensor<64x128xbf16>
  %1 = "ttir.exp"(%x, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #dram_only]}> : (tensor<64x128xbf16, #a>, tensor<64x128xbf16>) -> tensor<64x128xbf16>
  %2 = tensor.empty() : tensor<64x128xbf16>
  %3 = "ttir.softmax"(%x, %2) <{dimension = 1 : si32, operand_constraints = [#any, #any]}> : (tensor<64x128xbf16, #a>, tensor<64x128xbf16>) -> tensor<64x128xbf16>
  return %1, %3 : tensor<64x128xbf16>, tensor<64x128xbf16>
}

// DRAM is carried nowhere, nor is host memory: without other anchors nothing changes.
// CHECK-LABEL: func.func @nothing
// CHECK-NOT: ttir.placed
// CHECK: return
func.func @nothing(%x: tensor<64x128xbf16, #dram>, %y: tensor<64x128xbf16, #host>) -> tensor<64x128xbf16> {
  %c = "ttir.constant"() <{value = dense<2.0> : tensor<64x128xbf16>}> : () -> tensor<64x128xbf16>
  %0 = tensor.empty() : tensor<64x128xbf16>
  %1 = "ttir.add"(%x, %y, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x128xbf16, #dram>, tensor<64x128xbf16, #host>, tensor<64x128xbf16>) -> tensor<64x128xbf16>
  %2 = tensor.empty() : tensor<64x128xbf16>
  %3 = "ttir.add"(%1, %c, %2) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x128xbf16>, tensor<64x128xbf16>, tensor<64x128xbf16>) -> tensor<64x128xbf16>
  return %3 : tensor<64x128xbf16>
}
