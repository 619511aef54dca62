// RUN: ttmlir-opt --split-input-file --verify-diagnostics %s

// expected-error @+1 {{attribute 'tt.aliased_output' of argument 0 expects the number of a result, found 1 : i64}}
func.func @number(%a: tensor<4x8xf32> {tt.aliased_output = 1 : i64}) -> tensor<4x8xf32> {
  return %a : tensor<4x8xf32>
}

// -----

// expected-error @+1 {{attribute 'tt.aliased_output' of argument 0 expects the number of a result, found "0"}}
func.func @kind(%a: tensor<4x8xf32> {tt.aliased_output = "0"}) -> tensor<4x8xf32> {
  return %a : tensor<4x8xf32>
}

// -----

// expected-error @+1 {{attribute 'tt.aliased_output' of argument 0 expects a result of shape and elements of 'tensor<4x8xf32>', found 'tensor<8x4xf32>'}}
func.func @shape(%a: tensor<4x8xf32> {tt.aliased_output = 0 : i64}, %b: tensor<8x4xf32>) -> tensor<8x4xf32> {
  return %b : tensor<8x4xf32>
}

// -----

// expected-error @+1 {{attribute 'tt.aliased_output' of argument 1 expects a result of its own, found that of argument 0}}
func.func @twice(%a: tensor<4x8xf32> {tt.aliased_output = 0 : i64}, %b: tensor<4x8xf32> {tt.aliased_output = 0 : i64}) -> tensor<4x8xf32> {
  return %a : tensor<4x8xf32>
}
