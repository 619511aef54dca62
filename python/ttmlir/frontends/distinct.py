"""The distinct elements, or rows, of a tensor."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from ttmlir.builder import Builder, Tensor
from ttmlir.frontends.counted import chosen
from ttmlir.frontends.data_movement import reshaped, sliced, taken

_INDEX = "i32"


class Op(Protocol):
    """An op of the source, built with ``b``."""

    @property
    def b(self) -> Builder: ...
    def cast(self, x: Tensor, dtype: str) -> Tensor: ...
    def compare(self, name: str, x: Tensor, y: Tensor) -> Tensor: ...


@dataclass(frozen=True)
class Distinct:
    """The distinct rows of a tensor (n, ...): the first ``number`` (1,) of ``rows``, the numbers of
    their first occurrences, and how often they occur; for each row of the tensor, ``inverse`` has
    the number among them."""

    number: Tensor
    rows: Tensor
    firsts: Tensor
    counts: Tensor
    inverse: Tensor


def distinct(
    op: Op, x: Tensor, *, consecutive: bool = False, by_place: bool = False, one_nan: bool = False
) -> Distinct:
    """Finds the distinct rows.

    Args:
        op: the op to build.
        x: rows along the first dimension.
        consecutive: only compare neighbours, and do not sort.
        by_place: order rows by first occurrence instead of by their elements.
        one_nan: whether NaN is equal to NaN.
    """
    b, dtype = op.b, x.dtype
    n, width = x.shape[0], int(np.prod(x.shape[1:]))
    flat = reshaped(op, op.cast(x, "u8") if dtype == "bool" else x, (n, width))
    columns = [reshaped(op, sliced(op, flat, 1, i, i + 1), (n,)) for i in range(width)]
    places = b.arange((n,), dtype=_INDEX)
    order = places
    if not consecutive:
        *columns, order = b.sort(columns, 0, num_keys=width)
    begins = _begins(op, columns, one_nan)
    numbers = b.cumsum(op.cast(begins, _INDEX), 0)
    numbers = b.subtract(numbers, _one(b))
    first, number = chosen(b, begins)
    firsts = taken(op, order, 0, first)
    zeros = b.subtract(places, places)
    found = Distinct(
        number,
        taken(op, flat, 0, firsts),
        firsts,
        b.scatter_dim(zeros, numbers, b.add(zeros, _one(b)), 0, "add"),
        b.scatter_dim(zeros, order, numbers, 0, "set"),
    )
    if by_place:
        found = _by_place(op, found, places)
    rows = reshaped(op, op.cast(found.rows, dtype), x.shape)
    return replace(found, rows=rows)


def _begins(op: Op, columns: list[Tensor], one_nan: bool) -> Tensor:
    """Returns which rows differ from the one before."""
    b, n = op.b, columns[0].shape[0]
    found: Tensor | None = None
    for column in columns if n > 1 else []:
        before, here = sliced(op, column, 0, 0, n - 1), sliced(op, column, 0, 1, n)
        own = op.compare("ne", before, here)
        if one_nan and column.dtype.startswith(("f", "bf")):
            nans = b.logical_and(op.compare("ne", before, before), op.compare("ne", here, here))
            own = b.logical_and(own, b.logical_not(nans))
        found = own if found is None else b.logical_or(found, own)
    first = b.constant(True, shape=(1,), dtype="bool")
    return first if found is None else b.concat([first, found], 0)


def _by_place(op: Op, found: Distinct, places: Tensor) -> Distinct:
    b = op.b
    exists = op.compare("lt", places, found.number)
    last = b.constant(np.iinfo(np.int32).max, shape=(1,), dtype=_INDEX)
    order = b.argsort(b.where(exists, found.firsts, last), 0)
    numbers = b.scatter_dim(places, order, places, 0, "set")
    return Distinct(
        found.number,
        taken(op, found.rows, 0, order),
        taken(op, found.firsts, 0, order),
        taken(op, found.counts, 0, order),
        taken(op, numbers, 0, found.inverse),
    )


def _one(b: Builder) -> Tensor:
    return b.constant(1, shape=(1,), dtype=_INDEX)
