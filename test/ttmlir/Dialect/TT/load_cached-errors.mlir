// RUN: ttmlir-opt --split-input-file --verify-diagnostics %s

func.func private @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
func.func @forward(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'tt.load_cached' op expected a function with the attribute 'tt.const_eval', found @f}}
  %0 = tt.load_cached(@f, [%x]) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @forward(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'tt.load_cached' op expected a function with the attribute 'tt.const_eval', found @missing}}
  %0 = tt.load_cached(@missing, [%x]) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func private @f(%a: tensor<4xf32>) -> tensor<4xf32> attributes {tt.const_eval} {
  return %a : tensor<4xf32>
}
func.func @forward(%x: tensor<2xf32>) -> tensor<4xf32> {
  // expected-error @below {{'tt.load_cached' op expected the types of @f, '(tensor<4xf32>) -> tensor<4xf32>'}}
  %0 = tt.load_cached(@f, [%x]) : (tensor<2xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func private @f(%a: tensor<4xf32>) -> tensor<4xf32> attributes {tt.const_eval} {
  return %a : tensor<4xf32>
}
func.func @forward() -> tensor<4xf32> {
  %x = tensor.empty() : tensor<4xf32>
  // expected-error @below {{'tt.load_cached' op expected operands that are arguments of the function it is in}}
  %0 = tt.load_cached(@f, [%x]) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// expected-error @below {{attribute 'tt.argument_type' of argument 0 expects #tt.argument_type, found "parameter"}}
func.func @forward(%x: tensor<4xf32> {tt.argument_type = "parameter"}) {
  return
}
