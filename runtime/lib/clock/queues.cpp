#include "clock/queues.h"

#include <algorithm>

namespace tt::runtime::clock {

namespace {

class Schedule {
public:
  Schedule(const QueueWork &work, std::uint32_t replays)
      : work_(work), runs_(replays), reads_(replays) {
    // The host enqueues commands for the next replays before it waits for the
    // results of one.
    const std::uint32_t ahead = std::min(work.buffers, replays);
    for (std::uint32_t i = 0; i < ahead; ++i)
      start(i);
    for (std::uint32_t i = 0; i < replays; ++i) {
      reads_[i] = add(1, "read outputs", i, work.read, runs_[i]);
      if (i + ahead < replays)
        start(i + ahead);
    }
  }

  std::vector<QueueCommand> take() { return std::move(commands_); }

private:
  void start(std::uint32_t replay) {
    const std::uint32_t buffers = work_.buffers;
    const bool again = replay >= buffers;
    const double written = add(1, "write inputs", replay, work_.write,
                               again ? runs_[replay - buffers] : 0);
    runs_[replay] =
        add(0, "replay", replay, work_.run,
            std::max(written, again ? reads_[replay - buffers] : 0));
  }

  /// Adds a command with a dependence that ends at `needs`; returns its end.
  double add(std::uint32_t queue, const char *name, std::uint32_t replay,
             double cycles, double needs) {
    double &now = now_[queue];
    const double begin = std::max(now, needs);
    commands_.push_back({queue, name, replay, now, begin, begin + cycles});
    return now = begin + cycles;
  }

  const QueueWork &work_;
  std::vector<double> runs_, reads_; // when each ends
  double now_[2] = {0, 0};           // each queue
  std::vector<QueueCommand> commands_;
};

bool isLaunched(const OpCost &op) { return op.cycles > 0 && !op.hostBytes; }

} // namespace

std::vector<QueueCommand> scheduleQueues(const QueueWork &work,
                                         std::uint32_t replays) {
  return Schedule(work, replays).take();
}

double periodOf(const QueueWork &work) {
  // The period is constant once all buffers were used.
  std::vector<double> ends;
  for (const QueueCommand &command :
       scheduleQueues(work, 4 * (work.buffers + 1)))
    if (command.queue == 0)
      ends.push_back(command.end);
  // Skips the last replays, which no replay follows.
  const std::size_t last = ends.size() - work.buffers;
  return ends[last] - ends[last - 1];
}

double launchedCycles(const std::vector<OpCost> &ops, double launch) {
  double now = 0, launched = 0;
  for (const OpCost &op : ops) {
    if (isLaunched(op))
      launched += launch;
    now = std::max(now, launched) + op.cycles;
  }
  return now;
}

std::size_t countLaunches(const std::vector<OpCost> &ops) {
  return std::size_t(std::count_if(ops.begin(), ops.end(), isLaunched));
}

} // namespace tt::runtime::clock
