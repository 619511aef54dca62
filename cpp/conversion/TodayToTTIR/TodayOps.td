//===- The ops of today's TTIR --------------------------------------------===//
//
// What front ends of the reference system write since 2025: every op with its
// operands, attributes and results, and what it becomes. The reader of such
// texts and the page "TTIR of today" are made from it
// (tools/tablegen/today_tables.py).

#ifndef CONVERSION_TODAYTOTTIR_TODAYOPS_TD
#define CONVERSION_TODAYTOTTIR_TODAYOPS_TD

/// Operands have names, with `?` behind one that may be missing, `*` behind any
/// number, `!` behind one that the op changes, and `^` behind a destination,
/// which is dropped. Results likewise.
///
/// An attribute is `name: kind`, `name?: kind` or `name: kind=default`. Kinds are
/// bool, i32, si32, ui32, i64, si64, f32, str; [i32], array<i32>, array<i64> and
/// dense<i64>; window (a number or array<i32>); number (f32 or i32); elements;
/// flattened (#ttir<flattened_compat ...>); an enumeration of ttcore; and any.
/// Integers may come in another width, and lists in another form of a list.
class TodayOp<string opName, string opOperands, list<string> opAttributes = [],
              string opResults = "result"> {
  string name = opName;
  string operands = opOperands;
  list<string> attributes = opAttributes;
  string results = opResults;
  /// The op of this project with these operands and attributes, ...
  string target = opName;
  /// ... but for these attributes, which say how and not what; separated by
  /// commas.
  string ignored = "";
  /// ... or what this C++ function writes (Rules.h).
  string rule = "";
  /// What that is, for the page.
  string becomes = "";
  /// Why it cannot be expressed.
  string refused = "";
}

def : TodayOp<"abs", "input">;
def : TodayOp<"acos", "input">;
def : TodayOp<"adamw", "param, grad, exp_avg, exp_avg_sq, max_exp_avg_sq?",
    ["lr: f32", "beta1: f32", "beta2: f32", "beta1_pow: f32", "beta2_pow: f32",
    "epsilon: f32", "weight_decay: f32", "stochastic_rounding: bool=false"],
    "param_out, exp_avg_out, exp_avg_sq_out, max_exp_avg_sq_out?">;
def : TodayOp<"add", "lhs, rhs">;
def : TodayOp<"all_gather", "input", ["all_gather_dim: si32",
    "cluster_axis: ui32"]>;
def : TodayOp<"all_reduce", "input", ["reduce_type: #ttcore.reduce_type",
    "cluster_axis: ui32"]>;
def : TodayOp<"all_reduce_async", "input", ["reduce_type: #ttcore.reduce_type",
    "cluster_axis: ui32"]> {
  let target = "all_reduce";
}
def : TodayOp<"all_to_all", "input", ["split_dim: si32", "concat_dim: si32",
    "split_count: si32", "replica_groups: dense<i64>"]>;
def : TodayOp<"all_to_all_combine",
    "input_tensor, expert_metadata, expert_mapping", ["num_devices: i64",
    "cluster_axis: i64", "num_experts_per_tok: i64", "output_shard_dim: i64=2"]>
    {
  let refused = "it is made for one library's kernels";
}
def : TodayOp<"all_to_all_dispatch",
    "input_tensor, expert_indices, expert_mapping", ["num_devices: i64",
    "cluster_axis: i64"], "dispatched, metadata"> {
  let refused = "it is made for one library's kernels";
}
def : TodayOp<"all_to_all_dispatch_metadata",
    "input_tensor, expert_indices, expert_scores, expert_mapping",
    ["num_devices: i64", "cluster_axis: i64"], "dispatched, indices, scores"> {
  let refused = "it is made for one library's kernels";
}
def : TodayOp<"alloc", "", ["address: i64", "size: i64",
    "memory_space: #ttcore.memory_space"]> {
  let refused = "places in memory are the compiler's";
}
def : TodayOp<"arange", "", ["start: si64", "end: si64", "step: si64",
    "arange_dimension: i64"]>;
