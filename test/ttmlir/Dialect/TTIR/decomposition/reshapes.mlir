// RUN: ttmlir-opt --ttir-decomposition %s | FileCheck %s
// Elementwise ops behind a product work on its rows, from where the next one takes them; a reshape
// takes tiles, or gives them, where its neighbours have them.
#any = #tt.operand_constraint<any_device>
// CHECK-DAG: #[[TILES:.*]] = #tt.operand_constraint<dram|tile|none|
// CHECK-DAG: #[[ROWS:.*]] = #tt.operand_constraint<dram|scalar|none|
// CHECK-LABEL: func.func @block
// CHECK: %[[X:.*]] = "ttir.reshape"(%arg0, {{.*}}operand_constraints = [#[[ROWS]], #[[TILES]]]{{.*}} -> tensor<81x64xbf16>
// CHECK: %[[P:.*]] = "ttir.matmul"(%[[X]], {{.*}} -> tensor<81x32xbf16>
// CHECK: %[[R:.*]] = "ttir.relu"(%[[P]], {{.*}} -> tensor<81x32xbf16>
// CHECK-NOT: ttir.reshape
// CHECK: %[[Q:.*]] = "ttir.matmul"(%[[R]], {{.*}} -> tensor<81x64xbf16>
// CHECK: %[[S:.*]] = "ttir.add"(%[[X]], %[[Q]], {{.*}} -> tensor<81x64xbf16>
// CHECK: %[[B:.*]] = "ttir.add"(%[[S]], %{{.*}} (tensor<81x64xbf16>, tensor<64xbf16>, tensor<81x64xbf16>)
// CHECK: %[[Y:.*]] = "ttir.reshape"(%[[B]], {{.*}}operand_constraints = [#[[TILES]], #[[ROWS]]]{{.*}} -> tensor<1x9x9x64xbf16>
// CHECK: return %[[Y]]
func.func @block(%x: tensor<1x9x9x64xbf16>, %v: tensor<64x32xbf16>, %w: tensor<32x64xbf16>, %b: tensor<64xbf16>) -> tensor<1x9x9x64xbf16> {
  %0 = tensor.empty() : tensor<81x64xbf16>
  %1 = "ttir.reshape"(%x, %0) <{operand_constraints = [#any, #any], shape = [81 : i32, 64 : i32]}> : (tensor<1x9x9x64xbf16>, tensor<81x64xbf16>) -> tensor<81x64xbf16>
  %2 = tensor.empty() : tensor<81x32xbf16>
  %3 = "ttir.matmul"(%1, %v, %2) <{operand_constraints = [#any, #any, #any]}> : (tensor<81x64xbf16>, tensor<64x32xbf16>, tensor<81x32xbf16>) -> tensor<81x32xbf16>
  %4 = tensor.empty() : tensor<1x9x9x32xbf16>
  %5 = "ttir.reshape"(%3, %4) <{operand_constraints = [#any, #any], shape = [1 : i32, 9 : i32, 9 : i32, 32 : i32]}> : (tensor<81x32xbf16>, tensor<1x9x9x32xbf16>) -> tensor<1x9x9x32xbf16>
  %6 = tensor.empty() : tensor<1x9x9x32xbf16>
  %7 = "ttir.relu"(%5, %6) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<1x9x9x32xbf16>, tensor<1x9x9x32xbf16>) -> tensor<1x9x9x32xbf16>
  %8 = tensor.empty() : tensor<81x32xbf16>
  %9 = "ttir.reshape"(%7, %8) <{operand_constraints = [#any, #any], shape = [81 : i32, 32 : i32]}> : (tensor<1x9x9x32xbf16>, tensor<81x32xbf16>) -> tensor<81x32xbf16>
  %10 = tensor.empty() : tensor<81x64xbf16>
  %11 = "ttir.matmul"(%9, %w, %10) <{operand_constraints = [#any, #any, #any]}> : (tensor<81x32xbf16>, tensor<32x64xbf16>, tensor<81x64xbf16>) -> tensor<81x64xbf16>
  %12 = tensor.empty() : tensor<1x9x9x64xbf16>
  %13 = "ttir.reshape"(%11, %12) <{operand_constraints = [#any, #any], shape = [1 : i32, 9 : i32, 9 : i32, 64 : i32]}> : (tensor<81x64xbf16>, tensor<1x9x9x64xbf16>) -> tensor<1x9x9x64xbf16>
  %14 = tensor.empty() : tensor<1x9x9x64xbf16>
  %15 = "ttir.add"(%x, %13, %14) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<1x9x9x64xbf16>, tensor<1x9x9x64xbf16>, tensor<1x9x9x64xbf16>) -> tensor<1x9x9x64xbf16>
  %16 = tensor.empty() : tensor<1x9x9x64xbf16>
  %17 = "ttir.add"(%15, %b, %16) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<1x9x9x64xbf16>, tensor<64xbf16>, tensor<1x9x9x64xbf16>) -> tensor<1x9x9x64xbf16>
  return %17 : tensor<1x9x9x64xbf16>
}
// What a product reads around its elements is made with the tiles: these come from rows.
// CHECK-LABEL: func.func @partial_tiles
// CHECK: "ttir.reshape"(%arg0, {{.*}}operand_constraints = [#[[ROWS]], #[[ROWS]]]{{.*}} -> tensor<81x40xbf16>
func.func @partial_tiles(%x: tensor<1x9x9x40xbf16>, %v: tensor<40x32xbf16>) -> tensor<81x32xbf16> {
  %0 = tensor.empty() : tensor<81x40xbf16>
  %1 = "ttir.reshape"(%x, %0) <{operand_constraints = [#any, #any], shape = [81 : i32, 40 : i32]}> : (tensor<1x9x9x40xbf16>, tensor<81x40xbf16>) -> tensor<81x40xbf16>
  %2 = tensor.empty() : tensor<81x32xbf16>
  %3 = "ttir.matmul"(%1, %v, %2) <{operand_constraints = [#any, #any, #any]}> : (tensor<81x40xbf16>, tensor<40x32xbf16>, tensor<81x32xbf16>) -> tensor<81x32xbf16>
  return %3 : tensor<81x32xbf16>
}
