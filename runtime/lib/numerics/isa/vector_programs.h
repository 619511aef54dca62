// Programs of the vector engine: exponentials, reciprocals, roots and
// logarithms, which the programs of vector_functions.h use.
//
// Each is the sequence of multiply-adds that the chip runs, as of tt-metal in
// spring 2026, with the same constants.
#ifndef TT_RUNTIME_NUMERICS_ISA_VECTOR_PROGRAMS_H
#define TT_RUNTIME_NUMERICS_ISA_VECTOR_PROGRAMS_H

#include "numerics/isa/vector_instructions.h"

namespace tt::runtime::numerics::TTK_ISA {
namespace {

TTK_INLINE Lanes zero() { return Lanes(0u); }
TTK_INLINE Lanes infinity() { return Lanes(kInfinityBits); }
TTK_INLINE Lanes nan() { return Lanes(kNanBits); }
constexpr float kLog2E = 1.4426950216293335f, kLn2 = 0.69314718246f;

class VectorPrograms : public VectorEngine {
public:
  using VectorEngine::VectorEngine;

  //===-- Exponentials ----------------------------------------------------===//

  Lanes exp(const Lanes &x) const {
    return mode.approx ? expFast(x) : mode.wide ? exp32(x) : exp16(x);
  }

  /// The exponential that other programs use, for the width of the destination,
  /// without rounding.
  Lanes expInner(const Lanes &x) const {
    return mode.wide ? exp32(x) : expOfPower(x);
  }

  Lanes exp2(const Lanes &x) const {
    const Lanes scaled = mul(x, 0.6931471805f);
    return mode.wide ? exp32Taylor(scaled) : round16(expOfPower(scaled));
  }

  Lanes expm1(const Lanes &x) const {
    if (mode.wide) {
      const Lanes near =
          horner(x, 0, 1, 0.50000006f, 0.16666667163372040f, 4.1665088385e-2f,
                 8.3331884816e-3f, 1.4003907563e-3f, 1.9958837947e-4f);
      return select(isLess(magnitude(x), Lanes(0.5f)), near,
                    add(exp32(x), -1.0f));
    }
    const Lanes near = mul(x, horner(x, 1, 0.5f, 0.166f));
    return round16(select(isLess(magnitude(x), Lanes(0x3ecd0000u)), near,
                          add(expOfPower(x), -1.0f)));
  }

  //===-- Reciprocals and roots -------------------------------------------===//

  Lanes reciprocal(const Lanes &x) const {
    if (mode.wormhole) {
      if (mode.approx)
        return reciprocalWormhole(x, 1);
      return rounded(reciprocalWormhole(x, mode.wide ? 2 : 1));
    }
    Lanes y = approximateReciprocal(x);
    if (mode.approx)
      return y;
    if (mode.wide) {
      const Lanes error = mad(flipSign(x), y, 1.0f);
      Lanes t = mad(error, error, error);
      t = minimum(mad(t, error, error), 1.0f);
      return mad(t, y, y);
    }
    // Adds one unit of bf16 where the error is negative; the store truncates
    // the rest.
    y = y | 0x8000u;
    const Lanes error = mad(mad(0.0f, 0.0f, x), y, -1.0f);
    return plus(y, error >> 16);
  }

  /// For use in other programs, with 0 to 2 steps.
  Lanes reciprocalInner(const Lanes &x, int count) const {
    if (mode.wormhole)
      return reciprocalWormhole(x, count);
    Lanes y = approximateReciprocal(x);
    if (count == 0)
      return y;
    Lanes t = mad(x, y, -2.0f);
    const Lanes better = mul(y, flipSign(t));
    if (count == 1)
      return select(isNegative(t), better, y);
    const Lanes use = isNegative(t);
    t = mad(x, better, -2.0f);
    return select(use, mul(better, flipSign(t)), y);
  }
  /// With the number of steps that the destination needs.
  Lanes reciprocalInner(const Lanes &x) const {
    return reciprocalInner(x, mode.wide ? 2 : 1);
  }

