// The state of a replay: processes, what they wait for, and the queue of what
// happens in the order of its time. Internal to replay*.cpp.
#ifndef TT_RUNTIME_CLOCK_REPLAY_STATE_H
#define TT_RUNTIME_CLOCK_REPLAY_STATE_H

#include "clock/compute_time.h"
#include "clock/fabric_time.h"
#include "clock/moment.h"
#include "clock/noc_time.h"
#include "clock/ready_queue.h"
#include "clock/replay.h"
#include "clock/trace.h"

#include <array>
#include <unordered_map>

namespace tt::runtime::clock::timing {

/// A count that only grows, with the time of each step.
class Counter {
public:
  /// Room for steps.
  void reserve(std::size_t steps) { steps_.reserve(steps); }
  void add(std::uint64_t count, const Moment &moment, Trace::Mark source) {
    total_ += count;
    // Steps are in order for one producer.
    steps_.push_back({total_, moment, source});
  }
  /// Where a reader has got to.
  struct Cursor {
    std::size_t at = 0;
  };
  /// When `count` was reached, or null if it was not yet. `cursor` only moves
  /// forward: counts asked for do not fall. Valid until the counter grows.
  const Moment *reached(std::uint64_t count, Cursor &cursor) const {
    static constexpr Moment kStart;
    if (count == 0)
      return &kStart;
    if (total_ < count)
      return nullptr;
    while (steps_[cursor.at].total < count)
      ++cursor.at;
    return &steps_[cursor.at].moment;
  }
  /// What made it reach the count that was asked for last.
  Trace::Mark source(const Cursor &cursor) const {
    return cursor.at < steps_.size() ? steps_[cursor.at].source : Trace::Mark();
  }
  std::vector<std::uint32_t> waiters; // processes

private:
  struct Step {
    std::uint64_t total;
    Moment moment;
    Trace::Mark source;
  };
  std::vector<Step> steps_;
  std::uint64_t total_ = 0;
};

struct Span {
  Moment begin, end;
};

/// A count of what passes through two banks. Who fills a bank waits until it is
/// free, so nobody asks for less than the last but one.
class Banks {
public:
  void add(const Span &span) { spans_[total_++ % spans_.size()] = span; }
  /// When what made the count `count` was done, or null if it was not yet.
  const Span *reached(std::uint64_t count) const {
    return total_ < count ? nullptr : &spans_[(count - 1) % spans_.size()];
  }
  std::vector<std::uint32_t> waiters; // processes

private:
  std::array<Span, 2> spans_;
  std::uint64_t total_ = 0;
};

/// Pages of a circular buffer.
struct Pages {
  Counter pushed, popped;
  std::uint32_t pushes = 0, pops = 0; // of threads of the core, in all
  std::uint64_t capacity = 0;         // 0: unknown
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
  Banks unpacked, consumed; // tiles of source registers, by event
  Banks computed, packed;   // sections of destination registers
  Banks moved;              // blocks that are packed as they are made
};

struct Semaphore {
  std::uint32_t value = 0;
  Trace::Mark source; // of the value
  std::vector<std::uint32_t> waiters;
};

/// When the transfers of a thread are complete, by transaction id; not kept of
/// those without one.
class TransferEnds {
public:
  void add(std::uint32_t id, const Moment &completed) {
    if (id == 0)
      return;
    ends_.resize(kTransactionIds);
    ends_.at(id).await(completed);
  }
  Moment of(std::uint32_t id) const {
    return ends_.empty() ? Moment() : ends_.at(id);
  }

private:
  std::vector<Moment> ends_;
};

enum class Role : std::uint8_t { Data, Unpack, Math, Pack };

/// A process and where it is in the events of its thread.
struct Process {
  Role role;
  const ThreadEvents *thread;
  CoreState *core;
  const ComputeConfig *compute;
  std::size_t at = 0;
  Moment now;        // of the RISC-V that issues
  Moment engine;     // when the engine has done what was issued
  double begin = -1; // when it first did something
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
  bool packing = false;
  // Transfers that are not done.
  Moment reads, writes, departed, atomics, fabric;
  TransferEnds readsById, writesById;
  std::vector<Moment> lastThere; // to other chips, by position
  std::uint32_t track = 0;

