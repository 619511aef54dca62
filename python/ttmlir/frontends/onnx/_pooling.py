"""Pooling."""

from __future__ import annotations

import math

import numpy as np

from ttmlir.builder import Tensor
from ttmlir.frontends.data_movement import permuted, reshaped, spread, taken
from ttmlir.frontends.onnx._op import Op, Result, Value, handles
from ttmlir.frontends.onnx._reductions import reduced
from ttmlir.frontends.onnx._sliding_windows import Window, window_of
from ttmlir.frontends.onnx._types import FLOATS


def _space(x: Tensor) -> list[int]:
    return list(range(2, x.rank))


def over_windows(op: Op, x: Tensor, kind: str, window: Window) -> Tensor:
    """``sum``, ``max`` or ``min`` of the elements of each window."""
    ends = window.ends
    if kind == "max" and x.rank == 4 and x.dtype in FLOATS and min(ends) >= 0:
        fits = all(
            max(low, high) < k for low, high, k in zip(window.low, ends, window.kernel, strict=True)
        )
        if fits:
            y = op.b.max_pool2d(
                permuted(op, x, (0, 2, 3, 1)),
                (window.kernel[0], window.kernel[1]),
                stride=(window.stride[0], window.stride[1]),
                dilation=(window.dilation[0], window.dilation[1]),
                padding=(window.low[0], window.low[1], ends[0], ends[1]),
            )
            return permuted(op, y, (0, 3, 1, 2))
    pads = [n for pair in zip(window.low, ends, strict=True) for n in pair]
    return op.b.reduce_window(
        x,
        kind,
        [1, 1, *window.kernel],
        [1, 1, *window.stride],
        [1] * x.rank,
        [1, 1, *window.dilation],
        [0, 0, 0, 0, *pads],
    )


@handles("MaxPool", folds=False)
def _max_pool(op: Op, x: Value) -> Result:
    image = op.tensor(x)
    window = window_of(op, image.shape[2:], op.integers("kernel_shape") or [])
    if op.is_used(1):
        return _with_places(op, image, window)
    return over_windows(op, image, "max", window)


def _with_places(op: Op, x: Tensor, window: Window) -> list[Value]:
    """Returns maxima, and their indices among all elements."""
    b, space, count = op.b, x.shape[2:], x.rank - 2
    seen = x
    flat = np.zeros((), np.int64)
    column_major = bool(op.integer("storage_order"))
    weights = [
        math.prod(space[:d]) if column_major else math.prod(space[d + 1 :]) for d in range(count)
    ]
    for d in range(count):
        begins = np.arange(window.out[d])[:, None] * window.stride[d] - window.low[d]
        own = begins + np.arange(window.kernel[d])[None, :] * window.dilation[d]
        # Padding repeats the first or last element, which the window contains anyway.
        inside = (own >= 0) & (own < space[d])
        first = np.take_along_axis(own, inside.argmax(1)[:, None], 1)
        last_place = own.shape[1] - 1 - inside[:, ::-1].argmax(1)
        last = np.take_along_axis(own, last_place[:, None], 1)
        own = np.clip(own, first, last)
        seen = taken(op, seen, 2 + d, op.tensor(own.reshape(-1).astype(np.int32)))
        flat = flat[..., None, None] + own * weights[d]
    split = [n for d in range(count) for n in (window.out[d], window.kernel[d])]
    order = [*range(0, 2 * count, 2), *range(1, 2 * count, 2)]
    seen = reshaped(op, seen, (*x.shape[:2], *split))
    seen = permuted(op, seen, [0, 1, *(2 + d for d in order)])
    windows = math.prod(window.out)
    seen = reshaped(op, seen, (*x.shape[:2], windows, math.prod(window.kernel)))
    shape = (*x.shape[:2], *window.out)
    values = reshaped(op, b.max(seen, 3), shape)
    first_place = b.argmax(seen if x.dtype in FLOATS else op.cast(seen, "i32"), 3, True)
    table = np.transpose(flat, order).reshape(1, 1, windows, -1).astype(np.int32)
    chosen = b.gather_dim(spread(op, op.tensor(table), seen.shape), first_place, 3)
    chosen = reshaped(op, chosen, shape)
    # Indices count across all images and channels.
    images = math.prod(x.shape[:2])
    starts = np.arange(images, dtype=np.int32) * math.prod(space)
    rows = reshaped(op, op.tensor(starts), (*x.shape[:2], *(1,) * count))
    return [values, op.cast(b.add(chosen, rows), "i64")]


