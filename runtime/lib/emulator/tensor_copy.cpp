#include "emulator/tensor_copy.h"

#include "numerics/parallel.h"
#include "numerics/stream.h"
#include "numerics/tiles.h"

#include <algorithm>
#include <cstring>

namespace tt::runtime::emulator {

using numerics::DType;
using numerics::grainFor;
using numerics::kTileDim;
using numerics::parallelFor;
using numerics::Rounding;

namespace {

/// Addresses of the tiles [ty0, ty0 + ny) x [tx0, tx0 + nx).
template <typename Pointer>
void tilePages(const View &view, std::int64_t ty0, std::int64_t ny,
               std::int64_t tx0, std::int64_t nx, std::vector<Pointer> &pages) {
  pages.clear();
  for (std::int64_t ty = ty0; ty < ty0 + ny; ++ty)
    for (std::int64_t tx = tx0; tx < tx0 + nx; ++tx)
      pages.push_back(view.tile(ty, tx));
}

/// How bytes are copied of a tensor that takes `all`.
using Copy = void (*)(void *to, const void *from, std::size_t bytes);
Copy copyFor(std::int64_t all) {
  if (all >= numerics::kStreamedBytes)
    return numerics::copyStreamed;
  return [](void *to, const void *from, std::size_t bytes) {
    std::memcpy(to, from, bytes);
  };
}

void convertOrCopy(DType fromType, const void *from, DType toType, void *to,
                   std::int64_t count, Rounding rounding,
                   Copy copy = copyFor(0)) {
  if (fromType == toType)
    copy(to, from, std::size_t(count * numerics::elementSize(fromType)));
  else
    numerics::convert(fromType, from, toType, to, count, rounding);
}

/// One physical row between row-major layouts, cut where either has a shard
/// end.
void copyRow(const View &from, std::int64_t fromRow, const View &to,
             std::int64_t toRow, Rounding rounding, Copy copy = copyFor(0)) {
  for (std::int64_t col = 0; col < to.layout->cols;) {
    const std::int64_t count =
        std::min(from.run(fromRow, col), to.run(toRow, col));
    convertOrCopy(from.layout->type, from.element(fromRow, col),
                  to.layout->type, to.element(toRow, col), count, rounding,
                  copy);
    col += count;
  }
}

void copyRows(const View &from, const View &to, Rounding rounding) {
  const Layout &l = *to.layout;
  const Copy copy = copyFor(l.rows * l.cols * l.elementSize());
  parallelFor(0, l.rows, grainFor(l.cols * l.elementSize()),
              [&](std::int64_t first, std::int64_t last) {
                for (std::int64_t row = first; row < last; ++row)
                  copyRow(from, row, to, row, rounding, copy);
                numerics::endStreams();
              });
}

void copyTiles(const View &from, const View &to, Rounding rounding) {
  const Layout &l = *to.layout;
  const bool same = from.layout->type == l.type;
  const std::int64_t bytes = numerics::tileBytes(l.type);
  parallelFor(0, l.tileRows, grainFor(l.tileCols * bytes),
              [&](std::int64_t first, std::int64_t last) {
                std::vector<const void *> sources;
                std::vector<void *> targets;
                for (std::int64_t ty = first; ty < last; ++ty) {
                  if (same) {
                    for (std::int64_t tx = 0; tx < l.tileCols; ++tx)
                      std::memcpy(to.tile(ty, tx), from.tile(ty, tx),
                                  std::size_t(bytes));
                    continue;
                  }
                  tilePages(from, ty, 1, 0, l.tileCols, sources);
                  tilePages(to, ty, 1, 0, l.tileCols, targets);
                  numerics::convertTiles(
                      from.layout->type, {nullptr, 0, sources.data()}, l.type,
                      {nullptr, 0, targets.data()}, l.tileCols, rounding);
                }
              });
}

/// Copies whole pages or shards between layouts that agree in everything.
void copyPages(const View &from, const View &to) {
  const Layout &l = *to.layout;
  if (l.placement == Placement::Sharded) {
    parallelFor(0, l.shardsY * l.shardsX, grainFor(l.shardBytes),
                [&](std::int64_t first, std::int64_t last) {
                  for (std::int64_t i = first; i < last; ++i)
                    std::memcpy(to.shard(i), from.shard(i),
                                std::size_t(l.shardBytes));
                });
    return;
  }
  const std::int64_t pages = l.tiled ? l.tileRows * l.tileCols : l.rows;
  const Copy copy = copyFor(pages * l.pageBytes);
  parallelFor(0, pages, grainFor(l.pageBytes),
              [&](std::int64_t first, std::int64_t last) {
                for (std::int64_t i = first; i < last; ++i)
                  copy(to.page(i), from.page(i), std::size_t(l.pageBytes));
                numerics::endStreams();
              });
}

/// Elements between the starts of rows of one block in a scratch matrix.
struct RowBlock {
  std::byte *data;
  std::int64_t stride;
};

/// The rows [row, row + rows) of a row-major layout: in place if they follow
/// each other at one distance, else gathered into `scratch`.
RowBlock gatherRows(const View &from, std::int64_t row, std::int64_t rows,
                    std::vector<std::byte> &scratch) {
  const Layout &l = *from.layout;
  std::int64_t stride;
  if (from.strided(&stride))
    return {from.element(row, 0), stride};
  const std::int64_t bytes = l.cols * l.elementSize();
  scratch.resize(std::size_t(rows * bytes));
  for (std::int64_t r = 0; r < rows; ++r)
    for (std::int64_t col = 0; col < l.cols;) {
      const std::int64_t count = from.run(row + r, col);
      std::memcpy(scratch.data() + r * bytes + col * l.elementSize(),
                  from.element(row + r, col),
                  std::size_t(count * l.elementSize()));
      col += count;
    }
  return {scratch.data(), l.cols};
}

void scatterRows(const View &to, std::int64_t row, std::int64_t rows,
                 const std::byte *source) {
  const Layout &l = *to.layout;
  const std::int64_t bytes = l.cols * l.elementSize();
  for (std::int64_t r = 0; r < rows; ++r)
    for (std::int64_t col = 0; col < l.cols;) {
      const std::int64_t count = to.run(row + r, col);
      std::memcpy(to.element(row + r, col),
                  source + r * bytes + col * l.elementSize(),
                  std::size_t(count * l.elementSize()));
      col += count;
    }
}

/// Writes a block of a matrix into tiles; `row` and `col` are multiples of 32.
void writeTiles(const View &to, std::int64_t row, std::int64_t rows,
                std::int64_t col, std::int64_t cols, DType type,
                const void *source, std::int64_t stride, Rounding rounding,
                std::vector<void *> &pages) {
  const Layout &l = *to.layout;
  tilePages(to, row / kTileDim, numerics::tilesFor(rows), col / kTileDim,
            numerics::tilesFor(cols), pages);
  const numerics::TilesOut tiles{nullptr, 0, pages.data()};
  if (type == l.type)
    numerics::tilize(type, source, rows, cols, stride, tiles, l.padding);
  else
    numerics::tilizeConvert(type, source, rows, cols, stride, l.type, tiles,
                            l.padding, rounding);
}

/// Writes whole rows.
void writeTileRows(const View &to, std::int64_t row, std::int64_t rows,
                   DType type, const void *source, std::int64_t stride,
                   Rounding rounding, std::vector<void *> &pages) {
  writeTiles(to, row, rows, 0, to.layout->cols, type, source, stride, rounding,
             pages);
}

void readTileRows(const View &from, std::int64_t row, std::int64_t rows,
                  std::int64_t col, std::int64_t cols, DType type, void *target,
                  std::int64_t stride, Rounding rounding,
                  std::vector<const void *> &pages) {
  const Layout &l = *from.layout;
  tilePages(from, row / kTileDim, numerics::tilesFor(rows), col / kTileDim,
            numerics::tilesFor(cols), pages);
  const numerics::TilesIn tiles{nullptr, 0, pages.data()};
  if (type == l.type)
    numerics::untilize(type, tiles, target, rows, cols, stride);
  else
    numerics::untilizeConvert(l.type, tiles, type, target, rows, cols, stride,
                              rounding);
}

/// Loops over the tile rows of `l`: body(first row, number of rows).
template <typename Body>
void forTileRows(const Layout &l, DType plain, Body &&body) {
  const std::int64_t bytes = l.cols * kTileDim * numerics::elementSize(plain);
  parallelFor(0, numerics::tilesFor(l.rows), grainFor(bytes),
              [&](std::int64_t first, std::int64_t last) {
                auto state = body.makeState();
                for (std::int64_t ty = first; ty < last; ++ty)
                  body(state, ty * kTileDim,
                       std::min(kTileDim, l.rows - ty * kTileDim));
              });
}

struct TilizeBody {
  const View &from, &to;
  Rounding rounding;
  struct State {
    std::vector<std::byte> scratch;
    std::vector<void *> pages;
  };
  State makeState() const { return {}; }
  void operator()(State &state, std::int64_t row, std::int64_t rows) const {
    const RowBlock block = gatherRows(from, row, rows, state.scratch);
    writeTileRows(to, row, rows, from.layout->type, block.data, block.stride,
                  rounding, state.pages);
  }
};

struct UntilizeBody {
  const View &from, &to;
  Rounding rounding;
  struct State {
    std::vector<std::byte> scratch;
    std::vector<const void *> pages;
  };
  State makeState() const { return {}; }
  void operator()(State &state, std::int64_t row, std::int64_t rows) const {
    const Layout &l = *to.layout;
    std::int64_t stride;
    if (to.strided(&stride)) {
      readTileRows(from, row, rows, 0, l.cols, l.type, to.element(row, 0),
                   stride, rounding, state.pages);
      return;
    }
    state.scratch.resize(std::size_t(rows * l.cols * l.elementSize()));
    readTileRows(from, row, rows, 0, l.cols, l.type, state.scratch.data(),
                 l.cols, rounding, state.pages);
    scatterRows(to, row, rows, state.scratch.data());
  }
};

/// Tiles to block floats without the padding of the source, which would share
/// exponents with elements.
struct RequantizeBody {
  const View &from, &to;
  Rounding rounding;
  struct State {
    std::vector<std::byte> rows;
    std::vector<const void *> sources;
    std::vector<void *> targets;
  };
  State makeState() const { return {}; }
  void operator()(State &state, std::int64_t row, std::int64_t rows) const {
    const Layout &l = *from.layout;
    const DType type = plainType(l.type);
    state.rows.resize(std::size_t(rows * l.cols * numerics::elementSize(type)));
    readTileRows(from, row, rows, 0, l.cols, type, state.rows.data(), l.cols,
                 rounding, state.sources);
    writeTileRows(to, row, rows, type, state.rows.data(), l.cols, rounding,
                  state.targets);
  }
};

/// Between layouts whose physical rows correspond.
void copyPhysical(const View &from, const View &to, Rounding rounding) {
  const Layout &a = *from.layout, &b = *to.layout;
  if (a.samePages(b) && b.placement != Placement::Linear)
    return copyPages(from, to);
  if (!a.tiled && !b.tiled)
    return copyRows(from, to, rounding);
  if (a.tiled && b.tiled && a.type != b.type &&
      numerics::isBlockFloat(b.type) && b.cols % numerics::kFaceDim != 0)
    return forTileRows(b, plainType(a.type),
                       RequantizeBody{from, to, rounding});
  if (a.tiled && b.tiled)
    return copyTiles(from, to, rounding);
  if (b.tiled)
    return forTileRows(b, a.type, TilizeBody{from, to, rounding});
  forTileRows(a, b.type, UntilizeBody{from, to, rounding});
}

/// Physical row of `from` that holds what row `row` of `to` holds; -1 where the
/// strides of `to` leave a hole.
std::int64_t sourceRow(const View &from, const View &to, std::int64_t row) {
  const std::int64_t logical = to.layout->logicalRow(row);
  return logical < 0 ? -1 : from.layout->physicalRow(logical);
}

/// Row-major to tiles whose physical rows differ: gathers the rows of each row
/// of tiles, with padding in the gaps.
struct TilizeSparseBody {
  const View &from, &to;
  Rounding rounding;
  struct State {
    std::vector<std::byte> rows, scratch, hole;
    std::vector<void *> pages;
  };
  State makeState() const {
    const Layout &l = *from.layout;
    State state;
    state.rows.resize(std::size_t(kTileDim * l.cols * l.elementSize()));
    state.hole.resize(std::size_t(l.cols * l.elementSize()));
    const std::vector<float> padding(std::size_t(l.cols), to.layout->padding);
    convertOrCopy(DType::F32, padding.data(), l.type, state.hole.data(), l.cols,
                  rounding);
    return state;
  }
  void operator()(State &state, std::int64_t row, std::int64_t rows) const {
    const Layout &l = *from.layout;
    for (std::int64_t r = 0; r < rows; ++r) {
      const std::int64_t source = sourceRow(from, to, row + r);
      std::memcpy(state.rows.data() + std::size_t(r) * state.hole.size(),
                  source < 0 ? state.hole.data()
                             : gatherRows(from, source, 1, state.scratch).data,
                  state.hole.size());
    }
    writeTileRows(to, row, rows, l.type, state.rows.data(), l.cols, rounding,
                  state.pages);
  }
};

/// Tiles to row-major rows that are others: scatters each row of tiles.
struct UntilizeSparseBody {
  const View &from, &to;
  Rounding rounding;
  struct State {
    std::vector<std::byte> rows;
    std::vector<const void *> pages;
  };
  State makeState() const {
    const Layout &l = *to.layout;
    State state;
    state.rows.resize(std::size_t(kTileDim * l.cols * l.elementSize()));
    return state;
  }
  void operator()(State &state, std::int64_t row, std::int64_t rows) const {
    const Layout &l = *to.layout;
    readTileRows(from, row, rows, 0, l.cols, l.type, state.rows.data(), l.cols,
                 rounding, state.pages);
    for (std::int64_t r = 0; r < rows; ++r) {
      const std::int64_t target = sourceRow(to, from, row + r);
      if (target >= 0)
        scatterRows(to, target, 1,
                    state.rows.data() + r * l.cols * l.elementSize());
    }
  }
};

/// Between layouts whose physical rows differ.
void copySparse(const View &from, const View &to, Rounding rounding) {
  const Layout &a = *from.layout, &b = *to.layout;
  if (a.tiled && b.tiled) {
    const Layout host = hostLayout(a.shape, plainType(a.type));
    const auto rows = allocateHost(host.bankBytes);
    const View dense{&host, static_cast<std::byte *>(rows.get()), 0};
    copyTensor(from, dense, rounding);
    copyTensor(dense, to, rounding);
    return;
  }
  if (b.tiled)
    return forTileRows(b, a.type, TilizeSparseBody{from, to, rounding});
  if (a.tiled)
    return forTileRows(a, b.type, UntilizeSparseBody{from, to, rounding});
  parallelFor(0, b.rows, grainFor(b.cols * b.elementSize()),
              [&](std::int64_t first, std::int64_t last) {
                for (std::int64_t row = first; row < last; ++row)
                  if (const std::int64_t source = sourceRow(from, to, row);
                      source >= 0)
                    copyRow(from, source, to, row, rounding);
              });
}

} // namespace

void copyTensor(const View &from, const View &to, Rounding rounding) {
  const Layout &a = *from.layout, &b = *to.layout;
  if ((a.dense && b.dense) || a.stride == b.stride)
    copyPhysical(from, to, rounding);
  else
    copySparse(from, to, rounding);
}

void fillZero(const View &to) {
  const Layout &l = *to.layout;
  if (l.placement == Placement::Linear) {
    for (std::int64_t i = 0; i < l.banks; ++i)
      std::memset(to.base + i * to.spacing, 0, std::size_t(l.bankBytes));
    return;
  }
  const bool sharded = l.placement == Placement::Sharded;
  const std::int64_t bytes = sharded ? l.shardBytes : l.pageBytes;
  const std::int64_t count = sharded   ? l.shardsY * l.shardsX
                             : l.tiled ? l.tileRows * l.tileCols
                                       : l.rows;
  parallelFor(0, count, grainFor(bytes),
              [&](std::int64_t first, std::int64_t last) {
                for (std::int64_t i = first; i < last; ++i)
                  std::memset(sharded ? to.shard(i) : to.page(i), 0,
                              std::size_t(bytes));
              });
}

void readBlock(const View &from, std::int64_t row, std::int64_t rows,
               std::int64_t col, std::int64_t cols, DType type, void *target,
               std::int64_t stride) {
  const Layout &l = *from.layout;
  if (l.tiled) {
    thread_local std::vector<const void *> pages;
    readTileRows(from, row, rows, col, cols, type, target, stride,
                 Rounding::Host, pages);
    return;
  }
  const std::int64_t size = numerics::elementSize(type);
  for (std::int64_t r = 0; r < rows; ++r)
    for (std::int64_t c = 0; c < cols;) {
      const std::int64_t count = std::min(from.run(row + r, col + c), cols - c);
      convertOrCopy(l.type, from.element(row + r, col + c), type,
                    static_cast<std::byte *>(target) + (r * stride + c) * size,
                    count, Rounding::Host);
      c += count;
    }
}

void writeBlock(const View &to, std::int64_t row, std::int64_t rows,
                std::int64_t col, std::int64_t cols, DType type,
                const void *source, std::int64_t stride, Rounding rounding) {
  const Layout &l = *to.layout;
  if (l.tiled) {
    thread_local std::vector<void *> pages;
    writeTiles(to, row, rows, col, cols, type, source, stride, rounding, pages);
    return;
  }
  const std::int64_t size = numerics::elementSize(type);
  for (std::int64_t r = 0; r < rows; ++r)
    for (std::int64_t c = 0; c < cols;) {
      const std::int64_t count = std::min(to.run(row + r, col + c), cols - c);
      convertOrCopy(type,
                    static_cast<const std::byte *>(source) +
                        (r * stride + c) * size,
                    l.type, to.element(row + r, col + c), count, rounding);
      c += count;
    }
}

} // namespace tt::runtime::emulator
