// RUN: ttmlir-opt --tosa-to-ttir %s | FileCheck %s
// RUN: ttmlir-opt --tosa-to-ttir-pipeline="enable-remove-dead-values=true" %s | FileCheck %s
// RUN: ttmlir-opt --tosa-to-ttir --ttir-to-ttnn-backend-pipeline %s | FileCheck --check-prefix=TTNN %s
// Private functions are inlined, and what came out twice is there once.

// CHECK-NOT: func.func private
// CHECK-LABEL: func.func @main
// CHECK: "ttir.exp"
// CHECK-NOT: "ttir.exp"
// CHECK: "ttir.add"
// TTNN: "ttnn.exp"
// TTNN: "ttnn.add"
func.func private @callee(%a: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %0 = tosa.exp %a : (tensor<32x32xf32>) -> tensor<32x32xf32>
  return %0 : tensor<32x32xf32>
}
func.func @main(%a: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %0 = call @callee(%a) : (tensor<32x32xf32>) -> tensor<32x32xf32>
  %1 = call @callee(%a) : (tensor<32x32xf32>) -> tensor<32x32xf32>
  %2 = tosa.add %0, %1 : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  return %2 : tensor<32x32xf32>
}
