"""Grouped matrix products, and histograms."""

from __future__ import annotations

import math

import torch

from ttmlir.builder import Tensor
from ttmlir.frontends.data_movement import reshaped
from ttmlir.frontends.torch._op import Op, Operand, Result, handles, shape_of
from ttmlir.frontends.torch._reductions import reduced

_COUNTS = "only rows in groups, of two dimensions, with matrices, of three, are supported"


@handles("aten._grouped_mm")
def _grouped_mm(
    op: Op,
    self: Operand,
    mat2: Operand,
    offs: Operand | None = None,
    bias: Operand | None = None,
    out_dtype: torch.dtype | None = None,
) -> Result:
    if bias is not None:
        raise op.fail("a bias is not supported: add it to the rows")
    ranks = len(shape_of(self)), len(shape_of(mat2))
    dtype = op.dtype()
    if ranks == (3, 3) and offs is None:
        return op.b.matmul(op.tensor(self, dtype), op.tensor(mat2, dtype))
    if ranks != (2, 3) or offs is None:
        raise op.fail(_COUNTS)
    return _by_group(op, op.tensor(self, dtype), op.tensor(mat2, dtype), op.tensor(offs))


@handles("transformers.grouped_mm_fallback")
def _grouped_mm_of_library(op: Op, input: Operand, weight: Operand, offs: Operand) -> Result:
    return _grouped_mm(op, input, weight, offs)


def _by_group(op: Op, rows: Tensor, matrices: Tensor, ends: Tensor) -> Tensor:
    """Multiplies each row by the matrix of its group: the rows of group i end before ``ends[i]``.
    Rows after the last group are 0.

    All rows are multiplied by all matrices, because the group boundaries are only known at run
    time.
    """
    b, count, groups = op.b, rows.shape[0], matrices.shape[0]
    places = op.tensor(torch.arange(count, dtype=torch.int32)[None])
    ends = reshaped(op, op.cast(ends, "i32"), (groups, 1))
    before = op.compare("lt", places, ends)
    own = before
    if groups > 1:
        # Rows before the group's end that are in no earlier group.
        earlier = b.slice(before, [0, 0], [groups - 1, count])
        first = op.tensor(torch.zeros(1, count, dtype=torch.bool))
        own = b.logical_and(before, b.logical_not(b.concat([first, earlier], 0)))
    products = b.matmul(reshaped(op, rows, (1, *rows.shape)), matrices)
    chosen = b.where(reshaped(op, own, (groups, count, 1)), products, op.tensor(0.0, rows.dtype))
    return reduced(op, "sum", chosen, [0], keep=False)


@handles("aten.histc")
def _histc(op: Op, self: Operand, bins: int = 100, min: float = 0, max: float = 0) -> Result:
    b, dtype = op.b, op.dtype()
    x = op.tensor(self, dtype)
    x = op.cast(reshaped(op, x, (math.prod(x.shape), 1)), "f32")
    low, high = op.tensor(float(min), "f32"), op.tensor(float(max), "f32")
    if min == max:
        # From the elements themselves, widened by one on both sides if they are equal.
        low, high = b.min(x, [0, 1], True), b.max(x, [0, 1], True)
        equal = op.cast(op.compare("eq", low, high), "f32")
        low, high = b.subtract(low, equal), b.add(high, equal)
    scaled = b.multiply(b.subtract(x, low), op.tensor(float(bins), "f32"))
    place = b.floor(b.div(scaled, b.subtract(high, low)))
    # The last bin includes its upper end.
    place = b.minimum(place, op.tensor(float(bins - 1), "f32"))
    inside = b.logical_and(op.compare("ge", x, low), op.compare("le", x, high))
    ours = op.compare("eq", place, op.tensor(torch.arange(bins, dtype=torch.float32)[None]))
    counted = op.cast(b.logical_and(ours, inside), "f32")
    return op.cast(reduced(op, "sum", counted, [0], keep=False), dtype)
