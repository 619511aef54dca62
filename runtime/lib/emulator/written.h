// Which bytes of a memory were written.
#ifndef TT_RUNTIME_EMULATOR_WRITTEN_H
#define TT_RUNTIME_EMULATOR_WRITTEN_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tt::runtime::emulator {

/// The bytes of a memory that were written, none at first: one run of bytes,
/// which most memory is, and what is not in it in a bit for each 16 bytes that
/// all were written, and one per byte where only some of 16 were. Not
/// thread-safe; several threads may look at once.
class WrittenBytes {
public:
  void mark(std::uint64_t begin, std::uint64_t end) {
    if (begin >= end)
      return;
    if (runBegin_ == runEnd_) {
      runBegin_ = begin;
      runEnd_ = end;
    } else if (begin <= runEnd_ && runBegin_ <= end) {
      runBegin_ = begin < runBegin_ ? begin : runBegin_;
      runEnd_ = end > runEnd_ ? end : runEnd_;
    } else {
      markBits(begin, end);
    }
  }
  bool all(std::uint64_t begin, std::uint64_t end) const {
    return (runBegin_ <= begin && end <= runEnd_) ||
           find(false, begin, end) == end;
  }
  bool any(std::uint64_t begin, std::uint64_t end) const {
    return find(true, begin, end) != end;
  }
  /// The first byte of [begin, end) that was written, or was not; `end` if
  /// there is none.
  std::uint64_t find(bool written, std::uint64_t begin,
                     std::uint64_t end) const;
  /// Those of [begin, end) that were not written.
  std::uint64_t countUnwritten(std::uint64_t begin, std::uint64_t end) const;
  /// Marks what `other` has of [begin, end), moved so that `begin` is at
  /// `target`.
  void markAs(const WrittenBytes &other, std::uint64_t begin, std::uint64_t end,
              std::uint64_t target);
  /// False also for the same bytes that were marked in another way.
  bool operator==(const WrittenBytes &) const = default;
  /// Nothing was written; the memory for the bits stays.
  void clear() {
    runBegin_ = runEnd_ = 0;
    whole_.clear();
    parts_.clear();
  }

private:
  static constexpr std::uint64_t kUnit = 16;
  bool isWhole(std::uint64_t unit) const {
    return unit / 64 < whole_.size() && whole_[unit / 64] >> unit % 64 & 1;
  }
  /// The bytes of a unit that were written.
  std::uint32_t bytesOf(std::uint64_t unit) const {
    return isWhole(unit) ? 0xffff : unit < parts_.size() ? parts_[unit] : 0;
  }
  void markPart(std::uint64_t unit, std::uint32_t bytes);
  void markBits(std::uint64_t begin, std::uint64_t end);
  /// find() among what has bits.
  std::uint64_t findBits(bool written, std::uint64_t begin,
                         std::uint64_t end) const;
  /// The first of the units [unit, end) of which all bytes, or not all, were
  /// written; `end` if there is none.
  std::uint64_t findUnit(bool whole, std::uint64_t unit,
                         std::uint64_t end) const;

  std::uint64_t runBegin_ = 0, runEnd_ = 0;
  std::vector<std::uint64_t> whole_; // a bit per unit, to the last that is set
  std::vector<std::uint16_t> parts_; // by unit, to the last that has some
};

} // namespace tt::runtime::emulator

#endif // TT_RUNTIME_EMULATOR_WRITTEN_H
