// The multiply-add of the vector engine: a * b + c with three bits beyond the
// significand of f32. The product is not normalized before the addition, so
// only cancellation in those bits loses accuracy.
#ifndef TT_RUNTIME_NUMERICS_ISA_MULTIPLY_ADD_H
#define TT_RUNTIME_NUMERICS_ISA_MULTIPLY_ADD_H

#include "numerics/isa/lanes.h"

namespace tt::runtime::numerics::TTK_ISA {
namespace {

TTK_INLINE vu truth(vi mask) { return (vu)mask & 1u; }
TTK_INLINE vu pick(vi mask, vu a, vu b) { return mask ? a : b; }
TTK_INLINE vi pickI(vi mask, vi a, vi b) { return mask ? a : b; }
TTK_INLINE vi least(vi a, int b) { return pickI(a < b, a, splatI(b)); }

/// The product of two 24-bit significands without its last 20 bits, which are
/// combined in a sticky bit.
TTK_INLINE vu multiplySignificands(vu a, vu b) {
  const vu low = a * b;
  // The error of the float product is less than 2^24, so its difference from
  // the low 32 bits gives a whole multiple of 2^32.
  const vf one = asFloat((a & kFraction) | 0x3f800000u),
           other = asFloat((b & kFraction) | 0x3f800000u);
  const vf lowPart = __builtin_convertvector((vi)(low >> 1), vf) * 0x1p-31f;
  const vf high = one * other * 0x1p14f - lowPart + 0.5f;
  return (vu) __builtin_convertvector(high, vi) << 12 | low >> 20 |
         truth((low & 0xfffffu) != 0);
}

/// The result for infinities and NaN. `sum` is the adder's output for the
/// operands.
template <bool Wormhole>
TTK_INLINE vu specialSum(vu a, vu b, vu c, vi overflows, vu sum) {
  const vu signP = (a ^ b) & kSign, signC = c & kSign;
  const vu magA = a & ~kSign, magB = b & ~kSign, magC = c & ~kSign;
  const vi infA = magA == kInfinityBits, infB = magB == kInfinityBits,
           infC = magC == kInfinityBits;
  const vi zeroA = magA < kFraction + 1, zeroB = magB < kFraction + 1;
  const vi nanP = (magA > kInfinityBits) | (magB > kInfinityBits) |
                  (infA & zeroB) | (infB & zeroA);
  const vi nanC = magC > kInfinityBits;
  const vi infP = Wormhole ? infA | infB | overflows : infA | infB;
  const vi isNanResult = nanP | nanC | (infP & infC & (signP != signC));
  vu nan = splatU(kNanBits);
  if constexpr (Wormhole)
    nan = pick(nanC & ~nanP, signC, signP) | 0x7f800001u | (sum & kFraction);
  return pick(isNanResult, nan, pick(infC, c, signP | kInfinityBits));
}

/// The terms that an instruction uses: products alone have c = 0, sums a = 1.
enum class Terms { Both, Product, Sum };

/// The sum of two terms with 26 fraction bits: its magnitude, its sign, and the
/// exponent of its integer part.
struct Total {
  vu magnitude, sign;
  vi exponent;
};

TTK_INLINE Total addTerms(vu product, vi expP, vu signP, vu addend, vi expC,
                          vu signC) {
  // The smaller term is aligned. Lost bits set a sticky bit, unless all bits
  // are lost.
  const vi distance = expP - expC;
  const vi productFirst = distance >= 0;
  const vu large = pick(productFirst, product, addend),
           small = pick(productFirst, addend, product);
  const vu by = (vu)least(pickI(productFirst, distance, -distance), 31);
  vu aligned = small >> by;
  aligned |= truth((aligned << by != small) & (aligned != 0));

  const vi opposite = signP != signC;
  const vi difference = (vi)(large - aligned);
  const vi reversed = difference < 0;
  const vu magnitude = pick(
      opposite, (vu)pickI(reversed, -difference, difference), large + aligned);
  // The sign is that of the greater magnitude.
  const vi addendWins = opposite & (productFirst ^ ~reversed);
  return {magnitude, pick(addendWins, signC, signP),
          pickI(productFirst, expP, expC)};
}

template <bool Wormhole, Terms Of>
TTK_INLINE vu multiplyAddPart(vu a, vu b, vu c) {
  const vu signP = (a ^ b) & kSign, signC = c & kSign;
  const vi expA = (vi)(a >> 23 & 255u), expB = (vi)(b >> 23 & 255u),
           expC = (vi)(c >> 23 & 255u);
  const vi exponent = Of == Terms::Sum ? expB : expA + expB - 127;
  const vi noProduct =
      Of == Terms::Sum ? expB == 0 : (expA == 0) | (expB == 0) | (exponent < 0);
  const vu hidden = splatU(kFraction + 1);

  // Both terms with 26 fraction bits.
  const vu manA = (a & kFraction) | hidden, manB = (b & kFraction) | hidden;
  const vu product =
      pick(noProduct, vu{},
           Of == Terms::Sum ? manB << 3 : multiplySignificands(manA, manB));
  const vi expP = pickI(noProduct, vi{}, least(exponent, 255));
  const vu addend = pick(expC == 0, vu{}, ((c & kFraction) | hidden) << 3);
  const auto [total, sign, top] =
      Of == Terms::Product
          ? Total{product, signP, expP}
          : addTerms(product, expP, signP, addend, expC, signC);

  // The position of the leading bit. The bit after it is cleared, so that the
  // conversion to float cannot round up.
  const vi lead =
      (vi)(bits(__builtin_convertvector((vi)(total & ~(total >> 1)), vf)) >>
           23) -
      127;
  const vu left = total << (vu)least(28 - lead, 31);
  vu normal = left >> 2;
  if constexpr (Wormhole)
    normal |= total & truth(lead >= 26);
  else
    normal |= truth((left & 3u) != 0);
  const vi exp = top + lead - 26;
  const vi tiny = exp <= 0;
  if constexpr (!Wormhole)
    normal = pick(tiny, normal >> 1 | (normal & 1u), normal);
  const vu rounded = (normal + 3u + (normal >> 3 & 1u)) >> 3;

  vu sum;
  if constexpr (Wormhole) {
    sum = ((vu)pickI(tiny, vi{}, exp) << 23) + rounded - hidden;
    sum = pick((exp < 0) | (sum < hidden), vu{}, sum | sign);
  } else {
    sum = pick(tiny, rounded, ((vu)exp << 23) + rounded - hidden);
    sum = pick(sum < hidden, vu{}, sum) | sign;
  }
  sum = pick(exp >= 255, sign | kInfinityBits, sum);
  sum = pick(total == 0, vu{}, sum);

  const vu zero = Wormhole ? vu{} : signP & signC;
  const vu result = pick(noProduct, pick(expC == 0, zero, c), sum);
  const vi overflows = exponent >= 255;
  const vi special = overflows | (expA == 255) | (expB == 255) | (expC == 255);
  if (__builtin_expect(anyLane(special), 0))
    return pick(special, specialSum<Wormhole>(a, b, c, overflows, sum), result);
  return result;
}

/// Not inlined, since programs contain dozens of calls.
template <bool Wormhole, Terms Of>
__attribute__((noinline)) Lanes multiplyAdd(const Lanes &a, const Lanes &b,
                                            const Lanes &c) {
  return TTK_LANES(
      (multiplyAddPart<Wormhole, Of>(a.part[i], b.part[i], c.part[i])));
}

} // namespace
} // namespace tt::runtime::numerics::TTK_ISA

#endif // TT_RUNTIME_NUMERICS_ISA_MULTIPLY_ADD_H
