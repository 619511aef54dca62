// Which bytes of a memory were written.
#ifndef TT_RUNTIME_EMULATOR_WRITTEN_H
#define TT_RUNTIME_EMULATOR_WRITTEN_H

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace tt::runtime::emulator {

/// A bit per byte of a memory, none of which is written at first, in parts that
/// exist once something in them was. Not thread-safe.
class WrittenBytes {
public:
  void mark(std::uint64_t begin, std::uint64_t end);
  bool all(std::uint64_t begin, std::uint64_t end) const {
    return find(false, begin, end) == end;
  }
  bool any(std::uint64_t begin, std::uint64_t end) const {
    return find(true, begin, end) != end;
  }
  /// Those of [begin, end) that were not written.
  std::uint64_t countUnwritten(std::uint64_t begin, std::uint64_t end) const;
  /// Marks what `other` has of [begin, end), moved so that `begin` is at
  /// `target`.
  void markAs(const WrittenBytes &other, std::uint64_t begin, std::uint64_t end,
              std::uint64_t target);

private:
  /// The first byte of [begin, end) that was written, or was not; `end` if
  /// there is none.
  std::uint64_t find(bool written, std::uint64_t begin,
                     std::uint64_t end) const;

  static constexpr std::uint64_t kPart = 64 * 1024;
  using Part = std::array<std::uint64_t, kPart / 64>;
  const Part *part(std::uint64_t address) const {
    const std::uint64_t index = address / kPart;
    return index < parts_.size() ? parts_[index].get() : nullptr;
  }
  std::vector<std::unique_ptr<Part>> parts_; // to the last that exists
};

} // namespace tt::runtime::emulator

#endif // TT_RUNTIME_EMULATOR_WRITTEN_H
