// RUN: ttmlir-opt %s --split-input-file --verify-diagnostics

func.func @heads(%q: tensor<1x6x32x64xbf16>, %k: tensor<1x4x32x64xbf16>, %o: tensor<1x6x32x64xbf16>) {
  // expected-error @+1 {{the heads of the keys must divide those of the queries: found 4 and 6}}
  %0 = "ttnn.scaled_dot_product_attention"(%q, %k, %k, %o) <{is_causal = true, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 1>, scale = 1.0 : f32}> : (tensor<1x6x32x64xbf16>, tensor<1x4x32x64xbf16>, tensor<1x4x32x64xbf16>, tensor<1x6x32x64xbf16>) -> tensor<1x6x32x64xbf16>
  return
}

// -----

func.func @integers(%q: tensor<1x4x32x64xi32>) {
  // expected-error @+1 {{expected tensors of floats, found 'tensor<1x4x32x64xi32>'}}
  %0 = "ttnn.scaled_dot_product_attention"(%q, %q, %q, %q) <{is_causal = true, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 1>, scale = 1.0 : f32}> : (tensor<1x4x32x64xi32>, tensor<1x4x32x64xi32>, tensor<1x4x32x64xi32>, tensor<1x4x32x64xi32>) -> tensor<1x4x32x64xi32>
  return
}

// -----

func.func @result(%q: tensor<1x4x32x64xbf16>, %o: tensor<1x4x32x32xbf16>) {
  // expected-error @+1 {{expected 1x4x32x64, found 1x4x32x32}}
  %0 = "ttnn.scaled_dot_product_attention"(%q, %q, %q, %o) <{is_causal = true, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 1>, scale = 1.0 : f32}> : (tensor<1x4x32x64xbf16>, tensor<1x4x32x64xbf16>, tensor<1x4x32x64xbf16>, tensor<1x4x32x32xbf16>) -> tensor<1x4x32x32xbf16>
  return
}

// -----

func.func @split_heads(%a: tensor<2x40x100xbf16>, %q: tensor<2x4x40x8xbf16>) {
  // expected-error @+1 {{expected a multiple of 12 heads in the last dimension, found 100}}
  %0:3 = "ttnn.split_query_key_value_and_split_heads"(%a, %q, %q, %q) <{num_heads = 4 : ui32, transpose_key = false}> : (tensor<2x40x100xbf16>, tensor<2x4x40x8xbf16>, tensor<2x4x40x8xbf16>, tensor<2x4x40x8xbf16>) -> (tensor<2x4x40x8xbf16>, tensor<2x4x40x8xbf16>, tensor<2x4x40x8xbf16>)
  return
}

// -----

func.func @split_batch(%a: tensor<2x40x32xbf16>, %b: tensor<3x40x64xbf16>, %q: tensor<2x4x40x8xbf16>) {
  // expected-error @+1 {{expected inputs of rank 3 and of one batch, found 2x40x32 and 3x40x64}}
  %0:3 = "ttnn.split_query_key_value_and_split_heads"(%a, %b, %q, %q, %q) <{num_heads = 4 : ui32, transpose_key = false}> : (tensor<2x40x32xbf16>, tensor<3x40x64xbf16>, tensor<2x4x40x8xbf16>, tensor<2x4x40x8xbf16>, tensor<2x4x40x8xbf16>) -> (tensor<2x4x40x8xbf16>, tensor<2x4x40x8xbf16>, tensor<2x4x40x8xbf16>)
  return
}

// -----

// Keys are transposed.
func.func @split_key(%a: tensor<2x40x96xbf16>, %q: tensor<2x4x40x8xbf16>) {
  // expected-error @+1 {{expected 2x4x8x40, found 2x4x40x8}}
  %0:3 = "ttnn.split_query_key_value_and_split_heads"(%a, %q, %q, %q) <{num_heads = 4 : ui32, transpose_key = true}> : (tensor<2x40x96xbf16>, tensor<2x4x40x8xbf16>, tensor<2x4x40x8xbf16>, tensor<2x4x40x8xbf16>) -> (tensor<2x4x40x8xbf16>, tensor<2x4x40x8xbf16>, tensor<2x4x40x8xbf16>)
  return
}

// -----

func.func @concatenate_rank(%a: tensor<4x40x8xbf16>, %o: tensor<40x32xbf16>) {
  // expected-error @+1 {{expected an input of rank 4, found 4x40x8}}
  %0 = "ttnn.concatenate_heads"(%a, %o) : (tensor<4x40x8xbf16>, tensor<40x32xbf16>) -> tensor<40x32xbf16>
  return
}

// -----

func.func @concatenate_shape(%a: tensor<2x4x40x8xbf16>, %o: tensor<2x40x64xbf16>) {
  // expected-error @+1 {{expected 2x40x32, found 2x40x64}}
  %0 = "ttnn.concatenate_heads"(%a, %o) : (tensor<2x4x40x8xbf16>, tensor<2x40x64xbf16>) -> tensor<2x40x64xbf16>
  return
}

// -----

func.func @positions(%q: tensor<2x4x32x64xbf16>, %p: tensor<3x1xi32>) {
  // expected-error @+1 {{expected integer positions that broadcast to 2x32, found 'tensor<3x1xi32>'}}
  %0 = "ttnn.scaled_dot_product_attention"(%q, %q, %q, %p, %q) <{is_causal = true, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 1, 0, 1>, scale = 1.0 : f32}> : (tensor<2x4x32x64xbf16>, tensor<2x4x32x64xbf16>, tensor<2x4x32x64xbf16>, tensor<3x1xi32>, tensor<2x4x32x64xbf16>) -> tensor<2x4x32x64xbf16>
  return
}

