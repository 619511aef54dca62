"""Folds ops on known arrays during import.

Only exact results are folded: enough for initial values, paddings, indices and comparators.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ttmlir.frontends.stablehlo._constants import Known
from ttmlir.frontends.stablehlo._op import Op
from ttmlir.frontends.stablehlo._types import Array, numpy_of

#: Arrays with more elements are not folded.
_LIMIT = 1 << 16

_COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "EQ": np.equal,
    "NE": np.not_equal,
    "LT": np.less,
    "LE": np.less_equal,
    "GT": np.greater,
    "GE": np.greater_equal,
}


def fold(op: Op) -> list[Known] | None:
    """Returns the results of an op whose operands are known; None if it is not folded."""
    rule = _RULES.get(op.name)
    if rule is None or not op.inputs:
        return None
    arrays = []
    for value in op.inputs:
        if not isinstance(value, Known):
            return None
        arrays.append(value)
    with np.errstate(all="ignore"):
        found = rule(op, arrays)
    return None if found is None else [Known(found)]


def _elementwise(function: Callable[..., Any]) -> Callable[[Op, list[Known]], Array | None]:
    """Wraps a rule to compute elements that repeat along a dimension only once."""

    def rule(op: Op, inputs: list[Known]) -> Array | None:
        # Bodies of reductions and comparators run on more elements than their types have.
        shape = np.broadcast_shapes(*(value.shape for value in inputs))
        small = [value.compact() for value in inputs]
        if math.prod(np.broadcast_shapes(*(a.shape for a in small))) > _LIMIT:
            return None
        found = np.asarray(function(op, *small)).astype(numpy_of(op.operation.results[0].type))
        return np.broadcast_to(found, shape)

    return rule


def _plain(function: Callable[..., Any]) -> Callable[[Op, list[Known]], Array | None]:
    return _elementwise(lambda op, *arrays: function(*arrays))


def _logical(
    bits: Callable[..., Any], truth: Callable[..., Any]
) -> Callable[[Op, list[Known]], Array | None]:
    """Combines a rule for numbers and one for booleans."""
    return _elementwise(lambda op, *arrays: (truth if arrays[0].dtype == bool else bits)(*arrays))


def _shift(function: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    """Wraps a shift to return 0 for counts of at least the bit width."""

    def shift(op: Op, x: Array, count: Array) -> Any:
        bits = 8 * x.dtype.itemsize
        unsigned = x.view(f"u{x.dtype.itemsize}")
        amount = count.astype(np.int64)
        valid = (amount >= 0) & (amount < bits)
        moved = function(unsigned, np.where(valid, amount, 0).astype(unsigned.dtype))
        return np.where(valid, moved, 0).astype(unsigned.dtype).view(x.dtype)

    return shift


def convert(x: Array, target: np.dtype[Any]) -> Array:
    """Converts numbers; conversion of floats to integers truncates and saturates."""
    if target == np.bool_:
        return np.not_equal(x, 0)
    if x.dtype.kind == "c" and target.kind != "c":
        x = x.real
    if target.kind not in "iu" or x.dtype.kind in "iub":
        return x.astype(target)
    limits = np.iinfo(target)
    wide = np.nan_to_num(np.trunc(x.astype(np.float64)), nan=0.0)
    # The greatest 64-bit integer is not a float64.
    inside = np.clip(wide, float(limits.min), float(limits.max))
    found = np.where(wide >= float(limits.max), limits.max, 0).astype(target)
    fits = wide < float(limits.max)
    return np.where(fits, np.where(fits, inside, 0).astype(target), found)


def _compare(op: Op, a: Array, b: Array) -> Any:
    direction = op.text("comparison_direction")
    if op.text("compare_type") == "TOTALORDER":
        a, b = total_order(a), total_order(b)
    return _COMPARISONS[direction](a, b)


def total_order(x: Array) -> Array:
    """Maps floats to integers in total order: -NaN, -infinity, ..., -0, 0, ..., infinity, NaN."""
    bits = x.dtype.itemsize * 8
    words = np.ascontiguousarray(x).view(f"i{bits // 8}")
    return np.where(words < 0, words ^ np.array(np.iinfo(words.dtype).max, words.dtype), words)


def _broadcast(op: Op, inputs: list[Known]) -> Array:
    dims, shape = op.ints("broadcast_dimensions"), op.shape()
    if op.input_shape() == shape:
        return inputs[0].array
    x = inputs[0].array
    extents = [1] * len(shape)
    strides = [0] * len(shape)
    for i, d in enumerate(dims):
        extents[d] = x.shape[i]
        strides[d] = x.strides[i] if x.shape[i] == shape[d] and shape[d] != 1 else 0
    # Without a copy, so that repeated elements keep a stride of 0.
    return np.lib.stride_tricks.as_strided(x, shape, strides, writeable=False)


def _reshape(op: Op, inputs: list[Known]) -> Array | None:
    if op.input_shape() == op.shape():
        return inputs[0].array
    splat = inputs[0].splat()
    if splat is not None:
        return np.broadcast_to(np.asarray(splat, inputs[0].array.dtype), op.shape())
    return inputs[0].array.reshape(op.shape()) if inputs[0].array.size <= _LIMIT else None


def _slice(op: Op, inputs: list[Known]) -> Array:
    bounds = zip(
        op.ints("start_indices"), op.ints("limit_indices"), op.ints("strides"), strict=True
    )
    return inputs[0].array[tuple(slice(*b) for b in bounds)]


def _concatenate(op: Op, inputs: list[Known]) -> Array | None:
    if math.prod(op.shape()) > _LIMIT:
        return None
    return np.concatenate([value.array for value in inputs], op.integer("dimension"))


def _transpose(op: Op, inputs: list[Known]) -> Array:
    return np.transpose(inputs[0].array, op.ints("permutation"))


def _bitcast(op: Op, inputs: list[Known]) -> Array | None:
    target, x = numpy_of(op.operation.results[0].type), inputs[0].compact()
    if target.itemsize != x.dtype.itemsize or x.size > _LIMIT:
        return None
    return np.broadcast_to(np.ascontiguousarray(x).view(target).reshape(x.shape), inputs[0].shape)


def _complex(real: Array, imag: Array) -> Array:
    found = np.empty(
        np.broadcast_shapes(real.shape, imag.shape), np.result_type(real, np.complex64)
    )
    found.real, found.imag = real, imag
    return found


def _select(op: Op, which: Array, yes: Array, no: Array) -> Any:
    return np.where(which, yes, no)


def _remainder(op: Op, inputs: list[Known]) -> Array | None:
    """For integers: the result has the sign of the dividend, and x % 0 is x."""
    if inputs[0].array.dtype.kind not in "iu":
        return None
    return _elementwise(lambda op, x, y: np.where(y == 0, x, np.fmod(x, np.where(y, y, 1))))(
        op, inputs
    )


_RULES: dict[str, Callable[[Op, list[Known]], Array | None]] = {
    "stablehlo.abs": _plain(np.abs),
    "stablehlo.add": _logical(np.add, np.logical_or),
    "stablehlo.and": _logical(np.bitwise_and, np.logical_and),
    "stablehlo.bitcast_convert": _bitcast,
    "stablehlo.broadcast_in_dim": _broadcast,
    "stablehlo.compare": _elementwise(_compare),
    "stablehlo.complex": _plain(_complex),
    "stablehlo.concatenate": _concatenate,
    "stablehlo.convert": _elementwise(
        lambda op, x: convert(x, numpy_of(op.operation.results[0].type))
    ),
    "stablehlo.imag": _plain(np.imag),
    "stablehlo.is_finite": _plain(np.isfinite),
    "stablehlo.maximum": _logical(np.maximum, np.logical_or),
    "stablehlo.minimum": _logical(np.minimum, np.logical_and),
    "stablehlo.multiply": _logical(np.multiply, np.logical_and),
    "stablehlo.negate": _plain(np.negative),
    "stablehlo.not": _logical(np.invert, np.logical_not),
    "stablehlo.or": _logical(np.bitwise_or, np.logical_or),
    "stablehlo.real": _plain(np.real),
    "stablehlo.remainder": _remainder,
    "stablehlo.reshape": _reshape,
    "stablehlo.select": _elementwise(_select),
    "stablehlo.shift_left": _elementwise(_shift(np.left_shift)),
    "stablehlo.shift_right_logical": _elementwise(_shift(np.right_shift)),
    "stablehlo.slice": _slice,
    "stablehlo.subtract": _plain(np.subtract),
    "stablehlo.transpose": _transpose,
    "stablehlo.xor": _logical(np.bitwise_xor, np.logical_xor),
}
