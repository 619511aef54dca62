"""Matrix products."""

from __future__ import annotations

from ttmlir.builder import Tensor
from ttmlir.frontends.data_movement import reshaped
from ttmlir.frontends.onnx._elementwise import common
from ttmlir.frontends.onnx._op import Op, Result, Value, handles
from ttmlir.frontends.onnx._types import FLOATS


def product(op: Op, x: Tensor, y: Tensor) -> Tensor:
    """Matrix product like NumPy's ``matmul``: a vector is a row on the left and a column on the
    right, and leading dimensions broadcast."""
    left = reshaped(op, x, (1, *x.shape)) if x.rank == 1 else x
    right = reshaped(op, y, (*y.shape, 1)) if y.rank == 1 else y
    rank = max(left.rank, right.rank)
    batch = left.shape[:-2]
    if right.rank == 2 and left.rank > 2:
        # One product for all rows.
        rows = reshaped(op, left, (-1, left.shape[-1]))
        found = op.b.matmul(rows, right)
        found = reshaped(op, found, (*batch, left.shape[-2], right.shape[-1]))
    else:
        left, right = (reshaped(op, t, (1,) * (rank - t.rank) + t.shape) for t in (left, right))
        found = op.b.matmul(left, right)
    shape = list(found.shape)
    if y.rank == 1:
        shape.pop()
    if x.rank == 1:
        shape.pop(-1 if y.rank == 1 else -2)
    return reshaped(op, found, shape)


@handles("MatMul")
def _matmul(op: Op, x: Value, y: Value) -> Result:
    dtype = common(op, x, y)
    return product(op, op.tensor(x, dtype), op.tensor(y, dtype))


@handles("Gemm")
def _gemm(op: Op, x: Value, y: Value, c: Value = None) -> Result:
    b, dtype = op.b, common(op, x, y)
    left, right = op.tensor(x, dtype), op.tensor(y, dtype)
    first, second = bool(op.integer("transA")), bool(op.integer("transB"))
    alpha, beta = op.number("alpha", 1.0), op.number("beta", 1.0)
    if c is not None and alpha == 1 and beta == 1 and dtype in FLOATS:
        bias = op.tensor(c, dtype)
        if bias.rank == 1 or (bias.rank == 2 and bias.shape[0] == 1):
            return b.linear(
                left,
                right,
                reshaped(op, bias, (bias.shape[-1],)),
                transpose_a=first,
                transpose_b=second,
            )
    found = b.matmul(left, right, transpose_a=first, transpose_b=second)
    if alpha != 1:
        found = _scaled(op, found, alpha)
    if c is None:
        return found
    offset = op.tensor(c, dtype)
    return b.add(found, offset if beta == 1 else _scaled(op, offset, beta))


def _scaled(op: Op, x: Tensor, factor: float) -> Tensor:
    if x.dtype in FLOATS or float(factor).is_integer():
        return op.b.multiply(x, op.tensor(factor, x.dtype))
    wide = op.b.multiply(op.cast(x, "f32"), op.tensor(factor, "f32"))
    return op.cast(wide, x.dtype)


@handles("Det")
def _det(op: Op, x: Value) -> Result:
    """Determinant by elimination with pivoting, for small matrices."""
    b, rows = op.b, op.tensor(x)
    n = rows.shape[-1]
    batch = rows.shape[:-2]
    a = reshaped(op, rows, (-1, n, n))
    count = a.shape[0]
    zero, one = op.tensor(0.0, a.dtype), op.tensor(1.0, a.dtype)
    found = b.broadcast(reshaped(op, one, (1,)), (count,))
    for k in range(n):
        size = n - k
        column = reshaped(op, b.slice(a, (0, 0, 0), (count, size, 1)), (count, size))
        place = b.argmax(b.abs(column), 1, True)
        places = b.arange((1, size), dim=1, dtype="i32")
        chosen = op.cast(op.compare("eq", places, place), a.dtype)
        pivot_row = b.sum(b.multiply(a, reshaped(op, chosen, (count, size, 1))), 1, True)
        pivot = reshaped(op, b.slice(pivot_row, (0, 0, 0), (count, 1, 1)), (count,))
        first = b.slice(a, (0, 0, 0), (count, 1, size))
        is_first = op.compare("eq", reshaped(op, place, (count,)), op.tensor(0, "i32"))
        found = b.multiply(found, b.where(is_first, pivot, b.neg(pivot)))
        if size == 1:
            break
        # Swap the first row with the pivot's.
        others = b.where(op.compare("ne", reshaped(op, chosen, (count, size, 1)), zero), first, a)
        others = b.slice(others, (0, 1, 0), (count, size, size))
        whole = b.where(op.compare("eq", pivot, zero), one, pivot)
        factors = b.div(
            b.slice(others, (0, 0, 0), (count, size - 1, 1)), reshaped(op, whole, (count, 1, 1))
        )
        rest = b.subtract(others, b.multiply(factors, pivot_row))
        a = b.slice(rest, (0, 0, 1), (count, size - 1, size))
    return reshaped(op, found, batch)
