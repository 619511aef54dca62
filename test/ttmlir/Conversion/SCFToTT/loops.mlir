// RUN: ttmlir-opt --convert-scf-to-tt --split-input-file %s | FileCheck %s
// RUN: ttmlir-opt --convert-scf-to-tt --split-input-file --remarks %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK: remark: [Passed] Outlined | Category:convert-scf-to-tt
// REMARK: remark: [Passed] Unrolled | Category:convert-scf-to-tt
// Regions become parts of the program, numbers tensors of one element.

#any = #tt.operand_constraint<any_device>

// A counter that nobody reads is not carried; what the body takes from outside is captured.
// CHECK-LABEL: func.func @counted(
// CHECK: %[[R:.*]] = tt.for(@counted_for_0, 8, [%arg0], [%arg1]) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
// CHECK-NEXT: return %[[R]]
// CHECK: func.func private @counted_for_0(%arg0: tensor<64x64xf32>, %arg1: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {tt.part}
// CHECK: "ttir.add"(%arg0, %arg1,
func.func @counted(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%x = %a) -> (tensor<64x64xf32>) {
    %0 = tensor.empty() : tensor<64x64xf32>
    %1 = "ttir.add"(%x, %b, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.yield %1 : tensor<64x64xf32>
  }
  return %r : tensor<64x64xf32>
}

// -----

#any = #tt.operand_constraint<any_device>

// A loop of one turn is its body, and of none what it begins with; what does not depend on the turn is in front.
// CHECK-LABEL: func.func @few(
// CHECK-NOT: tt.for
// CHECK: "ttir.exp"(%arg0
// CHECK: %[[E:.*]] = "ttir.exp"(%arg1
// CHECK: tt.for(@few_for_{{[0-9]}}, 3, [{{.*}}], [%[[E]]])
func.func @few(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %once = scf.for %i = %c0 to %c1 step %c1 iter_args(%x = %a) -> (tensor<64x64xf32>) {
    %0 = tensor.empty() : tensor<64x64xf32>
    %1 = "ttir.exp"(%x, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.yield %1 : tensor<64x64xf32>
  }
  %never = scf.for %i = %c3 to %c1 step %c1 iter_args(%x = %once) -> (tensor<64x64xf32>) {
    scf.yield %b : tensor<64x64xf32>
  }
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %never) -> (tensor<64x64xf32>) {
    %0 = tensor.empty() : tensor<64x64xf32>
    %1 = "ttir.exp"(%b, %0) <{operandSegmentSizes = array<i32: 1, 1>, operand_constraints = [#any, #any]}> : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %2 = "ttir.add"(%x, %1, %0) <{operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.yield %2 : tensor<64x64xf32>
  }
  return %r : tensor<64x64xf32>
}

// -----

// Bounds of the run, and a number that the body reads: the loop asks before each turn.
// CHECK-LABEL: func.func @dynamic(
// CHECK: tt.while(@dynamic_before_0, @dynamic_after_1, [%{{.*}}, %{{.*}}],
// CHECK: func.func private @dynamic_before_0(
// CHECK: "ttir.lt"
// CHECK: func.func private @dynamic_after_1(
// CHECK: "ttir.add"
func.func @dynamic(%n: tensor<1xi32>) -> tensor<1xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0 : i32
  %m = tensor.extract %n[%c0] : tensor<1xi32>
  %top = arith.index_cast %m : i32 to index
  %r = scf.for %i = %c0 to %top step %c1 iter_args(%s = %z) -> (i32) {
    %j = arith.index_cast %i : index to i32
    %t = arith.addi %s, %j : i32
    scf.yield %t : i32
  }
  %o = tensor.from_elements %r : tensor<1xi32>
  return %o : tensor<1xi32>
}

// -----

// A switch is a chain of conditions.
// CHECK-LABEL: func.func @switch(
// CHECK: "ttir.eq"
// CHECK: tt.if(@switch_then_{{[0-9]}}, @switch_else_{{[0-9]}},
// CHECK: func.func private @switch_else_{{[0-9]}}(
func.func @switch(%n: tensor<1xi32>, %a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %m = tensor.extract %n[%c0] : tensor<1xi32>
  %k = arith.index_cast %m : i32 to index
  %r = scf.index_switch %k -> tensor<4xf32>
  case 2 {
    scf.yield %a : tensor<4xf32>
  }
  case 5 {
    scf.yield %b : tensor<4xf32>
  }
  default {
    scf.yield %a : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
