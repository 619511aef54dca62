"""Padding."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ttmlir.builder import Tensor
from ttmlir.frontends.data_movement import joined, reshaped, sliced, spread, taken
from ttmlir.frontends.onnx._op import Op, Result, Value, axis_of, handles, shape_of
from ttmlir.frontends.onnx._types import FLOATS, NUMPY

_MODES = ("constant", "reflect", "edge", "wrap")
#: Integers up to this one are exact in the padding attribute, an f32.
_EXACT = 1 << 24
Pairs = Sequence[tuple[int, int]]


@handles("Pad")
def _pad(op: Op, x: Value, pads: Value = None, value: Value = None, axes: Value = None) -> Result:
    rank = len(shape_of(x))
    if op.since < 11:
        sizes = op.integers("pads") or []
        value = np.asarray(op.number("value"))
    else:
        sizes = op.ints(pads, "the border")
    given = list(range(rank)) if axes is None else op.ints(axes, "the axes")
    around = [(0, 0)] * rank
    for i, d in enumerate(given):
        around[axis_of(d, rank)] = (sizes[i], sizes[i + len(given)])
    mode = op.text("mode", "constant")
    if mode not in _MODES:
        raise op.fail(f"expected a mode of {', '.join(_MODES)}, found {mode}")
    if mode == "constant":
        return padded(op, x, around, value)
    return _repeated(op, op.tensor(x), around, mode)


def padded(op: Op, x: Value, around: Pairs, value: Value = None) -> Value:
    """Pads with a number, 0 by default; negative padding crops."""
    dtype = op.dtype_of(x)
    shape = [n + low + high for n, (low, high) in zip(shape_of(x), around, strict=True)]
    border: Value = np.zeros((), np.int32) if value is None else value
    if 0 in shape_of(x):
        return spread(op, reshaped(op, op.tensor(border, dtype), (1,) * len(shape)), shape)
    found = op.tensor(x)
    begins = [max(-low, 0) for low, _ in around]
    ends = [n - max(-high, 0) for n, (_, high) in zip(found.shape, around, strict=True)]
    if any(b >= e for b, e in zip(begins, ends, strict=True)):
        if 0 in shape:
            return np.zeros(shape, NUMPY[dtype])
        return spread(op, reshaped(op, op.tensor(border, dtype), (1,) * len(shape)), shape)
    if any(begins) or ends != list(found.shape):
        found = op.b.slice(found, begins, ends)
    sides = [(max(low, 0), max(high, 0)) for low, high in around]
    if not any(low or high for low, high in sides):
        return found
    if isinstance(border, np.ndarray):
        number = float(border.reshape(-1)[0])
        if dtype in FLOATS or abs(number) < _EXACT:
            return op.b.pad(found, sides, number)
    return _joined(op, found, sides, op.tensor(border, dtype))


def _joined(op: Op, x: Tensor, sides: Pairs, value: Tensor) -> Tensor:
    """Pads with a computed number, or one that f32 cannot represent."""
    value = reshaped(op, value, (1,) * x.rank)
    for d, (low, high) in enumerate(sides):
        parts = []
        for size in (low, high):
            shape = [size if i == d else n for i, n in enumerate(x.shape)]
            parts.append([spread(op, value, shape)] if size else [])
        x = joined(op, [*parts[0], x, *parts[1]], d)
    return x


def _repeated(op: Op, x: Tensor, around: Pairs, mode: str) -> Tensor:
    """Pads with the tensor's own elements, dimension by dimension."""
    for d, (low, high) in enumerate(around):
        extent = x.shape[d]
        if low < 0 or high < 0:
            x = sliced(op, x, d, max(-low, 0), extent - max(-high, 0))
        before, behind = max(low, 0), max(high, 0)
        if not before and not behind:
            continue
        places = np.pad(np.arange(x.shape[d], dtype=np.int32), (before, behind), mode)  # type: ignore[call-overload]
        if mode == "edge":
            x = _edges(op, x, d, before, behind)
        else:
            x = taken(op, x, d, op.tensor(places))
    return x


def _edges(op: Op, x: Tensor, dim: int, before: int, behind: int) -> Tensor:
    """Repeats the first element before, and the last one after."""

    def side(place: int, size: int) -> list[Tensor]:
        shape = [size if d == dim else n for d, n in enumerate(x.shape)]
        return [spread(op, sliced(op, x, dim, place, place + 1), shape)] if size else []

    parts = [*side(0, before), x, *side(x.shape[dim] - 1, behind)]
    return joined(op, parts, dim)
