// What the checks remember of memory: which bytes of an L1 were written, which
// circular buffer has them, and which actor accessed L1 or DRAM when.
//
// Memory is tracked in blocks of 2 KiB. A block has the ranges that were
// accessed, exact to the byte. Each range has its last writer, and the readers
// since then that are not ordered before another reader.
#ifndef TT_RUNTIME_EMULATOR_WATCH_H
#define TT_RUNTIME_EMULATOR_WATCH_H

#include "emulator/vector_clock.h"
#include "emulator/written.h"

#include <cstddef>
#include <deque>
#include <memory>
#include <unordered_map>

namespace tt::runtime::emulator {

struct Op;
struct Thread;

/// Bytes [begin, end) of a block. `what` identifies the data of the last write:
/// the same bytes written twice to the same place are no conflict in any order.
/// 0 if it is not known.
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
/// The same of bytes that are copied past the caches; `target` is a multiple of
/// 16. Other threads see them after numerics::endStreams().
std::uint32_t copyWithFingerprint(std::byte *target, const std::byte *bytes,
                                  std::uint64_t count, std::uint64_t address);

/// An access that conflicts with an earlier one.
struct Race {
  Access other = 0;
  bool otherWrites = false;
  std::uint64_t begin = 0; // of the bytes that both touch
  explicit operator bool() const { return other != 0; }
};

/// The actor that accesses bytes, its clock then, and where the memory is.
struct Toucher {
  Access access;
  ClockView clock;
  const Area &place;
  bool writes;
  std::uint32_t what = 0; // of a write
};

/// The accesses of one memory from address `base` on, where its pages begin:
/// most of them are whole blocks.
class TouchedMemory {
public:
  explicit TouchedMemory(std::uint64_t base = 0) : base_(base) {}

  /// Records an access to bytes [begin, end), and finds one that is not ordered
  /// before it.
  Race touch(std::uint64_t begin, std::uint64_t end, const Toucher &toucher);
  /// Whether writes were no conflict only because their data was the same.
  bool excused() const { return excused_; }
  /// Forgets all accesses. Memory of up to `kKept` chunks stays for the next
  /// run.
  void clear();

private:
  static constexpr std::uint64_t kChunk = 64 * 1024;
  static constexpr std::size_t kKept = 256;
  struct Chunk {
    std::uint64_t run; // of which it has accesses
    Block blocks[kChunk / Block::kBytes];
  };
  Block &blockAt(std::uint64_t offset) {
    const std::uint64_t number = offset / kChunk;
    if (number >= chunks_.size() || !chunks_[number] ||
        chunks_[number]->run != run_)
      startChunk(number);
    return chunks_[number]->blocks[offset % kChunk / Block::kBytes];
  }
  void startChunk(std::uint64_t number);

  std::uint64_t base_;
  std::uint64_t run_ = 0;
  bool excused_ = false;
  std::vector<std::unique_ptr<Chunk>> chunks_; // to the last that exists
  std::size_t count_ = 0;                      // that exist
};

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
  bool missing; // a read of bytes that nothing had written before this round
};

/// The clocks that pages of a circular buffer, pushed or popped, pass to the
/// thread that waits for them. One thread pushes and one pops, so its clock at
/// a count of pages includes those at smaller counts.
class PageClock {
public:
  void pass(std::uint64_t count, const VectorClock &from, std::size_t most);
  /// Adds the clock after which a wait for `count` pages is ordered.
  void take(std::uint64_t count, VectorClock &to);
  void clear() {
    counts_.clear();
    clocks_.clear();
    first_ = 0;
  }

private:
  std::vector<std::uint64_t> counts_; // with the clocks, ascending
  ClockList clocks_;
  std::size_t first_ = 0; // that a thread may still wait for
};

/// The memory of one core, and the clocks of its threads.
class CoreWatch {
public:
  /// `start` is what a thread of the core knows at first.
  CoreWatch(std::uint64_t l1Bytes, std::uint64_t l1Base, std::uint64_t channels,
            const VectorClock &start, std::uint32_t number, const Area &place);
  /// As if it were new, for another run of the same core; keeps its memory.
  void restart(const VectorClock &start, std::uint32_t number,
               const Area &place);

  /// Of the L1.
  WrittenBytes written;

  //===-- Circular buffers ------------------------------------------------===//

  static constexpr std::uint8_t kNone = 0xff, kMany = 0xfe;
  void mapBuffer(std::uint32_t port, std::uint64_t begin, std::uint64_t end);
  /// The port whose buffer has bytes of the KiB of `address`, kNone, or kMany.
  std::uint8_t bufferNear(std::uint64_t address) const {
    return buffers_[address >> 10];
  }

  //===-- Order; `thread` is 0 for noc0, 1 for noc1, 2 for compute --------===//

