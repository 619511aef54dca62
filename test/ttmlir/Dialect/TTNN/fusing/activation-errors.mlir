// RUN: ttmlir-opt %s --split-input-file --verify-diagnostics

func.func @unknown(%a: tensor<32x32xbf16>, %b: tensor<32x32xbf16>, %c: tensor<32x32xbf16>) {
  // expected-error @+1 {{expected an activation of gelu, hardsigmoid, mish, relu, relu6, sigmoid, silu, tanh, found "cube"}}
  %0 = "ttnn.matmul"(%a, %b, %c) <{activation = "cube"}> : (tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>) -> tensor<32x32xbf16>
  return
}

// -----

func.func @integers(%a: tensor<32x32xi32>, %b: tensor<32x32xi32>) {
  // expected-error @+1 {{expected a result of floats with an activation, found 'tensor<32x32xi32>'}}
  %0 = "ttnn.add"(%a, %b, %b) <{activation = "relu", operandSegmentSizes = array<i32: 2, 1>}> : (tensor<32x32xi32>, tensor<32x32xi32>, tensor<32x32xi32>) -> tensor<32x32xi32>
  return
}
