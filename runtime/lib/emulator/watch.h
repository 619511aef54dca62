// What the checks remember of memory: which bytes of an L1 were written, which
// circular buffer has them, and which core touched a range of L1 or DRAM when.
//
// Order between cores is kept by vector clocks. The epoch of a core grows with
// everything it sends that another core can wait for; an access of core c in
// epoch e happened before what core d does now if d's clock has at least e for
// c. Memory is seen in blocks of 2 KiB; a block keeps the ranges that were
// accessed, byte by byte exact, each with its last writer and with the readers
// since then that no other one is behind.
#ifndef TT_RUNTIME_EMULATOR_WATCH_H
#define TT_RUNTIME_EMULATOR_WATCH_H

#include "emulator/written.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <unordered_map>
#include <vector>

namespace tt::runtime::emulator {

struct Op;
struct Thread;

/// For each core of the run the last epoch that is known to be over.
using Clock = std::vector<std::uint32_t>;

/// An access of a core: core + 1 in the upper half, its epoch in the lower, or
/// 0.
using Access = std::uint64_t;
constexpr Access makeAccess(std::uint32_t core, std::uint32_t epoch) {
  return (Access(core) + 1) << 32 | epoch;
}
constexpr std::uint32_t coreOf(Access access) {
  return std::uint32_t(access >> 32) - 1;
}
constexpr std::uint32_t epochOf(Access access) { return std::uint32_t(access); }

/// Bytes [begin, end) of a block. `what` tells the last write's data: the same
/// bytes written twice to the same place are no conflict, whatever the order. 0
/// where it is not known.
struct Range {
  std::uint16_t begin = 0, end = 0;
  std::uint32_t what = 0;
  Access write = 0, read = 0;
  std::vector<Access> others; // reads in no order with `read`, one of a core
};

struct Block {
  static constexpr std::uint64_t kBytes = 2048;
  Range only;                // most blocks have one range
  std::vector<Range> ranges; // ascending and disjoint, if there are more
};

/// Tells transfers of different bytes, or to other places, apart; never 0.
std::uint32_t fingerprint(const std::byte *bytes, std::uint64_t count,
                          std::uint64_t address);

/// An access that conflicts with an earlier one.
struct Race {
  Access other = 0;
  bool otherWrites = false;
  std::uint64_t begin = 0; // of the bytes that both touch
  explicit operator bool() const { return other != 0; }
};

/// Notes that `me` reads or writes bytes [begin, end), where `blocks` holds the
/// block of byte 0, and finds an access that is not before it.
Race touch(Block *blocks, std::uint64_t begin, std::uint64_t end, bool writes,
           Access me, const Clock &clock, std::uint32_t what = 0);

struct DramTensor;

/// An access to DRAM in this round, within one tensor.
struct DramAccess {
  std::uint64_t begin, end;
  const DramTensor *tensor;
  const Thread *thread;
  const Op *op;
  Access access;
  std::uint32_t clock; // snapshot
  std::uint32_t what;  // of a write
  bool writes;
};

/// The memory of one core. `self` counts the cores of the run.
class CoreWatch {
public:
  CoreWatch(std::uint64_t l1Bytes, std::uint64_t channels, std::uint32_t self,
            std::uint32_t cores);

  /// Of the L1.
  WrittenBytes written;

  //===-- Circular buffers ------------------------------------------------===//

  static constexpr std::uint8_t kNone = 0xff, kMany = 0xfe;
  void mapBuffer(std::uint32_t port, std::uint64_t begin, std::uint64_t end);
  /// The port whose buffer has bytes of the KiB of `address`, kNone, or kMany.
  std::uint8_t bufferNear(std::uint64_t address) const {
    return buffers_[address >> 10];
  }

  //===-- Order -----------------------------------------------------------===//

  Access now() const { return makeAccess(self_, clock_[self_]); }
  const Clock &clock() const { return clock_; }
  /// The clock as it is now, by its index; the next access is in a new epoch.
  std::uint32_t release();
  /// The index of the clock as it is now, without a new epoch.
  std::uint32_t snapshot();
  const Clock &snapshotAt(std::uint32_t index) const {
    return snapshots_[index];
  }
  void acquire(const Clock &other);
  /// A word of the L1 outside the semaphores that others have written passes on
  /// their clocks to whoever loads it, as a semaphore does.
  void sendWord(std::uint64_t address, const Clock &from);
  void loadWord(std::uint64_t address);
  void endRound();

  Block *blocks() { return blocks_.data(); }
  /// Prepares blocks(), which not every run needs.
  void trackL1(std::uint64_t l1Bytes) {
    blocks_.resize(l1Bytes / Block::kBytes + 1);
    tracksL1 = true;
  }
  std::vector<std::vector<DramAccess>> dram; // by channel
  bool tracksDram = false, tracksL1 = false;

private:
  std::uint32_t self_;
  std::unordered_map<std::uint64_t, Clock> words_;
  std::vector<std::uint8_t> buffers_; // by KiB
  std::vector<Block> blocks_;
  Clock clock_;
  std::vector<Clock> snapshots_;
  bool fresh_ = false; // the last snapshot is the clock
};

/// What a semaphore passes on to the core that waits for it. A wait is behind
/// what its value needs and no more: of two increments that have arrived, one
/// that waits for a count of 1 has not waited for the second, though it happens
/// to be there.
class SemaphoreClock {
public:
  /// `value` is that of the semaphore when the cores started.
  explicit SemaphoreClock(std::uint32_t value) : value_(value) {}

  /// An increment made it `value`.
  void increment(std::uint32_t value, const Clock &from);
  /// Another core, or the core of the semaphore itself, set it.
  void set(std::uint32_t value, const Clock &from);
  void setOwn(std::uint32_t value);
  /// What a wait for at least `value` is behind, added to `watch`.
  void waitFor(std::uint32_t value, CoreWatch &watch);
  /// What a wait for exactly the value it has is behind.
  void waitForAll(CoreWatch &watch);

private:
  /// Increments of `step`, up to `value`. Of several, the sender's clock
  /// differs by one epoch of its own from one to the next; `from` is that of
  /// the first.
  struct Arrival {
    std::uint32_t value, step, count, sender;
    Clock from;
  };
  /// Takes what is needed of the first to reach `value`.
  void takeFirst(std::uint32_t value, CoreWatch &watch);

  std::deque<Arrival> arrivals_; // that nobody has waited for
  std::uint32_t value_;          // before the first of them
  bool replaced_ = false;        // the first of them has set it
};

/// What is shared by the cores.
class ChipWatch {
public:
  /// `semaphores` are the values that they start with.
  ChipWatch(std::uint64_t cores, std::uint64_t channels,
            const std::vector<std::uint32_t> &semaphores);

  /// The blocks of the DRAM around `address`, contiguous for kChunk bytes.
  static constexpr std::uint64_t kChunk = 64 * 1024;
  Block *dramChunk(std::uint64_t channel, std::uint64_t address);

  /// By worker of the chip.
  SemaphoreClock &semaphore(std::uint32_t core, std::uint32_t id) {
    return semaphores_[core * perCore_ + id];
  }

  /// What came from other chips in this round, by channel.
  std::vector<std::vector<DramAccess>> arrived;

private:
  std::vector<std::unordered_map<std::uint64_t, std::unique_ptr<Block[]>>>
      dram_;
  std::vector<SemaphoreClock> semaphores_;
  std::uint32_t perCore_;
};

/// Takes over what `from` knows.
void join(Clock &into, const Clock &from);

} // namespace tt::runtime::emulator

#endif // TT_RUNTIME_EMULATOR_WATCH_H
