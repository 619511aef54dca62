// Elementwise operations and sums with exact numerics, on the engines of a
// core; matrix products are in engine_matmul.cpp. What moves elements or takes
// integers is the same in all numerics, and so are functions that are made of
// many instructions, softmax and norms among them.
//
// Sums, differences and products of tensors are those of the matrix engine,
// unless both operands are f32: the library takes the vector engine for these,
// as for all other functions. Its results are f32, of which destination
// registers of 16 bits keep the upper ones.
#include "numerics/parallel.h"
#include "numerics/tiles.h"
#include "numerics/transform.h"
#include "ttnn/engine_matmul.h"
#include "ttnn/executor.h"
#include "ttnn/reductions.h"
#include "ttnn/tile_engine.h"

#include <cstring>

namespace tt::runtime::ttnn {

using numerics::BinaryOp;
using numerics::DType;
using numerics::kTileElements;
using numerics::Rounding;
using Opcode = TileEngine::Opcode;
using ::tt::target::metal::PoolType;
using ::tt::target::metal::ReduceDim;

namespace {

/// Tiles that hold `count` elements in any order.
std::int64_t tilesOf(std::int64_t count) {
  return (count + kTileElements - 1) / kTileElements;
}

/// The circular buffers of a kernel.
constexpr std::uint32_t kFirst = 0, kSecond = 1, kResult = 16;

/// What the vector engine leaves in a destination of 16 bits.
void truncate(DType type, float *values, std::int64_t count) {
  auto narrow = scratch(type, count);
  numerics::fromF32(type, values, narrow.get(), count, Rounding::Unpacker);
  numerics::toF32(type, narrow.get(), values, count);
}

/// A sum along the last dimension, the one before it, or both.
struct Sum {
  std::int64_t batch = 1, rows = 1, cols = 1;
  ReduceDim dim;

