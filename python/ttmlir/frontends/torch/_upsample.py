"""Resizing of images, and its gradients."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np
import torch

from ttmlir.builder import Tensor
from ttmlir.frontends.data_movement import reshaped, taken
from ttmlir.frontends.torch._bytes import resized
from ttmlir.frontends.torch._op import Op, Operand, Result, handles, shape_of
from ttmlir.frontends.torch._types import FLOATS, Array

#: A matrix (new extent, old extent) to multiply a dimension by.
Map: TypeAlias = Array
_Kind: TypeAlias = "Callable[[int, int, bool, float | None], Map]"


def applied(op: Op, x: Tensor, maps: Sequence[Map]) -> Tensor:
    """Multiplies each of the last dimensions by a matrix."""
    b, dtype = op.b, x.dtype
    wide = op.cast(x, "f32") if dtype in ("bf16", "f16") else x
    shape = list(x.shape)
    first = x.rank - len(maps)
    for d, matrix in enumerate(maps, first):
        if matrix.shape[0] == matrix.shape[1] and (matrix == np.eye(len(matrix))).all():
            continue
        weight = op.tensor(torch.from_numpy(np.ascontiguousarray(matrix)), wide.dtype)
        before, behind = math.prod(shape[:d]), math.prod(shape[d + 1 :])
        if behind == 1:
            rows = reshaped(op, wide, (before, shape[d]))
            wide = b.matmul(rows, weight, transpose_b=True)
        else:
            weight = reshaped(op, weight, (1, *matrix.shape))
            wide = b.matmul(weight, reshaped(op, wide, (before, shape[d], behind)))
        shape[d] = matrix.shape[0]
    return op.cast(reshaped(op, wide, shape), dtype)


def _source_positions(extent: int, out: int, align: bool, scale: float | None) -> Array:
    """Returns the positions of the result's elements, in elements of the source."""
    where = np.arange(out, dtype=np.float64)
    if align:
        return where * ((extent - 1) / (out - 1) if out > 1 else 0.0)
    step = extent / out if not scale else 1 / scale
    return (where + 0.5) * step - 0.5


def _linear(extent: int, out: int, align: bool, scale: float | None) -> Map:
    places = np.maximum(_source_positions(extent, out, align, scale), 0)
    low = np.minimum(places.astype(np.int64), extent - 1)
    high = np.minimum(low + 1, extent - 1)
    part = np.clip(places - low, 0, 1)
    matrix = np.zeros((out, extent))
    np.add.at(matrix, (np.arange(out), low), 1 - part)
    np.add.at(matrix, (np.arange(out), high), part)
    return matrix


def _cubic(extent: int, out: int, align: bool, scale: float | None) -> Map:
    places = _source_positions(extent, out, align, scale)
    low = np.floor(places).astype(np.int64)
    part, a = places - low, -0.75

    def inner_weight(x: Array) -> Array:
        found: Array = ((a + 2) * x - (a + 3)) * x * x + 1
        return found

    def outer_weight(x: Array) -> Array:
        found: Array = ((a * x - 5 * a) * x + 8 * a) * x - 4 * a
        return found

    weights = [
        outer_weight(part + 1),
        inner_weight(part),
        inner_weight(1 - part),
        outer_weight(2 - part),
    ]
    matrix = np.zeros((out, extent))
    for i, weight in enumerate(weights):
        np.add.at(matrix, (np.arange(out), np.clip(low - 1 + i, 0, extent - 1)), weight)
    return matrix


def _nearest(extent: int, out: int, exact: bool, scale: float | None) -> Map:
    # In f32, like in PyTorch.
    step = np.float32(1 / scale) if scale else np.float32(extent / out)
    where = np.arange(out, dtype=np.float32) + np.float32(0.5 if exact else 0)
    low = np.minimum(np.floor(where * step).astype(np.int64), extent - 1)
    matrix = np.zeros((out, extent))
    matrix[np.arange(out), low] = 1
    return matrix


def _triangle(x: Array) -> Array:
    found: Array = np.maximum(1 - np.abs(x), 0)
    return found


def _spline(x: Array) -> Array:
    x, a = np.abs(x), -0.5
    inner_weight = ((a + 2) * x - (a + 3)) * x * x + 1
    outer_weight = (((x - 5) * x + 8) * x - 4) * a
    found: Array = np.where(x < 1, inner_weight, np.where(x < 2, outer_weight, 0.0))
    return found


