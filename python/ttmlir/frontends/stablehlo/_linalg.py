"""Linear algebra and normalizations."""

from __future__ import annotations

import numpy as np

from ttmlir.builder import Tensor
from ttmlir.frontends.data_movement import reshaped
from ttmlir.frontends.stablehlo._elementwise import number
from ttmlir.frontends.stablehlo._op import Op, Result, handles


@handles("stablehlo.cholesky")
def _cholesky(op: Op) -> Result:
    """On failure, TTIR's Cholesky has numbers before the first NaN, JAX's is all NaN."""
    b = op.b
    found = b.cholesky(op.tensor(), lower=op.flag("lower"))
    finite = b._eltwise("isfinite", (found,), None, dtype="bool")
    dims = [found.rank - 2, found.rank - 1]
    is_positive = b.reduce_and(finite, dims, keep_dim=True)
    return b.where(is_positive, found, number(op, np.nan, found.dtype))


@handles("stablehlo.triangular_solve")
def _triangular_solve(op: Op) -> Result:
    return op.b.triangular_solve(
        op.tensor(0),
        op.tensor(1),
        left_side=op.flag("left_side"),
        lower=op.flag("lower"),
        unit_diagonal=op.flag("unit_diagonal"),
        transpose_a=op.text("transpose_a") in ("TRANSPOSE", "ADJOINT"),
    )


class _Features:
    """Helpers for batch normalization: per-feature values, broadcast to a full tensor."""

    def __init__(self, op: Op) -> None:
        self.op, self.b = op, op.b
        self.x = op.tensor()
        self.dim = op.integer("feature_index")
        self.others = [d for d in range(self.x.rank) if d != self.dim]
        self.epsilon = number(op, op.real("epsilon"), self.x.dtype)

    def per_feature(self, i: int) -> Tensor:
        """Returns operand ``i``, which has an element for each feature, reshaped to broadcast."""
        return self.wide(self.op.tensor(i))

    def wide(self, x: Tensor) -> Tensor:
        extents = [n if d == self.dim else 1 for d, n in enumerate(self.x.shape)]
        return reshaped(self.op, x, extents)

    def mean(self, x: Tensor) -> Tensor:
        return self.b.mean(x, self.others, keep_dim=True)

    def total(self, x: Tensor) -> Tensor:
        return reshaped(self.op, self.b.sum(x, self.others), (self.x.shape[self.dim],))

    def inverse_deviation(self, variance: Tensor) -> Tensor:
        return self.b.rsqrt(self.b.add(variance, self.epsilon))


@handles("stablehlo.batch_norm_inference")
def _batch_norm_inference(op: Op) -> Result:
    f = _Features(op)
    scale, offset, mean, variance = (f.per_feature(i) for i in range(1, 5))
    normal = op.b.multiply(op.b.subtract(f.x, mean), f.inverse_deviation(variance))
    return op.b.add(op.b.multiply(normal, scale), offset)


@handles("stablehlo.batch_norm_training")
def _batch_norm_training(op: Op) -> Result:
    f = _Features(op)
    mean = f.mean(f.x)
    centred = op.b.subtract(f.x, mean)
    variance = f.mean(op.b.square(centred))
    normal = op.b.multiply(centred, f.inverse_deviation(variance))
    found = op.b.add(op.b.multiply(normal, f.per_feature(1)), f.per_feature(2))
    return [found, reshaped(op, mean, op.shape(1)), reshaped(op, variance, op.shape(2))]


@handles("stablehlo.batch_norm_grad")
def _batch_norm_grad(op: Op) -> Result:
    f, b = _Features(op), op.b
    scale, mean, variance = (f.per_feature(i) for i in (1, 2, 3))
    gradient = op.tensor(4)
    inverse = f.inverse_deviation(variance)
    normal = b.multiply(b.subtract(f.x, mean), inverse)
    along = b.multiply(gradient, normal)
    least = b.subtract(gradient, f.mean(gradient))
    least = b.subtract(least, b.multiply(normal, f.mean(along)))
    of_input = b.multiply(b.multiply(scale, inverse), least)
    return [of_input, f.total(along), f.total(gradient)]
