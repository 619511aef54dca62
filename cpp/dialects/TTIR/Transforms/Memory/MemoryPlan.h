#ifndef DIALECTS_TTIR_TRANSFORMS_MEMORY_MEMORYPLAN_H
#define DIALECTS_TTIR_TRANSFORMS_MEMORY_MEMORYPLAN_H

#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>

namespace mlir::tt::ttir {

/// A best-fit allocator of addresses. Adjacent free blocks are merged; a
/// request gets the smallest block that it fits into, the lowest of equal ones,
/// and new memory after everything only if there is none. Every step takes
/// logarithmic time.
class MemoryPlan {
public:
  /// The memory from `base` to `end`; all addresses are multiples of
  /// `alignment`. Without `reuse` what is freed stays unused.
  MemoryPlan(uint64_t base, uint64_t end, uint64_t alignment, bool reuse);

  /// Nothing if it does not fit.
  std::optional<uint64_t> allocate(uint64_t size);
  void free(uint64_t address, uint64_t size);

  uint64_t getBase() const { return base; }
  uint64_t getEnd() const { return end; }
  /// The highest end of any allocation so far.
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
