"""Quantization shared by importers: integers with separate scales and zero points."""

from __future__ import annotations

import math
from collections.abc import Sequence

import ml_dtypes

from ttmlir.builder import Tensor
from ttmlir.builder._dtypes import array_dtype
from ttmlir.frontends import arithmetic
from ttmlir.frontends.data_movement import Op, reshaped

#: The dtype of zero points, and for exact sums of products of small integers.
SUMS = "i32"


def flat(op: Op, x: Tensor) -> Tensor:
    """Reshapes to one dimension."""
    return reshaped(op, x, (math.prod(x.shape),))


def dequantized(op: Op, x: Tensor, scale: Tensor, zero: Tensor, axis: int | None = None) -> Tensor:
    """(x - zero point) * scale in f32; the pass ``ttir-integer-products`` recognizes products.

    Args:
        op: the op of the source.
        x: integers of 8 bits or more.
        scale: f32: one, or one for each index along ``axis``.
        zero: as many zero points, of dtype ``SUMS``.
        axis: the dimension that has a scale for each index.
    """
    return op.b.dequantize_unrolled(x, flat(op, scale), flat(op, zero), "f32", axis)


def saturated(op: arithmetic.Op, x: Tensor, dtype: str) -> Tensor:
    """Converts to floats of up to 8 bits; numbers out of range become the greatest ones."""
    most = float(ml_dtypes.finfo(array_dtype(dtype)).max)  # type: ignore[no-untyped-call]
    real = op.cast(x, "f32")
    for limit, beyond in ((most, "gt"), (-most, "lt")):
        bound = op.tensor(limit, "f32")
        real = op.b.where(op.compare(beyond, real, bound), bound, real)
    return op.b.typecast(real, dtype)


def scaled_blocks(op: arithmetic.Op, x: Tensor, scale: Tensor, zero: Tensor | None) -> Tensor:
    """(x - zero point) * scale in f32, for integers; the other operands broadcast to their
    shape."""
    wide = op.cast(x, SUMS)
    if zero is not None:
        wide = op.b.subtract(wide, op.cast(zero, SUMS))
    return op.b.multiply(op.cast(wide, "f32"), op.cast(scale, "f32"))


def block_shape(shape: Sequence[int], block: Sequence[int]) -> tuple[list[int], list[int]]:
    """Splits dimensions into blocks.

    Args:
        shape: of a tensor.
        block: extents that share a scale.

    Returns:
        The shape with a dimension of blocks before each split dimension, and the matching shape of
        the scales.
    """
    split: list[int] = []
    scales: list[int] = []
    for extent, size in zip(shape, block, strict=True):
        if size in (1, extent):
            split.append(extent)
            scales.append(extent if size == 1 else 1)
            continue
        if extent % size:
            raise ValueError(f"expected blocks that divide {extent} elements, found {size}")
        split += [extent // size, size]
        scales += [extent // size, 1]
    return split, scales
