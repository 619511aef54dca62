"""Reductions along dimensions, and cumulative ones."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ttmlir.builder import Tensor
from ttmlir.frontends.data_movement import reshaped
from ttmlir.frontends.onnx._op import Handler, Op, Result, Value, axis_of, handles, shape_of
from ttmlir.frontends.onnx._types import FLOATS, NUMPY, highest, lowest

_EXTREMA = {"ReduceMax": ("max", "reduce_or"), "ReduceMin": ("min", "reduce_and")}
#: From these versions on, the dimensions are an input instead of an attribute.
_INPUT_SINCE = {"ReduceSum": 13}
_INPUT_SINCE_OTHERS = 18


def dims_of(op: Op, rank: int, axes: Value) -> list[int]:
    """Returns the dimensions that an op reduces, in ascending order."""
    since = _INPUT_SINCE.get(op.node.op_type, _INPUT_SINCE_OTHERS)
    given = op.integers("axes") if op.since < since else None
    if op.since >= since and axes is not None:
        given = op.ints(axes, "the axes")
    if not given:
        return [] if op.integer("noop_with_empty_axes") else list(range(rank))
    return sorted({axis_of(d, rank) for d in given})


def reduced(op: Op, name: str, x: Tensor, dims: Sequence[int], keep: bool = True) -> Tensor:
    """Builds a reduction of TTIR; without dimensions, returns the tensor itself."""
    if not dims:
        return x
    found = op.b._reduction(name, x, list(dims), keep, None)
    shape = [1 if d in dims else n for d, n in enumerate(x.shape)]
    return reshaped(op, found, [n for d, n in enumerate(shape) if keep or d not in dims])


def _wide(op: Op, x: Tensor) -> Tensor:
    """Converts the tensor to the dtype for sums."""
    return op.cast(x, "f32") if x.dtype in ("bf16", "f16") else x


def _log_sum_exp(op: Op, x: Tensor, dims: Sequence[int], keep: bool) -> Tensor:
    b = op.b
    most = reduced(op, "max", x, dims)
    infinite = op.compare("eq", b.abs(most), op.tensor(math.inf, x.dtype))
    most = b.where(infinite, op.tensor(0.0, x.dtype), most)
    total = b.log(reduced(op, "sum", b.exp(b.subtract(x, most)), dims))
    found = b.add(total, most)
    return reshaped(op, found, [n for d, n in enumerate(found.shape) if keep or d not in dims])


def reduction(op: Op, x: Tensor, dims: Sequence[int], keep: bool) -> Tensor:
    """Builds the reduction of an ONNX op in the dtype of the tensor."""
    b, name = op.b, op.node.op_type
    if name in _EXTREMA:
        of_numbers, of_truths = _EXTREMA[name]
        return reduced(op, of_truths if x.dtype == "bool" else of_numbers, x, dims, keep)
    wide = _wide(op, x)
    if name in ("ReduceSum", "ReduceLogSum"):
        found = reduced(op, "sum", wide, dims, keep)
    elif name == "ReduceMean":
        found = _mean(op, wide, dims, keep)
    elif name == "ReduceProd":
        found = reduced(op, "prod", wide, dims, keep)
    elif name == "ReduceL1":
        found = reduced(op, "sum", b.abs(wide), dims, keep)
    elif name in ("ReduceL2", "ReduceSumSquare"):
        found = reduced(op, "sum", b.multiply(wide, wide), dims, keep)
    else:
        is_float = wide.dtype in FLOATS
        wide = wide if is_float else op.cast(wide, "f32")
        found = _log_sum_exp(op, wide, dims, keep)
    if name in ("ReduceL2", "ReduceLogSum"):
        real = found if found.dtype in FLOATS else op.cast(found, "f32")
        found = b.sqrt(real) if name == "ReduceL2" else b.log(real)
    return op.cast(found, x.dtype)


def _mean(op: Op, x: Tensor, dims: Sequence[int], keep: bool) -> Tensor:
    if x.dtype in FLOATS:
        return reduced(op, "mean", x, dims, keep)
    total = reduced(op, "sum", x, dims, keep)
    count = math.prod(x.shape[d] for d in dims)
    return op.b.div(total, op.tensor(count, x.dtype))


@handles(
    "ReduceL1",
    "ReduceL2",
    "ReduceLogSum",
    "ReduceLogSumExp",
    "ReduceMax",
    "ReduceMean",
    "ReduceMin",
    "ReduceProd",
    "ReduceSum",
    "ReduceSumSquare",
)
def _reduce(op: Op, x: Value, axes: Value = None) -> Result:
    shape, keep = shape_of(x), bool(op.integer("keepdims", 1))
    dims = dims_of(op, len(shape), axes)
    if isinstance(x, np.ndarray) and not x.size:
        return _of_nothing(op, x, dims, keep)
    return reduction(op, op.tensor(x), dims, keep)


#: Results of empty reductions that are not 0.
_NOTHING = {"ReduceProd": 1, "ReduceLogSum": -math.inf, "ReduceLogSumExp": -math.inf}


def _of_nothing(op: Op, x: np.ndarray, dims: Sequence[int], keep: bool) -> Result:  # type: ignore[type-arg]
    dtype = op.dtype_of(x)
    value: float | int | bool = _NOTHING.get(op.node.op_type, 0)
    if op.node.op_type in _EXTREMA:
        value = lowest(dtype) if op.node.op_type == "ReduceMax" else highest(dtype)
    if op.node.op_type == "ReduceMean":
        value = math.nan
    shape = [1 if d in dims else n for d, n in enumerate(x.shape) if keep or d not in dims]
    return np.broadcast_to(np.asarray(value, NUMPY[dtype]), shape)


# Variances ---------------------------------------------------------------------------------------


def moments(op: Op, x: Tensor, dims: Sequence[int]) -> tuple[Tensor, Tensor]:
    """Variance and mean along dimensions, which are kept with extent 1."""
    mean = reduced(op, "mean", x, dims)
    centred = op.b.subtract(x, mean)
    return reduced(op, "mean", op.b.multiply(centred, centred), dims), mean


# Cumulative reductions ---------------------------------------------------------------------------


def _running(name: str) -> Handler:
    def handler(op: Op, x: Value, axis: Value) -> Result:
        b, found = op.b, op.tensor(x)
        if not found.rank:
            return found
        dim = axis_of(op.ints(axis, "the axis")[0], found.rank)
        is_reverse = bool(op.integer("reverse"))
        if is_reverse:
            found = b.reverse(found, [dim])
        if op.integer("exclusive"):
            first = 0 if name == "cumsum" else 1
            shape = [1 if d == dim else n for d, n in enumerate(found.shape)]
            start = op.tensor(np.broadcast_to(np.asarray(first), shape), found.dtype)
            if found.shape[dim] == 1:
                return start
            ends = [n - 1 if d == dim else n for d, n in enumerate(found.shape)]
            found = b.concat([start, b.slice(found, [0] * found.rank, ends)], dim)
        found = getattr(b, name)(found, dim)
        return b.reverse(found, [dim]) if is_reverse else found

    return handler


handles("CumSum")(_running("cumsum"))
handles("CumProd")(_running("cumprod"))
