// The bytes of an L1 that pending transfers may still read or write.
#include "emulator/engine.h"

#include <algorithm>

namespace tt::runtime::emulator {

void OpenTransfers::add(std::uint64_t begin, std::uint64_t end) {
  if (begin == end)
    return;
  low_ = std::min(low_, begin);
  high_ = std::max(high_, end);
  // Spans that touch are merged, so that there are as few as possible. Mostly
  // one transfer goes on where the last one ended.
  if (!spans_.empty() && spans_.back().begin <= begin &&
      begin <= spans_.back().end) {
    spans_.back().end = std::max(spans_.back().end, end);
    return;
  }
  const auto first =
      std::partition_point(spans_.begin(), spans_.end(),
                           [&](const Span &span) { return span.end < begin; });
  if (first == spans_.end() || first->begin > end) {
    spans_.insert(first, {begin, end});
    return;
  }
  auto last = first + 1;
  for (; last != spans_.end() && last->begin <= end; ++last)
    ;
  first->begin = std::min(first->begin, begin);
  first->end = std::max(last[-1].end, end);
  spans_.erase(first + 1, last);
}

void OpenTransfers::clear() {
  low_ = ~std::uint64_t(0);
  high_ = 0;
  spans_.clear();
}

bool OpenTransfers::find(std::uint64_t begin, std::uint64_t end) const {
  const auto next =
      std::partition_point(spans_.begin(), spans_.end(),
                           [&](const Span &span) { return span.end <= begin; });
  return next != spans_.end() && next->begin < end;
}

} // namespace tt::runtime::emulator
