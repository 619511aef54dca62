#include "tensix/compute.h"

#include "tensix/engine.h"

#include <algorithm>
#include <cstring>

namespace tt::runtime::tensix {

namespace {

struct TileInstruction {
  bool known = false;
  Destination destination = Destination::None;
  Handler handler = nullptr;
};

const TileInstruction &find(Opcode opcode) {
  static const auto table = [] {
    std::array<TileInstruction, std::size_t(Opcode::MAX) + 1> result;
#define TTMLIR_ENTRY(name, destination, cost, work, handler)                   \
  result[std::size_t(Opcode::name)] = {true, Destination::destination,         \
                                       handler(Opcode::name)};
    TTMLIR_TILE_INSTRUCTIONS(TTMLIR_ENTRY)
#undef TTMLIR_ENTRY
    return result;
  }();
  return table[std::size_t(opcode)];
}

} // namespace

DstRegisters::DstRegisters(bool fp32)
    : storage_(new Storage), capacity_(fp32 ? 4 : 8) {}

void DstRegisters::restart(bool fp32) {
  tiles_ = {};
  forgetPairs();
  capacity_ = fp32 ? 4 : 8;
  math_ = pack_ = 0;
}

void DstRegisters::acquire() {
  for (std::uint32_t i = 0; i < capacity_; ++i)
    mathTile(i) = {};
}

void DstRegisters::release() {
  bool others = false;
  for (std::uint32_t i = 0; hasPairs() && i < capacity_; ++i) {
    packTile(i) = {};
    others |= tiles_[(pack_ ^ 1) * capacity_ + i].held == Held::Pair;
  }
  if (!others)
    forgetPairs();
  pack_ ^= 1;
}

void DstRegisters::setPair(DstTile &tile, numerics::BinaryOp of,
                           const std::byte *first, const std::byte *second) {
  tile = {
      .written = true, .held = Held::Pair, .of = of, .from = {first, second}};
  for (const std::byte *page : tile.from) {
    const std::byte *end = page + kElements * sizeof(std::uint16_t);
    low_ = hasPairs() ? std::min(low_, page) : page;
    high_ = std::max(high_, end);
  }
}

void DstRegisters::settle() {
  for (std::uint32_t i = 0; i < kDstTiles; ++i) {
    DstTile &tile = tiles_[i];
    if (tile.held != Held::Pair)
      continue;
    for (int half = 0; half < 2; ++half) {
      std::uint16_t *copy = bf16Half(words(i), half);
      const auto *there = reinterpret_cast<const std::byte *>(copy);
      if (tile.from[std::size_t(half)] != there)
        std::memcpy(copy, tile.from[std::size_t(half)],
                    kElements * sizeof(std::uint16_t));
      tile.from[std::size_t(half)] = there;
    }
  }
  forgetPairs();
}

ComputeContext::ComputeContext(const MathConfig &config, TileAccess &access)
    : config(config), access(access), dst(config.fp32DestAcc),
      srcA(new SrcTile), srcB(new SrcTile) {}

void ComputeContext::restart(const MathConfig &newConfig) {
  config = newConfig;
  cbs = {};
  dst.restart(config.fp32DestAcc);
  checks = true;
  srcA->valid = srcB->valid = false;
  unpackTypes = {};
  packType = DType::F32;
  unpackTypesSet = packTypeSet = false;
  packAccumulates = matmulTransposes = false;
  random = 0;
}

Handler handlerFor(Opcode opcode) { return find(opcode).handler; }

bool isCompute(Opcode opcode) { return find(opcode).known; }

Destination destinationOf(Opcode opcode) { return find(opcode).destination; }

} // namespace tt::runtime::tensix
