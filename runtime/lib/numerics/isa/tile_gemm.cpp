// Products of 32x32 f32 tiles where they lie, face by face: rows of 16 elements
// need no packing. Compiled with FMA contraction, as gemm.cpp.
#include "numerics/isa/simd.h"
#include "numerics/isa/table.h"

namespace tt::runtime::numerics::TTK_ISA {
namespace {

// A register block has MR rows and NV vectors of columns: two faces side by
// side, a face, or half a face.
constexpr int NV = 2;
#if defined(__AVX512F__)
constexpr int MR = 8;
#elif defined(__AVX2__)
constexpr int MR = 6;
#else
constexpr int MR = 4;
#endif

/// Offset of a column from the first one of its row.
constexpr int64_t column(int64_t col) { return (col >> 4) * 256 + (col & 15); }

template <int Rows>
TTK_INLINE void multiplyBlock(const float *a, const float *b, float *c,
                              bool accumulate) {
  vf sum[Rows][NV];
#pragma GCC unroll 16
  for (int i = 0; i < Rows; ++i)
#pragma GCC unroll 4
    for (int v = 0; v < NV; ++v)
      sum[i][v] = accumulate ? load<vf>(c + i * 16 + column(v * VF)) : vf{};
  // K 0-15 are in one face of each operand, 16-31 in the next.
  for (int half = 0; half < 2; ++half, a += 256, b += 512)
    for (int p = 0; p < 16; ++p) {
      vf line[NV];
#pragma GCC unroll 4
      for (int v = 0; v < NV; ++v)
        line[v] = load<vf>(b + p * 16 + column(v * VF));
#pragma GCC unroll 16
      for (int i = 0; i < Rows; ++i) {
        vf broadcast = splat(a[i * 16 + p]);
#pragma GCC unroll 4
        for (int v = 0; v < NV; ++v)
          sum[i][v] += broadcast * line[v];
      }
    }
#pragma GCC unroll 16
  for (int i = 0; i < Rows; ++i)
#pragma GCC unroll 4
    for (int v = 0; v < NV; ++v)
      store(c + i * 16 + column(v * VF), sum[i][v]);
}

void multiplyTiles(const float *a, const float *b, float *c, bool accumulate) {
  for (int64_t col = 0; col < 32; col += NV * VF)
    for (int64_t face = 0; face < 2; ++face) {
      const float *left = a + face * 512;
      const float *right = b + column(col);
      float *out = c + face * 512 + column(col);
      int row = 0;
      for (; row + MR <= 16; row += MR)
        multiplyBlock<MR>(left + row * 16, right, out + row * 16, accumulate);
      if constexpr (16 % MR != 0)
        multiplyBlock<16 % MR>(left + row * 16, right, out + row * 16,
                               accumulate);
    }
}

} // namespace

void fillTileGemm(KernelTable &table) {
  table.multiplyTilesF32 = multiplyTiles;
  table.packTileBf16 = nullptr;
  table.multiplyTilesBf16 = nullptr;
}

} // namespace tt::runtime::numerics::TTK_ISA
