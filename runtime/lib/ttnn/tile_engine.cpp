#include "ttnn/tile_engine.h"

#include "numerics/tiles.h"
#include "tensix/engine.h"
#include "tt/runtime/error.h"
#include "ttnn/executor.h"

namespace tt::runtime::ttnn {

using numerics::DType;

TileEngine::TileEngine(const ComputeConfig &config, ::tt::target::Arch arch)
    : context_({.fidelity = config.fidelity,
                .fp32DestAcc = config.fp32DestAcc,
                .preserveFp32 = config.fp32DestAcc,
                .approx = config.approx,
                .exact = true,
                .wormhole = arch == ::tt::target::Arch::Wormhole_b0},
               *this) {
  static constexpr auto ones = [] {
    std::array<std::uint16_t, numerics::kTileElements> tile;
    tile.fill(0x3f80); // bf16
    return tile;
  }();
  bind(kOnes, DType::BF16, ones.data());
}

void TileEngine::bind(std::uint32_t port, DType type, const void *tiles) {
  context_.cbs[port] = {type, true, true,
                        std::uint32_t(numerics::tileBytes(type))};
  // The engine writes to what it packs to alone.
  tiles_[port] = static_cast<std::byte *>(const_cast<void *>(tiles));
}

void TileEngine::call(Opcode opcode,
                      std::initializer_list<std::uint64_t> operands) {
  tensix::handlerFor(opcode)(context_, operands.begin());
}

void TileEngine::reduce(std::uint32_t port, std::int64_t index,
                        ::tt::target::metal::PoolType pool,
                        ::tt::target::metal::ReduceDim dim) {
  call(Opcode::reduce_tile, {port, kOnes, std::uint64_t(index), 0, 0,
                             std::uint64_t(pool), std::uint64_t(dim)});
}

void TileEngine::combine(numerics::BinaryOp op, float number) {
  tensix::combine(context_, op, tensix::readDst(context_, 0), number);
}

void TileEngine::pack(std::uint32_t port, std::int64_t index, bool adds) {
  constexpr std::uint64_t kOutOfOrder = 1;
  context_.dst.commit();
  context_.packAccumulates = adds;
  call(Opcode::pack_tile, {0, port, std::uint64_t(index), kOutOfOrder});
  context_.dst.release();
}

void TileEngine::fault(tensix::ComputeFault, const std::string &message) {
  raise(ErrorCategory::Internal, message);
}

std::shared_ptr<void> makeTiles(DType type, const void *data,
                                std::int64_t count, std::int64_t rows,
                                std::int64_t cols, float fill) {
  const std::int64_t tiles =
      numerics::tilesFor(rows) * numerics::tilesFor(cols);
  const std::int64_t bytes = rows * cols * numerics::elementSize(type);
  auto memory = scratch(type, count * tiles * numerics::kTileElements);
  for (std::int64_t i = 0; i < count; ++i)
    numerics::tilize(type, static_cast<const std::byte *>(data) + i * bytes,
                     rows, cols, cols,
                     {static_cast<std::byte *>(memory.get()) +
                      i * tiles * numerics::tileBytes(type)},
                     fill);
  return memory;
}

} // namespace tt::runtime::ttnn
