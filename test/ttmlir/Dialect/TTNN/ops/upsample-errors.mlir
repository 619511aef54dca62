// RUN: ttmlir-opt %s -split-input-file -verify-diagnostics
// Rules of enlargement.
func.func @upsample(%arg0: tensor<8x8x4xf32>) -> tensor<16x16x4xf32> {
  %0 = tensor.empty() : tensor<16x16x4xf32>
  // expected-error @+1 {{Input must be a 4D tensor: found rank 3}}
  %1 = "ttnn.upsample"(%arg0, %0) <{mode = "nearest", scale_factor = array<i32: 2, 2>}> : (tensor<8x8x4xf32>, tensor<16x16x4xf32>) -> tensor<16x16x4xf32>
  return %1 : tensor<16x16x4xf32>
}

// -----

func.func @upsample(%arg0: tensor<1x8x8x4xf32>) -> tensor<1x16x16x4xf32> {
  %0 = tensor.empty() : tensor<1x16x16x4xf32>
  // expected-error @+1 {{scale_factor must be one number or two: found 3}}
  %1 = "ttnn.upsample"(%arg0, %0) <{mode = "nearest", scale_factor = array<i32: 2, 2, 2>}> : (tensor<1x8x8x4xf32>, tensor<1x16x16x4xf32>) -> tensor<1x16x16x4xf32>
  return %1 : tensor<1x16x16x4xf32>
}

// -----

func.func @upsample(%arg0: tensor<1x8x8x4xf32>) -> tensor<1x16x16x4xf32> {
  %0 = tensor.empty() : tensor<1x16x16x4xf32>
  // expected-error @+1 {{scale_factor must be positive: found 0}}
  %1 = "ttnn.upsample"(%arg0, %0) <{mode = "nearest", scale_factor = array<i32: 2, 0>}> : (tensor<1x8x8x4xf32>, tensor<1x16x16x4xf32>) -> tensor<1x16x16x4xf32>
  return %1 : tensor<1x16x16x4xf32>
}

// -----

func.func @upsample(%arg0: tensor<1x8x8x4xf32>) -> tensor<1x16x16x4xf32> {
  %0 = tensor.empty() : tensor<1x16x16x4xf32>
  // expected-error @+1 {{mode must be "nearest" or "bilinear": found "cubic"}}
  %1 = "ttnn.upsample"(%arg0, %0) <{mode = "cubic", scale_factor = array<i32: 2, 2>}> : (tensor<1x8x8x4xf32>, tensor<1x16x16x4xf32>) -> tensor<1x16x16x4xf32>
  return %1 : tensor<1x16x16x4xf32>
}

// -----

func.func @upsample(%arg0: tensor<1x8x8x4xf32>) -> tensor<1x16x16x4xf32> {
  %0 = tensor.empty() : tensor<1x16x16x4xf32>
  // expected-error @+1 {{Output shape mismatch: expected 1x16x24x4, found 1x16x16x4}}
  %1 = "ttnn.upsample"(%arg0, %0) <{mode = "nearest", scale_factor = array<i32: 2, 3>}> : (tensor<1x8x8x4xf32>, tensor<1x16x16x4xf32>) -> tensor<1x16x16x4xf32>
  return %1 : tensor<1x16x16x4xf32>
}