def : TodayOp<"argmax", "input", ["keep_dim: bool", "dim_arg?: [i32]"]>;
def : TodayOp<"asin", "input">;
def : TodayOp<"asinh", "input">;
def : TodayOp<"atan", "input">;
def : TodayOp<"atan2", "lhs, rhs">;
def : TodayOp<"avg_pool2d", "input", ["kernel: window", "stride: window",
    "dilation: window", "padding: window", "ceil_mode: bool",
    "count_include_pad: bool=true", "flattened_compat_info?: flattened"]> {
  let rule = "pool2d";
  let becomes = "`avg_pool2d`, around it `reshape` for `flattened_compat_info`";
}
def : TodayOp<"batch_norm_inference", "operand, scale, offset, mean, variance",
    ["epsilon: f32", "dimension: i32"]>;
def : TodayOp<"batch_norm_training",
    "operand, scale, offset, running_mean!, running_variance!", ["epsilon: f32",
    "dimension: i32", "momentum: f32"], "result, batch_mean, batch_variance"> {
  let rule = "batchNormTraining";
  let becomes = "results 0, 3 and 4 of `batch_norm_training`: the last two are the updated running statistics";
}
def : TodayOp<"bitcast_convert", "input">;
def : TodayOp<"bitwise_and", "lhs, rhs">;
def : TodayOp<"bitwise_not", "input">;
def : TodayOp<"bitwise_or", "lhs, rhs">;
def : TodayOp<"bitwise_xor", "lhs, rhs">;
def : TodayOp<"broadcast", "input", ["broadcast_dimensions: array<i64>"]> {
  let rule = "broadcast";
  let becomes = "`broadcast`, `dimension` from the shapes";
}
def : TodayOp<"cbrt", "input">;
def : TodayOp<"ceil", "input">;
def : TodayOp<"chunked_scaled_dot_product_attention",
    "query, key, value, page_table, chunk_start_idx, output^", ["scale?: f32"]>;
def : TodayOp<"clamp_scalar", "input", ["min: number", "max: number"]> {
  let rule = "clampScalar";
  let becomes = "`clamp`; of integers whose limits no f32 has, `maximum` and `minimum`";
}
def : TodayOp<"clamp_tensor", "input, min, max">;
def : TodayOp<"collective_broadcast", "input", ["replica_groups: dense<i64>"]>;
def : TodayOp<"collective_permute", "input",
    ["source_target_pairs: dense<i64>"]>;
def : TodayOp<"concat", "inputs*", ["dim: si32"]>;
def : TodayOp<"concatenate_heads", "input">;
def : TodayOp<"constant", "", ["value: elements"]> {
  let rule = "constant";
  let becomes = "`constant`";
}
def : TodayOp<"conv1d", "input, weight, bias?", ["stride: window",
    "padding: window", "dilation: window", "groups: i32", "batch_dim: i64=0",
    "length_dim: i64=1", "channel_dim: i64=2"]>;
def : TodayOp<"conv2d", "input, weight, bias?", ["stride: window",
    "padding: window", "dilation: window", "groups: i32", "batch_dim: i64=0",
    "height_dim: i64=1", "width_dim: i64=2", "channel_dim: i64=3",
    "flattened_compat_info?: flattened"]> {
  let rule = "conv2d";
  let becomes = "`conv2d`, around it `permute` unless NHWC, and `reshape` for `flattened_compat_info`";
}
def : TodayOp<"conv3d", "input, weight, bias?", ["stride: window",
    "padding: window", "groups: i32", "batch_dim: i64=0", "depth_dim: i64=1",
    "height_dim: i64=2", "width_dim: i64=3", "channel_dim: i64=4",
    "padding_mode: str=zeros"]> {
  let rule = "conv3d";
  let becomes = "`conv3d`";
}
def : TodayOp<"conv_transpose2d", "input, weight, bias?", ["stride: window",
    "padding: window", "output_padding: window", "dilation: window",
    "groups: i32", "batch_dim: i64=0", "height_dim: i64=1", "width_dim: i64=2",
    "channel_dim: i64=3", "flattened_compat_info?: flattened"]> {
  let rule = "convTranspose2d";
  let becomes = "`conv_transpose2d`, around it `permute` unless NHWC, and `reshape` for `flattened_compat_info`";
}
def : TodayOp<"cos", "input">;
def : TodayOp<"cumprod", "input", ["dim: i64"]>;
def : TodayOp<"cumsum", "input", ["dim: i64"]>;
def : TodayOp<"dealloc", "result", [], ""> {
  let refused = "places in memory are the compiler's";
}
def : TodayOp<"dequantize", "input">;
def : TodayOp<"dequantize_unrolled", "input, scale, zero_point",
    ["axis?: i32"]>;
