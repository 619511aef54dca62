#include "emulator/noc_transfers.h"

#include "emulator/checks.h"
#include "numerics/cancel.h"
#include "numerics/parallel.h"

#include <algorithm>
#include <cstring>

namespace tt::runtime::emulator {

//===-- Sending -----------------------------------------------------------===//

Transfer makeTransfer(Thread &t, const Op *op, Transfer::Kind kind) {
  Transfer transfer{};
  transfer.kind = kind;
  transfer.thread = &t;
  transfer.op = op;
  if (t.core->watch)
    transfer.clock = t.core->watch->snapshot(threadOf(t));
  return transfer;
}

void releaseClock(Thread &t, Transfer &transfer, Actor behind,
                  const Area &area) {
  transfer.semaphore = isSemaphore(*t.machine, transfer.remote);
  if (t.core->watch)
    transfer.clock = t.core->watch->releaseBehind(threadOf(t), behind, area);
}

Area areaOf(const Machine &machine, std::uint32_t core) {
  const NocCoord at = machine.noc.worker(core);
  const auto x = std::uint32_t(at.x), y = std::uint32_t(at.y);
  return {machine.device, x, y, x, y};
}

Area areaOf(const Machine &machine, const Transfer &rectangle) {
  return {machine.device, rectangle.x0, rectangle.y0, rectangle.x1,
          rectangle.y1};
}

void send(Thread &t, const Op *op, Transfer::Kind kind, std::uint32_t core,
          std::uint64_t local, std::uint64_t remote, std::uint64_t bytes) {
  Transfer transfer = makeTransfer(t, op, kind);
  transfer.core = core;
  transfer.local = std::uint32_t(local);
  transfer.remote = std::uint32_t(remote);
  transfer.bytes = std::uint32_t(bytes);
  const bool reads = kind == Transfer::Kind::Read;
  if (t.core->watch)
    transfer.access = t.core->watch->begin(threadOf(t), reads ? Reads : Writes);
  ++(reads ? t.remoteReads : t.remoteWrites);
  t.core->outbox.push_back(transfer);
}

void sendWord(Thread &t, const Op *op, std::uint32_t core, std::uint64_t remote,
              std::uint32_t value) {
  Transfer transfer = makeTransfer(t, op, Transfer::Kind::Word);
  transfer.core = core;
  transfer.remote = std::uint32_t(remote);
  transfer.bytes = 4;
  transfer.value = value;
  releaseClock(t, transfer, Writes, areaOf(*t.machine, core));
  if (t.machine->checks())
    t.writes.add(0, 0);
  if (core == t.core->index)
    return applyWord(*t.core, transfer);
  ++t.remoteWrites;
  t.core->outbox.push_back(transfer);
}

void sendIncrement(Thread &t, const Op *op, std::uint32_t core,
                   std::uint64_t remote, std::uint32_t value) {
  Transfer transfer = makeTransfer(t, op, Transfer::Kind::Increment);
  transfer.core = core;
  transfer.remote = std::uint32_t(remote);
  transfer.bytes = 4;
  transfer.value = value;
  releaseClock(t, transfer, Writes, areaOf(*t.machine, core));
  t.atomicsOpen = true;
  if (core == t.core->index)
    return applyWord(*t.core, transfer);
  ++t.remoteAtomics;
  t.core->outbox.push_back(transfer);
}

Transfer rectangle(Thread &t, const Op *op, const NocAddress &to,
                   std::uint64_t destinations, bool loopback,
                   Transfer::Kind kind) {
  const bool backwards = t.kind() == KernelKind::Noc1;
  const bool ordered = backwards ? to.startX >= to.x && to.startY >= to.y
                                 : to.startX <= to.x && to.startY <= to.y;
  if (!ordered && t.machine->checks())
    fail(
        t, op, FaultKind::Multicast, "expected a rectangle whose start is not ",
        backwards ? "before its end on NoC 1, which runs backwards"
                  : "after its end on NoC 0",
        ", found x ", to.startX, " to ", to.x, ", y ", to.startY, " to ", to.y);
  Transfer transfer = makeTransfer(t, op, kind);
  transfer.unicast = false;
  transfer.loopback = loopback;
  transfer.x0 = std::min(to.startX, to.x);
  transfer.x1 = std::max(to.startX, to.x);
  transfer.y0 = std::min(to.startY, to.y);
  transfer.y1 = std::max(to.startY, to.y);
  transfer.remote = std::uint32_t(to.local);
  std::uint64_t cores = 0;
  bool inside = false;
  for (std::uint32_t y = transfer.y0; y <= transfer.y1; ++y)
    for (std::uint32_t x = transfer.x0; x <= transfer.x1; ++x) {
      const NocMap::Node node = nodeAt(t, op, x, y);
      if (node.kind != NocMap::Node::Worker)
        fail(t, op, FaultKind::Multicast,
             "expected only worker cores in the rectangle, found a DRAM "
             "channel at x ",
             x, ", y ", y);
      inside |= node.index == t.core->index;
      ++cores;
    }
  if (loopback && !inside)
    fail(t, op, FaultKind::Multicast, "expected the sender at x ",
         t.core->place.x, ", y ", t.core->place.y,
         " within the rectangle of a multicast with loopback, found x ",
         transfer.x0, " to ", transfer.x1, ", y ", transfer.y0, " to ",
         transfer.y1);
  const std::uint64_t expected = cores - (inside && !loopback);
  if (expected == 0)
    fail(t, op, FaultKind::Multicast,
         "expected a rectangle with cores other than the sender");
  if (destinations != expected)
    fail(t, op, FaultKind::Multicast, "expected ", expected,
         " destinations, the cores of the rectangle ",
         inside && !loopback ? "without the sender" : "", ", found ",
         destinations);
  return transfer;
}

void recordMulticast(Thread &t, const Op *op, EventKind kind,
                     const Transfer &transfer, std::uint64_t destinations) {
  if (!t.events)
    return;
  Event event{};
  event.remote = {std::uint8_t(transfer.x0), std::uint8_t(transfer.y0)};
  event.remoteEnd = {std::uint8_t(transfer.x1), std::uint8_t(transfer.y1)};
  event.count = std::uint32_t(destinations);
  event.bytes = transfer.bytes;
  event.address = transfer.remote;
  event.value = transfer.value;
  record(t, op, kind, event);
}

//===-- Applying ----------------------------------------------------------===//

bool isSemaphore(const Machine &machine, std::uint64_t address) {
  const std::uint64_t offset = address - machine.semaphores;
  return address >= machine.semaphores && offset % kSemaphoreBytes == 0 &&
         offset / kSemaphoreBytes < machine.launch->semaphores.size();
}

SemaphoreClock &semaphoreClock(Core &core, std::uint64_t address) {
  const Machine &machine = *core.machine;
  const std::uint64_t offset = address - machine.semaphores;
  return machine.watch->semaphore(core.index,
                                  std::uint32_t(offset / kSemaphoreBytes));
}

void applyWord(Core &core, const Transfer &transfer) {
  Machine &machine = *core.machine; // of another chip perhaps
  std::uint32_t value;
  std::byte *word = core.l1 + transfer.remote;
  std::memcpy(&value, word, 4);
  if (transfer.kind == Transfer::Kind::Increment) {
    if (machine.checks() && value > ~transfer.value)
      fail(*transfer.thread, transfer.op, FaultKind::Semaphore,
           Span{transfer.remote, transfer.remote + 4u}, "the semaphore at ",
           transfer.remote, " of ", coreText(core), " overflows: ", value,
           " + ", transfer.value);
    value += transfer.value;
  } else {
    value = transfer.value;
  }
  if (machine.watch) {
    const CoreWatch &sender = *transfer.thread->core->watch;
    if (transfer.semaphore) {
      SemaphoreClock &clock = semaphoreClock(core, transfer.remote);
      const VectorClock from = sender.snapshotAt(transfer.clock).copy();
      if (transfer.kind == Transfer::Kind::Increment)
        clock.increment(value, from);
      else
        clock.set(value, from);
    } else {
      checkRemoteWrite(core, transfer);
      core.watch->sendWord(transfer.remote,
                           sender.snapshotAt(transfer.clock).copy());
    }
  }
  std::memcpy(word, &value, 4);
}

namespace {

/// A transfer as one of its destinations sees it.
struct Delivery {
  const Transfer *transfer;
  std::uint32_t source; // the core that executes it
  std::uint32_t order;  // among the transfers of the round
};

/// Bytes of each L1 that transfers of a round read and write, by KiB.
class Footprint {
public:
  Footprint(std::size_t cores, std::uint64_t l1Bytes)
      : words_(l1Bytes / 65536 + 1), read_(cores * words_),
        written_(cores * words_) {}