  std::int64_t resultRows() const { return dim == ReduceDim::Row ? rows : 1; }
  std::int64_t resultCols() const { return dim == ReduceDim::Col ? cols : 1; }
};

std::optional<Sum> sumOf(const std::vector<std::int64_t> &shape,
                         const std::vector<std::int64_t> &dims) {
  const auto rank = std::int64_t(shape.size());
  bool row = dims.empty(), col = dims.empty();
  for (std::int64_t dim : dims) {
    const std::int64_t place = dim < 0 ? dim + rank : dim;
    if (place < rank - 2)
      return std::nullopt;
    (place == rank - 1 ? row : col) = true;
  }
  if (rank == 0 || (dims.empty() && rank > 2))
    return std::nullopt;
  Sum sum;
  sum.dim = row && col ? ReduceDim::Scalar
            : row      ? ReduceDim::Row
                       : ReduceDim::Col;
  sum.cols = shape[std::size_t(rank - 1)];
  if (rank > 1)
    sum.rows = shape[std::size_t(rank - 2)];
  for (std::int64_t d = 0; d < rank - 2; ++d)
    sum.batch *= shape[std::size_t(d)];
  return sum;
}

} // namespace

bool Executor::isExact(std::initializer_list<ValueIndex> values) const {
  if (device_.options.numerics != Numerics::Exact)
    return false;
  for (ValueIndex value : values)
    if (!numerics::isFloat(layoutOf(value).type))
      return false;
  return true;
}

void Executor::multiply(const numerics::MatmulArgs &args) const {
  if (isExact({}))
    engineMatmul(args, compute_, chips_.front()->geometry().arch);
  else
    numerics::matmul(args);
}

std::shared_ptr<void>
Executor::readFloats(ValueIndex value, DType type,
                     const std::vector<std::int64_t> &shape) {
  const RowMajor source = read(value, type);
  const std::int64_t count = hostLayout(shape, type).volume();
  const std::int64_t size = numerics::elementSize(type);
  auto data = scratch(type, tilesOf(count) * kTileElements);
  numerics::broadcastTo(source.data, operand(value)->layout.shape, shape, size,
                        data.get());
  std::memset(static_cast<std::byte *>(data.get()) + count * size, 0,
              std::size_t((tilesOf(count) * kTileElements - count) * size));
  return data;
}

std::shared_ptr<void> Executor::addExact(BinaryOp op, const Floats &a,
                                         const Floats &b,
                                         std::int64_t count) const {
  const Opcode opcode = op == BinaryOp::Add        ? Opcode::add_tiles
                        : op == BinaryOp::Subtract ? Opcode::sub_tiles
                                                   : Opcode::mul_tiles;
  auto data = scratch(DType::F32, tilesOf(count) * kTileElements);
  const auto arch = chips_.front()->geometry().arch;
  numerics::parallelFor(
      0, tilesOf(count), 16, [&](std::int64_t first, std::int64_t last) {
        TileEngine engine(compute_, arch);
        engine.bind(kFirst, a.type, a.data.get());
        engine.bind(kSecond, b.type, b.data.get());
        engine.bind(kResult, DType::F32, data.get());
        for (std::int64_t i = first; i < last; ++i) {
          engine.acquire();
          engine.call(opcode,
                      {kFirst, kSecond, std::uint64_t(i), std::uint64_t(i), 0});
          engine.pack(kResult, i);
        }
      });
  return data;
}

void Executor::packFloats(ValueIndex value, const std::shared_ptr<void> &data,
                          bool rounded) {
  const DType type = computeType(value);
  const std::int64_t count = layoutOf(value).volume();
  auto *values = static_cast<float *>(data.get());
  if (!rounded && !compute_.fp32DestAcc)
    truncate(type == DType::F16 ? DType::F16 : DType::BF16, values, count);
  auto packed = scratch(type, count);
  numerics::fromF32(type, values, packed.get(), count, Rounding::Packer);
  write(value, {}, type, packed);
}

bool Executor::applyExact(const UnaryStep &step) {
  if (!isExact({step.ins[0], step.out}))
    return false;
  const Layout &out = layoutOf(step.out);
  auto data = readFloats(step.ins[0], DType::F32, out.shape);
  numerics::unary(step.op, DType::F32, data.get(), data.get(), out.volume(),
                  Rounding::Fast, step.params);
  packFloats(step.out, data);
  return true;
}

bool Executor::combineExact(const BinaryStep &step) {
  const auto [first, second] = step.ins;
  if (!isExact({first, second, step.out}))
    return false;
  const Layout &out = layoutOf(step.out);
  const DType typeA = computeType(first), typeB = computeType(second);
  const bool forMatrixEngine = step.op == BinaryOp::Add ||
                               step.op == BinaryOp::Subtract ||
                               step.op == BinaryOp::Multiply;
  if (forMatrixEngine && (typeA != DType::F32 || typeB != DType::F32)) {
    packFloats(step.out,
               addExact(step.op, {readFloats(first, typeA, out.shape), typeA},
                        {readFloats(second, typeB, out.shape), typeB},
                        out.volume()),
               /*rounded=*/true);
    return true;
  }
  auto data = readFloats(first, DType::F32, out.shape);
  const auto other = readFloats(second, DType::F32, out.shape);
  numerics::binary(step.op, DType::F32, data.get(), other.get(), data.get(),
                   out.volume());
  packFloats(step.out, data);
  return true;
}

/// Tiles of the reduced dimensions go to one destination in ascending order. A
/// mean is the sum, which the vector engine divides.
bool Executor::sumExact(const ReductionStep &step) {
  using Type = ::tt::target::ttnn::ReductionOpType;
  const Layout &in = operand(step.in)->layout, &out = layoutOf(step.out);
  const std::optional<Sum> sum = sumOf(in.shape, step.dimArg);
  if (!isExact({step.in, step.out}) || !sum || in.volume() == 0 ||
      (step.type != Type::Sum && step.type != Type::Mean) ||
      out.volume() != sum->batch * sum->resultRows() * sum->resultCols())
    return false;
  const DType type = computeType(step.in);
  const std::int64_t rows = numerics::tilesFor(sum->rows),
                     cols = numerics::tilesFor(sum->cols);
  const RowMajor source = read(step.in, type);
  const auto tiles =
      makeTiles(type, source.data, sum->batch, sum->rows, sum->cols);
  std::uint16_t scaler[kTileElements];
  std::fill(std::begin(scaler), std::end(scaler), 0x3f80); // 1 in bf16
  auto data = scratch(DType::F32, out.volume());
  const std::int64_t resultRows = numerics::tilesFor(sum->resultRows()),
                     resultCols = numerics::tilesFor(sum->resultCols());
  const auto arch = chips_.front()->geometry().arch;
  const auto sumTile = [&](TileEngine &engine, std::int64_t batch,
                           std::int64_t row, std::int64_t col) {
    engine.acquire();
    for (std::int64_t y = 0; y < rows / resultRows; ++y)
      for (std::int64_t x = 0; x < cols / resultCols; ++x)
        engine.call(Opcode::reduce_tile,
                    {kFirst, kSecond,
                     std::uint64_t((batch * rows + row + y) * cols + col + x),
                     0, 0, std::uint64_t(PoolType::Sum),
                     std::uint64_t(sum->dim)});
    engine.pack(kResult, 0);
  };
  numerics::parallelFor(
      0, sum->batch, 1, [&](std::int64_t first, std::int64_t last) {
        TileEngine engine(compute_, arch);
        alignas(64) float packed[kTileElements];
        engine.bind(kFirst, type, tiles.get());
        engine.bind(kSecond, DType::BF16, scaler);
        engine.bind(kResult, DType::F32, packed);
        for (std::int64_t batch = first; batch < last; ++batch)
          for (std::int64_t row = 0; row < resultRows; ++row)
            for (std::int64_t col = 0; col < resultCols; ++col) {
              sumTile(engine, batch, row, col);
              const std::int64_t y = row * numerics::kTileDim,
                                 x = col * numerics::kTileDim;
              numerics::untilize(
                  DType::F32, {packed},
                  static_cast<float *>(data.get()) +
                      (batch * sum->resultRows() + y) * sum->resultCols() + x,
                  std::min(numerics::kTileDim, sum->resultRows() - y),
                  std::min(numerics::kTileDim, sum->resultCols() - x),
                  sum->resultCols());
            }
      });
  if (step.type == Type::Mean) {
    const auto count = float(in.volume() / out.volume());
    numerics::binaryScalar(BinaryOp::Div, DType::F32, data.get(), &count, false,
                           data.get(), out.volume());
  }
  packFloats(step.out, data, /*rounded=*/step.type == Type::Sum);
  return true;
}

} // namespace tt::runtime::ttnn
