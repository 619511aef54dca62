// The bf16 micro-kernel on vdpbf16ps: a lane adds the products of two
// consecutive k at a time, so packed B holds pairs of rows interleaved.
#include "numerics/isa/pack_bf16.h"

namespace tt::runtime::numerics::TTK_ISA {
namespace {

constexpr int MR = 12;

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
  fillPacking<2>(table.gemmBf16, MR);
  table.gemmBf16.kernel = dispatch<MR>;
}

} // namespace tt::runtime::numerics::TTK_ISA