  void read(std::uint32_t core, std::uint64_t begin, std::uint64_t bytes) {
    mark(read_, core, begin, bytes);
  }
  void write(std::uint32_t core, std::uint64_t begin, std::uint64_t bytes) {
    mark(written_, core, begin, bytes);
  }
  /// True if no byte is both read and written, so that order is immaterial
  /// except among the writes to one core.
  bool disjoint() const {
    for (std::size_t i = 0; i < read_.size(); ++i)
      if (read_[i] & written_[i])
        return false;
    return true;
  }

private:
  void mark(std::vector<std::uint64_t> &bits, std::uint32_t core,
            std::uint64_t begin, std::uint64_t bytes) {
    if (bytes)
      for (std::uint64_t k = begin >> 10; k <= (begin + bytes - 1) >> 10; ++k)
        bits[core * words_ + k / 64] |= std::uint64_t(1) << k % 64;
  }
  std::size_t words_;
  std::vector<std::uint64_t> read_, written_;
};

class Exchange {
public:
  explicit Exchange(Machine &machine) : machine_(machine) {}

  bool run() {
    if (std::ranges::all_of(machine_.active, [this](std::uint32_t core) {
          return machine_.cores[core].outbox.empty();
        }))
      return false;
    collect();
    if (machine_.watch)
      checkReads();
    if (std::size_t(std::count_if(inbox_.begin(), inbox_.end(),
                                  [](auto &box) { return !box.empty(); })) >
            1 &&
        footprint().disjoint())
      numerics::parallelFor(0, std::int64_t(inbox_.size()), 1,
                            [this](std::int64_t first, std::int64_t last) {
                              for (; first < last; ++first)
                                deliverAll(std::uint32_t(first));
                            });
    else
      deliverInOrder();
    finish();
    return true;
  }

private:
  /// Sorts what the cores sent by the core whose memory changes.
  void collect() {
    std::uint32_t order = 0;
    inbox_.resize(machine_.cores.size());
    for (std::uint32_t source : machine_.active)
      for (const Transfer &transfer : machine_.cores[source].outbox)
        distribute(transfer, source, order++);
  }

