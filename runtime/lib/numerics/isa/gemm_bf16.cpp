// The bf16 micro-kernel on vdpbf16ps: a lane adds the products of two
// consecutive k at a time, so packed B holds pairs of rows interleaved.
#include "numerics/isa/table.h"
#include "numerics/isa/transpose.h"

namespace tt::runtime::numerics::TTK_ISA {
namespace {

constexpr int NV = 2;
constexpr int MR = 12;
constexpr int NR = NV * 16;
constexpr int64_t kBlockK = 512;
constexpr int64_t kStrideA = kBlockK + 32;

using vs = uint16_t __attribute__((vector_size(64)));

void packA(const void *source, int64_t sourceStride, int64_t rows, int64_t k,
           void *target) {
  const uint16_t *from = static_cast<const uint16_t *>(source);
  uint16_t *to = static_cast<uint16_t *>(target);
  for (int64_t row = 0; row < rows; ++row) {
    __builtin_memcpy(to + row * kStrideA, from + row * sourceStride, k * 2);
    if (k & 1)
      to[row * kStrideA + k] = 0;
  }
}

void packATransposed(const void *source, int64_t sourceStride, int64_t rows,
                     int64_t k, void *target) {
  using vq = uint16_t __attribute__((vector_size(32)));
  uint16_t *to = static_cast<uint16_t *>(target);
  transposeBlock<vq, uint16_t, 16>(static_cast<const uint16_t *>(source),
                                   sourceStride, k, rows, to, kStrideA);
  if (k & 1)
    for (int64_t row = 0; row < rows; ++row)
      to[row * kStrideA + k] = 0;
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
}

void packBTransposed(const void *source, int64_t sourceStride, int64_t k,
                     int64_t cols, void *target) {
  const uint16_t *from = static_cast<const uint16_t *>(source);
  uint32_t *to = static_cast<uint32_t *>(target);
  if (cols < NR)
    __builtin_memset(to, 0, (k + 1) / 2 * NR * 4);
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

template <int Rows>
void microKernel(const uint16_t *a, const uint16_t *b, float *c,
                 int64_t cStride, int64_t k, bool accumulate) {
  __m512 sum[Rows][NV];
#pragma GCC unroll 16
  for (int i = 0; i < Rows; ++i)
#pragma GCC unroll 4
    for (int v = 0; v < NV; ++v)
      sum[i][v] = accumulate ? _mm512_loadu_ps(c + i * cStride + v * 16)
                             : _mm512_setzero_ps();
  for (int64_t p = 0; p < k; p += 2) {
    __m512i line[NV];
#pragma GCC unroll 4
    for (int v = 0; v < NV; ++v)
      line[v] = _mm512_loadu_si512(b + p * NR + v * 32);
#pragma GCC unroll 16
    for (int i = 0; i < Rows; ++i) {
      int32_t pair;
      __builtin_memcpy(&pair, a + i * kStrideA + p, 4);
      __m512i broadcast = _mm512_set1_epi32(pair);
#pragma GCC unroll 4
      for (int v = 0; v < NV; ++v)
        sum[i][v] =
            _mm512_dpbf16_ps(sum[i][v], (__m512bh)line[v], (__m512bh)broadcast);
    }
  }
#pragma GCC unroll 16
  for (int i = 0; i < Rows; ++i)
#pragma GCC unroll 4
    for (int v = 0; v < NV; ++v)
      _mm512_storeu_ps(c + i * cStride + v * 16, sum[i][v]);
}

template <int Rows>
void dispatch(const void *a, const void *b, float *c, int64_t cStride,
              int64_t rows, int64_t k, bool accumulate) {
  if constexpr (Rows > 0) {
    if (rows == Rows)
      return microKernel<Rows>(static_cast<const uint16_t *>(a),
                               static_cast<const uint16_t *>(b), c, cStride, k,
                               accumulate);
    dispatch<Rows - 1>(a, b, c, cStride, rows, k, accumulate);
  }
}

} // namespace

void fillBf16Gemm(KernelTable &table) {
  GemmTable &gemm = table.gemmBf16;
  gemm.mr = MR;
  gemm.nr = NR;
  gemm.kGroup = 2;
  gemm.kBlock = kBlockK;
  gemm.aStride = kStrideA;
  gemm.operandBytes = 2;
  gemm.packA = packA;
  gemm.packATransposed = packATransposed;
  gemm.packB = packB;
  gemm.packBFromBf16 = nullptr;
  gemm.packBTransposed = packBTransposed;
  gemm.kernel = dispatch<MR>;
}

} // namespace tt::runtime::numerics::TTK_ISA
