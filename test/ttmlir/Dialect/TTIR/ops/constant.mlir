// RUN: ttmlir-opt %s -split-input-file -verify-diagnostics | FileCheck %s
// RUN: ttmlir-opt %s -split-input-file -verify-diagnostics -canonicalize -cse | FileCheck %s --check-prefix=FOLD
// Constants print their value; equal ones become one, dead ones go.
// CHECK-LABEL: func.func @constants
// CHECK: "ttir.constant"() <{value = dense<0> : tensor<2x3xi32>}> : () -> tensor<2x3xi32>
// CHECK: "ttir.constant"() <{value = dense<[2.000000e-01, 1.300000e+00]> : tensor<2xf32>}> : () -> tensor<2xf32>
// FOLD-LABEL: func.func @constants
// FOLD-NEXT: %[[C:.*]] = "ttir.constant"() <{value = dense<[2.000000e-01, 1.300000e+00]> : tensor<2xf32>}>
// FOLD-NEXT: return %[[C]], %[[C]]
func.func @constants() -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = "ttir.constant"() <{value = dense<0> : tensor<2x3xi32>}> : () -> tensor<2x3xi32>
  %1 = "ttir.constant"() <{value = dense<[0.2, 1.3]> : tensor<2xf32>}> : () -> tensor<2xf32>
  %2 = "ttir.constant"() <{value = dense<[0.2, 1.3]> : tensor<2xf32>}> : () -> tensor<2xf32>
  return %1, %2 : tensor<2xf32>, tensor<2xf32>
}

// -----

func.func @shape() {
  // expected-error @+1 {{'ttir.constant' op failed to verify that all of {value, result} have same shape: value is 'tensor<2xf32>', result is 'tensor<3xf32>'}}
  %0 = "ttir.constant"() <{value = dense<[0.2, 1.3]> : tensor<2xf32>}> : () -> tensor<3xf32>
  return
}
