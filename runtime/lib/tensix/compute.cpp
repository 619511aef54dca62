#include "tensix/compute.h"

#include "tensix/engine.h"

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
  capacity_ = fp32 ? 4 : 8;
  math_ = pack_ = 0;
}

void DstRegisters::acquire() {
  for (std::uint32_t i = 0; i < capacity_; ++i)
    mathTile(i) = {};
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
}

Handler handlerFor(Opcode opcode) { return find(opcode).handler; }

bool isCompute(Opcode opcode) { return find(opcode).known; }

Destination destinationOf(Opcode opcode) { return find(opcode).destination; }

} // namespace tt::runtime::tensix
