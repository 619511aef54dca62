// How the threads of cores take turns.
#ifndef TT_RUNTIME_EMULATOR_SCHEDULE_H
#define TT_RUNTIME_EMULATOR_SCHEDULE_H

#include "emulator/engine.h"

#include <functional>

namespace tt::runtime::emulator {

/// Instructions that a thread executes in one round at most, so that one that
/// polls does not keep the others waiting.
inline constexpr std::int64_t kRoundBudget = 65536;

/// Runs a thread until it waits or its budget is used up.
void runThread(Thread &t);

/// Throws a StepLimitFault.
[[noreturn]] void failSteps(const Thread &t);

/// Runs the threads of a core in turn until all of them wait. `run` runs a
/// thread like runThread(), and returns whether something was executed.
template <typename Run> void runCore(Core &core, const Run &run) {
  const std::uint64_t limit = core.threads.front()->machine->options.stepLimit;
  core.progressed = false;
  for (auto &thread : core.threads)
    thread->budget = kRoundBudget;
  for (bool moved = true; moved;) {
    moved = false;
    for (auto &thread : core.threads) {
      Thread &t = *thread;
      if (t.state == State::Done || t.budget <= 0)
        continue;
      if (t.steps >= limit)
        failSteps(t);
      if (std::uint64_t(t.budget) > limit - t.steps)
        t.budget = std::int64_t(limit - t.steps);
      moved |= run(t);
    }
    core.progressed |= moved;
  }
}

/// Runs all cores to their end. `run` runs the cores of a round.
void runRounds(Mesh &mesh,
               const std::function<void(const std::vector<Core *> &)> &run);

} // namespace tt::runtime::emulator

#endif // TT_RUNTIME_EMULATOR_SCHEDULE_H
