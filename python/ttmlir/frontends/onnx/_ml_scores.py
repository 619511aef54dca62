"""Scores and labels of ``ai.onnx.ml``."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ttmlir.builder import Tensor
from ttmlir.frontends.data_movement import reshaped, taken
from ttmlir.frontends.onnx._op import Op
from ttmlir.frontends.onnx._reductions import reduced
from ttmlir.frontends.scatter_gather import first_place

DOMAIN = "ai.onnx.ml"
#: Numbers of at most this size count as 0 in a softmax of what is not 0.
_ZERO = 1e-7
TRANSFORMS = ("NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO", "PROBIT")


def transformed(op: Op, x: Tensor, name: str) -> Tensor:
    """Applies a ``post_transform`` to scores (n, classes)."""
    b = op.b
    if name == "LOGISTIC":
        return b.sigmoid(x)
    if name == "SOFTMAX":
        return b.softmax(x, 1)
    if name == "PROBIT":
        two, one = op.tensor(2.0, "f32"), op.tensor(1.0, "f32")
        places = b.subtract(b.multiply(x, two), one)
        return b.multiply(b.erfinv(places), op.tensor(math.sqrt(2), "f32"))
    if name == "SOFTMAX_ZERO":
        powers = b.exp(b.subtract(x, reduced(op, "max", x, [1])))
        is_other = op.compare("gt", b.abs(x), op.tensor(_ZERO, "f32"))
        powers = b.where(is_other, powers, op.tensor(0.0, "f32"))
        total = reduced(op, "sum", powers, [1])
        has_other = op.compare("gt", total, op.tensor(0.0, "f32"))
        total = b.where(has_other, total, op.tensor(1.0, "f32"))
        return b.where(has_other, b.div(powers, total), op.tensor(0.5, "f32"))
    if name != "NONE":
        raise op.fail(
            f"expected post_transform to be one of {', '.join(TRANSFORMS)}, found '{name}'"
        )
    return x


def labels_of(op: Op, scores: Tensor, labels: Sequence[int]) -> Tensor:
    """Returns the label of the greatest score of each row."""
    return named(op, reshaped(op, first_place(op, scores, 1, True), scores.shape[:1]), labels)


def named(op: Op, places: Tensor, labels: Sequence[int]) -> Tensor:
    """Returns labels by number."""
    if list(labels) == list(range(len(labels))):
        return op.cast(places, "i64")
    return op.cast(
        taken(op, op.tensor(np.array(labels, np.int64)), 0, op.cast(places, "i32")), "i64"
    )


def two_columns(op: Op, x: Tensor) -> Tensor:
    """Returns the scores of both classes from those of the second, (n, 1)."""
    return op.b.concat([op.b.neg(x), x], 1)
