"""Ops of ai.onnx.ml that are simple arithmetic."""

from __future__ import annotations

import math

import numpy as np

from ttmlir.frontends.data_movement import reshaped, taken
from ttmlir.frontends.onnx._op import Op, Result, Value, handles, shape_of

DOMAIN = "ai.onnx.ml"


@handles("Binarizer", domain=DOMAIN)
def _binarizer(op: Op, x: Value) -> Result:
    found = op.tensor(x)
    above = op.compare("gt", found, op.tensor(op.number("threshold"), found.dtype))
    return op.cast(above, found.dtype)


@handles("ArrayFeatureExtractor", domain=DOMAIN)
def _feature_extractor(op: Op, x: Value, places: Value) -> Result:
    found = op.tensor(x)
    index = reshaped(op, op.tensor(places, "i32"), (math.prod(shape_of(places)),))
    rows = reshaped(op, found, (1, *found.shape)) if found.rank == 1 else found
    return taken(op, rows, rows.rank - 1, index)


@handles("Scaler", domain=DOMAIN)
def _scaler(op: Op, x: Value) -> Result:
    b, found = op.b, op.tensor(x, "f32")
    offset, scale = (
        op.tensor(np.asarray(op.numbers(name) or [default], np.float32), "f32")
        for name, default in (("offset", 0.0), ("scale", 1.0))
    )
    return b.multiply(b.subtract(found, offset), scale)


@handles("LinearRegressor", domain=DOMAIN)
def _linear_regressor(op: Op, x: Value) -> Result:
    if op.text("post_transform", "NONE") != "NONE":
        raise op.fail("only post_transform='NONE' is supported")
    rows = op.tensor(x, "f32")
    targets = op.integer("targets", 1)
    weights = np.asarray(op.numbers("coefficients") or [], np.float32).reshape(targets, -1)
    found = op.b.matmul(rows, op.tensor(weights, "f32"), transpose_b=True)
    offsets = op.numbers("intercepts")
    if offsets is None:
        return found
    return op.b.add(found, op.tensor(np.asarray(offsets, np.float32).reshape(1, -1), "f32"))
