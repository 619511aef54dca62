// Allocation in one memory space of a chip. All banks are allocated in
// lock-step: a block has the same address in every bank, as in the allocator of
// the device.
#ifndef TT_RUNTIME_EMULATOR_ALLOCATOR_H
#define TT_RUNTIME_EMULATOR_ALLOCATOR_H

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tt::runtime::emulator {

/// A block from its allocation to its release.
struct Holding {
  std::int64_t address, bytes;
  std::string owner;
  double begin = 0, end = 0;
};

/// A block for which there was no room.
struct FailedRequest {
  std::int64_t bytes;
  std::string owner;
  std::int64_t available, largestFree;
};

/// Who held what when, in a time that the caller tells.
struct Holdings {
  std::vector<Holding> blocks;
  std::optional<FailedRequest> failed; // the last one
};

/// A block at an address that the allocator chose.
struct PlacedBlock {
  std::int64_t address, bytes;
};
/// The blocks of a run, in the order of their allocation.
using PlacedBlocks = std::vector<PlacedBlock>;

/// Addresses and sizes are bytes within a bank. Not thread-safe.
class Allocator {
public:
  /// `space` names the memory in messages: "L1" or "DRAM".
  Allocator(std::string space, std::int64_t begin, std::int64_t end,
            std::int64_t alignment);

  /// Allocates at the lowest possible address. Throws Error(OutOfMemory) that
  /// says what was requested, what is free and which blocks have the rest;
  /// `owner` is the name of this block in such messages.
  std::int64_t allocate(std::int64_t bytes, std::string owner);
  /// The highest address from which `bytes` are free and which is at most
  /// `last`; -1 if there is none.
  std::int64_t findHighest(std::int64_t bytes, std::int64_t last);
  /// Allocates [address, address + bytes), rounded up to whole units of
  /// alignment. Throws Error(Argument) for a range that is empty, misaligned or
  /// not within the memory; if a block overlaps it, the error names both.
  void reserve(std::int64_t address, std::int64_t bytes, std::string owner);
  void release(std::int64_t address);
  /// "tensor 3 [1024, 2048)" of the first block with a byte of the range; empty
  /// if it is free.
  std::string holderOf(std::int64_t address, std::int64_t bytes) const;
  /// Releases everything.
  void reset();

  std::int64_t used() const { return used_; }
  std::int64_t capacity() const { return end_ - begin_; }
  std::int64_t highWater() const { return highWater_; }
  /// Starts a new measurement at what is in use now.
  void restartHighWater() { highWater_ = used_; }

  /// Records holdings from time 0 on; the blocks of now are held since then.
  void startRecording();
  /// A step ends, and it is `now`. What it allocated and released, it held
  /// until now; what was there before and was released is not held in it.
  void advance(double now);
  /// What was recorded; blocks that are not released are held until now.
  Holdings stopRecording();

  /// Starts recording the addresses that allocate() and findHighest() choose.
  void startCapture() { captured_.emplace(); }
  PlacedBlocks stopCapture();
  /// Makes allocate() and findHighest() choose these addresses again, in order.
  /// A different request, or memory that is in use, is an Error(Internal).
  void startReplay(const PlacedBlocks &blocks);
  void stopReplay() { replayed_.reset(); }

private:
  struct Block {
    std::int64_t bytes;
    std::string owner;
    std::size_t holding = 0; // while recording
  };
  struct Recording {
    Holdings found;
    std::vector<std::size_t> passing; // allocated and released in this step
    double now = 0;
  };
  struct Replayed {
    PlacedBlocks blocks;
    std::size_t next = 0;
  };
  void hold(std::int64_t address, Block &block);
  /// The lowest address from which `size` bytes are free; -1 if there is none.
  std::int64_t findLowest(std::int64_t size) const;
  std::int64_t nextReplayed(std::int64_t size);
  std::int64_t roundUp(std::int64_t bytes) const {
    return (bytes + alignment_ - 1) / alignment_ * alignment_;
  }
  void take(std::int64_t address, std::int64_t size, std::string owner);
  [[noreturn]] void exhausted(std::int64_t bytes, const std::string &owner);

  std::string space_;
  std::int64_t begin_, end_, alignment_;
  std::int64_t used_ = 0, highWater_ = 0;
  std::map<std::int64_t, std::int64_t> free_; // address to bytes, no neighbours
  std::map<std::int64_t, Block> blocks_;
  std::optional<Recording> recording_;
  std::optional<PlacedBlocks> captured_;
  std::optional<Replayed> replayed_;
};

} // namespace tt::runtime::emulator

#endif // TT_RUNTIME_EMULATOR_ALLOCATOR_H
