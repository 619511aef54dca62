// RUN: ttmlir-opt %s -split-input-file -verify-diagnostics
// Rules of ops that the 'ttir' dialect has too, which they follow.
func.func @matmul(%arg0: tensor<8xf32>, %arg1: tensor<8x9xf32>) -> tensor<8x9xf32> {
  %0 = tensor.empty() : tensor<8x9xf32>
  // expected-error @+1 {{Input A must be at least a 2D tensor: found rank 1}}
  %1 = "ttnn.matmul"(%arg0, %arg1, %0) : (tensor<8xf32>, tensor<8x9xf32>, tensor<8x9xf32>) -> tensor<8x9xf32>
  return %1 : tensor<8x9xf32>
}

// -----

func.func @matmul(%arg0: tensor<4x8xf32>, %arg1: tensor<8xf32>) -> tensor<4x9xf32> {
  %0 = tensor.empty() : tensor<4x9xf32>
  // expected-error @+1 {{Input B must be at least a 2D tensor: found rank 1}}
  %1 = "ttnn.matmul"(%arg0, %arg1, %0) : (tensor<4x8xf32>, tensor<8xf32>, tensor<4x9xf32>) -> tensor<4x9xf32>
  return %1 : tensor<4x9xf32>
}

// -----

func.func @matmul(%arg0: tensor<4x8xf32>, %arg1: tensor<2x8x9xf32>) -> tensor<4x9xf32> {
  %0 = tensor.empty() : tensor<4x9xf32>
  // expected-error @+1 {{Input A and B must have the same rank: found 2 and 3}}
  %1 = "ttnn.matmul"(%arg0, %arg1, %0) : (tensor<4x8xf32>, tensor<2x8x9xf32>, tensor<4x9xf32>) -> tensor<4x9xf32>
  return %1 : tensor<4x9xf32>
}

// -----

func.func @matmul(%arg0: tensor<4x8xf32>, %arg1: tensor<8x9xf32>) -> tensor<1x4x9xf32> {
  %0 = tensor.empty() : tensor<1x4x9xf32>
  // expected-error @+1 {{Input A and B must have the same rank as the output: expected 2, found 3}}
  %1 = "ttnn.matmul"(%arg0, %arg1, %0) : (tensor<4x8xf32>, tensor<8x9xf32>, tensor<1x4x9xf32>) -> tensor<1x4x9xf32>
  return %1 : tensor<1x4x9xf32>
}

// -----

func.func @matmul(%arg0: tensor<4x8xf32>, %arg1: tensor<8x9xf32>) -> tensor<5x9xf32> {
  %0 = tensor.empty() : tensor<5x9xf32>
  // expected-error @+1 {{Output must have the same number of rows as input A: expected 4, found 5}}
  %1 = "ttnn.matmul"(%arg0, %arg1, %0) : (tensor<4x8xf32>, tensor<8x9xf32>, tensor<5x9xf32>) -> tensor<5x9xf32>
  return %1 : tensor<5x9xf32>
}

// -----