  Lanes sqrt(const Lanes &x) const { return root<false>(x); }
  Lanes rsqrt(const Lanes &x) const { return root<true>(x); }

  Lanes cbrt(const Lanes &a) const {
    const Lanes x = magnitude(a);
    const Lanes guess =
        mad(toFloat(x), -0x1.555556p-10f, float(1418472267.0 / 256 + 8388608));
    Lanes y = guess << 8;
    const auto step = [&](const Lanes &c) {
      return mad(c, mad(0x1.04cdb2p-1f, c, -0x1.403e6cp0f), 0x1.c09806p0f);
    };
    if (!mode.wide) {
      const Lanes d = mul(x, mul(y, y));
      const Lanes t = step(mul(d, y));
      return round16(withSign(mul(d, mul(t, t)), a));
    }
    y = mul(y, step(mul(mul(x, y), mul(y, y))));
    const Lanes d = mul(x, mul(y, y));
    const Lanes t = mad(mad(d, y, -1.0f), -1.0f / 3, 1.0f);
    return withSign(mul(d, mul(t, t)), a);
  }

  //===-- Logarithms ------------------------------------------------------===//

  Lanes log(const Lanes &x) const {
    Lanes result;
    if (mode.wide) {
      const auto [e, l] =
          logParts(x, [&](const Lanes &t) { return reciprocalInner(t, 2); });
      result = mad(e, kLn2, l);
    } else {
      const Lanes m = withExponent(x, Lanes(127u));
      const Lanes s =
          horner(m, -2.0069785118103f, 3.7675004005432f, -2.8002324104309f,
                 1.3681391477585f, -0.3706687390804f, 0.0422401130199f);
      result = mad(toFloat(exponentOf(x)), kLn2, s);
    }
    result = select(isEqual(x, 0), Lanes(kSign | kInfinityBits), result);
    result = select(isEqual(x, kInfinityBits), x, result);
    result = select(isNegative(x) | isLess(infinity(), x), nan(), result);
    return rounded(result);
  }

  Lanes log1p(const Lanes &a) const {
    const Lanes u = add(a, 1.0f);
    const Lanes e = minus(u, 0.75f) & ~kFraction;
    Lanes m = minus(a, e);
    m = add(m, mad(-0.25f, minus(-4.0f, e), -1.0f));
    Lanes r;
    if (mode.wide)
      r = steps(-0x1.92cp-5f, m, 0x1.b84p-4f, -0x1.0c4p-3f, 0x1.274p-3f,
                -0x1.55p-3f, 0x1.998p-3f, -0x1.00001ap-2f, 0x1.555572p-2f,
                -0.5f);
    else
      r = steps(-0.25f, m, 0x1.744p-2f, -0x1.008p-1f);
    r = mad(r, mul(m, m), m);
    const float scale = float(0.693147182 / (1 << 23));
    r = mad(toFloat(e), scale, r);
    r = select(isLess(u, infinity()), r, u);
    return rounded(select(isNegative(u), nan(), r));
  }

  //===-- Powers ----------------------------------------------------------===//

  Lanes power(const Lanes &base, const Lanes &exponent) const {
    const Lanes x = magnitude(base);
    Lanes log2;
    if (mode.wide) {
      const auto [e, l] = logParts(x, [&](const Lanes &t) {
        Lanes y = mad(-0.24264068712f, t, 1.0f);
        for (int i = 0; i < 2; ++i)
          y = mad(y, mad(flipSign(t), y, 1.0f), y);
        return y;
      });
      log2 = mad(l, 1.442695f, e);
    } else {
      const Lanes s = horner(withExponent(x, Lanes(127u)), -0x1.952992p0f,
                             0x2.4f5388p0f, -0xd.e712ap-4f, 0x2.44734p-4f);
      log2 = mad(s, 1.442695f, toFloat(exponentOf(x)));
    }
    const Lanes z = maximum(mul(exponent, log2), -127.0f);
    Lanes result = mode.wide ? exp32(mul(z, 0.69314718056f)) : powerOfTwo(z);
    result = select(isEqual(base, 0) & isNegative(exponent), nan(), result);
    // For a negative base, the parity of a whole exponent determines the sign.
    const Lanes whole = toInt16(exponent);
    const Lanes rest = add(exponent, flipSign(toFloat(whole)));
    const Lanes ofNegative = select(isEqual(magnitude(rest), 0),
                                    withSign(result, whole << 31), nan());
    return rounded(select(isNegative(base), ofNegative, result));
  }

protected:
  /// x * 2^by on its exponent field, which wraps; infinities and NaN stay.
  static Lanes scaled(const Lanes &x, int by) {
    const Lanes field = exponentField(x);
    return select(isEqual(field, 255), x, withExponent(x, plus(field, by)));
  }

