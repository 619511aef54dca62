// RUN: ttmlir-opt %s -split-input-file -verify-diagnostics
// Elements and result are of one type.
func.func @shape() {
  // expected-error @+1 {{have same shape: value is 'tensor<2xf32>', result is 'tensor<3xf32>'}}
  %0 = "ttir.constant"() <{value = dense<1.0> : tensor<2xf32>}> : () -> tensor<3xf32>
  return
}

// -----

func.func @element() {
  // expected-error @+1 {{have same shape: value is 'tensor<2xf32>', result is 'tensor<2xbf16>'}}
  %0 = "ttir.constant"() <{value = dense<1.0> : tensor<2xf32>}> : () -> tensor<2xbf16>
  return
}
