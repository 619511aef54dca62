// Elementary functions on vectors, own polynomials, no libm.
//
// Largest errors seen over dense samples of f32, in ulp of f32:
//   exp 1, log 1, sigmoid 1.5, tanh 2, silu 2 (computed in f32);
//   expm1, log1p, sin, cos, tan, erf, gelu, cbrt, power 0.6 (computed in f64).
// The coefficients were fitted for this library (weighted least squares refined
// towards the smallest greatest error).
#ifndef TT_RUNTIME_NUMERICS_ISA_MATH_H
#define TT_RUNTIME_NUMERICS_ISA_MATH_H

#include "numerics/isa/simd.h"

namespace tt::runtime::numerics::TTK_ISA {
namespace {

template <typename V, typename T, int N>
TTK_INLINE V polynomial(V x, const T (&coefficients)[N]) {
  V result = coefficients[N - 1] - V{};
#pragma GCC unroll 32
  for (int i = N - 2; i >= 0; --i)
    result = result * x + coefficients[i];
  return result;
}

constexpr float kInfinity = __builtin_inff();

/// Nearest integer of small values, by the rounding of the addition.
TTK_INLINE vf roundSmall(vf x) { return (x + 0x1.8p23f) - 0x1.8p23f; }
TTK_INLINE vd roundSmall(vd x) { return (x + 0x1.8p52) - 0x1.8p52; }

TTK_INLINE vf vfloor(vf x) {
  vi fits = vabs(x) < 8388608.0f; // bigger values are whole
  vf whole = __builtin_convertvector(
      __builtin_convertvector(select(fits, x, vf{}), vi), vf);
  whole = select(whole > x, whole - 1.0f, whole);
  return select(fits, copySign(whole, x), x);
}
TTK_INLINE vf vceil(vf x) { return -vfloor(-x); }

//===-- f32 ---------------------------------------------------------------===//

/// exp as a value and what its last addition lost; value = partial * scale,
/// where `partial` is no denormal yet.
struct ExpParts {
  vf value, lost, partial, scale;
};
TTK_INLINE ExpParts expParts(vf x) {
  constexpr float kC[] = {5.000000013e-01f, 1.666666676e-01f, 4.166646478e-02f,
                          8.333286001e-03f, 1.393366561e-03f, 1.990758953e-04f};
  vf bounded = select(x < -111.0f, splat(-111.0f), x);
  bounded = select(bounded > 89.0f, splat(89.0f), bounded);
  bounded = select(isNan(x), vf{}, bounded);
  vf n = roundSmall(bounded * 0x1.715476p+0f);
  vf r = (bounded - n * 0x1.62ep-1f) - n * 0x1.0bfbe8p-15f;
  vf rest = (r * r) * polynomial(r, kC) + r;
  vf value = 1.0f + rest;
  vf lost = rest - (value - 1.0f);
  // Two factors reach the denormals and beyond the greatest exponent.
  vi whole = __builtin_convertvector(n, vi);
  vi half = whole >> 1;
  vf low = asFloat((half + 127) << 23);
  vf high = asFloat((whole - half + 127) << 23);
  vf partial = value * low;
  return {select(isNan(x), x, partial * high), lost * low * high, partial,
          high};
}

TTK_INLINE vf vexp(vf x) { return expParts(x).value; }

TTK_INLINE vf vlog(vf x) {
  constexpr float kC[] = {
      3.333331180e-01f,  -2.499998692e-01f, 2.000215311e-01f,
      -1.666919644e-01f, 1.421988678e-01f,  -1.238579755e-01f,
      1.186625347e-01f,  -1.177975731e-01f, 6.917627888e-02f};
  vi tiny = x < 0x1p-126f;
  vf scaled = select(tiny, x * 0x1p23f, x);
  vu raw = bits(scaled);
  // Brings the mantissa to [sqrt(1/2), sqrt(2)).
  vi exponent = (vi)(raw - 0x3f3504f3u) >> 23;
  vf f = asFloat(raw - ((vu)exponent << 23)) - 1.0f;
  vf e =
      __builtin_convertvector(exponent, vf) - select(tiny, splat(23.0f), vf{});
  vf f2 = f * f;
  vf tail = f2 * f * polynomial(f, kC) + e * 0x1.0bfbe8p-15f;
  vf value = (f + (tail - 0.5f * f2)) + e * 0x1.62ep-1f;
  value = select(x == kInfinity, x, value);
  value = select(x == 0.0f, splat(-kInfinity), value);
  return select((x < 0.0f) | isNan(x), splat(__builtin_nanf("")), value);
}

TTK_INLINE vf vsigmoid(vf x) {
  ExpParts z = expParts(-vabs(x));
  vi negative = x < 0.0f;
  vf top = select(negative, z.value, splat(1.0f));
  vf topLost = select(negative, z.lost, vf{});
  vf bottom = 1.0f + z.value;
  vf bottomLost = (z.value - (bottom - 1.0f)) + z.lost;
  vf quotient = top / bottom;
  return quotient + (topLost - quotient * bottomLost) / bottom;
}

TTK_INLINE vf vsilu(vf x) {
  ExpParts z = expParts(-vabs(x));
  vi negative = x < 0.0f;
  // x joins before the scaling, which may end in the denormals.
  vf top = select(negative, (x * z.partial) * z.scale, x);
  vf topLost = select(negative, x * z.lost, vf{});
  vf bottom = 1.0f + z.value;
  vf bottomLost = (z.value - (bottom - 1.0f)) + z.lost;
  vf quotient = top / bottom;
  vf value = quotient + (topLost - quotient * bottomLost) / bottom;
  value = select((x == kInfinity) | (x == 0.0f), x, value);
  value = select(x < -110.0f, splat(-0.0f), value);
  // Minus infinity times its weight of zero is NaN, as in other libraries.
  value = select(x == -kInfinity, splat(__builtin_nanf("")), value);
  return select(isNan(x), x, value);
}

TTK_INLINE vf vtanh(vf x) {
  constexpr float kC[] = {-3.333333320e-01f, 1.333330697e-01f,
                          -5.396003418e-02f, 2.177501830e-02f,
                          -8.363423145e-03f, 2.314390831e-03f};
  vf magnitude = vabs(x);
  vf z = x * x;
  vf small = x * z * polynomial(z, kC) + x;
  vf large = 1.0f - 2.0f / (vexp(magnitude + magnitude) + 1.0f);
  return copySign(select(magnitude < 0.62f, small, large), x);
}

//===-- f64, for the functions that need the head room --------------------===//

TTK_INLINE vd select(vl mask, vd a, vd b) { return mask ? a : b; }
TTK_INLINE vd splatD(double value) { return value - vd{}; }

TTK_INLINE vd dsqrt(vd x) {
#if defined(__AVX512F__)
  return (vd)_mm512_maskz_sqrt_pd(0xff, (__m512d)x);
#elif defined(__AVX2__)
  return (vd)_mm256_sqrt_pd((__m256d)x);
#elif defined(__x86_64__)
  return (vd)_mm_sqrt_pd((__m128d)x);
#else
  vd result;
  for (int i = 0; i < VF / 2; ++i)
    result[i] = __builtin_sqrt(x[i]);
  return result;
#endif
}

/// exp of bounded arguments: |x| <= 700 gives full f64 range; beyond, the
/// result is 0 or big enough to be infinite in f32.
TTK_INLINE vd dexp(vd x) {
  constexpr double kC[] = {1.0,          1.0,           1.0 / 2,
                           1.0 / 6,      1.0 / 24,      1.0 / 120,
                           1.0 / 720,    1.0 / 5040,    1.0 / 40320,
                           1.0 / 362880, 1.0 / 3628800, 1.0 / 39916800};
  vd bounded = select(x < -700.0, splatD(-700.0), x);
  bounded = select(bounded > 700.0, splatD(700.0), bounded);
  bounded = select(x != x, vd{}, bounded);
  vd shifted = bounded * 0x1.71547652b82fep+0 + 0x1.8p52;
  vd n = shifted - 0x1.8p52;
  vd r = (bounded - n * 0x1.62e42feep-1) - n * 0x1.a39ef35793c76p-33;
  // The low bits of `shifted` are n.
  vul power = (vul)shifted << 52;
  vd value = (vd)((vul)polynomial(r, kC) + power);
  return select(x != x, x, value);
}

/// log of positive values from f32 and of 1 + f32.
TTK_INLINE vd dlog(vd x) {
  constexpr double kC[] = {1.0,      1.0 / 3,  1.0 / 5,  1.0 / 7, 1.0 / 9,
                           1.0 / 11, 1.0 / 13, 1.0 / 15, 1.0 / 17};
  vul raw = (vul)x;
  vl exponent = (vl)(raw - 0x3fe6a09e667f3bcdu) >> 52;
  vd m = (vd)(raw - ((vul)exponent << 52));
  // The exponent as f64 by the bits of 1.5 x 2^52 + exponent.
  vd e = (vd)(exponent + 0x4338000000000000) - 0x1.8p52;
  vd s = (m - 1.0) / (m + 1.0);
  vd value = 2.0 * s * polynomial(s * s, kC);
  value = value + e * 0x1.a39ef35793c76p-33 + e * 0x1.62e42feep-1;
  value = select(x == __builtin_inf(), x, value);
  value = select(x == 0.0, splatD(-__builtin_inf()), value);
  return select((x < 0.0) | (x != x), splatD(__builtin_nan("")), value);
}

/// erfc for x >= 0.
TTK_INLINE vd derfc(vd x) {
  // erfcx(x) * (1 + 2 x) in (x - 3) / (x + 3).
  constexpr double kC[] = {1.25300805826976158e+00,  -1.35621106125401097e-01,
                           -4.75622943610834945e-02, 1.29645158765889279e-01,
                           -1.19273663092417700e-01, 6.83080260002741635e-02,
                           -2.37705204096079238e-02, 2.52940355238704057e-03,
                           1.88873787234237925e-03,  -7.79876469422336382e-04,
                           -1.05387107990743693e-04, 1.25133729851277487e-04,
                           5.55199528021989334e-06,  -1.98636912495098105e-05,
                           -1.53703631925350044e-06, 2.78258893564356762e-06,
                           7.12221250714069040e-07};
  vd bounded = select(x > 14.5, splatD(14.5), x);
  vd t = (bounded - 3.0) / (bounded + 3.0);
  vd value =
      dexp(-bounded * bounded) * polynomial(t, kC) / (1.0 + 2.0 * bounded);
  return select(x > 14.5, vd{}, value);
}

TTK_INLINE vd dabs(vd x) { return (vd)((vl)x & 0x7fffffffffffffff); }

TTK_INLINE vd derf(vd x) {
  constexpr double kC[] = {1.12837916709551234e+00, -3.76126389032011010e-01,
                           1.12837916709347605e-01, -2.68661703260819236e-02,
                           5.22396932052551083e-03, -8.54741178975700045e-04,
                           1.20042149790371784e-04, -1.34930076407296774e-05};
  vd magnitude = dabs(x);
  vd large = 1.0 - derfc(magnitude);
  large = select(x < 0.0, -large, large);
  return select(magnitude < 0.5, x * polynomial(x * x, kC), large);
}

TTK_INLINE vd dgelu(vd x) {
  vd tail = 0.5 * derfc(dabs(x) * 0x1.6a09e667f3bcdp-1);
  // Minus infinity times its weight of zero is NaN, as in other libraries.
  vd value = x * select(x < 0.0, tail, 1.0 - tail);
  return select(x != x, x, value);
}

TTK_INLINE vd dexpm1(vd x) {
  vd value = select(dabs(x) < 0x1p-20, x * (1.0 + 0.5 * x), dexp(x) - 1.0);
  return value;
}

TTK_INLINE vd dlog1p(vd x) {
  return select(dabs(x) < 0x1p-20, x - 0.5 * x * x, dlog(1.0 + x));
}

TTK_INLINE vd dcbrt(vd x) {
  vd value = dexp(dlog(dabs(x)) * (1.0 / 3.0));
  value = select(x < 0.0, -value, value);
  vl itself = (x == 0.0) | (dabs(x) == __builtin_inf()) | (x != x);
  return select(itself, x, value);
}

/// Applies an f64 function to the lanes of an f32 vector.
template <typename Fn> TTK_INLINE vf viaDouble(vf x, Fn fn) {
  vfHalf parts[2];
  __builtin_memcpy(parts, &x, sizeof(x));
  vfHalf results[2] = {__builtin_convertvector(
                           fn(__builtin_convertvector(parts[0], vd)), vfHalf),
                       __builtin_convertvector(
                           fn(__builtin_convertvector(parts[1], vd)), vfHalf)};
  vf result;
  __builtin_memcpy(&result, results, sizeof(result));
  return result;
}

template <typename Fn> TTK_INLINE vf viaDouble(vf x, vf y, Fn fn) {
  vfHalf first[2], second[2];
  __builtin_memcpy(first, &x, sizeof(x));
  __builtin_memcpy(second, &y, sizeof(y));
  vfHalf results[2];
#pragma GCC unroll 2
  for (int i = 0; i < 2; ++i)
    results[i] =
        __builtin_convertvector(fn(__builtin_convertvector(first[i], vd),
                                   __builtin_convertvector(second[i], vd)),
                                vfHalf);
  vf result;
  __builtin_memcpy(&result, results, sizeof(result));
  return result;
}

/// x^y with the special cases of C and NumPy.
TTK_INLINE vf vpow(vf x, vf y) {
  vf magnitude = vabs(x);
  vf value =
      viaDouble(magnitude, y, [](vd a, vd b) { return dexp(b * dlog(a)); });
  vf absY = vabs(y);
  vi whole = (absY >= 8388608.0f) | (vfloor(y) == y);
  vf half = y * 0.5f;
  vi odd = whole & (absY < 16777216.0f) & (vfloor(half) != half);
  vi negative = ibits(x) < 0;
  value = select(negative & odd, -value, value);
  value = select((x < 0.0f) & ~whole & (magnitude < kInfinity),
                 splat(__builtin_nanf("")), value);
  value = select(isNan(x) | isNan(y), x + y, value);
  vi one =
      (x == 1.0f) | (y == 0.0f) | ((magnitude == 1.0f) & (absY == kInfinity));
  return select(one, splat(1.0f), value);
}

} // namespace
} // namespace tt::runtime::numerics::TTK_ISA

#endif // TT_RUNTIME_NUMERICS_ISA_MATH_H
