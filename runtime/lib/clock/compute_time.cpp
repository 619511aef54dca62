#include "clock/compute_time.h"

#include "ttmlir/Target/TTMetal/instructions.inc"

#include "numerics/tiles.h"

#include <algorithm>
#include <array>

namespace tt::runtime::clock {

namespace work = numerics::work;

namespace {

/// The words of the descriptions: what an instruction takes is a sum of them.
namespace cost {
constexpr unsigned nothing = 0;
constexpr unsigned unpack = 1 << 0;   // the tiles of its circular buffers
constexpr unsigned eltwise = 1 << 1;  // of the matrix engine
constexpr unsigned multiply = 1 << 2; // the same in phases of the multiplier
constexpr unsigned product = 1 << 3;  // of matrices
constexpr unsigned reduce = 1 << 4;
constexpr unsigned vector = 1 << 5; // its work is said apart
constexpr unsigned pack = 1 << 6;
constexpr unsigned tilize = 1 << 7; // unpacker, matrix engine and packer
constexpr unsigned untilize = 1 << 8;
constexpr unsigned pack_untilize = 1 << 9;
constexpr unsigned pack_untilize_dest = 1 << 10; // the packer alone
} // namespace cost

struct TileCost {
  unsigned words = cost::nothing;
  numerics::VectorWork work;
};

const TileCost &costOf(Opcode opcode) {
  static constexpr auto table = [] {
    std::array<TileCost, std::size_t(Opcode::MAX) + 1> result{};
#define TTMLIR_COST(name, destination, cost, work, handler)                    \
  result[std::size_t(Opcode::name)] = {cost, work};
    TTMLIR_TILE_INSTRUCTIONS(TTMLIR_COST)
#undef TTMLIR_COST
    return result;
  }();
  return table[std::size_t(opcode)];
}

constexpr double kFaces = 4; // of a tile

double tileBytes(std::uint8_t type) {
  return type == 255 ? 0 : double(numerics::tileBytes(numerics::DType(type)));
}

/// The pooling unit takes the faces one by one; the row of a scalar is one
/// more. Sums multiply, in all phases; those along rows are products. Maxima do
/// not.
double reduceCycles(const ArchData &arch, std::uint32_t value, int phases) {
  using ::tt::target::metal::PoolType;
  using ::tt::target::metal::ReduceDim;
  const auto pool = PoolType(value >> 8);
  const bool sum = pool == PoolType::Sum || pool == PoolType::Avg;
  const double faces =
      arch.cost.reduceCyclesPerTile +
      (sum ? arch.timing.phaseCyclesPerTile * (phases - 1) : 0);
  switch (ReduceDim(value & 0xff)) {
  case ReduceDim::Row:
    return sum ? phases * arch.timing.reduceRowSumCyclesPerTile
               : arch.timing.reduceRowMaxCyclesPerTile;
  case ReduceDim::Scalar:
    return 1.25 * faces + arch.timing.reduceScalarFixedCyclesPerTile;
  case ReduceDim::Col:
    break;
  }
  return faces;
}

} // namespace

ComputeCycles computeCycles(const ArchData &arch, const Event &event,
                            const ComputeConfig &compute) {
  const int phases = compute.phases();
  const ArchCost &chip = arch.cost;
  const ArchTiming &timing = arch.timing;
  const double tiles = event.count;
  const double first = tileBytes(event.first), second = tileBytes(event.second);
  // The two unpackers work side by side, a face after the other; products take
  // a tile at once.
  const auto unpackCycles = [&](double a, double b, double instructions) {
    return (timing.unpackersShare ? a + b : std::max(a, b)) /
               chip.unpackBytesPerCycle +
           instructions * timing.unpackInstructionCycles;
  };
  const TileCost &takes = costOf(event.opcode);
  const auto has = [&](unsigned word) { return (takes.words & word) != 0; };
  const double later = timing.phaseCyclesPerTile * (phases - 1);
  const double eltwise = chip.eltwiseCyclesPerTile;
  ComputeCycles cycles;
  if (has(cost::unpack))
    cycles.unpack = unpackCycles(tiles * first, tiles * second, kFaces * tiles);
  if (has(cost::eltwise))
    cycles.math = eltwise;
  if (has(cost::multiply))
    cycles.math = eltwise + later;
  if (has(cost::reduce))
    cycles.math = reduceCycles(arch, event.value, phases);
  if (has(cost::vector))
    cycles.math = vectorCycles(arch, takes.work, compute);
  if (has(cost::product)) {
    cycles.math = tiles * (phases * chip.mvmulCyclesPerTilePhase +
                           chip.matmulFixedCyclesPerTile);
    // A tile of the operand with fewer tiles is kept for a line of the other
    // one.
    const double cols = event.value;
    if (cols == 0)
      cycles.unpack = unpackCycles(tiles * first, tiles * second, tiles);
    else
      cycles.unpack =
          cols >= tiles / cols
              ? unpackCycles(tiles / cols * first, tiles * second, tiles)
              : unpackCycles(tiles * first, cols * second, tiles);
  }
  if (has(cost::pack))
    cycles.pack = tiles * (first / chip.packBytesPerCycle +
                           timing.packFixedCyclesPerTile);
  // Measured for bf16; wider elements take longer.
  const auto rows = [&](double unpack, double pack) {
    cycles = {tiles * unpack * first / 2048, tiles * eltwise,
              tiles * pack * second / 2048};
  };
  if (has(cost::tilize))
    rows(timing.tilizeUnpackCyclesPerTile, timing.tilizePackCyclesPerTile);
  if (has(cost::untilize))
    rows(timing.untilizeUnpackCyclesPerTile, timing.untilizePackCyclesPerTile);
  if (has(cost::pack_untilize))
    rows(timing.packUntilizeUnpackCyclesPerTile,
         timing.packUntilizePackCyclesPerTile);
  if (has(cost::pack_untilize_dest))
    cycles.pack = tiles * timing.packUntilizePackCyclesPerTile * first / 2048;
  constexpr double kDim = double(numerics::kTileDim);
  cycles.product = has(cost::product);
  if (cycles.product)
    cycles.flops = tiles * 2 * kDim * kDim * kDim;
  else if (has(cost::vector + cost::multiply + cost::reduce) ||
           (has(cost::eltwise) && second > 0))
    cycles.flops = tiles * kDim * kDim; // what has one operand may be a copy
  const double repeats = repeatsOf(event);
  cycles.flops *= repeats;
  cycles.unpack *= repeats;
  cycles.math *= repeats;
  cycles.pack *= repeats;
  return cycles;
}

} // namespace tt::runtime::clock
