//===- Attention and its caches in the 'ttir' dialect ---------------------===//

#ifndef TTMLIR_TTIR_ATTENTION_OPS_TD
#define TTMLIR_TTIR_ATTENTION_OPS_TD

include "mlir/IR/CommonAttrConstraints.td"
include "dialects/TTIR/TTIRBase.td"

//===----------------------------------------------------------------------===//
// Composites/Attention.cpp
//===----------------------------------------------------------------------===//

def TTIR_ScaledDotProductAttentionOp
    : TTIR_CompositeOp<"scaled_dot_product_attention",
    (ins TT_Tensor:$query, TT_Tensor:$key, TT_Tensor:$value,
         Optional<TT_Tensor>:$attention_mask,
         Optional<TT_Tensor>:$attention_sink),
    (ins DefaultValuedAttr<BoolAttr, "true">:$is_causal,
         OptionalAttr<F32Attr>:$scale,
         OptionalAttr<UI32Attr>:$sliding_window_size),
    0, [AttrSizedOperandSegments]> {
  let summary = "Attention of queries to keys and values.";
  let description = [{
    softmax(scale * query * key^T + mask) * value, for each batch and head of
    `query` (B, H, S, D), `key` (B, HK, T, D) and `value` (B, HK, T, DV). H / HK
    heads after each other read one head of the keys and values. The scale is
    1 / sqrt(D) if there is none.

    With `is_causal` place i of the queries sees the keys up to place i, and with
    `sliding_window_size` the last so many of those up to place i. A mask of
    floats is added, one of integers is 0 where a key is not seen.
    `attention_sink` is a logit of each head that takes part in the softmax and
    has no value; of several columns the first counts.

    Constraints:
    - (C1) query, key and value have rank 4 and one batch; key and value have one
      number of heads and of places; query and key have one width.
    - (C2) the heads of the keys divide those of the queries.
    - (C3) the mask has rank 4 and broadcasts to (B, H, S, T).
    - (C4) `is_causal` and a mask exclude each other.
    - (C5) the sink has H rows.

    Numerics: products and softmax are computed in f32, and the result is rounded
    once to its format; a product may round its operands as `ttir.matmul` does.

    Example:

    ```mlir
    %0 = tensor.empty() : tensor<1x8x64x32xbf16>
    %1 = "ttir.scaled_dot_product_attention"(%a, %b, %c, %0) <{is_causal = true, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 1>, operand_constraints = [#any, #any, #any, #any]}> : (tensor<1x8x64x32xbf16>, tensor<1x2x64x32xbf16>, tensor<1x2x64x32xbf16>, tensor<1x8x64x32xbf16>) -> tensor<1x8x64x32xbf16>
    ```
  }];
}

/// One query of each user.
class TTIR_DecodeOp<string mnemonic, dag inputs, dag attributes>
    : TTIR_CompositeOp<mnemonic, inputs, attributes, 0,
                       [AttrSizedOperandSegments]> {
  let builder = 1;
}

def TTIR_ScaledDotProductAttentionDecodeOp
    : TTIR_DecodeOp<"scaled_dot_product_attention_decode",
    (ins TT_Tensor:$query, TT_Tensor:$key, TT_Tensor:$value,
         Optional<TT_Tensor>:$attention_mask, Optional<TT_Tensor>:$cur_pos_tensor,
         Optional<TT_Tensor>:$attention_sink),
    (ins DefaultValuedAttr<BoolAttr, "true">:$is_causal,
         OptionalAttr<F32Attr>:$scale)> {
  let summary = "Attention of one query of each user.";
  let description = [{
    As `ttir.scaled_dot_product_attention`, for `query` (1, B, H, D) at the place
    `cur_pos_tensor` (B) of each user: with `is_causal` the keys behind it are not
    seen. The mask is (B, 1, H, T), or broadcasts to it.

    Constraints:
    - (C1) those of `ttir.scaled_dot_product_attention` for a query of one place.
    - (C2) the query has rank 4 and is (1, B, H, D).
    - (C3) `cur_pos_tensor` has an integer for each user; without `is_causal` it
      is absent.

    Numerics: those of `ttir.scaled_dot_product_attention`.

    Example:

    ```mlir
    %0 = tensor.empty() : tensor<1x2x8x32xbf16>
    %1 = "ttir.scaled_dot_product_attention_decode"(%a, %b, %c, %d, %0) <{is_causal = true, operandSegmentSizes = array<i32: 1, 1, 1, 0, 1, 0, 1>, operand_constraints = [#any, #any, #any, #any, #any]}> : (tensor<1x2x8x32xbf16>, tensor<2x2x64x32xbf16>, tensor<2x2x64x32xbf16>, tensor<2xsi32>, tensor<1x2x8x32xbf16>) -> tensor<1x2x8x32xbf16>
    ```
  }];
}

