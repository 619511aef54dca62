// Elementwise operations with exact numerics, on the engines of a core; other
// kernels of the library are in engine_matmul.cpp, engine_reduce.cpp and
// engine_rows.cpp. What moves elements or takes integers is the same in all
// numerics.
#include "numerics/parallel.h"
#include "numerics/tiles.h"
#include "numerics/transform.h"
#include "ttnn/compute_config.h"
#include "ttnn/engine_matmul.h"
#include "ttnn/executor.h"
#include "ttnn/tile_engine.h"
#include "ttnn/vector_opcodes.h"

#include <bit>
#include <cstring>

namespace tt::runtime::ttnn {

using numerics::BinaryOp;
using numerics::DType;
using numerics::kTileElements;
using numerics::Rounding;
using Opcode = TileEngine::Opcode;

namespace {

/// Tiles that hold `count` elements in any order.
std::int64_t tilesOf(std::int64_t count) {
  return (count + kTileElements - 1) / kTileElements;
}

/// The circular buffers of a kernel.
constexpr std::uint32_t kFirst = 0, kSecond = 1, kResult = 16;

} // namespace

bool Executor::isExact(std::initializer_list<ValueIndex> values) const {
  if (onHost_ || device_.options.numerics != Numerics::Exact)
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

void Executor::packFloats(ValueIndex value, const std::shared_ptr<void> &data) {
  const DType type = computeType(value);
  const std::int64_t count = layoutOf(value).volume();
  auto packed = scratch(type, count);
  numerics::fromF32(type, static_cast<const float *>(data.get()), packed.get(),
                    count, Rounding::Packer);
  write(value, {}, type, packed);
}

void Executor::onVectorEngine(
    std::initializer_list<ValueIndex> operands, ValueIndex result,
    const std::function<void(TileEngine &)> &function) {
  const Layout &out = layoutOf(result);
  const DType type = computeType(result);
  const std::int64_t tiles = tilesOf(out.volume());
  std::vector<Floats> ins;
  for (ValueIndex in : operands)
    ins.push_back(
        {readFloats(in, computeType(in), out.shape), computeType(in)});
  auto data = scratch(type, tiles * kTileElements);
  const auto arch = chips_.front()->geometry().arch;
  numerics::parallelFor(
      0, tiles, 16, [&](std::int64_t first, std::int64_t last) {
        TileEngine engine(compute_, arch);
        for (std::uint32_t i = 0; i < ins.size(); ++i)
          engine.bind(i, ins[i].type, ins[i].data.get());
        engine.bind(kResult, type, data.get());
        for (std::int64_t tile = first; tile < last; ++tile) {
          engine.acquire();
          for (std::uint32_t i = 0; i < ins.size(); ++i)
            engine.call(Opcode::copy_tile, {i, std::uint64_t(tile), i});
          function(engine);
          engine.pack(kResult, tile);
        }
      });
  write(result, {}, type, data);
}

bool Executor::applyExact(const UnaryStep &step) {
  if (!isExact({step.ins[0], step.out}))
    return false;
  const std::uint32_t a = std::bit_cast<std::uint32_t>(step.params.a),
                      b = std::bit_cast<std::uint32_t>(step.params.b);
  onVectorEngine({step.ins[0]}, step.out, [&](TileEngine &engine) {
    if (step.op != numerics::UnaryOp::Copy)
      engine.call(vectorOpcode(step.op), {0, a, b});
  });
  return true;
}

bool Executor::combineExact(const BinaryStep &step) {
  const auto [first, second] = step.ins;
  if (!isExact({first, second, step.out}))
    return false;
  const Layout &out = layoutOf(step.out);
  const DType typeA = computeType(first), typeB = computeType(second);
  if (isForMatrixEngine(step.op, typeA, typeB)) {
    packFloats(step.out,
               addExact(step.op, {readFloats(first, typeA, out.shape), typeA},
                        {readFloats(second, typeB, out.shape), typeB},
                        out.volume()));
    return true;
  }
  onVectorEngine({first, second}, step.out, [&](TileEngine &engine) {
    engine.call(vectorOpcode(step.op), {0, 1, 0});
  });
  return true;
}

bool Executor::rotateExact(const RotaryEmbeddingStep &step) {
  if (!isExact({step.in, step.cosCache, step.sinCache, step.out}))
    return false;
  const Layout &out = layoutOf(step.out);
  const std::int64_t count = out.volume(), half = out.shape[3] / 2;
  const DType type = computeType(step.in);
  const DType between = typeBetween(compute_, type);
  const std::int64_t size = numerics::elementSize(type);
  const auto multiplied = [&](const std::shared_ptr<void> &data,
                              ValueIndex angles) {
    const DType own = computeType(angles);
    auto product = addExact(BinaryOp::Multiply, {data, type},
                            {readFloats(angles, own, out.shape), own}, count);
    const std::int64_t all = tilesOf(count) * kTileElements;
    auto packed = scratch(between, all);
    numerics::fromF32(between, static_cast<const float *>(product.get()),
                      packed.get(), all, Rounding::Packer);
    return Floats{std::move(packed), between};
  };
  const std::shared_ptr<void> rows = readFloats(step.in, type, out.shape);
  // The halves of each row change places, and what comes to the front changes
  // its sign, the highest bit.
  const auto turned = scratch(type, tilesOf(count) * kTileElements);
  const auto *from = static_cast<const std::byte *>(rows.get());
  auto *to = static_cast<std::byte *>(turned.get());
  std::memcpy(to, from, std::size_t(tilesOf(count) * kTileElements * size));
  const std::int64_t bytes = half * size;
  for (std::int64_t at = 0; at < count * size; at += 2 * bytes) {
    std::memcpy(to + at, from + at + bytes, std::size_t(bytes));
    std::memcpy(to + at + bytes, from + at, std::size_t(bytes));
    for (std::int64_t sign = size - 1; sign < bytes; sign += size)
      to[at + sign] ^= std::byte{0x80};
  }
  packFloats(step.out, addExact(BinaryOp::Add, multiplied(rows, step.cosCache),
                                multiplied(turned, step.sinCache), count));
  return true;
}

std::shared_ptr<void>
Executor::onEngines(ValueIndex in, ValueIndex out,
                    const std::function<void(const EngineArgs &)> &kernel) {
  if (!isExact({in, out}) || operand(in)->layout.volume() == 0)
    return nullptr;
  const RowMajor source = read(in, computeType(in));
  const DType type = computeType(out);
  auto data = scratch(type, layoutOf(out).volume());
  kernel({compute_, chips_.front()->geometry().arch, source.type, source.data,
          type, data.get()});
  return data;
}

} // namespace tt::runtime::ttnn
