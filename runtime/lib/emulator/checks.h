// The checks of a thread's use of memory. They run when LaunchOptions::checks
// is set, except for requireLocal, which keeps the emulator itself safe.
#ifndef TT_RUNTIME_EMULATOR_CHECKS_H
#define TT_RUNTIME_EMULATOR_CHECKS_H

#include "emulator/engine.h"

namespace tt::runtime::emulator {

/// Fails unless the bytes are inside an L1. `whose` completes "of ".
inline void requireLocal(Thread &t, const Op *op, std::uint64_t address,
                         std::uint64_t bytes, const char *whose) {
  const auto size = std::uint64_t(t.machine->geometry->l1Size);
  if (bytes > size || address > size - bytes)
    fail(t, op, FaultKind::OutOfBounds, Span{address, address + bytes},
         "expected bytes within the ", size, " of the L1 of ", whose,
         ", found ", bytes, " at ", address);
}

/// Throws the fault of an access that is in no order with an earlier one.
[[noreturn]] void failRace(const Thread &t, const Op *op, Span memory,
                           const std::string &where, bool writes,
                           const Race &race);

/// A data movement thread reads or writes bytes of its local L1.
void checkOwnRead(Thread &t, const Op *op, std::uint64_t begin,
                  std::uint64_t end);
void checkOwnWrite(Thread &t, const Op *op, std::uint64_t begin,
                   std::uint64_t end);

/// The compute thread reads or writes bytes of a circular buffer, whose window
/// was checked. `isWritten` if the bytes that it uses are known to be written.
void checkTileRead(Thread &t, const Op *op, std::uint64_t begin,
                   std::uint64_t end, bool isWritten);
void checkTileWrite(Thread &t, const Op *op, std::uint64_t begin,
                    std::uint64_t end);
/// Before the packer adds to bytes of a circular buffer: they have been written
/// since another thread popped the page.
void checkTileAdd(Thread &t, const Op *op, const CircularBuffer &buffer,
                  std::uint64_t begin, std::uint64_t end);

/// Before pages are pushed or popped: no transfer of them is under way.
void checkPush(Thread &t, const Op *op, const CircularBuffer &buffer,
               std::uint32_t pages);
void checkPop(Thread &t, const Op *op, const CircularBuffer &buffer,
              std::uint32_t pages);

/// At the end of the kernel: nothing is left open.
void checkFinish(Thread &t, const Op *op);

/// Pages that threads left in circular buffers at their end.
struct Leftover {
  std::string text, first; // kernel and pages; the first core
  std::size_t cores = 0;
};

/// Notes on pages that threads left in circular buffers at their end. Equal
/// notes of several cores are merged.
std::vector<Leftover> findLeftovers(const Mesh &mesh);
/// Adds it to an equal one on other cores, if there is one.
void addLeftover(std::vector<Leftover> &all, const Leftover &found);
std::vector<std::string> describeLeftovers(const std::vector<Leftover> &all);

/// A transfer of another core writes to `core`, or reads its memory.
void checkRemoteWrite(Core &core, const Transfer &transfer);
void checkRemoteRead(Core &core, const Transfer &transfer);

/// Faults unless the bytes are in one tensor. Records an access to DRAM of this
/// round; judgeDram finds unordered ones, and reads of memory that was not
/// written. Returns false for a read of bytes that nothing had written before
/// this round: see hideUnwritten. Who writes adds what.
bool noteDram(Thread &t, const Op *op, std::uint64_t channel,
              std::uint64_t begin, std::uint64_t end, bool writes);
/// After the last noted access, which read such bytes to `local`: makes zeros
/// of those that this core has not written in this round. Memory that nothing
/// has written is not cleared; what it has must not be seen.
void hideUnwritten(Thread &t, std::uint64_t channel, std::uint64_t local);
/// The same for what arrived over the fabric, from another chip or from this
/// one.
void noteArrival(Machine &machine, const FabricTransfer &transfer);
/// `last`: no thread of the run goes on after this round.
void judgeDram(Machine &machine, bool last);

} // namespace tt::runtime::emulator

#endif // TT_RUNTIME_EMULATOR_CHECKS_H
