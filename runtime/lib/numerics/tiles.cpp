#include "numerics/tiles.h"

#include "numerics/check.h"
#include "numerics/isa/table.h"
#include "numerics/parallel.h"

#include <algorithm>
#include <cstring>

namespace tt::runtime::numerics {
namespace {

/// Elements handled per task, at least.
constexpr int64_t kGrainElements = 1 << 15;
/// Tiles whose 32 rows are staged together while converting (L1 and L2 sized).
constexpr int64_t kStagedTiles = 8;

char *page(const TilesOut &tiles, int64_t index, int64_t bytes) {
  return tiles.pages ? static_cast<char *>(tiles.pages[index])
                     : static_cast<char *>(tiles.base) +
                           index * (tiles.stride ? tiles.stride : bytes);
}
const char *page(const TilesIn &tiles, int64_t index, int64_t bytes) {
  return tiles.pages ? static_cast<const char *>(tiles.pages[index])
                     : static_cast<const char *>(tiles.base) +
                           index * (tiles.stride ? tiles.stride : bytes);
}

/// Byte offset of face row `row` (0..31), half 0 or 1, in a plain tile.
template <int Size> constexpr int64_t faceRow(int64_t row, int64_t half) {
  return (((row >> 4) * 2 + half) * kFaceElements + (row & 15) * kFaceDim) *
         Size;
}

template <int Size>
void fillElements(char *target, const void *value, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    std::memcpy(target + i * Size, value, Size);
}

/// One tile from `rows` x `cols` (<= 32) elements at `source`.
template <int Size>
void tileFromRows(const char *source, int64_t rowBytes, int64_t rows,
                  int64_t cols, const void *fill, char *tile) {
  constexpr int64_t kRun = kFaceDim * Size;
  if (rows == kTileDim && cols == kTileDim) {
    for (int64_t row = 0; row < kTileDim; ++row) {
      std::memcpy(tile + faceRow<Size>(row, 0), source + row * rowBytes, kRun);
      std::memcpy(tile + faceRow<Size>(row, 1), source + row * rowBytes + kRun,
                  kRun);
    }
    return;
  }
  for (int64_t row = 0; row < kTileDim; ++row)
    for (int64_t half = 0; half < 2; ++half) {
      char *run = tile + faceRow<Size>(row, half);
      int64_t valid =
          row < rows ? std::clamp<int64_t>(cols - half * kFaceDim, 0, kFaceDim)
                     : 0;
      if (valid)
        std::memcpy(run, source + row * rowBytes + half * kRun, valid * Size);
      fillElements<Size>(run + valid * Size, fill, kFaceDim - valid);
    }
}

template <int Size>
void rowsFromTile(const char *tile, char *target, int64_t rowBytes,
                  int64_t rows, int64_t cols) {
  constexpr int64_t kRun = kFaceDim * Size;
  if (cols == kTileDim) {
    for (int64_t row = 0; row < rows; ++row) {
      std::memcpy(target + row * rowBytes, tile + faceRow<Size>(row, 0), kRun);
      std::memcpy(target + row * rowBytes + kRun, tile + faceRow<Size>(row, 1),
                  kRun);
    }
    return;
  }
  int64_t first = std::min(cols, kFaceDim);
  int64_t second = cols - first;
  for (int64_t row = 0; row < rows; ++row) {
    std::memcpy(target + row * rowBytes, tile + faceRow<Size>(row, 0),
                first * Size);
    if (second)
      std::memcpy(target + row * rowBytes + kRun, tile + faceRow<Size>(row, 1),
                  second * Size);
  }
}

/// `count` whole tiles side by side, row by row: rows are often a power of two
/// apart, so that a tile at a time would fight for few sets of the cache.
template <int Size>
void tilesFromRows(const char *source, int64_t rowBytes, char *const *tiles,
                   int64_t count) {
  constexpr int64_t kRun = kFaceDim * Size;
  for (int64_t row = 0; row < kTileDim; ++row)
    for (int64_t i = 0; i < count; ++i) {
      const char *from = source + row * rowBytes + 2 * i * kRun;
      std::memcpy(tiles[i] + faceRow<Size>(row, 0), from, kRun);
      std::memcpy(tiles[i] + faceRow<Size>(row, 1), from + kRun, kRun);
    }
}

/// The reverse, of their first `rows` rows.
template <int Size>
void rowsFromTiles(const char *const *tiles, int64_t count, char *target,
                   int64_t rowBytes, int64_t rows) {
  constexpr int64_t kRun = kFaceDim * Size;
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t i = 0; i < count; ++i) {
      char *to = target + row * rowBytes + 2 * i * kRun;
      std::memcpy(to, tiles[i] + faceRow<Size>(row, 0), kRun);
      std::memcpy(to + kRun, tiles[i] + faceRow<Size>(row, 1), kRun);
    }
}

void tilesFromRows(int64_t size, const char *source, int64_t rowBytes,
                   char *const *tiles, int64_t count) {
  if (size == 4)
    tilesFromRows<4>(source, rowBytes, tiles, count);
  else if (size == 2)
    tilesFromRows<2>(source, rowBytes, tiles, count);
  else
    tilesFromRows<1>(source, rowBytes, tiles, count);
}

void rowsFromTiles(int64_t size, const char *const *tiles, int64_t count,
                   char *target, int64_t rowBytes, int64_t rows) {
  if (size == 4)
    rowsFromTiles<4>(tiles, count, target, rowBytes, rows);
  else if (size == 2)
    rowsFromTiles<2>(tiles, count, target, rowBytes, rows);
  else
    rowsFromTiles<1>(tiles, count, target, rowBytes, rows);
}

void tileFromRows(int64_t size, const char *source, int64_t rowBytes,
                  int64_t rows, int64_t cols, const void *fill, char *tile) {
  if (size == 4)
    tileFromRows<4>(source, rowBytes, rows, cols, fill, tile);
  else if (size == 2)
    tileFromRows<2>(source, rowBytes, rows, cols, fill, tile);
  else
    tileFromRows<1>(source, rowBytes, rows, cols, fill, tile);
}

void rowsFromTile(int64_t size, const char *tile, char *target,
                  int64_t rowBytes, int64_t rows, int64_t cols) {
  if (size == 4)
    rowsFromTile<4>(tile, target, rowBytes, rows, cols);
  else if (size == 2)
    rowsFromTile<2>(tile, target, rowBytes, rows, cols);
  else
    rowsFromTile<1>(tile, target, rowBytes, rows, cols);
}

void checkBlock(const char *what, int64_t rows, int64_t cols,
                int64_t rowStride) {
  if (rows < 0 || cols < 0 || (rowStride < cols && rows > 1))
    fail(std::string(what) +
         ": expected rows, cols >= 0 and a row stride of at "
         "least cols, found rows " +
         std::to_string(rows) + ", cols " + std::to_string(cols) +
         ", row stride " + std::to_string(rowStride));
}

/// Calls body(tileRow, firstTileCol, lastTileCol, rowsValid) over the block in
/// spans of kStagedTiles columns, spread over the pool.
template <typename Body>
void forTileSpans(int64_t rows, int64_t cols, const Body &body) {
  int64_t tileRows = tilesFor(rows), tileCols = tilesFor(cols);
  int64_t spans = (tileCols + kStagedTiles - 1) / kStagedTiles;
  int64_t grain = std::max<int64_t>(
      1, kGrainElements /
             (kTileElements *
              std::min(kStagedTiles, std::max<int64_t>(1, tileCols))));
  parallelFor(0, tileRows * spans, grain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      int64_t tileRow = i / spans, first = (i % spans) * kStagedTiles;
      body(tileRow, first, std::min(first + kStagedTiles, tileCols),
           std::min(kTileDim, rows - tileRow * kTileDim));
    }
  });
}

} // namespace

