// Register-blocked f32 micro-kernels, their packing, and products with few
// rows. This file alone is compiled with FMA contraction.
#include "numerics/isa/table.h"
#include "numerics/isa/transpose.h"

namespace tt::runtime::numerics::TTK_ISA {
namespace {

// The register file holds MR x NV accumulators, NV vectors of B and one of A.
constexpr int NV = 2;
#if defined(__AVX512F__)
constexpr int MR = 12;
#elif defined(__AVX2__)
constexpr int MR = 6;
#else
constexpr int MR = 4;
#endif
constexpr int NR = NV * VF;
constexpr int64_t kBlockK = 256;
// Rows of a packed panel are one cache line further than a power of two, so
// that the rows of a register block fall into different cache sets.
constexpr int64_t kStrideA = kBlockK + 16;

void packA(const void *source, int64_t sourceStride, int64_t rows, int64_t k,
           void *target) {
  const float *from = static_cast<const float *>(source);
  float *to = static_cast<float *>(target);
  for (int64_t row = 0; row < rows; ++row)
    __builtin_memcpy(to + row * kStrideA, from + row * sourceStride, k * 4);
}

void packATransposed(const void *source, int64_t sourceStride, int64_t rows,
                     int64_t k, void *target) {
  transposeBlock<vf, float, VF>(static_cast<const float *>(source),
                                sourceStride, k, rows,
                                static_cast<float *>(target), kStrideA);
}

void packB(const void *source, int64_t sourceStride, int64_t k, int64_t cols,
           void *target) {
  const float *from = static_cast<const float *>(source);
  float *to = static_cast<float *>(target);
  if (cols == NR) {
    for (int64_t row = 0; row < k; ++row)
      for (int v = 0; v < NV; ++v)
        store(to + row * NR + v * VF,
              load<vf>(from + row * sourceStride + v * VF));
    return;
  }
  for (int64_t row = 0; row < k; ++row) {
    __builtin_memset(to + row * NR, 0, NR * 4);
    __builtin_memcpy(to + row * NR, from + row * sourceStride, cols * 4);
  }
}

void packBFromBf16(const void *source, int64_t sourceStride, int64_t k,
                   int64_t cols, void *target) {
  const uint16_t *from = static_cast<const uint16_t *>(source);
  float *to = static_cast<float *>(target);
  for (int64_t row = 0; row < k; ++row, from += sourceStride, to += NR) {
    uint16_t padded[NR] = {};
    const uint16_t *line = from;
    if (cols < NR) {
      __builtin_memcpy(padded, from, cols * 2);
      line = padded;
    }
    for (int v = 0; v < NV; ++v)
      store(to + v * VF, widenBf16(load<vh>(line + v * VF)));
  }
}

void packBTransposed(const void *source, int64_t sourceStride, int64_t k,
                     int64_t cols, void *target) {
  if (cols < NR)
    __builtin_memset(target, 0, k * NR * 4);
  transposeBlock<vf, float, VF>(static_cast<const float *>(source),
                                sourceStride, cols, k,
                                static_cast<float *>(target), NR);
}

template <int Rows>
void microKernel(const float *a, const float *b, float *c, int64_t cStride,
                 int64_t k, bool accumulate) {
  vf sum[Rows][NV];
#pragma GCC unroll 16
  for (int i = 0; i < Rows; ++i)
#pragma GCC unroll 4
    for (int v = 0; v < NV; ++v)
      sum[i][v] = accumulate ? load<vf>(c + i * cStride + v * VF) : vf{};
  for (int64_t p = 0; p < k; ++p) {
    vf line[NV];
#pragma GCC unroll 4
    for (int v = 0; v < NV; ++v)
      line[v] = load<vf>(b + p * NR + v * VF);
#pragma GCC unroll 16
    for (int i = 0; i < Rows; ++i) {
      vf broadcast = splat(a[i * kStrideA + p]);
#pragma GCC unroll 4
      for (int v = 0; v < NV; ++v)
        sum[i][v] += broadcast * line[v];
    }
  }
#pragma GCC unroll 16
  for (int i = 0; i < Rows; ++i)
#pragma GCC unroll 4
    for (int v = 0; v < NV; ++v)
      store(c + i * cStride + v * VF, sum[i][v]);
}

template <int Rows>
void dispatch(const void *a, const void *b, float *c, int64_t cStride,
              int64_t rows, int64_t k, bool accumulate) {
  if constexpr (Rows > 0) {
    if (rows == Rows)
      return microKernel<Rows>(static_cast<const float *>(a),
                               static_cast<const float *>(b), c, cStride, k,
                               accumulate);
    dispatch<Rows - 1>(a, b, c, cStride, rows, k, accumulate);
  }
}

//===-- Few rows: B is read once, where it lies ---------------------------===//

TTK_INLINE vf loadB(const float *b) { return load<vf>(b); }
TTK_INLINE vf loadB(const uint16_t *b) { return widenBf16(load<vh>(b)); }
TTK_INLINE float scalarB(float b) { return b; }
TTK_INLINE float scalarB(uint16_t b) {
  uint32_t raw = uint32_t(b) << 16;
  float value;
  __builtin_memcpy(&value, &raw, 4);
  return value;
}

template <int Rows, int Depth, typename T>
TTK_INLINE void gemvStep(const float *a, int64_t aStride, const T *b,
                         int64_t bStride, float *c, int64_t cStride,
                         int64_t n) {
  int64_t j = 0;
  for (; j + VF <= n; j += VF) {
    vf sum[Rows];
#pragma GCC unroll 4
    for (int i = 0; i < Rows; ++i)
      sum[i] = load<vf>(c + i * cStride + j);
#pragma GCC unroll 8
    for (int p = 0; p < Depth; ++p) {
      vf line = loadB(b + p * bStride + j);
#pragma GCC unroll 4
      for (int i = 0; i < Rows; ++i)
        sum[i] += splat(a[i * aStride + p]) * line;
    }
#pragma GCC unroll 4
    for (int i = 0; i < Rows; ++i)
      store(c + i * cStride + j, sum[i]);
  }
  for (; j < n; ++j)
    for (int i = 0; i < Rows; ++i) {
      float sum = c[i * cStride + j];
      for (int p = 0; p < Depth; ++p)
        sum += a[i * aStride + p] * scalarB(b[p * bStride + j]);
      c[i * cStride + j] = sum;
    }
}

template <int Rows, typename T>
void gemvRows(const float *a, int64_t aStride, const T *b, int64_t bStride,
              float *c, int64_t cStride, int64_t n, int64_t k) {
  int64_t p = 0;
  for (; p + 8 <= k; p += 8)
    gemvStep<Rows, 8>(a + p, aStride, b + p * bStride, bStride, c, cStride, n);
  for (; p < k; ++p)
    gemvStep<Rows, 1>(a + p, aStride, b + p * bStride, bStride, c, cStride, n);
}

template <typename T>
void gemv(const float *a, int64_t aStride, const T *b, int64_t bStride,
          float *c, int64_t cStride, int64_t m, int64_t n, int64_t k) {
  switch (m) {
  case 1:
    return gemvRows<1>(a, aStride, b, bStride, c, cStride, n, k);
  case 2:
    return gemvRows<2>(a, aStride, b, bStride, c, cStride, n, k);
  case 3:
    return gemvRows<3>(a, aStride, b, bStride, c, cStride, n, k);
  default:
    return gemvRows<4>(a, aStride, b, bStride, c, cStride, n, k);
  }
}

void multiplyAddRows(float *target, const float *a, const float *b, int64_t n) {
  int64_t i = 0;
  for (; i + VF <= n; i += VF)
    store(target + i, load<vf>(target + i) + load<vf>(a + i) * load<vf>(b + i));
  for (; i < n; ++i)
    target[i] += a[i] * b[i];
}

} // namespace

void fillGemm(KernelTable &table) {
  GemmTable &gemm = table.gemmF32;
  gemm.mr = MR;
  gemm.nr = NR;
  gemm.kGroup = 1;
  gemm.kBlock = kBlockK;
  gemm.aStride = kStrideA;
  gemm.operandBytes = 4;
  gemm.packA = packA;
  gemm.packATransposed = packATransposed;
  gemm.packB = packB;
  gemm.packBFromBf16 = packBFromBf16;
  gemm.packBTransposed = packBTransposed;
  gemm.kernel = dispatch<MR>;
  table.gemmBf16 = gemm;
  table.multiplyAddRows = multiplyAddRows;
  table.gemvF32 = gemv<float>;
  table.gemvBf16 = gemv<uint16_t>;
}

} // namespace tt::runtime::numerics::TTK_ISA
