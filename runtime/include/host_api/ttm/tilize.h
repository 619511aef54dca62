// Row-major matrices, and 32x32 tiles with four faces of 16x16.
#ifndef TTM_TILIZE_H
#define TTM_TILIZE_H

#include "ttm/types.h"

#include <stdexcept>

namespace ttm {

/// Calls f(row-major index, tiled index) for all elements of consecutive
/// matrices of rows x columns.
template <typename F>
void forTiled(std::size_t size, std::uint32_t rows, std::uint32_t columns,
              const F &f) {
  using namespace tt::constants;
  if (!rows || !columns || rows % TILE_HEIGHT || columns % TILE_WIDTH ||
      size % (std::size_t(rows) * columns))
    throw std::runtime_error(
        "expected matrices of whole tiles of 32x32, found " +
        std::to_string(size) + " elements in matrices of " +
        std::to_string(rows) + "x" + std::to_string(columns));
  const std::size_t all = std::size_t(rows) * columns;
  for (std::size_t i = 0; i < size; ++i) {
    const std::size_t row = i % all / columns, column = i % columns;
    const std::size_t tile =
        row / TILE_HEIGHT * (columns / TILE_WIDTH) + column / TILE_WIDTH;
    const std::size_t face =
        row % TILE_HEIGHT / FACE_HEIGHT * 2 + column % TILE_WIDTH / FACE_WIDTH;
    f(i, i / all * all + tile * TILE_HW + face * FACE_HW +
             row % FACE_HEIGHT * FACE_WIDTH + column % FACE_WIDTH);
  }
}

} // namespace ttm

template <typename T>
std::vector<T> tilize_nfaces(const std::vector<T> &data, std::uint32_t rows,
                             std::uint32_t columns) {
  std::vector<T> tiles(data.size());
  ttm::forTiled(
      data.size(), rows, columns,
      [&](std::size_t row, std::size_t tile) { tiles[tile] = data[row]; });
  return tiles;
}
template <typename T>
std::vector<T> untilize_nfaces(const std::vector<T> &tiles, std::uint32_t rows,
                               std::uint32_t columns) {
  std::vector<T> data(tiles.size());
  ttm::forTiled(
      tiles.size(), rows, columns,
      [&](std::size_t row, std::size_t tile) { data[row] = tiles[tile]; });
  return data;
}

/// In-place versions, under the names of 2024.
template <typename T>
void tilize(std::vector<T> &data, std::uint32_t rows, std::uint32_t columns) {
  data = tilize_nfaces(data, rows, columns);
}
template <typename T>
void untilize(std::vector<T> &data, std::uint32_t rows, std::uint32_t columns) {
  data = untilize_nfaces(data, rows, columns);
}

#endif // TTM_TILIZE_H
