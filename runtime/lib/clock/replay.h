// The clock: replays what the threads of kernels do as a discrete-event
// simulation on one thread, with the constants of the architecture.
//
// Each data movement thread is a process; a compute thread is three, its
// unpacker, math and packer, which wait for each other at two banks of source
// registers and two sections of destination registers. Processes wait for pages
// of circular buffers, semaphores and transfers; transfers and semaphores
// happen in the order of their times. The same events give the same times. The
// chips of a mesh are replayed together, with one clock; transfers to another
// chip use the links of the fabric.
//
// Every time carries what the path to it was spent on (moment.h), so that the
// end says what bounds the whole. Issuing transfers and moving bytes is "noc",
// and so is a transfer, but for the time in which it queues for a DRAM channel
// and is served there; the flight of semaphores is "waiting".
#ifndef TT_RUNTIME_CLOCK_REPLAY_H
#define TT_RUNTIME_CLOCK_REPLAY_H

#include "clock/events.h"
#include "common/compute_config.h"
#include "common/layout.h"
#include "tt/runtime/report.h"

#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace tt::runtime {
class Trace;
} // namespace tt::runtime

namespace tt::runtime::clock {

class FabricTime;

/// What is replayed.
struct Recording {
  struct Kernel {
    std::string name, location;
    ComputeConfig compute;
  };
  struct Buffer {
    std::uint32_t port = 0;
    std::uint64_t pages = 0;
    std::vector<CoreRange> cores;
  };
  std::vector<Kernel> kernels;
  std::vector<Buffer> buffers;
  /// Values at the start, by address; others are 0.
  std::unordered_map<std::uint32_t, std::uint32_t> semaphores;
  std::span<const ThreadEvents> threads;
  /// Position of the first chip, for a trace.
  std::uint32_t device = 0;
  /// Of the whole, if these are its first blocks: a trace shows what remains as
  /// one slice of each thread.
  struct Whole {
    double cycles = 0;
    std::int64_t blocks = 0, modelled = 0;
  };
  std::optional<Whole> whole;
};

/// Bytes that transfers moved.
struct Traffic {
  std::uint64_t dramRead = 0, dramWrite = 0, l1Read = 0, l1Write = 0;
  std::uint64_t noc = 0; // through either network on chip
};

struct ReplayResult {
  double cycles = 0;        // until the last thread ends
  TimeParts parts;          // of them
  double computeCycles = 0; // of the busiest engine of a core
  double memoryCycles = 0;  // of the busiest link or DRAM channel
  Traffic traffic;
  double flops = 0; // of all cores
  int phases = 0;   // of the multiplier in products; 0: there are none
  std::vector<KernelUse> kernels;
  std::vector<CoreUse> cores;
  std::vector<LinkUse> links;
  std::vector<ChannelUse> channels;
  std::vector<EthernetUse> ethernet;
  /// Waits that the replay's order did not satisfy and that it passed over: 0
  /// but for kernels that race.
  std::uint64_t forced = 0;
};

/// The geometry of the chips by position; without a fabric there is one. With a
/// trace, appends slices from cycle `start` on. The clocks and counts of the
/// fabric start anew.
ReplayResult replay(const Recording &recording,
                    std::span<const ChipGeometry *const> chips,
                    FabricTime *fabric = nullptr, Trace *trace = nullptr,
                    double start = 0);

} // namespace tt::runtime::clock

#endif // TT_RUNTIME_CLOCK_REPLAY_H
