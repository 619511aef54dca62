"""Non-maximum suppression."""

from __future__ import annotations

import numpy as np

from ttmlir.builder import Tensor
from ttmlir.frontends.counted import chosen
from ttmlir.frontends.data_movement import reshaped, sliced, spread, taken
from ttmlir.frontends.onnx._op import Op, Result, Value, handles
from ttmlir.frontends.onnx._reductions import reduced

_INDEX = "i32"


@handles("NonMaxSuppression")
def _non_max_suppression(
    op: Op,
    boxes: Value,
    scores: Value,
    most: Value = None,
    overlap: Value = None,
    least: Value = None,
) -> Result:
    if most is None:
        return np.zeros((0, 3), np.int64)
    b = op.b
    x, given = op.tensor(boxes, "f32"), op.tensor(scores, "f32")
    batch, classes, count = given.shape
    order = b.argsort(given, 2, True)
    sorted_scores = b.gather_dim(given, order, 2)
    hidden = _hidden(op, _corners(op, x), order, overlap)
    valid = spread(op, b.constant(True, shape=(1, 1, 1), dtype="bool"), given.shape)
    if least is not None:
        limit = reshaped(op, op.tensor(least, "f32"), (1, 1, 1))
        valid = op.compare("gt", sorted_scores, limit)
    kept = _kept(op, valid, hidden)
    numbers = b.cumsum(op.cast(kept, _INDEX), 2)
    limit = reshaped(op, op.tensor(most, _INDEX), (1, 1, 1))
    kept = b.logical_and(kept, op.compare("le", numbers, limit))
    total = batch * classes * count
    places = np.stack(np.unravel_index(np.arange(total), given.shape)[:2], 1).astype(np.int32)
    rows = b.concat([b.constant(places), reshaped(op, order, (total, 1))], 1)
    first, number = chosen(b, reshaped(op, kept, (total,)))
    return op.counted(total, number, (op.cast(taken(op, rows, 0, first), "i64"), 0))


def _corners(op: Op, x: Tensor) -> list[Tensor]:
    """Returns the least and greatest coordinates of boxes (batch, n, 4), as (batch, n) each."""
    b = op.b
    parts = [reshaped(op, sliced(op, x, 2, i, i + 1), x.shape[:2]) for i in range(4)]
    if op.integer("center_point_box"):
        centers, sizes = parts[:2], parts[2:]
        halves = [b.multiply(size, op.tensor(0.5, "f32")) for size in sizes]
        pairs = list(zip(centers, halves, strict=True))
        return [b.subtract(c, h) for c, h in pairs] + [b.add(c, h) for c, h in pairs]
    pairs = list(zip(parts[:2], parts[2:], strict=True))
    return [b.minimum(*pair) for pair in pairs] + [b.maximum(*pair) for pair in pairs]


def _hidden(op: Op, corners: list[Tensor], order: Tensor, overlap: Value) -> Tensor:
    """Returns which boxes overlap which later ones too much, in the order of each class, as f32 of
    shape (batch, classes, n, n)."""
    b, (batch, classes, n) = op.b, order.shape
    parts = [
        b.gather_dim(spread(op, reshaped(op, x, (batch, 1, n)), order.shape), order, 2)
        for x in corners
    ]
    down = [reshaped(op, x, (batch, classes, n, 1)) for x in parts]
    across = [reshaped(op, x, (batch, classes, 1, n)) for x in parts]
    zero = op.tensor(0.0, "f32")

    def extent(i: int, first: list[Tensor], second: list[Tensor]) -> Tensor:
        ends = b.minimum(first[i + 2], second[i + 2])
        return b.maximum(b.subtract(ends, b.maximum(first[i], second[i])), zero)

    def area(box: list[Tensor]) -> Tensor:
        return b.multiply(*(b.subtract(box[i + 2], box[i]) for i in range(2)))

    common = b.multiply(extent(0, down, across), extent(1, down, across))
    union = b.subtract(b.add(area(down), area(across)), common)
    limit = op.tensor(0.0, "f32") if overlap is None else op.tensor(overlap, "f32")
    limit = reshaped(op, limit, (1, 1, 1, 1))
    # An empty union is of boxes without an area.
    is_above = op.compare("gt", common, b.multiply(union, limit))
    is_above = b.logical_and(is_above, op.compare("gt", common, zero))
    places = np.arange(n)
    later = op.tensor((places[:, None] < places)[None, None])
    return op.cast(b.logical_and(is_above, later), "f32")


def _kept(op: Op, valid: Tensor, hidden: Tensor) -> Tensor:
    """Returns which boxes no earlier kept one hides. Whether a box is kept is final once it is for
    all earlier ones, so that the loop ends after as many turns as there are boxes."""
    b = op.b
    shape = valid.shape
    row = (*shape[:2], 1, shape[2])
    is_valid = op.cast(valid, "f32")

    def turn(kept: Tensor) -> Tensor:
        hiding = reshaped(op, b.matmul(reshaped(op, kept, row), hidden), shape)
        is_free = op.cast(op.compare("lt", hiding, op.tensor(0.5, "f32")), "f32")
        return b.multiply(is_valid, is_free)

    def body(kept: Tensor, changed: Tensor) -> list[Tensor]:
        found = turn(kept)
        differs = op.cast(op.compare("ne", found, kept), "f32")
        return [found, reshaped(op, reduced(op, "max", differs, [0, 1, 2]), (1,))]

    begin = [is_valid, op.tensor(np.ones(1, np.float32))]
    found = b.while_loop(lambda kept, changed: changed, body, begin, name=op.place.name)[0]
    return op.cast(found, "bool")
