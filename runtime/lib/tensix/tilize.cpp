// Rows of a circular buffer to tiles of another one, and back.
//
// A block is 32 rows of 32 * tiles elements. Its rows follow each other without
// a gap; where a page of the row-major buffer is a row, they are a page apart.
#include "numerics/tiles.h"
#include "tensix/engine.h"

#include <vector>

namespace tt::runtime::tensix {

using numerics::kTileDim;

namespace {

/// Elements from row to row.
std::int64_t rowStride(ComputeContext &context, const CbFormat &cb,
                       std::int64_t cols) {
  const std::int64_t size = numerics::elementSize(cb.type);
  if (size == 0)
    faultFormat(context, "rows", "a plain element type",
                numerics::dtypeName(cb.type));
  const bool rows = !cb.tiled && cb.pageBytes != numerics::tileBytes(cb.type) &&
                    cb.pageBytes >= cols * size && cb.pageBytes % size == 0;
  return rows ? cb.pageBytes / size : cols;
}

std::int64_t checkedTiles(ComputeContext &context, std::uint64_t tiles) {
  constexpr std::uint64_t kMost = 1 << 16;
  if (tiles == 0 || tiles > kMost)
    context.access.fault(ComputeFault::Operand,
                         "expected a block of 1 to 65536 tiles, found " +
                             std::to_string(tiles));
  return std::int64_t(tiles);
}

std::uint64_t rowBytes(const CbFormat &cb, std::int64_t cols,
                       std::int64_t stride) {
  return std::uint64_t(((kTileDim - 1) * stride + cols) *
                       numerics::elementSize(cb.type));
}

/// Unpacker and packer change the format, but do not convert integers to
/// floats.
void requireOneKind(ComputeContext &context, const char *what,
                    const CbFormat &in, const CbFormat &out) {
  if (numerics::isFloat(in.type) != numerics::isFloat(out.type))
    faultFormat(context, what, "both floats or both integers",
                std::string(numerics::dtypeName(in.type)) + " and " +
                    numerics::dtypeName(out.type));
}

void tilizeBlock(ComputeContext &context, const std::uint64_t *operands) {
  const CbFormat &in = format(context, operands[0]);
  const CbFormat &out = format(context, operands[2]);
  requireOneKind(context, "tilize", in, out);
  const std::int64_t tiles = checkedTiles(context, operands[1]);
  const std::int64_t cols = tiles * kTileDim;
  const std::int64_t stride = rowStride(context, in, cols);
  const std::byte *from = context.access.front(std::uint32_t(operands[0]), 0,
                                               rowBytes(in, cols, stride));
  std::byte *to = context.access.back(
      std::uint32_t(operands[2]), 0,
      std::uint64_t(tiles * numerics::tileBytes(out.type)), false);
  numerics::tilizeConvert(in.type, from, kTileDim, cols, stride, out.type, {to},
                          0.0f, packRounding(context));
}

void untilizeBlock(ComputeContext &context, const std::uint64_t *operands) {
  const CbFormat &in = format(context, operands[0]);
  const CbFormat &out = format(context, operands[2]);
  requireOneKind(context, "untilize", in, out);
  const std::int64_t tiles = checkedTiles(context, operands[1]);
  const std::int64_t cols = tiles * kTileDim;
  const std::int64_t stride = rowStride(context, out, cols);
  const std::byte *from =
      context.access.front(std::uint32_t(operands[0]), 0,
                           std::uint64_t(tiles * numerics::tileBytes(in.type)));
  std::byte *to = context.access.back(std::uint32_t(operands[2]), 0,
                                      rowBytes(out, cols, stride), false);
  numerics::untilizeConvert(in.type, {from}, out.type, to, kTileDim, cols,
                            stride, packRounding(context));
}

/// A block of tiles that the packer untilizes.
struct RowBlock {
  std::int64_t rows, columns; // in tiles
  std::int64_t fullColumns;   // of a whole row
  std::int64_t first;         // column in a row

