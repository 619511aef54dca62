#include "tensix/compute.h"

#include "tensix/engine.h"

namespace tt::runtime::tensix {

namespace {

HandlerTable makeTable() {
  HandlerTable table{};
  fillDataHandlers(table);
  fillBinaryHandlers(table);
  fillMatmulHandlers(table);
  fillReduceHandlers(table);
  fillTilizeHandlers(table);
  fillVectorHandlers(table);
  return table;
}

} // namespace

DstRegisters::DstRegisters(bool fp32)
    : storage_(new Storage), capacity_(fp32 ? 4 : 8) {}

void DstRegisters::acquire() {
  for (std::uint32_t i = 0; i < capacity_; ++i)
    mathTile(i) = {};
}

ComputeContext::ComputeContext(const MathConfig &config, TileAccess &access)
    : config(config), access(access), dst(config.fp32DestAcc),
      srcA(new SrcTile), srcB(new SrcTile) {}

Handler handlerFor(Opcode opcode) {
  static const HandlerTable table = makeTable();
  return opcode <= Opcode::MAX ? table[std::size_t(opcode)] : nullptr;
}

bool isCompute(Opcode opcode) {
  return opcode >= Opcode::unpack_a && opcode <= Opcode::where_tile;
}

} // namespace tt::runtime::tensix
