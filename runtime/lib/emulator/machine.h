// The emulated machine: chips with the memories of their cores and channels,
// as the system description says.
#ifndef TT_RUNTIME_EMULATOR_MACHINE_H
#define TT_RUNTIME_EMULATOR_MACHINE_H

#include "common/layout.h"
#include "emulator/allocator.h"
#include "emulator/memory.h"
#include "emulator/ranks.h"

#include <memory>
#include <mutex>
#include <vector>

namespace tt::runtime::emulator {

/// One memory space of a chip: its bytes and their owners.
struct Memory {
  Arena arena;
  Allocator allocator;
  // Counts deallocateAll calls; a buffer of an older generation is gone.
  std::uint64_t generation = 0;
};

/// A chip. Memory is addressed by (core or channel, offset).
class Chip {
public:
  Chip(std::uint32_t id, const ChipGeometry &geometry);

  std::uint32_t id() const { return id_; }
  const ChipGeometry &geometry() const { return geometry_; }
  Memory &memory(Space space) { return space == Space::L1 ? l1_ : dram_; }

  std::byte *l1(std::int64_t core, std::int64_t offset) {
    return l1_.arena.bank(core) + offset;
  }
  std::byte *dram(std::int64_t channel, std::int64_t offset) {
    return dram_.arena.bank(channel) + offset;
  }

  /// Frees every tensor; their handles stay valid but refuse to be used.
  void deallocateAll();

  std::mutex &mutex() { return mutex_; }

private:
  std::uint32_t id_;
  ChipGeometry geometry_;
  Memory l1_, dram_;
  std::mutex mutex_; // guards the allocators
};

/// Chips by position in a mesh, and which rank emulates them.
struct Chips : std::vector<std::shared_ptr<Chip>> {
  using std::vector<std::shared_ptr<Chip>>::vector;
  Chips() = default;
  Chips(std::vector<std::shared_ptr<Chip>> chips)
      : std::vector<std::shared_ptr<Chip>>(std::move(chips)) {}

  Ownership ownership;
};

/// The chips of a system description, made as they are opened.
class System {
public:
  explicit System(SystemDesc desc);

  const SystemDesc &desc() const { return desc_; }
  std::int64_t numChips() const;
  /// Throws Error(Argument) for an id that does not exist.
  std::shared_ptr<Chip> openChip(int id);

private:
  SystemDesc desc_;
};

} // namespace tt::runtime::emulator

#endif // TT_RUNTIME_EMULATOR_MACHINE_H