def _lanczos(x: Array) -> Array:
    found: Array = np.where(np.abs(x) < 3, np.sinc(x) * np.sinc(x / 3), 0.0)
    return found


def _smoothed(reach: int, weight: Callable[[Array], Array]) -> _Kind:
    """Returns an antialiased mode: weighted means of the elements that a result element covers, by
    weights of distances below ``reach``."""

    def kind(extent: int, out: int, align: bool, scale: float | None) -> Map:
        step = extent / out if not scale else 1 / scale
        if align:
            step = (extent - 1) / (out - 1) if out > 1 else 0.0
        stretch = max(step, 1.0)
        matrix = np.zeros((out, extent))
        for i in range(out):
            center = step * (i + 0.5)
            low = max(int(center - reach * stretch + 0.5), 0)
            high = min(int(center + reach * stretch + 0.5), extent)
            weights = weight((np.arange(low, high) - center + 0.5) / stretch)
            total = weights.sum()
            matrix[i, low:high] = weights / total if total else weights
        return matrix

    return kind


_KINDS: dict[str, _Kind] = {
    "nearest": _nearest,
    "linear": _linear,
    "cubic": _cubic,
    "linear_aa": _smoothed(1, _triangle),
    "cubic_aa": _smoothed(2, _spline),
    "lanczos_aa": _smoothed(3, _lanczos),
}


def _kind(name: str) -> str:
    if "nearest" in name:
        return "nearest"
    kind = next((k for k in ("cubic", "lanczos") if k in name), "linear")
    return f"{kind}_aa" if "2d_aa" in name else kind


def _maps(op: Op, source: Sequence[int], out: Sequence[int], flag: bool, scales: Any) -> list[Map]:
    kind = _kind(op.name)
    factors = list(scales) if scales else [None] * len(out)
    return [
        _KINDS[kind](n, m, flag, None if f is None else float(f))
        for n, m, f in zip(source, out, factors, strict=True)
    ]


def _named(arguments: dict[str, Any]) -> list[float | None]:
    """Returns the scale factors among named arguments."""
    names = ("scales", "scales_d", "scales_h", "scales_w")
    return [arguments[name] for name in names if name in arguments]


_SPACE = {"1d": 1, "2d": 2, "3d": 3}


def _space(name: str) -> int:
    return next(count for suffix, count in _SPACE.items() if suffix in name)


