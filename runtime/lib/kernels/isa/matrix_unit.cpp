// The arithmetic of matrix_unit.h on lanes of integers.
#include "kernels/matrix_unit.h"
#include "kernels/isa/simd.h"
#include "kernels/isa/table.h"

namespace tt::runtime::kernels::TTK_ISA {
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
TTK_INLINE vn align(vn man, vn shift, vn down) {
  const vn one = lanes(1);
  const vn by = lesser(shift, lanes(30));
  const vn half = choose(by > 0, (one << (greater(by, one) - 1)) + down, vn{});
  return choose(shift >= 31, vn{}, (man + half) >> by);
}

TTK_INLINE vn withSign(vn magnitude, vn negative) {
  return (magnitude ^ negative) - negative;
}

/// Shift that brings the leading bit of a positive number to bit 30.
TTK_INLINE vn leadingZeros(vn value) {
  vn shift{};
#pragma GCC unroll 8
  for (int step = 16; step > 0; step /= 2) {
    const vn small = value < (1 << (31 - step));
    shift += small & step;
    value = choose(small, value << step, value);
  }
  return shift;
}

/// A row of source B: 32 scalars.
struct Row {
  int32_t negative[32], exp[32], slices[2][32];

  /// Both halves of the row, which lie in two faces.
  TTK_INLINE void fill(const float *from) {
    for (int k = 0; k < 32; k += VF) {
      const Terms terms = sourceTerms(from + (k >> 4) * 256 + (k & 15));
      store(negative + k, terms.negative);
      store(exp + k, terms.exp);
      store(slices[0] + k, sliceB(terms.man, 0));
      store(slices[1] + k, sliceB(terms.man, 2));
    }
  }
};

template <Accumulator Kind> struct Engine {
  /// The least exponent that is not zero, one less: f16 begins at 2^-14.
  static constexpr int kLeast = Kind == Accumulator::F16 ? 112 : 0;

  /// The sum of two groups of products and a destination, as f32 bits.
  static TTK_INLINE vn accumulate(Terms first, Terms second, Terms dst) {
    // A group without an exponent is a zero.
    first.man = choose(first.exp <= kLeast, vn{}, first.man);
    second.man = choose(second.exp <= kLeast, vn{}, second.man);
    vn exp = greater(greater(first.exp, second.exp), dst.exp);
    vn a = align(first.man, exp - first.exp, first.negative);
    vn b = align(second.man, exp - second.exp, second.negative);
    vn c = align(dst.man, exp - dst.exp, vn{});
    if constexpr (Kind != Accumulator::F32) {
      a = (a + 4096 + first.negative) & ~0x1fff;
      b = (b + 4096 + second.negative) & ~0x1fff;
      c = (c + 4096) & ~0x1fff;
    }
    const vn sum = withSign(a, first.negative) + withSign(b, second.negative) +
                   withSign(c, dst.negative);
    return encode(sum, exp);
  }

  /// sum * 2^(exp - 127 - 23), normalized and rounded.
  static TTK_INLINE vn encode(vn sum, vn exp) {
    const vn negative = sum >> 31;
    vn man = withSign(sum, negative);
    const vn zero = (man == 0) | (exp <= kLeast);
    const vn shift = leadingZeros(man);
    exp += 7 - shift;
    man = (man << shift) >> 7; // 24 bits
    if constexpr (Kind != Accumulator::F32) {
      constexpr int kDropped = Kind == Accumulator::F16 ? 13 : 16;
      man = (man + (1 << (kDropped - 1))) >> kDropped << kDropped;
      const vn carry = man >> 24;
      exp += carry;
      man = choose(carry != 0, man >> 1, man);
    }
    vn result = (exp << 23) | (man & 0x7fffff);
    if constexpr (Kind == Accumulator::F16) // exponent 31, all mantissa bits
      result = choose(exp > 143, lanes((143 << 23) | 0x7fe000), result);
    else
      result = choose(exp >= 255, lanes(0x7f800000), result);
    result |= negative & int32_t(0x80000000);
    return choose(zero | (exp <= kLeast), vn{}, result);
  }

  /// The sum of 8 products of lanes of `a` with the elements of `b` from
  /// `first` on, aligned to their greatest exponent.
  static TTK_INLINE Terms group(const Terms *a, const Row &b, int first,
                                int phase) {
    vn exps[8], mans[8], top = vn{};
#pragma GCC unroll 8
    for (int k = 0; k < 8; ++k) {
      const vn man = sliceA(a[k].man, phase) * b.slices[phase >> 1][first + k];
      const vn exp = a[k].exp + (b.exp[first + k] + adjust(phase));
      exps[k] = choose(man == 0, vn{}, exp);
      mans[k] = man;
      top = greater(top, exps[k]);
    }
    vn sum{};
#pragma GCC unroll 8
    for (int k = 0; k < 8; ++k) {
      // ((man << 1) + (1 << shift)) >> (shift + 1), 0 from a shift of 14 on.
      const vn by = lesser(top - exps[k], lanes(14));
      const vn man = ((mans[k] << 1) + (lanes(1) << by)) >> (by + 1);
      sum += withSign(man, a[k].negative ^ b.negative[first + k]);
    }
    const vn negative = sum >> 31;
    return {negative, top, withSign(sum, negative) << 13};
  }

  static void multiplyTiles(const float *b, const float *a, float *dst,
                            bool add, int phases) {
    for (int col = 0; col < 32; col += VF) {
      const int offset = (col >> 4) * 256 + (col & 15);
      Terms columns[32];
      for (int k = 0; k < 32; ++k)
        columns[k] = sourceTerms(a + (k >> 4) * 512 + (k & 15) * 16 + offset);
      for (int row = 0; row < 32; ++row) {
        const int line = (row >> 4) * 512 + (row & 15) * 16;
        Row left;
        left.fill(b + line);
        float *out = dst + line + offset;
        vn sum = add ? load<vn>(out) : vn{};
        for (int phase = 0; phase < phases; ++phase)
          for (int half = 0; half < 2; ++half)
            sum = accumulate(
                group(columns + half * 16, left, half * 16, phase),
                group(columns + half * 16 + 8, left, half * 16 + 8, phase),
                dstTerms(sum));
        store(out, sum);
      }
    }
  }

  static void multiply(const float *a, const float *b, float *dst,
                       int64_t count, int phases) {
    for (int64_t i = 0; i < count; i += VF) {
      const Terms x = sourceTerms(a + i), y = sourceTerms(b + i);
      vn sum{};
      for (int phase = 0; phase < phases; ++phase) {
        const vn man = sliceA(x.man, phase) * sliceB(y.man, phase);
        const vn exp = choose(man == 0, vn{}, x.exp + y.exp + adjust(phase));
        sum = accumulate(Terms{x.negative ^ y.negative, greater(exp, vn{}),
                               choose(exp <= kLeast, vn{}, man << 13)},
                         Terms{}, dstTerms(sum));
      }
      store(dst + i, sum);
    }
  }

  static void addSigned(const float *a, const float *b, float *dst,
                        int64_t count, bool subtract) {
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
      store(dst + i,
            accumulate(Terms{negative, exp, withSign(sum, negative) << 13},
                       Terms{}, Terms{}));
    }
  }
};

template <Accumulator Kind> void fillKind(MatrixUnitTable &table) {
  table.multiplyTiles = Engine<Kind>::multiplyTiles;
  table.multiply = Engine<Kind>::multiply;
  table.add = Engine<Kind>::addSigned;
}

} // namespace

void fillMatrixUnit(KernelTable &table) {
  fillKind<Accumulator::F32>(table.matrixUnit[int(Accumulator::F32)]);
  fillKind<Accumulator::BF16>(table.matrixUnit[int(Accumulator::BF16)]);
  fillKind<Accumulator::F16>(table.matrixUnit[int(Accumulator::F16)]);
}

} // namespace tt::runtime::kernels::TTK_ISA