def TTIR_PagedScaledDotProductAttentionDecodeOp
    : TTIR_DecodeOp<"paged_scaled_dot_product_attention_decode",
    (ins TT_Tensor:$query, TT_Tensor:$key, TT_Tensor:$value,
         TT_Tensor:$page_table, Optional<TT_Tensor>:$attention_mask,
         Optional<TT_Tensor>:$cur_pos_tensor,
         Optional<TT_Tensor>:$attention_sink),
    (ins DefaultValuedAttr<BoolAttr, "true">:$is_causal,
         OptionalAttr<F32Attr>:$scale,
         OptionalAttr<UI32Attr>:$sliding_window_size)> {
  let summary = "Attention of one query of each user to a cache in blocks.";
  let description = [{
    As `ttir.scaled_dot_product_attention_decode`, with keys and values (blocks,
    HK, block size, D). The numbers of the blocks of user b, in their order, are
    row b of `page_table` (B, blocks of a user); negative ones, of blocks that are
    not there yet, are read as block 0, and `cur_pos_tensor` has to be in front of
    them. With `sliding_window_size` the last so many keys are seen.

    Constraints:
    - (C1) those of `ttir.scaled_dot_product_attention_decode`.
    - (C2) keys and values have rank 4, one number of blocks, of heads and one
      size of the blocks.
    - (C3) `page_table` has rank 2, integers and a row for each user.

    Numerics: those of `ttir.scaled_dot_product_attention`. A number of a block
    that is not there is an error at run time.

    Example:

    ```mlir
    %0 = tensor.empty() : tensor<1x2x8x32xbf16>
    %1 = "ttir.paged_scaled_dot_product_attention_decode"(%a, %b, %c, %d, %e, %0) <{is_causal = true, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 1, 0, 1>, operand_constraints = [#any, #any, #any, #any, #any, #any]}> : (tensor<1x2x8x32xbf16>, tensor<6x2x32x32xbf16>, tensor<6x2x32x32xbf16>, tensor<2x3xsi32>, tensor<2xsi32>, tensor<1x2x8x32xbf16>) -> tensor<1x2x8x32xbf16>
    ```
  }];
}

def TTIR_ChunkedScaledDotProductAttentionOp
    : TTIR_CompositeOp<"chunked_scaled_dot_product_attention",
    (ins TT_Tensor:$query, TT_Tensor:$key, TT_Tensor:$value,
         TT_Tensor:$page_table, TT_Tensor:$chunk_start_idx),
    (ins OptionalAttr<F32Attr>:$scale)> {
  let summary = "Attention of a chunk of a prompt to a cache in blocks.";
  let description = [{
    The causal attention of `query` (B, H, S, D), whose first place is
    `chunk_start_idx`, an integer, to the keys and values (blocks, HK, block size,
    D) that row b of `page_table` (B, blocks of a user) names for user b. Negative
    numbers are read as block 0.

    Constraints:
    - (C1) those of `ttir.scaled_dot_product_attention` for the blocks of a user.
    - (C2) keys and values have rank 4, one number of blocks, of heads and one
      size of the blocks.
    - (C3) `page_table` has rank 2, integers and a row for each user.
    - (C4) `chunk_start_idx` is one integer.

    Numerics: those of `ttir.scaled_dot_product_attention`.

    Example:

    ```mlir
    %0 = tensor.empty() : tensor<2x4x32x32xbf16>
    %1 = "ttir.chunked_scaled_dot_product_attention"(%a, %b, %c, %d, %e, %0) <{operand_constraints = [#any, #any, #any, #any, #any, #any]}> : (tensor<2x4x32x32xbf16>, tensor<6x2x32x32xbf16>, tensor<6x2x32x32xbf16>, tensor<2x3xsi32>, tensor<1xsi32>, tensor<2x4x32x32xbf16>) -> tensor<2x4x32x32xbf16>
    ```
  }];
}