func.func @matmul(%arg0: tensor<4x8xf32>, %arg1: tensor<8x9xf32>) -> tensor<4x8xf32> {
  %0 = tensor.empty() : tensor<4x8xf32>
  // expected-error @+1 {{Output must have the same number of columns as input B: expected 9, found 8}}
  %1 = "ttnn.matmul"(%arg0, %arg1, %0) : (tensor<4x8xf32>, tensor<8x9xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// -----

func.func @matmul(%arg0: tensor<2x4x8xf32>, %arg1: tensor<3x8x9xf32>) -> tensor<2x4x9xf32> {
  %0 = tensor.empty() : tensor<2x4x9xf32>
  // expected-error @+1 {{Batch dimensions of input A and B must be broadcast compatible: found 2 and 3}}
  %1 = "ttnn.matmul"(%arg0, %arg1, %0) : (tensor<2x4x8xf32>, tensor<3x8x9xf32>, tensor<2x4x9xf32>) -> tensor<2x4x9xf32>
  return %1 : tensor<2x4x9xf32>
}

// -----

func.func @matmul(%arg0: tensor<2x4x8xf32>, %arg1: tensor<1x8x9xf32>) -> tensor<1x4x9xf32> {
  %0 = tensor.empty() : tensor<1x4x9xf32>
  // expected-error @+1 {{Output must have the batch dimensions of input A and B: expected 2, found 1}}
  %1 = "ttnn.matmul"(%arg0, %arg1, %0) : (tensor<2x4x8xf32>, tensor<1x8x9xf32>, tensor<1x4x9xf32>) -> tensor<1x4x9xf32>
  return %1 : tensor<1x4x9xf32>
}

// -----

func.func @transpose(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  %0 = tensor.empty() : tensor<8xf32>
  // expected-error @+1 {{Input must be at least a 2D tensor: found rank 1}}
  %1 = "ttnn.transpose"(%arg0, %0) <{dim0 = 0 : si32, dim1 = 0 : si32}> : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

func.func @transpose(%arg0: tensor<8x9xf32>) -> tensor<9x8x1xf32> {
  %0 = tensor.empty() : tensor<9x8x1xf32>
  // expected-error @+1 {{Input must have the same rank as output: found 2 and 3}}
  %1 = "ttnn.transpose"(%arg0, %0) <{dim0 = 0 : si32, dim1 = 1 : si32}> : (tensor<8x9xf32>, tensor<9x8x1xf32>) -> tensor<9x8x1xf32>
  return %1 : tensor<9x8x1xf32>
}

// -----

func.func @transpose(%arg0: tensor<8x9xf32>) -> tensor<9x8xf32> {
  %0 = tensor.empty() : tensor<9x8xf32>
  // expected-error @+1 {{Dimension 0 attribute must be within the bounds of the input tensor: expected a dimension in [-2, 2), found 2}}
  %1 = "ttnn.transpose"(%arg0, %0) <{dim0 = 2 : si32, dim1 = 1 : si32}> : (tensor<8x9xf32>, tensor<9x8xf32>) -> tensor<9x8xf32>
  return %1 : tensor<9x8xf32>
}

// -----

func.func @transpose(%arg0: tensor<8x9xf32>) -> tensor<9x8xf32> {
  %0 = tensor.empty() : tensor<9x8xf32>
  // expected-error @+1 {{Dimension 1 attribute must be within the bounds of the input tensor: expected a dimension in [-2, 2), found -3}}
  %1 = "ttnn.transpose"(%arg0, %0) <{dim0 = 0 : si32, dim1 = -3 : si32}> : (tensor<8x9xf32>, tensor<9x8xf32>) -> tensor<9x8xf32>
  return %1 : tensor<9x8xf32>
}

// -----

func.func @concat() -> tensor<8x9xf32> {
  %0 = tensor.empty() : tensor<8x9xf32>
  // expected-error @+1 {{expected at least one input tensor, found none}}
  %1 = "ttnn.concat"(%0) <{dim = 0 : si32}> : (tensor<8x9xf32>) -> tensor<8x9xf32>
  return %1 : tensor<8x9xf32>
}

// -----

func.func @concat(%arg0: tensor<4x9xf32>, %arg1: tensor<4x9xf32>) -> tensor<8x9xf32> {
  %0 = tensor.empty() : tensor<8x9xf32>
  // expected-error @+1 {{Invalid dimension 2 for concatenation. Expected a dimension in [-2, 2)}}
  %1 = "ttnn.concat"(%arg0, %arg1, %0) <{dim = 2 : si32}> : (tensor<4x9xf32>, tensor<4x9xf32>, tensor<8x9xf32>) -> tensor<8x9xf32>
  return %1 : tensor<8x9xf32>
}

// -----

func.func @concat(%arg0: tensor<4x9xf32>, %arg1: tensor<4xf32>) -> tensor<8x9xf32> {
  %0 = tensor.empty() : tensor<8x9xf32>
  // expected-error @+1 {{All input tensors must have the same rank. Found 2 and 1}}
  %1 = "ttnn.concat"(%arg0, %arg1, %0) <{dim = 0 : si32}> : (tensor<4x9xf32>, tensor<4xf32>, tensor<8x9xf32>) -> tensor<8x9xf32>
  return %1 : tensor<8x9xf32>
}

// -----

func.func @concat(%arg0: tensor<4x9xf32>, %arg1: tensor<4x9xf32>) -> tensor<9x9xf32> {
  %0 = tensor.empty() : tensor<9x9xf32>
  // expected-error @+1 {{Output tensor must have the concatenated shape: expected 8x9, found 9x9}}
  %1 = "ttnn.concat"(%arg0, %arg1, %0) <{dim = 0 : si32}> : (tensor<4x9xf32>, tensor<4x9xf32>, tensor<9x9xf32>) -> tensor<9x9xf32>
  return %1 : tensor<9x9xf32>
}

// -----

func.func @reshape(%arg0: tensor<8x9xf32>) -> tensor<9x8xf32> {
  %0 = tensor.empty() : tensor<9x8xf32>
  // expected-error @+1 {{Shape attribute size must match output tensor rank: expected 2, found 1}}
  %1 = "ttnn.reshape"(%arg0, %0) <{shape = [72 : i32]}> : (tensor<8x9xf32>, tensor<9x8xf32>) -> tensor<9x8xf32>
  return %1 : tensor<9x8xf32>
}

// -----

func.func @reshape(%arg0: tensor<8x9xf32>) -> tensor<9x8xf32> {
  %0 = tensor.empty() : tensor<9x8xf32>
  // expected-error @+1 {{Shape attribute must have at most one -1 element: found 2}}
  %1 = "ttnn.reshape"(%arg0, %0) <{shape = [-1 : i32, -1 : i32]}> : (tensor<8x9xf32>, tensor<9x8xf32>) -> tensor<9x8xf32>
  return %1 : tensor<9x8xf32>
}

// -----

func.func @reshape(%arg0: tensor<8x9xf32>) -> tensor<9x8xf32> {
  %0 = tensor.empty() : tensor<9x8xf32>
  // expected-error @+1 {{Input and output tensors must have the same number of elements: input 8x9 has 72, output 0x8 has 0}}
  %1 = "ttnn.reshape"(%arg0, %0) <{shape = [0 : i32, 8 : i32]}> : (tensor<8x9xf32>, tensor<9x8xf32>) -> tensor<9x8xf32>
  return %1 : tensor<9x8xf32>
}

// -----

func.func @reshape(%arg0: tensor<8x9xf32>) -> tensor<9x8xf32> {
  %0 = tensor.empty() : tensor<9x8xf32>
  // expected-error @+1 {{Shape attribute must match the output tensor shape for dimensions that are not -1: expected 9, found 8}}
  %1 = "ttnn.reshape"(%arg0, %0) <{shape = [8 : i32, 9 : i32]}> : (tensor<8x9xf32>, tensor<9x8xf32>) -> tensor<9x8xf32>
  return %1 : tensor<9x8xf32>
}

// -----

func.func @embedding(%arg0: tensor<4xi32>, %arg1: tensor<8x9xf32>) -> tensor<4x1x9xf32> {
  %0 = tensor.empty() : tensor<4x1x9xf32>
  // expected-error @+1 {{Output must have one dimension more than input: expected rank 2, found 3}}
  %1 = "ttnn.embedding"(%arg0, %arg1, %0) : (tensor<4xi32>, tensor<8x9xf32>, tensor<4x1x9xf32>) -> tensor<4x1x9xf32>
  return %1 : tensor<4x1x9xf32>
}

// -----

func.func @embedding(%arg0: tensor<4xi32>, %arg1: tensor<8x9xf32>) -> tensor<4x8xf32> {
  %0 = tensor.empty() : tensor<4x8xf32>
  // expected-error @+1 {{Output must have the shape of the input and the width of the weight: expected 4x9, found 4x8}}
  %1 = "ttnn.embedding"(%arg0, %arg1, %0) : (tensor<4xi32>, tensor<8x9xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// -----

func.func @softmax(%arg0: tensor<8x9xf32>) -> tensor<9x8xf32> {
  %0 = tensor.empty() : tensor<9x8xf32>
  // expected-error @+1 {{Input and output shapes must be the same: found 8x9 and 9x8}}
  %1 = "ttnn.softmax"(%arg0, %0) <{dimension = 1 : si32}> : (tensor<8x9xf32>, tensor<9x8xf32>) -> tensor<9x8xf32>
  return %1 : tensor<9x8xf32>
}

// -----

func.func @softmax(%arg0: tensor<8x9xf32>) -> tensor<8x9xf32> {
  %0 = tensor.empty() : tensor<8x9xf32>
  // expected-error @+1 {{expected a dimension in [-2, 2), found 2}}
  %1 = "ttnn.softmax"(%arg0, %0) <{dimension = 2 : si32}> : (tensor<8x9xf32>, tensor<8x9xf32>) -> tensor<8x9xf32>
  return %1 : tensor<8x9xf32>
}
