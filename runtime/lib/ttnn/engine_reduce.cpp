#include "ttnn/engine_reduce.h"

#include "numerics/extents.h"
#include "numerics/parallel.h"
#include "numerics/pool.h"
#include "numerics/tiles.h"
#include "numerics/transform.h"
#include "ttnn/executor.h"

#include <cstring>
#include <limits>

namespace tt::runtime::ttnn {

using numerics::BinaryOp;
using numerics::DType;
using numerics::kTileDim;
using numerics::kTileElements;
using numerics::ReduceOp;
using Opcode = TileEngine::Opcode;
using ::tt::target::metal::PoolType;
using ::tt::target::metal::ReduceDim;

namespace {

/// Bytes of tiles that windows are made of at a time.
constexpr std::int64_t kWindowBytes = std::int64_t(32) << 20;

//===-- The pooling unit --------------------------------------------------===//

/// Matrices of rows x cols, of which result `i` joins those at kept[i] +
/// reduced[j].
struct Matrices {
  std::int64_t rows, cols;
  bool overRows, overCols;
  std::vector<std::int64_t> kept, reduced;

  ReduceDim dim() const {
    return overRows && overCols ? ReduceDim::Scalar
           : overRows           ? ReduceDim::Col
                                : ReduceDim::Row;
  }
};

/// What does not change the result.
float neutral(PoolType pool) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  return pool == PoolType::Max   ? -infinity
         : pool == PoolType::Min ? infinity
                                 : 0;
}

/// Divides result `i` by divisors[i], or all by the only one, if any.
void reduceMatrices(const EngineArgs &args, PoolType pool, const Matrices &m,
                    std::span<const float> divisors) {
  constexpr std::uint32_t kIn = 0, kOut = 16;
  const auto in = makeTiles(args.inType, args.input,
                            std::int64_t(m.kept.size() * m.reduced.size()),
                            m.rows, m.cols, neutral(pool));
  const std::int64_t tileRows = numerics::tilesFor(m.rows),
                     tileCols = numerics::tilesFor(m.cols);
  const std::int64_t rows = m.overRows ? 1 : m.rows,
                     cols = m.overCols ? 1 : m.cols;
  const std::int64_t high = m.overRows ? tileRows : 1,
                     wide = m.overCols ? tileCols : 1;
  const std::int64_t size = numerics::elementSize(args.outType);
  const auto reduceTile = [&](TileEngine &engine, std::int64_t result,
                              std::int64_t row, std::int64_t col) {
    engine.acquire();
    for (std::int64_t matrix : m.reduced)
      for (std::int64_t y = row; y < row + high; ++y)
        for (std::int64_t x = col; x < col + wide; ++x)
          engine.reduce(kIn,
                        ((m.kept[std::size_t(result)] + matrix) * tileRows +
                         y) * tileCols +
                            x,
                        pool, m.dim());
    if (!divisors.empty())
      engine.combine(BinaryOp::Div,
                     divisors[divisors.size() == 1 ? 0 : std::size_t(result)]);
    engine.pack(kOut, 0);
  };
  numerics::parallelFor(
      0, std::int64_t(m.kept.size()), 1,
      [&](std::int64_t first, std::int64_t last) {
        TileEngine engine(args);
        const auto out = scratch(args.outType, kTileElements);
        engine.bind(kIn, args.inType, in.get());
        engine.bind(kOut, args.outType, out.get());
        for (std::int64_t i = first; i < last; ++i)
          for (std::int64_t y = 0; y < rows; y += kTileDim)
            for (std::int64_t x = 0; x < cols; x += kTileDim) {
              reduceTile(engine, i, y / kTileDim, x / kTileDim);
              numerics::untilize(args.outType, {out.get()},
                                 static_cast<std::byte *>(args.output) +
                                     ((i * rows + y) * cols + x) * size,
                                 std::min(kTileDim, rows - y),
                                 std::min(kTileDim, cols - x), cols);
            }
      });
}

//===-- The vector engine -------------------------------------------------===//

/// Lines of `count` elements, which are joined one after the other; the result
/// has the last sum, or all of them if `running`. Each is divided, if at all.
struct Fold {
  Opcode join;
  std::int64_t lines, count;
  bool running = false;
  float divisor = 1;
};

class Folder {
  static constexpr std::uint32_t kIn = 0, kOut = 16, kSum = 24;

public:
  Folder(const EngineArgs &args, const Fold &fold)
      : args_(args), fold_(fold), engine_(args),
        in_(scratch(args.inType, kTileElements)),
        sum_(scratch(typeBetween(args.config, args.inType), kTileElements)),
        out_(scratch(args.outType, kTileElements)) {
    engine_.bind(kIn, args.inType, in_.get());
    engine_.bind(kSum, typeBetween(args.config, args.inType), sum_.get());
    engine_.bind(kOut, args.outType, out_.get());
  }

