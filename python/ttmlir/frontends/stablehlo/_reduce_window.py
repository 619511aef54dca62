"""Reductions over windows, including cumulative ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ttmlir.builder import Tensor
from ttmlir.frontends.data_movement import reshaped, sliced
from ttmlir.frontends.stablehlo._constants import Known, Value
from ttmlir.frontends.stablehlo._elementwise import cast
from ttmlir.frontends.stablehlo._op import Op, Result, handles
from ttmlir.frontends.stablehlo._reductions import as_shape, is_neutral, kind_of
from ttmlir.frontends.stablehlo._shapes import padded
from ttmlir.frontends.stablehlo._types import NUMPY

_KINDS = {
    "sum": "sum",
    "prod": "prod",
    "max": "max",
    "min": "min",
    "reduce_or": "max",
    "reduce_and": "min",
}
_RUNNING = {"sum": "cumsum", "prod": "cumprod", "max": "cummax", "min": "cummin"}


@dataclass(frozen=True)
class Window:
    """The sizes, strides and padding of a sliding window."""

    extents: list[int]
    strides: list[int]
    base_dilations: list[int]
    dilations: list[int]
    padding: list[tuple[int, int]]

    @staticmethod
    def of(op: Op) -> Window:
        extents = op.ints("window_dimensions")
        ones = [1] * len(extents)
        return Window(
            extents,
            op.ints("window_strides", ones),
            op.ints("base_dilations", ones),
            op.ints("window_dilations", ones),
            op.pairs("padding", len(extents)),
        )

    def running(self, shape: Sequence[int]) -> tuple[int, bool] | None:
        """Returns dimension and direction (whether from the end) if each element is combined with
        all elements before it."""
        plain = [*self.strides, *self.base_dilations, *self.dilations]
        long = [d for d, n in enumerate(self.extents) if n != 1]
        if any(n != 1 for n in plain) or len(long) != 1:
            return None
        d = long[0]
        others = [p for i, p in enumerate(self.padding) if i != d]
        last = shape[d] - 1
        if self.extents[d] != shape[d] or any(p != (0, 0) for p in others):
            return None
        return {(last, 0): (d, False), (0, last): (d, True)}.get(self.padding[d])


@handles("stablehlo.reduce_window")
def _reduce_window(op: Op) -> Result:
    count = len(op.inputs) // 2
    window = Window.of(op)
    running = window.running(op.input_shape())
    found = kind_of(op, op.dtype()) if count == 1 else None
    if found is None:
        if running is not None:
            return _scan(op, count, *running)
        return _any_body(op, count, window)
    reduction, elementwise = found
    x, dtype = op.tensor(), op.dtype()
    start = op.inputs[1]
    harmless = is_neutral(start, elementwise, dtype)
    if dtype == "bool":
        x = cast(op, x, "u8")
    kind = _KINDS[reduction]
    if running is not None and harmless:
        result = _running(op, x, _RUNNING[kind], *running)
        return cast(op, result, dtype)
    padding = [n for pair in window.padding for n in pair]
    base = window.base_dilations
    if not harmless:
        x = cast(op, _with_border(op, op.tensor(), window, start), x.dtype)
        padding, base = [0] * len(padding), [1] * len(base)
    result = op.b.reduce_window(
        x, kind, window.extents, window.strides, base, window.dilations, padding
    )
    result = cast(op, reshaped(op, result, op.shape()), dtype)
    if harmless:
        return result
    return op.b._eltwise(elementwise, (result, op.part(1)), None, dtype=dtype)


def _with_border(op: Op, x: Tensor, window: Window, value: Value) -> Tensor:
    """Pads a tensor with a value where windows extend beyond it."""
    lows, highs = zip(*window.padding, strict=True)
    return padded(op, x, lows, highs, [n - 1 for n in window.base_dilations], value)


def _running(op: Op, x: Tensor, name: str, dim: int, is_reverse: bool) -> Tensor:
    if is_reverse:
        x = op.b.reverse(x, [dim])
    x = getattr(op.b, name)(x, dim)
    return op.b.reverse(x, [dim]) if is_reverse else x


def _scan(op: Op, count: int, dim: int, is_reverse: bool) -> list[Value]:
    """Computes a scan with any body, with distances of 1, 2, 4 and so on."""
    values = [op.tensor(i) for i in range(count)]
    shape = values[0].shape
    step = 1
    while step < shape[dim]:
        border = [step if d == dim else 0 for d in range(len(shape))]
        none = [0] * len(shape)
        before = []
        for i, x in enumerate(values):
            begin, end = (step, shape[dim]) if is_reverse else (0, shape[dim] - step)
            kept = sliced(op, x, dim, begin, end)
            lows, highs = (none, border) if is_reverse else (border, none)
            before.append(padded(op, kept, lows, highs, none, op.inputs[count + i]))
        found = op.run(0, [*before, *values])
        values = [op.importer.tensor(as_shape(op, value, shape)) for value in found]
        step *= 2
    return list(values)


def _any_body(op: Op, count: int, window: Window) -> list[Value]:
    """Reduces windows with any body, one dimension after the other."""
    values = [_with_border(op, op.tensor(i), window, op.inputs[count + i]) for i in range(count)]
    for d, (extent, stride, dilation) in enumerate(
        zip(window.extents, window.strides, window.dilations, strict=True)
    ):
        if extent == 1 and stride == 1:
            continue
        reach = values[0].shape[d] - (extent - 1) * dilation
        parts: list[list[Tensor]] = [
            [sliced(op, x, d, k * dilation, k * dilation + reach, stride) for x in values]
            for k in range(extent)
        ]
        # Neighbours first, so that the depth is small and the order is kept.
        while len(parts) > 1:
            merged = []
            for left, right in zip(parts[::2], parts[1::2], strict=False):
                found = op.run(0, [*left, *right])
                merged.append([op.importer.tensor(as_shape(op, v, left[0].shape)) for v in found])
            parts = merged + ([parts[-1]] if len(parts) % 2 else [])
        values = parts[0]
    shape = op.shape()
    found = op.run(0, [*op.inputs[count:], *values])
    return [as_shape(op, value, shape) for value in found]


_SELECTS = {"GE": "max", "LE": "min"}


@handles("stablehlo.select_and_scatter")
def _select_and_scatter(op: Op) -> Result:
    comparison = next(inner.operation for inner in op.block(0).operations)
    direction = ""
    if op.body_name(0) == "stablehlo.compare":
        inner = Op(op.importer, comparison, (), op.place)
        direction = inner.text("comparison_direction")
    body, dtype = op.body_name(1), op.dtype()
    if direction not in _SELECTS or body != (
        "stablehlo.or" if dtype == "bool" else "stablehlo.add"
    ):
        raise op.fail(
            "only sums at the first maximum or minimum of each window are supported: select by ge "
            "or le and scatter by add"
        )
    extents = op.ints("window_dimensions", [1] * len(op.input_shape()))
    ones = [1] * len(extents)
    pairs = op.pairs("padding", len(extents))
    strides = op.ints("window_strides", ones)
    padding = [n for pair in pairs for n in pair]
    x, source = op.tensor(0), op.tensor(1)
    if dtype == "bool":
        x, source = cast(op, x, "i32"), cast(op, source, "i32")
    cut = [(max(-low, 0), max(-high, 0)) for low, high in pairs]
    if any(n < 0 for n in padding):
        # Elements outside of all windows are removed first, and 0 afterwards.
        lows, highs = [-a for a, _ in cut], [-b for _, b in cut]
        zero = Known(np.zeros((), NUMPY[x.dtype]))
        x = padded(op, x, lows, highs, [0] * len(cut), zero)
        padding = [max(n, 0) for n in padding]
    found = op.b.select_and_scatter(x, source, _SELECTS[direction], extents, strides, padding)
    if x.shape != op.shape():
        zero = Known(np.zeros((), NUMPY[x.dtype]))
        found = padded(op, found, [a for a, _ in cut], [b for _, b in cut], [0] * len(cut), zero)
    found = cast(op, found, dtype)
    if is_neutral(op.inputs[2], "logical_or" if dtype == "bool" else "add", dtype):
        return found
    return op.b._eltwise("add", (found, op.part(2)), None, dtype=dtype)
