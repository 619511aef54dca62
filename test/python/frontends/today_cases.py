"""Programs in TTIR of today, one for each op of one tensor operation.

Written from a description of that form: its names, operands, attributes and meanings.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from today_form import Array, Builder, Case, binary, case, reduction, unary, windows


def _gelu_backward(g: Array, x: Array) -> Array:
    erf = np.vectorize(math.erf)
    below = 0.5 * (1 + erf(x / math.sqrt(2)))
    return g * (below + x * np.exp(-x * x / 2) / math.sqrt(2 * math.pi))


def _gelu_tanh_backward(g: Array, x: Array) -> Array:
    h = 1e-6

    def f(v: Array) -> Array:
        return 0.5 * v * (1 + np.tanh(math.sqrt(2 / math.pi) * (v + 0.044715 * v**3)))

    return g * (f(x + h) - f(x - h)) / (2 * h)


def _adamw(p: Array, g: Array, m: Array, v: Array) -> tuple[Array, ...]:
    m = 0.9 * m + 0.1 * g
    v = 0.99 * v + 0.01 * g * g
    step = m / (1 - 0.81) / (np.sqrt(v / (1 - 0.98)) + 1e-3)
    return p * (1 - 0.1 * 0.05) - 0.1 * step, m, v


_ADAMW = (
    "lr = 0.1 : f32, beta1 = 0.9 : f32, beta2 = 0.99 : f32, beta1_pow = 0.81 : f32, "
    "beta2_pow = 0.98 : f32, epsilon = 1.0e-3 : f32, weight_decay = 0.05 : f32"
)
_NCHW = "batch_dim = 0 : i64, channel_dim = 1 : i64, height_dim = 2 : i64, width_dim = 3 : i64"


def _nchw(b: Builder, op: str, x: Any, *args: Any, **keywords: Any) -> Any:
    made = getattr(b, op)(b.permute(x, [0, 2, 3, 1]), *args, **keywords)
    return b.permute(made, [0, 3, 1, 2])


def _torch_gather(x: Array, index: Array) -> Array:
    return np.take_along_axis(x[: index.shape[0]], index.astype(np.int64), axis=1)


_UNARY = """
    abs cbrt ceil cos erf exp expm1 floor gelu isfinite logical_not neg relu sigmoid sign silu sin
    tan tanh
"""
_BINARY = """
    add div eq ge gt le lt maximum minimum multiply ne remainder subtract logical_and logical_or
    logical_xor
