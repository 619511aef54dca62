// Inverse and hyperbolic functions, the gamma function and its kin, in f64, and
// the roundings.
//
// Largest error seen over dense samples of f32: 0.501 ulp of f32.
#ifndef TT_RUNTIME_NUMERICS_ISA_SPECIAL_H
#define TT_RUNTIME_NUMERICS_ISA_SPECIAL_H

#include "numerics/isa/math.h"

namespace tt::runtime::numerics::TTK_ISA {
namespace {

constexpr double kPi = 0x1.921fb54442d18p+1, kHalfPi = 0x1.921fb54442d18p+0;
constexpr double kInfinityD = __builtin_inf();

TTK_INLINE vd nanD() { return splatD(__builtin_nan("")); }
TTK_INLINE vd copySign(vd magnitude, vd sign) {
  constexpr int64_t kMagnitude = 0x7fffffffffffffff;
  return (vd)(((vl)magnitude & kMagnitude) | ((vl)sign & ~kMagnitude));
}

//===-- Rounding ----------------------------------------------------------===//

TTK_INLINE vf vtrunc(vf x) {
  vi fits = vabs(x) < 8388608.0f; // bigger values are whole
  vf whole = __builtin_convertvector(
      __builtin_convertvector(select(fits, x, vf{}), vi), vf);
  return select(fits, copySign(whole, x), x);
}

/// Half away from zero.
TTK_INLINE vf vround(vf x) {
  vf whole = vtrunc(x);
  vi up = vabs(x - whole) >= 0.5f;
  return select(up, whole + copySign(splat(1.0f), x), whole);
}

TTK_INLINE vf vroundEven(vf x) {
  vf magnitude = vabs(x);
  vf whole = copySign((magnitude + 0x1p23f) - 0x1p23f, x);
  return select(magnitude < 0x1p23f, whole, x);
}

//===-- Inverse trigonometric functions -----------------------------------===//

/// The angle whose tangent is a / b, for a and b of at least 0.
TTK_INLINE vd angle(vd a, vd b) {
  constexpr double kC[] = {
      0.999999999999973232,  -0.333333333308034459,  0.19999999604891978,
      -0.142856904238392872, 0.111103850461480137,   -0.0907839207294342341,
      0.0756370355191519199, -0.0587450562130783075, 0.0306624403704244488};
  vl steep = a > b;
  vd top = select(steep, b, a), bottom = select(steep, a, b);
  // An eighth of a turn between equal operands, be they 0 or infinite.
  vl same = (a == b) & (a == kInfinityD);
  top = select(same, splatD(1.0), top);
  bottom = select(same, splatD(1.0), bottom);
  bottom = select(bottom == 0.0, splatD(1.0), bottom);
  // Beyond an angle of pi / 8 seen from pi / 4.
  vl wide = top > 0x1.a827999fcef32p-2 * bottom;
  vd t = select(wide, top - bottom, top) / select(wide, top + bottom, bottom);
  vd value = t * polynomial(t * t, kC) + select(wide, splatD(kPi / 4), vd{});
  return select(steep, kHalfPi - value, value);
}

TTK_INLINE vd datan(vd x) { return copySign(angle(dabs(x), splatD(1.0)), x); }
TTK_INLINE vd datan2(vd y, vd x) {
  vd value = angle(dabs(y), dabs(x));
  value = copySign(select((vl)x < 0, kPi - value, value), y);
  return select((x != x) | (y != y), x + y, value);
}
/// Roots of negative numbers make NaN beyond the domain.
TTK_INLINE vd dasin(vd x) {
  vd magnitude = dabs(x);
  vd beside = dsqrt((1.0 - magnitude) * (1.0 + magnitude));
  return select(beside == beside, copySign(angle(magnitude, beside), x),
                nanD());
}
TTK_INLINE vd dacos(vd x) {
  vd beside = dsqrt((1.0 - x) * (1.0 + x));
  vd value = angle(beside, dabs(x));
  value = select(x < 0.0, kPi - value, value);
  return select(beside == beside, value, nanD());
}

//===-- Hyperbolic functions and their inverses ---------------------------===//

TTK_INLINE vd dexp2(vd x) {
  vd bounded = select(x < -1000.0, splatD(-1000.0), x);
  bounded = select(bounded > 1000.0, splatD(1000.0), bounded);
  bounded = select(x != x, vd{}, bounded);
  vd shifted = bounded + 0x1.8p52;
  vd part = dexp((bounded - (shifted - 0x1.8p52)) * 0x1.62e42fefa39efp-1);
  // The low bits of `shifted` are the whole exponent.
  return select(x != x, x, (vd)((vul)part + ((vul)shifted << 52)));
}

TTK_INLINE vd dsinh(vd x) {
  vd e = dexp(x);
  vd value = 0.5 * (e - 1.0 / e);
  vl small = dabs(x) < 0x1p-10;
  return select(small, x + x * (x * x) * (1.0 / 6), value);
}
TTK_INLINE vd dcosh(vd x) {
  vd e = dexp(x);
  return 0.5 * (e + 1.0 / e);
}

TTK_INLINE vd dasinh(vd x) {
  vd magnitude = dabs(x), square = x * x;
  vd value = copySign(dlog(magnitude + dsqrt(square + 1.0)), x);
  vd small = x * (1.0 - square * (1.0 / 6));
  value = select(magnitude < 0x1p-10, small, value);
  return select(x != x, x, value);
}
TTK_INLINE vd dacosh(vd x) {
  vd value = dlog(x + dsqrt((x - 1.0) * (x + 1.0)));
  return select(x >= 1.0, value, nanD());
}
TTK_INLINE vd datanh(vd x) {
  vd square = x * x;
  vd value = 0.5 * dlog((1.0 + x) / (1.0 - x));
  vd small = x + x * square * (1.0 / 3 + square * (1.0 / 5));
  return select(dabs(x) < 0x1p-10, small, value);
}

//===-- Error functions ---------------------------------------------------===//

TTK_INLINE vd derfcWhole(vd x) {
  vd tail = derfc(dabs(x));
  tail = select(x < 0.0, 2.0 - tail, tail);
  return select(dabs(x) < 0.5, 1.0 - derf(x), tail);
}

/// An estimate, and a step of Newton's method.
TTK_INLINE vd derfinv(vd x) {
  constexpr double kMiddle[] = {
      1.50140935111079192,     0.246640289427455144,    -0.00417732004054012196,
      -0.00125274850284166268, 0.000218257723963833332, -4.95969179421593609e-6,
      -3.4234142742220455e-6,  4.65417410502316578e-7,  1.59843061339000604e-8,
      -8.73901070283012274e-9, 4.67193250903866511e-10};
  constexpr double kEnds[] = {
      2.83297680115888359,      1.00167528531750217,
      0.00944532299819141667,   -0.00764374573207011806,
      0.0056876875582579918,    -0.00356167845946811258,
      0.00147374559818583263,   -0.000131319942717109239,
      -0.000272267105870376759, 0.000168541584532747459,
      -0.0000345757921345200183};
  vd magnitude = dabs(x);
  vd rest = 1.0 - magnitude;
  vd w = -dlog(rest * (1.0 + magnitude));
  vd ends = polynomial(dsqrt(w) - 3.0, kEnds);
  vd guess = x * select(w < 5.0, polynomial(w - 2.5, kMiddle), ends);
  // Beside 1 the complement has the digits.
  vd beyond = rest - derfc(dabs(guess));
  vd miss = select(magnitude < 0.5, derf(guess) - x,
                   select(x < 0.0, -beyond, beyond));
  vd value = guess - miss * (dexp(guess * guess) * 0x1.c5bf891b4ef6bp-1);
  value = select(magnitude == 1.0, copySign(splatD(kInfinityD), x), value);
  return select(magnitude <= 1.0, value, nanD());
}

//===-- The gamma function ------------------------------------------------===//

/// Sine and cosine of pi x; whole numbers have a sine of 0.
struct Wave {
  vd sine, cosine;
};
TTK_INLINE Wave waveOfPi(vd x) {
  constexpr double kSin[] = {
      1.0,          -1.0 / 6,        1.0 / 120,        -1.0 / 5040,
      1.0 / 362880, -1.0 / 39916800, 1.0 / 6227020800, -1.0 / 1307674368000};
  constexpr double kCos[] = {1.0,
                             -1.0 / 2,
                             1.0 / 24,
                             -1.0 / 720,
                             1.0 / 40320,
                             -1.0 / 3628800,
                             1.0 / 479001600,
                             -1.0 / 87178291200,
                             1.0 / 20922789888000};
  vl fits = dabs(x) < 0x1p52;
  vd bounded = select(fits, x, vd{});
  vd shifted = bounded * 2.0 + 0x1.8p52;
  vd r = (bounded - 0.5 * (shifted - 0x1.8p52)) * kPi;
  vd sine = r * polynomial(r * r, kSin), cosine = polynomial(r * r, kCos);
  vl quarters = (vl)shifted;
  vl odd = (quarters & 1) != 0;
  vd first = select(odd, cosine, sine), second = select(odd, sine, cosine);
  return {select((quarters & 2) != 0, -first, first),
          select(((quarters + 1) & 2) != 0, -second, second)};
}

/// Stirling's series, from 6 on.
TTK_INLINE vd stirling(vd x) {
  constexpr double kC[] = {1.0 / 12,    -1.0 / 360,      1.0 / 1260,
                           -1.0 / 1680, 1.0 / 1188,      -691.0 / 360360,
                           1.0 / 156,   -3617.0 / 122400};
  vd inverse = 1.0 / x;
  vd series = inverse * polynomial(inverse * inverse, kC);
  return (x - 0.5) * dlog(x) - x + (0x1.d67f1c864beb5p-1 + series);
}

/// The logarithm of the magnitude of the gamma function.
TTK_INLINE vd dlgamma(vd x) {
  // (gamma(z) - 1) / ((z - 1) * (z - 2)) in z - 1.5, which keeps the zeros.
  constexpr double kC[] = {0.455092298188967955,    -0.129353589795540062,
                           0.161115378002657831,    -0.0882351409230651892,
                           0.0658800758336632988,   -0.0428483544938560424,
                           0.029079087968008163,    -0.0193856756906703536,
                           0.0129659293417418204,   -0.00865293250398044251,
                           0.00577359004129086119,  -0.00385084072153820511,
                           0.00256862251865556329,  -0.00171271047120472253,
                           0.00113711262595682842,  -0.000758122667956129367,
                           0.000528538883736868596, -0.000352366892358054691,
                           0.000166053215898130663, -0.000110703334616059735,
                           0.000189779291463760964, -0.000126519771968337097};
  vd magnitude = dabs(x);
  vl far = (x > 6.0) | (x < -10.0);
  // To [1, 2] by factors.
  vd z = select(far, splatD(1.5), x), below = splatD(1.0), above = below;
  for (int i = 0; i < 11; ++i) {
    vl low = z < 1.0;
    below *= select(low, z, splatD(1.0));
    z += select(low, splatD(1.0), vd{});
  }
  for (int i = 0; i < 4; ++i) {
    vl high = z > 2.0;
    z -= select(high, splatD(1.0), vd{});
    above *= select(high, z, splatD(1.0));
  }
  vd middle = 1.0 + (z - 1.0) * (z - 2.0) * polynomial(z - 1.5, kC);
  vd product = dlog(dabs(above * middle / below));
  vd series = stirling(select(far, magnitude, splatD(6.0)));
  vd reflected = dlog(kPi / (magnitude * dabs(waveOfPi(x).sine))) - series;
  vd value = select(x < 0.0, reflected, series);
  value = select(far, value, product);
  value = select(magnitude == kInfinityD, magnitude, value);
  return select(x != x, x, value);
}

/// The derivative of log(gamma(x)).
TTK_INLINE vd ddigamma(vd x) {
  constexpr double kC[] = {1.0 / 12,   -1.0 / 120,    1.0 / 252,
                           -1.0 / 240, 1.0 / 132,     -691.0 / 32760,
                           1.0 / 12,   -3617.0 / 8160};
  // Beside the positive zero, digamma(x) / (x - zero).
  constexpr double kZero[] = {
      0.96767224544762122,    -0.44276316898359214,   0.258499760955530378,
      -0.163942705442324002,  0.107824050739468256,   -0.07219956128943249,
      0.0488042809473519581,  -0.0331611215378217116, 0.0225981619512425917,
      -0.0154251173414001518, 0.0105200718362122239,  -0.00719172814328066616,
      0.00526275133732602792, -0.00359963925068507916};
  vd y = select(x < 0.0, 1.0 - x, x);
  vd top{}, bottom = splatD(1.0);
  for (int i = 0; i < 8; ++i) {
    vl low = y < 8.0;
    top = select(low, top * y + bottom, top);
    bottom *= select(low, y, splatD(1.0));
    y += select(low, splatD(1.0), vd{});
  }
  vd inverse = 1.0 / y, square = inverse * inverse;
  vd value =
      dlog(y) - 0.5 * inverse - square * polynomial(square, kC) - top / bottom;
  vd fromZero = (x - 0x1.762d86356be3fp+0) - 0x1.b86a722197829p-54;
  vl near = dabs(fromZero) < 0.2;
  value = select(near, fromZero * polynomial(fromZero, kZero), value);
  Wave wave = waveOfPi(x);
  vd reflected = value - kPi * (wave.cosine / wave.sine);
  reflected = select(wave.sine == 0.0, nanD(), reflected);
  value = select(x < 0.0, reflected, value);
  value = select(x == 0.0, copySign(splatD(kInfinityD), -x), value);
  value = select(x == kInfinityD, x, value);
  return select(x == -kInfinityD, nanD(), value);
}

//===-- Activations -------------------------------------------------------===//

TTK_INLINE vd dmish(vd x) {
  // With e = exp(x), tanh(log(1 + e)) is n / (n + 2) of n = e * (e + 2), which
  // is 1 in every digit from 40 on.
  vd e = dexp(select(x > 40.0, splatD(40.0), x));
  vd n = e * (e + 2.0);
  // Minus infinity times its weight of zero is NaN, as in other libraries.
  vd weight = select(x == -kInfinityD, vd{}, n / (n + 2.0));
  return x * weight;
}

TTK_INLINE vd dhardSigmoid(vd x) {
  vd value = (x + 3.0) * (1.0 / 6);
  value = select(x < -3.0, vd{}, value);
  return select(x > 3.0, splatD(1.0), value);
}

TTK_INLINE vd dselu(vd x, double scale, double alpha) {
  return scale * select(x < 0.0, alpha * dexpm1(x), x);
}

} // namespace
} // namespace tt::runtime::numerics::TTK_ISA

#endif // TT_RUNTIME_NUMERICS_ISA_SPECIAL_H
