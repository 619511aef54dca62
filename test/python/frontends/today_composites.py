"""The same for ops that this project makes of others."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from today_form import Array, Case, case, unary, windows


def _softmax(x: Array) -> Array:
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def _attention(q: Array, k: Array, v: Array, mask: Array | None = None) -> Array:
    k, v = (np.repeat(t, q.shape[1] // t.shape[1], 1) for t in (k, v))
    scores = q @ np.swapaxes(k, -1, -2) / math.sqrt(q.shape[-1])
    if mask is None:
        mask = np.triu(np.full(scores.shape[-2:], -np.inf), 1)
    return _softmax(scores + mask) @ v


def _scatter_sum(x: Array, index: Array, source: Array) -> Array:
    made = x.copy()
    for row in range(index.shape[0]):
        for column in range(index.shape[1]):
            made[row, int(index[row, column])] += source[row, column]
    return made


def _batch_norm(x: Array, scale: Array, offset: Array, mean: Array, variance: Array) -> Array:
    return (x - mean) / np.sqrt(variance + 1e-3) * scale + offset


def _batch_norm_training(
    x: Array, scale: Array, offset: Array, *running: Array
) -> tuple[Array, ...]:
    batch = x.mean((0, 1, 2)), x.var((0, 1, 2))
    updated = (0.9 * old + 0.1 * new for old, new in zip(running, batch, strict=True))
    return _batch_norm(x, scale, offset, *batch), *updated


def _without_batch(results: Sequence[Any]) -> tuple[Any, ...]:
    """The results of today's batch_norm_training: not the statistics of the batch."""
    return results[0], *results[3:]


def _group_norm(x: Array, weight: Array, bias: Array) -> Array:
    groups = x.reshape(2, 12, 2, 2)
    mean = groups.mean((1, 3), keepdims=True)
    variance = groups.var((1, 3), keepdims=True)
    return ((groups - mean) / np.sqrt(variance + 1e-5)).reshape(x.shape) * weight + bias


def _shifted(compute: Callable[..., Array]) -> Callable[..., Array]:
    return lambda x, y: compute(x.astype(np.int64), y.astype(np.int64))


_SHIFTS: dict[str, Callable[..., Array]] = {
    "logical_left_shift": lambda x, y: x << y,
    "logical_right_shift": lambda x, y: (x & 0xFFFFFFFF) >> y,
    "right_shift": lambda x, y: x >> y,
}


def _mish(x: Array) -> Array:
    return x * np.tanh(np.log1p(np.exp(x)))


def _selu(x: Array) -> Array:
    return 1.0507009873390197 * np.where(x > 0, x, 1.6732635498046875 * np.expm1(x))


def _paged_attention(q: Array, k: Array, v: Array, table: Array, at: Array) -> Array:
    rows = table.astype(np.int64)
    k, v = (np.moveaxis(x[rows], 2, 1).reshape(3, 2, 16, 16) for x in (k, v))
    k, v = (np.repeat(x, 2, 1) for x in (k, v))
    places = np.arange(16)
    seen = (places <= at[:, None]) & (places > at[:, None] - 2)
    scores = np.einsum("bhd,bhkd->bhk", q[0], k) * 0.5
    weights = _softmax(np.where(seen[:, None], scores, -np.inf))
    return np.einsum("bhk,bhkd->bhd", weights, v)[None]


def _route(x: Array, weight: Array, bias: Array) -> tuple[Array, Array]:
    logits = x @ weight + bias
    places = np.argsort(-logits, -1)[:, :8]
    return places, np.take_along_axis(logits, places, -1)


def _pooled(x: Array) -> tuple[Array, Array]:
    seen = windows(x, (2, 2), axis=(1, 2))[:, ::2, ::2]
    flat = seen.reshape(*seen.shape[:4], 4)
    best = flat.argmax(-1)
    rows = 2 * np.arange(2)[:, None, None] + best // 2
    columns = 2 * np.arange(2)[None, :, None] + best % 2
    return flat.max(-1), rows * 4 + columns


