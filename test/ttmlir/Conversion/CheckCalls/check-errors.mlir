// RUN: ttmlir-opt --check-calls --split-input-file --verify-diagnostics %s
// RUN: ttmlir-opt --convert-scf-to-tt --split-input-file --verify-diagnostics %s
// RUN: ttmlir-opt --linalg-to-ttir --split-input-file --verify-diagnostics %s
// Calls that no function can stand in the place of.

func.func @itself(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'func.call' op calls a function that is running, 'itself': expected functions that do not call themselves; scf.while makes loops}}
  %0 = call @itself(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func private @one(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @other(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @other(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'func.call' op calls a function that is running, 'one'}}
  %0 = call @one(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @one(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
