"""Determinants of small matrices, in functions of PyTorch."""

from __future__ import annotations

import torch

#: The program has some ops for each row.
_MOST_ROWS = 64


class TooLargeError(ValueError):
    """A matrix with more rows than are written out."""


def _factored(matrix: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """The factors of LAPACK's getrf in one matrix, its pivots, and the sign of their permutation.

    Rows are exchanged for the first one with the greatest element in the column. A column of zeros
    has a pivot of 0 and changes nothing.
    """
    extent = matrix.shape[-1]
    if extent > _MOST_ROWS:
        raise TooLargeError(
            f"expected at most {_MOST_ROWS} rows, found {extent}: factor the matrix outside"
        )
    batch = matrix.shape[:-2]
    rows = torch.arange(extent, device=matrix.device).reshape(extent, 1)
    sign = torch.ones(batch, dtype=matrix.dtype, device=matrix.device)
    pivots = []
    for k in range(extent):
        chosen = matrix[..., k:, k].abs().argmax(-1) + k
        pivots.append(chosen + 1)
        sign = torch.where(chosen == k, sign, -sign)
        place = chosen.reshape(*batch, 1, 1)
        row = matrix.gather(-2, place.expand(*batch, 1, extent))
        exchanged = torch.where(rows == place, matrix[..., k : k + 1, :], matrix)
        below = exchanged[..., k + 1 :, :]
        parts = [matrix[..., :k, :], row]
        if k + 1 < extent:
            pivot = row[..., k : k + 1]
            factor = below[..., k : k + 1] / torch.where(pivot == 0, 1.0, pivot)
            rest = below[..., k + 1 :] - factor * row[..., k + 1 :]
            parts.append(torch.cat([below[..., :k], factor, rest], -1))
        matrix = torch.cat(parts, -2)
    numbers = torch.stack(pivots, -1) if pivots else torch.zeros(*batch, 0, dtype=torch.int64)
    return matrix, numbers.to(torch.int32), sign


def _of(matrix: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """The diagonal of the factors, then what ``_factored`` returns."""
    # As PyTorch: of the transposed matrix where that needs no copy, so that it rounds alike.
    factors, pivots, sign = _factored(matrix.mT if matrix.is_contiguous() else matrix)
    return factors.diagonal(0, -2, -1), factors, pivots, sign


def determinant(A: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Determinants, factors and pivots."""
    diagonal, factors, pivots, sign = _of(A)
    return sign * diagonal.prod(-1), factors, pivots


def signed_logarithm(
    A: torch.Tensor,
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """Signs of determinants, logarithms of their magnitudes, factors and pivots."""
    diagonal, factors, pivots, sign = _of(A)
    return sign * diagonal.sgn().prod(-1), diagonal.abs().log().sum(-1), factors, pivots