def TTIR_PagedFlashMultiLatentAttentionDecodeOp
    : TTIR_DecodeOp<"paged_flash_multi_latent_attention_decode",
    (ins TT_Tensor:$query, TT_Tensor:$key, Optional<TT_Tensor>:$value,
         TT_Tensor:$page_table, Optional<TT_Tensor>:$attention_mask,
         Optional<TT_Tensor>:$cur_pos_tensor,
         Optional<TT_Tensor>:$attention_sink),
    (ins UI32Attr:$head_dim_v, DefaultValuedAttr<BoolAttr, "true">:$is_causal,
         OptionalAttr<F32Attr>:$scale)> {
  let summary = "Attention of one query of each user to latent keys in blocks.";
  let description = [{
    As `ttir.paged_scaled_dot_product_attention_decode` with one head of keys that
    all heads read. Without `value` the values are the first `head_dim_v` columns
    of the keys.

    Constraints:
    - (C1) those of `ttir.paged_scaled_dot_product_attention_decode`.
    - (C2) `head_dim_v` is the width of the values, and at most that of the keys
      where there are none.

    Numerics: those of `ttir.scaled_dot_product_attention`.

    Example:

    ```mlir
    %0 = tensor.empty() : tensor<1x2x8x32xbf16>
    %1 = "ttir.paged_flash_multi_latent_attention_decode"(%a, %b, %c, %d, %0) <{head_dim_v = 32 : ui32, is_causal = true, operandSegmentSizes = array<i32: 1, 1, 0, 1, 0, 1, 0, 1>, operand_constraints = [#any, #any, #any, #any, #any]}> : (tensor<1x2x8x64xbf16>, tensor<6x1x32x64xbf16>, tensor<2x3xsi32>, tensor<2xsi32>, tensor<1x2x8x32xbf16>) -> tensor<1x2x8x32xbf16>
    ```
  }];
}

def TTIR_SplitQueryKeyValueAndSplitHeadsOp
    : TTIR_CompositeOp<"split_query_key_value_and_split_heads",
    (ins TT_Tensor:$input_tensor, Optional<TT_Tensor>:$kv_input_tensor),
    (ins UI32Attr:$num_heads, OptionalAttr<UI32Attr>:$num_kv_heads,
         BoolAttr:$transpose_key),
    1, [AttrSizedOperandSegments]> {
  let summary = "Queries, keys and values of a projection, head by head.";
  let description = [{
    Cuts the last dimension of `input_tensor` (B, S, (H + 2 * HK) * D) into
    queries (B, H, S, D), keys (B, HK, S, D), or (B, HK, D, S) with
    `transpose_key`, and values (B, HK, S, D). H is `num_heads`, HK is
    `num_kv_heads` or else H. With `kv_input_tensor` (B, S, 2 * HK * D) the queries
    are all of `input_tensor`.

    Constraints:
    - (C1) the inputs have rank 3 and one batch; both numbers of heads are positive.
    - (C2) the heads divide the last dimension into one width of a head.

    Numerics: exact.

    Example:

    ```mlir
    %0 = tensor.empty() : tensor<2x4x32x16xf32>
    %1 = tensor.empty() : tensor<2x4x16x32xf32>
    %2 = tensor.empty() : tensor<2x4x32x16xf32>
    %3:3 = "ttir.split_query_key_value_and_split_heads"(%a, %0, %1, %2) <{num_heads = 4 : ui32, operandSegmentSizes = array<i32: 1, 0, 3>, operand_constraints = [#any, #any, #any, #any], transpose_key = true}> : (tensor<2x32x192xf32>, tensor<2x4x32x16xf32>, tensor<2x4x16x32xf32>, tensor<2x4x32x16xf32>) -> (tensor<2x4x32x16xf32>, tensor<2x4x16x32xf32>, tensor<2x4x32x16xf32>)
    ```
  }];
}

def TTIR_ConcatenateHeadsOp : TTIR_CompositeOp<"concatenate_heads",
                                               (ins TT_Tensor:$input)> {
  let summary = "Heads beside each other.";
  let description = [{
    (B, H, S, D) becomes (B, S, H * D).

    Constraints:
    - (C1) the input has rank 4.

    Numerics: exact.

    Example:

    ```mlir
    %0 = tensor.empty() : tensor<2x32x64xf32>
    %1 = "ttir.concatenate_heads"(%a, %0) <{operand_constraints = [#any, #any]}> : (tensor<2x4x32x16xf32>, tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    ```
  }];
}

//===----------------------------------------------------------------------===//
// Composites/Caches.cpp
//===----------------------------------------------------------------------===//

