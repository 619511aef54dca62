// The arithmetic of matrix_unit.h on lanes of integers.
#include "numerics/matrix_unit.h"
#include "numerics/isa/simd.h"
#include "numerics/isa/table.h"

namespace tt::runtime::numerics::TTK_ISA {
namespace {

using vn = vi;

TTK_INLINE vn lanes(int32_t value) { return value - vn{}; }
TTK_INLINE vn choose(vn mask, vn a, vn b) { return mask ? a : b; }
TTK_INLINE vn greater(vn a, vn b) { return choose(a > b, a, b); }
TTK_INLINE vn lesser(vn a, vn b) { return choose(a < b, a, b); }

/// Sign-magnitude numbers: (-1)^sign * man * 2^(exp - 127 - fraction bits).
struct Terms {
  vn negative; // 0 or -1
  vn exp;
  vn man;
};

/// Operands as the source registers hold them: 11 significant bits.
TTK_INLINE Terms sourceTerms(const float *from) {
  const vn raw = load<vn>(from);
  const vn exp = (raw >> 23) & 0xff;
  const vn man = ((raw >> 13) & 0x3ff) | 0x400;
  return {raw >> 31, exp, choose(exp == 0, vn{}, man)};
}

/// The exponent of a factor that is zero: so low that it stays below all others
/// whatever is added.
constexpr int kNothing = -0x4000;

/// The same as factors of products.
TTK_INLINE Terms factorTerms(const float *from) {
  Terms terms = sourceTerms(from);
  terms.exp = choose(terms.exp == 0, lanes(kNothing), terms.exp);
  return terms;
}

/// The destination's 24 significant bits.
TTK_INLINE Terms dstTerms(vn raw) {
  const vn exp = (raw >> 23) & 0xff;
  return {raw >> 31, exp, choose(exp == 0, vn{}, (raw & 0x7fffff) | 0x800000)};
}

/// The slices that a phase sees: of A 5 bits, of B 7 bits.
TTK_INLINE vn sliceA(vn man, int phase) {
  return phase & 1 ? (man >> 1) & 31 : man >> 6;
}
TTK_INLINE vn sliceB(vn man, int phase) {
  return phase & 2 ? (man & 15) << 3 : man >> 4;
}
/// What the exponent of a product of slices has beyond the sum of exponents.
constexpr int adjust(int phase) {
  return -127 - (phase & 1 ? 5 : 0) - (phase & 2 ? 7 : 0);
}

/// man >> shift with rounding half up, a little less for negative terms where
/// `down` is -1; shifts of 31 and more give 0.
#if defined(__AVX512F__)
TTK_INLINE vn align(vn man, vn shift, vn down) {
  // Shifts of 32 and more give 0, also those by -1; man is below 2^30.
  // GCC 12 takes the operand that the forms without a mask ignore for used.
  constexpr __mmask16 kAll = 0xffff;
  const vn half = vn(_mm512_maskz_sllv_epi32(kAll, __m512i(lanes(1)),
                                             __m512i(shift - lanes(1)))) +
                  (down & (shift > 0));
  return vn(_mm512_maskz_srlv_epi32(kAll, __m512i(man + half), __m512i(shift)));
}
#else
TTK_INLINE vn align(vn man, vn shift, vn down) {
  const vn one = lanes(1);
  const vn by = lesser(shift, lanes(30));
  const vn half = choose(by > 0, (one << (greater(by, one) - 1)) + down, vn{});
  return choose(shift >= 31, vn{}, (man + half) >> by);
}
#endif

TTK_INLINE vn withSign(vn magnitude, vn negative) {
  return (magnitude ^ negative) - negative;
}

/// Shift that brings the leading bit of a positive number to bit 30; anything
/// below 32 for 0.
#if defined(__AVX512CD__)
TTK_INLINE vn leadingZeros(vn value) {
  return vn(_mm512_maskz_lzcnt_epi32(0xffff, __m512i(value))) - 1;
}
#else
TTK_INLINE vn leadingZeros(vn value) {
  // The exponent of an f32. Without the bit behind the leading one the
  // conversion cannot carry into the next power of two.
  const vn f32 = ibits(__builtin_convertvector(value & ~(value >> 1), vf));
  return (127 + 30 - (f32 >> 23)) & 31;
}
#endif

/// `Count` elements of a row of source B.
template <int Count> struct Row {
  int32_t negative[Count], exp[Count], slices[2][Count];

  /// Elements from `k` on, as many as a vector has.
  TTK_INLINE void fill(int k, const float *from) {
    const Terms terms = factorTerms(from);
    store(negative + k, terms.negative);
    store(exp + k, terms.exp);
    store(slices[0] + k, sliceB(terms.man, 0));
    store(slices[1] + k, sliceB(terms.man, 2));
  }
};

/// `Count` rows of source A, as many columns as a vector has lanes.
template <int Count> struct Columns {
  vn negative[Count], exp[Count], doubled[2][Count]; // twice the slices

  TTK_INLINE void fill(int k, const float *from) {
    const Terms terms = factorTerms(from);
    negative[k] = terms.negative;
    exp[k] = terms.exp;
    doubled[0][k] = sliceA(terms.man, 0) << 1;
    doubled[1][k] = sliceA(terms.man, 1) << 1;
  }
};

#if defined(__AVX512BW__)
// Groups of products need no more than 16 bits: twice a product of slices is
// below 2^13, the sum of 8 of them below 2^15. Lanes are the 32 columns of a
// tile.
using vq = int16_t __attribute__((vector_size(64)));
using vqHalf = int16_t __attribute__((vector_size(32)));

TTK_INLINE vq shorts(int16_t value) { return value - vq{}; }

TTK_INLINE vq narrow(vn left, vn right) {
  return __builtin_shufflevector(__builtin_convertvector(left, vqHalf),
                                 __builtin_convertvector(right, vqHalf), 0, 1,
                                 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
                                 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27,
                                 28, 29, 30, 31);
}
TTK_INLINE vn leftHalf(vq value) {
  return __builtin_convertvector(
      __builtin_shufflevector(value, value, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
                              11, 12, 13, 14, 15),
      vn);
}
TTK_INLINE vn rightHalf(vq value) {
  return __builtin_convertvector(
      __builtin_shufflevector(value, value, 16, 17, 18, 19, 20, 21, 22, 23, 24,
                              25, 26, 27, 28, 29, 30, 31),
      vn);
}

/// Factors of products in 16 bits: kNothing for both must not overflow when it
/// is subtracted.
constexpr int16_t kShortNothing = -0x1000;
struct ShortTerms {
  vq negative, exp, man;
  /// Of 16 floats, and 16 more.
  TTK_INLINE ShortTerms(const float *left, const float *right) {
    const Terms x = sourceTerms(left), y = sourceTerms(right);
    negative = narrow(x.negative, y.negative);
    exp = narrow(x.exp, y.exp);
    exp = exp == 0 ? shorts(kShortNothing) : exp;
    man = narrow(x.man, y.man);
  }
};

/// 32 rows of source A.
struct ShortColumns {
  vq negative[32], exp[32], doubled[2][32]; // twice the slices

