"""Arithmetic that importers compose of several ops."""

from __future__ import annotations

from typing import Any, Protocol

from ttmlir.builder import Builder, Tensor

_UNSIGNED = frozenset({"u8", "u16", "u32", "u64"})


class Op(Protocol):
    """An op of the source, built with ``b``."""

    @property
    def b(self) -> Builder: ...
    def tensor(self, x: Any, dtype: str | None = None) -> Tensor: ...
    def cast(self, x: Tensor, dtype: str) -> Tensor: ...
    def compare(self, name: str, x: Tensor, y: Tensor) -> Tensor: ...


def modulo(op: Op, x: Tensor, y: Tensor) -> Tensor:
    """The remainder with the sign of the divisor."""
    b, dtype = op.b, x.dtype
    rest = b.remainder(x, y)
    if dtype in _UNSIGNED:
        return rest
    zero = op.tensor(0, dtype)
    differ = b.logical_xor(op.compare("lt", rest, zero), op.compare("lt", y, zero))
    turned = b.logical_and(op.compare("ne", rest, zero), differ)
    return b.where(turned, b.add(rest, y), rest)


def product_power(op: Op, x: Tensor, exponent: int) -> Tensor:
    """A small power as products of squares."""
    found: Tensor | None = None
    while exponent:
        if exponent & 1:
            found = x if found is None else op.b.multiply(found, x)
        exponent >>= 1
        x = op.b.multiply(x, x) if exponent else x
    assert found is not None
    return found


def integer_power(op: Op, base: Tensor, exponent: Tensor) -> Tensor:
    """Repeated squaring; a negative exponent gives 0, except for the bases 1 and -1."""
    b, dtype = op.b, base.dtype
    one, zero = op.tensor(1, dtype), op.tensor(0, dtype)
    width = min(int(dtype[1:]), 32)
    result, square = one, base
    for i in range(width - (dtype not in _UNSIGNED)):
        bit = op.compare("ne", b.bitwise_and(exponent, op.tensor(1 << i, dtype)), zero)
        result = b.where(bit, b.multiply(result, square), result)
        square = b.multiply(square, square)
    if dtype in _UNSIGNED:
        return result
    minus = op.tensor(-1, dtype)
    is_odd = op.compare("ne", b.bitwise_and(exponent, one), zero)
    inverse = b.where(
        op.compare("eq", base, one),
        one,
        b.where(op.compare("eq", base, minus), b.where(is_odd, minus, one), zero),
    )
    return b.where(op.compare("lt", exponent, zero), inverse, result)