def : TodayOp<"distributed_layer_norm", "input, weight?, bias?, residual?",
    ["cluster_axis: ui32", "epsilon: f32=1e-05"]>;
def : TodayOp<"distributed_rms_norm", "input, weight?, residual?",
    ["cluster_axis: ui32", "epsilon: f32=1e-05"]>;
def : TodayOp<"div", "lhs, rhs">;
def : TodayOp<"dot_general", "lhs, rhs", ["batch_dims_lhs: array<i64>",
    "contract_dims_lhs: array<i64>", "batch_dims_rhs: array<i64>",
    "contract_dims_rhs: array<i64>"]>;
def : TodayOp<"dropout", "input", ["prob: f32=0.0", "scale: f32=1.0",
    "seed: ui32=0", "use_per_device_seed: bool=true"]> {
  let ignored = "use_per_device_seed";
}
def : TodayOp<"embedding", "input, weight"> {
  let rule = "embedding";
  let becomes = "`embedding`; a table with leading ones loses them";
}
def : TodayOp<"embedding_backward", "input, weight, in_gradient">;
def : TodayOp<"empty", ""> {
  let rule = "empty";
  let becomes = "nothing as a destination; `full` of 0 where it is read";
}
def : TodayOp<"eq", "lhs, rhs">;
def : TodayOp<"erf", "input">;
def : TodayOp<"erfc", "input">;
def : TodayOp<"exp", "input">;
def : TodayOp<"exp2", "input">;
def : TodayOp<"expm1", "input">;
def : TodayOp<"fill_cache", "cache!, input", ["batch_offset: i32"], "">;
def : TodayOp<"floor", "input">;
def : TodayOp<"frac", "input">;
def : TodayOp<"full", "", ["shape: array<i32>", "fill_value: number"]> {
  let rule = "full";
  let becomes = "`full`, or `constant` of a type that `full` has no value for";
}
def : TodayOp<"gather", "input, index", ["dim: i32"]> {
  let target = "gather_dim";
}
def : TodayOp<"ge", "lhs, rhs">;
def : TodayOp<"gelu", "input">;
def : TodayOp<"gelu_bw", "lhs, rhs", ["approximate: str=none"]>;
def : TodayOp<"get_dimension_size", "operand", ["dimension: i32"]>;
def : TodayOp<"global_avg_pool2d", "input">;
def : TodayOp<"group_norm", "input, input_mask?^, weight?, bias?",
    ["num_groups: i64", "epsilon: f32=1e-12", "channel_dim: i64=3"]>;
def : TodayOp<"gt", "lhs, rhs">;
def : TodayOp<"hardsigmoid", "input">;
def : TodayOp<"index", "input", ["dim: i32", "begin: i32", "end: i32",
    "step: i32"]>;
def : TodayOp<"index_select", "input", ["dim: si32", "begin: si32",
    "length: si32", "stride?: si32"]>;
def : TodayOp<"isfinite", "input">;
def : TodayOp<"layer_norm", "input, weight?, bias?",
    ["normalized_shape: array<i64>", "epsilon: f32=1e-05"]>;
