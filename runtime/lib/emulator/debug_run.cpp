// Runs under control of a debugger: the same rounds on one host thread, an
// instruction at a time.
#include "emulator/debug_session.h"
#include "emulator/schedule.h"
#include "numerics/stream.h"

#include <utility>

namespace tt::runtime::emulator {
namespace {

/// A thread that executes this much more of its budget than instructions has
/// yielded: see Thread::yield().
constexpr std::int64_t kYielded = 1000;

class DebugRun {
public:
  DebugRun(Mesh &mesh, Debugger::Session &session)
      : mesh_(mesh), session_(session) {}

  void run();

private:
  bool turn(Thread &t);
  /// Executes an instruction. Returns false if other threads are next.
  bool advance(Thread &t);
  /// Stops in front of the thread's next instruction, if it is time to.
  void stopAt(Thread &t, bool watched);
  bool isStepDone(const Thread &t) const;
  /// Stops and takes orders, of which it carries out steps of cores.
  void pause(DebugStop stop);
  void stepCore(Core &core);

  Mesh &mesh_;
  Debugger::Session &session_;
  Debugger::Session::Order order_;
  std::string line_;     // of the stepping thread, at the start of the step
  bool stepped_ = false; // it has executed an instruction
  bool moved_ = false;   // a step has executed something out of turn
  bool resumed_ = false; // there was a stop: breakpoints may be others
};

void DebugRun::pause(DebugStop stop) {
  for (;;) {
    order_ = session_.stop(std::move(stop));
    resumed_ = true;
    if (order_.how != DebugResume::Core)
      break;
    const DebugPlace place = Debugger::Session::placeOf(*order_.thread);
    stepCore(*order_.thread->core);
    stop = {DebugStopKind::Step, place, {}, ""};
  }
  stepped_ = false;
  line_ = order_.thread ? Debugger::Session::lineOf(*order_.thread) : "";
}

void DebugRun::stepCore(Core &core) {
  for (const auto &thread : core.threads) {
    if (thread->state == State::Done)
      continue;
    if (thread->steps >= mesh_.machines[0]->options.stepLimit)
      failSteps(*thread);
    const std::int64_t budget = std::exchange(thread->budget, kRoundBudget);
    const std::uint64_t before = thread->steps;
    advance(*thread);
    thread->budget = budget;
    moved_ |= thread->steps != before;
  }
}

bool DebugRun::advance(Thread &t) {
  // A C++ kernel pauses by itself.
  const std::int64_t given = t.native ? t.budget : 1;
  const std::int64_t budget = std::exchange(t.budget, given);
  const std::uint64_t before = t.steps;
  runThread(t);
  const std::int64_t used = given - t.budget;
  t.budget = budget - used;
  stepped_ |= &t == order_.thread && t.state != State::Blocked;
  return t.state == State::Ready &&
         used - std::int64_t(t.steps - before) < kYielded;
}

bool DebugRun::isStepDone(const Thread &t) const {
  if (&t != order_.thread || !stepped_)
    return false;
  if (order_.how == DebugResume::Instruction || t.state == State::Done)
    return true;
  const std::string line = Debugger::Session::lineOf(t);
  return !line.empty() && line != line_;
}

void DebugRun::stopAt(Thread &t, bool watched) {
  const bool interrupted = session_.takeInterrupt();
  // A thread that waits has stopped here before.
  std::vector<int> hits;
  if (watched && t.state != State::Blocked)
    hits = session_.hitsAt(t);
  const bool stepDone = t.state != State::Blocked && isStepDone(t);
  if (hits.empty() && !stepDone && !interrupted)
    return;
  const DebugStopKind kind = !hits.empty() ? DebugStopKind::Breakpoint
                             : stepDone    ? DebugStopKind::Step
                                           : DebugStopKind::Interrupt;
  pause({kind, Debugger::Session::placeOf(t), std::move(hits), ""});
}

bool DebugRun::turn(Thread &t) {
  const std::uint64_t before = t.steps;
  moved_ = false;
  bool watched = session_.mayBreak(t);
  while (t.state != State::Done && t.budget > 0) {
    const bool stepping = &t == order_.thread;
    if (watched || stepping || session_.isInterrupted())
      stopAt(t, watched);
    if (std::exchange(resumed_, false)) {
      watched = session_.mayBreak(t);
      // The other threads may have let this one end.
      if (t.state == State::Done)
        break;
    }
    if (!advance(t))
      break;
  }
  if (t.state == State::Done && isStepDone(t))
    pause({DebugStopKind::Step,
           Debugger::Session::placeOf(t),
           {},
           "the thread has ended"});
  return t.steps != before || moved_;
}

void DebugRun::run() {
  for (const auto &machine : mesh_.machines)
    for (std::uint32_t index : machine->active)
      for (const auto &thread : machine->cores[index].threads)
        if (thread->native)
          thread->native->pauseBeforeInstructions();
  pause({DebugStopKind::Launch, {}, {}, ""});
  runRounds(mesh_, [&](const std::vector<Core *> &running) {
    for (Core *core : running)
      runCore(*core, [&](Thread &t) { return turn(t); });
    numerics::endStreams();
    session_.takePrints();
    session_.endRound();
  });
}

/// The thread that a fault is of.
std::optional<DebugPlace> threadOf(const FaultPlace &place) {
  if (place.core.y < 0)
    return {};
  const bool isCompute = !place.thread.starts_with("noc");
  return DebugPlace{
      {std::max(0, place.chip.device), place.core.y, place.core.x},
      isCompute ? "compute" : place.thread};
}

} // namespace

void runDebugged(Mesh &mesh, Debugger::Session &session) {
  struct Begun {
    Debugger::Session &session;
    ~Begun() { session.finish(); }
  } begun{session};
  session.begin(mesh);
  // What has failed can still be looked at; the run ends when it is resumed.
  try {
    DebugRun(mesh, session).run();
  } catch (const DeadlockFault &fault) {
    session.stop(
        {DebugStopKind::Deadlock, threadOf(fault.place()), {}, fault.what()});
    throw;
  } catch (const Fault &fault) {
    session.stop(
        {DebugStopKind::Fault, threadOf(fault.place()), {}, fault.what()});
    throw;
  }
}

} // namespace tt::runtime::emulator
