// What a run would have cost on the chip: exact byte counts of what moved, and
// a modelled time from the constants of the architecture's data file.
#ifndef TT_RUNTIME_REPORT_H
#define TT_RUNTIME_REPORT_H

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tt::runtime {

class Trace; // see trace.h

/// Where time went, in cycles along the critical path: what the last thread to
/// end, and whatever it waited for, spent them on. The parts add up to the
/// whole. `waiting` is what no engine and no transfer explains: semaphores,
/// cores that start later or have more to do.
struct TimeParts {
  double compute = 0, noc = 0, dram = 0, ethernet = 0;
  double host = 0; // PCIe
  double dispatch = 0;
  double waiting = 0;
};

/// A kernel of an operation: of the program's own, or of the library.
struct KernelUse {
  std::string name;
  std::string thread;      // "noc0", "noc1" or "compute"
  std::string location;    // as in the file; empty in the library
  std::uint32_t cores = 0; // that run it
  double begin = 0;        // of its first thread, from the operation's start
  double end = 0;          // of its last one
  double busy = 0;         // cycles of the thread that works most
  TimeParts parts;         // of the thread that ends last
};

/// An operand or a result.
struct OperandUse {
  std::vector<std::int64_t> shape;
  std::string dtype;    // "bf16", ...
  std::string layout;   // "tile" or "row_major"
  std::string memory;   // "dram", "l1" or "host"
  std::string sharding; // "interleaved", "sharded", ...
  std::string grid;     // of cores or channels that hold shards: "8x8"
  std::uint64_t bytes = 0;
};

/// Bytes of a memory that somebody holds for a time. In L1 they are the same
/// on all cores from (y0, x0) to (y1, x1).
struct MemoryUse {
  int device = 0;                       // position of the chip in the mesh
  std::string space;                    // "l1" or "dram"
  std::uint64_t address = 0, bytes = 0; // in each core or channel
  std::string name;                     // who
  double begin = 0, end = 0;            // cycles of the run
  int y0 = 0, x0 = 0, y1 = 0, x1 = 0;   // cores, logical; inclusive
};

/// Bytes of a memory for which there was no room.
struct MemoryRequest {
  int device = 0;                // position of the chip in the mesh
  std::string space;             // "l1" or "dram"
  std::uint64_t bytes = 0;       // in each core or channel
  std::string name;              // whose
  std::uint64_t available = 0;   // bytes, in all
  std::uint64_t largestFree = 0; // bytes in one piece
};

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

/// Cost of one operation of TTNN or command of TTMetal. Bytes count payload
/// pages, each once per operand.
struct OpCost {
  std::string name;     // "eltwise.add", "matmul", "enqueue_program", ...
  std::string location; // debug_info of the operation, as in the file
  /// "upload" brings arguments and constants to the device, "download" results
  /// to the host.
  std::string phase = "run";
  double start = 0;     // cycle of the run
  double cycles = 0;    // all of it
  TimeParts parts;      // of `cycles`
  double flops = 0;     // of the mathematical work
  std::string fidelity; // of products: "lofi" to "hifi4"; empty without
  double idealComputeCycles = 0; // the flops at the peak of the chip's cores
  double idealMemoryCycles = 0;  // operands and results at the DRAM's peak
  std::vector<OperandUse> operands, results;
  std::vector<KernelUse> kernels;
  std::uint64_t dramReadBytes = 0;
  std::uint64_t dramWriteBytes = 0;
  std::uint64_t l1ReadBytes = 0;
  std::uint64_t l1WriteBytes = 0;
  std::uint64_t nocBytes = 0;      // through either network on chip
  std::uint64_t hostBytes = 0;     // over PCIe, either direction
  std::uint64_t ethernetBytes = 0; // payload over links, once per hop
  std::uint32_t cores = 0;         // cores that compute
  double computeCycles = 0;        // of the busiest engine of a core
  double memoryCycles = 0;         // of the busiest link, channel or PCIe
  double ethernetCycles = 0;       // of the busiest Ethernet link
  std::uint64_t l1HighWater = 0;   // bytes per core, up to and with this op
  std::uint64_t dramHighWater = 0; // bytes per channel
  // All links and channels that moved something.
  std::vector<CoreUse> coreUse;
  std::vector<LinkUse> linkUse;
  std::vector<ChannelUse> channelUse;
  std::vector<EthernetUse> ethernetUse;
};

struct Report {
  std::string program;
  std::string arch;
  std::uint32_t workerCores = 0; // of a chip
  double clockHz = 0;
  double cycles = 0;
  double seconds = 0; // cycles / clockHz
  std::uint64_t l1HighWater = 0;
  std::uint64_t dramHighWater = 0;
  std::uint64_t ethernetBytes = 0; // of all operations
  std::vector<EthernetUse> ethernetUse;
  std::vector<OpCost> ops;
  std::vector<MemoryUse> memory;
  /// Of a run that ended for want of memory.
  std::optional<MemoryRequest> failed;
  /// The timeline, for writeTrace(); null unless it was asked for.
  std::shared_ptr<const Trace> trace;
};

} // namespace tt::runtime

#endif // TT_RUNTIME_REPORT_H
