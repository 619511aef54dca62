// The building blocks of streams: what the threads of a library kernel do.
//
// A stream has the events of the threads of every core (clock/events.h), which
// the clock replays as it does the kernels of a program. Streams are bounded:
// each core does at most kMostBlocks blocks of a round, and what remains
// continues with the pace of the later half of these, other rounds with that of
// a second one; so do bytes and busy times.
#ifndef TT_RUNTIME_TTNN_STREAMS_BUILDER_H
#define TT_RUNTIME_TTNN_STREAMS_BUILDER_H

#include "clock/replay.h"
#include "ttnn/streams/pages.h"

#include <array>
#include <functional>
#include <map>
#include <string>

namespace tt::runtime::ttnn::streams {

using clock::EventKind;
using clock::NocPoint;
using clock::Opcode;
using numerics::DType;

inline std::int64_t ceilDiv(std::int64_t a, std::int64_t b) {
  return (a + b - 1) / b;
}

/// Blocks of a core that a stream has of a round.
inline constexpr std::int64_t kMostBlocks = 16;

/// An instruction of the compute thread on tiles, see clock/compute_time.h.
struct Instruction {
  Opcode opcode;
  double repeats = 1;
  DType first = DType::BF16, second = DType::BF16;
  std::uint32_t tiles = 1, cols = 0; // of a block of a product
  bool alone = true;                 // without a second operand
};

/// A thread of a core.
class Thread {
public:
  explicit Thread(clock::ThreadEvents &events) : events_(&events) {}

  void reserve(int port, std::int64_t pages) {
    pagesOf(EventKind::CbReserve, port, pages);
  }
  void push(int port, std::int64_t pages) {
    pagesOf(EventKind::CbPush, port, pages);
  }
  void wait(int port, std::int64_t pages) {
    pagesOf(EventKind::CbWait, port, pages);
  }
  void pop(int port, std::int64_t pages) {
    pagesOf(EventKind::CbPop, port, pages);
  }
  /// Issues `parts` consecutive reads of `bytes` in total, with a transaction
  /// id if it is not 0.
  void read(NocPoint from, std::int64_t bytes, std::int64_t parts = 1,
            std::uint32_t id = 0);
  /// The same as stateful reads of one size, which reuse the previous read
  /// command with new addresses.
  void gather(NocPoint from, std::int64_t bytes, std::int64_t parts);
  void write(NocPoint to, std::int64_t bytes, std::int64_t parts = 1);
  /// Waits for the reads of a transaction id, or for all with 0.
  void readBarrier(std::uint32_t id = 0) {
    add(EventKind::ReadBarrier).value = id;
  }
  void writeBarrier() { add(EventKind::WriteBarrier); }
  /// Bytes that the core itself writes to its L1.
  void fill(std::int64_t bytes);
  /// To `cores` others in a rectangle.
  void multicast(NocPoint from, NocPoint to, std::int64_t cores,
                 std::int64_t bytes);
  /// Semaphores only grow: `value` is what they reach.
  void setAll(NocPoint from, NocPoint to, std::int64_t cores,
              std::uint32_t semaphore, std::uint32_t value);
  void increment(NocPoint to, std::uint32_t semaphore);
  void waitFor(std::uint32_t semaphore, std::uint32_t value);
  void compute(const Instruction &instruction);

private:
  clock::Event &add(EventKind kind) {
    clock::Event &event = events_->events.emplace_back();
    event.kind = kind;
    event.count = 1;
    return event;
  }
  void pagesOf(EventKind kind, int port, std::int64_t pages);
  clock::ThreadEvents *events_;
};

class Builder {
public:
  /// Of at most `most` blocks a core in each of at most `mostRounds` rounds.
  Builder(const ChipGeometry &chip, std::int64_t most,
          std::int64_t mostRounds = 1);

  const ChipGeometry &chip() const { return *chip_; }
  const clock::NocMap &map() const { return map_; }
  Pages pages(const Layout &layout) const { return Pages(layout, map_); }
  /// The maximum size of a transfer; longer ones are split.
  std::int64_t mostTransferBytes() const;
  std::int64_t most() const { return most_; }
  std::int64_t mostRounds() const { return mostRounds_; }

  /// The thread of a core that runs a kernel; noc 0, 1, or 2 to compute.
  /// Valid until the next call.
  Thread thread(std::int32_t core, int role, const char *kernel);
  static constexpr int kCompute = 2;
  void buffer(int port, std::int64_t pages) { buffers_[port] = pages; }
  NocPoint place(std::int32_t core) const;
  void setCompute(const ComputeConfig &compute) { compute_ = compute; }
  const ComputeConfig &compute() const { return compute_; }

  /// What there is to do and what the stream has of it: blocks of a round of
  /// the busiest core, and all work in any unit.
  void count(std::int64_t whole, std::int64_t some, double allWork,
             double someWork, std::int64_t turns = 1);
  std::int64_t blocks = 0, modelled = 0, rounds = 1;
  double work = 0, workModelled = 0;

  clock::ReplayResult replay() const;
  /// Adds the threads of a chip to a trace, from cycle `start` on; `time` is
  /// that of all blocks.
  void draw(Trace &trace, std::uint32_t device, double start,
            const clock::ReplayResult &time) const;
  const std::vector<clock::ThreadEvents> &threads() const { return threads_; }
  /// Of all that has an influence on the time.
  std::uint64_t hash() const;

private:
  clock::Recording recording() const;

  const ChipGeometry *chip_;
  clock::NocMap map_;
  std::int64_t most_, mostRounds_;
  ComputeConfig compute_;
  std::vector<clock::ThreadEvents> threads_;
  static constexpr std::uint32_t kNone = ~0u;
  std::vector<std::array<std::uint32_t, 3>> index_; // of threads, by core, role
  std::vector<std::string> kernels_;
  std::map<int, std::int64_t> buffers_;
};

/// The time of a stream that `make` has made, continued to all of its blocks
/// and rounds: `make` makes half of it, too, once and in two rounds.
clock::ReplayResult timeOf(const Builder &builder,
                           const std::function<void(Builder &)> &make);

} // namespace tt::runtime::ttnn::streams

#endif // TT_RUNTIME_TTNN_STREAMS_BUILDER_H
