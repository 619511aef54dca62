"""Decompositions of ops for which PyTorch has none, written with PyTorch functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

from ttmlir.frontends.torch import _embedding_bag, _linalg_det, _solutions
from ttmlir.frontends.torch._searchsorted import bucketized, searched


def _trilinear(
    i1: Tensor,
    i2: Tensor,
    i3: Tensor,
    expand1: Sequence[int],
    expand2: Sequence[int],
    expand3: Sequence[int],
    sumdim: Sequence[int],
    unroll_dim: int = 1,
) -> Tensor:
    rank = i1.dim() + len(expand1)
    letters = "abcdefghijklmnopqrstuvwxyz"[:rank]

    def own(expanded: Sequence[int]) -> str:
        missing = {d % rank for d in expanded}
        return "".join(c for d, c in enumerate(letters) if d not in missing)

    summed = {d % rank for d in sumdim}
    result = "".join(c for d, c in enumerate(letters) if d not in summed)
    terms = ",".join(own(expanded) for expanded in (expand1, expand2, expand3))
    return torch.einsum(f"{terms}->{result}", i1, i2, i3)


def _int_mm(self: Tensor, mat2: Tensor) -> Tensor:
    return torch.mm(self.to(torch.int32), mat2.to(torch.int32))


def _conv_tbc(self: Tensor, weight: Tensor, bias: Tensor, pad: int = 0) -> Tensor:
    x, w = self.permute(1, 2, 0), weight.permute(2, 1, 0)
    return torch.conv1d(x, w, bias, padding=pad).permute(2, 0, 1)


_ATEN: Any = torch.ops.aten
#: Functions that decompose overloads, called with the op's arguments.
COMPOSED: dict[Any, Callable[..., Any]] = {
    _ATEN._trilinear.default: _trilinear,
    _ATEN._int_mm.default: _int_mm,
    _ATEN.conv_tbc.default: _conv_tbc,
    _ATEN.searchsorted.Tensor: searched,
    _ATEN.searchsorted.Scalar: searched,
    _ATEN.bucketize.Tensor: bucketized,
    _ATEN.bucketize.Scalar: bucketized,
    _ATEN._linalg_det.default: _linalg_det.determinant,
    _ATEN._linalg_slogdet.default: _linalg_det.signed_logarithm,
    _ATEN.linalg_inv_ex.default: _solutions.inverse,
    _ATEN.linalg_lu.default: _solutions.lu,
    _ATEN.linalg_lu_factor_ex.default: _solutions.lu_factor,
    _ATEN.linalg_lu_solve.default: _solutions.lu_solve,
    _ATEN.linalg_solve_triangular.default: _solutions.solve_triangular,
    _ATEN._linalg_solve_ex.default: _solutions.solve,
    _ATEN.lu_unpack.default: _solutions.lu_unpack,
    _ATEN._embedding_bag.default: _embedding_bag.embedding_bag,
    _ATEN._embedding_bag_forward_only.default: _embedding_bag.embedding_bag_forward_only,
    _ATEN.embedding_renorm.default: _embedding_bag.embedding_renorm,
    _ATEN._embedding_bag_backward.default: _embedding_bag.embedding_bag_backward,
    _ATEN._embedding_bag_per_sample_weights_backward.default: (
        _embedding_bag.per_sample_weights_backward
    ),
}
