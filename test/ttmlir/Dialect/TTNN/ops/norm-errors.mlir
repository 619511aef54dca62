// RUN: ttmlir-opt %s -split-input-file -verify-diagnostics
// Rules of normalisations, of matrix products and of the embedding's gradient.
func.func @layer_norm(%arg0: tensor<2x8x9xf32>, %arg1: tensor<9xf32>, %arg2: tensor<9xf32>) -> tensor<2x8x8xf32> {
  %0 = tensor.empty() : tensor<2x8x8xf32>
  // expected-error @+1 {{Input and output shapes must be the same: found 2x8x9 and 2x8x8}}
  %1 = "ttnn.layer_norm"(%arg0, %arg1, %arg2, %0) <{epsilon = 1.0e-05 : f32, normalized_shape = array<i64: 9>, operandSegmentSizes = array<i32: 1, 1, 1, 1>}> : (tensor<2x8x9xf32>, tensor<9xf32>, tensor<9xf32>, tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
  return %1 : tensor<2x8x8xf32>
}

// -----

func.func @layer_norm(%arg0: tensor<2x8x9xf32>, %arg1: tensor<9xf32>, %arg2: tensor<9xf32>) -> tensor<2x8x9xf32> {
  %0 = tensor.empty() : tensor<2x8x9xf32>
  // expected-error @+1 {{normalized_shape must be the innermost extents of the input: expected 1 to 3 of 2x8x9, found 8}}
  %1 = "ttnn.layer_norm"(%arg0, %arg1, %arg2, %0) <{epsilon = 1.0e-05 : f32, normalized_shape = array<i64: 8>, operandSegmentSizes = array<i32: 1, 1, 1, 1>}> : (tensor<2x8x9xf32>, tensor<9xf32>, tensor<9xf32>, tensor<2x8x9xf32>) -> tensor<2x8x9xf32>
  return %1 : tensor<2x8x9xf32>
}

// -----

func.func @layer_norm(%arg0: tensor<2x8x9xf32>, %arg1: tensor<9xf32>, %arg2: tensor<9xf32>) -> tensor<2x8x9xf32> {
  %0 = tensor.empty() : tensor<2x8x9xf32>
  // expected-error @+1 {{normalized_shape must be the innermost extents of the input: expected 1 to 3 of 2x8x9, found none}}
  %1 = "ttnn.layer_norm"(%arg0, %arg1, %arg2, %0) <{epsilon = 1.0e-05 : f32, normalized_shape = array<i64>, operandSegmentSizes = array<i32: 1, 1, 1, 1>}> : (tensor<2x8x9xf32>, tensor<9xf32>, tensor<9xf32>, tensor<2x8x9xf32>) -> tensor<2x8x9xf32>
  return %1 : tensor<2x8x9xf32>
}

// -----

func.func @layer_norm(%arg0: tensor<2x8x9xf32>, %arg1: tensor<8xf32>, %arg2: tensor<9xf32>) -> tensor<2x8x9xf32> {
  %0 = tensor.empty() : tensor<2x8x9xf32>
  // expected-error @+1 {{Weight must have the normalized shape: expected 9, found 8}}
  %1 = "ttnn.layer_norm"(%arg0, %arg1, %arg2, %0) <{epsilon = 1.0e-05 : f32, normalized_shape = array<i64: 9>, operandSegmentSizes = array<i32: 1, 1, 1, 1>}> : (tensor<2x8x9xf32>, tensor<8xf32>, tensor<9xf32>, tensor<2x8x9xf32>) -> tensor<2x8x9xf32>
  return %1 : tensor<2x8x9xf32>
}

// -----

func.func @layer_norm(%arg0: tensor<2x8x9xf32>, %arg1: tensor<9xf32>, %arg2: tensor<1xf32>) -> tensor<2x8x9xf32> {
  %0 = tensor.empty() : tensor<2x8x9xf32>
  // expected-error @+1 {{Bias must have the normalized shape: expected 9, found 1}}
  %1 = "ttnn.layer_norm"(%arg0, %arg1, %arg2, %0) <{epsilon = 1.0e-05 : f32, normalized_shape = array<i64: 9>, operandSegmentSizes = array<i32: 1, 1, 1, 1>}> : (tensor<2x8x9xf32>, tensor<9xf32>, tensor<1xf32>, tensor<2x8x9xf32>) -> tensor<2x8x9xf32>
  return %1 : tensor<2x8x9xf32>
}

// -----

func.func @layer_norm(%arg0: tensor<2x8x9xf32>, %arg1: tensor<9xf32>, %arg2: tensor<9xf32>) -> tensor<2x8x9xf32> {
  %0 = tensor.empty() : tensor<2x8x9xf32>
  // expected-error @+1 {{epsilon must not be negative: found -1}}
  %1 = "ttnn.layer_norm"(%arg0, %arg1, %arg2, %0) <{epsilon = -1.0 : f32, normalized_shape = array<i64: 9>, operandSegmentSizes = array<i32: 1, 1, 1, 1>}> : (tensor<2x8x9xf32>, tensor<9xf32>, tensor<9xf32>, tensor<2x8x9xf32>) -> tensor<2x8x9xf32>
  return %1 : tensor<2x8x9xf32>
}

// -----

func.func @rms_norm(%arg0: tensor<2x8x9xf32>, %arg1: tensor<9xf32>, %arg2: tensor<9xf32>) -> tensor<2x8x8xf32> {
  %0 = tensor.empty() : tensor<2x8x8xf32>
  // expected-error @+1 {{Input and output shapes must be the same: found 2x8x9 and 2x8x8}}
  %1 = "ttnn.rms_norm"(%arg0, %arg1, %arg2, %0) <{epsilon = 1.0e-05 : f32, normalized_shape = array<i64: 9>, operandSegmentSizes = array<i32: 1, 1, 1, 1>}> : (tensor<2x8x9xf32>, tensor<9xf32>, tensor<9xf32>, tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
  return %1 : tensor<2x8x8xf32>
}

// -----

func.func @rms_norm(%arg0: tensor<2x8x9xf32>, %arg1: tensor<9xf32>, %arg2: tensor<9xf32>) -> tensor<2x8x9xf32> {
  %0 = tensor.empty() : tensor<2x8x9xf32>
  // expected-error @+1 {{normalized_shape must be the innermost extents of the input: expected 1 to 3 of 2x8x9, found 8}}
  %1 = "ttnn.rms_norm"(%arg0, %arg1, %arg2, %0) <{epsilon = 1.0e-05 : f32, normalized_shape = array<i64: 8>, operandSegmentSizes = array<i32: 1, 1, 1, 1>}> : (tensor<2x8x9xf32>, tensor<9xf32>, tensor<9xf32>, tensor<2x8x9xf32>) -> tensor<2x8x9xf32>
  return %1 : tensor<2x8x9xf32>
}

// -----

func.func @rms_norm(%arg0: tensor<2x8x9xf32>, %arg1: tensor<9xf32>, %arg2: tensor<9xf32>) -> tensor<2x8x9xf32> {
  %0 = tensor.empty() : tensor<2x8x9xf32>
  // expected-error @+1 {{normalized_shape must be the innermost extents of the input: expected 1 to 3 of 2x8x9, found none}}
  %1 = "ttnn.rms_norm"(%arg0, %arg1, %arg2, %0) <{epsilon = 1.0e-05 : f32, normalized_shape = array<i64>, operandSegmentSizes = array<i32: 1, 1, 1, 1>}> : (tensor<2x8x9xf32>, tensor<9xf32>, tensor<9xf32>, tensor<2x8x9xf32>) -> tensor<2x8x9xf32>
  return %1 : tensor<2x8x9xf32>
}

// -----

func.func @rms_norm(%arg0: tensor<2x8x9xf32>, %arg1: tensor<8xf32>, %arg2: tensor<9xf32>) -> tensor<2x8x9xf32> {
  %0 = tensor.empty() : tensor<2x8x9xf32>
  // expected-error @+1 {{Weight must have the normalized shape: expected 9, found 8}}
  %1 = "ttnn.rms_norm"(%arg0, %arg1, %arg2, %0) <{epsilon = 1.0e-05 : f32, normalized_shape = array<i64: 9>, operandSegmentSizes = array<i32: 1, 1, 1, 1>}> : (tensor<2x8x9xf32>, tensor<8xf32>, tensor<9xf32>, tensor<2x8x9xf32>) -> tensor<2x8x9xf32>
  return %1 : tensor<2x8x9xf32>
}

// -----

func.func @rms_norm(%arg0: tensor<2x8x9xf32>, %arg1: tensor<9xf32>, %arg2: tensor<1xf32>) -> tensor<2x8x9xf32> {
  %0 = tensor.empty() : tensor<2x8x9xf32>
  // expected-error @+1 {{Bias must have the normalized shape: expected 9, found 1}}
  %1 = "ttnn.rms_norm"(%arg0, %arg1, %arg2, %0) <{epsilon = 1.0e-05 : f32, normalized_shape = array<i64: 9>, operandSegmentSizes = array<i32: 1, 1, 1, 1>}> : (tensor<2x8x9xf32>, tensor<9xf32>, tensor<1xf32>, tensor<2x8x9xf32>) -> tensor<2x8x9xf32>
  return %1 : tensor<2x8x9xf32>
}

// -----

func.func @rms_norm(%arg0: tensor<2x8x9xf32>, %arg1: tensor<9xf32>, %arg2: tensor<9xf32>) -> tensor<2x8x9xf32> {
  %0 = tensor.empty() : tensor<2x8x9xf32>
  // expected-error @+1 {{epsilon must not be negative: found -1}}
  %1 = "ttnn.rms_norm"(%arg0, %arg1, %arg2, %0) <{epsilon = -1.0 : f32, normalized_shape = array<i64: 9>, operandSegmentSizes = array<i32: 1, 1, 1, 1>}> : (tensor<2x8x9xf32>, tensor<9xf32>, tensor<9xf32>, tensor<2x8x9xf32>) -> tensor<2x8x9xf32>
  return %1 : tensor<2x8x9xf32>
}

// -----

func.func @linear(%arg0: tensor<4x8xf32>, %arg1: tensor<8x9xf32>, %arg2: tensor<8xf32>) -> tensor<4x9xf32> {
  %0 = tensor.empty() : tensor<4x9xf32>
  // expected-error @+1 {{Bias must broadcast to the output: bias is 8, output is 4x9}}
  %1 = "ttnn.linear"(%arg0, %arg1, %arg2, %0) : (tensor<4x8xf32>, tensor<8x9xf32>, tensor<8xf32>, tensor<4x9xf32>) -> tensor<4x9xf32>
  return %1 : tensor<4x9xf32>
}

// -----

func.func @linear(%arg0: tensor<4x8xf32>, %arg1: tensor<8x9xf32>, %arg2: tensor<9xf32>) -> tensor<4x9xf32> {
  %0 = tensor.empty() : tensor<4x9xf32>
  // expected-error @+1 {{Input A and B must have matching inner dimensions}}
  %1 = "ttnn.linear"(%arg0, %arg1, %arg2, %0) <{transpose_b = true}> : (tensor<4x8xf32>, tensor<8x9xf32>, tensor<9xf32>, tensor<4x9xf32>) -> tensor<4x9xf32>
  return %1 : tensor<4x9xf32>
}

// -----

func.func @matmul(%arg0: tensor<4x8xf32>, %arg1: tensor<8x9xf32>) -> tensor<4x9xf32> {
  %0 = tensor.empty() : tensor<4x9xf32>
  // expected-error @+1 {{Input A and B must have matching inner dimensions}}
  %1 = "ttnn.matmul"(%arg0, %arg1, %0) <{transpose_a = true}> : (tensor<4x8xf32>, tensor<8x9xf32>, tensor<4x9xf32>) -> tensor<4x9xf32>
  return %1 : tensor<4x9xf32>
}

// -----

func.func @embedding_bw(%arg0: tensor<4xi32>, %arg1: tensor<8x9x2xf32>, %arg2: tensor<4x9xf32>) -> tensor<8x9xf32> {
  %0 = tensor.empty() : tensor<8x9xf32>
  // expected-error @+1 {{Weight must be a 2D tensor: found rank 3}}
  %1 = "ttnn.embedding_bw"(%arg0, %arg1, %arg2, %0) : (tensor<4xi32>, tensor<8x9x2xf32>, tensor<4x9xf32>, tensor<8x9xf32>) -> tensor<8x9xf32>
  return %1 : tensor<8x9xf32>
}

// -----

func.func @embedding_bw(%arg0: tensor<4xi32>, %arg1: tensor<8x9xf32>, %arg2: tensor<4x9xf32>) -> tensor<9x8xf32> {
  %0 = tensor.empty() : tensor<9x8xf32>
  // expected-error @+1 {{Output must have the shape of the weight: expected 8x9, found 9x8}}
  %1 = "ttnn.embedding_bw"(%arg0, %arg1, %arg2, %0) : (tensor<4xi32>, tensor<8x9xf32>, tensor<4x9xf32>, tensor<9x8xf32>) -> tensor<9x8xf32>
  return %1 : tensor<9x8xf32>
}

// -----

func.func @embedding_bw(%arg0: tensor<4xi32>, %arg1: tensor<8x9xf32>, %arg2: tensor<4x8xf32>) -> tensor<8x9xf32> {
  %0 = tensor.empty() : tensor<8x9xf32>
  // expected-error @+1 {{Gradient must end in the width of the weight: expected 9, found 4x8}}
  %1 = "ttnn.embedding_bw"(%arg0, %arg1, %arg2, %0) : (tensor<4xi32>, tensor<8x9xf32>, tensor<4x8xf32>, tensor<8x9xf32>) -> tensor<8x9xf32>
  return %1 : tensor<8x9xf32>
}

// -----

func.func @embedding_bw(%arg0: tensor<4xi32>, %arg1: tensor<8x9xf32>, %arg2: tensor<5x9xf32>) -> tensor<8x9xf32> {
  %0 = tensor.empty() : tensor<8x9xf32>
  // expected-error @+1 {{Gradient must have a row for each element of the input: expected 4 rows, found 5x9}}
  %1 = "ttnn.embedding_bw"(%arg0, %arg1, %arg2, %0) : (tensor<4xi32>, tensor<8x9xf32>, tensor<5x9xf32>, tensor<8x9xf32>) -> tensor<8x9xf32>
  return %1 : tensor<8x9xf32>
}
