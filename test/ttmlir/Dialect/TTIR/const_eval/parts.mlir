// RUN: ttmlir-opt --ttir-load-system-desc --ttir-layout --ttir-const-eval --split-input-file %s | FileCheck %s
// RUN: ttmlir-opt --ttir-load-system-desc --ttir-layout --ttir-const-eval --remarks --split-input-file %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK: remark: [Passed] Cached | Category:ttir-const-eval | Function=dense_const_eval_0
// What depends on parameters and constants alone moves into functions of its own.

#any = #tt.operand_constraint<any_device>

// The layout change of a weight; the input stays.
// CHECK-LABEL: func.func private @dense_const_eval_0(
// CHECK-SAME: tensor<64x96xf32, #[[HOST:.*]]>) -> tensor<64x96xf32, #[[DRAM:.*]]> attributes {tt.const_eval}
// CHECK: "ttir.to_layout"
// CHECK-NOT: "ttir.matmul"
// CHECK: return
// CHECK-LABEL: func.func @dense(
// CHECK-SAME: %[[X:.*]]: tensor<32x64xf32, #{{.*}}>, %[[W:[^:]*]]: tensor<64x96xf32, #[[HOST]]> {tt.argument_type = #tt.argument_type<parameter>}
// CHECK: %[[CACHED:.*]] = tt.load_cached(@dense_const_eval_0, [%[[W]]]) : (tensor<64x96xf32, #[[HOST]]>) -> tensor<64x96xf32, #[[DRAM]]>
// CHECK: %[[PLACED:.*]] = "ttir.to_layout"(%[[X]]
// CHECK: "ttir.matmul"(%[[PLACED]], %[[CACHED]]
func.func @dense(%x: tensor<32x64xf32>, %w: tensor<64x96xf32> {tt.argument_type = #tt.argument_type<parameter>}) -> tensor<32x96xf32> {
  %0 = tensor.empty() : tensor<32x96xf32>
  %1 = "ttir.matmul"(%x, %w, %0) <{operand_constraints = [#any, #any, #any]}> : (tensor<32x64xf32>, tensor<64x96xf32>, tensor<32x96xf32>) -> tensor<32x96xf32>
  return %1 : tensor<32x96xf32>
}

// -----

#any = #tt.operand_constraint<any_device>

// Ops that share a value are in one function, others in another; constants count as
// parameters.
// CHECK-LABEL: func.func private @parts_const_eval_0(
// CHECK: "ttir.to_layout"
// CHECK: "ttir.exp"
// CHECK-NOT: "ttir.negative"
// CHECK: return %{{.*}}, %{{.*}} :
// CHECK-LABEL: func.func private @parts_const_eval_1()
// CHECK: "ttir.constant"
// CHECK: return
// CHECK-LABEL: func.func @parts(
// CHECK: %[[WS:.*]]:2 = tt.load_cached(@parts_const_eval_0, [%{{.*}}])
// CHECK: %[[C:.*]] = tt.load_cached(@parts_const_eval_1, [])
// CHECK: %[[SUM:.*]] = "ttir.add"(%{{.*}}, %[[WS]]#1
// CHECK: %[[PRODUCT:.*]] = "ttir.multiply"(%[[SUM]], %[[WS]]#0
// CHECK: "ttir.add"(%[[PRODUCT]], %[[C]]
func.func @parts(%x: tensor<32x32xf32>, %w: tensor<32x32xf32> {tt.argument_type = #tt.argument_type<constant>}) -> tensor<32x32xf32> {
  %0 = tensor.empty() : tensor<32x32xf32>
  %1 = "ttir.exp"(%w, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %2 = tensor.empty() : tensor<32x32xf32>
  %3 = "ttir.add"(%x, %1, %2) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %4 = tensor.empty() : tensor<32x32xf32>
  %5 = "ttir.multiply"(%3, %w, %4) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %6 = "ttir.constant"() <{value = dense<"0x0000803F00000040"> : tensor<1x2xf32>}> : () -> tensor<1x2xf32>
  %7 = tensor.empty() : tensor<32x32xf32>
  %8 = tensor.empty() : tensor<1x32xf32>
  %9 = "ttir.repeat"(%6, %8) <{operand_constraints = [#any, #any], repeat_dimensions = array<i64: 1, 16>}> : (tensor<1x2xf32>, tensor<1x32xf32>) -> tensor<1x32xf32>
  %10 = "ttir.add"(%5, %9, %7) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<32x32xf32>, tensor<1x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  return %10 : tensor<32x32xf32>
}

// -----

#any = #tt.operand_constraint<any_device>

// What is returned is the caller's; an argument of no type is an input.
// CHECK-NOT: tt.load_cached
// CHECK-LABEL: func.func @returned(
// CHECK: "ttir.exp"
// CHECK-NOT: tt.load_cached
func.func @returned(%x: tensor<32x32xf32>, %y: tensor<32x32xf32> {tt.argument_type = #tt.argument_type<input>}) -> tensor<32x32xf32> {
  %0 = tensor.empty() : tensor<32x32xf32>
  %1 = "ttir.exp"(%x, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  return %1 : tensor<32x32xf32>
}

// -----

#any = #tt.operand_constraint<any_device>

// Splats are made where they are used.
// CHECK-NOT: tt.load_cached
// CHECK-LABEL: func.func @splat(
// CHECK-NOT: tt.load_cached
func.func @splat(%x: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %0 = "ttir.constant"() <{value = dense<2.0> : tensor<32x32xf32>}> : () -> tensor<32x32xf32>
  %1 = tensor.empty() : tensor<32x32xf32>
  %2 = "ttir.add"(%x, %0, %1) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  return %2 : tensor<32x32xf32>
}

// -----

#any = #tt.operand_constraint<any_device>

// The first op of a function may move, and so may that of another part behind it.
// CHECK-LABEL: func.func @first(
// CHECK-NEXT: %[[C:.*]] = tt.load_cached(@first_const_eval_0, [])
// CHECK-NEXT: %[[W:.*]] = tt.load_cached(@first_const_eval_1, [%{{.*}}])
// CHECK: %[[SUM:.*]] = "ttir.add"(%{{.*}}, %[[W]]
// CHECK: "ttir.add"(%[[SUM]], %[[C]]
func.func @first(%x: tensor<1x4xf32>, %w: tensor<1x4xf32> {tt.argument_type = #tt.argument_type<parameter>}) -> tensor<1x4xf32> {
  %0 = "ttir.constant"() <{value = dense<"0x0000803F00000040"> : tensor<1x2xf32>}> : () -> tensor<1x2xf32>
  %1 = tensor.empty() : tensor<1x4xf32>
  %2 = "ttir.repeat"(%0, %1) <{operand_constraints = [#any, #any], repeat_dimensions = array<i64: 1, 2>}> : (tensor<1x2xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
  %3 = tensor.empty() : tensor<1x4xf32>
  %4 = "ttir.exp"(%w, %3) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
  %5 = tensor.empty() : tensor<1x4xf32>
  %6 = "ttir.add"(%x, %4, %5) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
  %7 = tensor.empty() : tensor<1x4xf32>
  %8 = "ttir.add"(%6, %2, %7) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
  return %8 : tensor<1x4xf32>
}

// -----

#any = #tt.operand_constraint<any_device>

// A fill makes a number that is one of f32; another integer is sent to the device, once.
// CHECK-LABEL: func.func private @integers_const_eval_0
// CHECK: "ttir.constant"() <{value = dense<466688987>
// CHECK-NOT: "ttir.constant"
// CHECK-LABEL: func.func @integers
// CHECK: tt.load_cached(@integers_const_eval_0, [])
// CHECK: "ttir.constant"() <{value = dense<3>
func.func @integers(%x: tensor<64x64xi32>) -> tensor<64x64xi32> {
  %large = "ttir.constant"() <{value = dense<466688987> : tensor<1x1xi32>}> : () -> tensor<1x1xi32>
  %small = "ttir.constant"() <{value = dense<3> : tensor<1x1xi32>}> : () -> tensor<1x1xi32>
  %0 = tensor.empty() : tensor<64x64xi32>
  %1 = "ttir.add"(%x, %large, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x64xi32>, tensor<1x1xi32>, tensor<64x64xi32>) -> tensor<64x64xi32>
  %2 = tensor.empty() : tensor<64x64xi32>
  %3 = "ttir.add"(%1, %small, %2) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x64xi32>, tensor<1x1xi32>, tensor<64x64xi32>) -> tensor<64x64xi32>
  return %3 : tensor<64x64xi32>
}
