"""Tolerances for results, by the format in which they are stored."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ttmlir._formats import FORMATS


@dataclass(frozen=True)
class Limits:
    """The least correlation and the greatest relative error of a correct result."""

    min_pcc: float
    max_relative: float


_EXACT = 23
#: By the number of explicit mantissa bits.
_BY_BITS = (
    (23, Limits(0.9999, 1e-3)),
    (10, Limits(0.999, 2e-2)),
    (7, Limits(0.99, 0.1)),
    (6, Limits(0.99, 0.15)),
    (2, Limits(0.95, 0.4)),
    (0, Limits(0.8, 0.8)),
)


def limits_of(
    dtype: str, min_pcc: float | None = None, max_relative: float | None = None
) -> Limits:
    """Returns the given limits, or else those of the format."""
    own = next(limits for bits, limits in _BY_BITS if bits <= bits_of(dtype))
    return Limits(
        own.min_pcc if min_pcc is None else min_pcc,
        own.max_relative if max_relative is None else max_relative,
    )


def bits_of(dtype: str) -> int:
    """Returns the explicit mantissa bits; integers count as f32."""
    bits = FORMATS[dtype].mantissa_bits - FORMATS[dtype].block if dtype in FORMATS else 0
    return bits if bits > 0 or (dtype in FORMATS and FORMATS[dtype].block) else _EXACT


def coarsest(formats: Iterable[str]) -> str:
    """Returns the format with the fewest mantissa bits."""
    return min(formats, key=bits_of, default="f32")
