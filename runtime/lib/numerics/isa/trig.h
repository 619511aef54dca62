// sin, cos and tan for every f32 argument.
#ifndef TT_RUNTIME_NUMERICS_ISA_TRIG_H
#define TT_RUNTIME_NUMERICS_ISA_TRIG_H

#include "numerics/isa/math.h"

namespace tt::runtime::numerics::TTK_ISA {
namespace {

/// x = quadrant * pi/2 + rest, |rest| <= pi/4.
struct Reduced {
  vd rest;
  vl quadrant;
};

/// Reduction of one big argument against 2/pi to 288 bits.
TTK_INLINE void reduceBig(double x, double &rest, int64_t &quadrant) {
  constexpr uint32_t kTwoOverPi[] = {0xa2f9836e, 0x4e441529, 0xfc2757d1,
                                     0xf534ddc0, 0xdb629599, 0x3c439041,
                                     0xfe5163ab, 0xdebbc561, 0xb7246e3a};
  float single = float(x);
  uint32_t raw;
  __builtin_memcpy(&raw, &single, 4);
  // |x| = mantissa * 2^exponent, where 2^exponent >= 4.
  uint32_t mantissa = (raw & 0x7fffff) | 0x800000;
  int exponent = int((raw >> 23) & 0xff) - 150;
  // The leading exponent - 2 bits of 2/pi only give multiples of four
  // quadrants; the next 128 carry the answer.
  int skip = exponent - 2;
  unsigned __int128 window = 0;
  for (int i = 0; i < 4; ++i) {
    int bit = skip + 32 * i, word = bit / 32, shift = bit % 32;
    uint64_t pair = (uint64_t(kTwoOverPi[word]) << 32) | kTwoOverPi[word + 1];
    window = (window << 32) | uint32_t((pair << shift) >> 32);
  }
  unsigned __int128 product = window * mantissa;
  // The top two bits are the quadrant; round the rest to nearest.
  quadrant = int64_t(uint64_t(product >> 126));
  int64_t fraction = int64_t(uint64_t(product >> 62));
  if (fraction < 0)
    quadrant += 1;
  rest = double(fraction) * 0x1p-64 * 0x1.921fb54442d18p+0;
  if (x < 0) {
    rest = -rest;
    quadrant = -quadrant;
  }
}

TTK_INLINE Reduced reduceAngle(vd x) {
  vd shifted = x * 0x1.45f306dc9c883p-1 + 0x1.8p52;
  vd n = shifted - 0x1.8p52;
  vd rest = ((x - n * 0x1.921fb5p+0) - n * 0x1.110b46p-26) -
            n * 0x1.1a62633145c07p-54;
  vl quadrant = (vl)shifted;
  vl big = (dabs(x) >= 0x1p27) & (dabs(x) < __builtin_inf());
  for (int i = 0; i < VF / 2; ++i)
    if (__builtin_expect(big[i] != 0, 0)) {
      double part;
      int64_t q;
      reduceBig(x[i], part, q);
      rest[i] = part;
      quadrant[i] = q;
    }
  vl odd = (x != x) | (dabs(x) == __builtin_inf());
  rest = select(odd, splatD(__builtin_nan("")), rest);
  return {rest, quadrant};
}

TTK_INLINE vd sinPart(vd r) {
  constexpr double kC[] = {1.0,         -1.0 / 6,     1.0 / 120,
                           -1.0 / 5040, 1.0 / 362880, -1.0 / 39916800};
  return r * polynomial(r * r, kC);
}
TTK_INLINE vd cosPart(vd r) {
  constexpr double kC[] = {
      1.0,         -1.0 / 2,       1.0 / 24,       -1.0 / 720,
      1.0 / 40320, -1.0 / 3628800, 1.0 / 479001600};
  return polynomial(r * r, kC);
}

TTK_INLINE vd quarterWave(Reduced angle) {
  vd value = select((angle.quadrant & 1) != 0, cosPart(angle.rest),
                    sinPart(angle.rest));
  return select((angle.quadrant & 2) != 0, -value, value);
}

TTK_INLINE vd dsin(vd x) {
  return select(x == 0.0, x, quarterWave(reduceAngle(x)));
}
TTK_INLINE vd dcos(vd x) {
  Reduced angle = reduceAngle(x);
  angle.quadrant = angle.quadrant + 1;
  return quarterWave(angle);
}
TTK_INLINE vd dtan(vd x) {
  Reduced angle = reduceAngle(x);
  vd s = sinPart(angle.rest), c = cosPart(angle.rest);
  vd value = select((angle.quadrant & 1) != 0, -c / s, s / c);
  return select(x == 0.0, x, value);
}

} // namespace
} // namespace tt::runtime::numerics::TTK_ISA

#endif // TT_RUNTIME_NUMERICS_ISA_TRIG_H
