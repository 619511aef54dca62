// The timeline of a captured trace: the commands of its two queues, their
// operations, and the waits between them.
#include "clock/trace.h"

namespace tt::runtime {

namespace {

/// The command of the other queue whose end starts this one.
const QueueCommand *causeOf(const std::vector<QueueCommand> &commands,
                            const QueueCommand &waiting) {
  for (const QueueCommand &command : commands)
    if (command.queue != waiting.queue && command.end == waiting.begin)
      return &command;
  return nullptr;
}

} // namespace

void Trace::finish(const TraceReport &report) {
  constexpr SliceKind kWait{"wait for event", Category::Wait, nullptr, false};
  program_ = report.run.program;
  arch_ = report.run.arch;
  clockHz_ = report.run.clockHz;
  std::map<const QueueCommand *, Mark> marks;
  for (const QueueCommand &command : report.commands) {
    cycles_ = std::max(cycles_, command.end);
    const Report &part = command.queue == 0               ? report.run
                         : command.name == "write inputs" ? report.write
                                                          : report.read;
    const std::uint32_t at = track(TrackKey::queue(command.queue));
    add(at, kWait, command.ready, command.begin);
    open(at, command.name + " " + std::to_string(command.replay),
         Category::Program, command.begin,
         keep({{"queue", std::uint64_t(command.queue)},
               {"replay", std::uint64_t(command.replay)},
               {"cycles", command.end - command.begin}}));
    const Mark opened = last(at);
    double now = command.begin;
    for (const OpCost &op : part.ops) {
      addOp(at, op, now);
      now += op.cycles;
    }
    close(at, command.end);
    // The slice is dropped if it is outside the window.
    if (opened && opened.slice < tracks_[opened.track].slices.size())
      marks[&command] = opened;
  }
  for (const QueueCommand &command : report.commands)
    if (command.ready < command.begin && marks.count(&command))
      if (const auto cause = marks.find(causeOf(report.commands, command));
          cause != marks.end())
        flow(cause->second, marks[&command]);
}

} // namespace tt::runtime
