// What data movement threads do in a replay: pages, transfers, semaphores.
#include "clock/replay_state.h"

#include <algorithm>

namespace tt::runtime::clock::timing {

using ::tt::target::metal::EnumNameOpcode;

namespace {

constexpr SliceKind kWaitFront{"cb_wait_front", Category::Wait, "cb", false};
constexpr SliceKind kWaitBack{"cb_reserve_back", Category::Wait, "cb", false};
constexpr SliceKind kPush{"cb_push_back", Category::Sync, "cb", false};
constexpr SliceKind kPop{"cb_pop_front", Category::Sync, "cb", false};
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
  Moment ready;
  if (pages.pushes > 0) {
    const Moment *pushed =
        await(process, pages.pushed, port.popped + event.count, port.pushes);
    if (!pushed)
      return Outcome::Blocked;
    ready = *pushed;
  }
  sliceWait(process, kWaitFront, process.now.time, ready.time, timing_.cbCycles,
            event.port, pages.pushed.source(port.pushes));
  process.now.await(ready);
  process.now.spend(process.own(), timing_.cbCycles);
  return Outcome::Next;
}

Replay::Outcome Replay::waitRoom(Process &process, const Event &event) {
  Pages &pages = process.core->pages[event.port];
  Process::Port &port = process.ports[event.port];
  const std::uint64_t wanted = port.pushed + event.count;
  const bool full = pages.pops > 0 && pages.capacity && wanted > pages.capacity;
  Moment free;
  if (full) {
    const Moment *popped =
        await(process, pages.popped, wanted - pages.capacity, port.pops);
    if (!popped)
      return Outcome::Blocked;
    free = *popped;
  }
  sliceWait(process, kWaitBack, process.now.time, free.time, timing_.cbCycles,
            event.port, pages.popped.source(port.pops));
  process.now.await(free);
  process.now.spend(process.own(), timing_.cbCycles);
  return Outcome::Next;
}

/// A push or pop from `begin` on that others see at a moment.
void Replay::movePages(Process &process, const Event &event, double begin,
                       const Moment &moment) {
  Pages &pages = process.core->pages[event.port];
  const bool push = event.kind == EventKind::CbPush;
  Process::Port &port = process.ports[event.port];
  (push ? port.pushed : port.popped) += event.count;
  Trace::Mark source;
  if (trace_) {
    // Where the engine is behind, its last slice is what others wait for.
    source = slice(process, push ? kPush : kPop, begin, process.now.time,
                   event.port);
    if (!source)
      source = trace_->last(process.track);
  }
  Counter &counter = push ? pages.pushed : pages.popped;
  counter.add(event.count, moment, source);
  wake(counter.waiters);
}

//===-- Data movement -----------------------------------------------------===//

Replay::Outcome Replay::data(Process &process, const Event &event,
                             bool inOrder) {
  const auto waitFor = [&](const Moment &moment, const char *name) {
    slice(process, {name, Category::Wait}, process.now.time, moment.time);
    process.now.await(moment);
    return Outcome::Next;
  };
  switch (event.kind) {
  case EventKind::CbWait:
    return waitPages(process, event);
  case EventKind::CbReserve:
    return waitRoom(process, event);
  case EventKind::CbPush:
  case EventKind::CbPop: {
    const double begin = process.now.time;
    process.now.spend(Part::Noc, timing_.cbCycles);
    process.busy += timing_.cbCycles;
    movePages(process, event, begin, process.now);
    return Outcome::Next;
  }
  case EventKind::ReadBarrier:
    if (event.value)
      return waitFor(process.readsById.of(event.value),
                     "noc_async_read_barrier_with_trid");
    return waitFor(process.reads, "noc_async_read_barrier");
  case EventKind::WriteBarrier:
    if (event.value)
      return waitFor(process.writesById.of(event.value),
                     "noc_async_write_barrier_with_trid");
    return waitFor(process.writes, "noc_async_write_barrier");
  case EventKind::WritesFlushed:
    return waitFor(process.departed, "noc_async_writes_flushed");
  case EventKind::AtomicBarrier:
    return waitFor(process.atomics, "noc_async_atomic_barrier");
  case EventKind::FabricBarrier:
    return waitFor(process.fabric, "fabric_async_write_barrier");
  case EventKind::LocalMove: {
    const double cycles = event.bytes / timing_.riscMoveBytesPerCycle;
    const double begin = process.now.time;
    process.now.spend(Part::Noc, cycles);
    slice(process,
          {EnumNameOpcode(event.opcode), Category::DataMovement, "bytes"},
          begin, process.now.time, event.bytes);
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
                 process.now.time, event.bytes);
  default:
    return slice(process, {name, Category::Sync, "semaphore", false}, begin,
                 process.now.time, event.address);
  }
}

void Replay::countBytes(const Event &event, NocMap::Node node) {
  Traffic &traffic = result_.traffic;
  const std::uint64_t bytes = event.bytes;
  const bool dram = node.kind == NocMap::Node::Dram;
  switch (event.kind) {
  case EventKind::NocRead:
    (dram ? traffic.dramRead : traffic.l1Read) += bytes;
    traffic.l1Write += bytes;
    traffic.noc += bytes;
    return;
  case EventKind::NocMulticast:
    traffic.l1Read += bytes;
    traffic.l1Write += bytes * event.count;
    traffic.noc += bytes * event.count;
    return;
  case EventKind::NocWrite:
  case EventKind::FabricWrite:
    (dram ? traffic.dramWrite : traffic.l1Write) += bytes;
    traffic.l1Read += bytes;
    traffic.noc += bytes;
    return;
  default:
    return;
  }
}

Replay::Outcome Replay::transfer(Process &process, const Event &event) {
  const int noc = process.thread->noc;
  const std::uint32_t own = process.core->worker, chip = process.core->device;
  NocTime &net = chips_[chip].noc;
  const bool read = event.kind == EventKind::NocRead;
  const Moment begin = process.now;
  double issue =
      read ? timing_.nocReadIssueCycles : timing_.nocWriteIssueCycles;
  if (event.opcode == Opcode::noc_async_read_page ||
      event.opcode == Opcode::noc_async_write_page)
    issue += timing_.nocPageAddressCycles;
  // Several transfers to one place are one here, issued one after the other.
  const double more = double(std::max(1u, event.count)) - 1;
  if (read && event.first == 1)
    issue += more * timing_.nocStatefulReadIssueCycles;
  else if (read || event.kind == EventKind::NocWrite)
    issue += more * issue;
  const bool fabric = event.kind == EventKind::FabricWrite ||
                      event.kind == EventKind::FabricInc;
  const NocMap &map = chips_[fabric ? event.device : chip].map;
  const NocMap::Node node = map.at(event.remote.x, event.remote.y);
  const bool local = event.kind == EventKind::SemaphoreSet &&
                     event.opcode == Opcode::noc_semaphore_set;
  if (local) {
    deliver(begin, workerKey(chip, own), event.address, event.value, false,
            trace_ ? trace_->last(process.track) : Trace::Mark());
    return Outcome::Next;
  }
  process.now.spend(Part::Noc, issue);
  process.busy += issue;
  if (process.begin < 0)
    process.begin = begin.time;
  const Trace::Mark source = sliceTransfer(process, event, begin.time);
  constexpr double kWord = 4;
  // Of what a transfer takes, `dram` cycles are the channel's; words that
  // others wait for are no data.
  const auto at = [&](double time, double dram, bool data = true) {
    Moment moment = process.now;
    const double flight = time - moment.time;
    moment.time = time;
    if (data) {
      const double channel = std::min(dram, flight);
      moment.parts[std::size_t(Part::Dram)] += channel;
      moment.parts[std::size_t(Part::Noc)] += flight - channel;
    }
    return moment;
  };
  countBytes(event, node);
  switch (event.kind) {
  case EventKind::NocRead: {
    const auto times = net.read(noc, own, node, event.bytes, process.now.time);
    const Moment completed = at(times.completed, times.dram);
    process.reads.await(completed);
    process.readsById.add(event.value, completed);
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
        word ? kWord : double(event.bytes), process.now.time);
    process.departed.await(at(times.departed, 0, !word));
    process.writes.await(at(times.completed, 0, !word));
    if (!word)
      process.writesById.add(event.value, at(times.completed, 0));
    if (word) {
      process.atomics.await(at(times.completed, 0, false));
      deliverRectangle(process, event, at(times.arrived, 0, false), source);
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
        noc, own, node, write ? double(event.bytes) : kWord, process.now.time);
    process.departed.await(at(times.departed, 0, write));
    const bool atomic = event.kind == EventKind::SemaphoreInc;
    const Moment completed = at(times.completed, times.dram, write);
    (atomic ? process.atomics : process.writes).await(completed);
    if (write)
      process.writesById.add(event.value, completed);
    if (atomic || event.kind == EventKind::SemaphoreSet)
      deliver(at(times.arrived, 0, false), workerKey(chip, node.index),
              event.address, event.value, atomic, source);
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
  Moment arrived = process.now;
  if (to == from) {
    const double time =
        chips_[from]
            .noc.write(noc, process.core->worker, node, bytes, process.now.time)
            .arrived;
    arrived.spend(Part::Noc, time - arrived.time);
  } else {
    FabricTime::Message message;
    message.bytes = std::int64_t(bytes);
    message.pace = timing_.nocLinkBytesPerCycle;
    const double latency =
        timing_.nocHopCycles * (timing_.nocWidth + timing_.nocHeight) / 2;
    const double time =
        fabric_->send(from, to, message, process.now.time + latency) + latency;
    arrived.spend(Part::Ethernet, time - arrived.time);
  }
  process.lastThere[to].await(arrived);
  arrived = process.lastThere[to];
  process.fabric.await(arrived);
  if (!write)
    deliver(arrived, workerKey(to, node.index), event.address, event.value,
            true, source);
}

//===-- Semaphores --------------------------------------------------------===//

Semaphore &Replay::semaphoreOf(std::uint64_t worker, std::uint32_t address) {
  const auto [found, made] = semaphores_.try_emplace(worker << 32 | address);
  if (made)
    if (const auto initial = recording_.semaphores.find(address);
        initial != recording_.semaphores.end())
      found->second.value = initial->second;
  return found->second;
}

void Replay::deliver(const Moment &moment, std::uint64_t worker,
                     std::uint32_t address, std::uint32_t value, bool increment,
                     Trace::Mark source) {
  const std::size_t index = deliveries_.size();
  deliveries_.push_back({moment, worker, address, value, increment, source});
  ordered_.push({moment.time, processes_.size() + index});
}

void Replay::deliverRectangle(const Process &process, const Event &event,
                              const Moment &moment, Trace::Mark source) {
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
        deliver(moment, workerKey(chip, node.index), event.address, event.value,
                increment, source);
}

Replay::Outcome Replay::semaphore(Process &process, const Event &event) {
  Semaphore &target = semaphoreOf(
      workerKey(process.core->device, process.core->worker), event.address);
  const bool minimum = event.opcode == Opcode::noc_semaphore_wait_min;
  if (minimum ? target.value >= event.value : target.value == event.value) {
    if (process.blocked >= 0)
      sliceWait(process, kWaitSemaphore, process.blocked, process.now.time,
                timing_.cbCycles, event.address, target.source);
    process.blocked = -1;
    process.now.time += timing_.cbCycles; // waiting
    return Outcome::Next;
  }
  if (process.blocked < 0)
    process.blocked = process.now.time;
  // Tried again, in order, when the word changes.
  target.waiters.push_back(indexOf(process));
  return Outcome::Blocked;
}

} // namespace tt::runtime::clock::timing
