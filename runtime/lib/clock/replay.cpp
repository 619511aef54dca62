// Setting up a replay, and its loop.
#include "clock/replay_state.h"
#include "numerics/cancel.h"

#include <algorithm>

namespace tt::runtime::clock::timing {

namespace {

TrackKey::Lane laneOf(Role role, int noc) {
  switch (role) {
  case Role::Data:
    return noc ? TrackKey::Noc1 : TrackKey::Noc0;
  case Role::Unpack:
    return TrackKey::Unpack;
  case Role::Math:
    return TrackKey::Math;
  case Role::Pack:
    return TrackKey::Pack;
  }
  return TrackKey::Noc0;
}

} // namespace

Replay::Replay(const Recording &recording,
               std::span<const ChipGeometry *const> chips, FabricTime *fabric,
               Trace *trace, double start)
    : recording_(recording), fabric_(fabric),
      arch_(archData(chips.front()->arch)), timing_(arch_.timing),
      trace_(trace), start_(start) {
  chips_.reserve(chips.size());
  for (const ChipGeometry *chip : chips)
    chips_.push_back(
        {chip, NocMap(*chip),
         NocTime(timing_, *chip, trace, start,
                 recording.device + std::uint32_t(chips_.size()))});
  addCores();
  addProcesses();
}

std::uint32_t Replay::workerOf(const ThreadEvents &thread) const {
  return std::uint32_t(thread.coreY * chips_[thread.device].geometry->gridX +
                       thread.coreX);
}

void Replay::addCores() {
  std::unordered_map<std::uint64_t, std::size_t> index;
  for (const ThreadEvents &thread : recording_.threads) {
    const std::uint32_t worker = workerOf(thread);
    const std::uint64_t key = workerKey(thread.device, worker);
    if (index.try_emplace(key, cores_.size()).second) {
      CoreState &core = cores_.emplace_back();
      core.device = thread.device;
      core.worker = worker;
      core.use.device = int(thread.device);
      core.use.y = thread.coreY;
      core.use.x = thread.coreX;
    }
    CoreState &core = cores_[index[key]];
    for (const Event &event : thread.events)
      if (event.kind == EventKind::CbPush)
        ++core.pages[event.port].pushes;
      else if (event.kind == EventKind::CbPop)
        ++core.pages[event.port].pops;
  }
  for (CoreState &core : cores_)
    for (Pages &pages : core.pages) {
      pages.pushed.reserve(pages.pushes);
      pages.popped.reserve(pages.pops);
    }
  for (const Recording::Buffer &buffer : recording_.buffers)
    for (const CoreRange &range : buffer.cores)
      for (CoreState &core : cores_)
        if (core.use.y >= range.y && core.use.y < range.y + range.height &&
            core.use.x >= range.x && core.use.x < range.x + range.width)
          core.pages[buffer.port].capacity = buffer.pages;
}

void Replay::addProcesses() {
  std::size_t count = 0;
  for (const ThreadEvents &thread : recording_.threads)
    count += thread.compute ? 3 : 1;
  processes_.reserve(count);
  std::unordered_map<std::uint64_t, CoreState *> byWorker;
  for (CoreState &core : cores_)
    byWorker[workerKey(core.device, core.worker)] = &core;
  for (const ThreadEvents &thread : recording_.threads)
    for (const Role role : {Role::Data, Role::Unpack, Role::Math, Role::Pack}) {
      if ((role == Role::Data) == thread.compute)
        continue;
      Process &process = processes_.emplace_back();
      process.role = role;
      process.thread = &thread;
      process.core = byWorker[workerKey(thread.device, workerOf(thread))];
      process.lastThere.resize(chips_.size());
      process.compute = &recording_.kernels[thread.kernel].compute;
      if (!trace_)
        continue;
      process.track = trace_->track(
          TrackKey::thread(recording_.device + thread.device, thread.coreY,
                           thread.coreX, laneOf(role, thread.noc)));
      trace_->open(process.track, recording_.kernels[thread.kernel].name,
                   Category::Kernel, start_);
    }
}

//===-- The simulation ----------------------------------------------------===//

ReplayResult Replay::run() {
  for (std::uint32_t i = 0; i < processes_.size(); ++i)
    eager_.push_back(i);
  for (;;) {
    eager();
    if (ordered_.empty()) {
      const bool over = std::all_of(processes_.begin(), processes_.end(),
                                    [](const Process &p) { return p.done; });
      if (over)
        break;
      forceOne();
      continue;
    }
    const ReadyQueue::Ready ready = ordered_.pop();
    if (ready.order >= processes_.size()) {
      const Delivery &word = deliveries_[ready.order - processes_.size()];
      Semaphore &target = semaphoreOf(word.worker, word.address);
      target.value = word.increment ? target.value + word.value : word.value;
      target.source = word.source;
      for (std::uint32_t waiter : target.waiters)
        processes_[waiter].now.await(word.moment);
      wake(target.waiters);
      continue;
    }
    Process &process = processes_[ready.order];
    process.queued = false;
    const Event &event = process.thread->events[process.at];
    if (step(process, event, true) == Outcome::Next) {
      ++process.at;
      process.charged = false;
      eager_.push_back(std::uint32_t(ready.order));
    }
  }
  collect();
  return std::move(result_);
}

void Replay::collect() {
  Moment last;
  for (const Process &process : processes_) {
    CoreUse &use = process.core->use;
    double &busy = process.role == Role::Unpack ? use.unpack
                   : process.role == Role::Math ? use.math
                   : process.role == Role::Pack ? use.pack
                   : process.thread->noc        ? use.noc1
                                                : use.noc0;
    busy = process.busy;
    use.end = std::max(use.end, process.end().time);
    last.await(process.end());
  }
  closeTracks(last.time);
  result_.cycles = last.time;
  result_.parts = last.timeParts();
  for (const CoreState &core : cores_) {
    const CoreUse &use = core.use;
    result_.computeCycles =
        std::max({result_.computeCycles, use.unpack, use.math, use.pack});
    result_.cores.push_back(use);
  }
  for (std::size_t device = 0; device < chips_.size(); ++device) {
    const NocTime &noc = chips_[device].noc;
    result_.memoryCycles = std::max(result_.memoryCycles, noc.busiest());
    for (LinkUse &link : noc.links()) {
      link.device = int(device);
      result_.links.push_back(link);
    }
    for (ChannelUse &channel : noc.channels()) {
      channel.device = int(device);
      result_.channels.push_back(channel);
    }
  }
  if (fabric_)
    result_.ethernet = fabric_->use();
  collectKernels();
}

void Replay::closeTracks(double cycles) {
  if (!trace_)
    return;
  constexpr SliceKind kFurther{"further blocks", Category::Estimate, "blocks"};
  const std::optional<Recording::Whole> &whole = recording_.whole;
  // Chips that do the same are parts of one op.
  if (whole && recording_.device == 0)
    trace_->annotate({{"blocks", std::uint64_t(whole->blocks)},
                      {"modelled_blocks", std::uint64_t(whole->modelled)}});
  for (const Process &process : processes_) {
    double end = start_ + process.end().time;
    if (whole) {
      const double further = end + whole->cycles - cycles;
      trace_->add(process.track, kFurther, end, further,
                  std::uint32_t(whole->blocks - whole->modelled));
      end = further;
    }
    trace_->close(process.track, end);
  }
}

void Replay::collectKernels() {
  std::vector<KernelUse> uses(recording_.kernels.size());
  const ThreadEvents *thread = nullptr;
  for (const Process &process : processes_) {
    KernelUse &use = uses[process.thread->kernel];
    const double begin = std::max(0.0, process.begin);
    use.begin = use.cores ? std::min(use.begin, begin) : begin;
    if (const Moment end = process.end(); end.time >= use.end) {
      use.end = end.time;
      use.parts = end.timeParts();
    }
    use.busy = std::max(use.busy, process.busy);
    // The three engines of a compute thread follow each other.
    use.cores += process.thread != thread;
    thread = process.thread;
    use.thread =
        thread->compute ? "compute" : "noc" + std::to_string(thread->noc);
  }
  for (std::size_t i = 0; i < uses.size(); ++i)
    if (uses[i].cores) {
      uses[i].name = recording_.kernels[i].name;
      uses[i].location = recording_.kernels[i].location;
      result_.kernels.push_back(std::move(uses[i]));
    }
}

/// Runs every process until it must wait, or does what has to happen in order.
void Replay::eager() {
  while (!eager_.empty()) {
    Process &process = processes_[eager_.back()];
    eager_.pop_back();
    advance(process);
  }
}

void Replay::advance(Process &process) {
  numerics::checkCancelled();
  const std::vector<Event> &events = process.thread->events;
  while (!process.done && !process.queued) {
    if (process.at == events.size()) {
      process.done = true;
      // The packer's last section and the math's.
      if (process.role == Role::Math && !process.packing)
        grow(process.core->computed, {process.engine, process.engine});
      return;
    }
    const Event &event = events[process.at];
    if (!process.charged) {
      // The last call is the event, whose cost is counted by its kind.
      if (event.calls > 1) {
        const double cycles = (event.calls - 1.0) * timing_.riscCyclesPerCall;
        process.now.spend(process.own(), cycles);
        if (process.role == Role::Data)
          process.busy += cycles;
      }
      process.charged = true;
    }
    switch (step(process, event, false)) {
    case Outcome::Blocked:
      return;
    case Outcome::Ordered:
      process.queued = true;
      ordered_.push({process.now.time, indexOf(process)});
      return;
    case Outcome::Next:
      ++process.at;
      process.charged = false;
    }
  }
}

Replay::Outcome Replay::step(Process &process, const Event &event,
                             bool inOrder) {
  switch (process.role) {
  case Role::Data:
    return data(process, event, inOrder);
  case Role::Unpack:
    return unpack(process, event);
  case Role::Math:
    return math(process, event);
  case Role::Pack:
    return pack(process, event);
  }
  return Outcome::Next;
}

const Moment *Replay::await(Process &process, Counter &counter,
                            std::uint64_t count, Counter::Cursor &cursor) {
  const Moment *moment = counter.reached(count, cursor);
  if (!moment)
    counter.waiters.push_back(indexOf(process));
  return moment;
}

/// Resumes the first process whose wait nothing else will end.
void Replay::forceOne() {
  Process *first = nullptr;
  for (Process &process : processes_)
    if (!process.done && (!first || process.now.time < first->now.time))
      first = &process;
  ++result_.forced;
  ++first->at;
  first->charged = false;
  eager_.push_back(indexOf(*first));
}

} // namespace tt::runtime::clock::timing

namespace tt::runtime::clock {

ReplayResult replay(const Recording &recording,
                    std::span<const ChipGeometry *const> chips,
                    FabricTime *fabric, Trace *trace, double start) {
  if (fabric) {
    fabric->restart();
    fabric->keepSlices(trace != nullptr);
  }
  ReplayResult result =
      timing::Replay(recording, chips, fabric, trace, start).run();
  if (fabric && trace)
    fabric->addTo(*trace, "packets", start);
  if (fabric)
    fabric->keepSlices(false);
  return result;
}

} // namespace tt::runtime::clock
