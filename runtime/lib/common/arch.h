// Facts about architectures and boards, from the data files in runtime/data.
#ifndef TT_RUNTIME_COMMON_ARCH_H
#define TT_RUNTIME_COMMON_ARCH_H

#include "common/compute_config.h"
#include "numerics/functions.h"
#include "ttmlir/Target/Common/types_generated.h"

#include <cstdint>

namespace tt::runtime {

/// Sizes, bases and alignments in bytes, as in ChipDesc. DRAM cores stand
/// column by column, `dramRows` to a column, below the workers.
struct ArchChip {
  std::int64_t gridY, gridX;
  std::int64_t l1Size, numDramChannels, dramChannelSize;
  std::int64_t nocL1AddressAlignBytes, pcieAddressAlignBytes,
      nocDramAddressAlignBytes;
  std::int64_t l1UnreservedBase, eriscL1UnreservedBase;
  std::int64_t dramUnreservedBase, dramUnreservedEnd;
  std::int64_t dramRows;
};

/// Constants of engines, memories and the host; cycles are of the AI clock, per
/// 32x32 tile.
struct ArchCost {
  double clockHz;
  double mvmulCyclesPerTilePhase, matmulFixedCyclesPerTile;
  double eltwiseCyclesPerTile;
  double sfpuDefaultCyclesPerTile, expCyclesPerTile, sigmoidCyclesPerTile;
  double reciprocalCyclesPerTile, reduceCyclesPerTile;
  double unpackBytesPerCycle, packBytesPerCycle; // of one core
  double dramBytesPerSecond, pcieBytesPerSecond; // of the chip
  double hostPageSeconds; // a page between host and chip takes at least that
  double dispatchSeconds; // between two operations of a trace
  // Time of the host to launch a library call or a program of kernels.
  double hostOpSeconds, hostProgramSeconds;
};

/// Coordinates, one for each row or column of workers or for each channel.
struct ArchPlaces {
  int count;
  std::int16_t at[32];
};

/// Constants of the replay (clock/replay.h): the network on chip as a torus,
/// and what cores and channels take beside it. Cycles are of the AI clock,
/// bytes per cycle of one port or channel.
struct ArchTiming {
  int nocWidth, nocHeight;
  ArchPlaces workerColumns, workerRows; // of the grid
  ArchPlaces dramColumns, dramRows;     // of the channels
  double nocHopCycles;
  double nocRoundTripCycles; // beside issue, hops and data
  double nocReadIssueCycles, nocWriteIssueCycles;
  double nocStatefulReadIssueCycles; // of a read that repeats the command
  double nocPageAddressCycles;       // to find the page of a tensor
  double nocPacketBytes, nocPacketCycles;
  double nocLinkBytesPerCycle;
  double l1ReadBytesPerCycle, l1WriteBytesPerCycle;
  double l1RequestCycles; // between two reads that an L1 answers
  double dramReadLatencyCycles;
  double dramReadBytesPerCycle, dramWriteBytesPerCycle;
  double dramBurstBytes, dramPartialWriteCycles; // of a write below a burst
  double riscCyclesPerCall; // of a kernel, such as a load from L1
  double riscMoveBytesPerCycle;
  double cbCycles;    // of an instruction on a circular buffer
  int unpackersShare; // 1: the bytes per cycle of one, 0: each its own
  double unpackInstructionCycles; // of a face, or a tile of a product
  double packFixedCyclesPerTile;
  double phaseCyclesPerTile; // products and sums beside matmul, each phase
                             // after the first
  double reduceRowSumCyclesPerTile; // each phase
  double reduceRowMaxCyclesPerTile, reduceScalarFixedCyclesPerTile;
  double tanhCyclesPerTile;
  double geluCyclesPerTile, geluAccurateCyclesPerTile;
  double reciprocal16CyclesPerTile; // of 16-bit destination registers
  double reciprocal16ApproxCyclesPerTile;
  double tilizeUnpackCyclesPerTile, tilizePackCyclesPerTile;
  double untilizeUnpackCyclesPerTile, untilizePackCyclesPerTile;
  double packUntilizeUnpackCyclesPerTile, packUntilizePackCyclesPerTile;
};

/// What the kernels of a collective take beside the links: once, and for each
/// of N-1 steps along a line or N/2 around a ring; and the bytes per second
/// that they feed to a link in one direction.
struct ArchCollective {
  double startSeconds, lineStepSeconds, ringStepSeconds;
  double lineBytesPerSecond, ringBytesPerSecond;
};

/// Constants of the Ethernet links; all 0 where the chip has none.
struct ArchEthernet {
  double linkBytesPerSecond;                   // one direction
  std::int64_t packetBytes, packetHeaderBytes; // payload at most; beside it
  std::int64_t frameBytes, frameOverheadBytes;
  double hopSeconds;      // latency from memory to memory of neighbours
  std::int64_t sramBytes; // of an Ethernet core
  ArchCollective allGather, reduceScatter, allReduce, allToAll;
};

struct ArchData {
  const char *name;
  ArchChip chip;
  ArchCost cost;
  ArchTiming timing;
  ArchEthernet ethernet;
};

const ArchData &archData(::tt::target::Arch arch);

/// Cycles of the vector engine for the work on a tile: a function may be
/// approximated, and take fewer steps where destination registers hold 16 bits.
double vectorCycles(const ArchData &arch, const numerics::VectorWork &work,
                    const ComputeConfig &compute);

} // namespace tt::runtime

#endif // TT_RUNTIME_COMMON_ARCH_H
