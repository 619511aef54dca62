// The bytes of an L1 that pending transfers may still read or write.
#include "emulator/engine.h"

#include <algorithm>

namespace tt::runtime::emulator {

void OpenTransfers::add(std::uint64_t begin, std::uint64_t end) {
  any_ = true;
  if (begin == end)
    return;
  low_ = std::min(low_, begin);
  high_ = std::max(high_, end);
  // Spans that touch are merged, so that there are as few as possible.
  auto next = spans_.upper_bound(begin);
  if (next != spans_.begin()) {
    const auto before = std::prev(next);
    if (before->second >= end)
      return;
    if (before->second >= begin) {
      before->second = end;
      begin = before->first;
    }
  }
  while (next != spans_.end() && next->first <= end) {
    end = std::max(end, next->second);
    next = spans_.erase(next);
  }
  spans_.insert_or_assign(next, begin, end);
}

void OpenTransfers::clear() {
  any_ = false;
  low_ = ~std::uint64_t(0);
  high_ = 0;
  spans_.clear();
}

bool OpenTransfers::find(std::uint64_t begin, std::uint64_t end) const {
  const auto next = spans_.lower_bound(end); // first that begins after
  return next != spans_.begin() && std::prev(next)->second > begin;
}

} // namespace tt::runtime::emulator
