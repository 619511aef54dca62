// RUN: ttmlir-opt %s -split-input-file -verify-diagnostics
// Rules of ops that move elements or count along a dimension.
func.func @permute(%arg0: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %0 = tensor.empty() : tensor<3x2xf32>
  // expected-error @+1 {{permutation must have 2 entries for its input: found 1}}
  %1 = "ttnn.permute"(%arg0, %0) <{permutation = array<i64: 0>}> : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  return %1 : tensor<3x2xf32>
}

// -----

func.func @permute(%arg0: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %0 = tensor.empty() : tensor<3x2xf32>
  // expected-error @+1 {{permutation must have each of the dimensions 0 to 1 once: found 0, 0}}
  %1 = "ttnn.permute"(%arg0, %0) <{permutation = array<i64: 0, 0>}> : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  return %1 : tensor<3x2xf32>
}

// -----

func.func @permute(%arg0: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = tensor.empty() : tensor<2x3xf32>
  // expected-error @+1 {{Output shape mismatch: expected 3x2, found 2x3}}
  %1 = "ttnn.permute"(%arg0, %0) <{permutation = array<i64: 1, 0>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}

// -----

func.func @slice(%arg0: tensor<8x9xf32>) -> tensor<8x9xf32> {
  %0 = tensor.empty() : tensor<8x9xf32>
  // expected-error @+1 {{begins must have 2 entries for its input: found 1}}
  %1 = "ttnn.slice"(%arg0, %0) <{begins = [0 : i32], ends = [8 : i32, 9 : i32], step = [1 : i32, 1 : i32]}> : (tensor<8x9xf32>, tensor<8x9xf32>) -> tensor<8x9xf32>
  return %1 : tensor<8x9xf32>
}

// -----

func.func @slice(%arg0: tensor<8x9xf32>) -> tensor<8x9xf32> {
  %0 = tensor.empty() : tensor<8x9xf32>
  // expected-error @+1 {{ends must have 2 entries for its input: found 1}}
  %1 = "ttnn.slice"(%arg0, %0) <{begins = [0 : i32, 0 : i32], ends = [8 : i32], step = [1 : i32, 1 : i32]}> : (tensor<8x9xf32>, tensor<8x9xf32>) -> tensor<8x9xf32>
  return %1 : tensor<8x9xf32>
}

// -----

func.func @slice(%arg0: tensor<8x9xf32>) -> tensor<8x9xf32> {
  %0 = tensor.empty() : tensor<8x9xf32>
  // expected-error @+1 {{step must have 2 entries for its input: found 1}}
  %1 = "ttnn.slice"(%arg0, %0) <{begins = [0 : i32, 0 : i32], ends = [8 : i32, 9 : i32], step = [1 : i32]}> : (tensor<8x9xf32>, tensor<8x9xf32>) -> tensor<8x9xf32>
  return %1 : tensor<8x9xf32>
}

// -----

func.func @slice(%arg0: tensor<8x9xf32>) -> tensor<8x9xf32> {
  %0 = tensor.empty() : tensor<8x9xf32>
  // expected-error @+1 {{step must be positive: found 0 in dimension 1}}
  %1 = "ttnn.slice"(%arg0, %0) <{begins = [0 : i32, 0 : i32], ends = [8 : i32, 9 : i32], step = [1 : i32, 0 : i32]}> : (tensor<8x9xf32>, tensor<8x9xf32>) -> tensor<8x9xf32>
  return %1 : tensor<8x9xf32>
}

// -----

func.func @slice(%arg0: tensor<8x9xf32>) -> tensor<8x6xf32> {
  %0 = tensor.empty() : tensor<8x6xf32>
  // expected-error @+1 {{expected 0 <= begin <= end <= 9 in dimension 1, found begin 4 and end 10}}
  %1 = "ttnn.slice"(%arg0, %0) <{begins = [0 : i32, 4 : i32], ends = [8 : i32, 10 : i32], step = [1 : i32, 1 : i32]}> : (tensor<8x9xf32>, tensor<8x6xf32>) -> tensor<8x6xf32>
  return %1 : tensor<8x6xf32>
}

// -----

func.func @slice(%arg0: tensor<8x9xf32>) -> tensor<8x4xf32> {
  %0 = tensor.empty() : tensor<8x4xf32>
  // expected-error @+1 {{Output shape mismatch: expected 8x2, found 8x4}}
  %1 = "ttnn.slice"(%arg0, %0) <{begins = [0 : i32, -5 : i32], ends = [8 : i32, -1 : i32], step = [1 : i32, 2 : i32]}> : (tensor<8x9xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
  return %1 : tensor<8x4xf32>
}

// -----

func.func @pad(%arg0: tensor<8x9xf32>) -> tensor<10x9xf32> {
  %0 = tensor.empty() : tensor<10x9xf32>
  // expected-error @+1 {{padding must have 4 entries for its input: found 2}}
  %1 = "ttnn.pad"(%arg0, %0) <{padding = array<i32: 1, 1>, value = 0.0 : f32}> : (tensor<8x9xf32>, tensor<10x9xf32>) -> tensor<10x9xf32>
  return %1 : tensor<10x9xf32>
}

// -----

func.func @pad(%arg0: tensor<8x9xf32>) -> tensor<10x8xf32> {
  %0 = tensor.empty() : tensor<10x8xf32>
  // expected-error @+1 {{padding must not be negative: found -1 in dimension 1}}
  %1 = "ttnn.pad"(%arg0, %0) <{padding = array<i32: 1, 1, 0, -1>, value = 0.0 : f32}> : (tensor<8x9xf32>, tensor<10x8xf32>) -> tensor<10x8xf32>
  return %1 : tensor<10x8xf32>
}

// -----

func.func @pad(%arg0: tensor<8x9xf32>) -> tensor<10x9xf32> {
  %0 = tensor.empty() : tensor<10x9xf32>
  // expected-error @+1 {{Output shape mismatch: expected 10x11, found 10x9}}
  %1 = "ttnn.pad"(%arg0, %0) <{padding = array<i32: 1, 1, 0, 2>, value = 0.0 : f32}> : (tensor<8x9xf32>, tensor<10x9xf32>) -> tensor<10x9xf32>
  return %1 : tensor<10x9xf32>
}

// -----

func.func @cumsum(%arg0: tensor<8x9xf32>) -> tensor<8x9xf32> {
  %0 = tensor.empty() : tensor<8x9xf32>
  // expected-error @+1 {{expected a dimension in [-2, 2), found 2}}
  %1 = "ttnn.cumsum"(%arg0, %0) <{dim = 2 : i64}> : (tensor<8x9xf32>, tensor<8x9xf32>) -> tensor<8x9xf32>
  return %1 : tensor<8x9xf32>
}

// -----

func.func @cumsum(%arg0: tensor<8x9xf32>) -> tensor<8x8xf32> {
  %0 = tensor.empty() : tensor<8x8xf32>
  // expected-error @+1 {{Output shape mismatch: expected 8x9, found 8x8}}
  %1 = "ttnn.cumsum"(%arg0, %0) <{dim = 1 : i64}> : (tensor<8x9xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// -----

func.func @argmax(%arg0: tensor<8x9xf32>) -> tensor<8x1xf32> {
  %0 = tensor.empty() : tensor<8x1xf32>
  // expected-error @+1 {{Output must have integer elements: found 'f32'}}
  %1 = "ttnn.argmax"(%arg0, %0) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<8x9xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  return %1 : tensor<8x1xf32>
}

// -----

func.func @argmax(%arg0: tensor<8x9xf32>) -> tensor<1x1xi32> {
  %0 = tensor.empty() : tensor<1x1xi32>
  // expected-error @+1 {{dim_arg must have one entry: found 2}}
  %1 = "ttnn.argmax"(%arg0, %0) <{dim_arg = [0 : i32, 1 : i32], keep_dim = true}> : (tensor<8x9xf32>, tensor<1x1xi32>) -> tensor<1x1xi32>
  return %1 : tensor<1x1xi32>
}

// -----

func.func @argmax(%arg0: tensor<8x9xf32>) -> tensor<8x1xi32> {
  %0 = tensor.empty() : tensor<8x1xi32>
  // expected-error @+1 {{expected a dimension in [-2, 2), found -3}}
  %1 = "ttnn.argmax"(%arg0, %0) <{dim_arg = [-3 : i32], keep_dim = true}> : (tensor<8x9xf32>, tensor<8x1xi32>) -> tensor<8x1xi32>
  return %1 : tensor<8x1xi32>
}

// -----

func.func @argmax(%arg0: tensor<8x9xf32>) -> tensor<9xi32> {
  %0 = tensor.empty() : tensor<9xi32>
  // expected-error @+1 {{Output shape mismatch: expected 8, found 9}}
  %1 = "ttnn.argmax"(%arg0, %0) <{dim_arg = [1 : i32], keep_dim = false}> : (tensor<8x9xf32>, tensor<9xi32>) -> tensor<9xi32>
  return %1 : tensor<9xi32>
}

// -----

func.func @argmax(%arg0: tensor<8x9xf32>) -> tensor<1xi32> {
  %0 = tensor.empty() : tensor<1xi32>
  // expected-error @+1 {{Output shape mismatch: expected 1x1, found 1}}
  %1 = "ttnn.argmax"(%arg0, %0) <{keep_dim = true}> : (tensor<8x9xf32>, tensor<1xi32>) -> tensor<1xi32>
  return %1 : tensor<1xi32>
}

// -----

func.func @gather(%arg0: tensor<8x9xf32>, %arg1: tensor<5x1xi32>) -> tensor<5x9xf32> {
  %0 = tensor.empty() : tensor<5x9xf32>
  // expected-error @+1 {{index_vector_dim must be in [0, 2]: found 3}}
  %1 = "ttnn.gather"(%arg0, %arg1, %0) <{collapsed_slice_dims = array<i64: 0>, index_vector_dim = 3 : si64, offset_dims = array<i64: 1>, operand_batching_dims = array<i64>, slice_sizes = array<i64: 1, 9>, start_index_map = array<i64: 0>, start_indices_batching_dims = array<i64>}> : (tensor<8x9xf32>, tensor<5x1xi32>, tensor<5x9xf32>) -> tensor<5x9xf32>
  return %1 : tensor<5x9xf32>
}

// -----

func.func @gather(%arg0: tensor<8x9xf32>, %arg1: tensor<5x1xi32>) -> tensor<5x9xf32> {
  %0 = tensor.empty() : tensor<5x9xf32>
  // expected-error @+1 {{start_index_map must have an entry for each of the entries of an index vector: expected 1, found 2}}
  %1 = "ttnn.gather"(%arg0, %arg1, %0) <{collapsed_slice_dims = array<i64: 0>, index_vector_dim = 1 : si64, offset_dims = array<i64: 1>, operand_batching_dims = array<i64>, slice_sizes = array<i64: 1, 9>, start_index_map = array<i64: 0, 1>, start_indices_batching_dims = array<i64>}> : (tensor<8x9xf32>, tensor<5x1xi32>, tensor<5x9xf32>) -> tensor<5x9xf32>
  return %1 : tensor<5x9xf32>
}

// -----

func.func @gather(%arg0: tensor<8x9xf32>, %arg1: tensor<5x1xi32>) -> tensor<5x9xf32> {
  %0 = tensor.empty() : tensor<5x9xf32>
  // expected-error @+1 {{slice_sizes must have 2 entries for its input: found 1}}
  %1 = "ttnn.gather"(%arg0, %arg1, %0) <{collapsed_slice_dims = array<i64: 0>, index_vector_dim = 1 : si64, offset_dims = array<i64: 1>, operand_batching_dims = array<i64>, slice_sizes = array<i64: 1>, start_index_map = array<i64: 0>, start_indices_batching_dims = array<i64>}> : (tensor<8x9xf32>, tensor<5x1xi32>, tensor<5x9xf32>) -> tensor<5x9xf32>
  return %1 : tensor<5x9xf32>
}

// -----

func.func @gather(%arg0: tensor<8x9xf32>, %arg1: tensor<5x1xi32>) -> tensor<5x9xf32> {
  %0 = tensor.empty() : tensor<5x9xf32>
  // expected-error @+1 {{offset_dims must be ascending dimensions in [0, 2): found 2}}
  %1 = "ttnn.gather"(%arg0, %arg1, %0) <{collapsed_slice_dims = array<i64: 0>, index_vector_dim = 1 : si64, offset_dims = array<i64: 2>, operand_batching_dims = array<i64>, slice_sizes = array<i64: 1, 9>, start_index_map = array<i64: 0>, start_indices_batching_dims = array<i64>}> : (tensor<8x9xf32>, tensor<5x1xi32>, tensor<5x9xf32>) -> tensor<5x9xf32>
  return %1 : tensor<5x9xf32>
}

// -----

func.func @gather(%arg0: tensor<8x9xf32>, %arg1: tensor<5x1xi32>) -> tensor<5x9xf32> {
  %0 = tensor.empty() : tensor<5x9xf32>
  // expected-error @+1 {{collapsed_slice_dims must be ascending dimensions in [0, 2): found 1, 0}}
  %1 = "ttnn.gather"(%arg0, %arg1, %0) <{collapsed_slice_dims = array<i64: 1, 0>, index_vector_dim = 1 : si64, offset_dims = array<i64: 1>, operand_batching_dims = array<i64>, slice_sizes = array<i64: 1, 9>, start_index_map = array<i64: 0>, start_indices_batching_dims = array<i64>}> : (tensor<8x9xf32>, tensor<5x1xi32>, tensor<5x9xf32>) -> tensor<5x9xf32>
  return %1 : tensor<5x9xf32>
}

// -----

func.func @gather(%arg0: tensor<8x9xf32>, %arg1: tensor<5x1xi32>) -> tensor<5x9xf32> {
  %0 = tensor.empty() : tensor<5x9xf32>
  // expected-error @+1 {{operand_batching_dims must be ascending dimensions in [0, 2): found 5}}
  %1 = "ttnn.gather"(%arg0, %arg1, %0) <{collapsed_slice_dims = array<i64: 0>, index_vector_dim = 1 : si64, offset_dims = array<i64: 1>, operand_batching_dims = array<i64: 5>, slice_sizes = array<i64: 1, 9>, start_index_map = array<i64: 0>, start_indices_batching_dims = array<i64>}> : (tensor<8x9xf32>, tensor<5x1xi32>, tensor<5x9xf32>) -> tensor<5x9xf32>
  return %1 : tensor<5x9xf32>
}

// -----

func.func @gather(%arg0: tensor<8x9xf32>, %arg1: tensor<5x1xi32>) -> tensor<5x9xf32> {
  %0 = tensor.empty() : tensor<5x9xf32>
  // expected-error @+1 {{expected as many start_indices_batching_dims as operand_batching_dims: found 0 and 1}}
  %1 = "ttnn.gather"(%arg0, %arg1, %0) <{collapsed_slice_dims = array<i64: 0>, index_vector_dim = 1 : si64, offset_dims = array<i64: 1>, operand_batching_dims = array<i64: 1>, slice_sizes = array<i64: 1, 9>, start_index_map = array<i64: 0>, start_indices_batching_dims = array<i64>}> : (tensor<8x9xf32>, tensor<5x1xi32>, tensor<5x9xf32>) -> tensor<5x9xf32>
  return %1 : tensor<5x9xf32>
}

// -----

func.func @gather(%arg0: tensor<8x9xf32>, %arg1: tensor<5x1xi32>) -> tensor<5x9xf32> {
  %0 = tensor.empty() : tensor<5x9xf32>
  // expected-error @+1 {{dimension 0 is collapsed and a batch: expected one of them}}
  %1 = "ttnn.gather"(%arg0, %arg1, %0) <{collapsed_slice_dims = array<i64: 0>, index_vector_dim = 1 : si64, offset_dims = array<i64: 1>, operand_batching_dims = array<i64: 0>, slice_sizes = array<i64: 1, 9>, start_index_map = array<i64: 0>, start_indices_batching_dims = array<i64: 0>}> : (tensor<8x9xf32>, tensor<5x1xi32>, tensor<5x9xf32>) -> tensor<5x9xf32>
  return %1 : tensor<5x9xf32>
}

// -----

func.func @gather(%arg0: tensor<8x9xf32>, %arg1: tensor<5x1xi32>) -> tensor<5x9xf32> {
  %0 = tensor.empty() : tensor<5x9xf32>
  // expected-error @+1 {{start_indices_batching_dims must name a dimension of the extent 9: found 0}}
  %1 = "ttnn.gather"(%arg0, %arg1, %0) <{collapsed_slice_dims = array<i64: 0>, index_vector_dim = 1 : si64, offset_dims = array<i64: 1>, operand_batching_dims = array<i64: 1>, slice_sizes = array<i64: 1, 9>, start_index_map = array<i64: 0>, start_indices_batching_dims = array<i64: 0>}> : (tensor<8x9xf32>, tensor<5x1xi32>, tensor<5x9xf32>) -> tensor<5x9xf32>
  return %1 : tensor<5x9xf32>
}

// -----

func.func @gather(%arg0: tensor<8x9xf32>, %arg1: tensor<5x1xi32>) -> tensor<5x9xf32> {
  %0 = tensor.empty() : tensor<5x9xf32>
  // expected-error @+1 {{start_index_map must have distinct dimensions in [0, 2): found 2}}
  %1 = "ttnn.gather"(%arg0, %arg1, %0) <{collapsed_slice_dims = array<i64: 0>, index_vector_dim = 1 : si64, offset_dims = array<i64: 1>, operand_batching_dims = array<i64>, slice_sizes = array<i64: 1, 9>, start_index_map = array<i64: 2>, start_indices_batching_dims = array<i64>}> : (tensor<8x9xf32>, tensor<5x1xi32>, tensor<5x9xf32>) -> tensor<5x9xf32>
  return %1 : tensor<5x9xf32>
}

// -----

func.func @gather(%arg0: tensor<8x9xf32>, %arg1: tensor<5x1xi32>) -> tensor<5x9xf32> {
  %0 = tensor.empty() : tensor<5x9xf32>
  // expected-error @+1 {{slice_sizes must be 1 in dimension 0 of 8x9: found 2}}
  %1 = "ttnn.gather"(%arg0, %arg1, %0) <{collapsed_slice_dims = array<i64: 0>, index_vector_dim = 1 : si64, offset_dims = array<i64: 1>, operand_batching_dims = array<i64>, slice_sizes = array<i64: 2, 9>, start_index_map = array<i64: 0>, start_indices_batching_dims = array<i64>}> : (tensor<8x9xf32>, tensor<5x1xi32>, tensor<5x9xf32>) -> tensor<5x9xf32>
  return %1 : tensor<5x9xf32>
}

// -----

func.func @gather(%arg0: tensor<8x9xf32>, %arg1: tensor<5x1xi32>) -> tensor<5x9xf32> {
  %0 = tensor.empty() : tensor<5x9xf32>
  // expected-error @+1 {{slice_sizes must be between 0 and the extent in dimension 1 of 8x9: found 10}}
  %1 = "ttnn.gather"(%arg0, %arg1, %0) <{collapsed_slice_dims = array<i64: 0>, index_vector_dim = 1 : si64, offset_dims = array<i64: 1>, operand_batching_dims = array<i64>, slice_sizes = array<i64: 1, 10>, start_index_map = array<i64: 0>, start_indices_batching_dims = array<i64>}> : (tensor<8x9xf32>, tensor<5x1xi32>, tensor<5x9xf32>) -> tensor<5x9xf32>
  return %1 : tensor<5x9xf32>
}

// -----

func.func @gather(%arg0: tensor<8x9xf32>, %arg1: tensor<5x1xi32>) -> tensor<5x9xf32> {
  %0 = tensor.empty() : tensor<5x9xf32>
  // expected-error @+1 {{offset_dims must name a dimension for each that is neither collapsed nor a batch: expected 1, found 0}}
  %1 = "ttnn.gather"(%arg0, %arg1, %0) <{collapsed_slice_dims = array<i64: 0>, index_vector_dim = 1 : si64, offset_dims = array<i64>, operand_batching_dims = array<i64>, slice_sizes = array<i64: 1, 9>, start_index_map = array<i64: 0>, start_indices_batching_dims = array<i64>}> : (tensor<8x9xf32>, tensor<5x1xi32>, tensor<5x9xf32>) -> tensor<5x9xf32>
  return %1 : tensor<5x9xf32>
}

// -----

func.func @gather(%arg0: tensor<8x9xf32>, %arg1: tensor<5x1xi32>) -> tensor<9x5xf32> {
  %0 = tensor.empty() : tensor<9x5xf32>
  // expected-error @+1 {{Output shape mismatch: expected 5x9, found 9x5}}
  %1 = "ttnn.gather"(%arg0, %arg1, %0) <{collapsed_slice_dims = array<i64: 0>, index_vector_dim = 1 : si64, offset_dims = array<i64: 1>, operand_batching_dims = array<i64>, slice_sizes = array<i64: 1, 9>, start_index_map = array<i64: 0>, start_indices_batching_dims = array<i64>}> : (tensor<8x9xf32>, tensor<5x1xi32>, tensor<9x5xf32>) -> tensor<9x5xf32>
  return %1 : tensor<9x5xf32>
}
