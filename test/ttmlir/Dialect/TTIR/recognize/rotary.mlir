// RUN: ttmlir-opt --ttir-recognize %s | FileCheck %s
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_device|any_device_tile>

// As transformers has it: both halves, the second one negated, change places.
// CHECK-LABEL: func.func @heads(
// CHECK-NOT: ttir.concat
// CHECK: %[[R:.*]] = "ttir.rotary_embedding"(%arg0, %arg1, %arg2, %{{.*}}) {{.*}} : (tensor<2x4x40x64xbf16>, tensor<2x1x40x64xbf16>, tensor<2x1x40x64xbf16>, tensor<2x4x40x64xbf16>) -> tensor<2x4x40x64xbf16>
// CHECK-NEXT: return %[[R]]
func.func @heads(%x: tensor<2x4x40x64xbf16>, %c: tensor<2x1x40x64xbf16>, %s: tensor<2x1x40x64xbf16>) -> tensor<2x4x40x64xbf16> {
  %e = tensor.empty() : tensor<2x4x40x64xbf16>
  %h = tensor.empty() : tensor<2x4x40x32xbf16>
  %2 = "ttir.slice"(%x, %h) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [2 : i32, 4 : i32, 40 : i32, 32 : i32], operand_constraints = [#any, #any], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<2x4x40x64xbf16>, tensor<2x4x40x32xbf16>) -> tensor<2x4x40x32xbf16>
  %3 = "ttir.slice"(%x, %h) <{begins = [0 : i32, 0 : i32, 0 : i32, 32 : i32], ends = [2 : i32, 4 : i32, 40 : i32, 64 : i32], operand_constraints = [#any, #any], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<2x4x40x64xbf16>, tensor<2x4x40x32xbf16>) -> tensor<2x4x40x32xbf16>
  %4 = "ttir.neg"(%3, %h) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<2x4x40x32xbf16>, tensor<2x4x40x32xbf16>) -> tensor<2x4x40x32xbf16>
  %5 = "ttir.concat"(%4, %2, %e) <{dim = -1 : si32, operand_constraints = [#any, #any, #any]}> : (tensor<2x4x40x32xbf16>, tensor<2x4x40x32xbf16>, tensor<2x4x40x64xbf16>) -> tensor<2x4x40x64xbf16>
  %6 = "ttir.multiply"(%x, %c, %e) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<2x4x40x64xbf16>, tensor<2x1x40x64xbf16>, tensor<2x4x40x64xbf16>) -> tensor<2x4x40x64xbf16>
  %7 = "ttir.multiply"(%5, %s, %e) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<2x4x40x64xbf16>, tensor<2x1x40x64xbf16>, tensor<2x4x40x64xbf16>) -> tensor<2x4x40x64xbf16>
  %8 = "ttir.add"(%6, %7, %e) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<2x4x40x64xbf16>, tensor<2x4x40x64xbf16>, tensor<2x4x40x64xbf16>) -> tensor<2x4x40x64xbf16>
  return %8 : tensor<2x4x40x64xbf16>
}

// A decode step, operands in another order, tables of two dimensions.
// CHECK-LABEL: func.func @swapped(
// CHECK: %[[C:.*]] = "ttir.reshape"(%arg1, {{.*}} -> tensor<1x1x40x64xbf16>
// CHECK: %[[S:.*]] = "ttir.reshape"(%arg2, {{.*}} -> tensor<1x1x40x64xbf16>
// CHECK: "ttir.rotary_embedding"(%arg0, %[[C]], %[[S]], %{{.*}})
func.func @swapped(%x: tensor<2x4x40x64xbf16>, %c: tensor<40x64xbf16>, %s: tensor<40x64xbf16>) -> tensor<2x4x40x64xbf16> {
  %e = tensor.empty() : tensor<2x4x40x64xbf16>
  %h = tensor.empty() : tensor<2x4x40x32xbf16>
  %2 = "ttir.slice"(%x, %h) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [2 : i32, 4 : i32, 40 : i32, 32 : i32], operand_constraints = [#any, #any], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<2x4x40x64xbf16>, tensor<2x4x40x32xbf16>) -> tensor<2x4x40x32xbf16>
  %3 = "ttir.slice"(%x, %h) <{begins = [0 : i32, 0 : i32, 0 : i32, 32 : i32], ends = [2 : i32, 4 : i32, 40 : i32, 64 : i32], operand_constraints = [#any, #any], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<2x4x40x64xbf16>, tensor<2x4x40x32xbf16>) -> tensor<2x4x40x32xbf16>
  %4 = "ttir.neg"(%3, %h) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<2x4x40x32xbf16>, tensor<2x4x40x32xbf16>) -> tensor<2x4x40x32xbf16>
  %5 = "ttir.concat"(%4, %2, %e) <{dim = -1 : si32, operand_constraints = [#any, #any, #any]}> : (tensor<2x4x40x32xbf16>, tensor<2x4x40x32xbf16>, tensor<2x4x40x64xbf16>) -> tensor<2x4x40x64xbf16>
  %6 = "ttir.multiply"(%c, %x, %e) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<40x64xbf16>, tensor<2x4x40x64xbf16>, tensor<2x4x40x64xbf16>) -> tensor<2x4x40x64xbf16>
  %7 = "ttir.multiply"(%s, %5, %e) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<40x64xbf16>, tensor<2x4x40x64xbf16>, tensor<2x4x40x64xbf16>) -> tensor<2x4x40x64xbf16>
  %8 = "ttir.add"(%7, %6, %e) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<2x4x40x64xbf16>, tensor<2x4x40x64xbf16>, tensor<2x4x40x64xbf16>) -> tensor<2x4x40x64xbf16>
  return %8 : tensor<2x4x40x64xbf16>
}

// Tables that are broadcast first; a row for each batch.
// CHECK-LABEL: func.func @broadcast(
// CHECK: "ttir.rotary_embedding"(%arg0, %arg1, %arg2, %{{.*}}) {{.*}} : (tensor<32x8x1x128xbf16>, tensor<32x1x1x128xbf16>
func.func @broadcast(%x: tensor<32x8x1x128xbf16>, %c: tensor<32x1x1x128xbf16>, %s: tensor<32x1x1x128xbf16>) -> tensor<32x8x1x128xbf16> {
  %e = tensor.empty() : tensor<32x8x1x128xbf16>
  %h = tensor.empty() : tensor<32x8x1x64xbf16>
  %cc = "ttir.broadcast"(%c, %e) <{dimension = [0, 1, 2, 3], operand_constraints = [#any, #any]}> : (tensor<32x1x1x128xbf16>, tensor<32x8x1x128xbf16>) -> tensor<32x8x1x128xbf16>
  %ss = "ttir.broadcast"(%s, %e) <{dimension = [0, 1, 2, 3], operand_constraints = [#any, #any]}> : (tensor<32x1x1x128xbf16>, tensor<32x8x1x128xbf16>) -> tensor<32x8x1x128xbf16>
  %2 = "ttir.slice"(%x, %h) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [32 : i32, 8 : i32, 1 : i32, 64 : i32], operand_constraints = [#any, #any], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<32x8x1x128xbf16>, tensor<32x8x1x64xbf16>) -> tensor<32x8x1x64xbf16>
  %3 = "ttir.slice"(%x, %h) <{begins = [0 : i32, 0 : i32, 0 : i32, 64 : i32], ends = [32 : i32, 8 : i32, 1 : i32, 128 : i32], operand_constraints = [#any, #any], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<32x8x1x128xbf16>, tensor<32x8x1x64xbf16>) -> tensor<32x8x1x64xbf16>
  %4 = "ttir.neg"(%3, %h) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<32x8x1x64xbf16>, tensor<32x8x1x64xbf16>) -> tensor<32x8x1x64xbf16>
  %5 = "ttir.concat"(%4, %2, %e) <{dim = -1 : si32, operand_constraints = [#any, #any, #any]}> : (tensor<32x8x1x64xbf16>, tensor<32x8x1x64xbf16>, tensor<32x8x1x128xbf16>) -> tensor<32x8x1x128xbf16>
  %6 = "ttir.multiply"(%x, %cc, %e) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<32x8x1x128xbf16>, tensor<32x8x1x128xbf16>, tensor<32x8x1x128xbf16>) -> tensor<32x8x1x128xbf16>
  %7 = "ttir.multiply"(%5, %ss, %e) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<32x8x1x128xbf16>, tensor<32x8x1x128xbf16>, tensor<32x8x1x128xbf16>) -> tensor<32x8x1x128xbf16>
  %8 = "ttir.add"(%6, %7, %e) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<32x8x1x128xbf16>, tensor<32x8x1x128xbf16>, tensor<32x8x1x128xbf16>) -> tensor<32x8x1x128xbf16>
  return %8 : tensor<32x8x1x128xbf16>
}

// Halves do not begin with a tile.
// CHECK-LABEL: func.func @narrow(
// CHECK-NOT: ttir.rotary_embedding
func.func @narrow(%x: tensor<2x4x40x32xbf16>, %c: tensor<2x1x40x32xbf16>, %s: tensor<2x1x40x32xbf16>) -> tensor<2x4x40x32xbf16> {
  %e = tensor.empty() : tensor<2x4x40x32xbf16>
  %h = tensor.empty() : tensor<2x4x40x16xbf16>
  %2 = "ttir.slice"(%x, %h) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [2 : i32, 4 : i32, 40 : i32, 16 : i32], operand_constraints = [#any, #any], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<2x4x40x32xbf16>, tensor<2x4x40x16xbf16>) -> tensor<2x4x40x16xbf16>
  %3 = "ttir.slice"(%x, %h) <{begins = [0 : i32, 0 : i32, 0 : i32, 16 : i32], ends = [2 : i32, 4 : i32, 40 : i32, 32 : i32], operand_constraints = [#any, #any], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<2x4x40x32xbf16>, tensor<2x4x40x16xbf16>) -> tensor<2x4x40x16xbf16>
  %4 = "ttir.neg"(%3, %h) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<2x4x40x16xbf16>, tensor<2x4x40x16xbf16>) -> tensor<2x4x40x16xbf16>
  %5 = "ttir.concat"(%4, %2, %e) <{dim = -1 : si32, operand_constraints = [#any, #any, #any]}> : (tensor<2x4x40x16xbf16>, tensor<2x4x40x16xbf16>, tensor<2x4x40x32xbf16>) -> tensor<2x4x40x32xbf16>
  %6 = "ttir.multiply"(%x, %c, %e) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<2x4x40x32xbf16>, tensor<2x1x40x32xbf16>, tensor<2x4x40x32xbf16>) -> tensor<2x4x40x32xbf16>
  %7 = "ttir.multiply"(%5, %s, %e) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<2x4x40x32xbf16>, tensor<2x1x40x32xbf16>, tensor<2x4x40x32xbf16>) -> tensor<2x4x40x32xbf16>
  %8 = "ttir.add"(%6, %7, %e) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<2x4x40x32xbf16>, tensor<2x4x40x32xbf16>, tensor<2x4x40x32xbf16>) -> tensor<2x4x40x32xbf16>
  return %8 : tensor<2x4x40x32xbf16>
}

// Each head has angles of its own.
// CHECK-LABEL: func.func @angles_of_heads(
// CHECK-NOT: ttir.rotary_embedding
func.func @angles_of_heads(%x: tensor<2x4x40x64xbf16>, %c: tensor<2x4x40x64xbf16>, %s: tensor<2x4x40x64xbf16>) -> tensor<2x4x40x64xbf16> {
  %e = tensor.empty() : tensor<2x4x40x64xbf16>
  %h = tensor.empty() : tensor<2x4x40x32xbf16>
  %2 = "ttir.slice"(%x, %h) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [2 : i32, 4 : i32, 40 : i32, 32 : i32], operand_constraints = [#any, #any], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<2x4x40x64xbf16>, tensor<2x4x40x32xbf16>) -> tensor<2x4x40x32xbf16>
  %3 = "ttir.slice"(%x, %h) <{begins = [0 : i32, 0 : i32, 0 : i32, 32 : i32], ends = [2 : i32, 4 : i32, 40 : i32, 64 : i32], operand_constraints = [#any, #any], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<2x4x40x64xbf16>, tensor<2x4x40x32xbf16>) -> tensor<2x4x40x32xbf16>
  %4 = "ttir.neg"(%3, %h) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<2x4x40x32xbf16>, tensor<2x4x40x32xbf16>) -> tensor<2x4x40x32xbf16>
  %5 = "ttir.concat"(%4, %2, %e) <{dim = -1 : si32, operand_constraints = [#any, #any, #any]}> : (tensor<2x4x40x32xbf16>, tensor<2x4x40x32xbf16>, tensor<2x4x40x64xbf16>) -> tensor<2x4x40x64xbf16>
  %6 = "ttir.multiply"(%x, %c, %e) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<2x4x40x64xbf16>, tensor<2x4x40x64xbf16>, tensor<2x4x40x64xbf16>) -> tensor<2x4x40x64xbf16>
  %7 = "ttir.multiply"(%5, %s, %e) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<2x4x40x64xbf16>, tensor<2x4x40x64xbf16>, tensor<2x4x40x64xbf16>) -> tensor<2x4x40x64xbf16>
  %8 = "ttir.add"(%6, %7, %e) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<2x4x40x64xbf16>, tensor<2x4x40x64xbf16>, tensor<2x4x40x64xbf16>) -> tensor<2x4x40x64xbf16>
  return %8 : tensor<2x4x40x64xbf16>
}

// One half twice.
// CHECK-LABEL: func.func @same_half(
// CHECK-NOT: ttir.rotary_embedding
func.func @same_half(%x: tensor<2x4x40x64xbf16>, %c: tensor<2x1x40x64xbf16>, %s: tensor<2x1x40x64xbf16>) -> tensor<2x4x40x64xbf16> {
  %e = tensor.empty() : tensor<2x4x40x64xbf16>
  %h = tensor.empty() : tensor<2x4x40x32xbf16>
  %2 = "ttir.slice"(%x, %h) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [2 : i32, 4 : i32, 40 : i32, 32 : i32], operand_constraints = [#any, #any], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<2x4x40x64xbf16>, tensor<2x4x40x32xbf16>) -> tensor<2x4x40x32xbf16>
  %3 = "ttir.slice"(%x, %h) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [2 : i32, 4 : i32, 40 : i32, 32 : i32], operand_constraints = [#any, #any], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<2x4x40x64xbf16>, tensor<2x4x40x32xbf16>) -> tensor<2x4x40x32xbf16>
  %4 = "ttir.neg"(%3, %h) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<2x4x40x32xbf16>, tensor<2x4x40x32xbf16>) -> tensor<2x4x40x32xbf16>
  %5 = "ttir.concat"(%4, %2, %e) <{dim = -1 : si32, operand_constraints = [#any, #any, #any]}> : (tensor<2x4x40x32xbf16>, tensor<2x4x40x32xbf16>, tensor<2x4x40x64xbf16>) -> tensor<2x4x40x64xbf16>
  %6 = "ttir.multiply"(%x, %c, %e) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<2x4x40x64xbf16>, tensor<2x1x40x64xbf16>, tensor<2x4x40x64xbf16>) -> tensor<2x4x40x64xbf16>
  %7 = "ttir.multiply"(%5, %s, %e) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<2x4x40x64xbf16>, tensor<2x1x40x64xbf16>, tensor<2x4x40x64xbf16>) -> tensor<2x4x40x64xbf16>
  %8 = "ttir.add"(%6, %7, %e) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<2x4x40x64xbf16>, tensor<2x4x40x64xbf16>, tensor<2x4x40x64xbf16>) -> tensor<2x4x40x64xbf16>
  return %8 : tensor<2x4x40x64xbf16>
}

// What something else reads stays.
// CHECK-LABEL: func.func @read_twice(
// CHECK-NOT: ttir.rotary_embedding
func.func @read_twice(%x: tensor<2x4x40x64xbf16>, %c: tensor<2x1x40x64xbf16>, %s: tensor<2x1x40x64xbf16>) -> tensor<2x4x40x64xbf16> {
  %e = tensor.empty() : tensor<2x4x40x64xbf16>
  %h = tensor.empty() : tensor<2x4x40x32xbf16>
  %2 = "ttir.slice"(%x, %h) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [2 : i32, 4 : i32, 40 : i32, 32 : i32], operand_constraints = [#any, #any], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<2x4x40x64xbf16>, tensor<2x4x40x32xbf16>) -> tensor<2x4x40x32xbf16>
  %3 = "ttir.slice"(%x, %h) <{begins = [0 : i32, 0 : i32, 0 : i32, 32 : i32], ends = [2 : i32, 4 : i32, 40 : i32, 64 : i32], operand_constraints = [#any, #any], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<2x4x40x64xbf16>, tensor<2x4x40x32xbf16>) -> tensor<2x4x40x32xbf16>
  %4 = "ttir.neg"(%3, %h) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<2x4x40x32xbf16>, tensor<2x4x40x32xbf16>) -> tensor<2x4x40x32xbf16>
  %5 = "ttir.concat"(%4, %2, %e) <{dim = -1 : si32, operand_constraints = [#any, #any, #any]}> : (tensor<2x4x40x32xbf16>, tensor<2x4x40x32xbf16>, tensor<2x4x40x64xbf16>) -> tensor<2x4x40x64xbf16>
  %6 = "ttir.multiply"(%x, %c, %e) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<2x4x40x64xbf16>, tensor<2x1x40x64xbf16>, tensor<2x4x40x64xbf16>) -> tensor<2x4x40x64xbf16>
  %7 = "ttir.multiply"(%5, %s, %e) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<2x4x40x64xbf16>, tensor<2x1x40x64xbf16>, tensor<2x4x40x64xbf16>) -> tensor<2x4x40x64xbf16>
  %8 = "ttir.add"(%6, %7, %e) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<2x4x40x64xbf16>, tensor<2x4x40x64xbf16>, tensor<2x4x40x64xbf16>) -> tensor<2x4x40x64xbf16>
  %9 = "ttir.add"(%8, %5, %e) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<2x4x40x64xbf16>, tensor<2x4x40x64xbf16>, tensor<2x4x40x64xbf16>) -> tensor<2x4x40x64xbf16>
  return %9 : tensor<2x4x40x64xbf16>
}
