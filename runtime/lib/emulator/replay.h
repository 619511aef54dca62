// The clock: replays the events of a run of kernels as a discrete-event
// simulation on one thread, with the constants of the architecture.
//
// Each data movement thread is a process; a compute thread is three, its
// unpacker, math and packer, which wait for each other at two banks of source
// registers and two sections of destination registers. Processes wait for pages
// of circular buffers, semaphores and transfers as in the run; transfers and
// semaphores happen in the order of their times. The same events give the same
// times. The chips of a mesh are replayed together, with one clock; transfers
// to another chip use the links of the fabric.
#ifndef TT_RUNTIME_EMULATOR_REPLAY_H
#define TT_RUNTIME_EMULATOR_REPLAY_H

#include "emulator/launch.h"
#include "tt/runtime/report.h"

namespace tt::runtime::emulator {

struct LaunchTime {
  double cycles = 0;        // until the last thread ends
  double computeCycles = 0; // of the busiest engine of a core
  double memoryCycles = 0;  // of the busiest link or DRAM channel
  std::vector<CoreUse> cores;
  std::vector<LinkUse> links;
  std::vector<ChannelUse> channels;
  std::vector<EthernetUse> ethernet;
  /// Waits that the replay's order did not satisfy and that it passed over: 0
  /// but for kernels that race.
  std::uint64_t forced = 0;
};

/// `result` has events. With a trace, appends slices from cycle `start` on.
LaunchTime replay(const Launch &launch, const LaunchResult &result,
                  const ChipGeometry &geometry, Trace *trace = nullptr,
                  double start = 0);
/// Of a run on all chips of the fabric, whose clocks and counts start anew.
LaunchTime replay(const Launch &launch, const LaunchResult &result,
                  Fabric &fabric, Trace *trace = nullptr, double start = 0);

} // namespace tt::runtime::emulator

#endif // TT_RUNTIME_EMULATOR_REPLAY_H