  TTK_INLINE explicit ShortColumns(const float *tile) {
    for (int k = 0; k < 32; ++k) {
      const float *line = tile + (k >> 4) * 512 + (k & 15) * 16;
      const ShortTerms terms(line, line + 256);
      negative[k] = terms.negative;
      exp[k] = terms.exp;
      doubled[0][k] = (terms.man >> 6) << 1;
      doubled[1][k] = ((terms.man >> 1) & 31) << 1;
    }
  }
};

/// A row of source B.
struct ShortRow {
  alignas(64) int16_t negative[32], exp[32], slices[2][32];

  TTK_INLINE explicit ShortRow(const float *line) {
    const ShortTerms terms(line, line + 256);
    store(negative, terms.negative);
    store(exp, terms.exp);
    store(slices[0], terms.man >> 4);
    store(slices[1], (terms.man & 15) << 3);
  }
};

/// What all phases of the products of a row and 32 columns share: by which
/// power of two each product is multiplied to align it to the greatest of its
/// group of 8, 2^14 for none, and its sign. A group whose greatest exponent is
/// not positive is zero whatever they are.
struct ShortShifts {
  vq factor[32], negative[32], top[4];

  template <bool OfF16>
  TTK_INLINE void fill(const ShortColumns &a, const ShortRow &b) {
    for (int group = 0; group < 4; ++group) {
      vq sums[8], most = shorts(2 * kShortNothing);
#pragma GCC unroll 8
      for (int i = 0; i < 8; ++i) {
        const int k = group * 8 + i;
        sums[i] = a.exp[k] + shorts(b.exp[k]);
        if constexpr (OfF16)
          sums[i] = sums[i] < 0 ? shorts(224) : sums[i];
        most = sums[i] > most ? sums[i] : most;
        negative[k] = a.negative[k] ^ shorts(b.negative[k]);
      }
      top[group] = most;
#pragma GCC unroll 8
      for (int i = 0; i < 8; ++i) {
        const vq shift = most - sums[i];
        factor[group * 8 + i] = shorts(1)
                                << (shift < 14 ? 14 - shift : shorts(0));
      }
    }
  }
};
#endif

template <Accumulator Kind> struct Engine {
  static constexpr bool kWide =
      Kind == Accumulator::F32 || Kind == Accumulator::F32OfF16;
  /// The least exponent that is not zero, one less: f16 begins at 2^-14.
  static constexpr int kLeast = Kind == Accumulator::F16 ? 112 : 0;
  static constexpr int kMost = Kind == Accumulator::F16 ? 143 : 254;
  static constexpr int32_t kOverflow =
      Kind == Accumulator::F16 ? (143 << 23) | 0x7fe000 : 0x7f800000;

  /// The exponent of a product whose factors have this sum of exponents.
  static TTK_INLINE vn productExponent(vn sum, int phase) {
    const vn exp = sum + adjust(phase);
    if constexpr (Kind == Accumulator::F32OfF16) // 97 for adjust(0)
      return choose(sum < 0, lanes(adjust(phase) + 224), exp);
    return exp;
  }

  /// The sum of two groups of products and a destination.
  struct Sum {
    vn value, exp; // value * 2^(exp - 127 - 23)
  };
  static TTK_INLINE Sum add(Terms first, Terms second, Terms dst) {
    // A group without an exponent is a zero.
    first.man = choose(first.exp <= kLeast, vn{}, first.man);
    second.man = choose(second.exp <= kLeast, vn{}, second.man);
    const vn exp = greater(greater(first.exp, second.exp), dst.exp);
    vn a = align(first.man, exp - first.exp, first.negative);
    vn b = align(second.man, exp - second.exp, second.negative);
    vn c = align(dst.man, exp - dst.exp, vn{});
    if constexpr (!kWide) {
      a = (a + 4096 + first.negative) & ~0x1fff;
      b = (b + 4096 + second.negative) & ~0x1fff;
      c = (c + 4096) & ~0x1fff;
    }
    return {withSign(a, first.negative) + withSign(b, second.negative) +
                withSign(c, dst.negative),
            exp};
  }

  /// A normalized and rounded sum as f32 bits.
  struct Encoded {
    vn bits, overflow;
  };
  static TTK_INLINE Encoded encode(Sum sum, bool wormhole) {
    const vn negative = sum.value >> 31;
    const vn magnitude = withSign(sum.value, negative);
    const vn shift = leadingZeros(magnitude);
    vn exp = sum.exp + 7 - shift;
    if constexpr (kWide)
      exp += (sum.value == -1) & lanes(wormhole ? 27 : 0);
    vn man = vn(((vu)(magnitude << shift) + 64) >> 7); // 24 bits
    if constexpr (!kWide) {
      constexpr int kDropped = Kind == Accumulator::F16 ? 13 : 16;
      man = (man + (1 << (kDropped - 1))) >> kDropped << kDropped;
    }
    exp += man >> 24; // what rounding carried leaves no other bits
    const vn overflow = exp > kMost;
    vn bits = (exp << 23) | (man & 0x7fffff);
    bits = choose(overflow, lanes(kOverflow), bits);
    bits |= negative & int32_t(0x80000000);
    const vn zero = (magnitude == 0) | (sum.exp <= kLeast) | (exp <= kLeast);
    return {choose(zero, vn{}, bits), overflow & ~zero};
  }

  /// The sum of 8 products of rows of `a` with elements of `b`, both from
  /// `first` on, aligned to their greatest exponent.
  template <int Count>
  static TTK_INLINE Terms group(const Columns<Count> &a, const Row<Count> &b,
                                int first, int phase) {
    vn exps[8], top = vn{};
#pragma GCC unroll 8
    for (int k = 0; k < 8; ++k) {
      exps[k] = productExponent(a.exp[first + k] + b.exp[first + k], phase);
      top = greater(top, exps[k]);
    }
    vn sum{};
#pragma GCC unroll 8
    for (int k = 0; k < 8; ++k) {
      // ((man << 1) + (1 << shift)) >> (shift + 1), 0 from a shift of 14 on.
      const vn doubled =
          a.doubled[phase & 1][first + k] * b.slices[phase >> 1][first + k];
      const vn by = lesser(top - exps[k], lanes(14));
      sum += withSign(((doubled >> by) + 1) >> 1,
                      a.negative[first + k] ^ b.negative[first + k]);
    }
    const vn negative = sum >> 31;
    return {negative, top, withSign(sum, negative) << 13};
  }

  /// sum + the 16 products of a phase.
  template <int Count>
  static TTK_INLINE vn dot(const Columns<Count> &a, const Row<Count> &b,
                           int first, int phase, vn sum, bool wormhole) {
    return encode(add(group(a, b, first, phase), group(a, b, first + 8, phase),
                      dstTerms(sum)),
                  wormhole)
        .bits;
  }

#if defined(__AVX512BW__)
  /// The sums of the products of a group.
  static TTK_INLINE vq shortGroup(const ShortColumns &a, const ShortRow &b,
                                  const ShortShifts &shifts, int group,
                                  int phase) {
    vq sum{};
#pragma GCC unroll 8
    for (int i = 0; i < 8; ++i) {
      const int k = group * 8 + i;
      const vq doubled =
          a.doubled[phase & 1][k] * shorts(b.slices[phase >> 1][k]);
      // (doubled * factor + 2^14) >> 15: rounds half up.
      const vq rounded =
          vq(_mm512_mulhrs_epi16(__m512i(doubled), __m512i(shifts.factor[k])));
      sum += (rounded ^ shifts.negative[k]) - shifts.negative[k];
    }
    return sum;
  }
  static TTK_INLINE Terms groupTerms(vn sum, vn top, int phase) {
    const vn negative = sum >> 31;
    return {negative, greater(top + adjust(phase), vn{}),
            withSign(sum, negative) << 13};
  }

  static void multiplyTiles(const float *b, const float *a, float *dst,
                            bool accumulate, int phases, bool wormhole) {
    constexpr bool kOfF16 = Kind == Accumulator::F32OfF16;
    const ShortColumns columns(a);
    for (int row = 0; row < 32; ++row) {
      const int line = (row >> 4) * 512 + (row & 15) * 16;
      const ShortRow left(b + line);
      ShortShifts shifts;
      shifts.fill<kOfF16>(columns, left);
      float *out = dst + line;
      vn first = accumulate ? load<vn>(out) : vn{};
      vn second = accumulate ? load<vn>(out + 256) : vn{};
      for (int phase = 0; phase < phases; ++phase)
        for (int group = 0; group < 4; group += 2) {
          const vq x = shortGroup(columns, left, shifts, group, phase);
          const vq y = shortGroup(columns, left, shifts, group + 1, phase);
          const vq xTop = shifts.top[group], yTop = shifts.top[group + 1];
          first = encode(add(groupTerms(leftHalf(x), leftHalf(xTop), phase),
                             groupTerms(leftHalf(y), leftHalf(yTop), phase),
                             dstTerms(first)),
                         wormhole)
                      .bits;
          second = encode(add(groupTerms(rightHalf(x), rightHalf(xTop), phase),
                              groupTerms(rightHalf(y), rightHalf(yTop), phase),
                              dstTerms(second)),
                          wormhole)
                       .bits;
        }
      store(out, first);
      store(out + 256, second);
    }
  }
#else
  static void multiplyTiles(const float *b, const float *a, float *dst,
                            bool accumulate, int phases, bool wormhole) {
    for (int col = 0; col < 32; col += VF) {
      const int offset = (col >> 4) * 256 + (col & 15);
      Columns<32> columns;
      for (int k = 0; k < 32; ++k)
        columns.fill(k, a + (k >> 4) * 512 + (k & 15) * 16 + offset);
      for (int row = 0; row < 32; ++row) {
        const int line = (row >> 4) * 512 + (row & 15) * 16;
        Row<32> left;
        for (int k = 0; k < 32; k += VF)
          left.fill(k, b + line + (k >> 4) * 256 + (k & 15));
        float *out = dst + line + offset;
        vn sum = accumulate ? load<vn>(out) : vn{};
        for (int phase = 0; phase < phases; ++phase)
          for (int first = 0; first < 32; first += 16)
            sum = dot(columns, left, first, phase, sum, wormhole);
        store(out, sum);
      }
    }
  }
#endif

  static void poolFace(const float *face, const float *weights, float *line,
                       int phases, bool wormhole) {
    Row<16> left;
    for (int k = 0; k < 16; k += VF)
      left.fill(k, weights + k);
    for (int col = 0; col < 16; col += VF) {
      Columns<16> columns;
      for (int k = 0; k < 16; ++k)
        columns.fill(k, face + k * 16 + col);
      vn sum = load<vn>(line + col);
      for (int phase = 0; phase < phases; ++phase)
        sum = dot(columns, left, 0, phase, sum, wormhole);
      store(line + col, sum);
    }
  }

  static void multiply(const float *a, const float *b, float *dst,
                       int64_t count, bool accumulate, int phases,
                       bool wormhole) {
    for (int64_t i = 0; i < count; i += VF) {
      const Terms x = factorTerms(a + i), y = factorTerms(b + i);
      vn sum = accumulate ? load<vn>(dst + i) : vn{};
      vn overflow{};
      for (int phase = 0; phase < phases; ++phase) {
        const vn man = sliceA(x.man, phase) * sliceB(y.man, phase);
        const Terms product{
            x.negative ^ y.negative,
            greater(productExponent(x.exp + y.exp, phase), vn{}), man << 13};
        const Encoded result =
            encode(add(product, Terms{}, dstTerms(sum)), wormhole);
        sum = choose(overflow, sum, result.bits);
        overflow |= result.overflow;
      }
      store(dst + i, sum);
    }
  }

  static void addSigned(const float *a, const float *b, float *dst,
                        int64_t count, bool subtract, bool accumulate,
                        bool wormhole) {
    for (int64_t i = 0; i < count; i += VF) {
      const Terms x = sourceTerms(a + i);
      Terms y = sourceTerms(b + i);
      y.negative ^= lanes(subtract ? -1 : 0);
      const vn exp = greater(x.exp, y.exp);
      const auto aligned = [&](const Terms &term) {
        const vn shift = exp - term.exp;
        return choose(shift >= 12, vn{}, align(term.man, shift, vn{}));
      };
      const vn sum =
          withSign(aligned(x), x.negative) + withSign(aligned(y), y.negative);
      const vn negative = sum >> 31;
      const vn old = accumulate ? load<vn>(dst + i) : vn{};
      const Terms both{negative, exp, withSign(sum, negative) << 13};
      store(dst + i, encode(add(both, Terms{}, dstTerms(old)), wormhole).bits);
    }
  }
};

template <Accumulator Kind> void fillKind(MatrixUnitTable &table) {
  table.multiplyTiles = Engine<Kind>::multiplyTiles;
  table.poolFace = Engine<Kind>::poolFace;
  table.multiply = Engine<Kind>::multiply;
  table.add = Engine<Kind>::addSigned;
}

} // namespace

void fillMatrixUnit(KernelTable &table) {
  fillKind<Accumulator::F32>(table.matrixUnit[int(Accumulator::F32)]);
  fillKind<Accumulator::BF16>(table.matrixUnit[int(Accumulator::BF16)]);
  fillKind<Accumulator::F16>(table.matrixUnit[int(Accumulator::F16)]);
  fillKind<Accumulator::F32OfF16>(table.matrixUnit[int(Accumulator::F32OfF16)]);
}

} // namespace tt::runtime::numerics::TTK_ISA