  /// exp(x) for t = x / ln 2 + 127: a quadratic polynomial of the fraction of
  /// t, with its integer part as the exponent.
  Lanes powerOfSum(const Lanes &t, float first, Lanes mask = Lanes(~0u)) const {
    const Lanes z = shift(significand(t), exponentOf(t)) & mask;
    const Lanes f = toFloat(fraction(z));
    const Lanes p =
        mad(f, mad(f, 4.791750143340323e-15f, 7.839635491371155e-8f), first);
    return withExponent(p, exponentField(z));
  }
  static constexpr float kFirst = 1.0017248f;

  Lanes expOfPower(const Lanes &x) const {
    Lanes t = mad(x, kLog2E, 127.0f);
    t = minimum(maximum(0.0f, t), 255.0f);
    const Lanes y = powerOfSum(t, kFirst);
    if (!mode.wormhole)
      return y;
    return select(isLess(exponentField(y), 255), y, infinity());
  }

private:
  /// The accurate version for destinations of 16 bits: its first constant has
  /// 16 bits.
  Lanes exp16(const Lanes &x) const {
    constexpr float kHalfConstant = 1.001953125f;
    Lanes t = mad(x, kLog2E, 127.0f);
    if (mode.wormhole) {
      t = minimum(maximum(0.0f, t), 255.0f);
      return round16(powerOfSum(t, kHalfConstant));
    }
    t = minimum(t, 255.0f);
    return round16(powerOfSum(t, kHalfConstant, isLess(zero(), t)));
  }

  /// The accurate version for destinations of 32 bits.
  Lanes exp32(const Lanes &a) const {
    const Lanes i = toInt16(mul(a, 1.442695f)), j = toFloat(i);
    Lanes f = mad(j, -0.693145752f, a);
    f = mad(j, -1.42860677e-6f, f);
    const Lanes y = steps(1.37805939e-3f, f, 8.37312452e-3f, 4.16695364e-2f,
                          0.166664720f, 0.499999851f, 1.0f);
    const Lanes r = mad(y, f, 1.0f);
    const Lanes e = plus(exponentField(r), i);
    const Lanes inside = withExponent(r, e);
    const Lanes under = isLess(e, 1), over = isLess(Lanes(254u), e);
    if (!mode.wormhole)
      return select(under, zero(), select(over, mul(y, infinity()), inside));
    const Lanes none = mul(plus(y, -1), zero());
    return select(under, none, select(over, add(none, infinity()), inside));
  }

  /// The version of the low-level kernels, which `exp2` uses.
  Lanes exp32Taylor(const Lanes &x) const {
    const Lanes z = mul(x, 1.4426950408889634f);
    const Lanes sum = add(z, 12582912.0f);
    const Lanes k = add(sum, -12582912.0f);
    Lanes r = mad(k, -0.693115234375f, x);
    r = mad(k, -3.19461832987e-5f, r);
    const Lanes p = horner(r, 1, 1, 0.5f, 1.0f / 6, 1.0f / 24, 1.0f / 120,
                           1.0f / 720, 1.0f / 5040);
    const Lanes whole = minus(sum, 12582912.0f);
    Lanes result = withExponent(p, plus(exponentField(p), whole));
    result = select(greater(z, Lanes(-127.0f)), result, zero());
    result = select(greater(128.0f, z), result, infinity());
    return select(isLess(infinity(), magnitude(x)), nan(), result);
  }

