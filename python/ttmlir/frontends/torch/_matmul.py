"""Matrix products."""

from __future__ import annotations

from typing import Any

import torch

from ttmlir.builder import Tensor
from ttmlir.frontends.data_movement import reshaped
from ttmlir.frontends.torch._elementwise import build
from ttmlir.frontends.torch._op import Op, Operand, Result, handles, shape_of
from ttmlir.frontends.torch._types import FLOATS


def with_rank(op: Op, x: Tensor, rank: int) -> Tensor:
    """Adds leading dimensions of extent 1."""
    return reshaped(op, x, (1,) * (rank - x.rank) + x.shape)


def _product(op: Op, a: Operand, b: Operand) -> Tensor | torch.Tensor:
    """Builds a matrix product in the op's dtype."""
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
