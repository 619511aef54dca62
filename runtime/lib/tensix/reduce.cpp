// Reductions of tiles, and transposition.
//
// The scaler multiplies as the pooling unit does: the element at position i
// along the reduced dimension (of 32) by element i mod 16 of the scaler's first
// row. A sum over both dimensions is scaled in each, thus twice. Maximum and
// minimum are scaled after the comparison, by the scaler's first element.
#include "tensix/engine.h"

#include <algorithm>

namespace tt::runtime::tensix {

using kernels::kernelTable;
using kernels::kTileDim;
using ::tt::target::metal::PoolType;
using ::tt::target::metal::ReduceDim;

namespace {

constexpr std::int64_t kFaceDim = kernels::kFaceDim;

/// What one reduction needs, along the rows of a tile: each column to one
/// element.
struct Reduction {
  ComputeContext &context;
  PoolType pool;
  TileView tile;   // masked as source A
  TileView scaler; // masked as source B

  bool sums() const { return pool == PoolType::Sum || pool == PoolType::Avg; }

  void floatColumns(const float *from, float *out) const {
    const kernels::KernelTable &table = kernelTable();
    const float *weights = scaler.floats();
    const bool plain = std::all_of(weights, weights + kFaceDim,
                                   [](float w) { return w == 1.0f; });
    const auto combine = sums()                  ? table.addRows
                         : pool == PoolType::Max ? table.maxRows
                                                 : table.minRows;
    for (std::int64_t side = 0; side < 2; ++side)
      for (std::int64_t row = 0; row < kTileDim; ++row) {
        float line[kFaceDim];
        std::memcpy(line, from + faceIndex(row, side * kFaceDim), sizeof(line));
        if (sums() && !plain)
          table.scaleRow(line, weights[row % kFaceDim], kFaceDim);
        float *target = out + side * kFaceDim;
        if (row == 0)
          std::memcpy(target, line, sizeof(line));
        else
          combine(target, line, kFaceDim);
      }
    if (!sums() && weights[0] != 1.0f)
      table.scaleRow(out, weights[0], kTileDim);
  }

  /// The weighted sum on the matrix engine, without what is in the destination.
  void exactColumns(const float *from, float *out) const {
    TileBuffer weights{}, sums;
    for (std::int64_t k = 0; k < kTileDim; ++k)
      weights.words[faceIndex(0, k)] = scaler.words[k % kFaceDim];
    kernels::matrixUnitMultiplyTiles(weights.floats(), from, sums.floats(),
                                     false, phasesOf(context.config.fidelity),
                                     accumulatorOf(context, isHalf(tile.type)));
    for (std::int64_t col = 0; col < kTileDim; ++col)
      out[col] = sums.floats()[faceIndex(0, col)];
  }

  template <typename T>
  void integerColumns(const std::uint32_t *from, std::uint32_t *out) const {
    for (std::int64_t col = 0; col < kTileDim; ++col) {
      std::uint32_t result = 0;
      for (std::int64_t row = 0; row < kTileDim; ++row) {
        const std::uint32_t value = from[faceIndex(row, col)];
        if (sums())
          result += value * scaler.words[row % kFaceDim];
        else if (row == 0 || (pool == PoolType::Max ? T(value) > T(result)
                                                    : T(value) < T(result)))
          result = value;
      }
      out[col] = sums() ? result : result * scaler.words[0];
    }
  }

  void columns(const std::uint32_t *from, std::uint32_t *out) const {
    if (tile.kind == Kind::I32)
      return integerColumns<std::int32_t>(from, out);
    if (tile.kind == Kind::U32)
      return integerColumns<std::uint32_t>(from, out);
    const auto *source = reinterpret_cast<const float *>(from);
    auto *target = reinterpret_cast<float *>(out);
    if (context.config.exact && sums())
      exactColumns(source, target);
    else
      floatColumns(source, target);
  }

