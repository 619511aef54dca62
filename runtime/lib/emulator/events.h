// What happened in a run of kernels, thread by thread, for the replay, which
// times it. Recording costs an append per event; nothing here is timed.
#ifndef TT_RUNTIME_EMULATOR_EVENTS_H
#define TT_RUNTIME_EMULATOR_EVENTS_H

#include "emulator/program.h"
#include "numerics/formats.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tt::runtime::emulator {

enum class EventKind : std::uint8_t {
  Compute,            // count tiles of `opcode`; first and second: DType of the
                      // first circular buffer and of the last (255 without one)
  CbReserve,          // port, count pages
  CbPush,             //
  CbWait,             //
  CbPop,              //
  NocRead,            // remote, bytes: a transfer from there to local L1
  NocWrite,           // remote, bytes: from local L1 to there
  NocMulticast,       // remote, remoteEnd, bytes; count destinations
  NocInline,          // remote: 4 bytes
  SemaphoreInc,       // remote, address, value
  SemaphoreSet,       // remote, address, value (this core for a local set)
  SemaphoreMulticast, // remote, remoteEnd, address, value; `opcode` says
                      // inc/set
  SemaphoreWait,      // address, value
  ReadBarrier,        // the transfers that this thread has started
  WriteBarrier,       //
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

/// One event. `instructions` were executed by this thread since its previous
/// event, this one included.
struct Event {
  EventKind kind;
  Engine engine;
  Opcode opcode;
  std::uint32_t instructions;
  std::uint32_t count; // tiles, pages or destinations
  union {
    std::uint16_t port;   // of a circular buffer
    std::uint16_t device; // another chip's position
  };
  std::uint8_t first, second;
  NocPoint remote, remoteEnd;
  std::uint32_t bytes;   // of a transfer
  std::uint32_t address; // of a semaphore
  std::uint32_t value;   // of a semaphore; columns of a matmul_block; pool << 8
                         // | dimension of a reduce_tile
};

/// The events of one thread in program order.
struct ThreadEvents {
  int coreY, coreX; // logical
  NocPoint place;   // of the core on the NoC
  bool compute;     // the compute thread, else data movement on NoC `noc`
  int noc;
  std::uint32_t kernel; // index in Launch::kernels
  std::vector<Event> events;
  std::uint32_t device = 0; // position of the chip
};

} // namespace tt::runtime::emulator

#endif // TT_RUNTIME_EMULATOR_EVENTS_H
