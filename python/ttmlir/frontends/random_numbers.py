"""Random numbers with the source's distributions, but not its sequence of numbers."""

from __future__ import annotations

import math
from typing import Any, Protocol

from ttmlir.builder import Builder, Tensor

#: Bits of the f32 significand.
_BITS = 24


class Op(Protocol):
    """An op of the source."""

    @property
    def b(self) -> Builder: ...
    def random_bits(self, shape: tuple[int, ...]) -> Tensor: ...
    def tensor(self, x: Any, dtype: str | None = None) -> Tensor: ...
    def cast(self, x: Tensor, dtype: str) -> Tensor: ...


def uniform(op: Op, shape: tuple[int, ...], dtype: str = "f32") -> Tensor:
    """Uniform numbers in [0, 1) with 24 bits."""
    b = op.b
    words = b.logical_right_shift(op.random_bits(shape), op.tensor(32 - _BITS, "u32"))
    found = b.multiply(op.cast(op.cast(words, "i32"), "f32"), op.tensor(2.0**-_BITS, "f32"))
    return op.cast(found, dtype)


def normal(op: Op, shape: tuple[int, ...], dtype: str = "f32") -> Tensor:
    """Numbers of the standard normal distribution."""
    b = op.b
    # In (-1, 1), symmetric.
    centred = b.add(uniform(op, shape), op.tensor(0.5 ** (_BITS + 1) - 0.5, "f32"))
    found = b.multiply(
        b.erfinv(b.multiply(centred, op.tensor(2.0, "f32"))), op.tensor(math.sqrt(2), "f32")
    )
    return op.cast(found, dtype)