void tilize(DType type, const void *source, int64_t rows, int64_t cols,
            int64_t rowStride, TilesOut tiles, float fill) {
  requirePlain("tilize", type);
  checkBlock("tilize", rows, cols, rowStride);
  int64_t size = elementSize(type), bytes = tileBytes(type);
  char fillBits[4];
  fromF32(type, &fill, fillBits, 1);
  int64_t tileCols = tilesFor(cols);
  const char *from = static_cast<const char *>(source);
  forTileSpans(
      rows, cols,
      [&](int64_t tileRow, int64_t first, int64_t last, int64_t valid) {
        const char *rowStart = from + tileRow * kTileDim * rowStride * size;
        char *whole[kStagedTiles];
        int64_t col = first, count = 0;
        while (valid == kTileDim && col < last && (col + 1) * kTileDim <= cols)
          whole[count++] = page(tiles, tileRow * tileCols + col++, bytes);
        tilesFromRows(size, rowStart + first * kTileDim * size,
                      rowStride * size, whole, count);
        for (; col < last; ++col)
          tileFromRows(size, rowStart + col * kTileDim * size, rowStride * size,
                       valid, std::min(kTileDim, cols - col * kTileDim),
                       fillBits, page(tiles, tileRow * tileCols + col, bytes));
      });
}

