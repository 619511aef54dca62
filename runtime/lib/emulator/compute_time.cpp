#include "emulator/compute_time.h"

#include <algorithm>
#include <iterator>

namespace tt::runtime::emulator {

namespace {

/// What the vector engine does for an instruction: as many of each.
struct VectorWork {
  Opcode opcode;
  int passes;      // of a few instructions over the tile
  int exps;        // exponentials and logarithms
  int sigmoids;    //
  int reciprocals; // and roots
};

/// Instructions that are not one pass.
constexpr VectorWork kVectorWork[] = {
    {Opcode::exp_tile, 0, 1, 0, 0},
    {Opcode::expm1_tile, 0, 1, 0, 0},
    {Opcode::log_tile, 0, 1, 0, 0},
    {Opcode::log1p_tile, 0, 1, 0, 0},
    {Opcode::sigmoid_tile, 0, 0, 1, 0},
    {Opcode::silu_tile, 1, 0, 1, 0},
    {Opcode::erf_tile, 1, 0, 1, 0},
    {Opcode::recip_tile, 0, 0, 0, 1},
    {Opcode::sqrt_tile, 0, 0, 0, 1},
    {Opcode::rsqrt_tile, 0, 0, 0, 1},
    {Opcode::sin_tile, 2, 0, 0, 0},
    {Opcode::cos_tile, 2, 0, 0, 0},
    {Opcode::cbrt_tile, 2, 0, 0, 0},
    {Opcode::tan_tile, 2, 0, 0, 1},
    {Opcode::power_tile, 1, 2, 0, 0},
    {Opcode::power_binary_tile, 1, 2, 0, 0},
    {Opcode::div_binary_tile, 1, 0, 0, 1},
    {Opcode::remainder_binary_tile, 2, 0, 0, 1},
};

double vectorCycles(const ArchData &arch, Opcode opcode) {
  const ArchCost &cost = arch.cost;
  if (opcode == Opcode::tanh_tile)
    return arch.timing.tanhCyclesPerTile;
  if (opcode == Opcode::gelu_tile)
    return arch.timing.geluCyclesPerTile;
  for (const VectorWork &work : kVectorWork)
    if (work.opcode == opcode)
      return work.passes * cost.sfpuDefaultCyclesPerTile +
             work.exps * cost.expCyclesPerTile +
             work.sigmoids * cost.sigmoidCyclesPerTile +
             work.reciprocals * cost.reciprocalCyclesPerTile;
  return cost.sfpuDefaultCyclesPerTile;
}

double tileBytes(std::uint8_t type) {
  return type == 255 ? 0 : double(kernels::tileBytes(kernels::DType(type)));
}

bool isConfiguration(Opcode opcode) {
  switch (opcode) {
  case Opcode::unpack_set_data_type:
  case Opcode::pack_set_data_type:
  case Opcode::pack_reconfig_data_format:
  case Opcode::pack_reconfig_l1_acc:
  case Opcode::mm_init:
  case Opcode::mm_init_short:
    return true;
  default:
    return false;
  }
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
    if (isConfiguration(event.opcode))
      return {};
    return {0, vectorCycles(arch, event.opcode), 0};
  }
}

} // namespace tt::runtime::emulator
