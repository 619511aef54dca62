"""Solutions of small systems of linear equations, written with PyTorch functions.

If a matrix is singular, results are infinite or NaN: PyTorch checks that on the host.
"""

from __future__ import annotations

import torch
from torch import Tensor

from ttmlir.frontends.torch._factors import NotFactoredError, check_rows, factored


def lu_solve(
    LU: Tensor, pivots: Tensor, B: Tensor, *, left: bool = True, adjoint: bool = False
) -> Tensor:
    """Solves ``A X = B``, given the factors of ``A``.

    Args:
        LU: both factors in one matrix, as from LAPACK's getrf.
        pivots: i32, 1-based: the row that each row was exchanged with.
        B: all dimensions except the last two broadcast with those of ``LU``.
        left: whether the matrix is on the left.
        adjoint: whether to use its adjoint, the conjugate transpose.
    """
    if not left:
        return lu_solve(LU, pivots, B.mH, adjoint=not adjoint).mH
    check_rows(LU.shape[-1])
    batch = torch.broadcast_shapes(LU.shape[:-2], B.shape[:-2])
    x = B.expand(*batch, *B.shape[-2:])
    if adjoint:
        x = _triangular(LU.mH, x, upper=False, unitriangular=False)
        x = _triangular(LU.mH, x, upper=True, unitriangular=True)
        return _exchanged(x, pivots, is_backward=True)
    x = _exchanged(x, pivots, is_backward=False)
    x = _triangular(LU, x, upper=False, unitriangular=True)
    return _triangular(LU, x, upper=True, unitriangular=False)


def solve(
    A: Tensor, B: Tensor, *, left: bool = True, check_errors: bool = False
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Solves ``A X = B``; also returns factors, pivots, and the index of a zero pivot."""
    factors, pivots, _ = factored(A)
    is_vector = B.dim() == 1 or (A.dim() - 1 == B.dim() and B.shape == A.shape[:-1])
    x = lu_solve(factors, pivots, B.unsqueeze(-1) if is_vector else B, left=left)
    return x.squeeze(-1) if is_vector else x, factors, pivots, _first_zero(factors)


def inverse(A: Tensor, *, check_errors: bool = False) -> tuple[Tensor, Tensor]:
    """Returns the inverse, and the index of a zero pivot."""
    one = torch.eye(A.shape[-1], dtype=A.dtype, device=A.device).expand(A.shape)
    found, _, _, info = solve(A, one)
    return found, info


def lu_factor(
    A: Tensor, *, pivot: bool = True, check_errors: bool = False
) -> tuple[Tensor, Tensor, Tensor]:
    """Returns both factors in one matrix, 1-based pivots, and the index of a zero pivot."""
    if not pivot:
        # PyTorch does not support others on the CPU either.
        raise NotFactoredError("pivot=False is not supported: leave it out")
    factors, pivots, _ = factored(A)
    return factors, pivots, _first_zero(factors)


def lu(A: Tensor, *, pivot: bool = True) -> tuple[Tensor, Tensor, Tensor]:
    """Returns the permutation matrix, and the lower and the upper factor."""
    factors, pivots, _ = lu_factor(A, pivot=pivot)
    return lu_unpack(factors, pivots)


def lu_unpack(
    LU_data: Tensor, LU_pivots: Tensor, unpack_data: bool = True, unpack_pivots: bool = True
) -> tuple[Tensor, Tensor, Tensor]:
    """Unpacks factors from one matrix; results that are not requested are empty."""
    count, width = LU_data.shape[-2:]
    extent = min(count, width)
    permutation = lower = upper = LU_data.new_empty(0)
    if unpack_data:
        ones = torch.eye(count, extent, dtype=LU_data.dtype, device=LU_data.device)
        lower = LU_data[..., :extent].tril(-1) + ones
        upper = LU_data[..., :extent, :].triu()
    if unpack_pivots:
        places = torch.arange(count, device=LU_data.device).unsqueeze(-1)
        order = _order(LU_pivots, count).unsqueeze(-2)
        permutation = (places == order).to(LU_data.dtype)
    return permutation, lower, upper


def solve_triangular(
    self: Tensor, B: Tensor, *, upper: bool, left: bool = True, unitriangular: bool = False
) -> Tensor:
    """Solves ``A X = B`` for a triangular matrix."""
    if not left:
        transposed = solve_triangular(self.mT, B.mT, upper=not upper, unitriangular=unitriangular)
        return transposed.mT
    check_rows(self.shape[-1])
    batch = torch.broadcast_shapes(self.shape[:-2], B.shape[:-2])
    x = B.expand(*batch, *B.shape[-2:])
    return _triangular(self, x, upper=upper, unitriangular=unitriangular)


def _triangular(matrix: Tensor, x: Tensor, *, upper: bool, unitriangular: bool) -> Tensor:
    """Substitutes row by row: subtracts each solved row from all later ones."""
    extent = matrix.shape[-1]
    diagonal = matrix.diagonal(0, -2, -1).unsqueeze(-1)
    others = matrix.triu(1) if upper else matrix.tril(-1)
    for k in reversed(range(1, extent)) if upper else range(extent - 1):
        row = x[..., k : k + 1, :]
        if not unitriangular:
            row = row / diagonal[..., k : k + 1, :]
        x = x - others[..., k : k + 1] * row
    return x if unitriangular else x / diagonal


def _exchanged(x: Tensor, pivots: Tensor, is_backward: bool) -> Tensor:
    """Exchanges each row of ``x`` for the one at its pivot, in order."""
    order = _order(pivots, x.shape[-2], is_backward)
    return x.gather(-2, order.unsqueeze(-1).expand(x.shape))


def _order(pivots: Tensor, count: int, is_backward: bool = False) -> Tensor:
    """Returns the row at each position after the exchanges, among ``count`` rows."""
    places = torch.arange(count, device=pivots.device)
    order = places.expand(*pivots.shape[:-1], count)
    steps = range(pivots.shape[-1])
    for k in reversed(steps) if is_backward else steps:
        other = pivots[..., k : k + 1].long() - 1
        theirs = order.gather(-1, other)
        order = torch.where(places == other, order[..., k : k + 1], order)
        order = torch.where(places == k, theirs, order)
    return order


def _first_zero(factors: Tensor) -> Tensor:
    """Returns the 1-based index of the first zero pivot; 0 if there is none."""
    is_zero = factors.diagonal(0, -2, -1) == 0
    first = is_zero.to(torch.int32).argmax(-1) + 1
    return torch.where(is_zero.any(-1), first, 0).to(torch.int32)