  /// What its own instructions are.
  Part own() const { return role == Role::Data ? Part::Noc : Part::Compute; }
  const Moment &end() const { return engine.time > now.time ? engine : now; }
};

class Replay {
public:
  Replay(const Recording &recording, std::span<const ChipGeometry *const> chips,
         FabricTime *fabric, Trace *trace, double start);
  ReplayResult run();

private:
  enum class Outcome { Next, Blocked, Ordered };

  /// A word that arrives at a worker.
  struct Delivery {
    Moment moment;
    std::uint64_t worker; // key
    std::uint32_t address, value;
    bool increment;
    Trace::Mark source;
  };

  std::uint32_t workerOf(const ThreadEvents &thread) const;
  void addCores();
  void addProcesses();
  void eager();
  void advance(Process &process);
  Outcome step(Process &process, const Event &event, bool inOrder);
  Outcome data(Process &process, const Event &event, bool inOrder);
  Outcome transfer(Process &process, const Event &event);
  void countBytes(const Event &event, NocMap::Node node);
  void sendFabric(Process &process, const Event &event, Trace::Mark source);
  Outcome unpack(Process &process, const Event &event);
  Outcome math(Process &process, const Event &event);
  Outcome pack(Process &process, const Event &event);
  const ComputeCycles &cyclesOf(const Process &process, const Event &event);
  /// Work of an engine of the compute thread.
  void work(Process &process, const Event &event, const Moment &begin,
            const Moment &end, double cycles);
  Outcome waitPages(Process &process, const Event &event);
  Outcome waitRoom(Process &process, const Event &event);
  void movePages(Process &process, const Event &event, double begin,
                 const Moment &moment);
  Outcome semaphore(Process &process, const Event &event);

  /// When a counter has reached `count`; blocks on it, with null, if it has
  /// not.
  const Moment *await(Process &process, Counter &counter, std::uint64_t count,
                      Counter::Cursor &cursor);
  const Span *await(Process &process, Banks &banks, std::uint64_t count) {
    const Span *span = banks.reached(count);
    if (!span)
      banks.waiters.push_back(indexOf(process));
    return span;
  }
  void grow(Banks &banks, const Span &span) {
    banks.add(span);
    wake(banks.waiters);
  }
  std::uint32_t indexOf(const Process &process) const {
    return std::uint32_t(&process - processes_.data());
  }
  void wake(std::vector<std::uint32_t> &waiters) {
    for (std::uint32_t waiter : waiters)
      eager_.push_back(waiter);
    waiters.clear();
  }
  void deliver(const Moment &moment, std::uint64_t worker,
               std::uint32_t address, std::uint32_t value, bool increment,
               Trace::Mark source);
  void deliverRectangle(const Process &process, const Event &event,
                        const Moment &moment, Trace::Mark source);
  Semaphore &semaphoreOf(std::uint64_t worker, std::uint32_t address);
  void forceOne();
  void collect();
  void closeTracks(double cycles);
  void collectKernels();
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

  const Recording &recording_;
  FabricTime *fabric_;
  const ArchData &arch_;
  const ArchTiming &timing_;
  std::vector<ChipState> chips_;
  Trace *trace_;
  double start_;
  std::vector<CoreState> cores_;
  std::vector<Process> processes_;
  std::vector<std::uint32_t> eager_; // processes that can continue
  /// Processes by index, then deliveries as they were sent.
  ReadyQueue ordered_;
  std::unordered_map<std::uint64_t, Semaphore> semaphores_;
  std::vector<Delivery> deliveries_; // in the order in which they were sent
  /// The last compute event with each opcode and what it takes: most kernels
  /// repeat a few.
  struct Taken {
    Event event{};
    const ComputeConfig *compute = nullptr;
    ComputeCycles cycles;
  };
  std::array<Taken, 64> taken_; // by opcode, which may share a place
  ReplayResult result_;
};

} // namespace tt::runtime::clock::timing

#endif // TT_RUNTIME_CLOCK_REPLAY_STATE_H
