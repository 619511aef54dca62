"""Programs in TTIR of today, one for each op, and the same programs of the builder or of NumPy.

Written from a description of that form: its names, operands, attributes and meanings.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np

import ttmlir

#: Of NumPy; what its functions return has no type.
Array = Any
_windows: Any = np.lib.stride_tricks.sliding_window_view
Builder = ttmlir.Builder

#: Element type of a text, the dtype of its arrays, and its name in the builder.
ELEMENTS: dict[str, tuple[Any, str]] = {
    "f32": (np.float32, "f32"),
    "bf16": (ml_dtypes.bfloat16, "bf16"),
    "f16": (np.float16, "f16"),
    "i32": (np.int32, "si32"),
    "ui32": (np.uint32, "u32"),
    "ui16": (np.uint16, "u16"),
    "ui8": (np.uint8, "u8"),
}


def split(text: str) -> tuple[tuple[int, ...], str]:
    """Shape and element type of a text such as `2x3xf32`."""
    *extents, element = text.split("x")
    return tuple(map(int, extents)), element


@dataclass(frozen=True)
class Case:
    """An op on tensors of ``inputs`` with ``results``, both as `2x3xf32`.

    ``own`` builds the same program; or ``numpy`` computes it, in float64, and ``tolerance`` is
    relative to the greatest number of the result.
    """

    op: str
    inputs: Sequence[str]
    results: Sequence[str]
    attributes: str = ""
    own: Callable[..., Any] | None = None
    numpy: Callable[..., Any] | None = None
    tolerance: float = 1e-5
    #: Of each input: `uniform` in [-4, 4), `positive` in [0.1, 4), `unit` in (-0.9, 0.9), `index`
    #: below 3, `truth`, or `small` whole numbers.
    values: Sequence[str] = ()

    def text(self) -> str:
        """The program: arguments and results as in the case."""
        names = [f"%arg{i}" for i in range(len(self.inputs))]
        arguments = ", ".join(
            f"{name}: tensor<{t}>" for name, t in zip(names, self.inputs, strict=True)
        )
        types = [f"tensor<{t}>" for t in self.results]
        count = f":{len(types)}" if len(types) > 1 else ""
        returned = [f"%0#{i}" if count else "%0" for i in range(len(types))]
        attributes = f" <{{{self.attributes}}}>" if self.attributes else ""
        signature = f"({', '.join(f'tensor<{t}>' for t in self.inputs)}) -> "
        signature += f"({', '.join(types)})" if count else types[0]
        return (
            f"func.func @main({arguments}) -> ({', '.join(types)}) {{\n"
            f'  %0{count} = "ttir.{self.op}"({", ".join(names)}){attributes} : {signature}\n'
            f"  return {', '.join(returned)} : {', '.join(types)}\n}}\n"
        )

    def arrays(self, seed: int = 0) -> list[Array]:
        rng = np.random.default_rng([seed, *self.op.encode()])
        kinds = [*self.values, *["uniform"] * len(self.inputs)]
        return [draw(rng, t, kind) for t, kind in zip(self.inputs, kinds, strict=False)]

    def build(self) -> Builder:
        assert self.own is not None
        b = ttmlir.Builder("main")
        tensors = []
        for i, text in enumerate(self.inputs):
            shape, element = split(text)
            tensors.append(b.input(f"arg{i}", shape, ELEMENTS[element][1]))
        made = self.own(b, *tensors)
        b.output(*(made if isinstance(made, tuple) else (made,)))
        return b


def draw(rng: np.random.Generator, text: str, kind: str) -> Array:
    shape, element = split(text)
    dtype = ELEMENTS[element][0]
    if kind == "index":
        return rng.integers(0, 3, shape).astype(dtype)
    if kind == "truth":
        return rng.integers(0, 2, shape).astype(dtype)
    if kind == "small" or np.issubdtype(np.dtype(dtype), np.integer):
        low = 0 if np.issubdtype(np.dtype(dtype), np.unsignedinteger) else -9
        return rng.integers(low, 10, shape).astype(dtype)
    ranges = {"uniform": (-4, 4), "positive": (0.1, 4), "unit": (-0.9, 0.9)}
    return rng.uniform(*ranges[kind], shape).astype(dtype)


def unary(op: str, name: str = "", values: str = "uniform") -> Case:
    return Case(
        op,
        ["3x37xf32"],
        ["3x37xf32"],
        own=lambda b, x: getattr(b, name or op)(x),
        values=[values],
    )


def binary(op: str, name: str = "", element: str = "f32", values: str = "uniform") -> Case:
    """Operands broadcast on both sides."""
    return Case(
        op,
        [f"3x1x{element}", f"2x1x37x{element}"],
        [f"2x3x37x{element}"],
        own=lambda b, x, y: getattr(b, name or op)(x, y),
        values=[values, values],
    )


def reduction(op: str, values: str = "uniform") -> list[Case]:
    return [
        Case(
            op,
            ["3x4x37xf32"],
            ["3x1x37xf32"],
            "dim_arg = [-2 : i32], keep_dim = true",
            own=lambda b, x: getattr(b, op)(x, dim=[1], keep_dim=True),
            values=[values],
        ),
        Case(
            op,
            ["3x4x37xf32"],
            ["4xf32"],
            "dim_arg = [0 : i32, 2 : i32], keep_dim = false",
            own=lambda b, x: getattr(b, op)(x, dim=[0, 2], keep_dim=False),
            values=[values],
        ),
        Case(
            op,
            ["3x4xf32"],
            ["1x1xf32"],
            "keep_dim = true",
            own=lambda b, x: getattr(b, op)(x, dim=[0, 1], keep_dim=True),
            values=[values],
        ),
    ]


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


CASES: list[Case] = [
    *(
        unary(op)
        for op in [
            "abs",
            "cbrt",
            "ceil",
            "cos",
            "erf",
            "exp",
            "expm1",
            "floor",
            "gelu",
            "isfinite",
            "logical_not",
            "neg",
            "relu",
            "sigmoid",
            "sign",
            "silu",
            "sin",
            "tan",
            "tanh",
        ]
    ),
    *(unary(op, values="positive") for op in ("log", "log1p", "reciprocal", "rsqrt", "sqrt")),
    Case("bitwise_not", ["3x37xi32"], ["3x37xi32"], own=lambda b, x: b.bitwise_not(x)),
    *(
        binary(op)
        for op in [
            "add",
            "div",
            "eq",
            "ge",
            "gt",
            "le",
            "lt",
            "maximum",
            "minimum",
            "multiply",
            "ne",
            "remainder",
            "subtract",
            "logical_and",
            "logical_or",
            "logical_xor",
        ]
    ),
    binary("pow", "power", values="positive"),
    *(binary(op, element="i32") for op in ("bitwise_and", "bitwise_or", "bitwise_xor")),
    Case(
        "where",
        ["3x37xbf16", "3x37xf32", "37xf32"],
        ["3x37xf32"],
        own=lambda b, c, x, y: b.where(c, x, y),
        values=["truth"],
    ),
    Case(
        "clamp_scalar",
        ["3x37xf32"],
        ["3x37xf32"],
        "max = 2.5 : f32, min = -1.0 : f32",
        own=lambda b, x: b.clamp(x, -1.0, 2.5),
    ),
    Case(
        "clamp_scalar",
        ["3x37xi32"],
        ["3x37xi32"],
        "max = 2147483647 : i32, min = -3 : i32",
        numpy=lambda x: np.clip(x, -3, 2147483647),
        tolerance=0,
    ),
    Case(
        "clamp_tensor",
        ["3x37xf32", "3x37xf32", "37xf32"],
        ["3x37xf32"],
        own=lambda b, x, low, high: b.minimum(b.maximum(x, low), high),
    ),
    Case(
        "leaky_relu",
        ["3x37xf32"],
        ["3x37xf32"],
        "parameter = 0.25 : f32",
        own=lambda b, x: b.leaky_relu(x, 0.25),
    ),
    Case(
        "typecast",
        ["3x37xf32"],
        ["3x37xbf16"],
        "conservative_folding = false",
        own=lambda b, x: b.typecast(x, "bf16"),
    ),
    Case(
        "gelu_bw",
        ["3x37xf32", "3x37xf32"],
        ["3x37xf32"],
        'approximate = "none"',
        numpy=_gelu_backward,
    ),
    Case(
        "gelu_bw",
        ["3x37xf32", "3x37xf32"],
        ["3x37xf32"],
        'approximate = "tanh"',
        numpy=_gelu_tanh_backward,
    ),
    Case(
        "adamw",
        ["3x37xf32"] * 4,
        ["3x37xf32"] * 3,
        _ADAMW,
        numpy=_adamw,
        values=["uniform", "uniform", "uniform", "positive"],
    ),
    *(case for op in ("sum", "mean", "max", "min") for case in reduction(op)),
    *reduction("prod", "positive"),
    Case(
        "reduce_or",
        ["3x4x37xf32"],
        ["3x37xf32"],
        "dim_arg = [1 : i32], keep_dim = false",
        numpy=lambda x: np.any(x != 0, 1),
        values=["truth"],
    ),
    Case(
        "reduce_and",
        ["3x4x37xf32"],
        ["3x1x37xf32"],
        "dim_arg = [1 : i32], keep_dim = true",
        numpy=lambda x: np.all(x != 0, 1, keepdims=True),
        values=["truth"],
    ),
    Case(
        "argmax",
        ["3x37xf32"],
        ["3xi32"],
        "dim_arg = [1 : i32], keep_dim = false",
        own=lambda b, x: b.typecast(b.argmax(x, 1), "si32"),
    ),
    Case(
        "cumsum",
        ["3x37xf32"],
        ["3x37xf32"],
        "dim = 1 : i64",
        own=lambda b, x: b.cumsum(x, 1),
    ),
    Case(
        "softmax",
        ["3x37xf32"],
        ["3x37xf32"],
        "dimension = -1 : si32, numericStable = true",
        own=lambda b, x: b.softmax(x, -1),
    ),
    Case(
        "layer_norm",
        ["3x37xf32", "37xf32"],
        ["3x37xf32"],
        "epsilon = 1.0e-3 : f32, normalized_shape = array<i64: 37>, "
        "operandSegmentSizes = array<i32: 1, 1, 0>",
        own=lambda b, x, w: b.layer_norm(x, w, epsilon=1e-3),
    ),
    Case(
        "rms_norm",
        ["3x37xf32", "37xf32", "37xf32"],
        ["3x37xf32"],
        "normalized_shape = array<i64: 37>, operandSegmentSizes = array<i32: 1, 1, 1>",
        own=lambda b, x, w, c: b.rms_norm(x, w, c),
    ),
    Case("matmul", ["5x7xf32", "7x9xf32"], ["5x9xf32"], own=lambda b, x, y: b.matmul(x, y)),
    Case(
        "matmul",
        ["2x5x7xf32", "9x7xf32"],
        ["2x5x9xf32"],
        "transpose_b = true",
        own=lambda b, x, y: b.matmul(x, b.reshape(y, [1, 9, 7]), transpose_b=True),
    ),
    Case(
        "matmul",
        ["7xf32", "7x9xf32"],
        ["9xf32"],
        own=lambda b, x, y: b.reshape(b.matmul(b.reshape(x, [1, 7]), y), [9]),
    ),
    Case(
        "linear",
        ["5x7xf32", "9x7xf32", "9xf32"],
        ["5x9xf32"],
        "transpose_b = true",
        own=lambda b, x, y, c: b.linear(x, y, c, transpose_b=True),
    ),
    Case(
        "broadcast",
        ["3x1x37xf32"],
        ["3x4x37xf32"],
        "broadcast_dimensions = array<i64: 1, 4, 1>",
        own=lambda b, x: b.broadcast(x, [3, 4, 37]),
    ),
    Case(
        "repeat",
        ["3x4xf32"],
        ["3x8xf32"],
        "repeat_dimensions = array<i64: 1, 2>",
        own=lambda b, x: b.repeat(x, [1, 2]),
    ),
    Case(
        "repeat_interleave",
        ["3x4xf32"],
        ["9x4xf32"],
        "dim = 0 : si32, repeats = 3 : ui32",
        numpy=lambda x: np.repeat(x, 3, 0),
        tolerance=0,
    ),
    Case(
        "reshape",
        ["3x4xf32"],
        ["2x6xf32"],
        "shape = [2 : i32, 6 : i32]",
        own=lambda b, x: b.reshape(x, [2, 6]),
    ),
    Case(
        "squeeze",
        ["3x1x4xf32"],
        ["3x4xf32"],
        "dim = -2 : si32",
        own=lambda b, x: b.squeeze(x, 1),
    ),
    Case(
        "unsqueeze",
        ["3x4xf32"],
        ["3x1x4xf32"],
        "dim = 1 : si32",
        own=lambda b, x: b.unsqueeze(x, 1),
    ),
    Case(
        "permute",
        ["2x3x4xf32"],
        ["4x2x3xf32"],
        "permutation = array<i64: 2, 0, 1>",
        own=lambda b, x: b.permute(x, [2, 0, 1]),
    ),
    Case(
        "transpose",
        ["2x3x4xf32"],
        ["2x4x3xf32"],
        "dim0 = -1 : si32, dim1 = 1 : si32",
        own=lambda b, x: b.transpose(x, 1, 2),
    ),
    Case(
        "concat",
        ["2x3xf32", "2x4xf32", "2x1xf32"],
        ["2x8xf32"],
        "dim = 1 : si32",
        own=lambda b, *x: b.concat(x, 1),
    ),
    Case(
        "slice_static",
        ["5x9xf32"],
        ["3x4xf32"],
        "begins = [1 : i32, 0 : i32], ends = [4 : i32, 8 : i32], step = [1 : i32, 2 : i32]",
        own=lambda b, x: b.slice(x, [1, 0], [4, 8], [1, 2]),
    ),
    Case(
        "index",
        ["5x9xf32"],
        ["5x3xf32"],
        "dim = 1 : i32, begin = 2 : i32, end = 8 : i32, step = 2 : i32",
        own=lambda b, x: b.slice(x, [0, 2], [5, 8], [1, 2]),
    ),
    Case(
        "index_select",
        ["5x9xf32"],
        ["5x2xf32"],
        "dim = -1 : si32, begin = 2 : si32, length = 2 : si32, stride = 2 : si32",
        own=lambda b, x: b.slice(x, [0, 2], [5, 5], [1, 2]),
    ),
    Case(
        "pad",
        ["2x3xf32"],
        ["3x6xf32"],
        "padding = array<i32: 0, 1, 2, 1>, value = 1.5 : f32",
        own=lambda b, x: b.pad(x, [(0, 1), (2, 1)], 1.5),
    ),
    Case(
        "gather",
        ["5x4xf32", "3x6xi32"],
        ["3x6xf32"],
        "dim = 1 : i32",
        numpy=_torch_gather,
        tolerance=0,
        values=["uniform", "index"],
    ),
    Case(
        "embedding",
        ["2x4xi32", "5x8xf32"],
        ["2x4x8xf32"],
        own=lambda b, x, w: b.embedding(x, w),
        values=["index"],
    ),
    Case(
        "embedding",
        ["4xi32", "1x1x5x8xf32"],
        ["4x8xf32"],
        own=lambda b, x, w: b.embedding(x, b.reshape(w, [5, 8])),
        values=["index"],
    ),
    Case(
        "embedding_backward",
        ["2x4xi32", "5x8xf32", "2x4x8xf32"],
        ["5x8xf32"],
        own=lambda b, x, w, g: b.embedding_backward(x, w, g),
        values=["index"],
    ),
    Case(
        "get_dimension_size",
        ["5x9xf32"],
        ["1xi32"],
        "dimension = 1 : i32",
        numpy=lambda x: np.array([9]),
        tolerance=0,
    ),
    Case(
        "conv2d",
        ["1x8x9x4xf32", "6x4x3x3xf32", "1x1x1x6xf32"],
        ["1x8x9x6xf32"],
        "stride = 1 : i32, padding = 1 : i32, dilation = 1 : i32, groups = 1 : i32",
        own=lambda b, x, w, c: b.conv2d(x, w, c, padding=(1, 1)),
    ),
    Case(
        "conv2d",
        ["1x4x8x9xf32", "6x2x3x2xf32", "1x6x1x1xf32"],
        ["1x6x4x10xf32"],
        "stride = array<i32: 2, 1>, padding = array<i32: 1, 0, 0, 2>, "
        f"dilation = array<i32: 1, 1>, groups = 2 : i32, {_NCHW}",
        own=lambda b, x, w, c: _nchw(
            b,
            "conv2d",
            x,
            w,
            b.reshape(c, [1, 1, 1, 6]),
            stride=(2, 1),
            padding=(1, 0, 0, 2),
            groups=2,
        ),
    ),
    Case(
        "conv2d",
        ["1x1x32x4xf32", "6x4x3x3xf32"],
        ["1x1x8x6xf32"],
        "stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32, "
        "flattened_compat_info = #ttir<flattened_compat batch_size = 2, input_height = 4, "
        "input_width = 4>",
        own=lambda b, x, w: b.reshape(b.conv2d(b.reshape(x, [2, 4, 4, 4]), w), [1, 1, 8, 6]),
    ),
    Case(
        "conv1d",
        ["2x10x4xf32", "6x4x3xf32"],
        ["2x5x6xf32"],
        "stride = 2 : i32, padding = 1 : i32, dilation = 1 : i32, groups = 1 : i32",
        own=lambda b, x, w: b.reshape(
            b.conv2d(
                b.reshape(x, [2, 1, 10, 4]),
                b.reshape(w, [6, 4, 1, 3]),
                stride=(1, 2),
                padding=(0, 1),
            ),
            [2, 5, 6],
        ),
    ),
    Case(
        "conv_transpose2d",
        ["1x5x6x4xf32", "4x3x2x2xf32"],
        ["1x10x12x3xf32"],
        "stride = array<i32: 2, 2>, padding = 0 : i32, output_padding = 0 : i32, "
        "dilation = 1 : i32, groups = 1 : i32",
        own=lambda b, x, w: b.conv_transpose2d(x, w, stride=(2, 2)),
    ),
    Case(
        "max_pool2d",
        ["1x8x9x4xf32"],
        ["1x4x4x4xf32"],
        "kernel = array<i32: 2, 3>, stride = 2 : i32, dilation = 1 : i32, padding = 0 : i32, "
        "ceil_mode = false",
        own=lambda b, x: b.max_pool2d(x, (2, 3), stride=(2, 2)),
    ),
    Case(
        "max_pool2d",
        ["1x1x32x4xf32"],
        ["1x1x8x4xf32"],
        "kernel = 2 : i32, stride = 2 : i32, dilation = 1 : i32, padding = 0 : i32, "
        "ceil_mode = false, flattened_compat_info = #ttir<flattened_compat batch_size = 2, "
        "input_height = 4, input_width = 4>",
        own=lambda b, x: b.reshape(b.max_pool2d(b.reshape(x, [2, 4, 4, 4]), (2, 2)), [1, 1, 8, 4]),
    ),
    Case(
        "avg_pool2d",
        ["1x8x9x4xf32"],
        ["1x4x5x4xf32"],
        "kernel = 2 : i32, stride = 2 : i32, dilation = 1 : i32, padding = array<i32: 0, 0, 0, 1>, "
        "ceil_mode = false, count_include_pad = false",
        own=lambda b, x: b.avg_pool2d(x, (2, 2), padding=(0, 0, 0, 1), count_include_pad=False),
    ),
    Case(
        "global_avg_pool2d",
        ["2x4x5x8xf32"],
        ["2x1x1x8xf32"],
        own=lambda b, x: b.mean(x, dim=[1, 2], keep_dim=True),
    ),
    Case(
        "upsample2d",
        ["1x4x5x4xf32"],
        ["1x8x10x4xf32"],
        'scale_factor = 2 : i32, mode = "bilinear"',
        own=lambda b, x: b.upsample(x, 2, "bilinear"),
    ),
]


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


def _batch_norm_training(x: Array, scale: Array, offset: Array, *_: Array) -> tuple[Array, ...]:
    mean, variance = x.mean((0, 1, 2)), x.var((0, 1, 2))
    return _batch_norm(x, scale, offset, mean, variance), mean, variance


def _group_norm(x: Array, weight: Array, bias: Array) -> Array:
    groups = x.reshape(2, 12, 2, 2)
    mean = groups.mean((1, 3), keepdims=True)
    variance = groups.var((1, 3), keepdims=True)
    return ((groups - mean) / np.sqrt(variance + 1e-5)).reshape(x.shape) * weight + bias


def _shifted(kind: str) -> Callable[..., Array]:
    def compute(x: Array, y: Array) -> Array:
        a, b = x.astype(np.int64), y.astype(np.int64)
        if kind == "logical_right_shift":
            return (a & 0xFFFFFFFF) >> b
        return a << b if kind == "logical_left_shift" else a >> b

    return compute


def function(op: str, compute: Callable[..., Any], values: str = "uniform", **more: Any) -> Case:
    return Case(op, ["3x37xf32"], ["3x37xf32"], numpy=compute, values=[values], **more)


def _mish(x: Array) -> Array:
    return x * np.tanh(np.log1p(np.exp(x)))


def _selu(x: Array) -> Array:
    return 1.0507009873390197 * np.where(x > 0, x, 1.6732635498046875 * np.expm1(x))


#: The same for ops that may come with other parts of this version.
LATER: list[Case] = [
    function("acos", np.arccos, "unit"),
    function("asin", np.arcsin, "unit"),
    function("asinh", np.arcsinh),
    function("atan", np.arctan),
    function("erfc", np.vectorize(math.erfc)),
    function("exp2", np.exp2),
    function("frac", lambda x: x - np.trunc(x)),
    function("hardsigmoid", lambda x: np.clip(x / 6 + 0.5, 0, 1)),
    function("mish", _mish),
    function("relu6", lambda x: np.clip(x, 0, 6)),
    function("selu", _selu, attributes="scale = 1.05070102 : f32, alpha = 1.67326355 : f32"),
    function("signbit", np.signbit),
    function("softsign", lambda x: x / (1 + np.abs(x))),
    function("square", np.square),
    function("trunc", np.trunc),
    Case("atan2", ["3x37xf32", "3x37xf32"], ["3x37xf32"], numpy=np.arctan2),
    *(
        Case(
            op,
            ["3x37xi32", "3x37xi32"],
            ["3x37xi32"],
            numpy=_shifted(op),
            tolerance=0,
            values=["index", "index"],
        )
        for op in ("logical_left_shift", "logical_right_shift", "right_shift")
    ),
    Case(
        "cumprod",
        ["3x7xf32"],
        ["3x7xf32"],
        "dim = 1 : i64",
        numpy=lambda x: np.cumprod(x, 1),
        values=["positive"],
    ),
    Case(
        "sort",
        ["3x37xf32"],
        ["3x37xf32", "3x37xi32"],
        "dim = -1 : si32, descending = true, stable = true",
        numpy=lambda x: (-np.sort(-x, -1), np.argsort(-x, -1, kind="stable")),
        tolerance=1e-7,
    ),
    Case(
        "topk",
        ["3x37xf32"],
        ["3x5xf32", "3x5xi32"],
        "k = 5 : i32, dim = -1 : i32, largest = true, sorted = true",
        numpy=lambda x: (-np.sort(-x, -1)[:, :5], np.argsort(-x, -1, kind="stable")[:, :5]),
        tolerance=1e-7,
    ),
    Case(
        "scatter",
        ["3x7xf32", "3x4xi32", "3x4xf32"],
        ["3x7xf32"],
        "dim = 1 : i32, scatter_reduce_type = #ttcore.reduce_type<sum>",
        numpy=_scatter_sum,
        values=["uniform", "index"],
    ),
    Case(
        "reverse",
        ["3x7xf32"],
        ["3x7xf32"],
        "dimensions = array<i64: 1>",
        numpy=lambda x: x[:, ::-1],
        tolerance=1e-7,
    ),
    Case(
        "slice_dynamic",
        ["9x7xf32", "2xi32", "2xi32"],
        ["2x3xf32"],
        "step = [1 : i32, 2 : i32]",
        numpy=lambda x, b, e: x[int(b[0]) : int(b[0]) + 2, int(b[1]) : int(b[1]) + 5 : 2],
        tolerance=1e-7,
        values=["uniform", "index", "index"],
    ),
    Case(
        "bitcast_convert",
        ["3x7xf32"],
        ["3x7xi32"],
        numpy=lambda x: x.astype(np.float32).view(np.int32),
        tolerance=0,
    ),
    Case(
        "dropout",
        ["3x7xf32"],
        ["3x7xf32"],
        "prob = 0.0 : f32, scale = 2.0 : f32, seed = 1 : ui32",
        numpy=lambda x: 2 * x,
    ),
    Case(
        "batch_norm_inference",
        ["2x3x4x5xf32", *["5xf32"] * 4],
        ["2x3x4x5xf32"],
        "dimension = 3 : i32, epsilon = 1.0e-3 : f32",
        numpy=_batch_norm,
        values=["uniform"] * 4 + ["positive"],
    ),
    Case(
        "batch_norm_training",
        ["2x3x4x5xf32", *["5xf32"] * 4],
        ["2x3x4x5xf32", "5xf32", "5xf32"],
        "dimension = 3 : i32, epsilon = 1.0e-3 : f32, momentum = 0.1 : f32",
        numpy=_batch_norm_training,
    ),
    Case(
        "group_norm",
        ["2x3x4x4xf32", "4xf32", "4xf32"],
        ["2x3x4x4xf32"],
        "num_groups = 2 : i64, epsilon = 1.0e-5 : f32, channel_dim = 3 : i64, "
        "operandSegmentSizes = array<i32: 1, 0, 1, 1>",
        numpy=_group_norm,
    ),
    Case(
        "dot_general",
        ["2x3x5xf32", "2x5x4xf32"],
        ["2x3x4xf32"],
        "batch_dims_lhs = array<i64: 0>, contract_dims_lhs = array<i64: 2>, "
        "batch_dims_rhs = array<i64: 0>, contract_dims_rhs = array<i64: 1>",
        numpy=lambda x, y: x @ y,
    ),
    Case(
        "rearrange",
        ["2x3x4x5xf32"],
        ["2x20x3xf32"],
        'pattern = "b c h w -> b (h w) c"',
        numpy=lambda x: x.transpose(0, 2, 3, 1).reshape(2, 20, 3),
        tolerance=1e-7,
    ),
    Case(
        "concatenate_heads",
        ["2x3x4x8xf32"],
        ["2x4x24xf32"],
        numpy=lambda x: x.transpose(0, 2, 1, 3).reshape(2, 4, 24),
        tolerance=1e-7,
    ),
    Case(
        "split_query_key_value_and_split_heads",
        ["2x4x48xf32"],
        ["2x2x4x8xf32"] * 3,
        "num_heads = 2 : ui32, transpose_key = false, operandSegmentSizes = array<i32: 1, 0>",
        numpy=lambda x: tuple(
            x[..., i * 16 : i * 16 + 16].reshape(2, 4, 2, 8).transpose(0, 2, 1, 3) for i in range(3)
        ),
        tolerance=1e-7,
    ),
    Case(
        "scaled_dot_product_attention",
        ["1x4x8x16xf32", "1x2x8x16xf32", "1x2x8x16xf32"],
        ["1x4x8x16xf32"],
        "is_causal = true, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>",
        numpy=_attention,
        tolerance=1e-4,
    ),
    Case(
        "scaled_dot_product_attention",
        ["1x4x8x16xf32", "1x2x8x16xf32", "1x2x8x16xf32", "1x1x8x8xf32"],
        ["1x4x8x16xf32"],
        "is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>",
        numpy=_attention,
        tolerance=1e-4,
    ),
    Case(
        "conv3d",
        ["1x4x5x6x2xf32", "3x2x2x2x2xf32"],
        ["1x3x4x5x3xf32"],
        "stride = 1 : i32, padding = 0 : i32, groups = 1 : i32",
        numpy=lambda x, w: np.einsum(
            "ndhwcijk,ocijk->ndhwo",
            _windows(x, (2, 2, 2), axis=(1, 2, 3)),
            w,
        ),
    ),
    Case(
        "max_pool2d_with_indices",
        ["1x4x4x3xf32"],
        ["1x2x2x3xf32", "1x2x2x3xi32"],
        "kernel = 2 : i32, stride = 2 : i32, dilation = 1 : i32, padding = 0 : i32, "
        "ceil_mode = false",
        numpy=lambda x: _pooled(x),
    ),
]


def _pooled(x: Array) -> tuple[Array, Array]:
    windows = _windows(x, (2, 2), axis=(1, 2))[:, ::2, ::2]
    flat = windows.reshape(*windows.shape[:4], 4)
    best = flat.argmax(-1)
    rows = 2 * np.arange(2)[:, None, None] + best // 2
    columns = 2 * np.arange(2)[None, :, None] + best % 2
    return flat.max(-1), rows * 4 + columns
