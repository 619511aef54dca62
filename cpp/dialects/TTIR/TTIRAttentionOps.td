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
         Optional<TT_Tensor>:$attention_sink, Optional<TT_Tensor>:$positions,
         Optional<TT_Tensor>:$page_table),
    (ins DefaultValuedAttr<BoolAttr, "true">:$is_causal,
         OptionalAttr<F32Attr>:$scale,
         OptionalAttr<UI32Attr>:$sliding_window_size),
    0, [AttrSizedOperandSegments]> {
  let summary = "Scaled dot product attention.";
  let description = [{
    softmax(scale * query * key^T + mask) * value, for each batch and head of
    `query` (B, H, S, D), `key` (B, HK, T, D) and `value` (B, HK, T, DV). H / HK
    consecutive query heads share one head of the keys and values. The default
    scale is 1 / sqrt(D).

    With `is_causal`, query i attends to the keys up to position i; with
    `sliding_window_size`, only to the last that many of them. A float mask is
    added to the scores; an integer mask is 0 for hidden keys.

    `positions` (B, S), (B, 1), (1, S) or (1, 1) gives the position of each query
    of each batch in place of i. Keys and values are then a cache, of which only
    the part that the queries attend to is read. A query that attends to no key,
    such as one at position -1, yields 0.

    With `page_table` (B, blocks per batch), keys and values are the blocks of a
    paged cache, (blocks, HK, block size, D): row b lists the block numbers of
    batch b in order. Negative numbers mark missing blocks; they are read as
    block 0, and no query may attend to them.

    `attention_sink` is a logit of each head that takes part in the softmax and
    has no value; if it has several columns, only the first is used.

    Constraints:
    - (C1) query, key and value have rank 4 and one batch; key and value have
      the same number of heads and positions; query and key have one width.
    - (C2) the heads of the keys divide those of the queries.
    - (C3) the mask has rank 4 and broadcasts to (B, H, S, T).
    - (C4) `is_causal` and a mask exclude each other, except with `positions`.
    - (C5) the sink has H rows.
    - (C6) `positions` has rank 2 and integer elements, broadcasts to (B, S), and
      requires `is_causal`.
    - (C7) `page_table` has rank 2, integer elements and a row for each batch.

    Numerics: products and softmax are computed in f32, and the result is
    rounded once to its format; a product may round its operands as
    `ttir.matmul` does. A block number out of range is an error at run time.

    Example:

    ```mlir
    %0 = tensor.empty() : tensor<1x8x64x32xbf16>
    %1 = "ttir.scaled_dot_product_attention"(%a, %b, %c, %0) <{is_causal = true, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 1>, operand_constraints = [#any, #any, #any, #any]}> : (tensor<1x8x64x32xbf16>, tensor<1x2x64x32xbf16>, tensor<1x2x64x32xbf16>, tensor<1x8x64x32xbf16>) -> tensor<1x8x64x32xbf16>
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
  let summary = "Attention of one query for each user.";
  let description = [{
    Like `ttir.scaled_dot_product_attention`, for `query` (1, B, H, D) at the
    position `cur_pos_tensor` (B) of each user: with `is_causal`, later keys are
    hidden. The mask is (B, 1, H, T), or broadcasts to it.

    Constraints:
    - (C1) those of `ttir.scaled_dot_product_attention` for a query of one
      position.
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
  let summary = "Attention of one query for each user to a paged cache.";
  let description = [{
    Like `ttir.scaled_dot_product_attention_decode`, with keys and values
    (blocks, HK, block size, D). Row b of `page_table` (B, blocks of a user) has
    the block numbers of user b in order. Negative numbers mark missing blocks;
    they are read as block 0, and `cur_pos_tensor` must be before them. With
    `sliding_window_size`, only that many of the last keys are seen.

    Constraints:
    - (C1) those of `ttir.scaled_dot_product_attention_decode`.
    - (C2) keys and values have rank 4 and the same number of blocks, number of
      heads and block size.
    - (C3) `page_table` has rank 2, integers and a row for each user.

    Numerics: those of `ttir.scaled_dot_product_attention`. A block number out
    of range is an error at run time.

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
  let summary = "Attention of a chunk of a prompt to a paged cache.";
  let description = [{
    The causal attention of `query` (B, H, S, D), whose first position is
    `chunk_start_idx`, an integer, to the keys and values (blocks, HK, block
    size, D) that row b of `page_table` (B, blocks of a user) names for user b.
    Negative numbers are read as block 0.

    Constraints:
    - (C1) those of `ttir.scaled_dot_product_attention` for the blocks of a
      user.
    - (C2) keys and values have rank 4 and the same number of blocks, number of
      heads and block size.
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
  let summary = "Attention of one query for each user to paged latent keys.";
  let description = [{
    Like `ttir.paged_scaled_dot_product_attention_decode` with one head of keys
    that all query heads share. Without `value`, the values are the first
    `head_dim_v` columns of the keys.

    Constraints:
    - (C1) those of `ttir.paged_scaled_dot_product_attention_decode`.
    - (C2) `head_dim_v` is the width of the values; without values it is at most
      the width of the keys.

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
  let summary = "Split of a projection into queries, keys and values by head.";
  let description = [{
    Splits the last dimension of `input_tensor` (B, S, (H + 2 * HK) * D) into
    queries (B, H, S, D), keys (B, HK, S, D), or (B, HK, D, S) with
    `transpose_key`, and values (B, HK, S, D). H is `num_heads`; HK is
    `num_kv_heads`, by default H. With `kv_input_tensor` (B, S, 2 * HK * D), all
    of `input_tensor` are queries.

    Constraints:
    - (C1) the inputs have rank 3 and one batch; both numbers of heads are
      positive.
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
  let summary = "Concatenation of attention heads.";
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

def TTIR_RotaryEmbeddingOp : TTIR_CompositeOp<"rotary_embedding",
    (ins TT_Tensor:$input, TT_Tensor:$cos_cache, TT_Tensor:$sin_cache)> {
  let summary = "Rotary position embedding of attention heads.";
  let description = [{
    Computes input * cos_cache + rotated * sin_cache for `input` (B, H, S, D).
    Element i of a row of `rotated` is -input[i + D/2] in the first half of the
    row and input[i - D/2] in the second half. `cos_cache` and `sin_cache` have a
    row for each position, shared by all heads: (B, 1, S, D), with 1 for B or S
    if all batches or all positions share the rows, too.

    Constraints:
    - (C1) input has rank 4, float elements and an even number of columns.
    - (C2) `cos_cache` and `sin_cache` have float elements and the same shape:
      that of the input with 1 for H, and with 1 or the input's extent for B and
      S.

    Numerics: both products may be rounded to the format of the input before
    they are added; `ttnn.rotary_embedding` rounds once.

    Example:

    ```mlir
    %0 = tensor.empty() : tensor<2x4x32x64xf32>
    %1 = "ttir.rotary_embedding"(%a, %b, %c, %0) <{operand_constraints = [#any, #any, #any, #any]}> : (tensor<2x4x32x64xf32>, tensor<1x1x32x64xf32>, tensor<1x1x32x64xf32>, tensor<2x4x32x64xf32>) -> tensor<2x4x32x64xf32>
    ```
  }];
}

//===----------------------------------------------------------------------===//
// Composites/Caches.cpp
//===----------------------------------------------------------------------===//

def TTIR_FillCacheOp : TTIR_CompositeOp<"fill_cache",
    (ins TT_Tensor:$cache, TT_Tensor:$input), (ins I32Attr:$batch_offset)> {
  let summary = "A cache with the first positions of users filled.";
  let description = [{
    The cache (B, H, T, D) with `input` (N, H, S, D) written to its first S
    positions, for N users starting at `batch_offset`.

    Constraints:
    - (C1) cache and input have rank 4 and one element type, number of heads and
      width.
    - (C2) the input has at most as many positions as the cache.
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
  let summary = "A cache with one position of each user replaced.";
  let description = [{
    The cache (B, H, T, D) with `input` (1, H, N, D) written to position
    `update_index` of N users starting at `batch_offset`: one integer for all,
    or one for each. An index that is not in [0, T) is ignored.

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
  let summary = "A paged cache with the first positions of a user filled.";
  let description = [{
    The cache (blocks, H, block size, D) with `input` (1, H, S, D) written to
    the blocks that row `batch_idx_tensor` (one integer, by default 0) of
    `page_table` (users, blocks of a user) names. Negative block numbers are
    ignored.

    Constraints:
    - (C1) cache and input have rank 4 and one element type, number of heads and
      width.
    - (C2) the input is (1, H, S, D), and a row of the page table has blocks for
      S positions.
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
  let summary = "A paged cache with one position of each user replaced.";
  let description = [{
    The cache (blocks, H, block size, D) with `input` (1, users, H, D) written
    to position `update_index` (users) of each user, in a block that the user's
    row of `page_table` (users, blocks of a user) names. An index that is in no
    block is ignored. If two users share a position, the last one wins.

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
