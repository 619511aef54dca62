// Instructions of the vector engine that are not in lanes.h: arithmetic,
// conversions and tables.
#ifndef TT_RUNTIME_NUMERICS_ISA_VECTOR_INSTRUCTIONS_H
#define TT_RUNTIME_NUMERICS_ISA_VECTOR_INSTRUCTIONS_H

#include "numerics/isa/multiply_add.h"
#include "numerics/vector_engine.h"

namespace tt::runtime::numerics::TTK_ISA {
namespace {

/// The table of Blackhole's approximate reciprocal, by the upper seven bits of
/// the fraction.
constexpr uint8_t kReciprocals[128] = {
    127, 125, 123, 121, 119, 117, 116, 114, 112, 110, 109, 107, 105, 104, 102,
    100, 99,  97,  96,  94,  93,  91,  90,  88,  87,  85,  84,  83,  81,  80,
    79,  77,  76,  75,  74,  72,  71,  70,  69,  68,  66,  65,  64,  63,  62,
    61,  60,  59,  58,  57,  56,  55,  54,  53,  52,  51,  50,  49,  48,  47,
    46,  45,  44,  43,  42,  41,  40,  40,  39,  38,  37,  36,  35,  35,  34,
    33,  32,  31,  31,  30,  29,  28,  28,  27,  26,  25,  25,  24,  23,  23,
    22,  21,  21,  20,  19,  19,  18,  17,  17,  16,  15,  15,  14,  14,  13,
    12,  12,  11,  11,  10,  9,   9,   8,   8,   7,   7,   6,   5,   5,   4,
    4,   3,   3,   2,   2,   1,   1,   0};

class VectorEngine {
public:
  explicit VectorEngine(VectorMode mode) : mode(mode) {}

  const VectorMode mode;

  Lanes mad(const Lanes &a, const Lanes &b, const Lanes &c) const {
    return multiplyAdd<Terms::Both>(a, b, c);
  }
  Lanes mul(const Lanes &a, const Lanes &b) const {
    return multiplyAdd<Terms::Product>(a, b, Lanes(0u));
  }
  Lanes add(const Lanes &a, const Lanes &b) const {
    return multiplyAdd<Terms::Sum>(1.0f, a, b);
  }

  /// first + x * (second + x * (...)), one multiply-add after the other.
  template <typename... Rest>
  Lanes horner(const Lanes &x, float first, Rest... rest) const {
    if constexpr (sizeof...(rest) == 0)
      return first;
    else
      return mad(x, horner(x, rest...), first);
  }
  /// (start * x + first) * x + ...
  template <typename... Rest>
  Lanes steps(Lanes start, const Lanes &x, Rest... next) const {
    ((start = mad(start, x, float(next))), ...);
    return start;
  }

  /// To bf16: ties away from zero, one zero, NaN as infinity.
  Lanes round16(const Lanes &x) const {
    return TTK_LANES(round16Part(x.part[i]));
  }
  /// Rounds results for destinations of 16 bits.
  Lanes rounded(const Lanes &x) const { return mode.wide ? x : round16(x); }

  /// The nearest 16-bit integer, ties away from zero.
  Lanes toInt16(const Lanes &x) const {
    return TTK_LANES([&]() __attribute__((always_inline)) {
      const vu value = nearest(x.part[i], 32767);
      return (vi)x.part[i] < 0 ? 0u - value : value;
    }());
  }
  /// The nearest unsigned 16-bit integer of the magnitude.
  Lanes toUint16(const Lanes &x) const {
    return TTK_LANES(nearest(x.part[i], 65535));
  }

  /// Blackhole: 1 / x with seven fraction bits.
  Lanes approximateReciprocal(const Lanes &x) const {
    return TTK_LANES(reciprocalPart(x.part[i]));
  }