  std::int64_t tiles() const { return rows * columns; }
};

RowBlock checkedBlock(ComputeContext &context, std::uint64_t rows,
                      std::uint64_t index, std::uint64_t columns,
                      std::uint64_t fullColumns) {
  const RowBlock block{
      checkedTiles(context, rows), checkedTiles(context, columns),
      checkedTiles(context, fullColumns), checkedTiles(context, index + 1) - 1};
  checkedTiles(context, std::uint64_t(block.tiles()));
  if ((block.first + 1) * block.columns > block.fullColumns)
    context.access.fault(ComputeFault::Operand,
                         "expected a block within rows of " +
                             std::to_string(fullColumns) +
                             " tiles, found block " + std::to_string(index) +
                             " of " + std::to_string(columns) + " tiles");
  return {block.rows, block.columns, block.fullColumns,
          block.first * block.columns};
}

/// Writes 32 consecutive rows at `from`, of `columns` tiles each, to tile row
/// `row` of a block.
void writeRows(ComputeContext &context, std::uint64_t port,
               const RowBlock &block, std::int64_t row, std::int64_t column,
               std::int64_t columns, const std::byte *from) {
  const CbFormat &cb = format(context, port);
  const std::int64_t size = numerics::elementSize(cb.type);
  const std::int64_t stride =
      rowStride(context, cb, block.fullColumns * kTileDim);
  const std::int64_t bytes = columns * kTileDim * size;
  for (std::int64_t i = 0; i < kTileDim; ++i) {
    const std::int64_t offset =
        ((row * kTileDim + i) * stride + (block.first + column) * kTileDim) *
        size;
    std::memcpy(context.access.back(std::uint32_t(port), std::uint64_t(offset),
                                    std::uint64_t(bytes), false),
                from + i * bytes, std::size_t(bytes));
  }
}

void packUntilizeBlock(ComputeContext &context, const std::uint64_t *operands) {
  const CbFormat &in = format(context, operands[0]);
  const CbFormat &out = format(context, operands[2]);
  requireOneKind(context, "pack_untilize", in, out);
  const RowBlock block =
      checkedBlock(context, operands[1], operands[3], operands[4], operands[5]);
  rowStride(context, out, block.fullColumns * kTileDim);
  const std::int64_t cols = block.columns * kTileDim;
  const std::uint64_t tileRow =
      std::uint64_t(block.columns * numerics::tileBytes(in.type));
  std::vector<std::byte> rows(
      std::size_t(kTileDim * cols * numerics::elementSize(out.type)));
  for (std::int64_t row = 0; row < block.rows; ++row) {
    const std::byte *from = context.access.front(
        std::uint32_t(operands[0]), std::uint64_t(row) * tileRow, tileRow);
    numerics::untilizeConvert(in.type, {from}, out.type, rows.data(), kTileDim,
                              cols, cols, packRounding(context));
    writeRows(context, operands[2], block, row, 0, block.columns, rows.data());
  }
}

void packUntilizeDest(ComputeContext &context, const std::uint64_t *operands) {
  const CbFormat &out = format(context, operands[0]);
  const RowBlock block =
      checkedBlock(context, operands[1], operands[2], operands[3], operands[4]);
  rowStride(context, out, block.fullColumns * kTileDim);
  dstIndex(context, std::uint64_t(block.tiles()) - 1);
  alignas(64) std::byte tile[sizeof(TileBuffer)], rows[sizeof(TileBuffer)];
  for (std::int64_t i = 0; i < block.tiles(); ++i) {
    packTo(context, std::uint64_t(i), operands[0], tile);
    numerics::untilizeConvert(out.type, {tile}, out.type, rows, kTileDim,
                              kTileDim, kTileDim, packRounding(context));
    writeRows(context, operands[0], block, i / block.columns, i % block.columns,
              1, rows);
  }
}

} // namespace

Handler tilizeHandler(Opcode opcode) {
  constexpr Handler tilize_block = tilizeBlock;
  constexpr Handler untilize_block = untilizeBlock;
  constexpr Handler pack_untilize_block = packUntilizeBlock;
  constexpr Handler pack_untilize_dest = packUntilizeDest;
  switch (opcode) {
    TTMLIR_TILIZE_HANDLERS(TTMLIR_HANDLER_CASE)
  default:
    return nullptr;
  }
}

} // namespace tt::runtime::tensix
