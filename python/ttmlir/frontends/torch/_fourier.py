"""PyTorch's Fourier transforms."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import torch

from ttmlir.builder import Tensor
from ttmlir.frontends.complex_numbers import Complex, Pair, on_parts
from ttmlir.frontends.data_movement import permuted, sliced
from ttmlir.frontends.torch._complex_ops import complex_handles, pair, parts
from ttmlir.frontends.torch._op import Op, Result

#: The dimensions that one TTIR op transforms.
_MOST = 3


def _factor(op: Op, mode: int, count: int) -> float:
    """Returns the factor of a normalization: 1, or division by the count or its square root."""
    return {0: 1.0, 1: 1 / math.sqrt(count), 2: 1 / count}[mode]


def _times(op: Op, x: Tensor, factor: float) -> Tensor:
    return x if factor == 1 else op.b.multiply(x, op.tensor(factor, x.dtype))


def _last(op: Op, x: Tensor, dims: Sequence[int]) -> Tensor:
    """Moves dimensions to the end."""
    return permuted(op, x, [*(d for d in range(x.rank) if d not in dims), *dims])


def _back(op: Op, x: Tensor, dims: Sequence[int]) -> Tensor:
    order = [*(d for d in range(x.rank) if d not in dims), *dims]
    return permuted(op, x, [order.index(d) for d in range(x.rank)])


def _transformed(op: Op, z: Pair, dims: Sequence[int], inverse: bool) -> Pair:
    """Transforms complex numbers; the inverse transform divides by the count."""
    for i in range(0, len(dims), _MOST):
        own = dims[i : i + _MOST]
        real, imag = (_last(op, part, own) for part in z.parts)
        lengths = list(real.shape[real.rank - len(own) :])
        found = op.b.fft(real, "ifft" if inverse else "fft", lengths, imaginary=imag)
        z = Complex(*(_back(op, part, own) for part in found))
    return z


@complex_handles("aten._fft_c2c")
def _fft_c2c(op: Op, self: Any, dim: Sequence[int], normalization: int, forward: bool) -> Result:
    z = pair(op, self)
    dims = [d % z.real.rank for d in dim]
    if not dims:
        return z
    count = math.prod(z.real.shape[d] for d in dims)
    factor = _factor(op, normalization, count) * (1 if forward else count)
    found = _transformed(op, z, dims, not forward)
    return on_parts(found, lambda part: _times(op, part, factor))


@complex_handles("aten._fft_r2c")
def _fft_r2c(op: Op, self: Any, dim: Sequence[int], normalization: int, onesided: bool) -> Result:
    x = op.tensor(self, op.dtype())
    dims = [d % x.rank for d in dim]
    factor = _factor(op, normalization, math.prod(x.shape[d] for d in dims))
    if onesided:
        # The last dimension in the list is halved.
        own = dims[-1:]
        found = op.b.fft(_last(op, x, own), "rfft", [x.shape[own[0]]])
        z = Complex(*(_back(op, part, own) for part in found))
        z = _transformed(op, z, dims[:-1], False)
    else:
        zeros = op.tensor(torch.zeros(()).expand(x.shape), x.dtype)
        z = _transformed(op, Complex(x, zeros), dims, False)
    return on_parts(z, lambda part: _times(op, part, factor))


@complex_handles("aten._fft_c2r")
def _fft_c2r(
    op: Op, self: Any, dim: Sequence[int], normalization: int, last_dim_size: int
) -> Result:
    z = parts(op, self)
    dims = [d % z.real.rank for d in dim]
    count = math.prod(op.shape()[d] for d in dims)
    factor = _factor(op, normalization, count) * count
    z = _transformed(op, z, dims[:-1], True)
    own = dims[-1:]
    half = last_dim_size // 2 + 1
    real, imag = (_last(op, sliced(op, part, own[0], 0, half), own) for part in z.parts)
    found = op.b.fft(real, "irfft", [last_dim_size], imaginary=imag)[0]
    return _times(op, _back(op, found, own), factor)