// -----

func.func @page_table(%q: tensor<2x4x32x64xbf16>, %k: tensor<5x4x32x64xbf16>, %t: tensor<1x2xi32>) {
  // expected-error @+1 {{expected a page_table of integers with 2 rows, found 'tensor<1x2xi32>'}}
  %0 = "ttnn.scaled_dot_product_attention"(%q, %k, %k, %t, %q) <{is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 1, 1>, scale = 1.0 : f32}> : (tensor<2x4x32x64xbf16>, tensor<5x4x32x64xbf16>, tensor<5x4x32x64xbf16>, tensor<1x2xi32>, tensor<2x4x32x64xbf16>) -> tensor<2x4x32x64xbf16>
  return
}

// -----

func.func @rotary_rank(%a: tensor<4x40x64xbf16>, %b: tensor<1x1x40x64xbf16>, %c: tensor<1x1x40x64xbf16>) {
  // expected-error @+1 {{expected an input of rank 4 with an even number of columns, found 4x40x64}}
  %0 = "ttnn.rotary_embedding"(%a, %b, %c, %a) : (tensor<4x40x64xbf16>, tensor<1x1x40x64xbf16>, tensor<1x1x40x64xbf16>, tensor<4x40x64xbf16>) -> tensor<4x40x64xbf16>
  return
}

// -----

func.func @rotary_odd(%a: tensor<2x4x40x63xbf16>, %b: tensor<1x1x40x63xbf16>, %c: tensor<1x1x40x63xbf16>) {
  // expected-error @+1 {{expected an input of rank 4 with an even number of columns, found 2x4x40x63}}
  %0 = "ttnn.rotary_embedding"(%a, %b, %c, %a) : (tensor<2x4x40x63xbf16>, tensor<1x1x40x63xbf16>, tensor<1x1x40x63xbf16>, tensor<2x4x40x63xbf16>) -> tensor<2x4x40x63xbf16>
  return
}

// -----

func.func @rotary_heads(%a: tensor<2x4x40x64xbf16>, %b: tensor<2x4x40x64xbf16>, %c: tensor<2x4x40x64xbf16>) {
  // expected-error @+1 {{expected cos_cache and sin_cache of 2x1x40x64, or with 1 for its batches or positions, found 2x4x40x64 and 2x4x40x64}}
  %0 = "ttnn.rotary_embedding"(%a, %b, %c, %a) : (tensor<2x4x40x64xbf16>, tensor<2x4x40x64xbf16>, tensor<2x4x40x64xbf16>, tensor<2x4x40x64xbf16>) -> tensor<2x4x40x64xbf16>
  return
}

// -----

func.func @rotary_places(%a: tensor<2x4x40x64xbf16>, %b: tensor<2x1x32x64xbf16>, %c: tensor<2x1x32x64xbf16>) {
  // expected-error @+1 {{expected cos_cache and sin_cache of 2x1x40x64, or with 1 for its batches or positions, found 2x1x32x64 and 2x1x32x64}}
  %0 = "ttnn.rotary_embedding"(%a, %b, %c, %a) : (tensor<2x4x40x64xbf16>, tensor<2x1x32x64xbf16>, tensor<2x1x32x64xbf16>, tensor<2x4x40x64xbf16>) -> tensor<2x4x40x64xbf16>
  return
}

// -----

func.func @rotary_tables(%a: tensor<2x4x40x64xbf16>, %b: tensor<2x1x40x64xbf16>, %c: tensor<1x1x40x64xbf16>) {
  // expected-error @+1 {{expected cos_cache and sin_cache of 2x1x40x64, or with 1 for its batches or positions, found 2x1x40x64 and 1x1x40x64}}
  %0 = "ttnn.rotary_embedding"(%a, %b, %c, %a) : (tensor<2x4x40x64xbf16>, tensor<2x1x40x64xbf16>, tensor<1x1x40x64xbf16>, tensor<2x4x40x64xbf16>) -> tensor<2x4x40x64xbf16>
  return
}

// -----

func.func @rotary_integers(%a: tensor<2x4x40x64xi32>, %b: tensor<1x1x40x64xbf16>) {
  // expected-error @+1 {{expected tensors of floats, found 'tensor<2x4x40x64xi32>'}}
  %0 = "ttnn.rotary_embedding"(%a, %b, %b, %a) : (tensor<2x4x40x64xi32>, tensor<1x1x40x64xbf16>, tensor<1x1x40x64xbf16>, tensor<2x4x40x64xi32>) -> tensor<2x4x40x64xi32>
  return
}

// -----

func.func @rotary_result(%a: tensor<2x4x40x64xbf16>, %b: tensor<1x1x40x64xbf16>, %o: tensor<2x4x40x32xbf16>) {
  // expected-error @+1 {{expected 2x4x40x64, found 2x4x40x32}}
  %0 = "ttnn.rotary_embedding"(%a, %b, %b, %o) : (tensor<2x4x40x64xbf16>, tensor<1x1x40x64xbf16>, tensor<1x1x40x64xbf16>, tensor<2x4x40x32xbf16>) -> tensor<2x4x40x32xbf16>
  return
}