"""

CASES: list[Case] = [
    *map(unary, _UNARY.split()),
    *(unary(op, "positive") for op in ("log", "log1p", "reciprocal", "rsqrt", "sqrt")),
    case("bitwise_not", "3x37xi32 -> 3x37xi32"),
    *map(binary, _BINARY.split()),
    binary("pow", "power", values="positive"),
    *(binary(op, element="i32") for op in ("bitwise_and", "bitwise_or", "bitwise_xor")),
    case("where", "3x37xbf16, 3x37xf32, 37xf32 -> 3x37xf32", values="truth"),
    case(
        "clamp_scalar",
        "3x37xf32 -> 3x37xf32",
        "max = 2.5 : f32, min = -1.0 : f32",
        lambda b, x: b.clamp(x, -1.0, 2.5),
    ),
    case(
        "clamp_scalar",
        "3x37xi32 -> 3x37xi32",
        "max = 2147483647 : i32, min = -3 : i32",
        lambda b, x: b.minimum(
            b.maximum(x, b.constant(np.array([-3], np.int32))),
            b.constant(np.array([2147483647], np.int32)),
        ),
        numpy=lambda x: np.clip(x, -3, 2147483647),
        tolerance=0,
    ),
    # A limit that f32 rounds.
    case(
        "clamp_scalar",
        "3x37xi32 -> 3x37xi32",
        "max = 2147483647 : i32, min = 16777217 : i32",
        lambda b, x: b.minimum(
            b.maximum(x, b.constant(np.array([16777217], np.int32))),
            b.constant(np.array([2147483647], np.int32)),
        ),
        numpy=lambda x: np.clip(x, 16777217, 2147483647),
        tolerance=0,
    ),
    case(
        "clamp_tensor",
        "3x37xf32, 3x37xf32, 37xf32 -> 3x37xf32",
        numpy=lambda x, low, high: np.minimum(np.maximum(x, low), high),
    ),
    case(
        "leaky_relu",
        "3x37xf32 -> 3x37xf32",
        "parameter = 0.25 : f32",
        lambda b, x: b.leaky_relu(x, 0.25),
    ),
    case(
        "typecast",
        "3x37xf32 -> 3x37xbf16",
        "conservative_folding = false",
        lambda b, x: b.typecast(x, "bf16"),
    ),
    case("gelu_bw", "3x37xf32, 3x37xf32 -> 3x37xf32", 'approximate = "none"', numpy=_gelu_backward),
    case(
        "gelu_bw",
        "3x37xf32, 3x37xf32 -> 3x37xf32",
        'approximate = "tanh"',
        lambda b, g, x: b.gelu_bw(g, x, approximate="tanh"),
        numpy=_gelu_tanh_backward,
    ),
    case(
        "adamw",
        "3x37xf32, 3x37xf32, 3x37xf32, 3x37xf32 -> 3x37xf32, 3x37xf32, 3x37xf32",
        _ADAMW,
        lambda b, *x: b.adamw(*x, 0.1, 0.9, 0.99, 0.81, 0.98, 1e-3, 0.05),
        numpy=_adamw,
        values="uniform uniform uniform positive",
    ),
    *(case for op in ("sum", "mean", "max", "min") for case in reduction(op)),
    *reduction("prod", "positive"),
    case(
        "reduce_or",
        "3x4x37xf32 -> 3x37xf32",
        "dim_arg = [1 : i32], keep_dim = false",
        lambda b, x: b.reduce_or(x, 1),
        numpy=lambda x: np.any(x != 0, 1),
        values="truth",
    ),
    case(
        "reduce_and",
        "3x4x37xf32 -> 3x1x37xf32",
        "dim_arg = [1 : i32], keep_dim = true",
        lambda b, x: b.reduce_and(x, 1, keep_dim=True),
        numpy=lambda x: np.all(x != 0, 1, keepdims=True),
        values="truth",
    ),
    case(
        "argmax",
        "3x37xf32 -> 3xi32",
        "dim_arg = [1 : i32], keep_dim = false",
        lambda b, x: b.typecast(b.argmax(x, 1), "si32"),
    ),
    case("cumsum", "3x37xf32 -> 3x37xf32", "dim = 1 : i64", lambda b, x: b.cumsum(x, 1)),
    case(
        "softmax",
        "3x37xf32 -> 3x37xf32",
        "dimension = -1 : si32, numericStable = true",
        lambda b, x: b.softmax(x, -1),
    ),
    case(
        "layer_norm",
        "3x37xf32, 37xf32 -> 3x37xf32",
        "epsilon = 1.0e-3 : f32, normalized_shape = array<i64: 37>, "
        "operandSegmentSizes = array<i32: 1, 1, 0>",
        lambda b, x, w: b.layer_norm(x, w, epsilon=1e-3),
    ),
    case(
        "rms_norm",
        "3x37xf32, 37xf32, 37xf32 -> 3x37xf32",
        "normalized_shape = array<i64: 37>, operandSegmentSizes = array<i32: 1, 1, 1>",
    ),
    case("matmul", "5x7xf32, 7x9xf32 -> 5x9xf32"),
    case(
        "matmul",
        "2x5x7xf32, 9x7xf32 -> 2x5x9xf32",
        "transpose_b = true",
        lambda b, x, y: b.matmul(x, b.reshape(y, [1, 9, 7]), transpose_b=True),
    ),
    case(
        "matmul",
        "7xf32, 7x9xf32 -> 9xf32",
        own=lambda b, x, y: b.reshape(b.matmul(b.reshape(x, [1, 7]), y), [9]),
    ),
    case(
        "linear",
        "5x7xf32, 9x7xf32, 9xf32 -> 5x9xf32",
        "transpose_b = true",
        lambda b, x, y, c: b.linear(x, y, c, transpose_b=True),
    ),
    case(
        "broadcast",
        "3x1x37xf32 -> 3x4x37xf32",
        "broadcast_dimensions = array<i64: 1, 4, 1>",
        lambda b, x: b.broadcast(x, [3, 4, 37]),
    ),
    case(
        "repeat",
        "3x4xf32 -> 3x8xf32",
        "repeat_dimensions = array<i64: 1, 2>",
        lambda b, x: b.repeat(x, [1, 2]),
    ),
    case(
        "repeat_interleave",
        "3x4xf32 -> 9x4xf32",
        "dim = 0 : si32, repeats = 3 : ui32",
        lambda b, x: b.repeat_interleave(x, 3, 0),
        numpy=lambda x: np.repeat(x, 3, 0),
        tolerance=0,
    ),
    case(
        "reshape",
        "3x4xf32 -> 2x6xf32",
        "shape = [2 : i32, 6 : i32]",
        lambda b, x: b.reshape(x, [2, 6]),
    ),
    case("squeeze", "3x1x4xf32 -> 3x4xf32", "dim = -2 : si32", lambda b, x: b.squeeze(x, 1)),
    case("unsqueeze", "3x4xf32 -> 3x1x4xf32", "dim = 1 : si32", lambda b, x: b.unsqueeze(x, 1)),
    case(
        "permute",
        "2x3x4xf32 -> 4x2x3xf32",
        "permutation = array<i64: 2, 0, 1>",
        lambda b, x: b.permute(x, [2, 0, 1]),
    ),
    case(
        "transpose",
        "2x3x4xf32 -> 2x4x3xf32",
        "dim0 = -1 : si32, dim1 = 1 : si32",
        lambda b, x: b.transpose(x, 1, 2),
    ),
    case(
        "concat",
        "2x3xf32, 2x4xf32, 2x1xf32 -> 2x8xf32",
        "dim = 1 : si32",
        lambda b, *x: b.concat(x, 1),
    ),
    case(
        "slice_static",
        "5x9xf32 -> 3x4xf32",
        "begins = [1 : i32, 0 : i32], ends = [4 : i32, 8 : i32], step = [1 : i32, 2 : i32]",
        lambda b, x: b.slice(x, [1, 0], [4, 8], [1, 2]),
    ),
    case(
        "index",
        "5x9xf32 -> 5x3xf32",
        "dim = 1 : i32, begin = 2 : i32, end = 8 : i32, step = 2 : i32",
        lambda b, x: b.slice(x, [0, 2], [5, 8], [1, 2]),
    ),
    case(
        "index_select",
        "5x9xf32 -> 5x2xf32",
        "dim = -1 : si32, begin = 2 : si32, length = 2 : si32, stride = 2 : si32",
        lambda b, x: b.slice(x, [0, 2], [5, 5], [1, 2]),
    ),
    case(
        "pad",
        "2x3xf32 -> 3x6xf32",
        "padding = array<i32: 0, 1, 2, 1>, value = 1.5 : f32",
        lambda b, x: b.pad(x, [(0, 1), (2, 1)], 1.5),
    ),
    case(
        "gather",
        "5x4xf32, 3x6xi32 -> 3x6xf32",
        "dim = 1 : i32",
        lambda b, x, i: b.gather_dim(x, i, 1),
        numpy=_torch_gather,
        tolerance=0,
        values="uniform index",
    ),
    case("embedding", "2x4xi32, 5x8xf32 -> 2x4x8xf32", values="index"),
    case(
        "embedding",
        "4xi32, 1x1x5x8xf32 -> 4x8xf32",
        own=lambda b, x, w: b.embedding(x, b.reshape(w, [5, 8])),
        values="index",
    ),
    case("embedding_backward", "2x4xi32, 5x8xf32, 2x4x8xf32 -> 5x8xf32", values="index"),
    case(
        "get_dimension_size",
        "5x9xf32 -> 1xi32",
        "dimension = 1 : i32",
        lambda b, x: b.get_dimension_size(x, 1),
        numpy=lambda x: np.array([9]),
        tolerance=0,
    ),
    case(
        "conv2d",
        "1x8x9x4xf32, 6x4x3x3xf32, 1x1x1x6xf32 -> 1x8x9x6xf32",
        "stride = 1 : i32, padding = 1 : i32, dilation = 1 : i32, groups = 1 : i32",
        lambda b, x, w, c: b.conv2d(x, w, c, padding=(1, 1)),
    ),
    case(
        "conv2d",
        "1x4x8x9xf32, 6x2x3x2xf32, 1x6x1x1xf32 -> 1x6x5x11xf32",
        "stride = array<i32: 2, 1>, padding = array<i32: 1, 0, 2, 3>, "
        f"dilation = array<i32: 1, 1>, groups = 2 : i32, {_NCHW}",
        lambda b, x, w, c: _nchw(
            b,
            "conv2d",
            x,
            w,
            b.reshape(c, [1, 1, 1, 6]),
            stride=(2, 1),
            padding=(1, 0, 2, 3),
            groups=2,
        ),
    ),
    case(
        "conv2d",
        "1x1x32x4xf32, 6x4x3x3xf32 -> 1x1x8x6xf32",
        "stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32, "
        "flattened_compat_info = #ttir<flattened_compat batch_size = 2, input_height = 4, "
        "input_width = 4>",
        lambda b, x, w: b.reshape(b.conv2d(b.reshape(x, [2, 4, 4, 4]), w), [1, 1, 8, 6]),
    ),
    case(
        "conv1d",
        "2x10x4xf32, 6x4x3xf32 -> 2x5x6xf32",
        "stride = 2 : i32, padding = 1 : i32, dilation = 1 : i32, groups = 1 : i32",
        lambda b, x, w: b.conv1d(x, w, (2,), (1,), (1,)),
        numpy=lambda x, w: np.einsum(
            "nlck,ock->nlo",
            windows(np.pad(x, ((0, 0), (1, 1), (0, 0))), 3, axis=1)[:, ::2],
            w,
        ),
    ),
    case(
        "conv_transpose2d",
        "1x5x6x4xf32, 4x3x2x2xf32 -> 1x10x12x3xf32",
        "stride = array<i32: 2, 2>, padding = 0 : i32, output_padding = 0 : i32, "
        "dilation = 1 : i32, groups = 1 : i32",
        lambda b, x, w: b.conv_transpose2d(x, w, stride=(2, 2)),
    ),
    case(
        "max_pool2d",
        "1x8x9x4xf32 -> 1x4x4x4xf32",
        "kernel = array<i32: 2, 3>, stride = 2 : i32, dilation = 1 : i32, padding = 0 : i32, "
        "ceil_mode = false",
        lambda b, x: b.max_pool2d(x, (2, 3), stride=(2, 2)),
    ),
    case(
        "max_pool2d",
        "1x1x32x4xf32 -> 1x1x8x4xf32",
        "kernel = 2 : i32, stride = 2 : i32, dilation = 1 : i32, padding = 0 : i32, "
        "ceil_mode = false, flattened_compat_info = #ttir<flattened_compat batch_size = 2, "
        "input_height = 4, input_width = 4>",
        lambda b, x: b.reshape(b.max_pool2d(b.reshape(x, [2, 4, 4, 4]), (2, 2)), [1, 1, 8, 4]),
    ),
    case(
        "avg_pool2d",
        "1x8x9x4xf32 -> 1x4x5x4xf32",
        "kernel = 2 : i32, stride = 2 : i32, dilation = 1 : i32, padding = array<i32: 0, 0, 0, 1>, "
        "ceil_mode = false, count_include_pad = false",
        lambda b, x: b.avg_pool2d(x, (2, 2), padding=(0, 0, 0, 1), count_include_pad=False),
    ),
    case(
        "global_avg_pool2d",
        "2x4x5x8xf32 -> 2x1x1x8xf32",
        numpy=lambda x: x.mean((1, 2), keepdims=True),
    ),
    case(
        "upsample2d",
        "1x4x5x4xf32 -> 1x8x10x4xf32",
        'scale_factor = 2 : i32, mode = "bilinear"',
        lambda b, x: b.upsample(x, 2, "bilinear"),
    ),
]