  /// Elements [first, first + 1024) of all lines.
  void fold(std::int64_t first) {
    const std::int64_t count = std::min(kTileElements, fold_.count - first);
    for (std::int64_t line = 0; line < fold_.lines; ++line) {
      read(line * fold_.count + first, count);
      if (line == 0 || fold_.running)
        engine_.acquire();
      engine_.call(Opcode::copy_tile, {kIn, 0, line == 0 ? 0u : 1u});
      if (line != 0 && fold_.running)
        engine_.call(Opcode::copy_tile, {kSum, 0, 0});
      if (line != 0)
        engine_.call(fold_.join, {0, 1, 0});
      if (!fold_.running)
        continue;
      engine_.pack(kSum, 0);
      engine_.acquire();
      engine_.call(Opcode::copy_tile, {kSum, 0, 0});
      engine_.pack(kOut, 0);
      write(line * fold_.count + first, count);
    }
    if (fold_.running)
      return;
    if (fold_.divisor != 1)
      engine_.combine(BinaryOp::Div, fold_.divisor);
    engine_.pack(kOut, 0);
    write(first, count);
  }

private:
  void read(std::int64_t from, std::int64_t count) {
    const std::int64_t size = numerics::elementSize(args_.inType);
    std::memcpy(in_.get(),
                static_cast<const std::byte *>(args_.input) + from * size,
                std::size_t(count * size));
  }
  void write(std::int64_t to, std::int64_t count) {
    const std::int64_t size = numerics::elementSize(args_.outType);
    std::memcpy(static_cast<std::byte *>(args_.output) + to * size, out_.get(),
                std::size_t(count * size));
  }

  const EngineArgs &args_;
  const Fold &fold_;
  TileEngine engine_;
  std::shared_ptr<void> in_, sum_, out_;
};

void foldLines(const EngineArgs &args, const Fold &fold) {
  numerics::parallelFor(0, (fold.count + kTileElements - 1) / kTileElements, 1,
                        [&](std::int64_t first, std::int64_t last) {
                          Folder folder(args, fold);
                          for (std::int64_t i = first; i < last; ++i)
                            folder.fold(i * kTileElements);
                        });
}

Opcode joinOf(ReduceOp op) {
  switch (op) {
  case ReduceOp::Sum:
  case ReduceOp::Mean:
    return Opcode::add_binary_tile;
  case ReduceOp::Max:
    return Opcode::binary_max_tile;
  case ReduceOp::Min:
    return Opcode::binary_min_tile;
  case ReduceOp::Prod:
    return Opcode::mul_binary_tile;
  }
  __builtin_unreachable();
}

PoolType poolOf(ReduceOp op) {
  return op == ReduceOp::Max   ? PoolType::Max
         : op == ReduceOp::Min ? PoolType::Min
                               : PoolType::Sum;
}

/// A tensor of `shape` with the dimensions in another order.
EngineArgs permuted(const EngineArgs &args, std::span<const std::int64_t> shape,
                    std::span<const std::int64_t> order,
                    std::shared_ptr<void> &memory) {
  std::int64_t count = 1;
  for (std::int64_t extent : shape)
    count *= extent;
  const std::int64_t size = numerics::elementSize(args.inType);
  memory = scratch(args.inType, count);
  numerics::permute(args.input, shape, order, size, memory.get());
  EngineArgs result = args;
  result.input = memory.get();
  return result;
}

//===-- Windows -----------------------------------------------------------===//

/// Reduces the pixels of each window, and divides it by divisor(y, x) of its
/// first pixel unless that is null.
void poolWindows(
    const EngineArgs &args, PoolType pool, const numerics::Image &image,
    const numerics::Window2d &window,
    const std::function<float(std::int64_t, std::int64_t)> &divisor) {
  const numerics::Extent2d out =
      numerics::outputExtent("pool", window, image.height, image.width);
  const std::int64_t taps = window.kernelH * window.kernelW,
                     pixels = image.batch * out.height * out.width;
  const std::int64_t tiles =
      numerics::tilesFor(taps) * numerics::tilesFor(image.channels);
  const std::int64_t step = std::max<std::int64_t>(
      1, kWindowBytes / std::max<std::int64_t>(
                            1, tiles * numerics::tileBytes(args.inType)));
  const float outside = neutral(pool);
  std::uint32_t element = 0;
  numerics::fromF32(args.inType, &outside, &element, 1);
  const numerics::WindowRows covered(numerics::elementSize(args.inType),
                                     args.input, image, window, out,
                                     {0, image.channels}, &element);
  Matrices windows{taps, image.channels, true, false, {}, {0}};
  std::vector<float> divisors;
  const auto rows =
      scratch(args.inType, std::min(step, pixels) * taps * image.channels);
  EngineArgs part = args;
  part.input = rows.get();
  for (std::int64_t first = 0; first < pixels; first += step) {
    const std::int64_t last = std::min(pixels, first + step);
    numerics::unfold(covered, first, last, rows.get());
    windows.kept.clear();
    divisors.clear();
    for (std::int64_t pixel = first; pixel < last; ++pixel) {
      windows.kept.push_back(pixel - first);
      if (divisor)
        divisors.push_back(divisor(
            pixel / out.width % out.height * window.strideH - window.padTop,
            pixel % out.width * window.strideW - window.padLeft));
    }
    part.output = static_cast<std::byte *>(args.output) +
                  first * image.channels * numerics::elementSize(args.outType);
    reduceMatrices(part, pool, windows, divisors);
  }
}

} // namespace

