// RUN: ttmlir-opt %s -split-input-file -verify-diagnostics
// Rules of reductions.
func.func @sum(%arg0: tensor<8x9xf32>) -> tensor<8x1xf32> {
  %0 = tensor.empty() : tensor<8x1xf32>
  // expected-error @+1 {{Reduction dimension is out of bounds: expected a dimension in [-2, 2), found 2}}
  %1 = "ttnn.sum"(%arg0, %0) <{dim_arg = [2 : i32], keep_dim = true}> : (tensor<8x9xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  return %1 : tensor<8x1xf32>
}

// -----

func.func @sum(%arg0: tensor<8x9xf32>) -> tensor<8x1xf32> {
  %0 = tensor.empty() : tensor<8x1xf32>
  // expected-error @+1 {{Reduction dimensions must be distinct: found -1 twice}}
  %1 = "ttnn.sum"(%arg0, %0) <{dim_arg = [1 : i32, -1 : i32], keep_dim = true}> : (tensor<8x9xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  return %1 : tensor<8x1xf32>
}

// -----

func.func @sum(%arg0: tensor<8x9xf32>) -> tensor<9x1xf32> {
  %0 = tensor.empty() : tensor<9x1xf32>
  // expected-error @+1 {{Output shape must be the reduced shape of the input (8x9): expected 8x1, found 9x1}}
  %1 = "ttnn.sum"(%arg0, %0) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<8x9xf32>, tensor<9x1xf32>) -> tensor<9x1xf32>
  return %1 : tensor<9x1xf32>
}

// -----

func.func @mean(%arg0: tensor<8x9xf32>) -> tensor<8x1xf32> {
  %0 = tensor.empty() : tensor<8x1xf32>
  // expected-error @+1 {{Reduction dimension is out of bounds: expected a dimension in [-2, 2), found 2}}
  %1 = "ttnn.mean"(%arg0, %0) <{dim_arg = [2 : i32], keep_dim = true}> : (tensor<8x9xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  return %1 : tensor<8x1xf32>
}

// -----

func.func @mean(%arg0: tensor<8x9xf32>) -> tensor<8x1xf32> {
  %0 = tensor.empty() : tensor<8x1xf32>
  // expected-error @+1 {{Reduction dimensions must be distinct: found -1 twice}}
  %1 = "ttnn.mean"(%arg0, %0) <{dim_arg = [1 : i32, -1 : i32], keep_dim = true}> : (tensor<8x9xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  return %1 : tensor<8x1xf32>
}

// -----

func.func @mean(%arg0: tensor<8x9xf32>) -> tensor<9x1xf32> {
  %0 = tensor.empty() : tensor<9x1xf32>
  // expected-error @+1 {{Output shape must be the reduced shape of the input (8x9): expected 8x1, found 9x1}}
  %1 = "ttnn.mean"(%arg0, %0) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<8x9xf32>, tensor<9x1xf32>) -> tensor<9x1xf32>
  return %1 : tensor<9x1xf32>
}

// -----

func.func @max(%arg0: tensor<8x9xf32>) -> tensor<8x1xf32> {
  %0 = tensor.empty() : tensor<8x1xf32>
  // expected-error @+1 {{Reduction dimension is out of bounds: expected a dimension in [-2, 2), found 2}}
  %1 = "ttnn.max"(%arg0, %0) <{dim_arg = [2 : i32], keep_dim = true}> : (tensor<8x9xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  return %1 : tensor<8x1xf32>
}

// -----

func.func @max(%arg0: tensor<8x9xf32>) -> tensor<8x1xf32> {
  %0 = tensor.empty() : tensor<8x1xf32>
  // expected-error @+1 {{Reduction dimensions must be distinct: found -1 twice}}
  %1 = "ttnn.max"(%arg0, %0) <{dim_arg = [1 : i32, -1 : i32], keep_dim = true}> : (tensor<8x9xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  return %1 : tensor<8x1xf32>
}

// -----

func.func @max(%arg0: tensor<8x9xf32>) -> tensor<9x1xf32> {
  %0 = tensor.empty() : tensor<9x1xf32>
  // expected-error @+1 {{Output shape must be the reduced shape of the input (8x9): expected 8x1, found 9x1}}
  %1 = "ttnn.max"(%arg0, %0) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<8x9xf32>, tensor<9x1xf32>) -> tensor<9x1xf32>
  return %1 : tensor<9x1xf32>
}

// -----

func.func @min(%arg0: tensor<8x9xf32>) -> tensor<8x1xf32> {
  %0 = tensor.empty() : tensor<8x1xf32>
  // expected-error @+1 {{Reduction dimension is out of bounds: expected a dimension in [-2, 2), found 2}}
  %1 = "ttnn.min"(%arg0, %0) <{dim_arg = [2 : i32], keep_dim = true}> : (tensor<8x9xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  return %1 : tensor<8x1xf32>
}

// -----

func.func @min(%arg0: tensor<8x9xf32>) -> tensor<8x1xf32> {
  %0 = tensor.empty() : tensor<8x1xf32>
  // expected-error @+1 {{Reduction dimensions must be distinct: found -1 twice}}
  %1 = "ttnn.min"(%arg0, %0) <{dim_arg = [1 : i32, -1 : i32], keep_dim = true}> : (tensor<8x9xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  return %1 : tensor<8x1xf32>
}

// -----

func.func @min(%arg0: tensor<8x9xf32>) -> tensor<9x1xf32> {
  %0 = tensor.empty() : tensor<9x1xf32>
  // expected-error @+1 {{Output shape must be the reduced shape of the input (8x9): expected 8x1, found 9x1}}
  %1 = "ttnn.min"(%arg0, %0) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<8x9xf32>, tensor<9x1xf32>) -> tensor<9x1xf32>
  return %1 : tensor<9x1xf32>
}

// -----

func.func @prod(%arg0: tensor<8x9xf32>) -> tensor<8x1xf32> {
  %0 = tensor.empty() : tensor<8x1xf32>
  // expected-error @+1 {{Reduction dimension is out of bounds: expected a dimension in [-2, 2), found 2}}
  %1 = "ttnn.prod"(%arg0, %0) <{dim_arg = [2 : i32], keep_dim = true}> : (tensor<8x9xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  return %1 : tensor<8x1xf32>
}

// -----

func.func @prod(%arg0: tensor<8x9xf32>) -> tensor<8x1xf32> {
  %0 = tensor.empty() : tensor<8x1xf32>
  // expected-error @+1 {{Reduction dimensions must be distinct: found -1 twice}}
  %1 = "ttnn.prod"(%arg0, %0) <{dim_arg = [1 : i32, -1 : i32], keep_dim = true}> : (tensor<8x9xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  return %1 : tensor<8x1xf32>
}

// -----

func.func @prod(%arg0: tensor<8x9xf32>) -> tensor<9x1xf32> {
  %0 = tensor.empty() : tensor<9x1xf32>
  // expected-error @+1 {{Output shape must be the reduced shape of the input (8x9): expected 8x1, found 9x1}}
  %1 = "ttnn.prod"(%arg0, %0) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<8x9xf32>, tensor<9x1xf32>) -> tensor<9x1xf32>
  return %1 : tensor<9x1xf32>
}
