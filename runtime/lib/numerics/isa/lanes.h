// Registers of the vector engine, stored in vectors of the host. An instruction
// processes 128 lanes, four registers of the chip, so that its constants are
// set up once for all of them.
#ifndef TT_RUNTIME_NUMERICS_ISA_LANES_H
#define TT_RUNTIME_NUMERICS_ISA_LANES_H

#include "numerics/isa/simd.h"

namespace tt::runtime::numerics::TTK_ISA {
namespace {

constexpr int kLanes = 128;
constexpr int kParts = kLanes / VF;

constexpr uint32_t kSign = 0x80000000u;
constexpr uint32_t kFraction = 0x007fffffu;
constexpr uint32_t kInfinityBits = 0x7f800000u;
constexpr uint32_t kNanBits = 0x7fc00000u;

/// Untyped bits; each reader interprets them as floats or integers. A mask has
/// all bits of a lane set, or none.
struct Lanes {
  vu part[kParts];

  Lanes() = default;
  /// The same float, or bit pattern, in all lanes.
  TTK_INLINE Lanes(float value) { fill(bits(splat(value))); }
  explicit TTK_INLINE Lanes(uint32_t pattern) { fill(splatU(pattern)); }

private:
  TTK_INLINE void fill(vu value) {
    for (vu &p : part)
      p = value;
  }
};

template <typename F> TTK_INLINE Lanes each(const F &function) {
  Lanes result;
  for (int i = 0; i < kParts; ++i)
    result.part[i] = function(i);
  return result;
}

#define TTK_LANES(EXPRESSION)                                                  \
  each([&](int i) __attribute__((always_inline)) { return EXPRESSION; })

TTK_INLINE Lanes operator&(const Lanes &a, const Lanes &b) {
  return TTK_LANES(a.part[i] & b.part[i]);
}
TTK_INLINE Lanes operator|(const Lanes &a, const Lanes &b) {
  return TTK_LANES(a.part[i] | b.part[i]);
}
TTK_INLINE Lanes operator^(const Lanes &a, const Lanes &b) {
  return TTK_LANES(a.part[i] ^ b.part[i]);
}
TTK_INLINE Lanes operator~(const Lanes &a) { return TTK_LANES(~a.part[i]); }
TTK_INLINE Lanes operator&(const Lanes &a, uint32_t b) {
  return TTK_LANES(a.part[i] & b);
}
TTK_INLINE Lanes operator|(const Lanes &a, uint32_t b) {
  return TTK_LANES(a.part[i] | b);
}
TTK_INLINE Lanes operator<<(const Lanes &a, int by) {
  return TTK_LANES(a.part[i] << by);
}
/// Logical shift.
TTK_INLINE Lanes operator>>(const Lanes &a, int by) {
  return TTK_LANES(a.part[i] >> by);
}

// Integers; comparisons are signed.
TTK_INLINE Lanes plus(const Lanes &a, const Lanes &b) {
  return TTK_LANES(a.part[i] + b.part[i]);
}
TTK_INLINE Lanes minus(const Lanes &a, const Lanes &b) {
  return TTK_LANES(a.part[i] - b.part[i]);
}
TTK_INLINE Lanes plus(const Lanes &a, int b) {
  return TTK_LANES(a.part[i] + uint32_t(b));
}
TTK_INLINE Lanes isEqual(const Lanes &a, uint32_t b) {
  return TTK_LANES((vu)(a.part[i] == b));
}
TTK_INLINE Lanes isLess(const Lanes &a, const Lanes &b) {
  return TTK_LANES((vu)((vi)a.part[i] < (vi)b.part[i]));
}
TTK_INLINE Lanes isLess(const Lanes &a, int b) {
  return TTK_LANES((vu)((vi)a.part[i] < b));
}
/// Whether the sign bit is set. As a float, -0 is negative.
TTK_INLINE Lanes isNegative(const Lanes &a) { return isLess(a, 0); }

TTK_INLINE Lanes select(const Lanes &mask, const Lanes &a, const Lanes &b) {
  return TTK_LANES((vi)mask.part[i] ? a.part[i] : b.part[i]);
}

// Fields of floats.
TTK_INLINE Lanes flipSign(const Lanes &a) { return a ^ Lanes(kSign); }
TTK_INLINE Lanes magnitude(const Lanes &a) { return a & ~kSign; }
TTK_INLINE Lanes withSign(const Lanes &a, const Lanes &sign) {
  return magnitude(a) | (sign & kSign);
}
/// The biased exponent.
TTK_INLINE Lanes exponentField(const Lanes &a) { return (a >> 23) & 255u; }
/// The exponent without its bias, as an integer.
TTK_INLINE Lanes exponentOf(const Lanes &a) {
  return plus(exponentField(a), -127);
}
TTK_INLINE Lanes withExponent(const Lanes &a, const Lanes &field) {
  return (a & ~kInfinityBits) | ((field & 255u) << 23);
}
TTK_INLINE Lanes fraction(const Lanes &a) { return a & kFraction; }
/// The fraction with its hidden bit.
TTK_INLINE Lanes significand(const Lanes &a) {
  return fraction(a) | (kFraction + 1);
}

/// Shifts integers, to the left where `by` is positive, by the magnitude of
/// `by` modulo 32.
TTK_INLINE Lanes shift(const Lanes &a, const Lanes &by) {
  return TTK_LANES((vi)by.part[i] < 0 ? a.part[i] >> ((0u - by.part[i]) & 31u)
                                      : a.part[i] << (by.part[i] & 31u));
}

/// Maps all bit patterns to integers in the order of sign and magnitude: NaN is
/// beyond infinity, and -0 below 0.
TTK_INLINE Lanes orderOf(const Lanes &a) {
  return TTK_LANES(a.part[i] ^ ((vu)((vi)a.part[i] >> 31) & ~kSign));
}
TTK_INLINE Lanes greater(const Lanes &a, const Lanes &b) {
  return isLess(orderOf(b), orderOf(a));
}
TTK_INLINE Lanes maximum(const Lanes &a, const Lanes &b) {
  return select(greater(a, b), a, b);
}
TTK_INLINE Lanes minimum(const Lanes &a, const Lanes &b) {
  return select(greater(a, b), b, a);
}

/// Converts integers to floats, rounding to nearest even.
TTK_INLINE Lanes toFloat(const Lanes &a) {
  return TTK_LANES(bits(__builtin_convertvector((vi)a.part[i], vf)));
}

TTK_INLINE Lanes loadLanes(const float *from) {
  return TTK_LANES(load<vu>(from + i * VF));
}
TTK_INLINE void storeLanes(float *to, const Lanes &a) {
  for (int i = 0; i < kParts; ++i)
    store(to + i * VF, a.part[i]);
}

} // namespace
} // namespace tt::runtime::numerics::TTK_ISA

#endif // TT_RUNTIME_NUMERICS_ISA_LANES_H