  Access now(std::uint32_t thread) const {
    return makeAccess(number_, thread, threads_[thread].of(thread));
  }
  VectorClock &clock(std::uint32_t thread) {
    fresh_[thread] = kStale;
    return threads_[thread];
  }
  const VectorClock &peek(std::uint32_t thread) const {
    return threads_[thread];
  }
  /// The index of the thread's clock as it is now.
  std::uint32_t snapshot(std::uint32_t thread) {
    if (fresh_[thread] == kStale) {
      fresh_[thread] = std::uint32_t(snapshots_.size());
      snapshots_.push(threads_[thread]);
    }
    return fresh_[thread];
  }
  /// The thread's next access is in a new epoch.
  void advance(std::uint32_t thread) { clock(thread).advance(thread, 1); }
  /// The same, for others to wait for; the thread's next access is in a new
  /// epoch.
  std::uint32_t release(std::uint32_t thread);
  /// The same for a flag that arrives in `area` after the thread's transfers of
  /// a kind; those over the fabric belong to the whole core.
  std::uint32_t releaseBehind(std::uint32_t thread, Actor kind,
                              const Area &area);
  /// Valid until there is another one.
  ClockView snapshotAt(std::uint32_t index) const { return snapshots_[index]; }
  /// A transfer that the thread starts, of one kind; a barrier for that kind.
  Access begin(std::uint32_t thread, Actor kind) {
    const std::uint32_t actor = kind + thread;
    return makeAccess(number_, actor, ++begun_[actor]);
  }
  void finish(std::uint32_t thread, Actor kind) {
    finish(thread, kind, begun(thread, kind));
  }
  /// A barrier for those up to an epoch.
  void finish(std::uint32_t thread, Actor kind, std::uint32_t epoch) {
    const std::uint32_t actor = kind + thread;
    clock(thread).set(actor, std::max(threads_[thread].of(actor), epoch));
  }
  /// The epoch of the last transfer that the thread has started.
  std::uint32_t begun(std::uint32_t thread, Actor kind) const {
    return begun_[kind + thread];
  }
  /// A word of L1 outside of the semaphores that other cores have written
  /// passes their clocks to the thread that loads it, like a semaphore.
  void sendWord(std::uint64_t address, const VectorClock &from);
  void loadWord(std::uint64_t address, std::uint32_t thread);
  void endRound();

  TouchedMemory l1;
  bool tracksL1 = false; // more than one thread can touch it
  Area place;
  std::array<PageClock, 32> pushed, popped;  // by port
  std::vector<std::vector<DramAccess>> dram; // by channel

private:
  static constexpr std::uint32_t kStale = ~std::uint32_t(0);

  std::uint32_t number_; // of the core, in clocks
  std::unordered_map<std::uint64_t, VectorClock> words_;
  std::vector<std::uint8_t> buffers_; // by KiB
  std::array<VectorClock, 3> threads_;
  std::array<std::uint32_t, kActors> begun_{};
  ClockList snapshots_;
  std::array<std::uint32_t, 3> fresh_; // the snapshot that is the clock
};

/// The clocks that a semaphore passes to the thread that waits for it. A wait
/// is ordered after the increments that its value needs, and no others: if two
/// increments have arrived, a wait for a count of 1 is ordered after the first
/// one, not after the second.
class SemaphoreClock {
public:
  /// `value` is that of the semaphore when the cores started, which know
  /// `start`.
  SemaphoreClock(std::uint32_t value, const VectorClock &start)
      : past_(start), value_(value) {}

  /// An increment made it `value`.
  void increment(std::uint32_t value, const VectorClock &from);
  /// Another core, or the core of the semaphore itself, set it.
  void set(std::uint32_t value, const VectorClock &from);
  void setOwn(std::uint32_t value, const VectorClock &from);
  /// Adds to a clock what a wait for at least `value` is ordered after.
  void waitFor(std::uint32_t value, VectorClock &to);
  /// The same for a wait for exactly the current value.
  void waitForAll(VectorClock &to);

private:
  /// Increments of `step`, up to `value`. Of several, the sender's clock
  /// differs by one epoch of its own from one to the next; `from` is that of
  /// the first.
  struct Arrival {
    std::uint32_t value, step, count, sender;
    VectorClock from;
  };
  /// Takes as much of the first arrival as is needed to reach `value`.
  void takeFirst(std::uint32_t value);

  std::deque<Arrival> arrivals_; // that no thread has waited for
  VectorClock past_;             // what the value before them is ordered after
  std::uint32_t value_;          // before the first of them
  bool replaced_ = false;        // the first of them has set it
};

/// What is shared by the cores.
class ChipWatch {
public:
  /// `starts` are the clocks of the workers of the chip, needed if there are
  /// semaphores, `semaphores` the values that they start with.
  ChipWatch(const std::vector<VectorClock> &starts, std::uint64_t channels,
            std::uint64_t dramBase,
            const std::vector<std::uint32_t> &semaphores);
  /// As if it were new, for another run of the same chip; keeps its memory.
  void restart(const std::vector<VectorClock> &starts,
               const std::vector<std::uint32_t> &semaphores);

  /// By worker of the chip.
  SemaphoreClock &semaphore(std::uint32_t core, std::uint32_t id) {
    return semaphores_[core * perCore_ + id];
  }

  std::vector<TouchedMemory> dram; // by channel
  /// What came from other chips in this round, by channel.
  std::vector<std::vector<DramAccess>> arrived;

private:
  std::vector<SemaphoreClock> semaphores_;
  std::uint32_t perCore_ = 0;
};

} // namespace tt::runtime::emulator

#endif // TT_RUNTIME_EMULATOR_WATCH_H
