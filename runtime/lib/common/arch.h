// Facts about architectures and boards, from the data files in runtime/data.
#ifndef TT_RUNTIME_COMMON_ARCH_H
#define TT_RUNTIME_COMMON_ARCH_H

#include "ttmlir/Target/Common/types_generated.h"

#include <cstdint>

namespace tt::runtime {

/// Sizes, bases and alignments in bytes, as in ChipDesc. DRAM cores stand
/// column by column, `dramRows` to a column, below the workers.
struct ArchChip {
  std::int64_t gridY, gridX;
  std::int64_t l1Size, numDramChannels, dramChannelSize;
  std::int64_t nocL1Align, pcieAlign, nocDramAlign;
  std::int64_t l1UnreservedBase, eriscL1UnreservedBase;
  std::int64_t dramUnreservedBase, dramUnreservedEnd;
  std::int64_t dramRows;
};

/// Constants of the cost model; cycles are of the AI clock, per 32x32 tile.
struct ArchCost {
  double clockHz;
  double mvmulCyclesPerTilePhase, matmulFixedCyclesPerTile;
  double matmulCyclesPerBlock;
  double eltwiseCyclesPerTile;
  double sfpuDefaultCyclesPerTile, expCyclesPerTile, sigmoidCyclesPerTile;
  double reciprocalCyclesPerTile, reduceCyclesPerTile;
  double unpackBytesPerCycle, packBytesPerCycle; // of one core
  double nocBytesPerCycle;                       // of one core, each direction
  double dramBytesPerSecond, pcieBytesPerSecond; // of the chip
  double dispatchSeconds;                        // between two operations
};

struct ArchData {
  const char *name;
  ArchChip chip;
  ArchCost cost;
};

const ArchData &archData(::tt::target::Arch arch);

} // namespace tt::runtime

#endif // TT_RUNTIME_COMMON_ARCH_H