def : TodayOp<"le", "lhs, rhs">;
def : TodayOp<"leaky_relu", "input", ["parameter: f32"]>;
def : TodayOp<"linear", "a, b, bias?", ["transpose_a: bool=false",
    "transpose_b: bool=false"]> {
  let rule = "linear";
  let becomes = "`linear`; operands of fewer dimensions get leading ones";
}
def : TodayOp<"log", "input">;
def : TodayOp<"log1p", "input">;
def : TodayOp<"logical_and", "lhs, rhs">;
def : TodayOp<"logical_left_shift", "lhs, rhs">;
def : TodayOp<"logical_not", "input">;
def : TodayOp<"logical_or", "lhs, rhs">;
def : TodayOp<"logical_right_shift", "lhs, rhs">;
def : TodayOp<"logical_xor", "lhs, rhs">;
def : TodayOp<"lt", "lhs, rhs">;
def : TodayOp<"matmul", "a, b", ["transpose_a: bool=false",
    "transpose_b: bool=false"]> {
  let rule = "matmul";
  let becomes = "`matmul`; operands of fewer dimensions get leading ones";
}
def : TodayOp<"max", "input", ["keep_dim: bool", "dim_arg?: [i32]"]>;
def : TodayOp<"max_pool2d", "input", ["kernel: window", "stride: window",
    "dilation: window", "padding: window", "ceil_mode: bool",
    "flattened_compat_info?: flattened"]> {
  let rule = "pool2d";
  let becomes = "`max_pool2d`, around it `reshape` for `flattened_compat_info`";
}
def : TodayOp<"max_pool2d_with_indices", "input, output^*", ["kernel: window",
    "stride: window", "dilation: window", "padding: window", "ceil_mode: bool",
    "flattened_compat_info?: flattened"], "result, result_indices"> {
  let rule = "maxPool2dWithIndices";
  let becomes = "`max_pool2d_with_indices`";
}
def : TodayOp<"maximum", "lhs, rhs">;
def : TodayOp<"mean", "input", ["keep_dim: bool", "dim_arg?: [i32]"]>;
def : TodayOp<"mesh_partition", "input", ["dim: si32", "cluster_axis?: ui32"]>;
def : TodayOp<"mesh_shard", "input", ["shard_type: #ttcore.shard_type",
    "shard_direction: #ttcore.shard_direction", "shard_shape: array<i64>",
    "shard_dims: array<i64>"]> {
  let rule = "meshShard";
  let becomes = "`mesh_shard`; nothing for `maximal`";
}
def : TodayOp<"min", "input", ["keep_dim: bool", "dim_arg?: [i32]"]>;
def : TodayOp<"minimum", "lhs, rhs">;
def : TodayOp<"mish", "input">;
def : TodayOp<"moe_compute",
    "tilize_input_tensor, tilize_expert_indices_tensor, tilize_expert_scores_tensor, tilize_expert_mapping_tensor, w0, w1, w2, bias_0?, bias_1?, bias_2?",
    ["layer_id: ui32", "output_height_shard_dim: ui32",
    "intermediate_size: ui32", "activation_function: any=silu",
    "cluster_axis: ui32"], "combine_output"> {
  let refused = "it is made for one library's kernels";
}
def : TodayOp<"moe_expert_token_remap",
    "topk_tensor, expert_mapping, expert_metadata", ["reduction_size: i64"],
    "mapping, reduced"> {
  let refused = "it is made for one library's kernels";
}
def : TodayOp<"moe_gpt",
    "input_tensor, expert_indices, expert_scores, expert_mapping, w0_w1_tensor, w2_tensor",
    ["output_height_shard_dim: ui32=4", "output_width_shard_dim: ui32=3",
    "hidden_size: ui32=2880", "cluster_axis?: ui32"],
    "token_counts, activation_records, token_indices, tilize_out, tilize_out_rm">
    {
  let refused = "it is made for one library's kernels";
}
def : TodayOp<"multiply", "lhs, rhs">;
def : TodayOp<"ne", "lhs, rhs">;
def : TodayOp<"neg", "input">;
def : TodayOp<"ones", "", ["shape: array<i32>"]> {
  let rule = "ones";
  let becomes = "`full` of 1";
}
def : TodayOp<"pad", "input", ["padding: array<i32>", "value: f32"]>;
def : TodayOp<"paged_fill_cache",
    "cache!, input, page_table, batch_idx_tensor?", [], "">;
