"""The vector engine in integers, written from the description of its instructions.

Registers are int64 arrays of 32-bit patterns. Floats are patterns of f32.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matrix_engine import Array

SIGN, INF, NAN, HIDDEN = 0x80000000, 0x7F800000, 0x7FC00000, 1 << 23
FRACTION, WORD = HIDDEN - 1, 0xFFFFFFFF


def pattern(value: float) -> int:
    return int(np.float32(value).view(np.uint32))


def signed(x: Array) -> Array:
    """Patterns as integers of two's complement."""
    return np.where(x & SIGN, x - (1 << 32), x)


def exponent(x: Array) -> Array:
    return x >> 23 & 255


def debiased(x: Array) -> Array:
    return exponent(x) - 127


def with_exponent(x: Array, field: Array | int) -> Array:
    return x & ~INF | (field & 255) << 23


def power_scaled(x: Array, by: int) -> Array:
    """SFPDIVP2: the exponent field wraps; infinities and NaN stay."""
    return np.where(exponent(x) == 255, x, with_exponent(x, exponent(x) + by))


def copy_sign(x: Array, sign: Array) -> Array:
    return x & ~SIGN | sign & SIGN


def is_nan(x: Array) -> Array:
    result: Array = x & ~SIGN > INF
    return result


def shifted(x: Array, by: Array) -> Array:
    """SFPSHFT: the magnitude of the amount counts modulo 32."""
    amount = np.abs(by) & 31
    return np.where(by < 0, x >> amount, x << amount & WORD)


def order(x: Array) -> Array:
    """A key whose order is that of sign and magnitude."""
    return np.where(x & SIGN, -(x & ~SIGN) - 1, x)


def larger(x: Array, y: Array | int) -> Array:
    return np.where(order(x) > order(np.asarray(y)), x, y)


def smaller(x: Array, y: Array | int) -> Array:
    return np.where(order(x) > order(np.asarray(y)), y, x)


def exceeds(x: Array, limit: float) -> Array:
    return order(x) > order(np.asarray(pattern(limit)))


def cast(value: Array) -> Array:
    """Integers to f32, to nearest even."""
    return value.astype(np.float32).view(np.uint32).astype(np.int64)


def round16(x: Array) -> Array:
    """To bf16: ties away from zero, one zero, NaN becomes infinity."""
    value = x + 0x8000 & 0xFFFF0000
    value = np.where(exponent(x) == 255, x & SIGN | INF, value)
    return np.where(exponent(x) == 0, 0, value)


def nearest(x: Array, limit: int) -> Array:
    """The magnitude as an integer, ties away from zero."""
    exp = exponent(x)
    mantissa = x & FRACTION | HIDDEN
    whole = (mantissa + (1 << np.clip(149 - exp, 0, 40))) >> np.clip(150 - exp, 0, 40)
    value = np.where(exp < 126, 0, np.where(exp >= 143, limit, whole))
    return np.minimum(value, limit)


def int16(x: Array) -> Array:
    return np.where(x & SIGN, -nearest(x, 32767), nearest(x, 32767))


