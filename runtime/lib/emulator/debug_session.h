// The meeting of a debugged run with the thread that controls it.
#ifndef TT_RUNTIME_EMULATOR_DEBUG_SESSION_H
#define TT_RUNTIME_EMULATOR_DEBUG_SESSION_H

#include "emulator/device.h"
#include "emulator/engine.h"
#include "tt/runtime/debugger.h"

#include <atomic>
#include <condition_variable>
#include <map>
#include <mutex>
#include <set>
#include <unordered_map>

namespace tt::runtime {

/// State of a Debugger. The run calls the functions of the first part, with
/// everything it owns at rest.
class Debugger::Session {
public:
  using Mesh = emulator::Mesh;
  using Thread = emulator::Thread;
  using Core = emulator::Core;
  using Op = emulator::Op;
  using Lock = std::unique_lock<std::mutex>;

  /// What the run does after a stop.
  struct Order {
    DebugResume how = DebugResume::Continue;
    Thread *thread = nullptr; // of a step
  };

  void begin(Mesh &mesh);
  void finish() noexcept;
  /// Shows the stop and waits for an order. Throws Error(Cancelled).
  Order stop(DebugStop stop);
  /// Whether a breakpoint may be in the kernel of a thread.
  bool mayBreak(const Thread &thread) const;
  /// The enabled breakpoints in front of the thread's next instruction, which
  /// count a hit.
  std::vector<int> hitsAt(const Thread &thread);
  /// The device of the run, on which nothing else can run during a stop.
  void setDevice(std::shared_ptr<emulator::RunMutex> device) {
    const Lock lock(mutex_);
    device_ = std::move(device);
  }
  bool takeInterrupt() { return interrupt_.exchange(false); }
  bool isInterrupted() const { return interrupt_; }
  /// Collects lines that kernels have printed, before a round ends.
  void takePrints();
  void endRound() { seenPrints_.clear(); }

  static DebugPlace placeOf(const Thread &thread);
  /// "file:line" of the next instruction.
  static std::string lineOf(const Thread &thread);

private:
  friend class Debugger;

  /// A breakpoint, and where it is in the kernels of this launch.
  struct Stop {
    DebugBreakpoint point;
    std::unordered_map<const emulator::Code *, std::set<std::uint32_t>> ops;
    /// Of C++ kernels: the line with a call, and its file.
    std::unordered_map<const emulator::Code *, std::uint32_t> lines;
  };

  void resolve(Stop &stop);
  /// `line` is the first one with an instruction in kernels that are not C++.
  void resolve(Stop &stop, const emulator::Code &code, std::uint32_t line);
  bool isAt(Stop &stop, const Thread &thread);
  bool isAtLine(Stop &stop, const Thread &thread);
  Stop &find(int id);
  const Mesh &stopped(const Lock &) const;
  Core &core(const DebugCore &at) const;
  Thread &thread(const DebugPlace &at) const;
  DebugThread describe(const Thread &thread) const;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Stop> stops_;
  int numbers_ = 0;
  Mesh *mesh_ = nullptr;
  std::optional<DebugStop> shown_; // while the run waits, and at its end
  std::optional<Order> order_;
  std::shared_ptr<emulator::RunMutex> device_;
  std::atomic<bool> interrupt_ = false, abandoned_ = false;
  std::vector<DebugLine> prints_;
  std::unordered_map<const Core *, std::size_t> seenPrints_;
  std::unordered_map<const emulator::Code *, std::set<std::uint32_t>> calls_;
  std::unordered_map<const Thread *, std::uint32_t> lastLines_;
  /// The first call of a line that a thread has reached.
  std::map<std::pair<const Thread *, std::uint32_t>, const Op *> firstOps_;
};

namespace emulator {

/// Runs all kernels as launch() does, under control of a debugger.
void runDebugged(Mesh &mesh, Debugger::Session &session);

} // namespace emulator
} // namespace tt::runtime

#endif // TT_RUNTIME_EMULATOR_DEBUG_SESSION_H
