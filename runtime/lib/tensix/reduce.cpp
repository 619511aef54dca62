// Reductions of tiles, and transposition.
//
// The scaler multiplies as the pooling unit does: the element at position i
// along the reduced dimension (of 32) by element i mod 16 of the scaler's first
// row. A sum over both dimensions is scaled in each, thus twice. Maximum and
// minimum are scaled after the comparison, by the scaler's first element.
//
// Exact numerics: the pooling unit takes one face of 16x16 after the other,
// each with all phases, and adds to what is in the destination. A sum over both
// dimensions puts the sums of the columns of all faces into one row of 16,
// turns it and pools it again.
#include "tensix/engine.h"

#include <algorithm>

namespace tt::runtime::tensix {

using numerics::kernelTable;
using numerics::kTileDim;
using ::tt::target::metal::PoolType;
using ::tt::target::metal::ReduceDim;

namespace {

constexpr std::int64_t kFaceDim = numerics::kFaceDim;

/// What one reduction needs, along the rows of a tile: each column to one
/// element.
struct Reduction {
  ComputeContext &context;
  PoolType pool;
  TileView tile;   // masked as source A
  TileView scaler; // masked as source B

  bool sums() const { return pool == PoolType::Sum || pool == PoolType::Avg; }

  /// Whether a sum multiplies by anything but 1.
  bool scales() const {
    const float *weights = scaler.floats();
    return sums() && !std::all_of(weights, weights + kFaceDim,
                                  [](float w) { return w == 1.0f; });
  }

  void floatColumns(const float *from, float *out) const {
    const numerics::KernelTable &table = kernelTable();
    const float *weights = scaler.floats();
    TileBuffer scaled;
    if (scales()) {
      for (std::int64_t row = 0; row < kTileDim; ++row)
        for (std::int64_t side = 0; side < kTileDim; side += kFaceDim)
          for (std::int64_t at = faceIndex(row, side), i = 0; i < kFaceDim; ++i)
            scaled.floats()[at + i] = from[at + i] * weights[row % kFaceDim];
      from = scaled.floats();
    }
    const auto combine = sums()                  ? table.sumTileRows
                         : pool == PoolType::Max ? table.maxTileRows
                                                 : table.minTileRows;
    combine(from, out);
    if (!sums() && weights[0] != 1.0f)
      table.scaleRow(out, weights[0], kTileDim);
  }

  /// The first element of floatColumns() of a tile that has `line` as its first
  /// column.
  float floatColumn(const float *line) const {
    const numerics::KernelTable &table = kernelTable();
    const float *weights = scaler.floats();
    const bool scaled = scales();
    const auto combine = sums()                  ? table.addRows
                         : pool == PoolType::Max ? table.maxRows
                                                 : table.minRows;
    float result = 0;
    for (std::int64_t row = 0; row < kTileDim; ++row) {
      const float element =
          scaled ? line[row] * weights[row % kFaceDim] : line[row];
      if (row == 0)
        result = element;
      else
        combine(&result, &element, 1);
    }
    if (!sums() && weights[0] != 1.0f)
      result *= weights[0];
    return result;
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
    floatColumns(reinterpret_cast<const float *>(from),
                 reinterpret_cast<float *>(out));
  }

  /// line = old op line.
  void merge(const std::uint32_t *old, std::uint32_t *line) const {
    using numerics::BinaryOp;
    const BinaryOp op = sums()                  ? BinaryOp::Add
                        : pool == PoolType::Max ? BinaryOp::Maximum
                                                : BinaryOp::Minimum;
    const numerics::KernelTable &table = kernelTable();
    const auto fn =
        tile.kind == Kind::F32
            ? table.binaryF32[int(op)][0]
            : table.binaryInt[int(op)]
                             [numerics::integerIndex(typeOf(tile.kind))][0];
    fn(old, line, line, kTileDim, false);
  }

  /// line += the sums of the columns of a tile, or of all of it.
  void exactSums(const float *from, bool both, float *line) const {
    constexpr std::int64_t kFace = numerics::kFaceElements;
    const numerics::MatrixUnitMode mode =
        matrixUnitMode(context, isHalf(tile.type));
    const float *weights = scaler.floats();
    float row[kFaceDim] = {};
    for (std::int64_t face = 0; face < 4; ++face)
      numerics::matrixUnitPoolFace(from + face * kFace, weights,
                                   both ? row : line + (face & 1) * kFaceDim,
                                   mode);
    if (!both)
      return;
    truncateTo(sourceType(context, tile.type), row, row, kFaceDim);
    float column[kFace] = {};
    for (std::int64_t i = 0; i < kFaceDim; ++i)
      column[i * kFaceDim] = row[i];
    numerics::matrixUnitPoolFace(column, weights, line, mode);
  }