def : TodayOp<"paged_flash_multi_latent_attention_decode",
    "query, key, value?, page_table, attention_mask?, cur_pos_tensor?, attention_sink?",
    ["head_dim_v: ui32", "is_causal: bool=true", "scale?: f32"]> {
  let rule = "decodingAttention";
  let becomes = "`paged_flash_multi_latent_attention_decode`; `cur_pos_tensor` counts with `is_causal` only";
}
def : TodayOp<"paged_scaled_dot_product_attention_decode",
    "query, key, value, page_table, output^, attention_mask?, cur_pos_tensor?, attention_sink?",
    ["is_causal: bool=true", "scale?: f32", "sliding_window_size?: ui32"]> {
  let rule = "decodingAttention";
  let becomes = "`paged_scaled_dot_product_attention_decode`; `cur_pos_tensor` counts with `is_causal` only";
}
def : TodayOp<"paged_update_cache", "cache!, input, update_index, page_table?",
    ["share_cache: bool=false"], ""> {
  let rule = "pagedUpdateCache";
  let becomes = "`paged_update_cache`; without a page table `update_cache`";
}
def : TodayOp<"permute", "input", ["permutation: array<i64>"]>;
def : TodayOp<"pow", "lhs, rhs"> {
  let target = "power";
}
def : TodayOp<"prod", "input", ["keep_dim: bool", "dim_arg?: [i32]"]>;
def : TodayOp<"quantize", "input">;
def : TodayOp<"quantize_unrolled", "input, scale, zero_point", ["axis?: i32"]>;
def : TodayOp<"rand", "", ["size: [i32]", "low: f32=0.0", "high: f32=1.0",
    "seed: ui32=0"]> {
  let rule = "rand";
  let becomes = "`rand`";
}
def : TodayOp<"rearrange", "input", ["pattern: str"]>;
def : TodayOp<"reciprocal", "input">;
def : TodayOp<"reduce_and", "input", ["keep_dim: bool", "dim_arg?: [i32]"]>;
def : TodayOp<"reduce_or", "input", ["keep_dim: bool", "dim_arg?: [i32]"]>;
def : TodayOp<"reduce_scatter", "input", ["reduce_type: #ttcore.reduce_type",
    "scatter_dim: si32", "cluster_axis: ui32"]>;
def : TodayOp<"relu", "input">;
def : TodayOp<"relu6", "input">;
def : TodayOp<"remainder", "lhs, rhs">;
def : TodayOp<"repeat", "input", ["repeat_dimensions: array<i64>"]>;
def : TodayOp<"repeat_interleave", "input", ["repeats: ui32", "dim: si32"]>;
def : TodayOp<"requantize", "input">;
def : TodayOp<"requantize_unrolled",
    "input, in_scale, in_zero_point, out_scale, out_zero_point",
    ["axis?: i32"]>;
def : TodayOp<"reshape", "input", ["shape: [i32]"]>;
def : TodayOp<"reverse", "input", ["dimensions: array<i64>"]>;
def : TodayOp<"right_shift", "lhs, rhs">;
def : TodayOp<"rms_norm", "input, weight?, bias?",
    ["normalized_shape: array<i64>", "epsilon: f32=1e-05"]>;
def : TodayOp<"rsqrt", "input">;
def : TodayOp<"sampling", "input_values, input_indices, k, p, temp",
    ["seed?: ui32"]>;
def : TodayOp<"scaled_dot_product_attention",
    "query, key, value, attention_mask?, attention_sink?",
    ["is_causal: bool=true", "scale?: f32", "sliding_window_size?: ui32"]> {
  let rule = "attention";
}
def : TodayOp<"scaled_dot_product_attention_decode",
    "query, key, value, attention_mask?, cur_pos_tensor, attention_sink?",
    ["is_causal: bool=true", "scale?: f32"]> {
  let rule = "decodingAttention";
  let becomes = "`scaled_dot_product_attention_decode`; `cur_pos_tensor` counts with `is_causal` only";
}
def : TodayOp<"scatter", "input, index, source", ["dim: i32",
    "scatter_reduce_type: #ttcore.reduce_type"]> {
  let rule = "scatter";
  let becomes = "`scatter_dim`";
}
def : TodayOp<"sdpa_bw",
    "grad_output, attn_output, query, key, value, intermediates, attention_mask?",
    ["mask_type: #ttcore.attention_mask_type=arbitrary",
    "dropout_probability: f32=0.0"], "grad_query, grad_key, grad_value"> {
  let refused = "it is made for one library's kernels";
}
def : TodayOp<"sdpa_fw", "query, key, value, attention_mask?",
    ["mask_type: #ttcore.attention_mask_type=causal",
    "dropout_probability: f32=0.0", "return_intermediates: bool=false"],
    "output, intermediates?"> {
  let refused = "it is made for one library's kernels";
}
def : TodayOp<"selective_reduce_combine",
    "dense_input_tensor, dense_activations_tensor, dense_token_maps_tensor, dense_token_counts_tensor",
    ["hidden_size: ui32", "batch_size: ui32", "seq_size: ui32",
    "select_experts_k: ui32", "experts: ui32"]> {
  let refused = "it is made for one library's kernels";
}
def : TodayOp<"selu", "input", ["scale: f32=1.0507009873390197",
    "alpha: f32=1.6732635498046875"]>;
