"""The ops of OpInfo that are core ATen ops, or a few of them."""

from __future__ import annotations

_TENSORS = """
T __getitem__ argsort argwhere as_strided as_strided_scatter atleast_1d atleast_2d atleast_3d
block_diag broadcast_to cat chunk clone column_stack constant_pad_nd contiguous diag diag_embed
diagonal diagonal_scatter dsplit dstack einsum expand expand_as fill flatten flip fliplr flipud
full_like gather hsplit hstack index_add index_copy index_fill index_put index_select mT
masked_fill masked_scatter masked_select meshgrid movedim narrow new_full new_ones new_zeros nonzero
ones_like permute repeat repeat_interleave reshape roll rot90 scatter scatter_add scatter_reduce
select select_scatter slice slice_scatter sort split split_with_sizes squeeze stack t take
take_along_dim tensor_split tile topk trace transpose tril triu unbind unflatten unfold unsqueeze
view vsplit vstack where zeros_like
"""
_NUMBERS = """
__radd__ __rdiv__ __rmod__ __rmul__ __rpow__ __rsub__ abs acos acosh add addcdiv addcmul asin asinh
atan atan2 atanh bitwise_and bitwise_left_shift bitwise_not bitwise_or bitwise_right_shift
bitwise_xor bool ceil clamp clamp_max clamp_min copysign cos cosh deg2rad digamma div eq erf erfc
erfinv exp exp2 expm1 float float_power floor floor_divide fmax fmin fmod frac ge gt heaviside hypot
int isclose isfinite isinf isnan isneginf isposinf ldexp le lerp lgamma log log10 log1p log2
logaddexp logical_and logical_not logical_or logical_xor logit long lt maximum minimum mul
nan_to_num ne neg positive pow rad2deg reciprocal remainder round rsqrt rsub sigmoid sign signbit
sin sinc sinh sqrt square sub tan tanh true_divide trunc xlogy
"""
_REDUCTIONS = """
all amax amin aminmax any argmax argmin bincount cdist count_nonzero cummax cummin cumprod cumsum
diff dist kthvalue linalg.vector_norm log_softmax logcumsumexp logsumexp max mean median min msort
nansum norm prod softmax std std_mean sum var var_mean
"""
_PRODUCTS = """
addbmm addmm addmv addr baddbmm bmm cross dot inner kron linalg.cross linalg.multi_dot linalg.vecdot
matmul mm mv outer tensordot vdot
"""
_NETWORKS = """
adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d adaptive_max_pool1d adaptive_max_pool2d
avg_pool1d avg_pool2d avg_pool3d batch_norm binary_cross_entropy binary_cross_entropy_with_logits
celu channel_shuffle conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d
cosine_similarity cross_entropy elu embedding gelu glu grid_sample group_norm hardshrink hardsigmoid
hardswish hardtanh huber_loss instance_norm interpolate kl_div l1_loss layer_norm leaky_relu linear
local_response_norm logsigmoid max_pool1d max_pool2d max_pool3d mish mse_loss nll_loss normalize
one_hot pad pairwise_distance pdist pixel_shuffle pixel_unshuffle prelu relu relu6 rms_norm
scaled_dot_product_attention selu silu smooth_l1_loss softmin softplus softshrink softsign
tanhshrink threshold unfold upsample_bilinear upsample_nearest
"""

CORE: list[str] = [
    *f"{_TENSORS} {_NUMBERS} {_REDUCTIONS} {_PRODUCTS}".split(),
    *(f"nn.functional.{name}" for name in _NETWORKS.split()),
]
