// The state of a replay: processes, what they wait for, and the queue of what
// happens in the order of its time. Internal to replay*.cpp.
#ifndef TT_RUNTIME_EMULATOR_REPLAY_STATE_H
#define TT_RUNTIME_EMULATOR_REPLAY_STATE_H

#include "emulator/fabric.h"
#include "emulator/noc_time.h"
#include "emulator/replay.h"
#include "emulator/trace.h"

#include <array>
#include <queue>
#include <unordered_map>

namespace tt::runtime::emulator::timing {

/// A count that only grows, with the time of each step.
class Counter {
public:
  void add(std::uint64_t count, double time, Trace::Mark source) {
    total_ += count;
    // Steps are in order for one producer.
    steps_.push_back({total_, time, source});
  }
  /// Where a reader has got to.
  struct Cursor {
    std::size_t at = 0;
  };
  /// When `count` was reached, or a negative number if it was not yet. `cursor`
  /// only moves forward: counts asked for do not fall.
  double reached(std::uint64_t count, Cursor &cursor) const {
    if (count == 0)
      return 0;
    if (total_ < count)
      return -1;
    while (steps_[cursor.at].total < count)
      ++cursor.at;
    return steps_[cursor.at].time;
  }
  /// What made it reach the count that was asked for last.
  Trace::Mark source(const Cursor &cursor) const {
    return cursor.at < steps_.size() ? steps_[cursor.at].source : Trace::Mark();
  }
  std::vector<std::uint32_t> waiters; // processes

private:
  struct Step {
    std::uint64_t total;
    double time;
    Trace::Mark source;
  };
  std::vector<Step> steps_;
  std::uint64_t total_ = 0;
};

struct Span {
  double begin, end;
};

/// Pages of a circular buffer.
struct Pages {
  Counter pushed, popped;
  bool anyPush = false, anyPop = false; // by a thread of the core
  std::uint64_t capacity = 0;           // 0: unknown
};

/// Where a worker is, as one number.
constexpr std::uint64_t workerKey(std::uint32_t device, std::uint32_t worker) {
  return std::uint64_t(device) << 16 | worker;
}

/// A chip with its networks.
struct ChipState {
  const ChipGeometry *geometry;
  NocMap map;
  NocTime noc;
};

struct CoreState {
  std::uint32_t device = 0, worker = 0;
  CoreUse use;
  std::array<Pages, kPorts> pages;
  // Between the engines of the compute thread.
  Counter unpacked, consumed;    // tiles of source registers, by event
  Counter computed, packed;      // sections of destination registers
  Counter moved;                 // blocks that are packed as they are made
  std::vector<Span> unpackSpans; // by item
  std::vector<Span> moveSpans;   // by block
};

struct Semaphore {
  std::uint32_t value = 0;
  Trace::Mark source; // of the value
  std::vector<std::uint32_t> waiters;
};

enum class Role : std::uint8_t { Data, Unpack, Math, Pack };

/// A process and where it is in the events of its thread.
struct Process {
  Role role;
  const ThreadEvents *thread;
  CoreState *core;
  int phases = 4;
  std::size_t at = 0;
  double time = 0;   // of the RISC-V that issues
  double engine = 0; // when the engine has done what was issued
  double busy = 0;
  bool done = false, queued = false, charged = false;
  double blocked = -1; // since when at a semaphore; negative if it is not
  // Counts so far, and cursors into the counters of others.
  struct Port {
    std::uint64_t pushed = 0, popped = 0;
    Counter::Cursor pushes, pops;
  };
  std::array<Port, kPorts> ports;
  std::uint64_t item = 0, section = 0, block = 0;
  Counter::Cursor itemCursor, sectionCursor, blockCursor;
  bool packing = false;
  // Transfers that are not done.
  double reads = 0, writes = 0, departed = 0, atomics = 0, fabric = 0;
  std::vector<double> lastThere; // to other chips, by position
  std::uint32_t track = 0;
};

class Replay {
public:
  /// The chips by position; without a fabric there is one.
  Replay(const Launch &launch, const LaunchResult &result,
         const std::vector<const ChipGeometry *> &chips, Fabric *fabric,
         Trace *trace, double start);
  LaunchTime run();

private:
  enum class Outcome { Next, Blocked, Ordered };

  struct Ready {
    double time;
    std::uint64_t order; // processes first, then deliveries as they were sent
    std::uint32_t process;
    std::uint64_t worker;         // of a delivery: its key
    std::uint32_t address, value; //
    bool increment;
    Trace::Mark source;
    bool operator<(const Ready &other) const {
      return time != other.time ? time > other.time : order > other.order;
    }
  };

  std::uint32_t workerOf(const ThreadEvents &thread) const;
  void addCores();
  void addProcesses();
  void eager();
  void advance(Process &process);
  Outcome step(Process &process, const Event &event, bool inOrder);
  Outcome data(Process &process, const Event &event, bool inOrder);
  Outcome transfer(Process &process, const Event &event);
  void sendFabric(Process &process, const Event &event, Trace::Mark source);
  Outcome unpack(Process &process, const Event &event);
  Outcome math(Process &process, const Event &event);
  Outcome pack(Process &process, const Event &event);
  Outcome waitPages(Process &process, const Event &event);
  Outcome waitRoom(Process &process, const Event &event);
  void movePages(Process &process, const Event &event, double begin,
                 double time);
  Outcome semaphore(Process &process, const Event &event);

  /// Blocks on a counter unless it has reached `count`; then the time of that.
  bool await(Process &process, Counter &counter, std::uint64_t count,
             Counter::Cursor &cursor, double &time);
  void grow(Counter &counter, std::uint64_t count, double time,
            Trace::Mark source = {});
  void wake(std::vector<std::uint32_t> &waiters);
  void deliver(double time, std::uint64_t worker, std::uint32_t address,
               std::uint32_t value, bool increment, Trace::Mark source);
  void deliverRectangle(const Process &process, const Event &event, double time,
                        Trace::Mark source);
  Semaphore &semaphoreOf(std::uint64_t worker, std::uint32_t address);
  void forceOne();
  Trace::Mark slice(const Process &process, const SliceKind &kind, double begin,
                    double end, std::uint32_t number = 0) {
    return trace_ ? trace_->add(process.track, kind, start_ + begin,
                                start_ + end, number)
                  : Trace::Mark();
  }
  Trace::Mark sliceTransfer(const Process &process, const Event &event,
                            double begin);
  void sliceCompute(const Process &process, const Event &event, double begin,
                    double end);
  /// A wait until `time` that `source` ended, and the instruction that goes on
  /// for `cycles`.
  void sliceWait(Process &process, const SliceKind &kind, double begin,
                 double time, double cycles, std::uint32_t number,
                 Trace::Mark source);

  const Launch &launch_;
  const LaunchResult &result_;
  Fabric *fabric_;
  const ArchData &arch_;
  const ArchTiming &timing_;
  std::vector<ChipState> chips_;
  Trace *trace_;
  double start_;
  std::vector<CoreState> cores_;
  std::vector<Process> processes_;
  std::vector<std::uint32_t> eager_; // processes that can continue
  std::priority_queue<Ready> ordered_;
  std::unordered_map<std::uint64_t, Semaphore> semaphores_;
  std::unordered_map<std::uint32_t, std::uint32_t> initial_; // by address
  std::uint64_t sent_ = 0;
  LaunchTime time_;
};

} // namespace tt::runtime::emulator::timing

#endif // TT_RUNTIME_EMULATOR_REPLAY_STATE_H
