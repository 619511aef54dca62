#include "ttnn/engine_rows.h"

#include "numerics/extents.h"
#include "numerics/parallel.h"
#include "numerics/tiles.h"
#include "numerics/transform.h"
#include "ttnn/executor.h"

#include <limits>

namespace tt::runtime::ttnn {

using numerics::BinaryOp;
using numerics::DType;
using numerics::kTileDim;
using numerics::kTileElements;
using Opcode = TileEngine::Opcode;
using ::tt::target::metal::BroadcastType;
using ::tt::target::metal::PoolType;
using ::tt::target::metal::ReduceDim;

namespace {

constexpr auto kCol = std::uint64_t(BroadcastType::Col),
               kRow = std::uint64_t(BroadcastType::Row);

/// A core with one row of tiles.
class RowKernel {
public:
  /// Circular buffers. A line has a number for each row of a tile in its first
  /// column.
  enum Port : std::uint32_t {
    In,
    Weight,
    Bias,
    Out = 16,
    Numbers = 24,
    Squares,
    Line
  };

  RowKernel(const EngineArgs &args, std::int64_t cols)
      : engine(args), cols_(cols), tiles_(numerics::tilesFor(cols)),
        type_(typeBetween(args.config, args.inType)),
        numbers_(scratch(type_, tiles_ * kTileElements)),
        squares_(scratch(type_, tiles_ * kTileElements)),
        line_(scratch(type_, kTileElements)) {
    engine.bind(Numbers, type_, numbers_.get());
    engine.bind(Squares, type_, squares_.get());
    engine.bind(Line, type_, line_.get());
  }

  TileEngine engine;

  void softmax();
  void normalize(const EngineNorm &norm);

private:
  /// What all rows of `port` have together goes to the destination.
  void reduce(Port port, PoolType pool) {
    engine.acquire();
    for (std::int64_t i = 0; i < tiles_; ++i)
      engine.reduce(port, i, pool, ReduceDim::Row);
  }
  /// One tile after the other: first op second, whose tile is that of the line
  /// or the one below `first`'s.
  void combine(Opcode opcode, Port first, Port second, std::uint64_t broadcast,
               Port to, bool exponential = false) {
    for (std::int64_t i = 0; i < tiles_; ++i) {
      const auto tile = std::uint64_t(i);
      engine.acquire();
      engine.call(opcode, {first, second, tile, second == Line ? 0 : tile, 0,
                           broadcast});
      if (exponential)
        engine.call(Opcode::exp_tile, {0, /*approx=*/0});
      engine.pack(to, i);
    }
  }
  /// Columns behind the last one do not count.
  void clearPadding() {
    numerics::fillPadding(type_, {numbers_.get()}, kTileDim, cols_, 0);
  }

