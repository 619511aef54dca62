// The local L1 of a data movement thread.
#include "emulator/checks.h"
#include "emulator/noc_transfers.h"

#include <algorithm>
#include <cstring>

namespace tt::runtime::emulator {
namespace {

std::uint64_t wordAddress(Thread &t, const Op *op, std::uint64_t address,
                          std::uint32_t bytes) {
  requireLocal(t, op, address, bytes, "the local core");
  if (address % bytes)
    fail(t, op, FaultKind::Alignment, Span{address, address + bytes},
         "expected an address that is a multiple of ", bytes, ", found ",
         address);
  return address;
}

bool inSystemArea(const Thread &t, std::uint64_t address) {
  return address < std::uint64_t(t.machine->geometry->l1Base);
}

void recordMove(Thread &t, const Op *op, std::uint64_t bytes) {
  if (!t.events)
    return;
  Event event{};
  event.bytes = std::uint32_t(bytes);
  record(t, op, EventKind::LocalMove, event);
}

const Op *load(Thread &t, const Op *op) {
  const std::uint32_t bytes = op->b;
  const std::uint64_t address = wordAddress(t, op, t.r[op->a], bytes);
  if (t.machine->checks()) {
    if (isSemaphore(*t.machine, address))
      semaphoreClock(*t.core, address)
          .waitForAll(t.core->watch->clock(threadOf(t)));
    else
      t.core->watch->loadWord(address, threadOf(t));
    checkOwnRead(t, op, address, address + bytes);
  }
  std::uint32_t value = 0;
  std::memcpy(&value, t.core->l1 + address, bytes);
  t.r[op->out] = value;
  // A thread that reads a semaphore waits for another core.
  return inSystemArea(t, address) ? t.yield(op + 1) : op + 1;
}

const Op *store(Thread &t, const Op *op) {
  const std::uint32_t bytes = op->c;
  const std::uint64_t address = wordAddress(t, op, t.r[op->b], bytes);
  if (bytes == 4 && isSemaphore(*t.machine, address)) {
    setSemaphore(t, op, address, std::uint32_t(t.r[op->a]));
    return op + 1;
  }
  if (t.machine->checks())
    checkOwnWrite(t, op, address, address + bytes);
  const auto value = std::uint32_t(t.r[op->a]);
  std::memcpy(t.core->l1 + address, &value, bytes);
  return op + 1;
}

const Op *moveBytes(Thread &t, const Op *op) {
  const std::uint64_t to = t.r[op->a], from = t.r[op->b], bytes = t.r[op->c];
  requireLocal(t, op, to, bytes, "the local core");
  requireLocal(t, op, from, bytes, "the local core");
  if (t.machine->checks() && bytes) {
    checkOwnRead(t, op, from, from + bytes);
    checkOwnWrite(t, op, to, to + bytes);
  }
  std::memmove(t.core->l1 + to, t.core->l1 + from, bytes);
  recordMove(t, op, bytes);
  return op + 1;
}

const Op *fill(Thread &t, const Op *op) {
  const std::uint32_t size = op->operands[3];
  const std::uint64_t count = t.r[op->b];
  const std::uint64_t to = wordAddress(t, op, t.r[op->a], size);
  // A count that overflows is never within an L1.
  const std::uint64_t bytes = count >> 32 ? count : count * size;
  requireLocal(t, op, to, bytes, "the local core");
  if (t.machine->checks() && bytes)
    checkOwnWrite(t, op, to, to + bytes);
  std::byte *target = t.core->l1 + to;
  const std::uint64_t value = t.r[op->c];
  if (size == 1)
    std::memset(target, int(value & 0xff), bytes);
  else if (size == 2)
    std::fill_n(reinterpret_cast<std::uint16_t *>(target), count,
                std::uint16_t(value));
  else
    std::fill_n(reinterpret_cast<std::uint32_t *>(target), count,
                std::uint32_t(value));
  recordMove(t, op, bytes);
  return op + 1;
}

const Op *zerosBase(Thread &t, const Op *op) {
  t.r[op->out] = t.machine->zeros;
  return op + 1;
}

const Op *zerosSize(Thread &t, const Op *op) {
  t.r[op->out] = kZerosBytes;
  return op + 1;
}

} // namespace

Handler localHandler(Opcode opcode) {
  constexpr Handler load_from_l1 = load;
  constexpr Handler store_to_l1 = store;
  constexpr Handler tt_memmove = moveBytes;
  constexpr Handler fill_with_val = fill;
  constexpr Handler mem_zeros_base = zerosBase;
  constexpr Handler mem_zeros_size = zerosSize;
  switch (opcode) {
    TTMLIR_LOCAL_HANDLERS(TTMLIR_HANDLER_CASE)
  default:
    return nullptr;
  }
}

} // namespace tt::runtime::emulator
