// Which bytes of a memory were written.
#ifndef TT_RUNTIME_EMULATOR_WRITTEN_H
#define TT_RUNTIME_EMULATOR_WRITTEN_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tt::runtime::emulator {

/// The bytes of a memory that were written, none at first: a bit for each 16
/// bytes that all were, and one per byte where only some of 16 were. Not
/// thread-safe; several threads may look at once.
class WrittenBytes {
public:
  void mark(std::uint64_t begin, std::uint64_t end);
  bool all(std::uint64_t begin, std::uint64_t end) const {
    return find(false, begin, end) == end;
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
  /// Nothing was written; the memory for the bits stays.
  void clear() {
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
  /// The first of the units [unit, end) of which all bytes, or not all, were
  /// written; `end` if there is none.
  std::uint64_t findUnit(bool whole, std::uint64_t unit,
                         std::uint64_t end) const;

  std::vector<std::uint64_t> whole_; // a bit per unit, to the last that is set
  std::vector<std::uint16_t> parts_; // by unit, to the last that has some
};

} // namespace tt::runtime::emulator

#endif // TT_RUNTIME_EMULATOR_WRITTEN_H