  /// Greatest or least of a line of `old` words and the columns of a tile, or
  /// all of it, by sign and magnitude: NaN are beyond the infinities.
  void exactExtremes(const std::uint32_t *from, bool both,
                     const std::uint32_t *old, std::uint32_t *line) const {
    // An integer in the same order as the float; the inverse is the same
    // function.
    const auto key = [](std::uint32_t word) {
      const auto raw = std::int32_t(word);
      return raw ^ (raw >> 31 & 0x7fffffff);
    };
    const auto better = [this](std::int32_t a, std::int32_t b) {
      return pool == PoolType::Max ? std::max(a, b) : std::min(a, b);
    };
    std::int32_t keys[kTileDim];
    for (std::int64_t col = 0; col < kTileDim; ++col)
      keys[col] = key(from[faceIndex(0, col)]);
    for (std::int64_t row = 1; row < kTileDim; ++row)
      for (std::int64_t col = 0; col < kTileDim; ++col)
        keys[col] = better(keys[col], key(from[faceIndex(row, col)]));
    if (both)
      for (std::int64_t col = 1; col < kTileDim; ++col)
        keys[0] = better(keys[0], keys[col]);
    for (std::int64_t col = 0; col < kTileDim; ++col)
      line[col] = std::uint32_t(key(std::uint32_t(keys[col])));
    if (scaler.floats()[0] != 1.0f)
      kernelTable().scaleRow(reinterpret_cast<float *>(line),
                             scaler.floats()[0], kTileDim);
    // The comparison sees no more of the destination than of a source.
    const std::uint32_t seen = context.config.fp32DestAcc ? ~0x1fffu : ~0u;
    if (old)
      for (std::int64_t col = 0; col < kTileDim; ++col)
        line[col] = std::uint32_t(
            key(std::uint32_t(better(key(line[col]), key(old[col] & seen)))));
  }

  /// The reduction of the columns of a tile, or of all of it to the first
  /// element, merged with what the destination has there, if anything.
  void reduce(const std::uint32_t *from, bool both, const std::uint32_t *old,
              std::uint32_t *line) const {
    if (context.config.exact && tile.kind == Kind::F32) {
      if (!sums())
        return exactExtremes(from, both, old, line);
      if (old)
        std::memcpy(line, old, kTileDim * sizeof(*line));
      else
        std::memset(line, 0, kTileDim * sizeof(*line));
      return exactSums(reinterpret_cast<const float *>(from), both,
                       reinterpret_cast<float *>(line));
    }
    columns(from, line);
    if (both && tile.kind == Kind::F32) {
      auto *floats = reinterpret_cast<float *>(line);
      *floats = floatColumn(floats);
    } else if (both) {
      // The line becomes a column; the other columns do not matter.
      TileBuffer turned{};
      for (std::int64_t row = 0; row < kTileDim; ++row)
        turned.words[faceIndex(row, 0)] = line[row];
      columns(turned.words, line);
    }
    if (old)
      merge(old, line);
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
                std::string(numerics::dtypeName(tile.type)) + " and " +
                    numerics::dtypeName(scaler.type));
  if (!context.config.exact && reduction.sums()) {
    const FidelityMask mask = fidelityMask(context.config.fidelity);
    tile = masked(tile, mask.a, maskedTile);
    scaler = masked(scaler, mask.b, maskedScaler);
  }
  const std::uint32_t *from = tile.words;
  if (dim == ReduceDim::Row) {
    transposeTile(from, turned.words);
    from = turned.words;
  }
  // Where the result goes: the first column, the first row or one element.
  const std::int64_t count = dim == ReduceDim::Scalar ? 1 : kTileDim;
  const auto place = [&](std::int64_t i) {
    return dim == ReduceDim::Row ? faceIndex(i, 0) : faceIndex(0, i);
  };
  std::uint32_t line[kTileDim], old[kTileDim] = {};
  const bool add = dst.tile.written;
  for (std::int64_t i = 0; add && i < count; ++i)
    old[i] = dst.words[place(i)];
  reduction.reduce(from, dim == ReduceDim::Scalar, add ? old : nullptr, line);
  if (!add)
    std::memset(dst.words, 0, sizeof(TileBuffer));
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

Handler reduceHandler(Opcode opcode) {
  constexpr Handler reduce_tile = reduceTile;
  constexpr Handler transpose_wh_tile = transposeWh;
  switch (opcode) {
    TTMLIR_REDUCE_HANDLERS(TTMLIR_HANDLER_CASE)
  default:
    return nullptr;
  }
}

} // namespace tt::runtime::tensix