CASES: list[Case] = [
    unary("acos", "unit", numpy=np.arccos),
    unary("asin", "unit", numpy=np.arcsin),
    unary("asinh", numpy=np.arcsinh),
    unary("atan", numpy=np.arctan),
    unary("erfc", numpy=np.vectorize(math.erfc)),
    unary("exp2", numpy=np.exp2),
    unary("frac", numpy=lambda x: x - np.trunc(x)),
    unary("hardsigmoid", numpy=lambda x: np.clip(x / 6 + 0.5, 0, 1)),
    unary("mish", numpy=_mish),
    unary("relu6", numpy=lambda x: np.clip(x, 0, 6)),
    case(
        "selu",
        "3x37xf32 -> 3x37xf32",
        "scale = 1.05070102 : f32, alpha = 1.67326355 : f32",
        lambda b, x: b.selu(x, 1.05070102, 1.67326355),
        numpy=_selu,
    ),
    unary("signbit", numpy=np.signbit),
    unary("softsign", numpy=lambda x: x / (1 + np.abs(x))),
    unary("square", numpy=np.square),
    unary("trunc", numpy=np.trunc),
    case("atan2", "3x37xf32, 3x37xf32 -> 3x37xf32", numpy=np.arctan2),
    *(
        case(
            op,
            "3x37xi32, 3x37xi32 -> 3x37xi32",
            numpy=_shifted(compute),
            tolerance=0,
            values="index index",
        )
        for op, compute in _SHIFTS.items()
    ),
    case(
        "cumprod",
        "3x7xf32 -> 3x7xf32",
        "dim = 1 : i64",
        lambda b, x: b.cumprod(x, 1),
        numpy=lambda x: np.cumprod(x, 1),
        values="positive",
    ),
    case(
        "sort",
        "3x37xf32 -> 3x37xf32, 3x37xi32",
        "dim = -1 : si32, descending = true, stable = true",
        lambda b, x: b.sort([x], -1, descending=True),
        numpy=lambda x: (-np.sort(-x, -1), np.argsort(-x, -1, kind="stable")),
        tolerance=1e-7,
    ),
    case(
        "topk",
        "3x37xf32 -> 3x5xf32, 3x5xi32",
        "k = 5 : i32, dim = -1 : i32, largest = true, sorted = true",
        lambda b, x: b.topk(x, 5),
        numpy=lambda x: (-np.sort(-x, -1)[:, :5], np.argsort(-x, -1, kind="stable")[:, :5]),
        tolerance=1e-7,
    ),
    case(
        "scatter",
        "3x7xf32, 3x4xi32, 3x4xf32 -> 3x7xf32",
        "dim = 1 : i32, scatter_reduce_type = #ttcore.reduce_type<sum>",
        lambda b, x, i, y: b.scatter_dim(x, i, y, 1, "add"),
        numpy=_scatter_sum,
        values="uniform index",
    ),
    case(
        "reverse",
        "3x7xf32 -> 3x7xf32",
        "dimensions = array<i64: 1>",
        lambda b, x: b.reverse(x, [1]),
        numpy=lambda x: x[:, ::-1],
        tolerance=1e-7,
    ),
    case(
        "slice_dynamic",
        "9x7xf32, 2xi32, 2xi32 -> 2x3xf32",
        "step = [1 : i32, 2 : i32]",
        lambda b, x, low, high: b.slice_dynamic(x, low, high, (2, 3), (1, 2)),
        numpy=lambda x, b, e: x[int(b[0]) : int(b[0]) + 2, int(b[1]) : int(b[1]) + 5 : 2],
        tolerance=1e-7,
        values="uniform index index",
    ),
    case(
        "bitcast_convert",
        "3x7xf32 -> 3x7xi32",
        own=lambda b, x: b.bitcast_convert(x, "si32"),
        numpy=lambda x: x.astype(np.float32).view(np.int32),
        tolerance=0,
    ),
    case(
        "dropout",
        "3x7xf32 -> 3x7xf32",
        "prob = 0.0 : f32, scale = 2.0 : f32, seed = 1 : ui32",
        lambda b, x: b.dropout(x, 0.0, 2.0, 1),
        numpy=lambda x: 2 * x,
    ),
    case(
        "batch_norm_inference",
        "2x3x4x5xf32, 5xf32, 5xf32, 5xf32, 5xf32 -> 2x3x4x5xf32",
        "dimension = 3 : i32, epsilon = 1.0e-3 : f32",
        lambda b, *x: b.batch_norm_inference(*x, 1e-3, 3),
        numpy=_batch_norm,
        values="uniform uniform uniform uniform positive",
    ),
    case(
        "batch_norm_training",
        "2x3x4x5xf32, 5xf32, 5xf32, 5xf32, 5xf32 -> 2x3x4x5xf32, 5xf32, 5xf32",
        "dimension = 3 : i32, epsilon = 1.0e-3 : f32, momentum = 0.1 : f32",
        lambda b, *x: _without_batch(b.batch_norm_training(*x, 1e-3, 3, 0.1)),
        numpy=_batch_norm_training,
    ),
    case(
        "group_norm",
        "2x3x4x4xf32, 4xf32, 4xf32 -> 2x3x4x4xf32",
        "num_groups = 2 : i64, epsilon = 1.0e-5 : f32, channel_dim = 3 : i64, "
        "operandSegmentSizes = array<i32: 1, 0, 1, 1>",
        lambda b, x, w, c: b.group_norm(x, 2, weight=w, bias=c, epsilon=1e-5),
        numpy=_group_norm,
    ),
    case(
        "dot_general",
        "2x3x5xf32, 2x5x4xf32 -> 2x3x4xf32",
        "batch_dims_lhs = array<i64: 0>, contract_dims_lhs = array<i64: 2>, "
        "batch_dims_rhs = array<i64: 0>, contract_dims_rhs = array<i64: 1>",
        lambda b, x, y: b.dot_general(x, y, [0], [2], [0], [1]),
        numpy=lambda x, y: x @ y,
    ),
    case(
        "rearrange",
        "2x3x4x5xf32 -> 2x20x3xf32",
        'pattern = "b c h w -> b (h w) c"',
        lambda b, x: b.rearrange(x, "b c h w -> b (h w) c"),
        numpy=lambda x: x.transpose(0, 2, 3, 1).reshape(2, 20, 3),
        tolerance=1e-7,
    ),
    case(
        "concatenate_heads",
        "2x3x4x8xf32 -> 2x4x24xf32",
        numpy=lambda x: x.transpose(0, 2, 1, 3).reshape(2, 4, 24),
        tolerance=1e-7,
    ),
    case(
        "split_query_key_value_and_split_heads",
        "2x4x48xf32 -> 2x2x4x8xf32, 2x2x4x8xf32, 2x2x4x8xf32",
        "num_heads = 2 : ui32, transpose_key = false, operandSegmentSizes = array<i32: 1, 0>",
        lambda b, x: b.split_query_key_value_and_split_heads(x, 2, False),
        numpy=lambda x: tuple(
            x[..., i * 16 : i * 16 + 16].reshape(2, 4, 2, 8).transpose(0, 2, 1, 3) for i in range(3)
        ),
        tolerance=1e-7,
    ),
    case(
        "scaled_dot_product_attention",
        "1x4x8x16xf32, 1x2x8x16xf32, 1x2x8x16xf32 -> 1x4x8x16xf32",
        "is_causal = true, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>",
        numpy=_attention,
        tolerance=1e-4,
    ),
    case(
        "scaled_dot_product_attention",
        "1x4x8x16xf32, 1x2x8x16xf32, 1x2x8x16xf32, 1x1x8x8xf32 -> 1x4x8x16xf32",
        "is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>",
        lambda b, q, k, v, mask: b.scaled_dot_product_attention(
            q, k, v, attention_mask=mask, is_causal=False
        ),
        numpy=_attention,
        tolerance=1e-4,
    ),
    case(
        "conv3d",
        "1x4x5x6x2xf32, 3x2x2x2x2xf32 -> 1x3x4x5x3xf32",
        "stride = 1 : i32, padding = 0 : i32, groups = 1 : i32",
        lambda b, x, w: b.conv3d(x, w, (1, 1, 1), (0, 0, 0)),
        numpy=lambda x, w: np.einsum(
            "ndhwcijk,ocijk->ndhwo",
            windows(x, (2, 2, 2), axis=(1, 2, 3)),
            w,
        ),
    ),
    case(
        "max_pool2d_with_indices",
        "1x4x4x3xf32 -> 1x2x2x3xf32, 1x2x2x3xi32",
        "kernel = 2 : i32, stride = 2 : i32, dilation = 1 : i32, padding = 0 : i32, "
        "ceil_mode = false",
        lambda b, x: b.max_pool2d_with_indices(x, (2, 2)),
        numpy=_pooled,
    ),
    # Attention to caches: the positions that are seen, blocks and their numbers.
    case(
        "scaled_dot_product_attention_decode",
        "1x3x4x16xf32, 3x2x9x16xf32, 3x2x9x16xf32, 3xi32 -> 1x3x4x16xf32",
        "is_causal = true, operandSegmentSizes = array<i32: 1, 1, 1, 0, 1, 0>",
        lambda b, q, k, v, at: b.scaled_dot_product_attention_decode(q, k, v, cur_pos_tensor=at),
        values="uniform uniform uniform index",
    ),
    case(
        "scaled_dot_product_attention_decode",
        "1x3x4x16xf32, 3x2x9x16xf32, 3x2x9x16xf32, 1x1x4x9xf32, 3xi32, 4x32xf32 -> 1x3x4x16xf32",
        "is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1>",
        lambda b, q, k, v, mask, at, sink: b.scaled_dot_product_attention_decode(
            q, k, v, attention_mask=mask, attention_sink=sink, is_causal=False
        ),
        values="uniform uniform uniform uniform index",
    ),
    case(
        "paged_scaled_dot_product_attention_decode",
        "1x3x4x16xf32, 7x2x8x16xf32, 7x2x8x16xf32, 3x2xi32, 3xi32 -> 1x3x4x16xf32",
        "is_causal = true, scale = 0.5 : f32, sliding_window_size = 2 : ui32, "
        "operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 1, 0>",
        lambda b, q, k, v, table, at: b.paged_scaled_dot_product_attention_decode(
            q, k, v, table, cur_pos_tensor=at, scale=0.5, sliding_window_size=2
        ),
        numpy=_paged_attention,
        tolerance=1e-4,
        values="uniform uniform uniform table index",
    ),
    case(
        "paged_flash_multi_latent_attention_decode",
        "1x3x4x16xf32, 7x1x8x16xf32, 3x2xi32, 3xi32 -> 1x3x4x8xf32",
        "head_dim_v = 8 : ui32, is_causal = true, "
        "operandSegmentSizes = array<i32: 1, 1, 0, 1, 0, 1, 0>",
        lambda b, q, k, table, at: b.paged_flash_multi_latent_attention_decode(
            q, k, table, 8, cur_pos_tensor=at
        ),
        values="uniform uniform table index",
    ),
    case(
        "chunked_scaled_dot_product_attention",
        "3x4x5x16xf32, 7x2x8x16xf32, 7x2x8x16xf32, 3x2xi32, 1xi32, 3x4x5x16xf32 -> 3x4x5x16xf32",
        own=lambda b, q, k, v, table, at, _: b.chunked_scaled_dot_product_attention(
            q, k, v, table, at
        ),
        values="uniform uniform uniform table index",
    ),
    case(
        "fill_cache",
        "3x2x8x4xf32, 1x2x5x4xf32 -> 3x2x8x4xf32",
        "batch_offset = 1 : i32",
        lambda b, cache, x: b.fill_cache(cache, x, 1),
        is_changed=True,
    ),
    case(
        "update_cache",
        "3x2x8x4xf32, 1x2x3x4xf32, 3xi32 -> 3x2x8x4xf32",
        "batch_offset = 0 : i32",
        lambda b, cache, x, at: b.update_cache(cache, x, at, 0),
        values="uniform uniform index",
        is_changed=True,
    ),
    case(
        "paged_fill_cache",
        "7x2x8x4xf32, 1x2x11x4xf32, 3x2xi32, 1xi32 -> 7x2x8x4xf32",
        own=lambda b, cache, x, table, user: b.paged_fill_cache(
            cache, x, table, batch_idx_tensor=user
        ),
        values="uniform uniform table index",
        is_changed=True,
    ),
    case(
        "paged_update_cache",
        "7x2x8x4xf32, 1x3x2x4xf32, 3xi32, 3x2xi32 -> 7x2x8x4xf32",
        "share_cache = false",
        values="uniform uniform index table",
        is_changed=True,
    ),
    # Without a table each user has a cache.
    case(
        "paged_update_cache",
        "3x2x8x4xf32, 1x3x2x4xf32, 3xi32 -> 3x2x8x4xf32",
        own=lambda b, cache, x, at: b.update_cache(cache, b.transpose(x, 1, 2), at, 0),
        values="uniform uniform index",
        is_changed=True,
    ),
    case(
        "sampling",
        "4x9xf32, 4x9xi32, 4xi32, 4xf32, 4xf32 -> 4xi32",
        "seed = 7 : ui32",
        lambda b, *x: b.sampling(*x, 7),
        values="uniform table count part positive",
    ),
    case(
        "rand",
        "-> 5x7xf32",
        "size = [5 : i32, 7 : i32], low = -1.0 : f32, high = 3.0 : f32, seed = 9 : ui32",
        lambda b: b.rand((5, 7), -1.0, 3.0, 9),
    ),
    case(
        "dropout",
        "3x37xf32 -> 3x37xf32",
        "prob = 0.5 : f32, scale = 2.0 : f32, seed = 3 : ui32, use_per_device_seed = false",
        lambda b, x: b.dropout(x, 0.5, 2.0, 3),
    ),
    case(
        "sparse_matmul",
        "2x3x4x5xf32, 1x6x5x7xf32, 2x3x1x6xf32 -> 2x3x1x6x4x7xf32",
        "nnz = 9 : i64",
        values="uniform uniform truth",
    ),
    case(
        "topk_router_gpt",
        "5x7xf32, 7x17xf32, 1x17xf32 -> 5x8xi32, 5x8xf32",
        "k = 4 : i32, num_experts = 17 : i32",
        lambda b, *x: b.topk_router_gpt(*x, 4),
        numpy=_route,
    ),
]
