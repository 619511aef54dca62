// Rows of a circular buffer to tiles of another one, and back.
//
// A block is 32 rows of 32 * tiles elements. Its rows follow each other without
// a gap; where a page of the row-major buffer is a row, they are a page apart.
#include "numerics/tiles.h"
#include "tensix/engine.h"

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

} // namespace

Handler tilizeHandler(Opcode opcode) {
  constexpr Handler tilize_block = tilizeBlock;
  constexpr Handler untilize_block = untilizeBlock;
  switch (opcode) {
    TTMLIR_TILIZE_HANDLERS(TTMLIR_HANDLER_CASE)
  default:
    return nullptr;
  }
}

} // namespace tt::runtime::tensix
