#include "emulator/allocator.h"

#include "tt/runtime/error.h"

#include <algorithm>
#include <vector>

namespace tt::runtime::emulator {

Allocator::Allocator(std::string space, std::int64_t begin, std::int64_t end,
                     std::int64_t alignment)
    : space_(std::move(space)),
      begin_((begin + alignment - 1) / alignment * alignment),
      end_(std::max(begin_, end / alignment * alignment)),
      alignment_(alignment) {
  reset();
}

void Allocator::reset() {
  free_.clear();
  blocks_.clear();
  used_ = 0;
  if (end_ > begin_)
    free_[begin_] = end_ - begin_;
}

std::int64_t Allocator::allocate(std::int64_t bytes, std::string owner) {
  const std::int64_t size =
      std::max((bytes + alignment_ - 1) / alignment_, std::int64_t(1)) *
      alignment_;
  for (auto it = free_.begin(); it != free_.end(); ++it) {
    if (it->second < size)
      continue;
    const std::int64_t address = it->first, room = it->second;
    free_.erase(it);
    if (room > size)
      free_[address + size] = room - size;
    blocks_[address] = {size, std::move(owner)};
    used_ += size;
    highWater_ = std::max(highWater_, used_);
    return address;
  }
  exhausted(bytes, owner);
}

void Allocator::release(std::int64_t address) {
  auto block = blocks_.find(address);
  if (block == blocks_.end())
    return;
  std::int64_t size = block->second.bytes;
  used_ -= size;
  blocks_.erase(block);
  auto next = free_.lower_bound(address);
  if (next != free_.end() && next->first == address + size) {
    size += next->second;
    next = free_.erase(next);
  }
  if (next != free_.begin()) {
    auto previous = std::prev(next);
    if (previous->first + previous->second == address) {
      previous->second += size;
      return;
    }
  }
  free_[address] = size;
}

void Allocator::exhausted(std::int64_t bytes, const std::string &owner) const {
  std::int64_t largest = 0;
  for (auto const &[address, size] : free_)
    largest = std::max(largest, size);
  std::vector<const Block *> holders;
  for (auto const &[address, block] : blocks_)
    holders.push_back(&block);
  std::sort(holders.begin(), holders.end(), [](auto *a, auto *b) {
    return std::tie(b->bytes, a->owner) < std::tie(a->bytes, b->owner);
  });
  std::string held;
  constexpr std::size_t kShown = 8;
  for (std::size_t i = 0; i < std::min(holders.size(), kShown); ++i)
    held += (i ? "; " : "; held by: ") + holders[i]->owner + " " +
            std::to_string(holders[i]->bytes) + " bytes";
  if (holders.size() > kShown)
    held += "; and " + std::to_string(holders.size() - kShown) + " more";
  raise(ErrorCategory::OutOfMemory, space_, " exhausted: ", owner,
        " requested ", bytes, " bytes per bank, available ", capacity() - used_,
        " of ", capacity(), " (largest free block ", largest, ")", held);
}

} // namespace tt::runtime::emulator
