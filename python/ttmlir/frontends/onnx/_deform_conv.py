"""Deformable convolutions."""

from __future__ import annotations

import itertools
import math

import numpy as np

from ttmlir.builder import Tensor
from ttmlir.frontends.data_movement import reshaped, spread
from ttmlir.frontends.onnx._convolutions import with_bias
from ttmlir.frontends.onnx._op import Op, Result, Value, handles
from ttmlir.frontends.onnx._sliding_windows import Window, window_of


@handles("DeformConv", folds=False)
def _deform_conv(
    op: Op, x: Value, w: Value, offset: Value, bias: Value = None, mask: Value = None
) -> Result:
    """Interpolates the elements that windows see between their four neighbours, then multiplies
    them by the weight as a matrix."""
    b, image = op.b, op.tensor(x)
    kernel = op.tensor(w, image.dtype)
    if image.rank != 4:
        raise op.fail(f"expected an image of two dimensions, found the shape {image.shape}")
    window = window_of(op, image.shape[2:], kernel.shape[2:])
    n, channels = image.shape[:2]
    parts, groups = op.integer("offset_group", 1), op.integer("group", 1)
    size, places = math.prod(kernel.shape[2:]), math.prod(window.out)
    moves = reshaped(op, op.tensor(offset, "f32"), (n * parts, size, 2, places))
    rows = reshaped(op, image, (n * parts, channels // parts, -1))
    seen = _sample_windows(op, rows, moves, image.shape[2:], window)
    if mask is not None:
        factors = reshaped(op, op.tensor(mask, seen.dtype), (n * parts, 1, size * places))
        seen = b.multiply(seen, factors)
    columns = reshaped(op, seen, (n * groups, channels // groups * size, places))
    matrix = reshaped(op, kernel, (groups, kernel.shape[0] // groups, -1))
    if n > 1:
        matrix = reshaped(op, matrix, (1, *matrix.shape))
        matrix = spread(op, matrix, (n, *matrix.shape[1:]))
        matrix = reshaped(op, matrix, (n * groups, *matrix.shape[2:]))
    y = b.matmul(matrix, columns)
    return with_bias(op, reshaped(op, y, (n, kernel.shape[0], *window.out)), bias)


def _sample_windows(
    op: Op, rows: Tensor, moves: Tensor, space: tuple[int, ...], window: Window
) -> Tensor:
    """Samples the windows' elements, as rows.

    Args:
        op: the node.
        rows: the images, (images, channels, positions).
        moves: offsets of each element of each window, (images, elements, 2, windows).
        space: extents of the images.
        window: the windows without offsets.
    """
    b, (images, size, _, places) = op.b, moves.shape
    flat = (images, 1, size * places)
    starts = []
    for d in range(2):
        own = (np.arange(window.kernel[d]) * window.dilation[d])[:, None] + (
            np.arange(window.out[d]) * window.stride[d] - window.low[d]
        )[None, :]
        shape = [window.kernel[d] if e == d else 1 for e in range(2)]
        shape += [window.out[d] if e == d else 1 for e in range(2)]
        whole = np.broadcast_to(own.reshape(shape), (*window.kernel, *window.out))
        starts.append(whole.reshape(1, size, 1, places).astype(np.float32))
    where = b.add(moves, op.tensor(np.concatenate(starts, 2), "f32"))
    first = b.floor(where)
    part = b.subtract(where, first)

    def side(x: Tensor, d: int) -> Tensor:
        found = b.slice(x, (0, 0, d, 0), (images, size, d + 1, places))
        return reshaped(op, found, flat)

    total: Tensor | None = None
    for corner in itertools.product((0.0, 1.0), repeat=2):
        weight: Tensor | None = None
        index: Tensor | None = None
        for d, step in enumerate(corner):
            place = b.add(side(first, d), op.tensor(step, "f32"))
            near = side(part, d)
            near = near if step else b.subtract(op.tensor(1.0, "f32"), near)
            last = float(space[d] - 1)
            inside = b.logical_and(
                op.compare("ge", place, op.tensor(0.0, "f32")),
                op.compare("le", place, op.tensor(last, "f32")),
            )
            near = b.where(inside, near, op.tensor(0.0, "f32"))
            weight = near if weight is None else b.multiply(weight, near)
            number = op.cast(b.clamp(place, 0.0, last), "i32")
            index = (
                number
                if index is None
                else b.add(b.multiply(index, op.tensor(space[d], "i32")), number)
            )
        assert weight is not None
        assert index is not None
        index = spread(op, index, (images, rows.shape[1], size * places))
        found = b.multiply(b.gather_dim(rows, index, 2), op.cast(weight, rows.dtype))
        total = found if total is None else b.add(total, found)
    assert total is not None
    return total
