"""Determinants of small matrices, written with PyTorch functions."""

from __future__ import annotations

from torch import Tensor

from ttmlir.frontends.torch._factors import factored


def _of(matrix: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Returns the diagonal of the factors, then the results of ``factored``."""
    # Like PyTorch, factor the transposed matrix if that needs no copy. Rounding is then the same,
    # and gradients expect these factors.
    factors, pivots, sign = factored(matrix.mT if matrix.is_contiguous() else matrix)
    return factors.diagonal(0, -2, -1), factors, pivots, sign


def determinant(A: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Returns determinants, factors and pivots."""
    diagonal, factors, pivots, sign = _of(A)
    return sign * diagonal.prod(-1), factors, pivots


def signed_logarithm(A: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Returns signs of determinants, logarithms of their magnitudes, factors and pivots."""
    diagonal, factors, pivots, sign = _of(A)
    return sign * diagonal.sgn().prod(-1), diagonal.abs().log().sum(-1), factors, pivots
