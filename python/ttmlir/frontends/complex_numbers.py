"""Complex numbers as pairs of real tensors, for all importers.

Programs have no complex tensors: importers represent each by a ``Complex`` and lower operations
with the functions here. Ops that only move elements apply to both parts. Functions stay accurate
and do not overflow if their results are finite.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

from ttmlir.builder import Builder, Tensor

PartT = TypeVar("PartT", covariant=True)
OtherT = TypeVar("OtherT")


@dataclass(frozen=True, eq=False)
class Complex(Generic[PartT]):
    """The real and imaginary parts of complex numbers, of the same shape and type."""

    real: PartT
    imag: PartT

    @property
    def parts(self) -> tuple[PartT, PartT]:
        return self.real, self.imag


Pair: TypeAlias = "Complex[Tensor]"
Unary: TypeAlias = "Callable[[Builder, Pair], Pair]"
Binary: TypeAlias = "Callable[[Builder, Pair, Pair], Pair]"


def on_parts(z: Complex[PartT], function: Callable[[PartT], OtherT]) -> Complex[OtherT]:
    """Applies a function to both parts."""
    return Complex(function(z.real), function(z.imag))


# At the borders of programs ----------------------------------------------------------------------


def separated(b: Builder, whole: Tensor) -> Pair:
    """Splits a tensor with real and imaginary parts along the first dimension, such as an
    argument."""
    rest = whole.shape[1:]
    zeros = [0] * len(rest)
    real, imag = (
        b.reshape(b.slice(whole, [i, *zeros], [i + 1, *rest], [1, *(1 for _ in rest)]), rest)
        for i in range(2)
    )
    return Complex(real, imag)


def joined(b: Builder, z: Pair) -> Tensor:
    """Joins real and imaginary parts along a new first dimension, such as for a result."""
    return b.concat([b.reshape(part, (1, *part.shape)) for part in z.parts], 0)


def from_last(b: Builder, whole: Tensor) -> Pair:
    """Splits a tensor with real and imaginary parts along the last dimension."""
    rest = whole.shape[:-1]
    zeros = [0] * len(rest)
    real, imag = (
        b.reshape(b.slice(whole, [*zeros, i], [*rest, i + 1], [1] * whole.rank), rest)
        for i in range(2)
    )
    return Complex(real, imag)


def to_last(b: Builder, z: Pair) -> Tensor:
    """Joins real and imaginary parts along a new last dimension."""
    return b.concat([b.reshape(part, (*part.shape, 1)) for part in z.parts], z.real.rank)


# Helpers -----------------------------------------------------------------------------------------


def _number(b: Builder, value: float, like: Tensor) -> Tensor:
    """Builds a scalar constant that broadcasts."""
    return b.constant(value, shape=(), dtype=like.dtype)


def _compare(b: Builder, name: str, x: Tensor, y: Tensor | float) -> Tensor:
    other = y if isinstance(y, Tensor) else _number(b, y, x)
    return b._eltwise(name, (x, other), None, dtype="bool")


def _times(b: Builder, x: Tensor, factor: float) -> Tensor:
    return b.multiply(x, _number(b, factor, x))


def _plus(b: Builder, x: Tensor, term: float) -> Tensor:
    return b.add(x, _number(b, term, x))


def _halved(b: Builder, z: Pair) -> Pair:
    return Complex(_times(b, z.real, 0.5), _times(b, z.imag, 0.5))


def _copysign(b: Builder, size: Tensor, sign: Tensor) -> Tensor:
    """Returns the nonnegative ``size`` with the sign of another number."""
    return b.where(b._eltwise("signbit", (sign,), None, dtype="bool"), b.neg(size), size)


def _sizes(b: Builder, z: Pair) -> tuple[Tensor, Tensor, Tensor]:
    """Returns the larger and the smaller absolute value of the parts, and a divisor for both: the
    larger one, or 1 where it is 0 or infinite."""
    x, y = (b.abs(part) for part in z.parts)
    great, small = b.maximum(x, y), b.minimum(x, y)
    usual = b.logical_and(_compare(b, "gt", great, 0), _compare(b, "lt", great, math.inf))
    return great, small, b.where(usual, great, _number(b, 1, great))


# Parts and sizes ---------------------------------------------------------------------------------


def conj(b: Builder, z: Pair) -> Pair:
    return Complex(z.real, b.neg(z.imag))


def absolute(b: Builder, z: Pair) -> Tensor:
    """The absolute value, without overflowing squares; infinite if a part is infinite."""
    great, small, unit = _sizes(b, z)
    ratio = b.div(small, unit)
    size = b.multiply(great, b.sqrt(_plus(b, b.multiply(ratio, ratio), 1)))
    x, y = (_compare(b, "eq", b.abs(part), math.inf) for part in z.parts)
    return b.where(b.logical_or(x, y), _number(b, math.inf, size), size)


def angle(b: Builder, z: Pair) -> Tensor:
    return b.atan2(z.imag, z.real)


def polar(b: Builder, size: Tensor, direction: Tensor) -> Pair:
    """The complex number with this absolute value and angle."""
    return Complex(b.multiply(size, b.cos(direction)), b.multiply(size, b.sin(direction)))


def sign(b: Builder, z: Pair) -> Pair:
    """The number of absolute value 1 with the same angle; 0 for 0."""
    size = absolute(b, z)
    unit = b.where(_compare(b, "eq", size, 0), _number(b, 1, size), size)
    return Complex(b.div(z.real, unit), b.div(z.imag, unit))


def is_finite(b: Builder, z: Pair) -> Tensor:
    x, y = (b._eltwise("isfinite", (part,), None, dtype="bool") for part in z.parts)
    return b.logical_and(x, y)


def equal(b: Builder, x: Pair, y: Pair) -> Tensor:
    return b.logical_and(_compare(b, "eq", x.real, y.real), _compare(b, "eq", x.imag, y.imag))


def not_equal(b: Builder, x: Pair, y: Pair) -> Tensor:
    return b.logical_or(_compare(b, "ne", x.real, y.real), _compare(b, "ne", x.imag, y.imag))


def is_nonzero(b: Builder, z: Pair) -> Tensor:
    return b.logical_or(_compare(b, "ne", z.real, 0), _compare(b, "ne", z.imag, 0))


def where(b: Builder, condition: Tensor, x: Pair, y: Pair) -> Pair:
    return Complex(b.where(condition, x.real, y.real), b.where(condition, x.imag, y.imag))


# Arithmetic --------------------------------------------------------------------------------------


def negate(b: Builder, z: Pair) -> Pair:
    return Complex(b.neg(z.real), b.neg(z.imag))


def add(b: Builder, x: Pair, y: Pair) -> Pair:
    return Complex(b.add(x.real, y.real), b.add(x.imag, y.imag))


def subtract(b: Builder, x: Pair, y: Pair) -> Pair:
    return Complex(b.subtract(x.real, y.real), b.subtract(x.imag, y.imag))


def bilinear(
    b: Builder, x: Complex[PartT], y: Complex[PartT], product: Callable[[PartT, PartT], Tensor]
) -> Pair:
    """Any bilinear product, such as a matrix product."""
    return Complex(
        b.subtract(product(x.real, y.real), product(x.imag, y.imag)),
        b.add(product(x.real, y.imag), product(x.imag, y.real)),
    )


def multiply(b: Builder, x: Pair, y: Pair) -> Pair:
    return bilinear(b, x, y, b.multiply)


def divide(b: Builder, x: Pair, y: Pair) -> Pair:
    """Divides by the larger part of the divisor first, so that squares do not overflow."""
    great, _, unit = _sizes(b, y)
    is_infinite = _compare(b, "eq", great, math.inf)
    zero, one = _number(b, 0, great), _number(b, 1, great)
    is_zero = _compare(b, "eq", great, 0)

    def scaled(part: Tensor) -> Tensor:
        infinite = _compare(b, "eq", b.abs(part), math.inf)
        at_infinity = b.where(infinite, _copysign(b, one, part), zero)
        return b.where(is_infinite, at_infinity, b.div(part, unit))

    real, imag = scaled(y.real), scaled(y.imag)
    norm = b.add(b.multiply(real, real), b.multiply(imag, imag))
    divisor = b.where(is_infinite, great, unit)

    def finished(part: Tensor, of_zero: Tensor) -> Tensor:
        quotient = b.div(b.div(part, norm), divisor)
        return b.where(is_zero, b.div(of_zero, y.real), quotient)

    return Complex(
        finished(b.add(b.multiply(x.real, real), b.multiply(x.imag, imag)), x.real),
        finished(b.subtract(b.multiply(x.imag, real), b.multiply(x.real, imag)), x.imag),
    )


def reciprocal(b: Builder, z: Pair) -> Pair:
    one = _number(b, 1, z.real)
    return divide(b, Complex(one, _number(b, 0, z.real)), z)


def square(b: Builder, z: Pair) -> Pair:
    """(x - y) (x + y) avoids cancellation if the parts are similar."""
    real = b.multiply(b.subtract(z.real, z.imag), b.add(z.real, z.imag))
    return Complex(real, _times(b, b.multiply(z.real, z.imag), 2))


# Products along a dimension ----------------------------------------------------------------------


def _sliced(b: Builder, z: Pair, dim: int, begin: int, end: int) -> Pair:
    def cut(part: Tensor) -> Tensor:
        begins, ends = [0] * part.rank, list(part.shape)
        begins[dim], ends[dim] = begin, end
        return b.slice(part, begins, ends, [1] * part.rank)

    return on_parts(z, cut)


def _concatenated(b: Builder, x: Pair, y: Pair, dim: int) -> Pair:
    return Complex(b.concat([x.real, y.real], dim), b.concat([x.imag, y.imag], dim))


def product_along(b: Builder, z: Pair, dim: int) -> Pair:
    """Multiplies the halves of a dimension until it has extent 1."""
    while (extent := z.real.shape[dim]) > 1:
        half = extent // 2
        found = multiply(b, _sliced(b, z, dim, 0, half), _sliced(b, z, dim, half, 2 * half))
        if extent % 2:
            found = _concatenated(b, found, _sliced(b, z, dim, extent - 1, extent), dim)
        z = found
    return z


def running_product(b: Builder, z: Pair, dim: int) -> Pair:
    """A parallel prefix product: multiplies each element by the product ending 1, 2, 4, ...
    elements before."""
    extent, step = z.real.shape[dim], 1
    while step < extent:
        after, before = _sliced(b, z, dim, step, extent), _sliced(b, z, dim, 0, extent - step)
        z = _concatenated(b, _sliced(b, z, dim, 0, step), multiply(b, after, before), dim)
        step *= 2
    return z


# Exponentials and logarithms ---------------------------------------------------------------------


def exp(b: Builder, z: Pair) -> Pair:
    """Splits the exponent into halves, since the sine or cosine may bring the result into range."""
    half = b.exp(_times(b, z.real, 0.5))
    imag = b.multiply(b.multiply(half, b.sin(z.imag)), half)
    # With an infinite factor, the imaginary part of a real number stays 0.
    imag = b.where(_compare(b, "eq", z.imag, 0), z.imag, imag)
    return Complex(b.multiply(b.multiply(half, b.cos(z.imag)), half), imag)


def expm1(b: Builder, z: Pair) -> Pair:
    half = b.sin(_times(b, z.imag, 0.5))
    real = b.multiply(b.expm1(z.real), b.cos(z.imag))
    imag = b.multiply(b.exp(z.real), b.sin(z.imag))
    return Complex(
        b.subtract(real, _times(b, b.multiply(half, half), 2)),
        b.where(_compare(b, "eq", z.imag, 0), z.imag, imag),
    )


def _log_size(b: Builder, z: Pair) -> Tensor:
    """The logarithm of the absolute value, also accurate near 1."""
    great, small, unit = _sizes(b, z)
    ratio = b.div(small, unit)
    usual = b.add(b.log(great), _times(b, b.log1p(b.multiply(ratio, ratio)), 0.5))
    excess = b.multiply(_plus(b, great, -1), _plus(b, great, 1))
    squares = b.add(excess, b.multiply(small, small))
    near = b.logical_and(_compare(b, "gt", great, 0.7), _compare(b, "lt", great, 1.4))
    safe = b.where(near, squares, _number(b, 0, squares))
    found = b.where(near, _times(b, b.log1p(safe), 0.5), usual)
    x, y = (_compare(b, "eq", b.abs(part), math.inf) for part in z.parts)
    return b.where(b.logical_or(x, y), _number(b, math.inf, found), found)


def log(b: Builder, z: Pair) -> Pair:
    return Complex(_log_size(b, z), angle(b, z))


def log1p(b: Builder, z: Pair) -> Pair:
    shifted = Complex(_plus(b, z.real, 1), z.imag)
    squares = b.add(b.multiply(z.real, _plus(b, z.real, 2)), b.multiply(z.imag, z.imag))
    near = b.logical_and(
        _compare(b, "lt", b.abs(z.real), 0.5), _compare(b, "lt", b.abs(z.imag), 0.5)
    )
    safe = b.where(near, squares, _number(b, 0, squares))
    real = b.where(near, _times(b, b.log1p(safe), 0.5), _log_size(b, shifted))
    return Complex(real, angle(b, shifted))


def scaled_log(b: Builder, z: Pair, factor: float) -> Pair:
    """The logarithm to another base."""
    found = log(b, z)
    return Complex(_times(b, found.real, factor), _times(b, found.imag, factor))


def logistic(b: Builder, z: Pair) -> Pair:
    """Uses the exponential of the number or of its negative, whichever is below 1."""
    negative = _compare(b, "lt", z.real, 0)
    power = exp(b, where(b, negative, z, negate(b, z)))
    one, zero = _number(b, 1, z.real), _number(b, 0, z.real)
    above = where(b, negative, power, Complex(one, zero))
    return divide(b, above, Complex(b.add(power.real, one), power.imag))


def sqrt(b: Builder, z: Pair) -> Pair:
    size = absolute(b, z)
    great = b.sqrt(b.add(_times(b, size, 0.5), _times(b, b.abs(z.real), 0.5)))
    is_zero = _compare(b, "eq", great, 0)
    divisor = b.where(is_zero, _number(b, 1, great), _times(b, great, 2))
    infinite = _compare(b, "eq", b.abs(z.imag), math.inf)
    small = b.where(infinite, b.abs(z.imag), b.div(b.abs(z.imag), divisor))
    left = _compare(b, "lt", z.real, 0)
    real = b.where(left, small, great)
    imag = _copysign(b, b.where(left, great, small), z.imag)
    return Complex(real, imag)


def rsqrt(b: Builder, z: Pair) -> Pair:
    return reciprocal(b, sqrt(b, z))


def cbrt(b: Builder, z: Pair) -> Pair:
    size = b.cbrt(absolute(b, z))
    return polar(b, size, _times(b, angle(b, z), 1 / 3))


def power(b: Builder, x: Pair, y: Pair) -> Pair:
    """Uses logarithms; x^0 is 1, and 0^y is 0 if the real part of y is positive."""
    found = exp(b, multiply(b, y, log(b, x)))
    one, zero = _number(b, 1, x.real), _number(b, 0, x.real)
    of_zero = b.logical_and(b.logical_not(is_nonzero(b, x)), _compare(b, "gt", y.real, 0))
    found = where(b, of_zero, Complex(zero, zero), found)
    return where(b, is_nonzero(b, y), found, Complex(one, zero))


def integer_power(b: Builder, z: Pair, exponent: int) -> Pair:
    """Uses repeated squaring; the reciprocal for a negative exponent."""
    found: Pair | None = None
    factor, rest = z, abs(exponent)
    while rest:
        if rest & 1:
            found = factor if found is None else multiply(b, found, factor)
        rest >>= 1
        factor = square(b, factor) if rest else factor
    if found is None:
        one, zero = _number(b, 1, z.real), _number(b, 0, z.real)
        anywhere = _compare(b, "eq", z.real, z.real)
        return Complex(b.where(anywhere, one, one), b.where(anywhere, zero, zero))
    return reciprocal(b, found) if exponent < 0 else found


# Circular and hyperbolic functions ---------------------------------------------------------------


def _turned(b: Builder, z: Pair) -> Pair:
    """Multiplies by i."""
    return Complex(b.neg(z.imag), z.real)


def _turned_back(b: Builder, z: Pair) -> Pair:
    """Multiplies by -i."""
    return Complex(z.imag, b.neg(z.real))


def sinh(b: Builder, z: Pair) -> Pair:
    return Complex(
        b.multiply(b.sinh(z.real), b.cos(z.imag)), b.multiply(b.cosh(z.real), b.sin(z.imag))
    )


def cosh(b: Builder, z: Pair) -> Pair:
    return Complex(
        b.multiply(b.cosh(z.real), b.cos(z.imag)), b.multiply(b.sinh(z.real), b.sin(z.imag))
    )


def tanh(b: Builder, z: Pair) -> Pair:
    """Kahan's formula, and the limit for a large real part."""
    bound = _number(b, 20, z.real)
    x = b.minimum(b.maximum(z.real, b.neg(bound)), bound)
    slope, s = b.tan(z.imag), b.sinh(x)
    beta = _plus(b, b.multiply(slope, slope), 1)
    squared = b.multiply(s, s)
    rho = b.sqrt(_plus(b, squared, 1))
    norm = _plus(b, b.multiply(beta, squared), 1)
    real = b.div(b.multiply(b.multiply(beta, rho), s), norm)
    return Complex(real, b.div(slope, norm))


