#ifndef DIALECTS_TTIR_TRANSFORMS_MEMORY_MEMORYPLAN_H
#define DIALECTS_TTIR_TRANSFORMS_MEMORY_MEMORYPLAN_H

#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>

namespace mlir::tt::ttir {

/// The addresses of a memory that is given out and taken back. Freed places
/// that touch become one; a request takes the smallest that it fits in, the
/// lowest of equal ones, and new memory behind everything only where none does.
/// Every step takes logarithmic time.
class MemoryPlan {
public:
  /// The memory from `base` to `end`; all addresses are multiples of
  /// `alignment`. Without `reuse` what is freed stays unused.
  MemoryPlan(uint64_t base, uint64_t end, uint64_t alignment, bool reuse);

  /// Nothing if there is no room.
  std::optional<uint64_t> allocate(uint64_t size);
  void free(uint64_t address, uint64_t size);

  uint64_t getBase() const { return base; }
  uint64_t getEnd() const { return end; }
  /// The end of the highest place that was ever given out.
  uint64_t getHighWater() const { return highWater; }

private:
  void insert(uint64_t address, uint64_t size);
  void erase(std::map<uint64_t, uint64_t>::iterator place);

  uint64_t base, end, alignment, top, highWater;
  bool reuse;
  /// Size of each free place below `top`, by address.
  std::map<uint64_t, uint64_t> holes;
  /// The same as (size, address).
  std::set<std::pair<uint64_t, uint64_t>> bySize;
};

} // namespace mlir::tt::ttir

#endif
