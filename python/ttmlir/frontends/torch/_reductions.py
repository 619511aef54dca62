"""Reductions along dimensions, and cumulative ones."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import torch

from ttmlir.builder import Tensor
from ttmlir.frontends.data_movement import reshaped, sliced
from ttmlir.frontends.scatter_gather import first_place
from ttmlir.frontends.torch._elementwise import truth
from ttmlir.frontends.torch._op import HANDLERS, Handler, Op, Operand, Result, handles
from ttmlir.frontends.torch._types import FLOATS

_EXTREMA = {"amax": ("max", "reduce_or"), "amin": ("min", "reduce_and")}
_RUNNING = ("cumsum", "cumprod")
Dims = int | Sequence[int] | None


def dims_of(op: Op, dim: Dims, rank: int) -> list[int]:
    """Returns the dimensions that an op reduces, in ascending order; all by default."""
    if dim is None or (not isinstance(dim, int) and not len(dim)):
        return list(range(rank))
    given = [dim] if isinstance(dim, int) else list(dim)
    return sorted({d % rank for d in given}) if rank else []


def reduced(op: Op, name: str, x: Tensor, dims: Sequence[int], keep: bool = True) -> Tensor:
    """Builds a reduction of TTIR; without dimensions, returns the tensor itself."""
    if not dims:
        return x
    found = op.b._reduction(name, x, list(dims), keep, None)
    shape = [1 if d in dims else n for d, n in enumerate(x.shape)]
    return reshaped(op, found, [n for d, n in enumerate(shape) if keep or d not in dims])


def _shaped(op: Op, x: Tensor, i: int = 0) -> Tensor:
    return reshaped(op, x, op.shape(i))


@handles("aten.sum")
def _sum(
    op: Op, self: Operand, dim: Dims = None, keepdim: bool = False, dtype: Any = None
) -> Result:
    x = op.tensor(self, op.dtype())
    return _shaped(op, reduced(op, "sum", x, dims_of(op, dim, x.rank)))


@handles("aten.mean")
def _mean(
    op: Op, self: Operand, dim: Any = None, keepdim: bool = False, dtype: Any = None
) -> Result:
    x = op.tensor(self, op.dtype())
    dims = dims_of(op, dim if not isinstance(dim, torch.dtype) else None, x.rank)
    return _shaped(op, reduced(op, "mean", x, dims))


@handles("aten.prod.default")
def _prod(op: Op, self: Operand, dtype: Any = None) -> Result:
    x = op.tensor(self, op.dtype())
    return _shaped(op, reduced(op, "prod", x, range(x.rank)))


@handles("aten.prod.dim_int")
def _prod_dim(op: Op, self: Operand, dim: int, keepdim: bool = False, dtype: Any = None) -> Result:
    x = op.tensor(self, op.dtype())
    return _shaped(op, reduced(op, "prod", x, dims_of(op, dim, x.rank)))


def _extremum(op: Op, name: str, x: Tensor, dims: Sequence[int]) -> Tensor:
    of_numbers, of_truths = _EXTREMA[name]
    return reduced(op, of_truths if x.dtype == "bool" else of_numbers, x, dims)


def _extremum_handler(name: str) -> Handler:
    def handler(op: Op, self: Operand, dim: Dims = None, keepdim: bool = False) -> Result:
        x = op.tensor(self)
        return _shaped(op, _extremum(op, name, x, dims_of(op, dim, x.rank)))

    return handler


for _name in _EXTREMA:
    HANDLERS[f"aten.{_name}"] = _extremum_handler(_name)


@handles("aten.max.default")
def _max(op: Op, self: Operand) -> Result:
    x = op.tensor(self)
    return _shaped(op, _extremum(op, "amax", x, range(x.rank)))


@handles("aten.min.default")
def _min(op: Op, self: Operand) -> Result:
    x = op.tensor(self)
    return _shaped(op, _extremum(op, "amin", x, range(x.rank)))


@handles("aten.argmax", "aten.argmin")
def _arg(op: Op, self: Operand, dim: int | None = None, keepdim: bool = False) -> Result:
    x = op.tensor(self)
    if not x.rank:
        return torch.zeros(op.shape(), dtype=torch.int64)
    if dim is None:
        x, dim = reshaped(op, x, (math.prod(x.shape),)), 0
    place = first_place(op, x, dim % x.rank, "argmax" in op.name)
    return op.cast(_shaped(op, place), op.dtype())


@handles("aten.max.dim", "aten.min.dim")
def _with_place(op: Op, self: Operand, dim: int, keepdim: bool = False) -> Result:
    x = op.tensor(self)
    name = "amax" if "max" in op.name else "amin"
    values = _shaped(op, _extremum(op, name, x, dims_of(op, dim, x.rank)))
    if not op.is_used(1):
        return [values, None]
    if not x.rank:
        return [values, torch.zeros((), dtype=torch.int64)]
    place = first_place(op, x, dim % x.rank, name == "amax")
    return [values, op.cast(_shaped(op, place, 1), op.dtype(1))]


@handles("aten.any", "aten.all")
def _any(op: Op, self: Operand, dim: Dims = None, keepdim: bool = False) -> Result:
    x = truth(op, self)
    name = "reduce_or" if ".any" in op.name else "reduce_and"
    found = _shaped(op, reduced(op, name, x, dims_of(op, dim, x.rank)))
    return op.cast(found, op.dtype())


# Variances ---------------------------------------------------------------------------------------


def moments(op: Op, x: Tensor, dims: Sequence[int], correction: float = 0) -> tuple[Tensor, Tensor]:
    """Variance and mean along dimensions, which are kept with extent 1."""
    b = op.b
    mean = reduced(op, "mean", x, dims)
    centred = b.subtract(x, mean)
    count = math.prod(x.shape[d] for d in dims)
    square = b.multiply(centred, centred)
    if not correction:
        return reduced(op, "mean", square, dims), mean
    total = reduced(op, "sum", square, dims)
    divisor = op.tensor(float(max(count - correction, 0)), x.dtype)
    if op.importer.counts.bounds:
        # A count may be less than the correction, unlike its bound.
        divisor = b.maximum(divisor, op.tensor(0.0, x.dtype))
    return b.div(total, divisor), mean


@handles("aten.var.correction", "aten.var.dim", "aten.var.default", "aten.std.correction")
def _var(
    op: Op,
    self: Operand,
    dim: Any = None,
    unbiased: bool = True,
    keepdim: bool = False,
    *,
    correction: float | None = None,
) -> Result:
    found = _variance(op, self, dim, unbiased, correction)[0]
    return _shaped(op, op.b.sqrt(found) if ".std" in op.name else found)


@handles("aten.var_mean.correction", "aten.std_mean.correction")
def _var_mean(
    op: Op,
    self: Operand,
    dim: Any = None,
    *,
    correction: float | None = None,
    keepdim: bool = False,
) -> Result:
    variance, mean = _variance(op, self, dim, True, correction)
    if ".std" in op.name:
        variance = op.b.sqrt(variance)
    return [_shaped(op, variance), _shaped(op, mean, 1)]


def _variance(
    op: Op, self: Operand, dim: Any, unbiased: bool, correction: float | None
) -> tuple[Tensor, Tensor]:
    x = op.tensor(self, op.dtype())
    if isinstance(dim, bool):
        dim, unbiased = None, dim
    default = 1 if unbiased or ".correction" in op.name else 0
    return moments(op, x, dims_of(op, dim, x.rank), default if correction is None else correction)


@handles("aten.linalg_vector_norm")
def _vector_norm(
    op: Op,
    self: Operand,
    ord: float = 2,
    dim: Dims = None,
    keepdim: bool = False,
    dtype: Any = None,
) -> Result:
    b, own = op.b, op.dtype()
    x = b.abs(op.tensor(self, own))
    dims = dims_of(op, dim, x.rank)
    if ord in (math.inf, -math.inf):
        found = _extremum(op, "amax" if ord > 0 else "amin", x, dims)
    elif ord == 0:
        found = reduced(op, "sum", op.cast(op.compare("ne", x, op.tensor(0.0, own)), own), dims)
    elif ord == 1:
        found = reduced(op, "sum", x, dims)
    elif ord == 2:
        found = b.sqrt(reduced(op, "sum", b.multiply(x, x), dims))
    else:
        powers = b.power(x, op.tensor(float(ord), own))
        found = b.power(reduced(op, "sum", powers, dims), op.tensor(1 / ord, own))
    return _shaped(op, found)


# Cumulative reductions ---------------------------------------------------------------------------


def _running(name: str) -> Handler:
    def handler(op: Op, self: Operand, dim: int, dtype: Any = None) -> Result:
        x = op.tensor(self, op.dtype())
        return x if not x.rank else getattr(op.b, name)(x, dim % x.rank)

    return handler


for _name in _RUNNING:
    HANDLERS[f"aten.{_name}"] = _running(_name)


@handles("aten.logcumsumexp")
def _logcumsumexp(op: Op, self: Operand, dim: int) -> Result:
    b, dtype = op.b, op.dtype()
    x = op.tensor(self, "f32" if dtype in ("bf16", "f16") else dtype)
    if not x.rank:
        return op.cast(x, dtype)
    dim %= x.rank
    nothing = op.tensor(-math.inf, x.dtype)
    step = 1
    # Distances of 1, 2, 4 and so on.
    while step < x.shape[dim]:
        shape = [step if d == dim else n for d, n in enumerate(x.shape)]
        kept = sliced(op, x, dim, 0, x.shape[dim] - step)
        before = b.concat([op.b.broadcast(nothing, shape), kept], dim)
        most = b.maximum(x, before)
        gap = b.neg(b.abs(b.subtract(x, before)))
        total = b.add(most, b.log1p(b.exp(gap)))
        same = op.compare("eq", b.abs(most), op.tensor(math.inf, x.dtype))
        x = b.where(same, most, total)
        step *= 2
    return op.cast(x, dtype)


@handles("aten.cummax", "aten.cummin")
def _cummax(op: Op, self: Operand, dim: int) -> Result:
    x = op.tensor(self)
    if not x.rank:
        return [x, torch.zeros((), dtype=torch.int64)]
    dim %= x.rank
    ordered = op.cast(x, "u8") if x.dtype == "bool" else x
    name = "cummax" if "cummax" in op.name else "cummin"
    found = getattr(op.b, name)(ordered, dim)
    values = op.cast(found, x.dtype)
    if not op.is_used(1):
        return [values, None]
    # The last index of the running extremum.
    extents = [n if d == dim else 1 for d, n in enumerate(x.shape)]
    places = op.tensor(torch.arange(x.shape[dim], dtype=torch.int32).reshape(extents))
    met = op.compare("eq", ordered, found)
    if x.dtype in FLOATS:
        met = op.b.logical_or(met, op.compare("ne", x, x))
    here = op.b.where(met, places, op.tensor(-1, "i32"))
    return [values, op.cast(op.b.cummax(here, dim), op.dtype(1))]
