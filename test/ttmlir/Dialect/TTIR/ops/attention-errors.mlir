// RUN: ttmlir-opt %s -split-input-file -verify-diagnostics
// Rules of attention, heads and caches.
#any = #tt.operand_constraint<any_device>
func.func @scaled_dot_product_attention(%a0: tensor<4x8x16xf32>, %a1: tensor<2x2x9x16xf32>, %a2: tensor<2x2x9x5xf32>) -> tensor<2x4x8x5xf32> {
  %e0 = tensor.empty() : tensor<2x4x8x5xf32>
  // expected-error @below {{expected query, key and value of rank 4, found 4x8x16, 2x2x9x16 and 2x2x9x5}}
  %r = "ttir.scaled_dot_product_attention"(%a0, %a1, %a2, %e0) <{is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 1>, operand_constraints = [#any, #any, #any, #any]}> : (tensor<4x8x16xf32>, tensor<2x2x9x16xf32>, tensor<2x2x9x5xf32>, tensor<2x4x8x5xf32>) -> tensor<2x4x8x5xf32>
  return %r : tensor<2x4x8x5xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @scaled_dot_product_attention(%a0: tensor<2x4x8x16xf32>, %a1: tensor<2x2x9x17xf32>, %a2: tensor<2x2x9x5xf32>) -> tensor<2x4x8x5xf32> {
  %e0 = tensor.empty() : tensor<2x4x8x5xf32>
  // expected-error @below {{expected a query BxHxSxD, a key BxGxTxD and a value BxGxTxE, found 2x4x8x16, 2x2x9x17 and 2x2x9x5}}
  %r = "ttir.scaled_dot_product_attention"(%a0, %a1, %a2, %e0) <{is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 1>, operand_constraints = [#any, #any, #any, #any]}> : (tensor<2x4x8x16xf32>, tensor<2x2x9x17xf32>, tensor<2x2x9x5xf32>, tensor<2x4x8x5xf32>) -> tensor<2x4x8x5xf32>
  return %r : tensor<2x4x8x5xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @scaled_dot_product_attention(%a0: tensor<2x4x8x16xf32>, %a1: tensor<2x3x9x16xf32>, %a2: tensor<2x3x9x5xf32>) -> tensor<2x4x8x5xf32> {
  %e0 = tensor.empty() : tensor<2x4x8x5xf32>
  // expected-error @below {{the heads of the keys must divide those of the queries: found 3 and 4}}
  %r = "ttir.scaled_dot_product_attention"(%a0, %a1, %a2, %e0) <{is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 1>, operand_constraints = [#any, #any, #any, #any]}> : (tensor<2x4x8x16xf32>, tensor<2x3x9x16xf32>, tensor<2x3x9x5xf32>, tensor<2x4x8x5xf32>) -> tensor<2x4x8x5xf32>
  return %r : tensor<2x4x8x5xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @scaled_dot_product_attention(%a0: tensor<2x4x8x16xf32>, %a1: tensor<2x2x9x16xf32>, %a2: tensor<2x2x9x5xf32>, %a3: tensor<1x1x9x8xf32>) -> tensor<2x4x8x5xf32> {
  %e0 = tensor.empty() : tensor<2x4x8x5xf32>
  // expected-error @below {{expected an attention_mask that broadcasts to 2x4x8x9, found 1x1x9x8}}
  %r = "ttir.scaled_dot_product_attention"(%a0, %a1, %a2, %a3, %e0) <{is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 1>, operand_constraints = [#any, #any, #any, #any, #any]}> : (tensor<2x4x8x16xf32>, tensor<2x2x9x16xf32>, tensor<2x2x9x5xf32>, tensor<1x1x9x8xf32>, tensor<2x4x8x5xf32>) -> tensor<2x4x8x5xf32>
  return %r : tensor<2x4x8x5xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @scaled_dot_product_attention(%a0: tensor<2x4x8x16xf32>, %a1: tensor<2x2x9x16xf32>, %a2: tensor<2x2x9x5xf32>, %a3: tensor<1x1x8x9xf32>) -> tensor<2x4x8x5xf32> {
  %e0 = tensor.empty() : tensor<2x4x8x5xf32>
  // expected-error @below {{is_causal and attention_mask exclude each other: found both}}
  %r = "ttir.scaled_dot_product_attention"(%a0, %a1, %a2, %a3, %e0) <{is_causal = true, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 1>, operand_constraints = [#any, #any, #any, #any, #any]}> : (tensor<2x4x8x16xf32>, tensor<2x2x9x16xf32>, tensor<2x2x9x5xf32>, tensor<1x1x8x9xf32>, tensor<2x4x8x5xf32>) -> tensor<2x4x8x5xf32>
  return %r : tensor<2x4x8x5xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @scaled_dot_product_attention(%a0: tensor<2x4x8x16xf32>, %a1: tensor<2x2x9x16xf32>, %a2: tensor<2x2x9x5xf32>, %a3: tensor<3x32xf32>) -> tensor<2x4x8x5xf32> {
  %e0 = tensor.empty() : tensor<2x4x8x5xf32>
  // expected-error @below {{expected an attention_sink of 4 rows, found 3x32}}
  %r = "ttir.scaled_dot_product_attention"(%a0, %a1, %a2, %a3, %e0) <{is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 0, 1, 0, 0, 1>, operand_constraints = [#any, #any, #any, #any, #any]}> : (tensor<2x4x8x16xf32>, tensor<2x2x9x16xf32>, tensor<2x2x9x5xf32>, tensor<3x32xf32>, tensor<2x4x8x5xf32>) -> tensor<2x4x8x5xf32>
  return %r : tensor<2x4x8x5xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @scaled_dot_product_attention_decode(%a0: tensor<2x2x4x16xf32>, %a1: tensor<2x2x9x16xf32>, %a2: tensor<2x2x9x5xf32>) -> tensor<1x2x4x5xf32> {
  %e0 = tensor.empty() : tensor<1x2x4x5xf32>
  // expected-error @below {{expected a query 1xBxHxD, found 2x2x4x16}}
  %r = "ttir.scaled_dot_product_attention_decode"(%a0, %a1, %a2, %e0) <{is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 1>, operand_constraints = [#any, #any, #any, #any]}> : (tensor<2x2x4x16xf32>, tensor<2x2x9x16xf32>, tensor<2x2x9x5xf32>, tensor<1x2x4x5xf32>) -> tensor<1x2x4x5xf32>
  return %r : tensor<1x2x4x5xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @scaled_dot_product_attention_decode(%a0: tensor<1x2x4x16xf32>, %a1: tensor<2x2x9x16xf32>, %a2: tensor<2x2x9x5xf32>) -> tensor<1x2x4x5xf32> {
  %e0 = tensor.empty() : tensor<1x2x4x5xf32>
  // expected-error @below {{expected cur_pos_tensor with is_causal and not without: found is_causal without cur_pos_tensor}}
  %r = "ttir.scaled_dot_product_attention_decode"(%a0, %a1, %a2, %e0) <{is_causal = true, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 1>, operand_constraints = [#any, #any, #any, #any]}> : (tensor<1x2x4x16xf32>, tensor<2x2x9x16xf32>, tensor<2x2x9x5xf32>, tensor<1x2x4x5xf32>) -> tensor<1x2x4x5xf32>
  return %r : tensor<1x2x4x5xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @scaled_dot_product_attention_decode(%a0: tensor<1x2x4x16xf32>, %a1: tensor<2x2x9x16xf32>, %a2: tensor<2x2x9x5xf32>, %a3: tensor<2xf32>) -> tensor<1x2x4x5xf32> {
  %e0 = tensor.empty() : tensor<1x2x4x5xf32>
  // expected-error @below {{expected cur_pos_tensor to have 2 integers, found 'tensor<2xf32>'}}
  %r = "ttir.scaled_dot_product_attention_decode"(%a0, %a1, %a2, %a3, %e0) <{is_causal = true, operandSegmentSizes = array<i32: 1, 1, 1, 0, 1, 0, 1>, operand_constraints = [#any, #any, #any, #any, #any]}> : (tensor<1x2x4x16xf32>, tensor<2x2x9x16xf32>, tensor<2x2x9x5xf32>, tensor<2xf32>, tensor<1x2x4x5xf32>) -> tensor<1x2x4x5xf32>
  return %r : tensor<1x2x4x5xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @scaled_dot_product_attention_decode(%a0: tensor<1x2x4x16xf32>, %a1: tensor<2x2x9x16xf32>, %a2: tensor<2x2x9x5xf32>, %a3: tensor<2x4x1x9xf32>) -> tensor<1x2x4x5xf32> {
  %e0 = tensor.empty() : tensor<1x2x4x5xf32>
  // expected-error @below {{expected an attention_mask that broadcasts to 2x1x4x9, found 2x4x1x9}}
  %r = "ttir.scaled_dot_product_attention_decode"(%a0, %a1, %a2, %a3, %e0) <{is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 1>, operand_constraints = [#any, #any, #any, #any, #any]}> : (tensor<1x2x4x16xf32>, tensor<2x2x9x16xf32>, tensor<2x2x9x5xf32>, tensor<2x4x1x9xf32>, tensor<1x2x4x5xf32>) -> tensor<1x2x4x5xf32>
  return %r : tensor<1x2x4x5xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @paged_scaled_dot_product_attention_decode(%a0: tensor<1x2x4x16xf32>, %a1: tensor<6x2x8x16xf32>, %a2: tensor<6x2x8x5xf32>, %a3: tensor<3x3xsi32>) -> tensor<1x2x4x5xf32> {
  %e0 = tensor.empty() : tensor<1x2x4x5xf32>
  // expected-error @below {{expected a page_table of integers with 2 rows, found 'tensor<3x3xsi32>'}}
  %r = "ttir.paged_scaled_dot_product_attention_decode"(%a0, %a1, %a2, %a3, %e0) <{is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 1>, operand_constraints = [#any, #any, #any, #any, #any]}> : (tensor<1x2x4x16xf32>, tensor<6x2x8x16xf32>, tensor<6x2x8x5xf32>, tensor<3x3xsi32>, tensor<1x2x4x5xf32>) -> tensor<1x2x4x5xf32>
  return %r : tensor<1x2x4x5xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @paged_scaled_dot_product_attention_decode(%a0: tensor<1x2x4x16xf32>, %a1: tensor<6x2x8x16xf32>, %a2: tensor<6x2x4x5xf32>, %a3: tensor<2x3xsi32>) -> tensor<1x2x4x5xf32> {
  %e0 = tensor.empty() : tensor<1x2x4x5xf32>
  // expected-error @below {{expected keys and values with the same number of blocks and heads and the same block size, found 6x2x8x16 and 6x2x4x5}}
  %r = "ttir.paged_scaled_dot_product_attention_decode"(%a0, %a1, %a2, %a3, %e0) <{is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 1>, operand_constraints = [#any, #any, #any, #any, #any]}> : (tensor<1x2x4x16xf32>, tensor<6x2x8x16xf32>, tensor<6x2x4x5xf32>, tensor<2x3xsi32>, tensor<1x2x4x5xf32>) -> tensor<1x2x4x5xf32>
  return %r : tensor<1x2x4x5xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @paged_flash_multi_latent_attention_decode(%a0: tensor<1x2x4x16xf32>, %a1: tensor<6x1x8x16xf32>, %a2: tensor<2x3xsi32>) -> tensor<1x2x4x17xf32> {
  %e0 = tensor.empty() : tensor<1x2x4x17xf32>
  // expected-error @below {{head_dim_v must be at most the width of the keys, 16: found 17}}
  %r = "ttir.paged_flash_multi_latent_attention_decode"(%a0, %a1, %a2, %e0) <{head_dim_v = 17 : ui32, is_causal = false, operandSegmentSizes = array<i32: 1, 1, 0, 1, 0, 0, 0, 1>, operand_constraints = [#any, #any, #any, #any]}> : (tensor<1x2x4x16xf32>, tensor<6x1x8x16xf32>, tensor<2x3xsi32>, tensor<1x2x4x17xf32>) -> tensor<1x2x4x17xf32>
  return %r : tensor<1x2x4x17xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @paged_flash_multi_latent_attention_decode(%a0: tensor<1x2x4x16xf32>, %a1: tensor<6x1x8x16xf32>, %a2: tensor<6x1x8x5xf32>, %a3: tensor<2x3xsi32>) -> tensor<1x2x4x5xf32> {
  %e0 = tensor.empty() : tensor<1x2x4x5xf32>
  // expected-error @below {{head_dim_v must be the width of the values: expected 5, found 4}}
  %r = "ttir.paged_flash_multi_latent_attention_decode"(%a0, %a1, %a2, %a3, %e0) <{head_dim_v = 4 : ui32, is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 1>, operand_constraints = [#any, #any, #any, #any, #any]}> : (tensor<1x2x4x16xf32>, tensor<6x1x8x16xf32>, tensor<6x1x8x5xf32>, tensor<2x3xsi32>, tensor<1x2x4x5xf32>) -> tensor<1x2x4x5xf32>
  return %r : tensor<1x2x4x5xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @chunked_scaled_dot_product_attention(%a0: tensor<2x4x8x16xf32>, %a1: tensor<6x2x8x16xf32>, %a2: tensor<6x2x8x5xf32>, %a3: tensor<2x3xsi32>, %a4: tensor<2xsi32>) -> tensor<2x4x8x5xf32> {
  %e0 = tensor.empty() : tensor<2x4x8x5xf32>
  // expected-error @below {{expected chunk_start_idx to have 1 integers, found 'tensor<2xsi32>'}}
  %r = "ttir.chunked_scaled_dot_product_attention"(%a0, %a1, %a2, %a3, %a4, %e0) <{operand_constraints = [#any, #any, #any, #any, #any, #any]}> : (tensor<2x4x8x16xf32>, tensor<6x2x8x16xf32>, tensor<6x2x8x5xf32>, tensor<2x3xsi32>, tensor<2xsi32>, tensor<2x4x8x5xf32>) -> tensor<2x4x8x5xf32>
  return %r : tensor<2x4x8x5xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @chunked_scaled_dot_product_attention(%a0: tensor<2x4x8x16xf32>, %a1: tensor<6x2x8x16xf32>, %a2: tensor<2x8x5xf32>, %a3: tensor<2x3xsi32>, %a4: tensor<1xsi32>) -> tensor<2x4x8x5xf32> {
  %e0 = tensor.empty() : tensor<2x4x8x5xf32>
  // expected-error @below {{expected keys and values of rank 4, found 2x8x5}}
  %r = "ttir.chunked_scaled_dot_product_attention"(%a0, %a1, %a2, %a3, %a4, %e0) <{operand_constraints = [#any, #any, #any, #any, #any, #any]}> : (tensor<2x4x8x16xf32>, tensor<6x2x8x16xf32>, tensor<2x8x5xf32>, tensor<2x3xsi32>, tensor<1xsi32>, tensor<2x4x8x5xf32>) -> tensor<2x4x8x5xf32>
  return %r : tensor<2x4x8x5xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @chunked_scaled_dot_product_attention(%a0: tensor<2x4x8x16xf32>, %a1: tensor<6x2x8x16xf32>, %a2: tensor<6x2x8x5xf32>, %a3: tensor<2x3xf32>, %a4: tensor<1xsi32>) -> tensor<2x4x8x5xf32> {
  %e0 = tensor.empty() : tensor<2x4x8x5xf32>
  // expected-error @below {{expected a page_table of integers with 2 rows, found 'tensor<2x3xf32>'}}
  %r = "ttir.chunked_scaled_dot_product_attention"(%a0, %a1, %a2, %a3, %a4, %e0) <{operand_constraints = [#any, #any, #any, #any, #any, #any]}> : (tensor<2x4x8x16xf32>, tensor<6x2x8x16xf32>, tensor<6x2x8x5xf32>, tensor<2x3xf32>, tensor<1xsi32>, tensor<2x4x8x5xf32>) -> tensor<2x4x8x5xf32>
  return %r : tensor<2x4x8x5xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @chunked_scaled_dot_product_attention(%a0: tensor<2x4x8x16xf32>, %a1: tensor<6x3x8x16xf32>, %a2: tensor<6x3x8x5xf32>, %a3: tensor<2x3xsi32>, %a4: tensor<1xsi32>) -> tensor<2x4x8x5xf32> {
  %e0 = tensor.empty() : tensor<2x4x8x5xf32>
  // expected-error @below {{the heads of the keys must divide those of the queries: found 3 and 4}}
  %r = "ttir.chunked_scaled_dot_product_attention"(%a0, %a1, %a2, %a3, %a4, %e0) <{operand_constraints = [#any, #any, #any, #any, #any, #any]}> : (tensor<2x4x8x16xf32>, tensor<6x3x8x16xf32>, tensor<6x3x8x5xf32>, tensor<2x3xsi32>, tensor<1xsi32>, tensor<2x4x8x5xf32>) -> tensor<2x4x8x5xf32>
  return %r : tensor<2x4x8x5xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @split_query_key_value_and_split_heads(%a0: tensor<4x18xf32>) -> (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>) {
  %e0 = tensor.empty() : tensor<1x2x4x3xf32>
  %e1 = tensor.empty() : tensor<1x2x4x3xf32>
  %e2 = tensor.empty() : tensor<1x2x4x3xf32>
  // expected-error @below {{expected inputs of rank 3 and of one batch, found 4x18}}
  %r:3 = "ttir.split_query_key_value_and_split_heads"(%a0, %e0, %e1, %e2) <{num_heads = 2 : ui32, operandSegmentSizes = array<i32: 1, 0, 3>, operand_constraints = [#any, #any, #any, #any], transpose_key = false}> : (tensor<4x18xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>) -> (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>)
  return %r#0, %r#1, %r#2 : tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @split_query_key_value_and_split_heads(%a0: tensor<1x4x18xf32>) -> (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>) {
  %e0 = tensor.empty() : tensor<1x2x4x3xf32>
  %e1 = tensor.empty() : tensor<1x2x4x3xf32>
  %e2 = tensor.empty() : tensor<1x2x4x3xf32>
  // expected-error @below {{expected positive numbers of heads, found 0 and 0}}
  %r:3 = "ttir.split_query_key_value_and_split_heads"(%a0, %e0, %e1, %e2) <{num_heads = 0 : ui32, operandSegmentSizes = array<i32: 1, 0, 3>, operand_constraints = [#any, #any, #any, #any], transpose_key = false}> : (tensor<1x4x18xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>) -> (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>)
  return %r#0, %r#1, %r#2 : tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @split_query_key_value_and_split_heads(%a0: tensor<1x4x17xf32>) -> (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>) {
  %e0 = tensor.empty() : tensor<1x2x4x3xf32>
  %e1 = tensor.empty() : tensor<1x2x4x3xf32>
  %e2 = tensor.empty() : tensor<1x2x4x3xf32>
  // expected-error @below {{expected a multiple of 6 heads in the last dimension, found 17}}
  %r:3 = "ttir.split_query_key_value_and_split_heads"(%a0, %e0, %e1, %e2) <{num_heads = 2 : ui32, operandSegmentSizes = array<i32: 1, 0, 3>, operand_constraints = [#any, #any, #any, #any], transpose_key = false}> : (tensor<1x4x17xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>) -> (tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>)
  return %r#0, %r#1, %r#2 : tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>, tensor<1x2x4x3xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @concatenate_heads(%a0: tensor<2x4x3xf32>) -> tensor<4x6xf32> {
  %e0 = tensor.empty() : tensor<4x6xf32>
  // expected-error @below {{expected an input of rank 4, found 2x4x3}}
  %r = "ttir.concatenate_heads"(%a0, %e0) <{operand_constraints = [#any, #any]}> : (tensor<2x4x3xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @fill_cache(%a0: tensor<4x2x16x8xf32>, %a1: tensor<1x3x5x8xf32>) -> tensor<4x2x16x8xf32> {
  %e0 = tensor.empty() : tensor<4x2x16x8xf32>
  // expected-error @below {{expected a cache and an input of rank 4 with one element type, number of heads and width, found 'tensor<4x2x16x8xf32>' and 'tensor<1x3x5x8xf32>'}}
  %r = "ttir.fill_cache"(%a0, %a1, %e0) <{batch_offset = 0 : i32, operand_constraints = [#any, #any, #any]}> : (tensor<4x2x16x8xf32>, tensor<1x3x5x8xf32>, tensor<4x2x16x8xf32>) -> tensor<4x2x16x8xf32>
  return %r : tensor<4x2x16x8xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @fill_cache(%a0: tensor<4x2x16x8xf32>, %a1: tensor<1x2x17x8xf32>) -> tensor<4x2x16x8xf32> {
  %e0 = tensor.empty() : tensor<4x2x16x8xf32>
  // expected-error @below {{expected at most 16 places in the input, found 17}}
  %r = "ttir.fill_cache"(%a0, %a1, %e0) <{batch_offset = 0 : i32, operand_constraints = [#any, #any, #any]}> : (tensor<4x2x16x8xf32>, tensor<1x2x17x8xf32>, tensor<4x2x16x8xf32>) -> tensor<4x2x16x8xf32>
  return %r : tensor<4x2x16x8xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @fill_cache(%a0: tensor<4x2x16x8xf32>, %a1: tensor<1x2x5x8xf32>) -> tensor<4x2x16x8xf32> {
  %e0 = tensor.empty() : tensor<4x2x16x8xf32>
  // expected-error @below {{expected batch_offset and as many users as the input has in the 4 of the cache, found 4 and 1}}
  %r = "ttir.fill_cache"(%a0, %a1, %e0) <{batch_offset = 4 : i32, operand_constraints = [#any, #any, #any]}> : (tensor<4x2x16x8xf32>, tensor<1x2x5x8xf32>, tensor<4x2x16x8xf32>) -> tensor<4x2x16x8xf32>
  return %r : tensor<4x2x16x8xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @update_cache(%a0: tensor<4x2x16x8xf32>, %a1: tensor<1x3x4x8xf32>, %a2: tensor<1xsi32>) -> tensor<4x2x16x8xf32> {
  %e0 = tensor.empty() : tensor<4x2x16x8xf32>
  // expected-error @below {{expected a cache and an input of rank 4 with one element type, number of heads and width, found 'tensor<4x2x16x8xf32>' and 'tensor<1x3x4x8xf32>'}}
  %r = "ttir.update_cache"(%a0, %a1, %a2, %e0) <{batch_offset = 0 : i32, operand_constraints = [#any, #any, #any, #any]}> : (tensor<4x2x16x8xf32>, tensor<1x3x4x8xf32>, tensor<1xsi32>, tensor<4x2x16x8xf32>) -> tensor<4x2x16x8xf32>
  return %r : tensor<4x2x16x8xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @update_cache(%a0: tensor<4x2x16x8xf32>, %a1: tensor<2x2x4x8xf32>, %a2: tensor<1xsi32>) -> tensor<4x2x16x8xf32> {
  %e0 = tensor.empty() : tensor<4x2x16x8xf32>
  // expected-error @below {{expected an input 1xHxNxD, found 2x2x4x8}}
  %r = "ttir.update_cache"(%a0, %a1, %a2, %e0) <{batch_offset = 0 : i32, operand_constraints = [#any, #any, #any, #any]}> : (tensor<4x2x16x8xf32>, tensor<2x2x4x8xf32>, tensor<1xsi32>, tensor<4x2x16x8xf32>) -> tensor<4x2x16x8xf32>
  return %r : tensor<4x2x16x8xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @update_cache(%a0: tensor<4x2x16x8xf32>, %a1: tensor<1x2x4x8xf32>, %a2: tensor<1xsi32>) -> tensor<4x2x16x8xf32> {
  %e0 = tensor.empty() : tensor<4x2x16x8xf32>
  // expected-error @below {{expected batch_offset and as many users as the input has in the 4 of the cache, found 1 and 4}}
  %r = "ttir.update_cache"(%a0, %a1, %a2, %e0) <{batch_offset = 1 : i32, operand_constraints = [#any, #any, #any, #any]}> : (tensor<4x2x16x8xf32>, tensor<1x2x4x8xf32>, tensor<1xsi32>, tensor<4x2x16x8xf32>) -> tensor<4x2x16x8xf32>
  return %r : tensor<4x2x16x8xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @update_cache(%a0: tensor<4x2x16x8xf32>, %a1: tensor<1x2x4x8xf32>, %a2: tensor<3xsi32>) -> tensor<4x2x16x8xf32> {
  %e0 = tensor.empty() : tensor<4x2x16x8xf32>
  // expected-error @below {{expected update_index to have 1 or 4 integers, found 'tensor<3xsi32>'}}
  %r = "ttir.update_cache"(%a0, %a1, %a2, %e0) <{batch_offset = 0 : i32, operand_constraints = [#any, #any, #any, #any]}> : (tensor<4x2x16x8xf32>, tensor<1x2x4x8xf32>, tensor<3xsi32>, tensor<4x2x16x8xf32>) -> tensor<4x2x16x8xf32>
  return %r : tensor<4x2x16x8xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @paged_fill_cache(%a0: tensor<4x2x16x8xf32>, %a1: tensor<1x2x5x9xf32>, %a2: tensor<2x2xsi32>) -> tensor<4x2x16x8xf32> {
  %e0 = tensor.empty() : tensor<4x2x16x8xf32>
  // expected-error @below {{expected a cache and an input of rank 4 with one element type, number of heads and width, found 'tensor<4x2x16x8xf32>' and 'tensor<1x2x5x9xf32>'}}
  %r = "ttir.paged_fill_cache"(%a0, %a1, %a2, %e0) <{operand_constraints = [#any, #any, #any, #any]}> : (tensor<4x2x16x8xf32>, tensor<1x2x5x9xf32>, tensor<2x2xsi32>, tensor<4x2x16x8xf32>) -> tensor<4x2x16x8xf32>
  return %r : tensor<4x2x16x8xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @paged_fill_cache(%a0: tensor<4x2x16x8xf32>, %a1: tensor<1x2x33x8xf32>, %a2: tensor<2x2xsi32>) -> tensor<4x2x16x8xf32> {
  %e0 = tensor.empty() : tensor<4x2x16x8xf32>
  // expected-error @below {{expected an input 1xHxSxD of at most 32 places, found 1x2x33x8}}
  %r = "ttir.paged_fill_cache"(%a0, %a1, %a2, %e0) <{operand_constraints = [#any, #any, #any, #any]}> : (tensor<4x2x16x8xf32>, tensor<1x2x33x8xf32>, tensor<2x2xsi32>, tensor<4x2x16x8xf32>) -> tensor<4x2x16x8xf32>
  return %r : tensor<4x2x16x8xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @paged_fill_cache(%a0: tensor<4x2x16x8xf32>, %a1: tensor<1x2x5x8xf32>, %a2: tensor<4xsi32>) -> tensor<4x2x16x8xf32> {
  %e0 = tensor.empty() : tensor<4x2x16x8xf32>
  // expected-error @below {{expected a page_table of integers with rank 2, found 'tensor<4xsi32>'}}
  %r = "ttir.paged_fill_cache"(%a0, %a1, %a2, %e0) <{operand_constraints = [#any, #any, #any, #any]}> : (tensor<4x2x16x8xf32>, tensor<1x2x5x8xf32>, tensor<4xsi32>, tensor<4x2x16x8xf32>) -> tensor<4x2x16x8xf32>
  return %r : tensor<4x2x16x8xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @paged_fill_cache(%a0: tensor<4x2x16x8xf32>, %a1: tensor<1x2x5x8xf32>, %a2: tensor<2x2xsi32>, %a3: tensor<2xsi32>) -> tensor<4x2x16x8xf32> {
  %e0 = tensor.empty() : tensor<4x2x16x8xf32>
  // expected-error @below {{expected batch_idx_tensor to have 1 integers, found 'tensor<2xsi32>'}}
  %r = "ttir.paged_fill_cache"(%a0, %a1, %a2, %a3, %e0) <{operand_constraints = [#any, #any, #any, #any, #any]}> : (tensor<4x2x16x8xf32>, tensor<1x2x5x8xf32>, tensor<2x2xsi32>, tensor<2xsi32>, tensor<4x2x16x8xf32>) -> tensor<4x2x16x8xf32>
  return %r : tensor<4x2x16x8xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @paged_update_cache(%a0: tensor<4x2x16x8xf32>, %a1: tensor<1x3x1x8xf32>, %a2: tensor<3xsi32>, %a3: tensor<3x1xsi32>) -> tensor<4x2x16x8xf32> {
  %e0 = tensor.empty() : tensor<4x2x16x8xf32>
  // expected-error @below {{expected a cache and an input of rank 4 with one element type, number of heads and width, found 'tensor<4x2x16x8xf32>' and 'tensor<1x3x1x8xf32>'}}
  %r = "ttir.paged_update_cache"(%a0, %a1, %a2, %a3, %e0) <{operand_constraints = [#any, #any, #any, #any, #any]}> : (tensor<4x2x16x8xf32>, tensor<1x3x1x8xf32>, tensor<3xsi32>, tensor<3x1xsi32>, tensor<4x2x16x8xf32>) -> tensor<4x2x16x8xf32>
  return %r : tensor<4x2x16x8xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @paged_update_cache(%a0: tensor<4x2x16x8xf32>, %a1: tensor<2x3x2x8xf32>, %a2: tensor<3xsi32>, %a3: tensor<3x1xsi32>) -> tensor<4x2x16x8xf32> {
  %e0 = tensor.empty() : tensor<4x2x16x8xf32>
  // expected-error @below {{expected an input 1xUxHxD, found 2x3x2x8}}
  %r = "ttir.paged_update_cache"(%a0, %a1, %a2, %a3, %e0) <{operand_constraints = [#any, #any, #any, #any, #any]}> : (tensor<4x2x16x8xf32>, tensor<2x3x2x8xf32>, tensor<3xsi32>, tensor<3x1xsi32>, tensor<4x2x16x8xf32>) -> tensor<4x2x16x8xf32>
  return %r : tensor<4x2x16x8xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @paged_update_cache(%a0: tensor<4x2x16x8xf32>, %a1: tensor<1x3x2x8xf32>, %a2: tensor<3xsi32>, %a3: tensor<2x1xsi32>) -> tensor<4x2x16x8xf32> {
  %e0 = tensor.empty() : tensor<4x2x16x8xf32>
  // expected-error @below {{expected a page_table of integers with 3 rows, found 'tensor<2x1xsi32>'}}
  %r = "ttir.paged_update_cache"(%a0, %a1, %a2, %a3, %e0) <{operand_constraints = [#any, #any, #any, #any, #any]}> : (tensor<4x2x16x8xf32>, tensor<1x3x2x8xf32>, tensor<3xsi32>, tensor<2x1xsi32>, tensor<4x2x16x8xf32>) -> tensor<4x2x16x8xf32>
  return %r : tensor<4x2x16x8xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @paged_update_cache(%a0: tensor<4x2x16x8xf32>, %a1: tensor<1x3x2x8xf32>, %a2: tensor<2xsi32>, %a3: tensor<3x1xsi32>) -> tensor<4x2x16x8xf32> {
  %e0 = tensor.empty() : tensor<4x2x16x8xf32>
  // expected-error @below {{expected update_index to have 3 integers, found 'tensor<2xsi32>'}}
  %r = "ttir.paged_update_cache"(%a0, %a1, %a2, %a3, %e0) <{operand_constraints = [#any, #any, #any, #any, #any]}> : (tensor<4x2x16x8xf32>, tensor<1x3x2x8xf32>, tensor<2xsi32>, tensor<3x1xsi32>, tensor<4x2x16x8xf32>) -> tensor<4x2x16x8xf32>
  return %r : tensor<4x2x16x8xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @positions(%a0: tensor<2x4x8x16xf32>, %a1: tensor<2x2x9x16xf32>, %p: tensor<2x8xsi32>) {
  %e0 = tensor.empty() : tensor<2x4x8x16xf32>
  // expected-error @below {{expected is_causal with positions: found positions without is_causal}}
  %r = "ttir.scaled_dot_product_attention"(%a0, %a1, %a1, %p, %e0) <{is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 1, 0, 1>, operand_constraints = [#any, #any, #any, #any, #any]}> : (tensor<2x4x8x16xf32>, tensor<2x2x9x16xf32>, tensor<2x2x9x16xf32>, tensor<2x8xsi32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @positions(%a0: tensor<2x4x8x16xf32>, %a1: tensor<2x2x9x16xf32>, %p: tensor<2x7xsi32>) {
  %e0 = tensor.empty() : tensor<2x4x8x16xf32>
  // expected-error @below {{expected integer positions that broadcast to 2x8, found 'tensor<2x7xsi32>'}}
  %r = "ttir.scaled_dot_product_attention"(%a0, %a1, %a1, %p, %e0) <{is_causal = true, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 1, 0, 1>, operand_constraints = [#any, #any, #any, #any, #any]}> : (tensor<2x4x8x16xf32>, tensor<2x2x9x16xf32>, tensor<2x2x9x16xf32>, tensor<2x7xsi32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @page_table(%a0: tensor<2x4x8x16xf32>, %a1: tensor<7x2x32x16xf32>, %t: tensor<3x3xsi32>) {
  %e0 = tensor.empty() : tensor<2x4x8x16xf32>
  // expected-error @below {{expected a page_table of integers with 2 rows, found 'tensor<3x3xsi32>'}}
  %r = "ttir.scaled_dot_product_attention"(%a0, %a1, %a1, %t, %e0) <{is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 1, 1>, operand_constraints = [#any, #any, #any, #any, #any]}> : (tensor<2x4x8x16xf32>, tensor<7x2x32x16xf32>, tensor<7x2x32x16xf32>, tensor<3x3xsi32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @page_table(%a0: tensor<2x4x8x16xf32>, %a1: tensor<7x2x32x16xf32>, %a2: tensor<8x2x32x16xf32>, %t: tensor<2x3xsi32>) {
  %e0 = tensor.empty() : tensor<2x4x8x16xf32>
  // expected-error @below {{expected keys and values with the same number of blocks and heads and the same block size, found 7x2x32x16 and 8x2x32x16}}
  %r = "ttir.scaled_dot_product_attention"(%a0, %a1, %a2, %t, %e0) <{is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 1, 1>, operand_constraints = [#any, #any, #any, #any, #any]}> : (tensor<2x4x8x16xf32>, tensor<7x2x32x16xf32>, tensor<8x2x32x16xf32>, tensor<2x3xsi32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @rotary_rank(%a: tensor<4x40x64xf32>, %b: tensor<1x1x40x64xf32>, %c: tensor<1x1x40x64xf32>) -> tensor<4x40x64xf32> {
  %e = tensor.empty() : tensor<4x40x64xf32>
  // expected-error @below {{expected an input of rank 4 with an even number of columns, found 4x40x64}}
  %r = "ttir.rotary_embedding"(%a, %b, %c, %e) <{operand_constraints = [#any, #any, #any, #any]}> : (tensor<4x40x64xf32>, tensor<1x1x40x64xf32>, tensor<1x1x40x64xf32>, tensor<4x40x64xf32>) -> tensor<4x40x64xf32>
  return %r : tensor<4x40x64xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @rotary_odd(%a: tensor<2x4x40x63xf32>, %b: tensor<1x1x40x63xf32>, %c: tensor<1x1x40x63xf32>) -> tensor<2x4x40x63xf32> {
  %e = tensor.empty() : tensor<2x4x40x63xf32>
  // expected-error @below {{expected an input of rank 4 with an even number of columns, found 2x4x40x63}}
  %r = "ttir.rotary_embedding"(%a, %b, %c, %e) <{operand_constraints = [#any, #any, #any, #any]}> : (tensor<2x4x40x63xf32>, tensor<1x1x40x63xf32>, tensor<1x1x40x63xf32>, tensor<2x4x40x63xf32>) -> tensor<2x4x40x63xf32>
  return %r : tensor<2x4x40x63xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @rotary_heads(%a: tensor<2x4x40x64xf32>, %b: tensor<2x4x40x64xf32>, %c: tensor<2x4x40x64xf32>) -> tensor<2x4x40x64xf32> {
  %e = tensor.empty() : tensor<2x4x40x64xf32>
  // expected-error @below {{expected cos_cache and sin_cache of 2x1x40x64, or with 1 for its batches or positions, found 2x4x40x64 and 2x4x40x64}}
  %r = "ttir.rotary_embedding"(%a, %b, %c, %e) <{operand_constraints = [#any, #any, #any, #any]}> : (tensor<2x4x40x64xf32>, tensor<2x4x40x64xf32>, tensor<2x4x40x64xf32>, tensor<2x4x40x64xf32>) -> tensor<2x4x40x64xf32>
  return %r : tensor<2x4x40x64xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @rotary_places(%a: tensor<2x4x40x64xf32>, %b: tensor<2x1x32x64xf32>, %c: tensor<2x1x32x64xf32>) -> tensor<2x4x40x64xf32> {
  %e = tensor.empty() : tensor<2x4x40x64xf32>
  // expected-error @below {{expected cos_cache and sin_cache of 2x1x40x64, or with 1 for its batches or positions, found 2x1x32x64 and 2x1x32x64}}
  %r = "ttir.rotary_embedding"(%a, %b, %c, %e) <{operand_constraints = [#any, #any, #any, #any]}> : (tensor<2x4x40x64xf32>, tensor<2x1x32x64xf32>, tensor<2x1x32x64xf32>, tensor<2x4x40x64xf32>) -> tensor<2x4x40x64xf32>
  return %r : tensor<2x4x40x64xf32>
}

// -----

#any = #tt.operand_constraint<any_device>
func.func @rotary_tables(%a: tensor<2x4x40x64xf32>, %b: tensor<2x1x40x64xf32>, %c: tensor<1x1x40x64xf32>) -> tensor<2x4x40x64xf32> {
  %e = tensor.empty() : tensor<2x4x40x64xf32>
  // expected-error @below {{expected cos_cache and sin_cache of 2x1x40x64, or with 1 for its batches or positions, found 2x1x40x64 and 1x1x40x64}}
  %r = "ttir.rotary_embedding"(%a, %b, %c, %e) <{operand_constraints = [#any, #any, #any, #any]}> : (tensor<2x4x40x64xf32>, tensor<2x1x40x64xf32>, tensor<1x1x40x64xf32>, tensor<2x4x40x64xf32>) -> tensor<2x4x40x64xf32>
  return %r : tensor<2x4x40x64xf32>
}
