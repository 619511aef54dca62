"""Ops of ai.onnx.ml that are simple arithmetic."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import onnx

from ttmlir.builder import Tensor
from ttmlir.frontends.data_movement import joined, reshaped, sliced, taken
from ttmlir.frontends.onnx._ml_scores import DOMAIN
from ttmlir.frontends.onnx._op import Op, Result, Value, handles, shape_of
from ttmlir.frontends.onnx._reductions import reduced
from ttmlir.frontends.onnx._types import ELEMENTS, FLOATS


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


@handles("Normalizer", domain=DOMAIN)
def _normalizer(op: Op, x: Value) -> Result:
    b, found = op.b, op.tensor(x, "f32")
    rows = reshaped(op, found, (1, *found.shape)) if found.rank == 1 else found
    name = op.text("norm", "MAX")
    if name not in ("MAX", "L1", "L2"):
        raise op.fail(f"expected the norm MAX, L1 or L2, found '{name}'")
    parts = b.square(rows) if name == "L2" else b.abs(rows)
    size = reduced(op, "max" if name == "MAX" else "sum", parts, [1])
    size = b.sqrt(size) if name == "L2" else size
    # Rows of zeros stay as they are.
    return reshaped(op, b.div(rows, b.maximum(size, op.tensor(1e-30, "f32"))), found.shape)


@handles("Imputer", domain=DOMAIN)
def _imputer(op: Op, x: Value) -> Result:
    b, found = op.b, op.tensor(x)
    if op.has("imputed_value_floats"):
        values: Any = np.array(op.numbers("imputed_value_floats"), np.float32)
        missing: float = float(op.attribute("replaced_value_float", 0.0))
    else:
        values = np.array(op.integers("imputed_value_int64s") or [], np.int64)
        missing = op.integer("replaced_value_int64")
    if values.size not in (1, found.shape[-1]):
        raise op.fail(f"expected 1 or {found.shape[-1]} imputed values, found {values.size}")
    if math.isnan(missing):
        absent = op.compare("ne", found, found)
    else:
        absent = op.compare("eq", found, op.tensor(missing, found.dtype))
    filler = reshaped(op, op.tensor(values, found.dtype), [1] * (found.rank - 1) + [values.size])
    return b.where(absent, filler, found)


@handles("FeatureVectorizer", domain=DOMAIN)
def _feature_vectorizer(op: Op, *inputs: Value) -> Result:
    parts = []
    widths = op.integers("inputdimensions") or []
    for i, value in enumerate(inputs):
        x = op.tensor(value, "f32")
        x = reshaped(op, x, (*x.shape, 1)) if x.rank == 1 else x
        width = widths[i] if i < len(widths) else x.shape[1]
        x = sliced(op, x, 1, 0, width) if width < x.shape[1] else x
        parts.append(op.b.pad(x, [(0, 0), (0, width - x.shape[1])]) if width > x.shape[1] else x)
    return joined(op, parts, 1)


@handles("OneHotEncoder", domain=DOMAIN)
def _one_hot(op: Op, x: Value) -> Result:
    found = op.tensor(x)
    categories = np.array(op.integers("cats_int64s") or [], np.int64)
    wide = reshaped(op, found, (*found.shape, 1))
    dtype = "f32" if found.dtype in FLOATS else found.dtype
    names = reshaped(op, op.tensor(categories, dtype), [1] * found.rank + [categories.size])
    return op.cast(op.compare("eq", op.cast(wide, dtype), names), "f32")


@handles("LabelEncoder", domain=DOMAIN)
def _label_encoder(op: Op, x: Value) -> Result:
    found = op.tensor(x)
    keys, values = _table(op, "keys"), _table(op, "values")
    dtype = ELEMENTS[values.dtype]
    own = op.cast(found, ELEMENTS[keys.dtype])
    default = _default(op, values.dtype)
    # The first key counts.
    _, first = np.unique(keys, return_index=True)
    keys, values = keys[np.sort(first)], values[np.sort(first)]
    b, rank = op.b, own.rank
    wide = reshaped(op, own, (*own.shape, 1))
    across = reshaped(op, op.tensor(keys), [1] * rank + [keys.size])
    same = op.compare("eq", wide, across)
    if keys.dtype.kind == "f" and np.isnan(keys).any():
        nans = reshaped(op, op.tensor(np.isnan(keys)), [1] * rank + [keys.size])
        same = b.logical_or(same, b.logical_and(op.compare("ne", wide, wide), nans))
    place = b.argmax(op.cast(same, "i32"), rank)
    flat = reshaped(op, place, (math.prod(own.shape),))
    named = reshaped(op, taken(op, op.tensor(values), 0, flat), own.shape)
    is_known = reduced(op, "max", op.cast(same, "i32"), [rank])
    is_known = op.cast(reshaped(op, is_known, own.shape), "bool")
    return b.where(is_known, named, _scalar(op, default, dtype, rank))


def _scalar(op: Op, value: Any, dtype: str, rank: int) -> Tensor:
    return op.b.constant(value, shape=(1,) * rank, dtype=dtype)


def _table(op: Op, name: str) -> Any:
    for kind, dtype in (("floats", np.float32), ("int64s", np.int64)):
        if op.has(f"{name}_{kind}"):
            return np.array(op.attribute(f"{name}_{kind}"), dtype)
    tensor = op.attribute(f"{name}_tensor")
    if tensor is None:
        raise op.fail(f"expected {name} of numbers")
    return onnx.numpy_helper.to_array(tensor)


def _default(op: Op, dtype: Any) -> Any:
    if op.has("default_tensor"):
        return onnx.numpy_helper.to_array(op.attribute("default_tensor")).reshape(-1)[0].item()
    if dtype.kind == "f":
        return op.number("default_float", -0.0)
    return op.integer("default_int64", -1)