  void distribute(const Transfer &transfer, std::uint32_t source,
                  std::uint32_t order) {
    if (transfer.unicast) {
      const bool reads = transfer.kind == Transfer::Kind::Read;
      inbox_[reads ? source : transfer.core].push_back(
          {&transfer, source, order});
      return;
    }
    for (std::uint32_t y = transfer.y0; y <= transfer.y1; ++y)
      for (std::uint32_t x = transfer.x0; x <= transfer.x1; ++x) {
        const std::uint32_t core = machine_.noc.at(x, y).index;
        if (core != source || transfer.loopback)
          inbox_[core].push_back({&transfer, source, order});
      }
  }

  /// Reads are recorded at the core that they read from, which may be that of
  /// another delivery: so this is done before the deliveries run on host
  /// threads.
  void checkReads() {
    for (const auto &box : inbox_)
      for (const Delivery &d : box)
        if (d.transfer->kind == Transfer::Kind::Read)
          guard(d, [&] {
            checkRemoteRead(machine_.cores[d.transfer->core], *d.transfer);
          });
  }

  Footprint footprint() const {
    Footprint result(inbox_.size(), std::uint64_t(machine_.geometry->l1Size));
    for (std::uint32_t core = 0; core < inbox_.size(); ++core)
      for (const Delivery &d : inbox_[core]) {
        const Transfer &t = *d.transfer;
        if (t.kind == Transfer::Kind::Read) {
          result.read(t.core, t.remote, t.bytes);
          result.write(core, t.local, t.bytes);
        } else {
          if (t.kind == Transfer::Kind::Write)
            result.read(d.source, t.local, t.bytes);
          result.write(core, t.remote, t.bytes);
        }
      }
    return result;
  }

