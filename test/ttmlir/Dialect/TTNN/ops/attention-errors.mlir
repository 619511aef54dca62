// RUN: ttmlir-opt %s --split-input-file --verify-diagnostics

func.func @heads(%q: tensor<1x6x32x64xbf16>, %k: tensor<1x4x32x64xbf16>, %o: tensor<1x6x32x64xbf16>) {
  // expected-error @+1 {{the heads of the keys must divide those of the queries: found 4 and 6}}
  %0 = "ttnn.scaled_dot_product_attention"(%q, %k, %k, %o) <{is_causal = true, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 1>, scale = 1.0 : f32}> : (tensor<1x6x32x64xbf16>, tensor<1x4x32x64xbf16>, tensor<1x4x32x64xbf16>, tensor<1x6x32x64xbf16>) -> tensor<1x6x32x64xbf16>
  return
}

// -----

func.func @integers(%q: tensor<1x4x32x64xi32>) {
  // expected-error @+1 {{expected tensors of floats, found 'tensor<1x4x32x64xi32>'}}
  %0 = "ttnn.scaled_dot_product_attention"(%q, %q, %q, %q) <{is_causal = true, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 1>, scale = 1.0 : f32}> : (tensor<1x4x32x64xi32>, tensor<1x4x32x64xi32>, tensor<1x4x32x64xi32>, tensor<1x4x32x64xi32>) -> tensor<1x4x32x64xi32>
  return
}

// -----

func.func @result(%q: tensor<1x4x32x64xbf16>, %o: tensor<1x4x32x32xbf16>) {
  // expected-error @+1 {{expected 1x4x32x64, found 1x4x32x32}}
  %0 = "ttnn.scaled_dot_product_attention"(%q, %q, %q, %o) <{is_causal = true, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 1>, scale = 1.0 : f32}> : (tensor<1x4x32x64xbf16>, tensor<1x4x32x64xbf16>, tensor<1x4x32x64xbf16>, tensor<1x4x32x32xbf16>) -> tensor<1x4x32x32xbf16>
  return
}
