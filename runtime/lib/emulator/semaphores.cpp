// Semaphores: words in the L1 of every core at one address.
#include "emulator/checks.h"
#include "emulator/noc_transfers.h"

#include <cstring>

namespace tt::runtime::emulator {
namespace {

/// `address` is that of a semaphore.
std::uint32_t semaphore(Thread &t, const Op *op, std::uint64_t address) {
  if (!isSemaphore(*t.machine, address))
    fail(t, op, FaultKind::Semaphore, Span{address, address + 4},
         "expected the address of one of ",
         t.machine->launch->semaphores.size(), " semaphores, found ", address);
  return std::uint32_t(address);
}

} // namespace

std::uint32_t remoteSemaphore(Thread &t, const Op *op, const NocAddress &to,
                              const NocMap *map) {
  const NocMap::Node node = nodeAt(t, op, to.x, to.y, map);
  if (node.kind != NocMap::Node::Worker)
    fail(t, op, FaultKind::Semaphore,
         "expected a semaphore of a worker core, found a DRAM channel at x ",
         to.x, ", y ", to.y);
  semaphore(t, op, to.local);
  return node.index;
}

namespace {

/// The word that a thread sends, which is anywhere in its L1.
std::uint32_t word(Thread &t, const Op *op, std::uint64_t address) {
  requireLocal(t, op, address, 4, "the local core");
  if (address % 4)
    fail(t, op, FaultKind::Alignment, Span{address, address + 4},
         "expected an address that is a multiple of 4, found ", address);
  if (!isSemaphore(*t.machine, address))
    t.machine->mesh->sawData.store(true, std::memory_order_relaxed);
  std::uint32_t value;
  std::memcpy(&value, t.core->l1 + address, 4);
  return value;
}

void recordSemaphore(Thread &t, const Op *op, EventKind kind,
                     std::uint64_t address, std::uint64_t value,
                     NocPoint remote) {
  if (!t.events)
    return;
  Event event{};
  event.address = std::uint32_t(address);
  event.value = std::uint32_t(value);
  event.remote = remote;
  record(t, op, kind, event);
}

/// The clock of the thread, which begins a new epoch.
VectorClock releasedClock(Thread &t) {
  CoreWatch &watch = *t.core->watch;
  return watch.snapshotAt(watch.release(threadOf(t))).copy();
}

NocPoint ownPlace(const Thread &t) {
  return {std::uint8_t(t.core->place.x), std::uint8_t(t.core->place.y)};
}

} // namespace

void setSemaphore(Thread &t, const Op *op, std::uint64_t address,
                  std::uint32_t value) {
  std::memcpy(t.core->l1 + address, &value, 4);
  if (t.core->watch)
    semaphoreClock(*t.core, address).setOwn(value, releasedClock(t));
  recordSemaphore(t, op, EventKind::SemaphoreSet, address, value, ownPlace(t));
}

namespace {

const Op *getSemaphore(Thread &t, const Op *op) {
  const std::uint64_t id = t.r[op->a];
  const std::size_t count = t.machine->launch->semaphores.size();
  if (id >= count)
    fail(t, op, FaultKind::Semaphore, "expected the id of a semaphore below ",
         count, ", found ", std::int32_t(id));
  t.r[op->out] = t.machine->semaphores + std::uint32_t(id) * kSemaphoreBytes;
  return op + 1;
}

template <bool Minimum> const Op *wait(Thread &t, const Op *op) {
  const std::uint32_t address = semaphore(t, op, t.r[op->a]);
  const auto expected = std::uint32_t(t.r[op->b]);
  std::uint32_t value;
  std::memcpy(&value, t.core->l1 + address, 4);
  if (Minimum ? value < expected : value != expected)
    return t.block(op);
  if (t.core->watch) {
    SemaphoreClock &semaphore = semaphoreClock(*t.core, address);
    VectorClock &clock = t.core->watch->clock(threadOf(t));
    if (Minimum)
      semaphore.waitFor(expected, clock);
    else
      semaphore.waitForAll(clock);
  }
  recordSemaphore(t, op, EventKind::SemaphoreWait, address, expected,
                  ownPlace(t));
  return op + 1;
}

const Op *set(Thread &t, const Op *op) {
  const std::uint32_t address = semaphore(t, op, t.r[op->a]);
  setSemaphore(t, op, address, std::uint32_t(t.r[op->b]));
  return op + 1;
}

const Op *increment(Thread &t, const Op *op) {
  const NocAddress to = nocAddress(t, op, t.r[op->a], NocTag::Unicast);
  const std::uint32_t core = remoteSemaphore(t, op, to);
  sendIncrement(t, op, core, to.local, std::uint32_t(t.r[op->b]));
  recordSemaphore(t, op, EventKind::SemaphoreInc, to.local, t.r[op->b],
                  {std::uint8_t(to.x), std::uint8_t(to.y)});
  return op + 1;
}

const Op *setRemote(Thread &t, const Op *op) {
  const std::uint32_t value = word(t, op, t.r[op->a]);
  const NocAddress to = nocAddress(t, op, t.r[op->b], NocTag::Unicast);
  const std::uint32_t core = remoteSemaphore(t, op, to);
  sendWord(t, op, core, to.local, value);
  recordSemaphore(t, op, EventKind::SemaphoreSet, to.local, value,
                  {std::uint8_t(to.x), std::uint8_t(to.y)});
  return op + 1;
}

/// Sets or increments the semaphore of every core of a rectangle.
const Op *toRectangle(Thread &t, const Op *op, const NocAddress &to,
                      std::uint64_t destinations, bool loopback,
                      Transfer::Kind kind, std::uint32_t value) {
  semaphore(t, op, to.local);
  Transfer transfer = rectangle(t, op, to, destinations, loopback, kind);
  transfer.bytes = 4;
  transfer.value = value;
  releaseClock(t, transfer, Multicasts, areaOf(*t.machine, transfer));
  if (kind == Transfer::Kind::Increment) {
    ++t.remoteAtomics;
    t.atomicsOpen = true;
  } else {
    ++t.remoteWrites;
    if (t.machine->checks())
      t.writes.add(0, 0);
  }
  t.core->outbox.push_back(transfer);
  recordMulticast(t, op, EventKind::SemaphoreMulticast, transfer, destinations);
  return op + 1;
}

template <bool Loopback> const Op *setMulticast(Thread &t, const Op *op) {
  const std::uint32_t value = word(t, op, t.r[op->a]);
  const NocAddress to = nocAddress(t, op, t.r[op->b], NocTag::Multicast);
  return toRectangle(t, op, to, t.r[op->c], Loopback, Transfer::Kind::Word,
                     value);
}

const Op *incrementMulticast(Thread &t, const Op *op) {
  const NocAddress to = nocAddress(t, op, t.r[op->a], NocTag::Multicast);
  return toRectangle(t, op, to, t.r[op->c], false, Transfer::Kind::Increment,
                     std::uint32_t(t.r[op->b]));
}

} // namespace

Handler semaphoreHandler(Opcode opcode) {
  constexpr Handler get_semaphore = getSemaphore;
  constexpr Handler noc_semaphore_wait = wait<false>;
  constexpr Handler noc_semaphore_wait_min = wait<true>;
  constexpr Handler noc_semaphore_set = set;
  constexpr Handler noc_semaphore_inc = increment;
  constexpr Handler noc_semaphore_set_remote = setRemote;
  constexpr Handler noc_semaphore_set_multicast = setMulticast<false>;
  constexpr Handler noc_semaphore_set_multicast_loopback_src =
      setMulticast<true>;
  constexpr Handler noc_semaphore_inc_multicast = incrementMulticast;
  switch (opcode) {
    TTMLIR_SEMAPHORE_HANDLERS(TTMLIR_HANDLER_CASE)
  default:
    return nullptr;
  }
}

} // namespace tt::runtime::emulator
