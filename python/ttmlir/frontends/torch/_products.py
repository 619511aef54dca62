"""Products of matrices."""

from __future__ import annotations

import math
from typing import Any

import torch

from ttmlir.builder import Tensor
from ttmlir.frontends.torch._elementwise import build
from ttmlir.frontends.torch._op import Op, Operand, Result, handles, shape_of
from ttmlir.frontends.torch._shapes import reshaped
from ttmlir.frontends.torch._types import FLOATS


def with_rank(op: Op, x: Tensor, rank: int) -> Tensor:
    """The tensor with extents of 1 in front."""
    return reshaped(op, x, (1,) * (rank - x.rank) + x.shape)


def _product(op: Op, a: Operand, b: Operand) -> Tensor | torch.Tensor:
    """A product of matrices of the op's dtype."""
    if 0 in shape_of(a) or 0 in shape_of(b):
        return torch.zeros((), dtype=op.meta().dtype).expand(op.shape())
    dtype = op.dtype()
    return op.b.matmul(op.tensor(a, dtype), op.tensor(b, dtype))


@handles("aten.mm", "aten.bmm")
def _mm(op: Op, self: Operand, mat2: Operand) -> Result:
    return _product(op, self, mat2)


@handles("aten.matmul")
def _matmul(op: Op, self: Operand, other: Operand) -> Result:
    dtype = op.dtype()
    a, b = op.tensor(self, dtype), op.tensor(other, dtype)
    a = reshaped(op, a, (1, *a.shape)) if a.rank == 1 else a
    b = reshaped(op, b, (*b.shape, 1)) if b.rank == 1 else b
    rank = max(a.rank, b.rank)
    found = op.b.matmul(with_rank(op, a, rank), with_rank(op, b, rank))
    return reshaped(op, found, op.shape())


@handles("aten.mv", "aten.dot", "aten.vdot")
def _mv(op: Op, self: Operand, vec: Operand) -> Result:
    dtype = op.dtype()
    if 0 in shape_of(self):
        return torch.zeros(op.shape(), dtype=op.meta().dtype)
    a, b = op.tensor(self, dtype), op.tensor(vec, dtype)
    a = reshaped(op, a, (1, *a.shape)) if a.rank == 1 else a
    return reshaped(op, op.b.matmul(a, reshaped(op, b, (*b.shape, 1))), op.shape())


@handles("aten.addmm", "aten.baddbmm", "aten.addbmm", "aten.addmv")
def _addmm(
    op: Op, self: Operand, mat1: Operand, mat2: Operand, *, beta: Any = 1, alpha: Any = 1
) -> Result:
    b, dtype = op.b, op.dtype()
    name = op.name.split(".")[1]
    empty = 0 in shape_of(mat1) or 0 in shape_of(mat2)
    plain = beta == 1 and alpha == 1 and name in ("addmm", "baddbmm")
    if plain and not empty and dtype in FLOATS:
        return b.linear(op.tensor(mat1, dtype), op.tensor(mat2, dtype), op.tensor(self, dtype))
    product: Tensor | torch.Tensor
    if empty:
        product = torch.zeros((), dtype=op.meta().dtype).expand(op.shape())
    else:
        left, right = op.tensor(mat1, dtype), op.tensor(mat2, dtype)
        if name == "addmv":
            right = reshaped(op, right, (*right.shape, 1))
        product = b.matmul(left, right)
        if name == "addbmm":
            product = b.sum(product, [0], False)
        product = reshaped(op, product, op.shape())
    scaled: Operand = product if alpha == 1 else build(op, "multiply", product, alpha)
    if beta == 0:
        return op.tensor(scaled)
    own: Operand = self if beta == 1 else build(op, "multiply", self, beta)
    return build(op, "add", own, scaled)


@handles("aten.linear")
def _linear(op: Op, input: Operand, weight: Operand, bias: Operand | None = None) -> Result:
    b, dtype = op.b, op.dtype()
    offset = None if bias is None else op.tensor(bias, dtype)
    if 0 in shape_of(input) or 0 in shape_of(weight):
        zeros = torch.zeros((), dtype=op.meta().dtype).expand(op.shape())
        return zeros if offset is None else build(op, "add", zeros, offset)
    x, w = op.tensor(input, dtype), op.tensor(weight, dtype)
    rows = x if x.rank > 1 else reshaped(op, x, (1, *x.shape))
    w = with_rank(op, w, rows.rank)
    if offset is None:
        found = b.matmul(rows, w, transpose_b=True)
    else:
        found = b.linear(rows, w, offset, transpose_b=True)
    return reshaped(op, found, op.shape())


@handles("aten._cdist_forward")
def _cdist(op: Op, x1: Operand, x2: Operand, p: float, compute_mode: int | None = None) -> Result:
    dtype = op.dtype()
    x, y = op.tensor(x1, dtype), op.tensor(x2, dtype)
    x = reshaped(op, x, (*x.shape[:-1], 1, x.shape[-1]))
    y = reshaped(op, y, (*y.shape[:-2], 1, *y.shape[-2:]))
    return reshaped(op, distance(op, op.b.subtract(x, y), p), op.shape())


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
    """The norm of order ``p`` along the last dimension."""
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
