"""Sampling of images between pixels."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np

from ttmlir.builder import Tensor
from ttmlir.frontends.data_movement import permuted, reshaped, sliced, taken
from ttmlir.frontends.onnx._op import Op, Result, Value, handles

#: Old names of modes, with the current ones.
_MODES = {"bilinear": "linear", "bicubic": "cubic"}
_CUBIC = -0.75


def _number(op: Op, n: float) -> Tensor:
    return op.tensor(float(n), "f32")


def _within(op: Op, x: Tensor, low: float, high: float) -> Tensor:
    return op.b.logical_and(
        op.compare("ge", x, _number(op, low)), op.compare("le", x, _number(op, high))
    )


def _reflected(op: Op, x: Tensor, low: float, high: float) -> Tensor:
    """Reflects positions at both ends until they are in range."""
    b, reach = op.b, high - low
    if not reach:
        return op.b.multiply(x, _number(op, 0.0))
    above = b.subtract(x, _number(op, low))
    turns = b.floor(b.div(above, _number(op, 2 * reach)))
    rest = b.subtract(above, b.multiply(turns, _number(op, 2 * reach)))
    back = b.subtract(_number(op, 2 * reach), rest)
    return b.add(b.minimum(rest, back), _number(op, low))


class _Axis:
    """One dimension of an image: the pixels around the sampled positions, and their weights.

    Args:
        op: the node.
        extent: of the dimension.
        places: positions in f32, from -1 to 1 across the image.
    """

    def __init__(self, op: Op, extent: int, places: Tensor) -> None:
        self.op, self.extent = op, extent
        self.padding = op.text("padding_mode", "zeros")
        align = bool(op.integer("align_corners"))
        self.low = 0.0 if align else -0.5
        self.high = extent - 1 - self.low
        b = op.b
        scale = (extent - 1 if align else extent) / 2
        offset = (extent - 1) / 2
        self.places = b.add(b.multiply(places, _number(op, scale)), _number(op, offset))

    def neighbours(self, mode: str) -> list[tuple[Tensor, Tensor | None]]:
        """Returns indices in i32, each with a weight; None stands for the weight 1."""
        op, b = self.op, self.op.b
        if mode == "nearest":
            return [self._element(self._moved(b.roundeven(self.places)), None)]
        # Cubic weights extend over the border: only the indices of their pixels are clamped.
        x = self._moved(self.places) if mode == "linear" else self.places
        first = b.floor(x)
        part = b.subtract(x, first)
        weights = _linear(op, part) if mode == "linear" else _cubic(op, part)
        begin = 0 if mode == "linear" else -1
        return [
            self._element(b.add(first, _number(op, begin + i)), weight)
            for i, weight in enumerate(weights)
        ]

    def _moved(self, x: Tensor) -> Tensor:
        """Applies the padding mode to positions beyond the border."""
        op, b = self.op, self.op.b
        if self.padding == "zeros":
            return x
        if self.padding == "border":
            new = b.clamp(x, 0.0, float(self.extent - 1))
        else:
            new = _reflected(op, x, self.low, self.high)
        return b.where(_within(op, x, self.low, self.high), x, new)

    def _element(self, x: Tensor, weight: Tensor | None) -> tuple[Tensor, Tensor | None]:
        op, b, last = self.op, self.op.b, float(self.extent - 1)
        if self.padding == "zeros":
            inside = op.cast(_within(op, x, 0.0, last), "f32")
            weight = inside if weight is None else b.multiply(weight, inside)
        elif self.padding == "reflection":
            x = _reflected(op, x, self.low, self.high)
        return op.cast(b.clamp(x, 0.0, last), "i32"), weight


def _linear(op: Op, part: Tensor) -> list[Tensor]:
    return [op.b.subtract(_number(op, 1.0), part), part]


def _cubic(op: Op, part: Tensor) -> list[Tensor]:
    b, a = op.b, _CUBIC

    def polynomial(x: Tensor, factors: Sequence[float]) -> Tensor:
        found = _number(op, factors[0])
        for n in factors[1:]:
            found = b.add(b.multiply(found, x), _number(op, n))
        return found

    near, far = (a + 2, -(a + 3), 0.0, 1.0), (a, -5 * a, 8 * a, -4 * a)
    one = _number(op, 1.0)
    rest = b.subtract(one, part)
    return [
        polynomial(b.add(part, one), far),
        polynomial(part, near),
        polynomial(rest, near),
        polynomial(b.add(rest, one), far),
    ]


def _elements(op: Op, flat: Tensor, index: Tensor) -> Tensor:
    """Gathers columns of ``flat`` (channels, elements) as (channels, *the shape of the index)."""
    columns = taken(op, flat, 1, reshaped(op, index, (math.prod(index.shape),)))
    return reshaped(op, columns, (flat.shape[0], *index.shape))


def _flat(op: Op, x: Tensor) -> Tensor:
    """Reshapes images (batch, channels, ...) to (channels, elements of all images)."""
    channels_first = permuted(op, x, (1, 0, *range(2, x.rank)))
    return reshaped(
        op, channels_first, (x.shape[1], -1 if x.rank == 1 else math.prod(x.shape) // x.shape[1])
    )


@handles("GridSample")
def _grid_sample(op: Op, x: Value, grid: Value) -> Result:
    b, image = op.b, op.tensor(x)
    where = op.tensor(grid, "f32")
    space = image.shape[2:]
    rank, batch = len(space), image.shape[0]
    out = where.shape[1:-1]
    mode = op.text("mode", "linear")
    mode = _MODES.get(mode, mode)
    flat_grid = reshaped(op, where, (batch, math.prod(out), rank))
    columns = []
    for d in range(rank):
        # The grid has the last dimension of the image first.
        places = sliced(op, flat_grid, 2, rank - 1 - d, rank - d)
        axis = _Axis(op, space[d], reshaped(op, places, flat_grid.shape[:2]))
        columns.append(axis.neighbours(mode))
    flat = op.cast(_flat(op, image), "f32")
    size = math.prod(space)
    first = op.tensor(np.arange(batch, dtype=np.int32).reshape(batch, 1) * size)
    found: Tensor | None = None
    for corner in itertools.product(*columns):
        index, weight = first, None
        for d, (place, factor) in enumerate(corner):
            step = op.tensor(math.prod(space[d + 1 :]), "i32")
            index = b.add(index, b.multiply(place, step))
            if factor is not None:
                weight = factor if weight is None else b.multiply(weight, factor)
        values = _elements(op, flat, index)
        if weight is not None:
            # A pixel with weight 0 may be NaN.
            values = b.multiply(values, reshaped(op, weight, (1, *weight.shape)))
        found = values if found is None else b.add(found, values)
    assert found is not None
    found = permuted(op, found, (1, 0, 2))
    return op.cast(reshaped(op, found, (batch, image.shape[1], *out)), image.dtype)


# RoiAlign ----------------------------------------------------------------------------------------


def _samples(op: Op, low: Tensor, high: Tensor, extent: int, out: int, count: int) -> list[Tensor]:
    """Returns, for each region (n, 1), the neighbouring elements of the sample positions (n, out *
    count), and their weights."""
    b = op.b
    size = b.div(b.subtract(high, low), _number(op, out))
    steps = np.arange(out)[:, None] + (np.arange(count)[None, :] + 0.5) / count
    offsets = op.tensor(steps.reshape(1, -1).astype(np.float32), "f32")
    places = b.add(low, b.multiply(size, offsets))
    inside = op.cast(_within(op, places, -1.0, float(extent)), "f32")
    x = b.clamp(places, 0.0, float(extent - 1))
    first = b.floor(x)
    second = b.minimum(b.add(first, _number(op, 1.0)), _number(op, extent - 1))
    part = b.subtract(x, first)
    weights = [b.multiply(w, inside) for w in _linear(op, part)]
    return [op.cast(first, "i32"), op.cast(second, "i32"), *weights]


@handles("RoiAlign")
def _roi_align(op: Op, x: Value, rois: Value, batch_indices: Value) -> Result:
    b, image = op.b, op.tensor(x)
    height, width = image.shape[2:]
    regions = op.tensor(rois, "f32")
    count = regions.shape[0]
    ratio = op.integer("sampling_ratio")
    if not ratio:
        raise op.fail("the number of samples depends on values: set sampling_ratio")
    rows, columns = op.integer("output_height", 1), op.integer("output_width", 1)
    default = "half_pixel" if op.since >= 16 else "output_half_pixel"
    is_half = op.text("coordinate_transformation_mode", default) == "half_pixel"
    scaled = b.multiply(regions, _number(op, op.number("spatial_scale", 1.0)))
    if is_half:
        scaled = b.subtract(scaled, _number(op, 0.5))
    left, top, right, bottom = (sliced(op, scaled, 1, i, i + 1) for i in range(4))
    if not is_half:
        # Regions have an extent of at least 1.
        one = _number(op, 1.0)
        right = b.maximum(right, b.add(left, one))
        bottom = b.maximum(bottom, b.add(top, one))
    y = _samples(op, top, bottom, height, rows, ratio)
    z = _samples(op, left, right, width, columns, ratio)
    batch = reshaped(op, op.tensor(batch_indices, "i32"), (count, 1, 1))
    first = b.multiply(batch, op.tensor(height * width, "i32"))
    flat = op.cast(_flat(op, image), "f32")
    parts = []
    for i, j in itertools.product(range(2), range(2)):
        line = b.multiply(reshaped(op, y[i], (count, -1, 1)), op.tensor(width, "i32"))
        index = b.add(b.add(first, line), reshaped(op, z[j], (count, 1, -1)))
        weight = b.multiply(
            reshaped(op, y[2 + i], (count, -1, 1)), reshaped(op, z[2 + j], (count, 1, -1))
        )
        values = _elements(op, flat, index)
        parts.append(b.multiply(values, reshaped(op, weight, (1, *weight.shape))))
    is_max = op.text("mode", "avg") == "max"
    found = parts[0]
    for part in parts[1:]:
        found = b.maximum(found, part) if is_max else b.add(found, part)
    channels = image.shape[1]
    # Of rank 5: each dimension of samples follows its dimension of cells.
    found = reshaped(op, found, (channels * count * rows, ratio, columns, ratio))
    found = (b.max if is_max else b.mean)(found, [1, 3], False)
    found = permuted(op, reshaped(op, found, (channels, count, rows, columns)), (1, 0, 2, 3))
    return op.cast(found, image.dtype)
