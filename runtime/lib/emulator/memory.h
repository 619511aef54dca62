// Memory of the emulated machine and of host tensors.
#ifndef TT_RUNTIME_EMULATOR_MEMORY_H
#define TT_RUNTIME_EMULATOR_MEMORY_H

#include <cstddef>
#include <cstdint>
#include <memory>

namespace tt::runtime::emulator {

/// The banks of one memory space of a chip: equal byte ranges at equal
/// distances, reserved at once and committed by the operating system on first
/// touch.
class Arena {
public:
  /// Throws Error(OutOfMemory) when the address space is not granted.
  Arena(std::int64_t banks, std::int64_t bankBytes);
  ~Arena();
  Arena(const Arena &) = delete;
  Arena &operator=(const Arena &) = delete;

  std::byte *bank(std::int64_t index) const { return base_ + index * spacing_; }
  std::byte *base() const { return base_; }
  /// Bytes from one bank to the next in host addresses.
  std::int64_t spacing() const { return spacing_; }

  /// Sets [offset, offset + bytes) of every bank to zeros. Large ranges are
  /// returned to the operating system and committed again on touch.
  void clear(std::int64_t offset, std::int64_t bytes) const;

  /// Asks for huge pages in [offset, offset + bytes) of every bank when they
  /// pay.
  void expectUse(std::int64_t offset, std::int64_t bytes) const;

private:
  std::byte *base_ = nullptr;
  std::int64_t banks_, spacing_;
  std::size_t mapped_ = 0;
};

/// Host memory of at least `bytes`, aligned to 64; contents are undefined, and
/// may be those of a freed block: a caller that returns them must write all of
/// them. Large blocks come from a cache of freed ones, so that a run in a loop
/// does not fault its pages in again. Throws Error(OutOfMemory). Thread-safe.
std::shared_ptr<void> allocateHost(std::int64_t bytes);

/// Largest host tensor that allocateHost grants; by default the memory of the
/// machine.
void setHostLimit(std::int64_t bytes);

} // namespace tt::runtime::emulator

#endif // TT_RUNTIME_EMULATOR_MEMORY_H
