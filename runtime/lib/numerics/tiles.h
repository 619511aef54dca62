// Tile layout: row-major blocks to 32x32 tiles of four 16x16 faces and back.
//
// A block has `rows` x `cols` valid elements at `rowStride` elements from row
// to row. It covers ceil(rows/32) x ceil(cols/32) tiles in row-major order; the
// elements of a tile beyond the block are padding. Calls spread tile rows over
// the thread pool when there are enough of them.
#ifndef TT_RUNTIME_NUMERICS_TILES_H
#define TT_RUNTIME_NUMERICS_TILES_H

#include "numerics/formats.h"

#include <cstdint>

namespace tt::runtime::numerics {

/// Where the tiles of a block lie: tile i (row-major over the block's tiles) at
/// `pages[i]` if `pages` is set, else at `base + i * stride` bytes, where a
/// stride of 0 means tileBytes(type).
struct TilesOut {
  void *base = nullptr;
  int64_t stride = 0;
  void *const *pages = nullptr;
};
struct TilesIn {
  const void *base = nullptr;
  int64_t stride = 0;
  const void *const *pages = nullptr;
};

/// Tiles needed for `extent` rows or columns.
constexpr int64_t tilesFor(int64_t extent) {
  return (extent + kTileDim - 1) / kTileDim;
}

/// Row-major elements of a plain `type` into tiles of the same type. Padding
/// holds `fill` converted to the type (integers saturate).
void tilize(DType type, const void *source, int64_t rows, int64_t cols,
            int64_t rowStride, TilesOut tiles, float fill = 0.0f);

/// Tiles of a plain `type` into row-major elements; padding is dropped, and
/// memory between the rows is not touched.
void untilize(DType type, TilesIn tiles, void *target, int64_t rows,
              int64_t cols, int64_t rowStride);

/// Row-major elements of the plain `sourceType` into tiles of any `tileType`,
/// block floats included, with one rounding.
void tilizeConvert(DType sourceType, const void *source, int64_t rows,
                   int64_t cols, int64_t rowStride, DType tileType,
                   TilesOut tiles, float fill = 0.0f,
                   Rounding rounding = Rounding::Host);

/// Tiles of any `tileType` into row-major elements of the plain `targetType`.
void untilizeConvert(DType tileType, TilesIn tiles, DType targetType,
                     void *target, int64_t rows, int64_t cols,
                     int64_t rowStride, Rounding rounding = Rounding::Host);

/// Shorthands for f32 rows.
inline void tilizeFromF32(const float *source, int64_t rows, int64_t cols,
                          int64_t rowStride, DType tileType, TilesOut tiles,
                          float fill = 0.0f,
                          Rounding rounding = Rounding::Host) {
  tilizeConvert(DType::F32, source, rows, cols, rowStride, tileType, tiles,
                fill, rounding);
}
inline void untilizeToF32(DType tileType, TilesIn tiles, float *target,
                          int64_t rows, int64_t cols, int64_t rowStride,
                          Rounding rounding = Rounding::Host) {
  untilizeConvert(tileType, tiles, DType::F32, target, rows, cols, rowStride,
                  rounding);
}

/// `count` tiles from any type to any type (typecast in tile layout).
void convertTiles(DType sourceType, TilesIn source, DType targetType,
                  TilesOut target, int64_t count,
                  Rounding rounding = Rounding::Host);

/// Overwrites the padding of a block's tiles (any type) with `fill`; block
/// floats are requantized with `rounding` in the tiles that have padding.
void fillPadding(DType type, TilesOut tiles, int64_t rows, int64_t cols,
                 float fill, Rounding rounding = Rounding::Host);

} // namespace tt::runtime::numerics

#endif // TT_RUNTIME_NUMERICS_TILES_H