def sin(b: Builder, z: Pair) -> Pair:
    return _turned_back(b, sinh(b, _turned(b, z)))


def cos(b: Builder, z: Pair) -> Pair:
    return cosh(b, _turned(b, z))


def tan(b: Builder, z: Pair) -> Pair:
    return _turned_back(b, tanh(b, _turned(b, z)))


def _roots(b: Builder, z: Pair) -> tuple[Pair, Pair]:
    """Returns the roots of 1 - z and of 1 + z."""
    one = _number(b, 1, z.real)
    below = Complex(b.subtract(one, z.real), b.neg(z.imag))
    return sqrt(b, below), sqrt(b, Complex(b.add(one, z.real), z.imag))


def asin(b: Builder, z: Pair) -> Pair:
    below, above = _roots(b, z)
    product = multiply(b, below, above)
    imag = multiply(b, conj(b, below), above).imag
    return Complex(b.atan2(z.real, product.real), b.asinh(imag))


def acos(b: Builder, z: Pair) -> Pair:
    below, above = _roots(b, z)
    imag = multiply(b, conj(b, above), below).imag
    return Complex(_times(b, b.atan2(below.real, above.real), 2), b.asinh(imag))


def acosh(b: Builder, z: Pair) -> Pair:
    one = _number(b, 1, z.real)
    below = sqrt(b, Complex(b.subtract(z.real, one), z.imag))
    above = sqrt(b, Complex(b.add(z.real, one), z.imag))
    real = multiply(b, conj(b, below), above).real
    return Complex(b.asinh(real), _times(b, b.atan2(below.imag, above.real), 2))