  /// target = target op value.
  void merge(std::uint32_t *target, const std::uint32_t *values,
             std::int64_t count) const {
    using kernels::BinaryOp;
    const BinaryOp op = sums()                  ? BinaryOp::Add
                        : pool == PoolType::Max ? BinaryOp::Maximum
                                                : BinaryOp::Minimum;
    const kernels::KernelTable &table = kernelTable();
    const auto fn =
        tile.kind == Kind::F32
            ? table.binaryF32[int(op)][0]
            : table.binaryInt[int(op)][kernels::integerIndex(typeOf(tile.kind))]
                             [0];
    fn(target, values, target, count, false);
  }
};

void reduceTile(ComputeContext &context, const std::uint64_t *operands) {
  if (operands[5] > std::uint64_t(PoolType::MAX) ||
      operands[6] > std::uint64_t(ReduceDim::MAX))
    context.access.fault(ComputeFault::Operand,
                         "expected a pool type below 4 and a dimension below "
                         "3, found " +
                             std::to_string(operands[5]) + " and " +
                             std::to_string(operands[6]));
  const auto dim = ReduceDim(operands[6]);
  Dst dst = writeDst(context, operands[4]);
  TileBuffer first, second, maskedTile, maskedScaler, turned;
  Reduction reduction{context, PoolType(operands[5]),
                      readTile(context, operands[0], operands[2], first),
                      readTile(context, operands[1], operands[3], second)};
  TileView &tile = reduction.tile, &scaler = reduction.scaler;
  if (tile.kind != scaler.kind &&
      (tile.kind == Kind::F32 || scaler.kind == Kind::F32))
    faultFormat(context, "reduce_tile", "a scaler of the kind of the operand",
                std::string(kernels::dtypeName(tile.type)) + " and " +
                    kernels::dtypeName(scaler.type));
  if (!context.config.exact && reduction.sums()) {
    const FidelityMask mask = fidelityMask(context.config.fidelity);
    tile = masked(tile, mask.a, maskedTile);
    scaler = masked(scaler, mask.b, maskedScaler);
  }
  std::uint32_t line[kTileDim];
  const std::uint32_t *from = tile.words;
  if (dim == ReduceDim::Row) {
    transposeTile(from, turned.words);
    from = turned.words;
  }
  reduction.columns(from, line);
  if (dim == ReduceDim::Scalar) {
    // The line becomes a column; the other columns do not matter.
    std::memset(turned.words, 0, sizeof(turned.words));
    for (std::int64_t row = 0; row < kTileDim; ++row)
      turned.words[faceIndex(row, 0)] = line[row];
    reduction.columns(turned.words, line);
  }
  // Where the result goes: the first column, the first row or one element.
  const std::int64_t count = dim == ReduceDim::Scalar ? 1 : kTileDim;
  const auto place = [&](std::int64_t i) {
    return dim == ReduceDim::Row ? faceIndex(i, 0) : faceIndex(0, i);
  };
  if (dst.tile.written) {
    std::uint32_t old[kTileDim];
    for (std::int64_t i = 0; i < count; ++i)
      old[i] = dst.words[place(i)];
    reduction.merge(old, line, count);
    std::memcpy(line, old, sizeof(old));
  } else {
    std::memset(dst.words, 0, sizeof(TileBuffer));
  }
  for (std::int64_t i = 0; i < count; ++i)
    dst.words[place(i)] = line[i];
  finish(context, dst, tile.kind, isHalf(tile.type));
}

void transposeWh(ComputeContext &context, const std::uint64_t *operands) {
  Dst dst = writeDst(context, operands[2]);
  TileBuffer buffer;
  const TileView view = readTile(context, operands[0], operands[1], buffer);
  transposeTile(view.words, dst.words);
  finish(context, dst, view.kind, isHalf(view.type));
}

} // namespace

void fillReduceHandlers(HandlerTable &table) {
  table[std::size_t(Opcode::reduce_tile)] = reduceTile;
  table[std::size_t(Opcode::transpose_wh_tile)] = transposeWh;
}

} // namespace tt::runtime::tensix
