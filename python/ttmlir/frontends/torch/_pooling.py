"""Pooling and its gradients."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import torch

from ttmlir.builder import Tensor
from ttmlir.frontends.data_movement import permuted, reshaped, spread, taken
from ttmlir.frontends.torch._op import Op, Operand, Result, handles, shape_of
from ttmlir.frontends.torch._types import FLOATS, Array
from ttmlir.frontends.torch._upsample import Map, applied

Ints = Sequence[int]


def _window(
    kernel: Ints, stride: Ints, padding: Ints, dilation: Ints, count: int
) -> list[list[int]]:
    """Returns four lists with one number for each spatial dimension."""

    def each(values: Ints, default: Ints) -> list[int]:
        found = list(values) or list(default)
        return found * count if len(found) == 1 else found

    extents = each(kernel, kernel)
    return [extents, each(stride, extents), each(padding, [0]), each(dilation, [1])]


def _batched(x: Tensor, count: int, op: Op) -> Tensor:
    return x if x.rank == count + 2 else reshaped(op, x, (1, *x.shape))


def _required_padding(
    op: Op, x: Tensor, window: list[list[int]], out: Ints
) -> list[tuple[int, int]]:
    """Returns the padding of each spatial dimension that the windows require."""
    found = []
    for d, (k, s, p, g) in enumerate(zip(*window, strict=True)):
        need = (out[d] - 1) * s + (k - 1) * g + 1
        found.append((p, need - p - x.shape[2 + d]))
    return found


@handles(
    "aten.max_pool1d",
    "aten.max_pool2d",
    "aten.max_pool3d",
    "aten.max_pool2d_with_indices",
    "aten.max_pool3d_with_indices",
)
def _max_pool(
    op: Op,
    self: Operand,
    kernel_size: Ints,
    stride: Ints = (),
    padding: Ints = (0,),
    dilation: Ints = (1,),
    ceil_mode: bool = False,
) -> Result:
    x = op.tensor(self)
    several = "_with_indices" in op.name
    out = op.shape()
    count = 3 if "pool3d" in op.name else 1 if "pool1d" in op.name else 2
    x = _batched(x, count, op)
    window = _window(kernel_size, stride, padding, dilation, count)
    ends = _required_padding(op, x, window, out[-count:])
    if several and op.is_used(1):
        return _with_places(op, x, window, ends)
    found = _reduce_window(op, x, "max", window, ends)
    found = reshaped(op, found, out)
    return [found, None] if several else found


def _with_places(
    op: Op, x: Tensor, window: list[list[int]], ends: list[tuple[int, int]]
) -> list[Tensor | torch.Tensor | None]:
    kernel, stride, padding, dilation = window
    if len(ends) != 2:
        places = []
        for d, out in enumerate(op.shape()[-len(ends) :]):
            begins = np.arange(out)[:, None] * stride[d] - padding[d]
            seen = begins + np.arange(kernel[d])[None, :] * dilation[d]
            # Padding repeats the first or last element, which the window contains anyway.
            extent = x.shape[2 + d]
            first = -(-np.maximum(-begins, 0) // dilation[d]) * dilation[d] + begins
            last = (
                begins
                + (np.minimum(extent - 1, seen[:, -1:]) - begins) // dilation[d] * dilation[d]
            )
            places.append(np.clip(seen, first, last))
        return _chosen(op, x, places)
    (top, bottom), (left, right) = ends
    pad = (top, left, max(bottom, 0), max(right, 0))
    values, chosen = op.b.max_pool2d_with_indices(
        permuted(op, x, (0, 2, 3, 1)),
        (kernel[0], kernel[1]),
        stride=(stride[0], stride[1]),
        dilation=(dilation[0], dilation[1]),
        padding=pad,
    )
    values, chosen = (permuted(op, t, (0, 3, 1, 2)) for t in (values, chosen))
    return [
        reshaped(op, values, op.shape()),
        op.cast(reshaped(op, chosen, op.shape(1)), op.dtype(1)),
    ]


def _reduce_window(
    op: Op, x: Tensor, kind: str, window: list[list[int]], ends: list[tuple[int, int]]
) -> Tensor:
    kernel, stride, _, dilation = window
    if len(kernel) == 2 and kind == "max" and x.dtype in FLOATS:
        (top, bottom), (left, right) = ends
        if (
            min(bottom, right) >= 0
            and max(top, bottom) < kernel[0]
            and max(left, right) < kernel[1]
        ):
            y = op.b.max_pool2d(
                permuted(op, x, (0, 2, 3, 1)),
                (kernel[0], kernel[1]),
                stride=(stride[0], stride[1]),
                dilation=(dilation[0], dilation[1]),
                padding=(top, left, bottom, right),
            )
            return permuted(op, y, (0, 3, 1, 2))
    ones = [1] * x.rank
    return op.b.reduce_window(
        x,
        kind,
        [1, 1, *kernel],
        [1, 1, *stride],
        ones,
        [1, 1, *dilation],
        [0, 0, 0, 0, *(n for pair in ends for n in pair)],
    )


# Means -------------------------------------------------------------------------------------------


def _counts(
    extent: int, out: int, kernel: int, stride: int, padding: int, include_pad: bool
) -> Array:
    """Returns the number of elements in each window of a dimension."""
    begins = np.arange(out) * stride - padding
    ends: Array = np.minimum(begins + kernel, extent + padding)
    if not include_pad:
        begins, ends = np.maximum(begins, 0), np.minimum(ends, extent)
    counts: Array = ends - begins
    return counts


def _divisors(
    shape: Ints, out: Ints, window: list[list[int]], include_pad: bool, override: int | None
) -> list[Array]:
    """Returns divisors of window sums for each dimension, to be multiplied."""
    if override is not None:
        return [np.full(out[d], override if d == 0 else 1) for d in range(len(out))]
    kernel, stride, padding, _ = window
    return [
        _counts(shape[d], out[d], kernel[d], stride[d], padding[d], include_pad)
        for d in range(len(out))
    ]


@handles("aten.avg_pool1d", "aten.avg_pool2d", "aten.avg_pool3d")
def _avg_pool(
    op: Op,
    self: Operand,
    kernel_size: Ints,
    stride: Ints = (),
    padding: Ints = (0,),
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int | None = None,
) -> Result:
    b, x = op.b, op.tensor(self)
    count = int(op.name[op.name.index("pool") + 4])
    x = _batched(x, count, op)
    window = _window(kernel_size, stride, padding, (1,), count)
    out = op.shape()[-count:]
    ends = _required_padding(op, x, window, out)
    divisors = _divisors(x.shape[2:], out, window, count_include_pad, divisor_override)
    whole = all(len(set(d.tolist())) == 1 for d in divisors)
    divisor = math.prod(int(d[0]) for d in divisors)
    kernel, steps, borders, _ = window
    symmetric = all(high <= low for low, high in ends)
    is_float = x.dtype in FLOATS
    if count == 2 and is_float and whole and divisor == math.prod(kernel) and symmetric:
        y = b.avg_pool2d(
            permuted(op, x, (0, 2, 3, 1)),
            (kernel[0], kernel[1]),
            stride=(steps[0], steps[1]),
            padding=(borders[0], borders[1]),
        )
        return reshaped(op, permuted(op, y, (0, 3, 1, 2)), op.shape())
    wide = op.cast(x, "f32") if x.dtype in ("bf16", "f16") else x
    total = _reduce_window(op, wide, "sum", window, ends)
    counts = np.ones((), np.int64)
    for d in divisors:
        counts = counts[..., None] * np.where(d == 0, 1, d)
    counts = np.full((), counts.flat[0]) if whole else counts
    if is_float:
        found = b.multiply(total, op.tensor(torch.from_numpy(np.asarray(1.0 / counts)), wide.dtype))
    else:
        # Towards 0, as in PyTorch.
        found = b.div(total, op.tensor(torch.from_numpy(counts), wide.dtype))
    return op.cast(reshaped(op, found, op.shape()), op.dtype())


@handles("aten.avg_pool2d_backward", "aten.avg_pool3d_backward")
def _avg_pool_backward(
    op: Op,
    grad_output: Operand,
    self: Operand,
    kernel_size: Ints,
    stride: Ints,
    padding: Ints,
    ceil_mode: bool,
    count_include_pad: bool,
    divisor_override: int | None,
) -> Result:
    count = 3 if "pool3d" in op.name else 2
    shape, out = shape_of(self)[-count:], shape_of(grad_output)[-count:]
    window = _window(kernel_size, stride, padding, (1,), count)
    divisors = _divisors(shape, out, window, count_include_pad, divisor_override)
    kernel, steps, borders, _ = window
    maps: list[Map] = []
    for d in range(count):
        places = np.arange(shape[d])[:, None] + borders[d]
        begins = np.arange(out[d])[None, :] * steps[d]
        inside = (places >= begins) & (places < begins + kernel[d])
        maps.append(inside / np.maximum(divisors[d], 1))
    return applied(op, op.tensor(grad_output), maps)


# Adaptive pooling --------------------------------------------------------------------------------


def _adaptive_map(extent: int, out: int) -> Map:
    """Returns the averaging matrix of an adaptive pool along a dimension."""
    places, windows = np.arange(extent)[None, :], np.arange(out)[:, None]
    begins, ends = windows * extent // out, -(-(windows + 1) * extent // out)
    return ((places >= begins) & (places < ends)) / (ends - begins)


@handles(
    "aten._adaptive_avg_pool2d",
    "aten._adaptive_avg_pool3d",
    "aten.adaptive_avg_pool1d",
    "aten.adaptive_avg_pool2d",
    "aten.adaptive_avg_pool3d",
)
def _adaptive_avg_pool(op: Op, self: Operand, output_size: Ints) -> Result:
    x = op.tensor(self)
    count = len(op.meta().shape[-len(output_size) :])
    shape, out = x.shape[-count:], op.shape()[-count:]
    if all(n == 1 for n in out):
        return reshaped(op, op.b.mean(x, list(range(x.rank - count, x.rank)), True), op.shape())
    if count == 2 and all(n % m == 0 for n, m in zip(shape, out, strict=True)):
        rows = _batched(x, 2, op)
        kernel = (shape[0] // out[0], shape[1] // out[1])
        y = op.b.avg_pool2d(permuted(op, rows, (0, 2, 3, 1)), kernel)
        return reshaped(op, permuted(op, y, (0, 3, 1, 2)), op.shape())
    maps = [_adaptive_map(n, m) for n, m in zip(shape, out, strict=True)]
    return applied(op, x, maps)


@handles("aten._adaptive_avg_pool2d_backward", "aten._adaptive_avg_pool3d_backward")
def _adaptive_avg_pool_backward(op: Op, grad_output: Operand, self: Operand) -> Result:
    count = 3 if "pool3d" in op.name else 2
    shape, out = shape_of(self)[-count:], shape_of(grad_output)[-count:]
    maps = [_adaptive_map(n, m).T for n, m in zip(shape, out, strict=True)]
    return applied(op, op.tensor(grad_output), maps)


@handles("aten.adaptive_max_pool2d", "aten.adaptive_max_pool3d")
def _adaptive_max_pool(op: Op, self: Operand, output_size: Ints) -> Result:
    x = op.tensor(self)
    out = op.shape()[-len(output_size) :]
    places = []
    for n, m in zip(x.shape[-len(out) :], out, strict=True):
        windows = np.arange(m)[:, None]
        begins, ends = windows * n // m, -(-(windows + 1) * n // m)
        widest = int((ends - begins).max())
        places.append(np.minimum(begins + np.arange(widest)[None, :], ends - 1))
    return _chosen(op, _batched(x, len(out), op), places)


def _chosen(op: Op, x: Tensor, places: Sequence[Array]) -> list[Tensor | torch.Tensor | None]:
    """Maxima of windows, and their indices among all spatial elements.

    ``places`` has, for each spatial dimension, a row for each window: the indices it contains.
    """
    count = len(places)
    space = x.shape[2:]
    seen = x
    flat: Array = np.zeros((), np.int64)
    for d, own in enumerate(places):
        index = torch.from_numpy(own.reshape(-1).astype(np.int32))
        seen = taken(op, seen, 2 + d, op.tensor(index))
        flat = flat[..., None, None] * space[d] + own
    # From (windows, indices) in each dimension to all windows and all indices in one.
    split = [n for own in places for n in own.shape]
    order = [*range(0, 2 * count, 2), *range(1, 2 * count, 2)]
    seen = reshaped(op, seen, (*x.shape[:2], *split))
    seen = permuted(op, seen, [0, 1, *(2 + d for d in order)])
    windows = math.prod(own.shape[0] for own in places)
    seen = reshaped(op, seen, (*x.shape[:2], windows, math.prod(seen.shape[2 + count :])))
    values = reshaped(op, op.b.max(seen, 3), op.shape())
    if not op.is_used(1):
        return [values, None]
    first = op.b.argmax(seen, 3, True)
    table = torch.from_numpy(np.transpose(flat, order).reshape(1, 1, windows, -1).astype(np.int32))
    whole = spread(op, op.tensor(table), seen.shape)
    chosen = reshaped(op, op.b.gather_dim(whole, first, 3), op.shape(1))
    return [values, op.cast(chosen, op.dtype(1))]


@handles("aten.max_pool2d_with_indices_backward", "aten.max_pool3d_with_indices_backward")
def _max_pool_backward(
    op: Op,
    grad_output: Operand,
    self: Operand,
    kernel_size: Ints,
    stride: Ints,
    padding: Ints,
    dilation: Ints,
    ceil_mode: bool,
    indices: Operand,
) -> Result:
    return _returned(op, grad_output, indices, 3 if "pool3d" in op.name else 2)


@handles("aten.adaptive_max_pool2d_backward", "aten.adaptive_max_pool3d_backward")
def _adaptive_max_pool_backward(
    op: Op, grad_output: Operand, self: Operand, indices: Operand
) -> Result:
    return _returned(op, grad_output, indices, 3 if "pool3d" in op.name else 2)


def _returned(op: Op, grad_output: Operand, indices: Operand, count: int) -> Tensor:
    """Adds up the gradients of maxima at their indices."""
    gradient, places = op.tensor(grad_output), op.cast(op.tensor(indices), "i32")
    shape = op.shape()
    rows = math.prod(shape[:-count])
    extent = math.prod(shape[-count:])
    windows = math.prod(gradient.shape[-count:])
    zeros = op.tensor(torch.zeros(()).expand(rows, extent), gradient.dtype)
    found = op.b.scatter_dim(
        zeros,
        reshaped(op, places, (rows, windows)),
        reshaped(op, gradient, (rows, windows)),
        1,
        "add",
    )
    return reshaped(op, found, shape)