void untilize(DType type, TilesIn tiles, void *target, int64_t rows,
              int64_t cols, int64_t rowStride) {
  requirePlain("untilize", type);
  checkBlock("untilize", rows, cols, rowStride);
  int64_t size = elementSize(type), bytes = tileBytes(type);
  int64_t tileCols = tilesFor(cols);
  char *to = static_cast<char *>(target);
  forTileSpans(
      rows, cols,
      [&](int64_t tileRow, int64_t first, int64_t last, int64_t valid) {
        char *rowStart = to + tileRow * kTileDim * rowStride * size;
        const char *whole[kStagedTiles];
        int64_t col = first, count = 0;
        while (col < last && (col + 1) * kTileDim <= cols)
          whole[count++] = page(tiles, tileRow * tileCols + col++, bytes);
        rowsFromTiles(size, whole, count, rowStart + first * kTileDim * size,
                      rowStride * size, valid);
        for (; col < last; ++col)
          rowsFromTile(size, page(tiles, tileRow * tileCols + col, bytes),
                       rowStart + col * kTileDim * size, rowStride * size,
                       valid, std::min(kTileDim, cols - col * kTileDim));
      });
}

void tilizeConvert(DType sourceType, const void *source, int64_t rows,
                   int64_t cols, int64_t rowStride, DType tileType,
                   TilesOut tiles, float fill, Rounding rounding) {
  if (sourceType == tileType)
    return tilize(tileType, source, rows, cols, rowStride, tiles, fill);
  requirePlain("tilizeConvert", sourceType);
  checkBlock("tilizeConvert", rows, cols, rowStride);
  if (isBlockFloat(tileType) && rounding == Rounding::Unpacker)
    fail("tilizeConvert: expected host, packer or fast rounding for block "
         "floats, found unpacker");
  bool blocks = isBlockFloat(tileType);
  // Rows are staged in the tile type, or in f32 for block floats.
  DType stagedType = blocks ? DType::F32 : tileType;
  int64_t sourceSize = elementSize(sourceType);
  int64_t size = elementSize(stagedType), bytes = tileBytes(tileType);
  char fillBits[4];
  fromF32(stagedType, &fill, fillBits, 1, rounding);
  int64_t tileCols = tilesFor(cols);
  const KernelTable &table = kernelTable();
  const char *from = static_cast<const char *>(source);
  forTileSpans(
      rows, cols,
      [&](int64_t tileRow, int64_t first, int64_t last, int64_t valid) {
        alignas(64) char staged[kTileDim * kStagedTiles * kTileDim * 4];
        alignas(64) float face[kTileElements];
        int64_t stagedRow = kStagedTiles * kTileDim * size;
        int64_t col0 = first * kTileDim;
        int64_t width = std::min(last * kTileDim, cols) - col0;
        for (int64_t row = 0; row < valid; ++row)
          convert(sourceType,
                  from + ((tileRow * kTileDim + row) * rowStride + col0) *
                             sourceSize,
                  stagedType, staged + row * stagedRow, width, rounding);
        for (int64_t col = first; col < last; ++col) {
          char *tile = page(tiles, tileRow * tileCols + col, bytes);
          tileFromRows(size, staged + (col - first) * kTileDim * size,
                       stagedRow, valid,
                       std::min(kTileDim, cols - col * kTileDim), fillBits,
                       blocks ? reinterpret_cast<char *>(face) : tile);
          if (blocks)
            table.quantize(tileType, face, tile, 1, rounding);
        }
      });
}

