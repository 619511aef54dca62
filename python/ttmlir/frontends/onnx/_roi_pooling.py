"""Max pooling over regions of images."""

from __future__ import annotations

import numpy as np

from ttmlir.frontends.data_movement import reshaped
from ttmlir.frontends.onnx._op import Op, Result, Value, handles


@handles("MaxRoiPool", folds=False)
def _max_roi_pool(op: Op, x: Value, regions: Value) -> Result:
    """Computes the maximum over the rows and columns of each cell."""
    b, image = op.b, op.tensor(x)
    boxes = op.known(regions, "the regions")
    rows, columns = op.integers("pooled_shape") or [1, 1]
    scale = op.number("spatial_scale", 1.0)
    found = []
    for box in boxes:
        number = int(box[0])
        left, top, right, bottom = (int(np.floor(n * scale + 0.5)) for n in box[1:])
        cells = (
            _cells(top, bottom, rows, image.shape[2]),
            _cells(left, right, columns, image.shape[3]),
        )
        parts = []
        for first, last in cells[0]:
            for begin, end in cells[1]:
                if first >= last or begin >= end:
                    shape = (1, image.shape[1], 1)
                    parts.append(b.broadcast(op.tensor(0.0, image.dtype), shape))
                    continue
                part = b.slice(
                    image,
                    (number, 0, first, begin),
                    (number + 1, image.shape[1], last, end),
                )
                parts.append(reshaped(op, b.max(part, [2, 3]), (1, image.shape[1], 1)))
        whole = b.concat(parts, 2) if len(parts) > 1 else parts[0]
        found.append(reshaped(op, whole, (1, image.shape[1], rows, columns)))
    return b.concat(found, 0) if len(found) > 1 else found[0]


def _cells(low: int, high: int, count: int, extent: int) -> list[tuple[int, int]]:
    """Returns the bounds of each of ``count`` cells of a region."""
    size = max(high - low + 1, 1) / count
    return [
        (
            min(max(int(np.floor(i * size)) + low, 0), extent),
            min(max(int(np.ceil((i + 1) * size)) + low, 0), extent),
        )
        for i in range(count)
    ]
