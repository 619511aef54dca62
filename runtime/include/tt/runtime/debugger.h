// Debugs runs of TTMetal programs: stops threads of cores at lines and
// instructions, and shows their state.
//
// One thread of the process runs the program: submit() on a device that has a
// debugger. It stops inside the run, and waits until another thread resumes it.
// A debugged run executes on one host thread, with the results, faults and
// times of any other run. Runs without a debugger are not slowed.
#ifndef TT_RUNTIME_DEBUGGER_H
#define TT_RUNTIME_DEBUGGER_H

#include "tt/runtime/fault.h"
#include "tt/runtime/types.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tt::runtime {

/// A core by its logical row and column, on the chip at a position of the mesh.
struct DebugCore {
  int device = 0, y = 0, x = 0;
  bool operator==(const DebugCore &) const = default;
};

/// A thread of a core: "noc0", "noc1" or "compute".
struct DebugPlace {
  DebugCore core;
  std::string thread;
  bool operator==(const DebugPlace &) const = default;
};

/// Stops threads in front of a line, or of the first instruction of a kernel if
/// `file` is empty. A file matches by its last components: "reader.cpp" is any
/// file of this name. A line without an instruction stands for the next line
/// that has one. Empty conditions match every kernel, thread and core.
struct DebugBreakpoint {
  std::string file;
  std::uint32_t line = 0;
  std::string kernel, thread;
  std::optional<DebugCore> core;
  bool enabled = true;
  bool once = false; // removed by the first stop
  /// Filled in by the debugger: the number, the stops so far, and the lines of
  /// the running program where it stops, as "file:line".
  int id = 0;
  std::uint64_t hits = 0;
  std::vector<std::string> places;
};

enum class DebugStopKind : std::uint8_t {
  Launch,     // kernels are about to start
  Breakpoint, // of `breakpoints`
  Step,       // a step has ended
  Interrupt,
  Fault,    // an error, with its message
  Deadlock, // all threads wait
  Ended,    // the run has ended
};

/// Why a run has stopped, and at which thread.
struct DebugStop {
  DebugStopKind kind = DebugStopKind::Ended;
  std::optional<DebugPlace> place;
  std::vector<int> breakpoints;
  std::string message;
};

enum class DebugResume : std::uint8_t {
  Continue,
  Instruction, // until the thread has executed an instruction
  Line,        // until the thread is at another line
  Core,        // each thread of the core executes an instruction, if it can
};

enum class DebugThreadState : std::uint8_t { Ready, Waiting, Ended };

/// Where a thread is. `instruction` is the next one, with the values of its
/// operands. While it waits, `waitsFor` and `suppliers` are those of a Waiter.
struct DebugThread {
  DebugPlace place;
  std::string kernel, location, instruction;
  std::string engine; // of a compute thread: "unpack", "math" or "pack"
  std::string opcode; // "C++" for scalar code
  DebugThreadState state = DebugThreadState::Ready;
  std::string waitsFor;
  std::vector<std::string> suppliers;
  std::string waypoint; // the last one that the kernel has set
  std::uint64_t steps = 0;
};

/// A circular buffer. Sizes are in bytes; counts, pointers and windows are in
/// pages.
struct DebugBuffer {
  std::uint32_t port = 0, address = 0, pageSize = 0, pages = 0;
  ::tt::target::DataType type = ::tt::target::DataType::BFloat16;
  bool tiled = true;
  std::uint64_t available = 0, room = 0; // to wait for, to reserve
  std::uint32_t readPage = 0, writePage = 0;
  std::uint32_t waited = 0, reserved = 0;
  std::uint64_t pushed = 0, popped = 0; // since the start
  /// The kernels that push and pop, once they have.
  std::string producer, consumer;
};

struct DebugSemaphore {
  std::uint32_t id = 0, address = 0, value = 0;
};

/// A destination register: 32x32 words, row-major, of f32, i32 or u32.
/// `section` is "math" or "pack".
struct DebugRegister {
  std::string section;
  std::uint32_t index = 0;
  std::string kind;
  std::vector<std::uint32_t> words;
};

/// The arguments of a thread's kernel, in order, and the registers of its
/// program; a C++ kernel has no registers.
struct DebugArguments {
  std::vector<std::uint32_t> runtime, common, compileTime;
  std::vector<std::uint64_t> registers;
};

/// An instruction of a kernel, or a line of a C++ kernel.
struct DebugLineOfCode {
  std::string location, text;
  bool isNext = false;
};

/// All functions may be called by any thread. Those that show state throw
/// Error(Argument) unless the run has stopped in a launch of kernels.
class Debugger {
public:
  Debugger();
  ~Debugger();
  Debugger(const Debugger &) = delete;
  Debugger &operator=(const Debugger &) = delete;

  /// Returns the number. Throws Error(Argument) for an unknown thread.
  int addBreakpoint(DebugBreakpoint breakpoint);
  /// Throws Error(Argument) for an unknown number.
  void removeBreakpoint(int id);
  void enableBreakpoint(int id, bool enabled);
  std::vector<DebugBreakpoint> breakpoints() const;

  /// Waits until the run stops. Can be cancelled: see CancelScope.
  DebugStop wait();
  /// Continues a stopped run. Steps need a thread; throws Error(Argument) for
  /// one that does not exist or has ended.
  void resume(DebugResume how, const std::optional<DebugPlace> &place = {});
  /// Stops the run at its next instruction.
  void interrupt();
  /// Ends a run with Error(Cancelled), now and at every later stop.
  void abandon();
  /// Tells that the run has ended, with the message of its error.
  void end(const std::string &message);

  std::vector<DebugThread> threads() const;
  std::vector<DebugBuffer> buffers(const DebugCore &core) const;
  std::vector<DebugSemaphore> semaphores(const DebugCore &core) const;
  /// The written destination registers.
  std::vector<DebugRegister> registers(const DebugCore &core) const;
  DebugArguments arguments(const DebugPlace &place) const;
  std::vector<DebugLineOfCode> code(const DebugPlace &place) const;
  /// Throws Error(Argument) for bytes outside of the L1.
  std::vector<std::byte> readL1(const DebugCore &core, std::uint64_t address,
                                std::uint64_t bytes) const;
  /// The lines that kernels have printed, in order.
  std::vector<DebugLine> prints() const;

  class Session;
  Session &session() const { return *session_; }

private:
  std::unique_ptr<Session> session_;
};

/// Debugs later runs on the device; null for none. The device shares the
/// debugger.
void setDebugger(Device device, std::shared_ptr<Debugger> debugger);

} // namespace tt::runtime

#endif // TT_RUNTIME_DEBUGGER_H