def TTIR_FillCacheOp : TTIR_CompositeOp<"fill_cache",
    (ins TT_Tensor:$cache, TT_Tensor:$input), (ins I32Attr:$batch_offset)> {
  let summary = "A cache with the first places of a user filled.";
  let description = [{
    The cache (B, H, T, D) with `input` (N, H, S, D) at its first S places, for the
    N users from `batch_offset` on.

    Constraints:
    - (C1) cache and input have rank 4 and one element type, number of heads and
      width.
    - (C2) the input has at most as many places as the cache.
    - (C3) the users are in the cache.

    Numerics: exact.

    Example:

    ```mlir
    %0 = tensor.empty() : tensor<4x2x64x32xf32>
    %1 = "ttir.fill_cache"(%a, %b, %0) <{batch_offset = 1 : i32, operand_constraints = [#any, #any, #any]}> : (tensor<4x2x64x32xf32>, tensor<1x2x20x32xf32>, tensor<4x2x64x32xf32>) -> tensor<4x2x64x32xf32>
    ```
  }];
}

def TTIR_UpdateCacheOp : TTIR_CompositeOp<"update_cache",
    (ins TT_Tensor:$cache, TT_Tensor:$input, TT_Tensor:$update_index),
    (ins I32Attr:$batch_offset)> {
  let summary = "A cache with one place of each user replaced.";
  let description = [{
    The cache (B, H, T, D) with `input` (1, H, N, D) in place `update_index` of the
    N users from `batch_offset` on: one integer for all, or one for each. An index
    that is not in [0, T) replaces nothing.

    Constraints:
    - (C1) cache and input have rank 4 and one element type, number of heads and
      width.
    - (C2) the input is (1, H, N, D).
    - (C3) the users are in the cache.
    - (C4) `update_index` has 1 or N integers.

    Numerics: exact.

    Example:

    ```mlir
    %0 = tensor.empty() : tensor<4x2x64x32xf32>
    %1 = "ttir.update_cache"(%a, %b, %c, %0) <{batch_offset = 0 : i32, operand_constraints = [#any, #any, #any, #any]}> : (tensor<4x2x64x32xf32>, tensor<1x2x4x32xf32>, tensor<1xsi32>, tensor<4x2x64x32xf32>) -> tensor<4x2x64x32xf32>
    ```
  }];
}

def TTIR_PagedFillCacheOp : TTIR_CompositeOp<"paged_fill_cache",
    (ins TT_Tensor:$cache, TT_Tensor:$input, TT_Tensor:$page_table,
         Optional<TT_Tensor>:$batch_idx_tensor)> {
  let summary = "A cache in blocks with the first places of a user filled.";
  let description = [{
    The cache (blocks, H, block size, D) with `input` (1, H, S, D) in the blocks
    that row `batch_idx_tensor` (one integer, or else 0) of `page_table` (users,
    blocks of a user) names. A negative number of a block is of none.

    Constraints:
    - (C1) cache and input have rank 4 and one element type, number of heads and
      width.
    - (C2) the input is (1, H, S, D), and a row of the page table has blocks for S
      places.
    - (C3) `page_table` has rank 2 and integers.
    - (C4) `batch_idx_tensor` is one integer.

    Numerics: exact.

    Example:

    ```mlir
    %0 = tensor.empty() : tensor<8x2x32x16xf32>
    %1 = "ttir.paged_fill_cache"(%a, %b, %c, %0) <{operand_constraints = [#any, #any, #any, #any]}> : (tensor<8x2x32x16xf32>, tensor<1x2x40x16xf32>, tensor<4x2xsi32>, tensor<8x2x32x16xf32>) -> tensor<8x2x32x16xf32>
    ```
  }];
}

def TTIR_PagedUpdateCacheOp : TTIR_CompositeOp<"paged_update_cache",
    (ins TT_Tensor:$cache, TT_Tensor:$input, TT_Tensor:$update_index,
         TT_Tensor:$page_table)> {
  let summary = "A cache in blocks with one place of each user replaced.";
  let description = [{
    The cache (blocks, H, block size, D) with `input` (1, users, H, D) in the place
    `update_index` (users) of each user, which is in a block that the user's row
    of `page_table` (users, blocks of a user) names. An index that is in no block
    replaces nothing. Of two users in one place the last one counts.

    Constraints:
    - (C1) cache and input have rank 4 and one element type, number of heads and
      width.
    - (C2) the input is (1, users, H, D).
    - (C3) `page_table` has rank 2, integers and a row for each user.
    - (C4) `update_index` has an integer for each user.

    Numerics: exact.

    Example:

    ```mlir
    %0 = tensor.empty() : tensor<8x2x32x16xf32>
    %1 = "ttir.paged_update_cache"(%a, %b, %c, %d, %0) <{operand_constraints = [#any, #any, #any, #any, #any]}> : (tensor<8x2x32x16xf32>, tensor<1x4x2x16xf32>, tensor<4xsi32>, tensor<4x2xsi32>, tensor<8x2x32x16xf32>) -> tensor<8x2x32x16xf32>
    ```
  }];
}

#endif
