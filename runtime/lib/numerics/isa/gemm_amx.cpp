// The bf16 micro-kernel on the tiles of AMX: 32 x 32 sums in four tiles, of
// which each instruction adds 32 consecutive k.
#include "numerics/isa/pack_bf16.h"
#include "numerics/isa/tiles.h"

namespace tt::runtime::numerics::TTK_ISA {
namespace {

constexpr int MR = 32;
constexpr int kTileRows = 16, kTileBytes = 64;
constexpr int KGroup = 32; // k in a row of a tile

// Tiles 0 to 3 are sums: those of the upper 16 rows, left and right, then of
// the lower ones. 4 and 5 are rows of A, 6 and 7 columns of B.
TTK_INLINE TileConfig configOf(int upper, int lower) {
  TileConfig config;
  const int rows[8] = {upper, upper, lower,     lower,
                       upper, lower, kTileRows, kTileRows};
  for (int tile = 0; tile < 8; ++tile)
    if (rows[tile]) {
      config.rows[tile] = uint8_t(rows[tile]);
      config.rowBytes[tile] = kTileBytes;
    }
  return config;
}

template <typename Tiles, bool Lower>
TTK_INLINE void microKernel(const uint16_t *a, const uint16_t *b, float *c,
                            int64_t cStride, int64_t k, bool accumulate) {
  const int64_t cBytes = cStride * 4, aBytes = kStrideA * 2, bBytes = NR * 4;
  float *below = c + kTileRows * cStride;
  if (accumulate) {
    Tiles::template load<0>(c, cBytes);
    Tiles::template load<1>(c + 16, cBytes);
    if constexpr (Lower) {
      Tiles::template load<2>(below, cBytes);
      Tiles::template load<3>(below + 16, cBytes);
    }
  } else {
    Tiles::template zero<0>();
    Tiles::template zero<1>();
    if constexpr (Lower) {
      Tiles::template zero<2>();
      Tiles::template zero<3>();
    }
  }
  for (int64_t p = 0; p < k; p += KGroup) {
    Tiles::template load<6>(b + p * NR, bBytes);
    Tiles::template load<7>(b + p * NR + 32, bBytes);
    Tiles::template load<4>(a + p, aBytes);
    Tiles::template multiply<0, 4, 6>();
    Tiles::template multiply<1, 4, 7>();
    if constexpr (Lower) {
      Tiles::template load<5>(a + kTileRows * kStrideA + p, aBytes);
      Tiles::template multiply<2, 5, 6>();
      Tiles::template multiply<3, 5, 7>();
    }
  }
  Tiles::template store<0>(c, cBytes);
  Tiles::template store<1>(c + 16, cBytes);
  if constexpr (Lower) {
    Tiles::template store<2>(below, cBytes);
    Tiles::template store<3>(below + 16, cBytes);
  }
}

template <typename Tiles>
void kernel(const void *a, const void *b, float *c, int64_t cStride,
            int64_t rows, int64_t k, bool accumulate) {
  const int upper = rows < kTileRows ? int(rows) : kTileRows;
  const TileConfig config = configOf(upper, int(rows) - upper);
  const auto *left = static_cast<const uint16_t *>(a);
  const auto *right = static_cast<const uint16_t *>(b);
  Tiles::configure(config);
  if (rows > kTileRows)
    microKernel<Tiles, true>(left, right, c, cStride, k, accumulate);
  else
    microKernel<Tiles, false>(left, right, c, cStride, k, accumulate);
  Tiles::release();
}

} // namespace

void fillAmxGemm(KernelTable &table) {
  fillPacking<KGroup>(table.gemmBf16, MR);
  table.gemmBf16.kernel = kernel<HostTiles>;
}

void fillEmulatedAmxGemm(KernelTable &table) {
  fillPacking<KGroup>(table.gemmBf16, MR);
  table.gemmBf16.kernel = kernel<EmulatedTiles>;
}

} // namespace tt::runtime::numerics::TTK_ISA
