// What threads send to other cores: queued while the round runs, done by
// exchange() at its end.
#ifndef TT_RUNTIME_EMULATOR_TRANSFERS_H
#define TT_RUNTIME_EMULATOR_TRANSFERS_H

#include "emulator/engine.h"

namespace tt::runtime::emulator {

/// Decodes a NoC address of the given kind, or faults.
NocAddress nocAddress(Thread &t, const Op *op, std::uint64_t value, NocTag tag);
/// Who is at these coordinates; faults if nobody is.
NocMap::Node nodeAt(Thread &t, const Op *op, std::uint32_t x, std::uint32_t y);

/// Queues a read or write of bytes between the own L1 and that of `core`.
void send(Thread &t, const Op *op, Transfer::Kind kind, std::uint32_t core,
          std::uint64_t local, std::uint64_t remote, std::uint64_t bytes);
/// Writes a word to the L1 of `core`, at once if it is the own one.
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

/// True if `address` is that of a semaphore of this run.
bool isSemaphore(const Machine &machine, std::uint64_t address);
/// Changes a semaphore of `core` by what `sender` sent, with its clock.
void applyWord(Core &core, const Transfer &transfer);

} // namespace tt::runtime::emulator

#endif // TT_RUNTIME_EMULATOR_TRANSFERS_H
