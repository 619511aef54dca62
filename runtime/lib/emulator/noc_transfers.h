// What threads send to other cores: queued while the round runs, done by
// exchange() at its end.
#ifndef TT_RUNTIME_EMULATOR_NOC_TRANSFERS_H
#define TT_RUNTIME_EMULATOR_NOC_TRANSFERS_H

#include "emulator/engine.h"

namespace tt::runtime::emulator {

/// Decodes a NoC address of the given kind, or faults.
NocAddress nocAddress(Thread &t, const Op *op, std::uint64_t value, NocTag tag);
/// The node at these coordinates of a chip, of this one without `map`; faults
/// if there is none.
NocMap::Node nodeAt(Thread &t, const Op *op, std::uint32_t x, std::uint32_t y,
                    const NocMap *map = nullptr);

/// Bounds and alignment of a transfer of `bytes` between `local` in local L1
/// and `remote` of a node.
void checkTransfer(Thread &t, const Op *op, NocMap::Node node,
                   std::uint64_t remote, std::uint64_t local,
                   std::uint64_t bytes, bool reads);

/// A transfer of a thread, with what its core has done so far.
Transfer makeTransfer(Thread &t, const Op *op, Transfer::Kind kind);
/// For words that others can wait for: records whether it is a semaphore, and
/// that what the thread does next is not part of what it releases. The word
/// arrives in `area` after the thread's transfers of a kind.
void releaseClock(Thread &t, Transfer &transfer, Actor behind,
                  const Area &area);
/// A core, or those of a multicast, on the network of this chip.
Area areaOf(const Machine &machine, std::uint32_t core);
Area areaOf(const Machine &machine, const Transfer &rectangle);

/// Queues a read or write of bytes between local L1 and that of `core`.
void send(Thread &t, const Op *op, Transfer::Kind kind, std::uint32_t core,
          std::uint64_t local, std::uint64_t remote, std::uint64_t bytes);
/// Writes a word to the L1 of `core`, at once if it is the local one.
void sendWord(Thread &t, const Op *op, std::uint32_t core, std::uint64_t remote,
              std::uint32_t value);
/// The same for an atomic increment of a semaphore.
void sendIncrement(Thread &t, const Op *op, std::uint32_t core,
                   std::uint64_t remote, std::uint32_t value);

/// A multicast to the rectangle of `to`, whose cores and count were checked.
Transfer rectangle(Thread &t, const Op *op, const NocAddress &to,
                   std::uint64_t destinations, bool loopback,
                   Transfer::Kind kind);
void recordMulticast(Thread &t, const Op *op, EventKind kind,
                     const Transfer &transfer, std::uint64_t destinations);

/// Faults unless `to` is a semaphore of a worker; returns the worker. `map` as
/// above.
std::uint32_t remoteSemaphore(Thread &t, const Op *op, const NocAddress &to,
                              const NocMap *map = nullptr);

/// True if `address` is that of a semaphore of this run.
bool isSemaphore(const Machine &machine, std::uint64_t address);
/// Sets a semaphore of the local core.
void setSemaphore(Thread &t, const Op *op, std::uint64_t address,
                  std::uint32_t value);
/// What the semaphore at an address of a core passes on, with checks.
SemaphoreClock &semaphoreClock(Core &core, std::uint64_t address);
/// Changes a semaphore of `core` by what `sender` sent, with its clock.
void applyWord(Core &core, const Transfer &transfer);

} // namespace tt::runtime::emulator

#endif // TT_RUNTIME_EMULATOR_NOC_TRANSFERS_H
