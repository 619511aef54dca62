"""Distances between points."""

from __future__ import annotations

import math

import torch

from ttmlir.builder import Tensor
from ttmlir.frontends.data_movement import reshaped
from ttmlir.frontends.torch._elementwise import build
from ttmlir.frontends.torch._op import Op, Operand, Result, handles


@handles("aten._cdist_forward")
def _cdist(op: Op, x1: Operand, x2: Operand, p: float, compute_mode: int | None = None) -> Result:
    return reshaped(op, distance(op, _differences(op, x1, x2), p), op.shape())


def _differences(op: Op, x1: Operand, x2: Operand) -> Tensor:
    """Differences of all pairs of points."""
    dtype = op.dtype()
    x, y = op.tensor(x1, dtype), op.tensor(x2, dtype)
    x = reshaped(op, x, (*x.shape[:-1], 1, x.shape[-1]))
    y = reshaped(op, y, (*y.shape[:-2], 1, *y.shape[-2:]))
    return op.b.subtract(x, y)


@handles("aten._cdist_backward")
def _cdist_backward(
    op: Op, grad: Operand, x1: Operand, x2: Operand, p: float, cdist: Operand
) -> Result:
    b, dtype = op.b, op.dtype()
    difference = _differences(op, x1, x2)
    g, length = (op.tensor(t, dtype) for t in (grad, cdist))
    g, length = (reshaped(op, t, (*t.shape, 1)) for t in (g, length))
    zero, one = op.tensor(0.0, dtype), op.tensor(1.0, dtype)
    sign, magnitude = b.sign(difference), b.abs(difference)
    if p == 0:
        part = b.multiply(sign, zero)
    elif p == 1:
        part = sign
    elif p == math.inf:
        part = b.multiply(sign, op.cast(op.compare("eq", magnitude, length), dtype))
    else:
        # Equal points have no gradient.
        safe = b.where(op.compare("eq", length, zero), one, length)
        ratio = b.div(magnitude, safe)
        moved = op.compare("ne", magnitude, zero)
        power = ratio if p == 2 else b.power(ratio, op.tensor(p - 1, dtype))
        part = b.where(moved, b.multiply(sign, power), zero)
    return reshaped(op, b.sum(b.multiply(part, g), -2), op.shape())


@handles("aten.dist")
def _dist(op: Op, self: Operand, other: Operand, p: float = 2) -> Result:
    difference = build(op, "subtract", self, other)
    flat = reshaped(op, difference, (1, math.prod(difference.shape)))
    return reshaped(op, distance(op, flat, p), op.shape())


@handles("aten._pdist_forward")
def _pdist(op: Op, self: Operand, p: float = 2) -> Result:
    x = op.tensor(self, op.dtype())
    count, width = x.shape
    one = reshaped(op, x, (count, 1, width))
    other = reshaped(op, x, (1, count, width))
    found = distance(op, op.b.subtract(one, other), p)
    rows, columns = torch.triu_indices(count, count, 1)
    index = op.tensor((rows * count + columns).to(torch.int32))
    flat = reshaped(op, found, (count * count,))
    return op.b.gather_dim(flat, index, 0)


def distance(op: Op, difference: Tensor, p: float) -> Tensor:
    """Norm of order ``p`` along the last dimension."""
    b, dtype = op.b, difference.dtype
    x = b.abs(difference)
    if p == 0:
        return b.sum(op.cast(op.compare("ne", x, op.tensor(0.0, dtype)), dtype), -1)
    if p == 1:
        return b.sum(x, -1)
    if p == 2:
        return b.sqrt(b.sum(b.multiply(x, x), -1))
    if p == math.inf:
        return b.max(x, -1)
    if p == -math.inf:
        return b.min(x, -1)
    total = b.sum(b.power(x, op.tensor(float(p), dtype)), -1)
    return b.power(total, op.tensor(1 / p, dtype))
