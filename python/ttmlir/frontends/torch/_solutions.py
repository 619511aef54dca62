"""Solutions of systems of few linear equations, in functions of PyTorch.

Where a matrix is singular, results are infinite or NaN: PyTorch checks that on the host.
"""

from __future__ import annotations

import torch
from torch import Tensor

from ttmlir.frontends.torch._factors import NotFactoredError, check_rows, factored


def lu_solve(
    LU: Tensor, pivots: Tensor, B: Tensor, *, left: bool = True, adjoint: bool = False
) -> Tensor:
    """What a matrix with these factors, or its transpose, has to be multiplied by for ``B``.

    Args:
        LU: both factors in one matrix, as of LAPACK's getrf.
        pivots: i32, from 1: what each row was exchanged for.
        B: its dimensions but for the last two broadcast with those of ``LU``.
        left: whether the matrix stands on the left.
        adjoint: whether it is transposed.
    """
    if not left:
        return lu_solve(LU, pivots, B.mT, adjoint=not adjoint).mT
    check_rows(LU.shape[-1])
    batch = torch.broadcast_shapes(LU.shape[:-2], B.shape[:-2])
    x = B.expand(*batch, *B.shape[-2:])
    if adjoint:
        x = _triangular(LU.mT, x, upper=False, unitriangular=False)
        x = _triangular(LU.mT, x, upper=True, unitriangular=True)
        return _exchanged(x, pivots, is_backward=True)
    x = _exchanged(x, pivots, is_backward=False)
    x = _triangular(LU, x, upper=False, unitriangular=True)
    return _triangular(LU, x, upper=True, unitriangular=False)


def solve(
    A: Tensor, B: Tensor, *, left: bool = True, check_errors: bool = False
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """What ``A`` has to be multiplied by for ``B``, its factors, pivots, and which one is 0."""
    factors, pivots, _ = factored(A)
    is_vector = B.dim() == 1 or (A.dim() - 1 == B.dim() and B.shape == A.shape[:-1])
    x = lu_solve(factors, pivots, B.unsqueeze(-1) if is_vector else B, left=left)
    return x.squeeze(-1) if is_vector else x, factors, pivots, _first_zero(factors)


def inverse(A: Tensor, *, check_errors: bool = False) -> tuple[Tensor, Tensor]:
    """The inverse, and which pivot is 0."""
    one = torch.eye(A.shape[-1], dtype=A.dtype, device=A.device).expand(A.shape)
    found, _, _, info = solve(A, one)
    return found, info


def lu_factor(
    A: Tensor, *, pivot: bool = True, check_errors: bool = False
) -> tuple[Tensor, Tensor, Tensor]:
    """Both factors in one matrix, pivots from 1, and which one is 0."""
    if not pivot:
        # PyTorch has no other ones on a CPU either.
        raise NotFactoredError("factors have pivots: leave pivot=False out")
    factors, pivots, _ = factored(A)
    return factors, pivots, _first_zero(factors)


def lu(A: Tensor, *, pivot: bool = True) -> tuple[Tensor, Tensor, Tensor]:
    """The matrix of a permutation, and the lower and the upper factor."""
    factors, pivots, _ = lu_factor(A, pivot=pivot)
    return lu_unpack(factors, pivots)


def lu_unpack(
    LU_data: Tensor, LU_pivots: Tensor, unpack_data: bool = True, unpack_pivots: bool = True
) -> tuple[Tensor, Tensor, Tensor]:
    """The same of factors in one matrix; what is not wanted has no elements."""
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
    """What one triangle of a matrix has to be multiplied by for ``B``."""
    if not left:
        transposed = solve_triangular(self.mT, B.mT, upper=not upper, unitriangular=unitriangular)
        return transposed.mT
    check_rows(self.shape[-1])
    batch = torch.broadcast_shapes(self.shape[:-2], B.shape[:-2])
    x = B.expand(*batch, *B.shape[-2:])
    return _triangular(self, x, upper=upper, unitriangular=unitriangular)


def _triangular(matrix: Tensor, x: Tensor, *, upper: bool, unitriangular: bool) -> Tensor:
    """Row by row: what is known of a row is subtracted from all that come after it."""
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
    """The rows of ``x``, each exchanged for the one that its pivot says, one after the other."""
    order = _order(pivots, x.shape[-2], is_backward)
    return x.gather(-2, order.unsqueeze(-1).expand(x.shape))


def _order(pivots: Tensor, count: int, is_backward: bool = False) -> Tensor:
    """Which of ``count`` rows is in each place after the exchanges."""
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
    """The number, from 1, of the first pivot that is 0; 0 without one."""
    is_zero = factors.diagonal(0, -2, -1) == 0
    first = is_zero.to(torch.int32).argmax(-1) + 1
    return torch.where(is_zero.any(-1), first, 0).to(torch.int32)
