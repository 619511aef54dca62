// What data movement threads do in a replay: pages, transfers, semaphores.
#include "emulator/replay_state.h"

#include <algorithm>

namespace tt::runtime::emulator::timing {

using ::tt::target::metal::EnumNameOpcode;

namespace {

constexpr SliceKind kWaitFront{"cb_wait_front", Category::Wait, "cb", false};
constexpr SliceKind kWaitBack{"cb_reserve_back", Category::Wait, "cb", false};
constexpr SliceKind kWaitSemaphore{"noc_semaphore_wait", Category::Wait,
                                   "semaphore", false};

} // namespace

void Replay::sliceWait(Process &process, const SliceKind &kind, double begin,
                       double time, double cycles, std::uint32_t number,
                       Trace::Mark source) {
  if (!trace_ || time <= begin)
    return;
  slice(process, kind, begin, time, number);
  const SliceKind resumed{kind.name, Category::Sync, kind.unit, false};
  trace_->flow(source, slice(process, resumed, time, time + cycles, number));
}

//===-- Circular buffers --------------------------------------------------===//

Replay::Outcome Replay::waitPages(Process &process, const Event &event) {
  Pages &pages = process.core->pages[event.port];
  Process::Port &port = process.ports[event.port];
  double time = 0;
  if (pages.anyPush && !await(process, pages.pushed, port.popped + event.count,
                              port.pushes, time))
    return Outcome::Blocked;
  sliceWait(process, kWaitFront, process.time, time, timing_.cbCycles,
            event.port, pages.pushed.source(port.pushes));
  process.time = std::max(process.time, time) + timing_.cbCycles;
  return Outcome::Next;
}

Replay::Outcome Replay::waitRoom(Process &process, const Event &event) {
  Pages &pages = process.core->pages[event.port];
  Process::Port &port = process.ports[event.port];
  const std::uint64_t wanted = port.pushed + event.count;
  double time = 0;
  if (pages.anyPop && pages.capacity && wanted > pages.capacity &&
      !await(process, pages.popped, wanted - pages.capacity, port.pops, time))
    return Outcome::Blocked;
  sliceWait(process, kWaitBack, process.time, time, timing_.cbCycles,
            event.port, pages.popped.source(port.pops));
  process.time = std::max(process.time, time) + timing_.cbCycles;
  return Outcome::Next;
}

/// A push or pop from `begin` on that others see at `time`.
void Replay::movePages(Process &process, const Event &event, double begin,
                       double time) {
  Pages &pages = process.core->pages[event.port];
  const bool push = event.kind == EventKind::CbPush;
  Process::Port &port = process.ports[event.port];
  (push ? port.pushed : port.popped) += event.count;
  Trace::Mark source;
  if (trace_) {
    // Where the engine is behind, its last slice is what others wait for.
    source = slice(
        process,
        {EnumNameOpcode(event.opcode), Category::Sync, "cb", /*addsUp=*/false},
        begin, process.time, event.port);
    if (!source)
      source = trace_->last(process.track);
  }
  grow(push ? pages.pushed : pages.popped, event.count, time, source);
}

//===-- Data movement -----------------------------------------------------===//

Replay::Outcome Replay::data(Process &process, const Event &event,
                             bool inOrder) {
  const auto waitFor = [&](double time, const char *name) {
    slice(process, {name, Category::Wait}, process.time, time);
    process.time = std::max(process.time, time);
    return Outcome::Next;
  };
  switch (event.kind) {
  case EventKind::CbWait:
    return waitPages(process, event);
  case EventKind::CbReserve:
    return waitRoom(process, event);
  case EventKind::CbPush:
  case EventKind::CbPop: {
    const double begin = process.time;
    process.time += timing_.cbCycles;
    process.busy += timing_.cbCycles;
    movePages(process, event, begin, process.time);
    return Outcome::Next;
  }
  case EventKind::ReadBarrier:
    return waitFor(process.reads, "noc_async_read_barrier");
  case EventKind::WriteBarrier:
    return waitFor(process.writes, "noc_async_write_barrier");
  case EventKind::WritesFlushed:
    return waitFor(process.departed, "noc_async_writes_flushed");
  case EventKind::AtomicBarrier:
    return waitFor(process.atomics, "noc_async_atomic_barrier");
  case EventKind::FabricBarrier:
    return waitFor(process.fabric, "fabric_async_write_barrier");
  case EventKind::LocalMove: {
    const double cycles = event.bytes / timing_.riscMoveBytesPerCycle;
    slice(process,
          {EnumNameOpcode(event.opcode), Category::DataMovement, "bytes"},
          process.time, process.time + cycles, event.bytes);
    process.time += cycles;
    process.busy += cycles;
    return Outcome::Next;
  }
  case EventKind::Compute:
  case EventKind::Finish:
    return Outcome::Next;
  case EventKind::SemaphoreWait:
    return inOrder ? semaphore(process, event) : Outcome::Ordered;
  default:
    return inOrder ? transfer(process, event) : Outcome::Ordered;
  }
}

/// What the thread does for a transfer from `begin` on.
Trace::Mark Replay::sliceTransfer(const Process &process, const Event &event,
                                  double begin) {
  const char *name = EnumNameOpcode(event.opcode);
  switch (event.kind) {
  case EventKind::NocRead:
  case EventKind::NocWrite:
  case EventKind::NocMulticast:
  case EventKind::FabricWrite:
    return slice(process, {name, Category::DataMovement, "bytes"}, begin,
                 process.time, event.bytes);
  default:
    return slice(process, {name, Category::Sync, "semaphore", false}, begin,
                 process.time, event.address);
  }
}

Replay::Outcome Replay::transfer(Process &process, const Event &event) {
  const int noc = process.thread->noc;
  const std::uint32_t own = process.core->worker, chip = process.core->device;
  NocTime &net = chips_[chip].noc;
  const bool read = event.kind == EventKind::NocRead;
  const double begin = process.time;
  double issue =
      read ? timing_.nocReadIssueCycles : timing_.nocWriteIssueCycles;
  if (event.opcode == Opcode::noc_async_read_page ||
      event.opcode == Opcode::noc_async_write_page)
    issue += timing_.nocPageAddressCycles;
  const NocMap &map = chips_[chip].map;
  const NocMap::Node node = map.at(event.remote.x, event.remote.y);
  const bool local = event.kind == EventKind::SemaphoreSet &&
                     event.opcode == Opcode::noc_semaphore_set;
  if (local) {
    deliver(begin, workerKey(chip, own), event.address, event.value, false,
            trace_ ? trace_->last(process.track) : Trace::Mark());
    return Outcome::Next;
  }
  process.time += issue;
  process.busy += issue;
  const Trace::Mark source = sliceTransfer(process, event, begin);
  constexpr double kWord = 4;
  switch (event.kind) {
  case EventKind::NocRead: {
    const auto times = net.read(noc, own, node, event.bytes, process.time);
    process.reads = std::max(process.reads, times.completed);
    break;
  }
  case EventKind::NocMulticast:
  case EventKind::SemaphoreMulticast: {
    const NocMap::Node end = map.at(event.remoteEnd.x, event.remoteEnd.y);
    const int gridX = int(chips_[chip].geometry->gridX);
    const bool word = event.kind == EventKind::SemaphoreMulticast;
    const auto times = net.multicast(
        noc, own, int(node.index) % gridX, int(node.index) / gridX,
        int(end.index) % gridX, int(end.index) / gridX,
        word ? kWord : double(event.bytes), process.time);
    process.departed = std::max(process.departed, times.departed);
    process.writes = std::max(process.writes, times.completed);
    if (word) {
      process.atomics = std::max(process.atomics, times.completed);
      deliverRectangle(process, event, times.arrived, source);
    }
    break;
  }
  case EventKind::FabricWrite:
  case EventKind::FabricInc:
    sendFabric(process, event, source);
    break;
  default: {
    const bool write = event.kind == EventKind::NocWrite;
    const auto times = net.write(
        noc, own, node, write ? double(event.bytes) : kWord, process.time);
    process.departed = std::max(process.departed, times.departed);
    const bool atomic = event.kind == EventKind::SemaphoreInc;
    double &last = atomic ? process.atomics : process.writes;
    last = std::max(last, times.completed);
    if (atomic || event.kind == EventKind::SemaphoreSet)
      deliver(times.arrived, workerKey(chip, node.index), event.address,
              event.value, atomic, source);
  }
  }
  return Outcome::Next;
}

/// Over the network to the Ethernet core, over the links, and over the other
/// chip's network: the bytes of a packet follow each other, so the networks,
/// which are faster than a link, add the time of one word. To the same chip it
/// is a write on the network.
void Replay::sendFabric(Process &process, const Event &event,
                        Trace::Mark source) {
  constexpr double kWord = 4;
  const std::uint32_t from = process.core->device, to = event.device;
  const int noc = process.thread->noc;
  const bool write = event.kind == EventKind::FabricWrite;
  const double bytes = write ? double(event.bytes) : kWord;
  const NocMap::Node node = chips_[to].map.at(event.remote.x, event.remote.y);
  double arrived;
  if (to == from) {
    arrived =
        chips_[from]
            .noc.write(noc, process.core->worker, node, bytes, process.time)
            .arrived;
  } else {
    Fabric::Message message;
    message.bytes = std::int64_t(bytes);
    message.pace = timing_.nocLinkBytesPerCycle;
    const double latency =
        timing_.nocHopCycles * (timing_.nocWidth + timing_.nocHeight) / 2;
    arrived =
        fabric_->send(from, to, message, process.time + latency) + latency;
  }
  double &last = process.lastThere[to];
  arrived = last = std::max(last, arrived);
  process.fabric = std::max(process.fabric, arrived);
  if (!write)
    deliver(arrived, workerKey(to, node.index), event.address, event.value,
            true, source);
}

//===-- Semaphores --------------------------------------------------------===//

Semaphore &Replay::semaphoreOf(std::uint64_t worker, std::uint32_t address) {
  const auto [found, made] = semaphores_.try_emplace(worker << 32 | address);
  if (made)
    if (const auto initial = initial_.find(address); initial != initial_.end())
      found->second.value = initial->second;
  return found->second;
}

void Replay::deliver(double time, std::uint64_t worker, std::uint32_t address,
                     std::uint32_t value, bool increment, Trace::Mark source) {
  ordered_.push({time, processes_.size() + sent_++, ~0u, worker, address, value,
                 increment, source});
}

void Replay::deliverRectangle(const Process &process, const Event &event,
                              double time, Trace::Mark source) {
  const bool increment = event.opcode == Opcode::noc_semaphore_inc_multicast;
  const bool self =
      event.opcode == Opcode::noc_semaphore_set_multicast_loopback_src;
  const std::uint32_t chip = process.core->device;
  const auto [x0, x1] = std::minmax(event.remote.x, event.remoteEnd.x);
  const auto [y0, y1] = std::minmax(event.remote.y, event.remoteEnd.y);
  for (std::uint32_t y = y0; y <= y1; ++y)
    for (std::uint32_t x = x0; x <= x1; ++x)
      if (const NocMap::Node node = chips_[chip].map.at(x, y);
          node.kind == NocMap::Node::Worker &&
          (self || node.index != process.core->worker))
        deliver(time, workerKey(chip, node.index), event.address, event.value,
                increment, source);
}

Replay::Outcome Replay::semaphore(Process &process, const Event &event) {
  Semaphore &target = semaphoreOf(
      workerKey(process.core->device, process.core->worker), event.address);
  const bool minimum = event.opcode == Opcode::noc_semaphore_wait_min;
  if (minimum ? target.value >= event.value : target.value == event.value) {
    if (process.blocked >= 0)
      sliceWait(process, kWaitSemaphore, process.blocked, process.time,
                timing_.cbCycles, event.address, target.source);
    process.blocked = -1;
    process.time += timing_.cbCycles;
    return Outcome::Next;
  }
  if (process.blocked < 0)
    process.blocked = process.time;
  // Tried again, in order, when the word changes.
  target.waiters.push_back(std::uint32_t(&process - processes_.data()));
  return Outcome::Blocked;
}

} // namespace tt::runtime::emulator::timing
