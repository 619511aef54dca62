"""Resizing of uint8 images, with the rounding of PyTorch's kernels."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import torch

from ttmlir.builder import Tensor
from ttmlir.frontends.data_movement import reshaped
from ttmlir.frontends.torch._op import Op
from ttmlir.frontends.torch._types import Array

#: Weights are 16-bit integers with at most this many fractional bits.
_WEIGHT, _MOST_BITS = 1 << 15, 22
#: The type of sums: enough for bytes times weights that add up to 1.
_SUM = "i32"


def resized(op: Op, x: Tensor, maps: Sequence[Array]) -> Tensor:
    """Multiplies each of the last dimensions by a matrix, starting with the last one.

    Each product is rounded and clamped to a byte before the next one. A dimension that keeps its
    extent is not changed, whatever its matrix, like in PyTorch.

    Args:
        op: the op.
        x: of u8.
        maps: for each dimension a matrix (new extent, old extent) in float64.
    """
    first = x.rank - len(maps)
    for d in reversed(range(first, x.rank)):
        matrix = maps[d - first]
        if matrix.shape[0] != matrix.shape[1]:
            x = _multiplied(op, x, d, matrix)
    return x


def _multiplied(op: Op, x: Tensor, dim: int, matrix: Array) -> Tensor:
    b = op.b
    weights, bits = _whole(matrix)
    weight = op.tensor(torch.from_numpy(weights))
    shape = [*x.shape[:dim], len(weights), *x.shape[dim + 1 :]]
    before, behind = math.prod(x.shape[:dim]), math.prod(x.shape[dim + 1 :])
    rows = op.cast(reshaped(op, x, (before, x.shape[dim], behind)), _SUM)
    if behind == 1:
        total = b.matmul(reshaped(op, rows, (before, x.shape[dim])), weight, transpose_b=True)
    else:
        total = b.matmul(reshaped(op, weight, (1, *weights.shape)), rows)
    half, last = op.tensor(1 << (bits - 1), _SUM), op.tensor(bits, _SUM)
    rounded = b.right_shift(b.add(total, half), last)
    limited = b.minimum(b.maximum(rounded, op.tensor(0, _SUM)), op.tensor(255, _SUM))
    return op.cast(reshaped(op, limited, shape), "u8")


def _whole(matrix: Array) -> tuple[Array, int]:
    """Converts weights to i32 with as many fractional bits as fit into 16 bits; returns both."""
    most, bits = matrix.max(), 0
    while bits < _MOST_BITS and int(0.5 + most * (1 << (bits + 1))) < _WEIGHT:
        bits += 1
    # Halves are rounded away from 0.
    scaled = np.trunc(matrix * (1 << bits) + np.where(matrix < 0, -0.5, 0.5))
    return scaled.astype(np.int32), bits
