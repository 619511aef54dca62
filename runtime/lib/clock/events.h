// What the threads of kernels do, in order, for the replay, which times it: a
// run records it, and the streams of library operations say it. Nothing here
// has a time.
#ifndef TT_RUNTIME_CLOCK_EVENTS_H
#define TT_RUNTIME_CLOCK_EVENTS_H

#include "numerics/formats.h"
#include "ttmlir/Target/TTMetal/kernel_generated.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tt::runtime::clock {

using Opcode = ::tt::target::metal::Opcode;

/// Circular buffers of a core.
inline constexpr std::uint32_t kPorts = 32;
/// Transaction ids of a core's transfers (tt-metal: NOC_MAX_TRANSACTION_ID).
inline constexpr std::uint32_t kTransactionIds = 16;

/// The engine that an event keeps busy or that waits. A data movement thread
/// has one, the compute thread three.
enum class Engine : std::uint8_t { DataMovement, Unpack, Math, Pack };

enum class EventKind : std::uint8_t {
  Compute,            // count tiles of `opcode`; first and second: DType of the
                      // first circular buffer and of the last (255 without one)
  CbReserve,          // port, count pages
  CbPush,             //
  CbWait,             //
  CbPop,              //
  NocRead,            // remote, bytes, value: from there to local L1
  NocWrite,           // remote, bytes, value: from local L1 to there
  NocMulticast,       // remote, remoteEnd, bytes, value; count destinations
  NocInline,          // remote: 4 bytes
  SemaphoreInc,       // remote, address, value
  SemaphoreSet,       // remote, address, value (this core for a local set)
  SemaphoreMulticast, // remote, remoteEnd, address, value; `opcode` says
                      // inc/set
  SemaphoreWait,      // address, value
  ReadBarrier,        // the transfers that this thread has started: those of
  WriteBarrier,       // transaction id `value`, or all for 0
  WritesFlushed,      //
  AtomicBarrier,      //
  FabricWrite,        // remote of chip `device`, bytes
  FabricInc,          // remote of chip `device`, address, value
  FabricBarrier,      // the two kinds before
  LocalMove,          // bytes that the core itself moved or set in its L1
  Finish,             // the end of the kernel
};

/// Coordinates on the NoC.
struct NocPoint {
  std::uint8_t x = 0, y = 0;
};

/// One event. This thread has made `calls` since its previous event, that of
/// the event included. Arithmetic is not counted, nor are calls that are
/// functions of their operands.
struct Event {
  EventKind kind;
  Engine engine;
  Opcode opcode;
  std::uint32_t calls;
  std::uint32_t count; // tiles, pages or destinations; of a NocRead or
                       // NocWrite the transfers that have `bytes` together
  union {
    std::uint16_t port;   // of a circular buffer
    std::uint16_t device; // another chip's position
  };
  std::uint8_t first, second; // of a NocRead: `first` is 1 if its transfers
                              // but the first repeat the command before
  NocPoint remote, remoteEnd;
  std::uint32_t bytes; // of a transfer
  union {
    std::uint32_t address; // of a semaphore
    float repeats;         // of a Compute, if it is not once; may be a part
  };
  std::uint32_t value; // of a semaphore; columns of a matmul_block; pool << 8
                       // | dimension of a reduce_tile; transaction id of a
                       // NocRead, NocWrite or NocMulticast, below
                       // kTransactionIds
};

inline double repeatsOf(const Event &event) {
  return event.repeats > 0 ? double(event.repeats) : 1;
}

/// A rectangle of logical cores.
struct CoreRange {
  std::int64_t y = 0, x = 0, height = 1, width = 1;
  bool operator==(const CoreRange &) const = default;
};

/// The events of one thread in program order.
struct ThreadEvents {
  int coreY, coreX; // logical
  NocPoint place;   // of the core on the NoC
  bool compute;     // the compute thread, else data movement on NoC `noc`
  int noc;
  std::uint32_t kernel; // index in Recording::kernels
  std::vector<Event> events;
  std::uint32_t device = 0; // position of the chip
};

} // namespace tt::runtime::clock

#endif // TT_RUNTIME_CLOCK_EVENTS_H
