// Schedules the commands of captured traces: two queues of a device, and events
// between them.
#ifndef TT_RUNTIME_CLOCK_QUEUES_H
#define TT_RUNTIME_CLOCK_QUEUES_H

#include "tt/runtime/capture.h"

#include <vector>

namespace tt::runtime::clock {

/// The cycles of a replay on each queue, and the number of buffers.
struct QueueWork {
  double write = 0, run = 0, read = 0;
  std::uint32_t buffers = 2;
};

/// The commands of consecutive replays, in the order in which the host enqueues
/// them. A queue runs its commands in order. A replay waits for its inputs, and
/// for its buffers to be read; a transfer waits for the replay whose buffers it
/// reads or overwrites.
std::vector<QueueCommand> scheduleQueues(const QueueWork &work,
                                         std::uint32_t replays);

/// Cycles between replays in a long sequence.
double periodOf(const QueueWork &work);

/// Cycles of operations that the host launches one by one, in `launch` cycles
/// each: an operation starts once it has been launched and the previous one has
/// ended. Transfers are not launched.
double launchedCycles(const std::vector<OpCost> &ops, double launch);

/// The number of launched operations.
std::size_t countLaunches(const std::vector<OpCost> &ops);

} // namespace tt::runtime::clock

#endif // TT_RUNTIME_CLOCK_QUEUES_H
