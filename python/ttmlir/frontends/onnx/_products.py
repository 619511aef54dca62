"""Matrix products."""

from __future__ import annotations

from ttmlir.builder import Tensor
from ttmlir.frontends.moves import reshaped
from ttmlir.frontends.onnx._op import Op, Result, Value, handles


def product(op: Op, x: Tensor, y: Tensor) -> Tensor:
    """As NumPy's ``matmul``: a vector is a row in front and a column behind."""
    left = reshaped(op, x, (1, *x.shape)) if x.rank == 1 else x
    right = reshaped(op, y, (*y.shape, 1)) if y.rank == 1 else y
    found = op.b.matmul(left, right)
    shape = list(found.shape)
    if y.rank == 1:
        shape.pop()
    if x.rank == 1:
        shape.pop(-1 if y.rank == 1 else -2)
    return reshaped(op, found, shape)


@handles("MatMul")
def _matmul(op: Op, x: Value, y: Value) -> Result:
    dtype = op.dtype_of(x if isinstance(x, Tensor) else y)
    return product(op, op.tensor(x, dtype), op.tensor(y, dtype))