  /// A linear function of the magnitude, with the sign of x. The 16-bit entries
  /// have slope and offset for magnitudes up to 1, up to 2 and beyond.
  Lanes byteTable(const Lanes &x, const uint16_t (&entries)[3]) const;
  /// The same with six entries: up to 0.5, 1, 1.5, 2, `last` and beyond.
  Lanes halfTable(const Lanes &x, float last, const uint16_t (&slopes)[6],
                  const uint16_t (&offsets)[6]) const;

private:
  template <Terms Of>
  Lanes multiplyAdd(const Lanes &a, const Lanes &b, const Lanes &c) const {
    return mode.wormhole ? TTK_ISA::multiplyAdd<true, Of>(a, b, c)
                         : TTK_ISA::multiplyAdd<false, Of>(a, b, c);
  }
  static TTK_INLINE vu round16Part(vu x) {
    const vu exponent = x & kInfinityBits;
    const vu value = (x + 0x8000u) & 0xffff0000u;
    return pick(
        exponent == 0, vu{},
        pick(exponent == kInfinityBits, (x & kSign) | kInfinityBits, value));
  }
  static TTK_INLINE vu nearest(vu x, uint32_t most) {
    const vi exponent = (vi)(x >> 23 & 255u);
    const vu value = (x & kFraction) | (kFraction + 1);
    // For magnitudes from 0.5 to 65536.
    const vi by = 149 - exponent;
    const vu whole = ((value >> (vu)(by & 31)) + 1u) >> 1;
    const vu inside = pick(exponent < 126, vu{}, whole);
    const vu result = pick(exponent >= 143, splatU(most), inside);
    return pick((vi)result > int32_t(most), splatU(most), result);
  }
  static TTK_INLINE vu reciprocalPart(vu x) {
    const vu sign = x & kSign, size = x & ~kSign;
    vu entry;
    for (int i = 0; i < VF; ++i)
      entry[i] = kReciprocals[size[i] >> 16 & 127];
    const vu value = ((253u - (size >> 23)) << 23) | entry << 16;
    return sign | pick(size < kFraction + 1, splatU(kInfinityBits),
                       pick(size < 0x7e800000u, value, vu{}));
  }
  /// Convert entries of tables to f32.
  static constexpr uint32_t ofByte(uint32_t byte) {
    if (byte == 0xff)
      return 0;
    const uint32_t exponent = 127 - (byte >> 4 & 7);
    return (byte & 0x80) << 24 | exponent << 23 | (byte & 15) << 19;
  }
  /// There are no denormals, and the highest exponent means zero.
  static constexpr uint32_t ofHalf(uint32_t half) {
    if ((half >> 10 & 31) == 31)
      return 0;
    return (half & 0x8000) << 16 | ((half >> 10 & 31) + 112) << 23 |
           (half & 1023) << 13;
  }
};

Lanes VectorEngine::byteTable(const Lanes &x,
                              const uint16_t (&entries)[3]) const {
  const Lanes size = magnitude(x);
  Lanes slope(ofByte(entries[2] >> 8)), offset(ofByte(entries[2] & 255));
  const float cuts[] = {2, 1};
  for (int i = 0; i < 2; ++i) {
    const Lanes below = isLess(size, Lanes(cuts[i]));
    slope = select(below, Lanes(ofByte(entries[1 - i] >> 8)), slope);
    offset = select(below, Lanes(ofByte(entries[1 - i] & 255)), offset);
  }
  return withSign(mad(slope, size, offset), x);
}

Lanes VectorEngine::halfTable(const Lanes &x, float last,
                              const uint16_t (&slopes)[6],
                              const uint16_t (&offsets)[6]) const {
  const Lanes size = magnitude(x);
  Lanes slope(ofHalf(slopes[5])), offset(ofHalf(offsets[5]));
  const float cuts[] = {0.5f, 1, 1.5f, 2, last};
  for (int i = 4; i >= 0; --i) {
    const Lanes below = isLess(size, Lanes(cuts[i]));
    slope = select(below, Lanes(ofHalf(slopes[i])), slope);
    offset = select(below, Lanes(ofHalf(offsets[i])), offset);
  }
  return mad(slope, size, offset);
}

} // namespace
} // namespace tt::runtime::numerics::TTK_ISA

#endif // TT_RUNTIME_NUMERICS_ISA_VECTOR_INSTRUCTIONS_H
