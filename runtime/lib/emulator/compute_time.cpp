#include "emulator/compute_time.h"

#include <algorithm>
#include <array>
#include <optional>

namespace tt::runtime::emulator {

namespace work = numerics::work;
using numerics::VectorWork;

namespace {

/// What an instruction of the vector engine does for a tile; null for others.
const VectorWork *workOf(Opcode opcode) {
  static const auto table = [] {
    std::array<std::optional<VectorWork>, std::size_t(Opcode::MAX) + 1> result;
#define TTMLIR_WORK(instruction, operands, work)                               \
  result[std::size_t(Opcode::instruction##_tile)] = work;
    TTMLIR_VECTOR_INSTRUCTIONS(TTMLIR_WORK)
#undef TTMLIR_WORK
    result[std::size_t(Opcode::fill_tile_int)] = work::pass;
    return result;
  }();
  const auto &work = table[std::size_t(opcode)];
  return work ? &*work : nullptr;
}

double tileBytes(std::uint8_t type) {
  return type == 255 ? 0 : double(numerics::tileBytes(numerics::DType(type)));
}

} // namespace

ComputeCycles computeCycles(const ArchData &arch, const Event &event,
                            int phases) {
  const ArchCost &cost = arch.cost;
  const ArchTiming &timing = arch.timing;
  const double tiles = event.count;
  const double first = tileBytes(event.first), second = tileBytes(event.second);
  // The two unpackers work side by side.
  const auto unpackCycles = [&](double a, double b) {
    return (timing.unpackersShare ? a + b : std::max(a, b)) /
               cost.unpackBytesPerCycle +
           tiles * timing.unpackFixedCyclesPerTile;
  };
  const double unpack = unpackCycles(tiles * first, tiles * second);
  const double later = timing.phaseCyclesPerTile * (phases - 1);
  const double eltwise = cost.eltwiseCyclesPerTile;
  switch (event.opcode) {
  case Opcode::matmul_tiles:
  case Opcode::matmul_block: {
    const double product = tiles * (phases * cost.mvmulCyclesPerTilePhase +
                                    cost.matmulFixedCyclesPerTile);
    if (event.opcode == Opcode::matmul_tiles || event.value == 0)
      return {unpack, product, 0};
    // A tile of the side with fewer tiles stays for a line of the other side.
    const double cols = event.value, rows = tiles / cols;
    return {cols >= rows ? unpackCycles(rows * first, tiles * second)
                         : unpackCycles(tiles * first, cols * second),
            product, 0};
  }
  case Opcode::matmul:
    return {0,
            phases * cost.mvmulCyclesPerTilePhase +
                cost.matmulFixedCyclesPerTile,
            0};
  case Opcode::mul:
    return {0, eltwise + later, 0};
  case Opcode::add:
  case Opcode::sub:
    return {0, eltwise, 0};
  case Opcode::mul_tiles:
  case Opcode::mul_tiles_bcast:
    return {unpack, eltwise + later, 0};
  case Opcode::reduce_tile:
    return {unpack, cost.reduceCyclesPerTile + later, 0};
  case Opcode::copy_tile:
  case Opcode::add_tiles:
  case Opcode::sub_tiles:
  case Opcode::add_tiles_bcast:
  case Opcode::sub_tiles_bcast:
  case Opcode::unary_bcast:
  case Opcode::binary_dest_reuse_tiles:
  case Opcode::transpose_wh_tile:
    return {unpack, eltwise, 0};
  case Opcode::unpack_a:
  case Opcode::unpack_ab:
    return {unpack, 0, 0};
  case Opcode::pack:
  case Opcode::pack_tile:
  case Opcode::pack_tile_block:
    return {0, 0,
            tiles * (first / cost.packBytesPerCycle +
                     timing.packFixedCyclesPerTile)};
  // Measured for bf16; wider elements take longer.
  case Opcode::tilize_block:
    return {tiles * timing.tilizeUnpackCyclesPerTile * first / 2048,
            tiles * eltwise,
            tiles * timing.tilizePackCyclesPerTile * second / 2048};
  case Opcode::untilize_block:
    return {tiles * timing.untilizeUnpackCyclesPerTile * first / 2048,
            tiles * eltwise,
            tiles * timing.untilizePackCyclesPerTile * second / 2048};
  default:
    const VectorWork *work = workOf(event.opcode);
    return {0, work ? vectorCycles(arch, *work) : 0, 0};
  }
}

} // namespace tt::runtime::emulator
