"""Ops with computed masks."""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch

from ttmlir.builder import Tensor
from ttmlir.frontends.data_movement import reshaped, spread, taken
from ttmlir.frontends.torch._op import Op, Operand, Result, handles

#: The type of indices.
INDEX = "i32"


def is_mask(index: Operand | None) -> bool:
    """Whether an index is a computed mask."""
    return isinstance(index, Tensor) and index.dtype in ("bool", "u8")


def numbers(op: Op, flat: Tensor) -> Tensor:
    """Counts the true elements before each element of a one-dimensional mask."""
    return op.b.subtract(op.b.cumsum(op.cast(flat, INDEX), 0), op.tensor(1, INDEX))


@handles("aten.masked_fill")
def _masked_fill(op: Op, self: Operand, mask: Operand, value: Operand) -> Result:
    dtype = op.dtype()
    return op.b.where(op.tensor(mask, "bool"), op.tensor(value, dtype), op.tensor(self, dtype))


@handles("aten.masked_scatter")
def _masked_scatter(op: Op, self: Operand, mask: Operand, source: Operand) -> Result:
    b, dtype, shape = op.b, op.dtype(), op.shape()
    count = math.prod(shape)
    chosen = op.tensor(mask, "bool")
    chosen = reshaped(op, chosen, (1,) * (len(shape) - chosen.rank) + chosen.shape)
    chosen = reshaped(op, spread(op, chosen, shape), (count,))
    before = numbers(op, chosen)
    values = op.tensor(source, dtype)
    flat = reshaped(op, values, (math.prod(values.shape),))
    new = taken(op, flat, 0, before)
    x = op.tensor(self, dtype)
    x = spread(op, reshaped(op, x, (1,) * (len(shape) - x.rank) + x.shape), shape)
    return reshaped(op, b.where(chosen, new, reshaped(op, x, (count,))), shape)


@handles("aten.masked_scatter_backward")
def _masked_scatter_backward(
    op: Op, grad_output: Operand, mask: Operand, sizes: Sequence[int]
) -> Result:
    b, gradient = op.b, op.tensor(grad_output)
    count = math.prod(gradient.shape)
    chosen = reshaped(op, spread(op, op.tensor(mask, "bool"), gradient.shape), (count,))
    order = numbers(op, chosen)
    # Elements that are not selected get an out-of-bounds index, which is skipped.
    order = b.where(chosen, order, op.tensor(math.prod(sizes), INDEX))
    zeros = op.tensor(torch.zeros(()).expand(math.prod(sizes)), gradient.dtype)
    flat = reshaped(op, gradient, (count,))
    return reshaped(op, b.scatter_dim(zeros, order, flat, 0, "add"), op.shape())