@handles(
    "aten.upsample_nearest1d",
    "aten.upsample_nearest2d",
    "aten.upsample_nearest3d",
    "aten._upsample_nearest_exact1d",
    "aten._upsample_nearest_exact2d",
    "aten._upsample_nearest_exact3d",
    "aten.upsample_linear1d",
    "aten.upsample_bilinear2d",
    "aten.upsample_trilinear3d",
    "aten.upsample_bicubic2d",
    "aten._upsample_bilinear2d_aa",
    "aten._upsample_bicubic2d_aa",
    "aten._upsample_lanczos2d_aa",
)
def _upsample(op: Op, self: Operand, output_size: Any, *args: Any, **named: Any) -> Result:
    x = op.tensor(self)
    count = _space(op.name)
    nearest = "nearest" in op.name
    rest = list(args)
    flag = "exact" in op.name if nearest else bool(named.get("align_corners", rest[:1] and rest[0]))
    given = rest if nearest else rest[1:]
    scales: Any = given[0] if op.name.endswith(".vec") and given else given or None
    scales = named.get("scale_factors", scales)
    scales = _named(named) or scales
    if op.name.endswith(".vec") and output_size is not None:
        scales = None
    shape, out = x.shape[-count:], op.shape()[-count:]
    if nearest and not flag and _knows_doubles(op, out):
        scales = _without_doubles(shape, out, scales)
    if _is_whole_resize(op, x, out, flag, scales):
        return op.b.resize(
            x,
            (*x.shape[:-2], *out),
            "nearest" if nearest else "linear",
            coordinates="asymmetric" if nearest else "half_pixel",
            nearest="floor",
        )
    maps = _maps(op, shape, out, flag, scales)
    if nearest and all(map(_repeats, maps)):
        return _repeated(op, x, [m // n for n, m in zip(shape, out, strict=True)])
    if not nearest:
        if x.dtype in FLOATS:
            return applied(op, x, maps)
        if x.dtype != "u8" or count != 2:
            raise op.fail(
                "floats, and of integers images of uint8, are supported: convert to float32, "
                "and round the result"
            )
        return resized(op, x, maps)
    # No products, so that non-finite values do not spread.
    for d, matrix in enumerate(maps, x.rank - count):
        index = torch.from_numpy(matrix.argmax(1).astype(np.int32))
        x = taken(op, x, d, op.tensor(index))
    return x


def _is_whole_resize(op: Op, x: Tensor, out: Sequence[int], flag: bool, scales: Any) -> bool:
    """Whether a float image is upsampled by integer factors with the sampling positions of
    ``ttir.resize``, which the library supports with channels last."""
    if len(out) != 2 or x.rank != 4 or x.dtype not in FLOATS or flag:
        return False
    if _kind(op.name) not in ("nearest", "linear") or "3d" in op.name:
        return False
    if any(n == 0 or m % n for n, m in zip(x.shape[-2:], out, strict=True)):
        return False
    factors = [m // n for n, m in zip(x.shape[-2:], out, strict=True)]
    return max(factors) > 1 and all(
        f is None or float(f) == k for f, k in zip(scales or (None, None), factors, strict=True)
    )


def _knows_doubles(op: Op, out: Sequence[int]) -> bool:
    """Whether PyTorch's image kernel handles kept or doubled extents before it considers scale
    factors: the kernel for small results, and the channels-last one for at least four channels."""
    if len(out) != 2:
        return False
    x: Any = op.node.args[0]
    meta = x.meta["val"]
    is_last = meta.is_contiguous(memory_format=torch.channels_last)
    return sum(out) <= 128 or (is_last and meta.shape[1] > 3)


def _without_doubles(shape: Sequence[int], out: Sequence[int], scales: Any) -> list[float | None]:
    """Returns the scale factors without those for kept or doubled extents."""
    factors = list(scales) if scales else [None] * len(out)
    return [None if m in (n, 2 * n) else f for n, m, f in zip(shape, out, factors, strict=True)]


def _repeats(matrix: Map) -> bool:
    """Whether all elements are repeated equally often."""
    m, n = matrix.shape
    return m % n == 0 and bool((matrix.argmax(1) == np.arange(m) // (m // n)).all())


def _repeated(op: Op, x: Tensor, times: Sequence[int]) -> Tensor:
    first = x.rank - len(times)
    for d, n in enumerate(times, first):
        if n > 1:
            x = op.b.repeat_interleave(x, n, d)
    return x


@handles(
    "aten.upsample_nearest1d_backward",
    "aten.upsample_nearest2d_backward",
    "aten.upsample_nearest3d_backward",
    "aten._upsample_nearest_exact1d_backward",
    "aten._upsample_nearest_exact2d_backward",
    "aten.upsample_linear1d_backward",
    "aten.upsample_bilinear2d_backward",
    "aten.upsample_trilinear3d_backward",
    "aten.upsample_bicubic2d_backward",
    "aten._upsample_bilinear2d_aa_backward",
    "aten._upsample_bicubic2d_aa_backward",
    "aten._upsample_lanczos2d_aa_backward",
)
def _upsample_backward(
    op: Op, grad_output: Operand, output_size: Any, input_size: Any, *args: Any, **named: Any
) -> Result:
    count = _space(op.name)
    nearest = "nearest" in op.name
    flag = "exact" in op.name if nearest else bool(named.get("align_corners", args[:1] and args[0]))
    scales = _named(named) or list(args if nearest else args[1:]) or None
    source, out = list(input_size)[-count:], shape_of(grad_output)[-count:]
    if nearest and not flag:
        # All of PyTorch's gradient kernels do.
        scales = _without_doubles(source, out, scales)
    maps = [m.T for m in _maps(op, source, out, flag, scales)]
    return applied(op, op.tensor(grad_output), maps)


@handles(
    "aten.replication_pad1d_backward",
    "aten.replication_pad2d_backward",
    "aten.replication_pad3d_backward",
)
def _replication_pad_backward(
    op: Op, grad_output: Operand, self: Operand, padding: Sequence[int]
) -> Result:
    count = _space(op.name)
    source, out = shape_of(self)[-count:], shape_of(grad_output)[-count:]
    maps = []
    for d, (n, m) in enumerate(zip(source, out, strict=True)):
        # The padding starts with the last dimension.
        low = padding[2 * (count - 1 - d)]
        matrix = np.zeros((n, m))
        matrix[np.clip(np.arange(m) - low, 0, n - 1), np.arange(m)] = 1
        maps.append(matrix)
    return applied(op, op.tensor(grad_output), maps)
