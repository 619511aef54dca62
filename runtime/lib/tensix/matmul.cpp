// Matrix products of tiles. The first operand goes to source B, the second to
// source A.
#include "tensix/engine.h"

namespace tt::runtime::tensix {

using numerics::kernelTable;

namespace {

/// One step along K of rt x ct destination tiles.
struct Step {
  std::uint64_t port0, port1, tile0, tile1, dst;
  bool transpose = false;
  std::uint64_t cols = 1, rows = 1, stride = 1;
};

constexpr std::uint64_t kMostTiles = kDstTiles;

/// The tiles of one operand, ready for the kernel.
struct Operands {
  TileBuffer buffers[kMostTiles];
  TileView views[kMostTiles];
};

void checkStep(ComputeContext &context, const Step &step) {
  const std::uint64_t tiles = step.rows * step.cols;
  if (step.rows == 0 || step.cols == 0 || step.rows > kMostTiles ||
      step.cols > kMostTiles)
    context.access.fault(ComputeFault::Operand,
                         "expected a block of 1 to 16 rows and columns of "
                         "tiles, found " +
                             std::to_string(step.rows) + " x " +
                             std::to_string(step.cols));
  dstIndex(context, step.dst);
  dstIndex(context, step.dst + tiles - 1);
}

/// Multiplies bf16 tiles in the circular buffer itself, with vdpbf16ps.
void multiplyBf16(ComputeContext &context, const Step &step,
                  const FidelityMask &mask) {
  const numerics::KernelTable &table = kernelTable();
  alignas(64) std::uint16_t packed[kMostTiles][kElements];
  alignas(64) std::uint16_t buffer[kElements];
  for (std::uint64_t col = 0; col < step.cols; ++col) {
    const std::byte *raw = frontTile(context, step.port1, step.tile1 + col);
    const auto *tile = reinterpret_cast<const std::uint16_t *>(raw);
    if (step.transpose) {
      constexpr std::int64_t kSource[] = {0, 2, 1, 3};
      for (std::int64_t face = 0; face < 4; ++face)
        table.transpose2(tile + kSource[face] * 256, 16, 16, 16,
                         buffer + face * 256, 16);
      tile = buffer;
    }
    table.packTileBf16(tile, std::uint16_t(mask.a >> 16), packed[col]);
  }
  for (std::uint64_t row = 0; row < step.rows; ++row) {
    const std::byte *raw =
        frontTile(context, step.port0, step.tile0 + row * step.stride);
    const auto *tile = reinterpret_cast<const std::uint16_t *>(raw);
    if (const auto keep = std::uint16_t(mask.b >> 16); keep != 0xffff) {
      for (std::int64_t i = 0; i < kElements; ++i)
        buffer[i] = tile[i] & keep;
      tile = buffer;
    }
    for (std::uint64_t col = 0; col < step.cols; ++col) {
      Dst dst = writeDst(context, step.dst + row * step.cols + col);
      const bool add = accumulates(context, dst, Kind::F32);
      table.multiplyTilesBf16(tile, packed[col], dst.floats(), add);
      finish(context, dst, Kind::F32, false);
    }
  }
}

void multiplyIntegers(const TileView &a, const TileView &b, std::uint32_t *c,
                      bool accumulate) {
  const numerics::KernelTable &table = kernelTable();
  if (!accumulate)
    std::memset(c, 0, sizeof(TileBuffer));
  for (std::int64_t row = 0; row < numerics::kTileDim; ++row)
    for (std::int64_t k = 0; k < numerics::kTileDim; ++k)
      for (std::int64_t side = 0; side < 2; ++side)
        table.addScaledRows(c + faceIndex(row, side * 16), 0,
                            a.words + faceIndex(row, k), 0, 1,
                            b.words + faceIndex(k, side * 16), 16);
}

void multiplyOne(ComputeContext &context, const TileView &a, const TileView &b,
                 std::uint64_t index) {
  if (a.kind != b.kind && (a.kind == Kind::F32 || b.kind == Kind::F32))
    faultFormat(context, "matmul", "operands both floats or both integers",
                std::string(numerics::dtypeName(a.type)) + " and " +
                    numerics::dtypeName(b.type));
  Dst dst = writeDst(context, index);
  const bool add = accumulates(context, dst, a.kind);
  const bool half = isHalf(a.type);
  if (a.kind != Kind::F32) {
    multiplyIntegers(a, b, dst.words, add);
  } else if (context.config.exact) {
    numerics::matrixUnitMultiplyTiles(a.floats(), b.floats(), dst.floats(), add,
                                      matrixUnitMode(context, half));
    return mark(context, dst, Kind::F32, half);
  } else {
    kernelTable().multiplyTilesF32(a.floats(), b.floats(), dst.floats(), add);
  }
  finish(context, dst, a.kind, half);
}

/// Reduces a view to the bits that the multiplier uses.
TileView prepared(ComputeContext &context, TileView view, std::uint32_t mask,
                  TileBuffer &buffer) {
  return context.config.exact ? view : masked(view, mask, buffer);
}

void multiply(ComputeContext &context, const Step &step) {
  checkStep(context, step);
  const DType type0 = tiledFormat(context, step.port0).type;
  const DType type1 = tiledFormat(context, step.port1).type;
  const FidelityMask mask = fidelityMask(context.config.fidelity);
  if (type0 == DType::BF16 && type1 == DType::BF16 && !context.config.exact &&
      kernelTable().multiplyTilesBf16)
    return multiplyBf16(context, step, mask);
  TileBuffer raw, turned, rowBuffer;
  Operands right;
  for (std::uint64_t col = 0; col < step.cols; ++col) {
    TileView view = readTile(context, step.port1, step.tile1 + col, raw);
    if (step.transpose) {
      transposeTile(view.words, turned.words);
      view.words = turned.words;
    }
    view = prepared(context, view, mask.a, right.buffers[col]);
    // A view of a temporary buffer gets a buffer of its own.
    if (view.words == raw.words || view.words == turned.words) {
      std::memcpy(right.buffers[col].words, view.words, sizeof(raw.words));
      view.words = right.buffers[col].words;
    }
    right.views[col] = view;
  }
  for (std::uint64_t row = 0; row < step.rows; ++row) {
    const TileView left = prepared(
        context,
        readTile(context, step.port0, step.tile0 + row * step.stride, raw),
        mask.b, rowBuffer);
    for (std::uint64_t col = 0; col < step.cols; ++col)
      multiplyOne(context, left, right.views[col],
                  step.dst + row * step.cols + col);
  }
}

void matmulTiles(ComputeContext &context, const std::uint64_t *operands) {
  multiply(context, {operands[0], operands[1], operands[2], operands[3],
                     operands[4], context.matmulTransposes});
}

void matmulBlock(ComputeContext &context, const std::uint64_t *operands) {
  multiply(context,
           {operands[0], operands[1], operands[2], operands[3], operands[4],
            operands[5] != 0, operands[6], operands[7], operands[8]});
}

void initMatmul(ComputeContext &context, const std::uint64_t *operands) {
  context.matmulTransposes = operands[3] != 0;
}
void initMatmulShort(ComputeContext &context, const std::uint64_t *operands) {
  context.matmulTransposes = operands[2] != 0;
}

void matmulSources(ComputeContext &context, const std::uint64_t *operands) {
  const SrcTile &a = *context.srcA, &b = *context.srcB;
  if (!a.valid || !b.valid)
    context.access.fault(ComputeFault::Operand,
                         "expected two unpacked source registers, found that "
                         "one was not unpacked");
  const FidelityMask mask = fidelityMask(context.config.fidelity);
  TileBuffer left, right;
  multiplyOne(
      context, prepared(context, {a.words, a.kind, a.type}, mask.b, left),
      prepared(context, {b.words, b.kind, b.type}, mask.a, right), operands[0]);
}

} // namespace

Handler matmulHandler(Opcode opcode) {
  constexpr Handler mm_init = initMatmul;
  constexpr Handler mm_init_short = initMatmulShort;
  constexpr Handler matmul_tiles = matmulTiles;
  constexpr Handler matmul_block = matmulBlock;
  constexpr Handler matmul = matmulSources;
  switch (opcode) {
    TTMLIR_MATMUL_HANDLERS(TTMLIR_HANDLER_CASE)
  default:
    return nullptr;
  }
}

} // namespace tt::runtime::tensix
