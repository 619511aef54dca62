"""Random numbers with ONNX's distributions, which differ from those of other runtimes. A node with
a seed draws the same ones in each call."""

from __future__ import annotations

import numpy as np

from ttmlir.builder import Tensor
from ttmlir.frontends.data_movement import reshaped
from ttmlir.frontends.onnx._op import Op, Result, Value, handles, shape_of
from ttmlir.frontends.onnx._types import ELEMENTS, Shape, element_of, unsupported
from ttmlir.frontends.random_numbers import normal, uniform


def _dtype(op: Op, default: str) -> str:
    """Returns the builder's dtype of the attribute ``dtype``."""
    kind = op.integer("dtype")
    if not kind:
        return default
    if reason := unsupported(element_of(kind)):
        raise op.fail(reason)
    return ELEMENTS[element_of(kind)]


def _drawn(op: Op, shape: Shape, dtype: str) -> Tensor:
    b = op.b
    if "Normal" in op.node.op_type:
        numbers, factor, offset = normal(op, shape), op.number("scale", 1.0), op.number("mean")
    else:
        low = op.number("low")
        numbers, factor, offset = uniform(op, shape), op.number("high", 1.0) - low, low
    scaled = b.multiply(numbers, op.tensor(factor, "f32"))
    return op.cast(b.add(scaled, op.tensor(offset, "f32")), dtype)


@handles("RandomNormal", "RandomUniform")
def _random(op: Op) -> Result:
    return _drawn(op, tuple(op.integers("shape") or ()), _dtype(op, "f32"))


@handles("RandomNormalLike", "RandomUniformLike")
def _random_like(op: Op, x: Value) -> Result:
    return _drawn(op, shape_of(x), _dtype(op, op.dtype_of(x)))


@handles("Bernoulli")
def _bernoulli(op: Op, chances: Value) -> Result:
    drawn = uniform(op, shape_of(chances))
    found = op.compare("lt", drawn, op.tensor(chances, "f32"))
    return op.cast(found, _dtype(op, op.dtype_of(chances)))


@handles("Multinomial")
def _multinomial(op: Op, logits: Value) -> Result:
    """Samples the first class whose cumulative probability exceeds a uniform number."""
    b, rows = op.b, op.tensor(logits, "f32")
    batch, classes = rows.shape
    count = op.integer("sample_size", 1)
    ends = b.cumsum(b.softmax(rows, 1), 1)
    drawn = reshaped(op, uniform(op, (batch, count)), (batch, count, 1))
    passed = op.compare("ge", drawn, reshaped(op, ends, (batch, 1, classes)))
    place = b.sum(op.cast(passed, "i32"), 2)
    return op.cast(b.minimum(place, op.tensor(classes - 1, "i32")), _dtype(op, "i32"))


@handles("Dropout")
def _dropout(op: Op, x: Value, ratio: Value = None, training: Value = None) -> Result:
    b, found = op.b, op.tensor(x)
    all_kept = np.broadcast_to(np.True_, found.shape)
    mask_type = "bool" if op.since >= 10 else found.dtype
    drops = op.since >= 12 and training is not None
    if not drops or not op.known(training, "the training mode").reshape(-1)[0]:
        return [found, all_kept if mask_type == "bool" else op.tensor(all_kept, mask_type)]
    share = op.tensor(np.array(0.5, np.float32) if ratio is None else ratio, "f32")
    if isinstance(ratio, np.ndarray) and not ratio.any():
        return [found, all_kept]
    share = reshaped(op, share, ())
    kept = op.compare("ge", uniform(op, found.shape), share)
    scale = op.cast(b.reciprocal(b.subtract(op.tensor(1.0, "f32"), share)), found.dtype)
    zero = op.tensor(0.0, found.dtype)
    return [b.where(kept, b.multiply(found, scale), zero), kept]