def : TodayOp<"sigmoid", "input">;
def : TodayOp<"sign", "input">;
def : TodayOp<"signbit", "input">;
def : TodayOp<"silu", "input">;
def : TodayOp<"sin", "input">;
def : TodayOp<"slice_dynamic", "input, begins, ends", ["step?: [i32]"]> {
  let rule = "sliceDynamic";
  let becomes = "`slice` where begins and ends are constants, else `dynamic_slice`";
}
def : TodayOp<"slice_static", "input", ["begins: [i32]", "ends: [i32]",
    "step: [i32]"]> {
  let target = "slice";
}
def : TodayOp<"softmax", "input", ["dimension: si32",
    "numericStable: bool=false"]> {
  let ignored = "numericStable";
}
def : TodayOp<"softsign", "input">;
def : TodayOp<"sort", "input", ["dim: si32=-1", "descending: bool=false",
    "stable: bool=false"], "values, indices">;
def : TodayOp<"sparse_matmul", "a, b, sparsity",
    ["is_input_a_sparse: bool=false", "is_input_b_sparse: bool=true",
    "nnz?: i64"]>;
def : TodayOp<"split_query_key_value_and_split_heads",
    "input_tensor, kv_input_tensor?", ["num_heads: ui32", "num_kv_heads?: ui32",
    "transpose_key: bool"], "query, key, value">;
def : TodayOp<"sqrt", "input">;
def : TodayOp<"square", "input">;
def : TodayOp<"squeeze", "input", ["dim: si32"]>;
def : TodayOp<"subtract", "lhs, rhs">;
def : TodayOp<"sum", "input", ["keep_dim: bool", "dim_arg?: [i32]"]>;
def : TodayOp<"tan", "input">;
def : TodayOp<"tanh", "input">;
def : TodayOp<"to_layout", "input, output^", ["layout?: any"], "results*"> {
  let rule = "toLayout";
  let becomes = "nothing, or `typecast` where the element type changes: layouts are the compiler's";
}
def : TodayOp<"topk", "input_tensor", ["k: i32", "dim: i32=-1",
    "largest: bool=true", "sorted: bool=false"], "values, indices">;
def : TodayOp<"topk_router_gpt", "input, weight, bias", ["k: i32",
    "num_experts: i32"], "expert_indices, expert_weights">;
def : TodayOp<"transpose", "input", ["dim0: si32", "dim1: si32"]>;
def : TodayOp<"trunc", "input">;
def : TodayOp<"tt_lang_op", "inputs*", ["kernel_id: str", "version_tag: str",
    "arg_roles: str", "shard_spec: str="], "results*"> {
  let refused = "its kernel is not in the program";
}
def : TodayOp<"ttnn_metal_layout_cast", "input",
    ["virtual_grid_inverse_mapping?: any",
    "virtual_grid_forward_mapping?: any"]> {
  let refused = "it is made for one library's kernels";
}
def : TodayOp<"typecast", "input", ["conservative_folding: bool=false"]> {
  let ignored = "conservative_folding";
}
def : TodayOp<"unsqueeze", "input", ["dim: si32"]>;
def : TodayOp<"update_cache", "cache!, input, update_index",
    ["batch_offset: i32"], "">;
def : TodayOp<"upsample2d", "input", ["scale_factor: window",
    "mode: str=nearest"]> {
  let rule = "upsample2d";
  let becomes = "`upsample`";
}
def : TodayOp<"where", "first, second, third">;
def : TodayOp<"zeros", "", ["shape: array<i32>"]> {
  let rule = "zeros";
  let becomes = "`full` of 0";
}

#endif
