// When the commands of captured traces run: two queues of a device, and events
// between them.
#ifndef TT_RUNTIME_CLOCK_QUEUES_H
#define TT_RUNTIME_CLOCK_QUEUES_H

#include "tt/runtime/capture.h"

#include <vector>

namespace tt::runtime::clock {

/// What a replay needs of each queue, in cycles, and how many buffers it has.
struct QueueWork {
  double write = 0, run = 0, read = 0;
  std::uint32_t buffers = 2;
};

/// The commands of so many replays that follow each other, in the order in
/// which the host enqueues them. A queue runs one command after the other. A
/// replay waits for its inputs, and for its buffers to be read; a transfer for
/// the replay of the buffers that it reads or overwrites.
std::vector<QueueCommand> scheduleQueues(const QueueWork &work,
                                         std::uint32_t replays);

/// Cycles from replay to replay, once there were many.
double periodOf(const QueueWork &work);

/// Cycles of operations that the host launches one by one, each of which takes
/// it `launch` cycles: an operation begins when it was launched and the one
/// before it is over. Transfers are not launched.
double launchedCycles(const std::vector<OpCost> &ops, double launch);

/// How many of them are launched.
std::size_t countLaunches(const std::vector<OpCost> &ops);

} // namespace tt::runtime::clock

#endif // TT_RUNTIME_CLOCK_QUEUES_H