  /// The bits of the result are a linear function of x.
  Lanes expFast(const Lanes &x) const {
    return toUint16(mad(369.329925537f, maximum(x, -88.5f), 32500.818359375f))
           << 15;
  }

  /// 2^z, for `power`.
  Lanes powerOfTwo(const Lanes &z) const {
    const Lanes sum = add(scaled(z, 23), float(0x3f800000));
    const Lanes whole = shift(significand(sum), plus(exponentOf(sum), -23));
    const Lanes low = fraction(whole);
    const Lanes d = mul(0.40196114e-7f, toFloat(plus(low, 0xf94ee7)));
    const Lanes product = mul(d, toFloat(plus(low, 0x560e)));
    const Lanes bits =
        shift(significand(product), plus(exponentOf(product), -23));
    return withExponent(bits, exponentField(whole));
  }

  Lanes reciprocalWormhole(const Lanes &x, int count) const {
    const Lanes m = fraction(x) | Lanes(-1.0f);
    Lanes y = mad(0.3232325017452f, m, 1.4545459747314f);
    const Lanes scale = mul(~x & (kSign | kInfinityBits), 0.5f);
    y = mad(y, m, 2.1212124824524f);
    y = mad(y, mad(m, y, 1.0f), y);
    if (count > 1)
      y = mad(y, mad(m, y, 1.0f), y);
    return withSign(mul(y, scale), x);
  }

  template <bool Reciprocal> Lanes root(const Lanes &x) const {
    const uint32_t start = mode.approx ? 0x5f0b3892u : 0x5f1110a0u;
    Lanes y = minus(Lanes(start), x >> 1), c, xy;
    const Lanes zeroOrInfinity = isEqual(x, 0) | isEqual(x, kInfinityBits);
    const Lanes reversed = minus(infinity(), x);
    Lanes result;
    if (mode.approx) {
      c = mul(x, y);
      const Lanes t = mad(flipSign(y), c, 1.89099014875f);
      result = Reciprocal ? select(zeroOrInfinity, reversed, mul(y, t))
                          : select(isEqual(x, kInfinityBits), c, mul(c, t));
    } else {
      xy = mul(x, y);
      c = mul(flipSign(y), xy);
      y = mul(y, mad(c, add(2.2533049f, c), 2.2825186f));
      xy = mul(x, y);
      const Lanes error = mad(flipSign(y), xy, 1.0f);
      if (Reciprocal) {
        result = select(zeroOrInfinity, reversed, mad(error, scaled(y, -1), y));
      } else {
        result =
            select(isLess(x, infinity()), mad(error, mul(0.5f, xy), xy), y);
      }
    }
    return rounded(select(isNegative(x), nan(), result));
  }

  struct LogParts {
    Lanes exponent; // as a float
    Lanes log;      // natural, of the number between 1/sqrt(2) and sqrt(2)
  };
  template <typename Invert>
  LogParts logParts(const Lanes &x, const Invert &invert) const {
    Lanes m = withExponent(x, Lanes(127u));
    const Lanes large = isLess(Lanes(0x3fb504f2u), m);
    m = select(large, withExponent(m, Lanes(126u)), m);
    const Lanes e = plus(exponentOf(x), large & 1u);
    const Lanes z = mul(add(m, -1.0f), invert(add(m, 1.0f)));
    const Lanes p =
        horner(mul(z, z), 1, 1.0f / 3, 1.0f / 5, 1.0f / 7, 1.0f / 9, 1.0f / 11);
    return {toFloat(e), mul(2.0f, mul(z, p))};
  }
};

} // namespace
} // namespace tt::runtime::numerics::TTK_ISA

#endif // TT_RUNTIME_NUMERICS_ISA_VECTOR_PROGRAMS_H