void engineReduce(const EngineArgs &args, ReduceOp op,
                  std::span<const std::int64_t> shape,
                  std::span<const std::int64_t> dims) {
  const std::size_t rank = shape.size();
  std::vector<bool> drops(rank, dims.empty());
  for (std::int64_t dim : dims)
    drops[std::size_t(dim)] = true;
  Matrices m{1, 1, false, false, {0}, {0}};
  std::vector<std::int64_t> order;
  Fold fold{joinOf(op), 1, 1};
  std::int64_t matrices = 1;
  for (std::size_t d = rank; d-- > 0;) {
    (drops[d] ? fold.lines : fold.count) *= shape[d];
    if (d + 1 == rank) {
      m.cols = shape[d];
      m.overCols = drops[d];
    } else if (d + 2 == rank) {
      m.rows = shape[d];
      m.overRows = drops[d];
    } else {
      // Offsets of outer dimensions go around those of inner ones.
      std::vector<std::int64_t> &inner = drops[d] ? m.reduced : m.kept, all;
      for (std::int64_t i = 0; i < shape[d]; ++i)
        for (std::int64_t offset : inner)
          all.push_back(i * matrices + offset);
      inner = std::move(all);
      matrices *= shape[d];
    }
  }
  std::vector<float> divisors;
  if (op == ReduceOp::Mean)
    divisors = {float(fold.lines)};
  if ((m.overRows || m.overCols) && op != ReduceOp::Prod)
    return reduceMatrices(args, poolOf(op), m, divisors);
  for (bool dropped : {true, false})
    for (std::size_t d = 0; d < rank; ++d)
      if (drops[d] == dropped)
        order.push_back(std::int64_t(d));
  if (op == ReduceOp::Mean)
    fold.divisor = divisors.front();
  std::shared_ptr<void> memory;
  foldLines(permuted(args, shape, order, memory), fold);
}

void engineCumSum(const EngineArgs &args, std::span<const std::int64_t> shape,
                  std::int64_t dim) {
  const auto [outer, n, inner] = numerics::extentsAround("cumsum", shape, dim);
  const std::int64_t before[] = {outer, n, inner}, after[] = {n, outer, inner},
                     order[] = {1, 0, 2};
  std::shared_ptr<void> memory;
  EngineArgs lines = permuted(args, before, order, memory);
  const auto out = scratch(args.outType, outer * n * inner);
  lines.output = out.get();
  foldLines(lines, {Opcode::add_binary_tile, n, outer * inner, true});
  numerics::permute(out.get(), after, order,
                    numerics::elementSize(args.outType), args.output);
}

void engineMaxPool2d(const EngineArgs &args, const numerics::Image &image,
                     const numerics::Window2d &window) {
  poolWindows(args, PoolType::Max, image, window, nullptr);
}

void engineAvgPool2d(const EngineArgs &args, const numerics::Image &image,
                     const numerics::Window2d &window, bool countPadding) {
  poolWindows(
      args, PoolType::Sum, image, window, [&](std::int64_t y, std::int64_t x) {
        return float(numerics::countTaps(image, window, y, x, countPadding));
      });
}

} // namespace tt::runtime::ttnn
