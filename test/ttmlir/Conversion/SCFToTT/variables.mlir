// RUN: ttmlir-opt --convert-scf-to-tt %s | FileCheck %s
// RUN: ttmlir-opt --tosa-to-ttir %s | FileCheck %s --check-prefix=TTIR
// A variable is an argument behind those of the callers, and a result where it is written.

// CHECK: tt.variable @count : tensor<1xi32> = dense<3> : tensor<1xi32>
// CHECK: tt.variable @state : tensor<4xf32>
// TTIR: tt.variable @count : tensor<1xsi32> = dense<3> : tensor<1xsi32>
tosa.variable @count = dense<3> : tensor<1xi32>
tosa.variable @state : tensor<4xf32>

// CHECK-LABEL: func.func @read(
// CHECK-SAME: %[[S:.*]]: tensor<4xf32> {tt.variable = @state}) -> tensor<4xf32> {
// CHECK-NEXT: return %[[S]] : tensor<4xf32>
func.func @read() -> tensor<4xf32> {
  %0 = tosa.variable_read @state : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// The value that is read behind a write is the one that was written.
// CHECK-LABEL: func.func @write(
// CHECK-SAME: %[[A:.*]]: tensor<4xf32>, %{{.*}}: tensor<4xf32> {tt.variable = @state}) -> (tensor<4xf32>, tensor<4xf32> {tt.variable = @state}) {
// CHECK-NEXT: %[[T:.*]] = tosa.tanh %[[A]]
// CHECK-NEXT: return %[[T]], %[[A]] :
func.func @write(%a: tensor<4xf32>) -> tensor<4xf32> {
  tosa.variable_write @state, %a : tensor<4xf32>
  %0 = tosa.variable_read @state : tensor<4xf32>
  %1 = tosa.tanh %0 : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// A loop carries what it writes; a branch that does not write passes on what there was.
// CHECK-LABEL: func.func @loop(
// CHECK: %[[R:.*]]:2 = tt.while(@loop_before_{{[0-9]+}}, @loop_after_{{[0-9]+}}, [%{{.*}}, %{{.*}}], [
// CHECK: return %[[R]]#0, %[[R]]#1
// CHECK: func.func private @loop_else_{{[0-9]+}}(%[[N:.*]]: tensor<1xi32>, %[[I:.*]]: tensor<i32>)
// CHECK-NEXT: return %[[I]], %[[N]] : tensor<i32>, tensor<1xi32>
func.func @loop(%a: tensor<i32>, %n: tensor<i32>, %c: tensor<i1>) -> tensor<i32> {
  %one = "tosa.const"() <{values = dense<1> : tensor<i32>}> : () -> tensor<i32>
  %r = tosa.while_loop (%i = %a) : (tensor<i32>) -> tensor<i32> {
    %0 = tosa.greater %n, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    tosa.yield %0 : tensor<i1>
  } do {
  ^bb0(%i: tensor<i32>):
    %0 = tosa.add %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %x = tosa.cond_if %c : tensor<i1> -> tensor<i32> {
      %k = tosa.variable_read @count : tensor<1xi32>
      %l = tosa.add %k, %k : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
      tosa.variable_write @count, %l : tensor<1xi32>
      tosa.yield %0 : tensor<i32>
    } else {
      tosa.yield %0 : tensor<i32>
    }
    tosa.yield %x : tensor<i32>
  }
  return %r : tensor<i32>
}