  void deliverAll(std::uint32_t core) {
    for (const Delivery &d : inbox_[core])
      if (!deliver(core, d))
        return;
  }

  /// Calls `body`; false after a fault, which is kept with its place in the
  /// order.
  template <typename Body> bool guard(const Delivery &d, Body &&body) {
    try {
      body();
      return true;
    } catch (...) {
      std::lock_guard lock(faultMutex_);
      if (d.order < faultOrder_) {
        faultOrder_ = d.order;
        fault_ = std::current_exception();
      }
      return false;
    }
  }

  bool deliver(std::uint32_t core, const Delivery &d) {
    return guard(d, [&] { move(machine_.cores[core], d); });
  }

  void move(Core &target, const Delivery &d) {
    numerics::checkCancelled();
    const Transfer &t = *d.transfer;
    switch (t.kind) {
    case Transfer::Kind::Read:
      std::memcpy(target.l1 + t.local, machine_.cores[t.core].l1 + t.remote,
                  t.bytes);
      break;
    case Transfer::Kind::Write:
      if (machine_.watch)
        checkRemoteWrite(target, t);
      std::memmove(target.l1 + t.remote, machine_.cores[d.source].l1 + t.local,
                   t.bytes);
      break;
    case Transfer::Kind::Word:
    case Transfer::Kind::Increment:
      applyWord(target, t);
      break;
    }
  }

  void deliverInOrder() {
    std::vector<std::pair<std::uint32_t, const Delivery *>> all;
    for (std::uint32_t core = 0; core < inbox_.size(); ++core)
      for (const Delivery &d : inbox_[core])
        all.push_back({core, &d});
    std::stable_sort(all.begin(), all.end(), [](auto &a, auto &b) {
      return a.second->order < b.second->order;
    });
    for (auto &[core, d] : all)
      if (!deliver(core, *d))
        return;
  }

  void finish() {
    for (std::uint32_t index : machine_.active) {
      Core &core = machine_.cores[index];
      core.outbox.clear();
      for (auto &thread : core.threads)
        thread->remoteReads = thread->remoteWrites = thread->remoteAtomics = 0;
    }
    if (fault_)
      std::rethrow_exception(fault_);
  }

  Machine &machine_;
  std::vector<std::vector<Delivery>> inbox_;
  std::mutex faultMutex_;
  std::uint32_t faultOrder_ = ~std::uint32_t(0);
  std::exception_ptr fault_;
};

} // namespace

bool exchangeOnChip(Machine &machine) { return Exchange(machine).run(); }

bool exchange(Mesh &mesh) {
  bool any = false;
  for (const auto &machine : mesh.machines)
    any |= exchangeOnChip(*machine);
  any |= exchangeFabric(mesh);
  bool last = true;
  for (const auto &machine : mesh.machines)
    for (std::uint32_t index : machine->active)
      last = last && !machine->cores[index].running();
  for (const auto &machine : mesh.machines)
    if (machine->watch)
      judgeDram(*machine, last);
  for (const auto &machine : mesh.machines)
    if (machine->watch)
      for (std::uint32_t index : machine->active)
        machine->cores[index].watch->endRound();
  return any;
}

} // namespace tt::runtime::emulator
