// The timeline of a pipeline: the micro-batches of each chip with their
// operations, its transfers with the host, and arrows along the sends.
#include "clock/trace.h"

#include <tuple>

namespace tt::runtime {

void Trace::finish(const std::vector<PipelineStage> &stages,
                   const PipelineSchedule &schedule) {
  const Report &first = stages.front().report;
  program_ = first.program;
  arch_ = first.arch;
  clockHz_ = first.clockHz;
  cycles_ = schedule.cycles;
  // By stage and micro-batch.
  std::map<std::pair<std::uint32_t, std::uint32_t>, Mark> runs;
  for (const PipelineCommand &command : schedule.commands) {
    if (command.name == "send")
      continue;
    const PipelineStage &stage = stages[command.stage];
    const bool isRun = command.name == "run";
    for (std::uint32_t chip : stage.chips) {
      const std::uint32_t at =
          track(isRun ? TrackKey::chipOps(chip)
                      : TrackKey::chipHost(chip, command.name == "download"));
      open(at,
           (isRun ? "stage " + std::to_string(command.stage) : command.name) +
               ", micro-batch " + std::to_string(command.microBatch),
           Category::Program, command.begin,
           keep({{"stage", std::uint64_t(command.stage)},
                 {"micro_batch", std::uint64_t(command.microBatch)},
                 {"cycles", command.end - command.begin}}));
      const Mark opened = last(at);
      double now = command.begin;
      for (const OpCost &op : stage.report.ops) {
        const bool isHost = op.hostBytes > 0;
        const bool isDownload = op.phase == "download";
        if (isRun ? isHost
                  : !isHost || isDownload != (command.name == "download"))
          continue;
        addOp(at, op, now);
        now += op.cycles;
      }
      close(at, command.end);
      // The slice is dropped if it is outside the window.
      if (isRun && opened && opened.slice < tracks_[opened.track].slices.size())
        runs.try_emplace({command.stage, command.microBatch}, opened);
    }
  }
  for (const PipelineCommand &command : schedule.commands) {
    if (command.name != "send")
      continue;
    const auto from = runs.find({command.stage, command.microBatch}),
               to = runs.find({command.to, command.microBatch});
    if (from != runs.end() && to != runs.end())
      flow(from->second, to->second);
  }
}

} // namespace tt::runtime
