// Packed operands of bf16 products whose units add the products of two
// consecutive k at a time: rows of A as they are, and panels of B with pairs of
// rows interleaved. `Group` consecutive k belong together; zeros fill the last
// group.
#ifndef TT_RUNTIME_NUMERICS_ISA_PACK_BF16_H
#define TT_RUNTIME_NUMERICS_ISA_PACK_BF16_H

#include "numerics/isa/table.h"
#include "numerics/isa/transpose.h"

namespace tt::runtime::numerics::TTK_ISA {
namespace {

constexpr int NV = 2;
constexpr int NR = NV * 16;
constexpr int64_t kBlockK = 512;
constexpr int64_t kStrideA = kBlockK + 32;

using vs = uint16_t __attribute__((vector_size(64)));

template <int Group> constexpr int64_t padded(int64_t k) {
  return (k + Group - 1) / Group * Group;
}

template <int Group>
void packA(const void *source, int64_t sourceStride, int64_t rows, int64_t k,
           void *target) {
  const uint16_t *from = static_cast<const uint16_t *>(source);
  uint16_t *to = static_cast<uint16_t *>(target);
  for (int64_t row = 0; row < rows; ++row) {
    __builtin_memcpy(to + row * kStrideA, from + row * sourceStride, k * 2);
    __builtin_memset(to + row * kStrideA + k, 0, (padded<Group>(k) - k) * 2);
  }
}

template <int Group>
void packATransposed(const void *source, int64_t sourceStride, int64_t rows,
                     int64_t k, void *target) {
  using vq = uint16_t __attribute__((vector_size(32)));
  uint16_t *to = static_cast<uint16_t *>(target);
  transposeBlock<vq, uint16_t, 16>(static_cast<const uint16_t *>(source),
                                   sourceStride, k, rows, to, kStrideA);
  if (k < padded<Group>(k))
    for (int64_t row = 0; row < rows; ++row)
      __builtin_memset(to + row * kStrideA + k, 0, (padded<Group>(k) - k) * 2);
}

template <int Half, int... I>
TTK_INLINE vs interleave(vs even, vs odd, Lanes<I...>) {
  return __builtin_shufflevector(even, odd,
                                 (Half * 16 + I / 2 + (I % 2) * 32)...);
}

TTK_INLINE void packPair(vs even, vs odd, uint16_t *to) {
  store(to, interleave<0>(even, odd, CountLanes<32>::type{}));
  store(to + 32, interleave<1>(even, odd, CountLanes<32>::type{}));
}

template <int Group>
void packB(const void *source, int64_t sourceStride, int64_t k, int64_t cols,
           void *target) {
  const uint16_t *from = static_cast<const uint16_t *>(source);
  uint16_t *to = static_cast<uint16_t *>(target);
  for (int64_t row = 0; row < k; row += 2, to += 2 * NR) {
    vs even{}, odd{};
    const uint16_t *line = from + row * sourceStride;
    if (cols == NR) {
      even = load<vs>(line);
      if (row + 1 < k)
        odd = load<vs>(line + sourceStride);
    } else {
      __builtin_memcpy(&even, line, cols * 2);
      if (row + 1 < k)
        __builtin_memcpy(&odd, line + sourceStride, cols * 2);
    }
    packPair(even, odd, to);
  }
  const int64_t pairs = padded<Group>(k) / 2 - (k + 1) / 2;
  __builtin_memset(to, 0, pairs * NR * 4);
}

template <int Group>
void packBTransposed(const void *source, int64_t sourceStride, int64_t k,
                     int64_t cols, void *target) {
  const uint16_t *from = static_cast<const uint16_t *>(source);
  uint32_t *to = static_cast<uint32_t *>(target);
  if (cols < NR || padded<Group>(k) > k + (k & 1))
    __builtin_memset(to, 0, padded<Group>(k) / 2 * NR * 4);
  // Pairs along k are 32-bit units already.
  int64_t pairs = k / 2;
  int64_t pair = 0;
  for (; pair + 16 <= pairs; pair += 16)
    for (int64_t col = 0; col < cols; col += 16) {
      vu lines[16];
#pragma GCC unroll 16
      for (int i = 0; i < 16; ++i)
        lines[i] = col + i < cols
                       ? load<vu>(from + (col + i) * sourceStride + pair * 2)
                       : vu{};
      transposeSquare<16>(lines);
#pragma GCC unroll 16
      for (int i = 0; i < 16; ++i)
        store(to + (pair + i) * NR + col, lines[i]);
    }
  for (; pair < pairs; ++pair)
    for (int64_t col = 0; col < cols; ++col)
      __builtin_memcpy(to + pair * NR + col,
                       from + col * sourceStride + pair * 2, 4);
  if (k & 1)
    for (int64_t col = 0; col < cols; ++col)
      to[pairs * NR + col] = from[col * sourceStride + k - 1];
}

/// All of a table but its kernel, which takes up to `rows` rows.
template <int Group> void fillPacking(GemmTable &gemm, int rows) {
  gemm.mr = rows;
  gemm.nr = NR;
  gemm.kGroup = Group;
  gemm.kBlock = kBlockK;
  gemm.aStride = kStrideA;
  gemm.operandBytes = 2;
  gemm.packA = packA<Group>;
  gemm.packATransposed = packATransposed<Group>;
  gemm.packB = packB<Group>;
  gemm.packBFromBf16 = nullptr;
  gemm.packBTransposed = packBTransposed<Group>;
}

} // namespace
} // namespace tt::runtime::numerics::TTK_ISA

#endif // TT_RUNTIME_NUMERICS_ISA_PACK_BF16_H
