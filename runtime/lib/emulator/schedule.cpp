// Rounds: every core runs its threads until all of them wait, then what the
// cores sent to each other arrives.
#include "emulator/schedule.h"

#include "emulator/checks.h"
#include "emulator/compute_access.h"
#include "emulator/debug_session.h"
#include "emulator/launch_ranks.h"
#include "numerics/cancel.h"
#include "numerics/parallel.h"
#include "numerics/stream.h"

#include <algorithm>
#include <iterator>

namespace tt::runtime::emulator {

Core::Core() = default;
Core::Core(Core &&) noexcept = default;
Core::~Core() = default;

void Core::restart() {
  for (auto &thread : threads)
    thread->restart();
  std::move(threads.begin(), threads.end(), std::back_inserter(spareThreads));
  threads.clear();
  buffers.clear();
  dst = {};
  setup = {};
  outbox.clear();
  fabricOutbox.clear();
  prints.clear();
  lines = 0;
  fault = nullptr;
  if (watch)
    spareWatch = std::move(watch);
}

void Thread::restart() {
  Thread fresh;
  reads.restart();
  writes.restart();
  fabric.clear();
  fresh.registers = std::move(registers);
  fresh.native = std::move(native);
  fresh.reads = std::move(reads);
  fresh.writes = std::move(writes);
  fresh.fabric = std::move(fabric);
  *this = std::move(fresh);
}

namespace {

/// Instructions that a thread executes before it checks whether the run was
/// cancelled: one of the compute engine may take a millisecond.
constexpr std::int64_t kComputeSlice = 32, kDataMovementSlice = 1024;

/// The other threads of the core may fill the pages that tiles come from.
void settle(Thread &t) {
  if (t.kind() == KernelKind::Tensix && t.core->compute->dst.hasPairs())
    t.core->compute->dst.settle();
}

} // namespace

void runThread(Thread &t) {
  const Op *op = t.next;
  const std::int64_t budget = t.budget;
  const std::int64_t slice =
      t.kind() == KernelKind::Tensix ? kComputeSlice : kDataMovementSlice;
  std::int64_t left = budget;
  t.state = State::Ready;
  if (t.native) {
    const std::int64_t executed = t.native->run(budget, slice);
    settle(t);
    t.steps += std::uint64_t(executed);
    t.budget -= executed;
    return;
  }
  while (op && left > 0) {
    numerics::checkCancelled();
    const std::int64_t end = std::max<std::int64_t>(0, left - slice);
    if (!t.events)
      for (; op && left > end; --left)
        op = op->run(t, op);
    else
      for (; op && left > end; --left) {
        t.sinceEvent += op->takesTime;
        op = op->run(t, op);
      }
  }
  if (op)
    t.next = op;
  settle(t);
  // An instruction that waits has not been executed.
  const bool waits = t.state == State::Blocked;
  const std::int64_t executed = budget - left - waits;
  t.sinceEvent -= waits && t.events;
  t.steps += std::uint64_t(executed);
  t.budget -= budget - left;
}

void failSteps(const Thread &t) {
  fail(t, t.next, FaultKind::StepLimit, "the kernel executed ", t.steps,
       " instructions and has not ended; expected at most ",
       t.machine->options.stepLimit);
}

namespace {

/// Whether checks with these options find the same whatever the data is.
bool checksRepeat(const Mesh &mesh, const LaunchOptions &options) {
  if (!options.checks || (kUsualChecks & ~options.checkKinds) || mesh.sawData)
    return false;
  for (const auto &machine : mesh.machines) {
    for (const Code *code : machine->codes)
      if (code->loadsData || code->kernel->unchecked)
        return false;
    if (machine->watch &&
        std::ranges::any_of(machine->watch->dram, &TouchedMemory::excused))
      return false;
  }
  return true;
}

bool runTurn(Thread &t) {
  const std::uint64_t before = t.steps;
  runThread(t);
  return t.steps != before;
}

/// Faults are kept, so that the first core's is reported however the cores are
/// spread over the host's threads.
void runCores(const std::vector<Core *> &running) {
  numerics::parallelFor(0, std::int64_t(running.size()), 1,
                        [&](std::int64_t first, std::int64_t last) {
                          for (; first < last; ++first) {
                            Core &core = *running[std::size_t(first)];
                            try {
                              runCore(core, runTurn);
                            } catch (...) {
                              core.fault = std::current_exception();
                            }
                          }
                          numerics::endStreams();
                        });
}

} // namespace

void runRounds(Mesh &mesh,
               const std::function<void(const std::vector<Core *> &)> &run) {
  std::vector<Core *> running;
  for (const auto &machine : mesh.machines)
    for (std::uint32_t index : machine->active)
      running.push_back(&machine->cores[index]);
  // A rank whose threads have ended takes part as long as others run.
  mesh.round.running = !running.empty();
  while (mesh.round.running) {
    ++mesh.result.rounds;
    run(running);
    bool progressed = false;
    for (Core *core : running) {
      if (core->fault)
        std::rethrow_exception(core->fault);
      progressed |= core->progressed;
      for (DebugPrint &line : core->prints) {
        line.round = mesh.result.rounds;
        mesh.result.prints.push_back(std::move(line));
      }
      core->prints.clear();
    }
    std::erase_if(running, [](const Core *core) { return !core->running(); });
    mesh.round = {progressed, !running.empty()};
    const bool arrived = exchange(mesh);
    // Ranks without waiting threads learn it in the next exchange.
    if (!mesh.round.progressed && !arrived && !running.empty())
      reportDeadlock(mesh);
  }
}

void record(Thread &thread, const Op *op, EventKind kind, Event details) {
  if (!thread.events)
    return;
  details.kind = kind;
  details.calls = thread.sinceEvent;
  thread.sinceEvent = 0;
  details.opcode = op->opcode;
  details.engine = thread.kind() == KernelKind::Tensix
                       ? signatureOf(details.opcode).engine
                       : Engine::DataMovement;
  thread.events->events.push_back(details);
}

FaultChip faultChip(const Machine &machine) {
  if (machine.mesh->machines.size() == 1)
    return {};
  return {int(machine.device), int(machine.chip->id())};
}

std::string chipText(const Machine &machine) {
  return describeChip(faultChip(machine));
}

std::string coreText(const Core &core) {
  return describeCore({core.y, core.x}, faultChip(*core.machine));
}

FaultPlace placeOf(const Thread &thread, const Op *op) {
  FaultPlace place;
  place.core = {thread.core->y, thread.core->x};
  place.chip = faultChip(*thread.machine);
  place.kernel = thread.code->kernel->name;
  place.thread = threadName(thread.kind());
  if (thread.native) {
    place.location = thread.native->locationOf(op);
    if (thread.native->isScalar(op)) {
      place.instruction = "C++";
      return place;
    }
  }
  const Signature &signature = signatureOf(op->opcode);
  // What every thread may execute is no engine's, but for unpacker and packer
  // waiting for pages.
  const bool ofEngine =
      signature.threads != Threads::Any || signature.engine != Engine::Math;
  if (thread.kind() == KernelKind::Tensix && ofEngine)
    switch (signature.engine) {
    case Engine::Unpack:
      place.thread = "unpack";
      break;
    case Engine::Math:
      place.thread = "math";
      break;
    case Engine::Pack:
      place.thread = "pack";
      break;
    case Engine::DataMovement:
      break;
    }
  place.instruction = ::tt::target::metal::EnumNameOpcode(op->opcode);
  if (!thread.native) {
    const std::size_t index = std::size_t(op - thread.code->ops.data());
    const KernelProgram &program = thread.program();
    place.location = program.locationOf(program.instructions[index]);
    place.instruction += " #" + std::to_string(index);
  }
  return place;
}

LaunchResult launch(const LaunchChips &chips, const Launch &program,
                    const LaunchOptions &options) {
  return launch(chips, program, program.live, options);
}

LaunchResult launch(const LaunchChips &chips, const Launch &launch,
                    std::span<const LiveBuffer> live,
                    const LaunchOptions &options) {
  std::unique_ptr<Mesh> mesh = prepare(chips, launch, live, options);
  if (options.debugger)
    runDebugged(*mesh, options.debugger->session());
  else
    runRounds(*mesh, runCores);
  std::vector<Leftover> leftovers;
  if (options.checks) {
    keepWritten(*mesh);
    leftovers = findLeftovers(*mesh);
  }
  for (const auto &machine : mesh->machines)
    for (std::uint32_t index : machine->active)
      for (const auto &thread : machine->cores[index].threads)
        mesh->result.instructions += thread->steps;
  mesh->result.checksRepeat = checksRepeat(*mesh, options);
  joinResults(*mesh, std::move(leftovers));
  LaunchResult result = std::move(mesh->result);
  if (chips.memory)
    chips.memory->mesh = std::move(mesh);
  return result;
}

LaunchResult launch(Chip &chip, const Launch &program,
                    const LaunchOptions &options) {
  return launch(LaunchChips{{&chip}}, program, options);
}

} // namespace tt::runtime::emulator
