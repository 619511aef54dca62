"""The programs of the vector engine, written from their description alone."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from matrix_engine import Array
from vector_engine import (
    FRACTION,
    HIDDEN,
    INF,
    NAN,
    SIGN,
    WORD,
    VectorEngine,
    cast,
    copy_sign,
    debiased,
    exceeds,
    exponent,
    int16,
    is_nan,
    larger,
    nearest,
    order,
    pattern,
    power_scaled,
    round16,
    shifted,
    signed,
    smaller,
    with_exponent,
)

#: Numerators and denominators of the error function, by the width of the destination.
ERF = {
    False: (
        (1.1280932447, 0.27609212279, 0.045400281738, 7.4481184425e-4),
        (1, 0.57439188334, 0.1367576481, 0.0082844606784, 2.4813862145e-5),
    ),
    True: (
        (
            *(1.1283791065, 0.21477432549, 0.06213343516, 0.0056230435148),
            *(6.1307044234e-4, 1.7678321456e-5, 2.7384647439e-8, -2.8632063387e-10),
        ),
        (
            *(1, 0.52367275953, 0.12961706519, 0.019642570987, 0.0019545555115),
            *(1.3179056987e-4, 1.3156344494e-6, -3.5153888689e-9, -6.7350725691e-12),
        ),
    ),
}


def half_entry(half: int) -> int:
    """f16 in a table: the exponent 31 is zero, 0 is an ordinary one."""
    exp = half >> 10 & 31
    return 0 if exp == 31 else (half & 0x8000) << 16 | exp + 112 << 23 | (half & 1023) << 13


def byte_entry(byte: int) -> int:
    if byte == 0xFF:
        return 0
    value = 2.0 ** -(byte >> 4 & 7) * (1 + (byte & 15) / 16)
    return pattern(-value if byte & 0x80 else value)


def reciprocal_table() -> Array:
    """128 * (2 / (1 + (i + 0.5) / 128) - 1), rounded half up."""
    index = np.arange(128)
    return np.floor(128 * (2 / (1 + (index + 0.5) / 128) - 1) + 0.5).astype(np.int64)


class VectorPrograms(VectorEngine):
    """Each program for both chips, widths of destinations and modes."""

    # Exponentials -----------------------------------------------------------------------------

    def _from_sum(self, t: Array, c0: float, mask: Array | int = WORD) -> Array:
        z = shifted(t & FRACTION | HIDDEN, debiased(t)) & mask
        f = cast(z & FRACTION)
        p = self.mad(f, self.mad(f, 4.791750143340323e-15, 7.839635491371155e-8), c0)
        return with_exponent(p, z >> 23)

    def e21(self, x: Array) -> Array:
        t = self.mad(x, 1.4426950216293335, 127)
        t = smaller(larger(t, 0), pattern(255))
        y = self._from_sum(t, 1.0017248)
        return np.where(exponent(y) == 255, INF, y) if self.wormhole else y

    def exp_j(self, a: Array) -> Array:
        i = int16(self.mul(a, 1.442695))
        j = cast(i)
        f = self.mad(j, -0.693145752, a)
        f = self.mad(j, -1.42860677e-6, f)
        r: Array | float = 1.37805939e-3
        for c in (8.37312452e-3, 4.16695364e-2, 0.166664720, 0.499999851):
            r = self.mad(r, f, c)
        y = self.mad(r, f, 1)
        r = self.mad(y, f, 1)
        e = exponent(r) + i
        below: Array = np.zeros_like(r)
        above = self.mul(y, np.asarray(INF))
        if self.wormhole:
            below = self.mul(y - 1 & WORD, 0.0)
            above = self.add(below, np.asarray(INF))
        return np.where(e < 1, below, np.where(e >= 255, above, with_exponent(r, e)))

    def exp_inner(self, x: Array) -> Array:
        return self.exp_j(x) if self.wide else self.e21(x)

    def exp(self, x: Array) -> Array:
        if self.approx:
            i = self.mad(369.329925537, larger(x, pattern(-88.5)), 32500.818359375)
            return nearest(i, 65535) << 15
        if self.wide:
            return self.exp_j(x)
        t = self.mad(x, 1.4426950216293335, 127)
        mask: Array | int = WORD
        if self.wormhole:
            t = smaller(larger(t, 0), pattern(255))
        else:
            t = smaller(t, pattern(255))
            mask = np.where(order(t) > 0, WORD, 0)
        return round16(self._from_sum(t, 1.001953125, mask))

    def exp2(self, x: Array) -> Array:
        v = self.mul(x, 0.6931471805)
        if not self.wide:
            return round16(self.e21(v))
        z = self.mul(v, 1.4426950408889634)
        total = self.add(z, 12582912)
        k = self.add(total, -12582912)
        r = self.mad(k, -0.693115234375, v)
        r = self.mad(k, -3.19461832987e-5, r)
        p = self.horner(r, 1, 1, 1 / 2, 1 / 6, 1 / 24, 1 / 120, 1 / 720, 1 / 5040)
        y = with_exponent(p, exponent(p) + total - 0x4B400000)
        y = np.where(order(z) <= order(np.asarray(pattern(-127))), 0, y)
        y = np.where(order(z) >= order(np.asarray(pattern(128))), INF, y)
        return np.where(is_nan(v), NAN, y)

    def expm1(self, x: Array) -> Array:
        if self.wide:
            coefficients = (0, 1, 0.50000006, 0.16666667163372040, 4.1665088385e-2)
            near = self.horner(x, *coefficients, 8.3331884816e-3, 1.4003907563e-3, 1.9958837947e-4)
            far, cut = self.exp_j(x), pattern(0.5)
        else:
            near = self.mul(x, self.horner(x, 1, 0.5, 0.166))
            far, cut = self.e21(x), 0x3ECD0000
        return self.rb(np.where(x & ~SIGN < cut, near, self.add(far, -1)))

    # Reciprocals and roots --------------------------------------------------------------------

    def _newton(self, x: Array, steps: int) -> Array:
        """Wormhole's reciprocal."""
        m = x & FRACTION | pattern(-1)
        y = self.mad(0.3232325017452, m, 1.4545459747314)
        y = self.mad(y, m, 2.1212124824524)
        s = self.mul(~x & 0xFF800000, 0.5)
        for _ in range(max(steps, 1)):
            y = self.mad(y, self.mad(m, y, 1), y)
        return copy_sign(self.mul(y, s), x)

    @staticmethod
    def arecip(x: Array) -> Array:
        size = x & ~SIGN
        value = 253 - (size >> 23) << 23 | reciprocal_table()[size >> 16 & 127] << 16
        value = np.where(size < 0x7E800000, value, 0)
        return x & SIGN | np.where(size < HIDDEN, INF, value)

    def inner_reciprocal(self, x: Array, steps: int) -> Array:
        if self.wormhole:
            return self._newton(x, steps)
        y = self.arecip(x)
        if steps == 0:
            return y
        t = self.mad(x, y, -2)
        y1 = self.mul(y, t ^ SIGN)
        if steps == 1:
            return np.where(t & SIGN, y1, y)
        again = self.mad(x, y1, -2)
        return np.where(t & SIGN, self.mul(y1, again ^ SIGN), y)

    def reciprocal(self, x: Array) -> Array:
        if self.wormhole:
            if self.approx:
                return self._newton(x, 0)
            return self.rb(self._newton(x, 2 if self.wide else 1))
        y = self.arecip(x)
        if self.approx:
            return y
        if self.wide:
            e = self.mad(x ^ SIGN, y, 1)
            t = self.mad(e, e, e)
            t = smaller(self.mad(t, e, e), pattern(1))
            return self.mad(t, y, y)
        y = y | 0x8000
        z = self.mad(self.mad(0.0, 0.0, x), y, -1)
        return y + (z >> 16) & WORD

    def _root(self, x: Array, inverse: bool) -> Array:
        either = (x == 0) | (x == INF)
        y = (0x5F0B3892 if self.approx else 0x5F1110A0) - (x >> 1) & WORD
        if self.approx:
            c = self.mul(x, y)
            t = self.mad(y ^ SIGN, c, 1.89099014875)
            root = np.where(x == INF, c, self.mul(c, t))
            inverted = self.mul(y, t)
        else:
            xy = self.mul(x, y)
            c = self.mul(y ^ SIGN, xy)
            y = self.mul(y, self.mad(c, self.add(2.2533049, c), 2.2825186))
            xy = self.mul(x, y)
            o = self.mad(y ^ SIGN, xy, 1)
            root = np.where(signed(x) < INF, self.mad(o, self.mul(0.5, xy), xy), y)
            inverted = self.mad(o, power_scaled(y, -1), y)
        result = np.where(either, INF - x & WORD, inverted) if inverse else root
        return self.rb(np.where(x & SIGN, NAN, result))

    def sqrt(self, x: Array) -> Array:
        return self._root(x, False)

    def rsqrt(self, x: Array) -> Array:
        return self._root(x, True)

    def cbrt(self, a: Array) -> Array:
        x = a & ~SIGN
        k0, k1, k2 = (float.fromhex(k) for k in ("0x1.c09806p0", "-0x1.403e6cp0", "0x1.04cdb2p-1"))
        slope = float.fromhex("-0x1.555556p-10")
        y = self.mad(cast(x), slope, 1418472267 / 256 + 8388608) << 8 & WORD
        if not self.wide:
            d = self.mul(x, self.mul(y, y))
            c = self.mul(d, y)
            t = self.mad(c, self.mad(k2, c, k1), k0)
        else:
            c = self.mul(self.mul(x, y), self.mul(y, y))
            y = self.mul(y, self.mad(c, self.mad(k2, c, k1), k0))
            d = self.mul(x, self.mul(y, y))
            t = self.mad(self.mad(d, y, -1), -1 / 3, 1)
        return self.rb(copy_sign(self.mul(d, self.mul(t, t)), a))

    # Logarithms and powers --------------------------------------------------------------------

    def _log_parts(self, x: Array, invert: Callable[[Array], Array]) -> tuple[Array, Array]:
        m, e = with_exponent(x, 127), debiased(x)
        upper = m >= 0x3FB504F3
        m, e = np.where(upper, with_exponent(m, 126), m), e + upper
        z = self.mul(self.add(m, -1), invert(self.add(m, 1)))
        p = self.horner(self.mul(z, z), 1, 1 / 3, 1 / 5, 1 / 7, 1 / 9, 1 / 11)
        return cast(e), self.mul(2, self.mul(z, p))

    def log(self, x: Array) -> Array:
        if self.wide:
            e, low = self._log_parts(x, lambda t: self.inner_reciprocal(t, 2))
            r = self.mad(e, 0.69314718246, low)
        else:
            s = self.horner(
                with_exponent(x, 127),
                *(-2.0069785118103, 3.7675004005432, -2.8002324104309),
                *(1.3681391477585, -0.3706687390804, 0.0422401130199),
            )
            r = self.mad(cast(debiased(x)), 0.69314718246, s)
        r = np.where(x == 0, SIGN | INF, r)
        r = np.where(x == INF, INF, r)
        return self.rb(np.where(is_nan(x) | (x & SIGN != 0), NAN, r))

    def log1p(self, a: Array) -> Array:
        u = self.add(a, 1)
        e = u - pattern(0.75) & 0xFF800000
        m = a - e & WORD
        s = pattern(-4) - e & WORD
        m = self.add(m, self.mad(-0.25, s, -1))
        if self.wide:
            names = "-0x1.92cp-5 0x1.b84p-4 -0x1.0c4p-3 0x1.274p-3 -0x1.55p-3 0x1.998p-3"
            names += " -0x1.00001ap-2 0x1.555572p-2 -0x1p-1"
        else:
            names = "-0x1p-2 0x1.744p-2 -0x1.008p-1"
        first, *rest = (float.fromhex(name) for name in names.split())
        r: Array | float = first
        for c in rest:
            r = self.mad(r, m, c)
        r = self.mad(r, self.mul(m, m), m)
        whole = copy_sign(cast(np.abs(signed(e))), e)
        r = self.mad(whole, 0.693147182 * 2.0**-23, r)
        r = np.where(signed(u) >= INF, u, r)
        return self.rb(np.where(u & SIGN, NAN, r))

    def power(self, base: Array, p: Array) -> Array:
        x = base & ~SIGN
        if self.wide:

            def invert(t: Array) -> Array:
                y = self.mad(-0.24264068712, t, 1)
                for _ in range(2):
                    y = self.mad(y, self.mad(t ^ SIGN, y, 1), y)
                return y

            e, low = self._log_parts(x, invert)
            log2 = self.mad(low, 1.442695, e)
        else:
            names = "-0x1.952992p0 0x2.4f5388p0 -0xd.e712ap-4 0x2.44734p-4"
            s = self.horner(with_exponent(x, 127), *map(float.fromhex, names.split()))
            log2 = self.mad(s, 1.442695, cast(debiased(x)))
        z = larger(self.mul(p, log2), pattern(-127))
        if self.wide:
            result = self.exp_j(self.mul(z, 0.69314718056))
        else:
            total = self.add(power_scaled(z, 23), float(0x3F800000))
            whole = shifted(total & FRACTION | HIDDEN, debiased(total) - 23)
            zf = whole & FRACTION
            d2 = self.mul(0.40196114e-7, cast(zf + 0xF94EE7))
            d3 = self.mul(d2, cast(zf + 0x560E))
            bits = shifted(d3 & FRACTION | HIDDEN, debiased(d3) - 23)
            result = with_exponent(bits, whole >> 23)
        result = np.where((base == 0) & (p & SIGN != 0), NAN, result)
        whole = int16(p)
        exact = self.add(p, cast(whole) ^ SIGN) & ~SIGN == 0
        negative = np.where(exact, copy_sign(result, whole << 31), NAN)
        return self.rb(np.where(base & SIGN, negative, result))

    # Activations and error functions ----------------------------------------------------------

    def inner_sigmoid(self, x: Array) -> Array:
        d = self.add(1, self.exp_inner(x ^ SIGN))
        return self.inner_reciprocal(d, 2 if self.wide else 1)

    def sigmoid(self, x: Array) -> Array:
        if not self.approx:
            return self.rb(self.inner_sigmoid(x))
        slopes = [0x33D9, 0x32F4, 0x318A, 0x300A, 0x2A35, 0x7C00]
        offsets = [0x7C00, 0x23C8, 0x2BAA, 0x3027, 0x34CC, 0x37FF]
        entries = [list(map(half_entry, halves)) for halves in (slopes, offsets)]
        part = self.table(x, [0.5, 1, 1.5, 2, 4], *entries)
        return self.add(copy_sign(part, x), 0.5)

    def silu(self, x: Array) -> Array:
        return self.rb(self.mul(x, self.inner_sigmoid(x)))

    def tanh(self, x: Array) -> Array:
        if self.approx:
            entries = [0x1DFF, 0x481A, 0xFF00]
            slopes = [byte_entry(entry >> 8) for entry in entries]
            offsets = [byte_entry(entry & 255) for entry in entries]
            return copy_sign(self.table(x, [1, 2], slopes, offsets), x)
        if self.wide:
            near = self.horner(
                self.mul(x, x),
                *(0.99999994039535522, -0.33332359790802, 0.13310669362545013),
                *(-0.05211976543068886, 0.015497927553951740),
            )
            far = self.mad(2, self.inner_sigmoid(self.mul(2, x)), -1)
            return np.where(x & ~SIGN < pattern(0.6), self.mul(x, near), far)
        r = self.horner(
            x & ~SIGN,
            *(0, 0.999004364013671875, 0.030897438526153564, -0.48906597495079),
            *(0.28191763162612915, -0.066649019718170166, 0.005876733921468258),
        )
        return round16(copy_sign(smaller(r, pattern(1)), x))

    def gelu(self, x: Array) -> Array:
        if self.approx:
            slopes = [0x322B, 0x37E7, 0x38F3, 0x38E1, 0x3852, 0x3800]
            offsets = [0x86D8, 0xB122, 0xB479, 0xB437, 0xAFA4, 0x7C00]
            entries = [list(map(half_entry, halves)) for halves in (slopes, offsets)]
            return self.add(self.mul(x, 0.5), self.table(x, [0.5, 1, 1.5, 2, 3], *entries))
        if self.wide:
            s = smaller(self.mul(x, 0.70710678), pattern(10))
            e = self._erf(s)
            r = self.mul(x, self.mad(0.5, e, 0.5))
            r = np.where(e == pattern(-1), self.mul(x, 2.0**-25), r)
            return np.where(exceeds(x, -5.54259443), r, 0)
        x2 = self.mul(x, x)
        h = self._from_sum(self.mad(x2, -0.72134752044, 127), 1.0017248)
        h = self.mul(
            h, self.horner(x, 0.30369991064, 0.095413386822, 0.013809983619, 7.5950479368e-4)
        )
        h = self.add(self.add(h, 0.375), -0.375)
        r = np.where(exceeds(x, -5.54259443), self.mul(x, h), 0)
        middle = self.horner(
            x2,
            *(0.39894227818, -0.066361041488, 0.0097720050615, -0.0010717806322),
            *(8.1812159812e-5, -3.8082057209e-6, 7.9821413868e-8),
        )
        at_least = ~(order(np.asarray(pattern(-3.125))) > order(x))
        r = np.where(at_least, self.mul(x, self.mad(x, middle, 0.5)), r)
        at_least = ~(order(np.asarray(pattern(2.78125))) > order(x))
        return round16(np.where(at_least, x, r))

    def mish(self, x: Array) -> Array:
        u = self.e21(x) if self.approx else self.exp_inner(x)
        one = self.add(u, 1)
        d = self.mad(one, one, 1)
        r = self.inner_reciprocal(d, 0 if self.approx else 2 if self.wide else 1)
        small = self.mul(x, self.mul(self.mul(u, self.add(u, 2)), r))
        if self.wormhole:
            return self.rb(np.where(order(x) >= pattern(8), x, small))
        return self.rb(np.where(x & SIGN, small, self.mad(self.mul(2, x) ^ SIGN, r, x)))

    def hardsigmoid(self, x: Array) -> Array:
        r = self.mad(x, 0.16666667163, 0.5)
        r = np.where(exceeds(r, 1), pattern(1), r)
        return self.rb(np.where(r & SIGN, 0, r))

    def _erf(self, x: Array) -> Array:
        numerator, denominator = ERF[self.wide]
        s = self.mul(x, x)
        p = self.mul(self.horner(s, *numerator), x)
        q = self.horner(s, *denominator)
        r = self.mul(p, self.inner_reciprocal(q, 2 if self.wide else 1))
        return larger(smaller(r, pattern(1)), pattern(-1))

    def erf(self, x: Array) -> Array:
        return self.rb(self._erf(larger(smaller(x, pattern(10)), pattern(-10))))

    def erfc(self, x: Array) -> Array:
        a, x2 = x & ~SIGN, self.mul(x, x)
        series = self.horner(
            x2,
            *(1.1283125367, -0.37556339817, 0.11125811263),
            *(-0.024775019023, 0.0037510146011, -2.8441375985e-4),
        )
        r = self.mad(a ^ SIGN, series, 1)
        c = smaller(a, pattern(10))
        e = self._from_sum(self.mad(self.mul(c ^ SIGN, c), 1.4426950216293335, 159), 1.0017248)
        i = self.inner_reciprocal(c, 2 if self.wide else 1)
        tail = self.horner(
            self.mul(i, i),
            *(1.3134962886e-10, -6.4860935059e-11, 8.2414139191e-11),
            *(-1.0321147863e-10, 6.5989263674e-11),
        )
        r = np.where(a >= pattern(1.5), self.mul(self.mul(e, i), tail), r)
        return self.rb(np.where(x & SIGN, self.add(2, r ^ SIGN), r))

    # Trigonometry -----------------------------------------------------------------------------

    def _sine(self, v: Array, j: Array, q: Array, parts: str) -> Array:
        a = v
        for part in parts.split():
            a = self.mad(j, -float.fromhex(part), a)
        s = self.mul(a, a)
        a = a ^ (q & 1) << 31
        names = "0x1.5dc908p-19 -0x1.9f70fp-13 0x1.110edap-7 -0x1.55554cp-3"
        if not self.wide:
            names = "-0x1.8b10a4p-13 0x1.10c2a2p-7 -0x1.5554a4p-3"
        r = self.horner(s, *[float.fromhex(name) for name in names.split()][::-1])
        return self.rb(self.mad(r, self.mul(a, s), a))

    def sin(self, v: Array) -> Array:
        rounded = self.mad(v, 0.31830987334, 12582912)
        j = self.add(rounded, -12582912)
        return self._sine(v, j, rounded, "0x1.92p+1 0x1.fbp-11 0x1.51p-21 0x1.0b4612p-33")

    def cos(self, v: Array) -> Array:
        rounded = self.add(self.mad(v, 0.31830987334, 0.5), 12582912)
        j = self.mad(2, self.add(rounded, -12582912), -1)
        return self._sine(v, j, rounded, "0x1.92p+0 0x1.fbp-12 0x1.51p-22 0x1.0b4612p-34")

    # A few instructions -----------------------------------------------------------------------

    def square(self, x: Array) -> Array:
        return self.mul(x, x)

    def relu(self, x: Array) -> Array:
        return larger(x, 0)

    def relu6(self, x: Array) -> Array:
        limited = np.where(exceeds(x, 6), pattern(6), x)
        return np.where(limited & SIGN, 0, limited)
