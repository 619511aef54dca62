#include "common/operand_use.h"

namespace tt::runtime {

namespace {

const char *shardingOf(const Layout &layout) {
  if (!layout.onDevice())
    return "none";
  switch (layout.placement) {
  case Placement::Interleaved:
    return "interleaved";
  case Placement::SingleBank:
    return "single_bank";
  case Placement::Linear:
    return "linear";
  case Placement::Sharded:
    return layout.shardsX == 1   ? "height_sharded"
           : layout.shardsY == 1 ? "width_sharded"
                                 : "block_sharded";
  }
  return "";
}

} // namespace

OperandUse operandUse(const Layout &layout) {
  OperandUse use;
  use.shape = layout.shape;
  use.dtype = numerics::dtypeName(layout.type);
  use.layout = layout.tiled ? "tile" : "row_major";
  use.memory = layout.space == Space::Host   ? "host"
               : layout.space == Space::Dram ? "dram"
                                             : "l1";
  use.sharding = shardingOf(layout);
  if (layout.onDevice())
    use.grid = layout.placement == Placement::Sharded
                   ? std::to_string(layout.shardsY) + "x" +
                         std::to_string(layout.shardsX)
                   : std::to_string(layout.banks);
  use.bytes = std::uint64_t(layout.payloadBytes());
  return use;
}

} // namespace tt::runtime
