"""LU factorization of small matrices, written with PyTorch functions."""

from __future__ import annotations

import torch
from torch import Tensor

#: Limited, because the program has some ops for each row.
_MOST_ROWS = 64


class NotFactoredError(ValueError):
    """A matrix that cannot be factored here."""


def check_rows(count: int) -> None:
    """Raises NotFactoredError if there are too many rows to unroll."""
    if count > _MOST_ROWS:
        raise NotFactoredError(
            f"expected at most {_MOST_ROWS} rows, found {count}: factor the matrix outside"
        )


def _magnitude(x: Tensor) -> Tensor:
    """The absolute value; for complex numbers, as in LAPACK, the sum of the absolute values of both
    parts."""
    return x.real.abs() + x.imag.abs() if x.is_complex() else x.abs()


def factored(matrix: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Returns LAPACK's getrf: the factors in one matrix, the pivots, and the permutation's sign.

    The pivot is the first element of greatest magnitude in the column. For a column of zeros the
    pivot is 0 and nothing changes.

    Raises:
        NotFactoredError: it has too many rows, or columns if these are fewer.
    """
    *batch, count, width = matrix.shape
    extent = min(count, width)
    check_rows(extent)
    rows = torch.arange(count, device=matrix.device).reshape(count, 1)
    sign = torch.ones(batch, dtype=matrix.dtype, device=matrix.device)
    pivots = []
    for k in range(extent):
        chosen = _magnitude(matrix[..., k:, k]).argmax(-1) + k
        pivots.append(chosen + 1)
        sign = torch.where(chosen == k, sign, -sign)
        place = chosen.reshape(*batch, 1, 1)
        row = matrix.gather(-2, place.expand(*batch, 1, width))
        exchanged = torch.where(rows == place, matrix[..., k : k + 1, :], matrix)
        below = exchanged[..., k + 1 :, :]
        parts = [matrix[..., :k, :], row]
        if k + 1 < count:
            pivot = row[..., k : k + 1]
            factor = below[..., k : k + 1] / torch.where(pivot == 0, 1.0, pivot)
            rest = below[..., k + 1 :] - factor * row[..., k + 1 :]
            parts.append(torch.cat([below[..., :k], factor, rest], -1))
        matrix = torch.cat(parts, -2)
    numbers = torch.stack(pivots, -1) if pivots else torch.zeros(*batch, 0, dtype=torch.int64)
    return matrix, numbers.to(torch.int32), sign