@dataclass(frozen=True)
class VectorEngine:
    """How the engine is configured.

    Args:
        wormhole: the chip, else Blackhole.
        wide: destination registers have 32 bits, else 16.
        approx: the approximate programs.
    """

    wormhole: bool
    wide: bool
    approx: bool = False

    # Arithmetic -------------------------------------------------------------------------------

    def mad(self, x: Array | float, y: Array | float, z: Array | float) -> Array:
        """x * y + z with three bits more than f32 has."""
        a, b, c = (self._operand(value) for value in (x, y, z))
        a, b, c = np.broadcast_arrays(a, b, c)
        ea, eb, ec = exponent(a), exponent(b), exponent(c)
        sign, other = (a ^ b) & SIGN, c & SIGN
        pe = ea + eb - 127
        nothing = (ea == 0) | (eb == 0) | (pe < 0)
        product = (a & FRACTION | HIDDEN) * (b & FRACTION | HIDDEN)
        product = product >> 20 | (product & 0xFFFFF != 0)
        product = np.where(nothing, 0, product)
        exp = np.where(nothing, 0, np.minimum(pe, 255))
        addend = np.where(ec == 0, 0, (c & FRACTION | HIDDEN) << 3)

        def aligned(term: Array, distance: Array) -> Array:
            by = np.clip(distance, 0, 40)
            moved = term >> by
            lost = (moved << by != term) & (moved != 0)
            return np.where(lost, moved | 1, moved)

        top = np.maximum(exp, ec)
        product, addend = aligned(product, top - exp), aligned(addend, top - ec)
        total = np.where(sign == other, product + addend, np.abs(product - addend))
        negative = np.where(product >= addend, sign, other)

        length = np.frexp(total.astype(np.float64))[1].astype(np.int64)
        excess = length - 27
        right = np.maximum(excess, 0)
        value = np.where(excess < 0, total << np.maximum(-excess, 0), total >> right)
        dropped = total & (1 if self.wormhole else (1 << right) - 1)
        value = np.where((excess > 0) & (dropped != 0), value | 1, value)
        result_exp = top + excess
        if not self.wormhole:
            value = np.where(result_exp <= 0, value >> 1 | value & 1, value)
        value = value + 3 + (value >> 3 & 1) >> 3
        if self.wormhole:
            field = np.maximum(result_exp, 0)
            result = (field << 23) + value - HIDDEN
            none = (result_exp < 0) | (result < HIDDEN)
            result = np.where(none, 0, negative | result)
        else:
            result = np.where(result_exp <= 0, value, (result_exp << 23) + value - HIDDEN)
            result = negative | np.where(result < HIDDEN, 0, result)
        result = np.where(result_exp >= 255, negative | INF, result)
        result = np.where(total == 0, 0, result)

        zero = 0 if self.wormhole else sign & other
        finite = np.where(nothing, np.where(ec == 0, zero, c), result)
        special = (ea == 255) | (eb == 255) | (ec == 255) | (pe >= 255)
        return np.where(special, self._special(a, b, c, pe >= 255, result), finite)

    def _special(self, a: Array, b: Array, c: Array, overflow: Array, result: Array) -> Array:
        sign, other = (a ^ b) & SIGN, c & SIGN
        inf_a, inf_b, inf_c = (x & ~SIGN == INF for x in (a, b, c))
        product_nan = is_nan(a) | is_nan(b)
        product_nan |= inf_a & (exponent(b) == 0) | inf_b & (exponent(a) == 0)
        infinite = inf_a | inf_b | (overflow if self.wormhole else False)
        nan = product_nan | is_nan(c) | infinite & inf_c & (sign != other)
        found: Array | int = NAN
        if self.wormhole:
            chosen = np.where(is_nan(c) & ~product_nan, other, sign)
            found = chosen | 0x7F800001 | result & FRACTION
        return np.where(nan, found, np.where(inf_c, c, sign | INF))

    @staticmethod
    def _operand(value: Array | float) -> Array:
        return value if isinstance(value, np.ndarray) else np.asarray(pattern(value))

    def mul(self, x: Array | float, y: Array | float) -> Array:
        return self.mad(x, y, 0.0)

    def add(self, x: Array | float, y: Array | float) -> Array:
        return self.mad(1.0, x, y)

    def horner(self, x: Array, *coefficients: float) -> Array:
        """c0 + x * (c1 + x * (...))."""
        value: Array | float = coefficients[-1]
        for coefficient in coefficients[-2::-1]:
            value = self.mad(x, value, coefficient)
        return np.asarray(value)

    def rb(self, x: Array) -> Array:
        """Rounded for a destination of 16 bits."""
        return x if self.wide else round16(x)

    def stored(self, x: Array) -> Array:
        """The bits that a destination keeps."""
        x = x & (WORD if self.wide else 0xFFFF0000)
        return np.where(exponent(x) == 0, x & SIGN, x)

    def table(self, x: Array, cuts: list[float], slopes: list[int], offsets: list[int]) -> Array:
        size = x & ~SIGN
        entry = sum((size >= pattern(cut)).astype(np.int64) for cut in cuts)
        return self.mad(np.array(slopes)[entry], size, np.array(offsets)[entry])