void untilizeConvert(DType tileType, TilesIn tiles, DType targetType,
                     void *target, int64_t rows, int64_t cols,
                     int64_t rowStride, Rounding rounding) {
  if (tileType == targetType)
    return untilize(tileType, tiles, target, rows, cols, rowStride);
  requirePlain("untilizeConvert", targetType);
  checkBlock("untilizeConvert", rows, cols, rowStride);
  bool blocks = isBlockFloat(tileType);
  int64_t size = elementSize(targetType), bytes = tileBytes(tileType);
  int64_t tileCols = tilesFor(cols);
  const KernelTable &table = kernelTable();
  char *to = static_cast<char *>(target);
  forTileSpans(
      rows, cols,
      [&](int64_t tileRow, int64_t first, int64_t last, int64_t valid) {
        alignas(64) float face[kTileElements];
        alignas(64) char converted[kTileElements * 4];
        for (int64_t col = first; col < last; ++col) {
          const char *tile = page(tiles, tileRow * tileCols + col, bytes);
          if (blocks)
            table.dequantize(tileType, tile, face, 1, rounding);
          const char *ready = converted;
          if (blocks && targetType == DType::F32)
            ready = reinterpret_cast<const char *>(face);
          else
            convert(blocks ? DType::F32 : tileType,
                    blocks ? (const void *)face : tile, targetType, converted,
                    kTileElements, rounding);
          rowsFromTile(size, ready,
                       to + (tileRow * kTileDim * rowStride + col * kTileDim) *
                                size,
                       rowStride * size, valid,
                       std::min(kTileDim, cols - col * kTileDim));
        }
      });
}

void convertTiles(DType sourceType, TilesIn source, DType targetType,
                  TilesOut target, int64_t count, Rounding rounding) {
  if (isBlockFloat(targetType) && sourceType != targetType &&
      rounding == Rounding::Unpacker)
    fail("convertTiles: expected host, packer or fast rounding for block "
         "floats, found unpacker");
  int64_t sourceBytes = tileBytes(sourceType);
  int64_t targetBytes = tileBytes(targetType);
  const KernelTable &table = kernelTable();
  parallelFor(0, count, 32, [&](int64_t begin, int64_t end) {
    alignas(64) float face[kTileElements];
    for (int64_t i = begin; i < end; ++i) {
      const char *from = page(source, i, sourceBytes);
      char *to = page(target, i, targetBytes);
      if (sourceType == targetType) {
        std::memcpy(to, from, size_t(sourceBytes));
      } else if (!isBlockFloat(sourceType) && !isBlockFloat(targetType)) {
        convert(sourceType, from, targetType, to, kTileElements, rounding);
      } else {
        if (isBlockFloat(sourceType))
          table.dequantize(sourceType, from, face, 1, rounding);
        else
          table.toF32[int(sourceType)](from, face, kTileElements);
        if (isBlockFloat(targetType))
          table.quantize(targetType, face, to, 1, rounding);
        else
          table.fromF32[int(targetType)](face, to, kTileElements, rounding);
      }
    }
  });
}

void fillPadding(DType type, TilesOut tiles, int64_t rows, int64_t cols,
                 float fill, Rounding rounding) {
  checkBlock("fillPadding", rows, cols, cols);
  bool blocks = isBlockFloat(type);
  DType plain = blocks ? DType::F32 : type;
  int64_t size = elementSize(plain), bytes = tileBytes(type);
  char fillBits[4];
  fromF32(plain, &fill, fillBits, 1);
  int64_t tileCols = tilesFor(cols);
  const KernelTable &table = kernelTable();
  for (int64_t i = 0; i < tilesFor(rows) * tileCols; ++i) {
    int64_t valid = std::min(kTileDim, rows - i / tileCols * kTileDim);
    int64_t width = std::min(kTileDim, cols - i % tileCols * kTileDim);
    if (valid == kTileDim && width == kTileDim)
      continue;
    char *tile = page(tiles, i, bytes);
    alignas(64) float face[kTileElements];
    alignas(64) char flat[kTileElements * 4];
    char *data = tile;
    if (blocks) {
      table.dequantize(type, tile, face, 1, Rounding::Host);
      data = reinterpret_cast<char *>(face);
    }
    rowsFromTile(size, data, flat, kTileDim * size, valid, width);
    tileFromRows(size, flat, kTileDim * size, valid, width, fillBits, data);
    if (blocks)
      table.quantize(type, face, tile, 1, rounding);
  }
}

} // namespace tt::runtime::numerics