  std::int64_t cols_, tiles_;
  DType type_;
  std::shared_ptr<void> numbers_, squares_, line_;
};

void RowKernel::softmax() {
  reduce(In, PoolType::Max);
  engine.pack(Line, 0);
  combine(Opcode::sub_tiles_bcast, In, Line, kCol, Numbers, true);
  clearPadding();
  reduce(Numbers, PoolType::Sum);
  engine.call(Opcode::recip_tile, {0});
  engine.pack(Line, 0);
  combine(Opcode::mul_tiles_bcast, Numbers, Line, kCol, Out);
}

void RowKernel::normalize(const EngineNorm &norm) {
  Port numbers = In;
  if (norm.centered) {
    reduce(In, PoolType::Sum);
    engine.combine(BinaryOp::Div, float(norm.n));
    engine.pack(Line, 0);
    combine(Opcode::sub_tiles_bcast, In, Line, kCol, Numbers);
    clearPadding();
    numbers = Numbers;
  }
  combine(Opcode::mul_tiles, numbers, numbers, 0, Squares);
  reduce(Squares, PoolType::Sum);
  engine.combine(BinaryOp::Div, float(norm.n));
  engine.combine(BinaryOp::Add, norm.epsilon);
  engine.call(Opcode::rsqrt_tile, {0});
  engine.pack(Line, 0);
  const bool scales = norm.weight.data, shifts = norm.bias.data;
  combine(Opcode::mul_tiles_bcast, numbers, Line, kCol,
          scales || shifts ? Numbers : Out);
  if (scales)
    combine(Opcode::mul_tiles_bcast, Numbers, Weight, kRow,
            shifts ? Numbers : Out);
  if (shifts)
    combine(Opcode::add_tiles_bcast, Numbers, Bias, kRow, Out);
}

/// Calls compute(kernel) for each row of tiles of a matrix, whose padding is
/// `fill`.
template <typename Setup, typename Compute>
void forRows(const EngineArgs &args, std::int64_t rows, std::int64_t cols,
             float fill, const Setup &setup, const Compute &compute) {
  const auto in = makeTiles(args.inType, args.input, 1, rows, cols, fill);
  const std::int64_t tiles = numerics::tilesFor(cols),
                     bytes = tiles * numerics::tileBytes(args.inType),
                     size = numerics::elementSize(args.outType);
  numerics::parallelFor(
      0, numerics::tilesFor(rows), 1,
      [&](std::int64_t first, std::int64_t last) {
        RowKernel kernel(args, cols);
        setup(kernel);
        const auto out = scratch(args.outType, tiles * kTileElements);
        kernel.engine.bind(RowKernel::Out, args.outType, out.get());
        for (std::int64_t i = first; i < last; ++i) {
          const std::int64_t row = i * kTileDim;
          kernel.engine.bind(RowKernel::In, args.inType,
                             static_cast<std::byte *>(in.get()) + i * bytes);
          compute(kernel);
          numerics::untilize(args.outType, {out.get()},
                             static_cast<std::byte *>(args.output) +
                                 row * cols * size,
                             std::min(kTileDim, rows - row), cols, cols);
        }
      });
}

} // namespace

void engineSoftmax(const EngineArgs &args, std::span<const std::int64_t> shape,
                   std::int64_t dim) {
  const auto [outer, n, inner] = numerics::extentsAround("softmax", shape, dim);
  const auto alongRows = [&, n = n](const EngineArgs &lines,
                                    std::int64_t rows) {
    forRows(
        lines, rows, n, -std::numeric_limits<float>::infinity(),
        [](RowKernel &) {}, [](RowKernel &kernel) { kernel.softmax(); });
  };
  if (inner == 1)
    return alongRows(args, outer);
  // The dimension becomes the last one, and comes back.
  const std::int64_t across[] = {outer, n, inner}, along[] = {outer, inner, n};
  const auto in = scratch(args.inType, outer * n * inner),
             out = scratch(args.outType, outer * n * inner);
  numerics::transpose(args.input, across, 1, 2,
                      numerics::elementSize(args.inType), in.get());
  EngineArgs turned = args;
  turned.input = in.get();
  turned.output = out.get();
  alongRows(turned, outer * inner);
  numerics::transpose(out.get(), along, 1, 2,
                      numerics::elementSize(args.outType), args.output);
}

void engineNorm(const EngineArgs &args, const EngineNorm &norm) {
  const auto tilesOf = [&](const NormParameter &row) {
    return row.data ? makeTiles(row.type, row.data, 1, 1, norm.n) : nullptr;
  };
  const auto weight = tilesOf(norm.weight), bias = tilesOf(norm.bias);
  forRows(
      args, norm.rows, norm.n, 0,
      [&](RowKernel &kernel) {
        kernel.engine.bind(RowKernel::Weight, norm.weight.type, weight.get());
        kernel.engine.bind(RowKernel::Bias, norm.bias.type, bias.get());
      },
      [&](RowKernel &kernel) { kernel.normalize(norm); });
}

} // namespace tt::runtime::ttnn
