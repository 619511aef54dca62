// The report of a run in which every thread that has not ended waits.
#include "emulator/noc_transfers.h"

#include <algorithm>
#include <cstring>

namespace tt::runtime::emulator {
namespace {

/// What a thread waits for, and which instructions could supply it.
struct Need {
  std::string text;
  bool ownCore = true; // only threads of the core can supply it
  std::vector<Opcode> opcodes;
  std::uint32_t port = kPorts; // of a circular buffer
};

Need bufferNeed(const Thread &t, const Op *op, bool reserve) {
  const CircularBuffer &b = t.core->buffers[op->a];
  std::ostringstream text;
  if (reserve)
    text << t.r[op->b] << " free pages of circular buffer " << op->a
         << ", which has " << b.room() << " of " << b.pages;
  else
    text << t.r[op->b] << " pages in circular buffer " << op->a
         << ", which holds " << b.available() << " of " << b.pages;
  return {text.str(),
          true,
          {reserve ? Opcode::cb_pop_front : Opcode::cb_push_back},
          op->a};
}

Need semaphoreNeed(const Thread &t, const Op *op, bool minimum) {
  const auto address = std::uint32_t(t.r[op->a]);
  std::uint32_t value;
  std::memcpy(&value, t.core->l1 + address, 4);
  std::ostringstream text;
  text << "semaphore " << (address - t.machine->semaphores) / kSemaphoreBytes
       << " to be " << (minimum ? "at least " : "") << std::uint32_t(t.r[op->b])
       << ", which is " << value;
  return {text.str(),
          false,
          {Opcode::noc_semaphore_inc, Opcode::noc_semaphore_set_remote,
           Opcode::noc_semaphore_set_multicast,
           Opcode::noc_semaphore_set_multicast_loopback_src,
           Opcode::noc_semaphore_inc_multicast, Opcode::noc_inline_dw_write,
           Opcode::fabric_semaphore_inc}};
}

Need needOf(const Thread &t, const Op *op) {
  switch (op->opcode) {
  case Opcode::cb_wait_front:
    return bufferNeed(t, op, false);
  case Opcode::cb_reserve_back:
    return bufferNeed(t, op, true);
  case Opcode::noc_semaphore_wait:
    return semaphoreNeed(t, op, false);
  case Opcode::noc_semaphore_wait_min:
    return semaphoreNeed(t, op, true);
  case Opcode::tile_regs_acquire:
  case Opcode::acquire_dst:
    return {"a free section of the destination registers, both of which are "
            "committed",
            true,
            {Opcode::tile_regs_release}};
  case Opcode::tile_regs_wait:
    return {"a committed section of the destination registers, of which there "
            "is none",
            true,
            {Opcode::tile_regs_commit}};
  default:
    return {"a transfer to land", true, {}};
  }
}

bool supplies(const Code &code, const Need &need, bool otherChip) {
  const KernelProgram &program = *code.kernel->program;
  return std::any_of(
      program.instructions.begin(), program.instructions.end(),
      [&](const Instruction &i) {
        return std::find(need.opcodes.begin(), need.opcodes.end(), i.opcode) !=
                   need.opcodes.end() &&
               (!otherChip || i.opcode == Opcode::fabric_semaphore_inc) &&
               (need.port == kPorts || program.operandsOf(i)[0] == need.port);
      });
}

const char *stateText(const Thread &t) {
  return t.state == State::Done ? "ended" : "waits";
}

std::string supplierText(const Thread &t, const std::string &where) {
  return "kernel '" + t.code->kernel->name + "' on " + threadName(t.kind()) +
         " of " + where;
}

/// The threads of this core that could supply it.
std::vector<std::string> suppliersHere(const Thread &t, const Need &need) {
  std::vector<std::string> found;
  for (const auto &other : t.core->threads)
    if (supplies(*other->code, need, false))
      found.push_back(supplierText(*other, coreText(*t.core) + ", which " +
                                               stateText(*other)));
  return found;
}

/// The threads of a kernel on the cores of a chip.
struct KernelThreads {
  const Thread *first = nullptr;
  std::size_t cores = 0, ended = 0;
};

KernelThreads threadsOf(const Machine &machine, const Code &code) {
  KernelThreads result;
  for (std::uint32_t index : machine.active)
    for (const auto &other : machine.cores[index].threads)
      if (other->code == &code) {
        result.first = result.first ? result.first : other.get();
        ++result.cores;
        result.ended += other->state == State::Done;
      }
  return result;
}

/// One line per kernel and chip; its cores are counted if there are several.
std::vector<std::string> suppliersOf(const Mesh &mesh, const Thread &t,
                                     const Need &need) {
  if (need.ownCore)
    return suppliersHere(t, need);
  std::vector<std::string> found;
  for (const auto &machine : mesh.machines)
    for (const auto &code : machine->codes) {
      if (!supplies(*code, need, machine.get() != t.machine))
        continue;
      const KernelThreads threads = threadsOf(*machine, *code);
      if (threads.cores == 1)
        found.push_back(supplierText(
            *threads.first, coreText(*threads.first->core) + ", which " +
                                stateText(*threads.first)));
      else if (threads.cores)
        found.push_back(supplierText(
            *threads.first, std::to_string(threads.cores) + " cores" +
                                chipText(*machine) + ", of which " +
                                std::to_string(threads.ended) + " ended"));
    }
  return found;
}

} // namespace

Waiter waiterOf(const Mesh &mesh, const Thread &thread) {
  const Need need = needOf(thread, thread.next);
  return {placeOf(thread, thread.next), need.text,
          suppliersOf(mesh, thread, need)};
}

void reportDeadlock(const Mesh &mesh) {
  constexpr std::size_t kShown = 16;
  std::vector<Waiter> waiters;
  for (const auto &machine : mesh.machines)
    for (std::uint32_t index : machine->active)
      for (const auto &thread : machine->cores[index].threads) {
        if (thread->state != State::Done)
          waiters.push_back(waiterOf(mesh, *thread));
      }
  std::ostringstream message;
  message << "deadlock: " << waiters.size() << " threads wait forever";
  for (std::size_t i = 0; i < std::min(waiters.size(), kShown); ++i) {
    const Waiter &w = waiters[i];
    message << "\n  kernel '" << w.place.kernel << "' on " << w.place.thread
            << " of " << describeCore(w.place.core, w.place.chip) << ", "
            << w.place.instruction << " at " << w.place.location
            << ", waits for " << w.waitsFor;
    if (w.suppliers.empty())
      message << "; no thread could supply it";
    for (const std::string &supplier : w.suppliers)
      message << "\n    it could come from " << supplier;
  }
  if (waiters.size() > kShown)
    message << "\n  and " << waiters.size() - kShown << " more";
  throw DeadlockFault(std::move(waiters), message.str());
}

} // namespace tt::runtime::emulator
