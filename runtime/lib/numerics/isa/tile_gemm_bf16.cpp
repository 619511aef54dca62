// Products of 32x32 bf16 tiles on vdpbf16ps. The left operand is used where it
// lies, since pairs along k are neighbours; the right one has its pairs of rows
// interleaved.
#include "numerics/isa/simd.h"
#include "numerics/isa/table.h"

namespace tt::runtime::numerics::TTK_ISA {
namespace {

constexpr int MR = 8;
using vs = uint16_t __attribute__((vector_size(64)));

/// Vector (k / 2, half) holds 16 columns of rows k and k + 1.
void pack(const uint16_t *tile, uint16_t mask, uint16_t *packed) {
  const vs keep = mask - vs{};
  for (int half = 0; half < 2; ++half)
    for (int pair = 0; pair < 8; ++pair)
      for (int side = 0; side < 2; ++side) {
        vs rows = load<vs>(tile + (half * 2 + side) * 256 + pair * 32) & keep;
        vs mixed = __builtin_shufflevector(
            rows, rows, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23,
            8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
        store(packed, mixed);
        packed += 32;
      }
}

TTK_INLINE void multiplyBlock(const uint16_t *a, const uint16_t *b, float *c,
                              bool accumulate) {
  __m512 sum[MR][2];
#pragma GCC unroll 16
  for (int i = 0; i < MR; ++i)
#pragma GCC unroll 4
    for (int v = 0; v < 2; ++v)
      sum[i][v] = accumulate ? _mm512_loadu_ps(c + i * 16 + v * 256)
                             : _mm512_setzero_ps();
  for (int half = 0; half < 2; ++half, a += 256)
    for (int pair = 0; pair < 8; ++pair, b += 64) {
      __m512i line[2] = {_mm512_loadu_si512(b), _mm512_loadu_si512(b + 32)};
#pragma GCC unroll 16
      for (int i = 0; i < MR; ++i) {
        int32_t two;
        __builtin_memcpy(&two, a + i * 16 + pair * 2, 4);
        __m512i broadcast = _mm512_set1_epi32(two);
#pragma GCC unroll 4
        for (int v = 0; v < 2; ++v)
          sum[i][v] = _mm512_dpbf16_ps(sum[i][v], (__m512bh)line[v],
                                       (__m512bh)broadcast);
      }
    }
#pragma GCC unroll 16
  for (int i = 0; i < MR; ++i)
#pragma GCC unroll 4
    for (int v = 0; v < 2; ++v)
      _mm512_storeu_ps(c + i * 16 + v * 256, sum[i][v]);
}

void multiplyTiles(const uint16_t *a, const uint16_t *packedB, float *c,
                   bool accumulate) {
  for (int face = 0; face < 2; ++face)
    for (int row = 0; row < 16; row += MR)
      multiplyBlock(a + face * 512 + row * 16, packedB,
                    c + face * 512 + row * 16, accumulate);
}

} // namespace

void fillBf16TileGemm(KernelTable &table) {
  table.packTileBf16 = pack;
  table.multiplyTilesBf16 = multiplyTiles;
}

} // namespace tt::runtime::numerics::TTK_ISA
