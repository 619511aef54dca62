// What a run would have cost on the chip: exact byte counts of what moved, and
// a modelled time from the constants of the architecture's data file.
#ifndef TT_RUNTIME_REPORT_H
#define TT_RUNTIME_REPORT_H

#include <cstdint>
#include <string>
#include <vector>

namespace tt::runtime {

/// What a core of a replayed program did: cycles in which each engine worked,
/// and when the last one ended.
struct CoreUse {
  int device = 0;            // position of the chip in the mesh
  int y = 0, x = 0;          // logical
  double noc0 = 0, noc1 = 0; // data movement: issuing, moving, addresses
  double unpack = 0, math = 0, pack = 0;
  double end = 0;
};

/// Traffic of a link of a network on chip: from the router at (x, y) to the
/// next one of its row or column, in the network's direction.
struct LinkUse {
  int device = 0;            // position of the chip in the mesh
  int noc = 0, x = 0, y = 0; // physical
  bool vertical = false;
  std::uint64_t bytes = 0;
  double busy = 0; // cycles
};

/// Traffic of a DRAM channel.
struct ChannelUse {
  int device = 0; // position of the chip in the mesh
  int channel = 0;
  std::uint64_t readBytes = 0, writeBytes = 0;
  double busy = 0; // cycles
};

/// Traffic of one direction of an Ethernet link.
struct EthernetUse {
  std::uint32_t fromChip = 0, toChip = 0; // ids
  std::uint32_t link = 0;                 // index in chip_channels
  std::uint64_t bytes = 0;                // payload
  std::uint64_t wireBytes = 0;            // with packet headers and frames
  std::uint64_t packets = 0;
  double busy = 0; // cycles
};

/// Cost of one operation. Bytes count payload pages, each once per operand.
struct OpCost {
  std::string name;     // "eltwise.add", "matmul", ...
  std::string location; // debug_info of the operation, as in the file
  std::uint64_t dramReadBytes = 0;
  std::uint64_t dramWriteBytes = 0;
  std::uint64_t l1ReadBytes = 0;
  std::uint64_t l1WriteBytes = 0;
  std::uint64_t nocBytes = 0;      // through either network on chip
  std::uint64_t hostBytes = 0;     // over PCIe, either direction
  std::uint64_t ethernetBytes = 0; // payload over links, once per hop
  std::uint32_t cores = 0;         // cores that compute
  double computeCycles = 0;        // of the busiest core
  double memoryCycles = 0;         // the slowest of DRAM, NoC and PCIe
  double ethernetCycles = 0;       // of a collective, steps included
  double dispatchCycles = 0;       // gap before the operation
  double cycles = 0;               // dispatch + max(compute, memory, ethernet)
  std::uint64_t l1HighWater = 0;   // bytes per core, up to and with this op
  std::uint64_t dramHighWater = 0; // bytes per channel
  // Of a program of kernels; all links and channels that moved something.
  std::vector<CoreUse> coreUse;
  std::vector<LinkUse> linkUse;
  std::vector<ChannelUse> channelUse;
  // Of a collective, or of kernels that send; links that moved something.
  std::vector<EthernetUse> ethernetUse;
};

struct Report {
  std::string program;
  std::string arch;
  double clockHz = 0;
  double cycles = 0;
  double seconds = 0; // cycles / clockHz
  std::uint64_t l1HighWater = 0;
  std::uint64_t dramHighWater = 0;
  std::uint64_t ethernetBytes = 0; // of all operations
  std::vector<EthernetUse> ethernetUse;
  std::vector<OpCost> ops;
  /// The timeline of the kernels as JSON for the Chrome and Perfetto viewers:
  /// a track for each thread of a core, each link and each DRAM channel. Empty
  /// unless it was asked for.
  std::string trace;
};

} // namespace tt::runtime

#endif // TT_RUNTIME_REPORT_H