@handles("AveragePool", folds=False)
def _average_pool(op: Op, x: Value) -> Result:
    b, image = op.b, op.tensor(x)
    window = window_of(op, image.shape[2:], op.integers("kernel_shape") or [])
    counts_pad = bool(op.integer("count_include_pad"))
    counts = _counts(image.shape[2:], window, counts_pad)
    total_count = math.prod(window.kernel)
    plain = all(d == 1 for d in window.dilation) and (counts == total_count).all()
    behind = [max(n, 0) for n in window.ends]
    fits = all(
        max(low, high) < k for low, high, k in zip(window.low, behind, window.kernel, strict=True)
    )
    if image.rank == 4 and plain and fits and image.dtype in FLOATS:
        y = b.avg_pool2d(
            permuted(op, image, (0, 2, 3, 1)),
            (window.kernel[0], window.kernel[1]),
            stride=(window.stride[0], window.stride[1]),
            padding=(window.low[0], window.low[1], behind[0], behind[1]),
        )
        return permuted(op, y, (0, 3, 1, 2))
    wide = op.cast(image, "f32") if image.dtype in ("bf16", "f16") else image
    total = over_windows(op, wide, "sum", window)
    scale = 1.0 / np.maximum(counts, 1)
    scale = scale.reshape(-1)[:1].reshape(()) if plain else scale
    return op.cast(b.multiply(total, op.tensor(scale, wide.dtype)), image.dtype)


def _counts(space: tuple[int, ...], window: Window, counts_pad: bool) -> np.ndarray:  # type: ignore[type-arg]
    """Returns the number of elements of each window to divide by."""
    found = np.ones((), np.float64)
    for d, n in enumerate(space):
        begins = np.arange(window.out[d])[:, None] * window.stride[d] - window.low[d]
        own = begins + np.arange(window.kernel[d])[None, :] * window.dilation[d]
        low, high = (-window.low[d], n + window.high[d]) if counts_pad else (0, n)
        found = found[..., None] * ((own >= low) & (own < high)).sum(1)
    return found


def _power_mean(op: Op, x: Tensor, window: Window | None) -> Tensor:
    """Lp pooling: the p-th root of the sum of p-th powers."""
    b, p = op.b, op.number("p", 2.0)
    wide = op.cast(x, "f32") if x.dtype in ("bf16", "f16") else x
    size = b.abs(wide)
    powers = b.multiply(size, size) if p == 2 else size
    if p not in (1, 2):
        powers = b.power(size, op.tensor(p, wide.dtype))
    if window is None:
        found = reduced(op, "sum", powers, _space(x))
    else:
        found = over_windows(op, powers, "sum", window)
    if p == 2:
        found = b.sqrt(found)
    elif p != 1:
        found = b.power(found, op.tensor(1 / p, wide.dtype))
    return op.cast(found, x.dtype)


@handles("LpPool", folds=False)
def _lp_pool(op: Op, x: Value) -> Result:
    image = op.tensor(x)
    window = window_of(op, image.shape[2:], op.integers("kernel_shape") or [])
    return _power_mean(op, image, window)


@handles("GlobalLpPool", folds=False)
def _global_lp_pool(op: Op, x: Value) -> Result:
    return _power_mean(op, op.tensor(x), None)


@handles("GlobalAveragePool", folds=False)
def _global_average_pool(op: Op, x: Value) -> Result:
    image = op.tensor(x)
    return reduced(op, "mean", image, _space(image))


@handles("GlobalMaxPool", folds=False)
def _global_max_pool(op: Op, x: Value) -> Result:
    image = op.tensor(x)
    return reduced(op, "max", image, _space(image))
