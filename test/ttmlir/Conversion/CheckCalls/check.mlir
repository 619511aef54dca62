// RUN: ttmlir-opt --check-calls %s | FileCheck %s
// RUN: ttmlir-opt --convert-scf-to-tt %s | FileCheck %s --check-prefix=INLINED
// A function may be called often, from other functions too.

// CHECK-COUNT-4: call @
// INLINED-LABEL: func.func @main(
// INLINED-COUNT-4: arith.addf
// INLINED-NOT: call
func.func private @twice(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.addf %a, %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @both(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @twice(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = call @twice(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @both(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = call @both(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