def asinh(b: Builder, z: Pair) -> Pair:
    return _turned_back(b, asin(b, _turned(b, z)))


def atanh(b: Builder, z: Pair) -> Pair:
    one, size = _number(b, 1, z.real), b.abs(z.real)
    rest = b.subtract(one, size)
    squared = b.multiply(z.imag, z.imag)
    norm = b.add(b.multiply(rest, rest), squared)
    real = _times(b, b.log1p(b.div(_times(b, size, 4), norm)), 0.25)
    direction = b.subtract(b.multiply(rest, b.add(one, size)), squared)
    return Complex(
        _copysign(b, real, z.real), _times(b, b.atan2(_times(b, z.imag, 2), direction), 0.5)
    )


def atan(b: Builder, z: Pair) -> Pair:
    return _turned_back(b, atanh(b, _turned(b, z)))


#: Unary functions, by the builder's name of the real function.
UNARY: dict[str, Unary] = {
    "acos": acos,
    "acosh": acosh,
    "asin": asin,
    "asinh": asinh,
    "atan": atan,
    "atanh": atanh,
    "cbrt": cbrt,
    "cos": cos,
    "cosh": cosh,
    "exp": exp,
    "expm1": expm1,
    "log": log,
    "log1p": log1p,
    "neg": negate,
    "reciprocal": reciprocal,
    "rsqrt": rsqrt,
    "sigmoid": logistic,
    "sign": sign,
    "sin": sin,
    "sinh": sinh,
    "sqrt": sqrt,
    "square": square,
    "tan": tan,
    "tanh": tanh,
}
#: Binary functions, by the builder's name of the real function.
BINARY: dict[str, Binary] = {
    "add": add,
    "div": divide,
    "multiply": multiply,
    "power": power,
    "subtract": subtract,
}
