"""Reductions along dimensions."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ttmlir.builder import Tensor
from ttmlir.frontends.data_movement import permuted, reshaped
from ttmlir.frontends.stablehlo._constants import Known, Value
from ttmlir.frontends.stablehlo._elementwise import cast
from ttmlir.frontends.stablehlo._op import Op, Result, handles
from ttmlir.frontends.stablehlo._probe_values import samples
from ttmlir.frontends.stablehlo._types import FLOATS, NUMPY, highest, lowest

#: The reduction and the elementwise op of a body, for numbers.
_NUMBERS = {
    "stablehlo.add": ("sum", "add"),
    "stablehlo.maximum": ("max", "maximum"),
    "stablehlo.minimum": ("min", "minimum"),
    "stablehlo.multiply": ("prod", "multiply"),
}
#: For booleans.
_TRUTHS = {
    "stablehlo.add": ("reduce_or", "logical_or"),
    "stablehlo.and": ("reduce_and", "logical_and"),
    "stablehlo.maximum": ("reduce_or", "logical_or"),
    "stablehlo.minimum": ("reduce_and", "logical_and"),
    "stablehlo.multiply": ("reduce_and", "logical_and"),
    "stablehlo.or": ("reduce_or", "logical_or"),
}


def kind_of(op: Op, dtype: str) -> tuple[str, str] | None:
    """Returns the reduction and the elementwise op that a body of one operand stands for."""
    return (_TRUTHS if dtype == "bool" else _NUMBERS).get(op.body_name())


def neutral(elementwise: str, dtype: str) -> Any:
    """Returns the neutral element of an elementwise op."""
    return {
        "add": 0,
        "multiply": 1,
        "maximum": lowest(dtype),
        "minimum": highest(dtype),
        "logical_or": False,
        "logical_and": True,
    }[elementwise]


def is_neutral(value: Value, elementwise: str, dtype: str) -> bool:
    """Whether an initial value is known to be neutral."""
    found = value.splat() if isinstance(value, Known) else None
    if found is None:
        return False
    # A sum that starts with 0 or -0 differs only in the sign of 0.
    return bool(found == NUMPY[dtype].type(neutral(elementwise, dtype)))


@handles("stablehlo.reduce")
def _reduce(op: Op) -> Result:
    count = len(op.inputs) // 2
    dims = op.ints("dimensions")
    if not dims:
        # Nothing to combine: XLA ignores the initial value.
        return list(op.inputs[:count])
    if any(0 in op.input_shape(i) for i in range(count)):
        return [
            op.result(reshaped(op, op.part(count + i), [1] * len(op.shape(i))), op.shape(i))
            for i in range(count)
        ]
    if count == 1 and (found := kind_of(op, op.dtype())):
        return _known_kind(op, dims, *found)
    if count == 2 and len(dims) == 1 and (both := _extremum(op, dims[0])):
        return list(both)
    return _tree(op, dims)


def _known_kind(op: Op, dims: list[int], reduction: str, elementwise: str) -> Result:
    x = reshaped(op, op.b._reduction(reduction, op.tensor(), dims, False, None), op.shape())
    if is_neutral(op.inputs[1], elementwise, x.dtype):
        return x
    start = op.part(1)
    return op.b._eltwise(elementwise, (x, start), None, dtype=x.dtype)


# Argmax and argmin -------------------------------------------------------------------------------


def _extremum(op: Op, dim: int) -> tuple[Value, Value] | None:
    """Returns maxima or minima and their first indices, if the body computes these."""
    counted = op.importer.counted(op.inputs[1])
    if counted is None or counted[0] != dim or op.dtype(1) in FLOATS:
        return None
    dtype = op.dtype()
    for is_greatest in (True, False):
        best = lowest(dtype) if is_greatest else highest(dtype)
        start = op.splat(2)
        if start is None or start != NUMPY[dtype].type(best) or op.splat(3) != 0:
            continue
        if _chooses(op, dtype, is_greatest):
            return _first_extremum(op, dim, is_greatest, counted[1])
    return None


def _chooses(op: Op, dtype: str, is_greatest: bool) -> bool:
    """Whether a body of two pairs returns the greater (smaller) value and its index, or the smaller
    index for equal ones; NaN takes precedence."""
    own, places = samples(dtype), np.array([0, 3, 7], NUMPY[op.dtype(1)])
    grid = np.meshgrid(own, places, own, places, indexing="ij")
    a, i, b, j = (g.reshape(-1) for g in grid)
    try:
        found = op.run(0, [Known(a), Known(i), Known(b), Known(j)])
    except ValueError:
        return False
    value, place = found
    if not isinstance(value, Known) or not isinstance(place, Known):
        return False
    x, y = a.astype(np.float64), b.astype(np.float64)
    before = (x > y) if is_greatest else (x < y)
    nan_x, nan_y = np.isnan(x), np.isnan(y)
    first = np.where(nan_x | nan_y, nan_x & (~nan_y | (i < j)), before | ((x == y) & (i < j)))
    # For two NaN, bodies take the first value and either index.
    judged = ~(nan_x & nan_y)
    same_place = np.where(judged, place.array == np.where(first, i, j), True)
    want = np.where(first, x, y)
    got = value.array.astype(np.float64)
    return bool(same_place.all() and ((got == want) | (np.isnan(got) & np.isnan(want))).all())


def _first_extremum(
    op: Op, dim: int, is_greatest: bool, begin: Tensor | None
) -> tuple[Value, Value]:
    x = op.tensor()
    ordered = cast(op, x, "u8") if x.dtype == "bool" else x
    if not is_greatest:
        ordered = op.b.neg(ordered) if x.dtype in FLOATS else op.b.bitwise_not(ordered)
    place = op.b.argmax(ordered, dim)
    names = {(True, True): "reduce_or", (True, False): "reduce_and"}
    reduction = names.get((x.dtype == "bool", is_greatest), "max" if is_greatest else "min")
    value = op.b._reduction(reduction, x, dim, False, None)
    place = cast(op, reshaped(op, place, op.shape(1)), op.dtype(1))
    if begin is not None:
        first = reshaped(op, begin, [1] * place.rank)
        place = op.b.add(place, cast(op, first, place.dtype))
    return reshaped(op, value, op.shape()), place


# Any body ---------------------------------------------------------------------------------------


def _tree(op: Op, dims: list[int]) -> list[Value]:
    """Reduces with any body: combines neighbours until one element is left."""
    count = len(op.inputs) // 2
    rest = [d for d in range(len(op.input_shape())) if d not in dims]
    extent = math.prod(op.input_shape()[d] for d in dims)
    values = []
    for i in range(count):
        x = permuted(op, op.tensor(i), [*dims, *rest])
        values.append(reshaped(op, x, (extent, *(op.input_shape()[d] for d in rest))))
    values = pairwise(op, values, lambda *both: op.run(0, both))
    shape = op.shape()
    found = op.run(0, [*op.inputs[count:], *(reshaped(op, v, shape) for v in values)])
    return [as_shape(op, value, shape) for value in found]


def as_shape(op: Op, value: Value, shape: tuple[int, ...]) -> Value:
    """Broadcasts a value returned by a body, which may be a scalar constant."""
    part = op.importer.part(value)
    if part.rank < len(shape):
        part = reshaped(op, part, [1] * (len(shape) - part.rank) + list(part.shape))
    return op.result(part, shape)


def pairwise(op: Op, values: list[Tensor], combine: Callable[..., Sequence[Value]]) -> list[Tensor]:
    """Combines the elements along dimension 0, neighbours first, and keeps their order."""
    b = op.b
    while (extent := values[0].shape[0]) > 1:
        even = extent - extent % 2

        def every_second(x: Tensor, begin: int, end: int = even) -> Tensor:
            zeros = [0] * (x.rank - 1)
            ends = [end, *x.shape[1:]]
            return b.slice(x, [begin, *zeros], ends, [2, *(1 for _ in zeros)])

        left = [every_second(x, 0) for x in values]
        right = [every_second(x, 1) for x in values]
        shape = left[0].shape
        combined = [
            op.importer.tensor(as_shape(op, value, shape)) for value in combine(*left, *right)
        ]
        if extent % 2:
            zeros = [0] * (values[0].rank - 1)
            last = [b.slice(x, [even, *zeros], list(x.shape)) for x in values]
            combined = [b.concat([c, x], 0) for c, x in zip(combined, last, strict=True)]
        values = combined
    return values


@handles("stablehlo.map")
def _map(op: Op) -> Result:
    return [as_shape(op, value, op.shape()) for value in op.run(0, op.inputs)]
