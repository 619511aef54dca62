#include "dialects/TTIR/Transforms/Memory/MemoryPlan.h"

#include "llvm/Support/MathExtras.h"

namespace mlir::tt::ttir {

MemoryPlan::MemoryPlan(uint64_t base, uint64_t end, uint64_t alignment,
                       bool reuse)
    : base(llvm::alignTo(base, alignment)), end(end), alignment(alignment),
      top(this->base), highWater(this->base), reuse(reuse) {}

void MemoryPlan::insert(uint64_t address, uint64_t size) {
  holes.emplace(address, size);
  bySize.emplace(size, address);
}

void MemoryPlan::erase(std::map<uint64_t, uint64_t>::iterator place) {
  bySize.erase({place->second, place->first});
  holes.erase(place);
}

std::optional<uint64_t> MemoryPlan::allocate(uint64_t size) {
  if (size > end)
    return std::nullopt;
  size = llvm::alignTo(size, alignment);
  auto fit = bySize.lower_bound({size, 0});
  if (fit != bySize.end()) {
    auto [holeSize, address] = *fit;
    erase(holes.find(address));
    if (holeSize > size)
      insert(address + size, holeSize - size);
    return address;
  }
  // The last tensor may end at an end that is not aligned.
  if (top > end || llvm::alignDown(end, alignment) - top < size)
    return std::nullopt;
  uint64_t address = top;
  top += size;
  highWater = std::max(highWater, top);
  return address;
}

void MemoryPlan::free(uint64_t address, uint64_t size) {
  if (!reuse)
    return;
  size = llvm::alignTo(size, alignment);
  auto next = holes.upper_bound(address);
  if (next != holes.begin()) {
    auto previous = std::prev(next);
    if (previous->first + previous->second == address) {
      address = previous->first;
      size += previous->second;
      erase(previous);
    }
  }
  if (next != holes.end() && address + size == next->first) {
    size += next->second;
    erase(next);
  }
  if (address + size == top)
    top = address;
  else
    insert(address, size);
}

} // namespace mlir::tt::ttir
