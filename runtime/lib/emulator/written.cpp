#include "emulator/written.h"

#include <algorithm>
#include <bit>

namespace tt::runtime::emulator {

namespace {
constexpr std::uint64_t kAll = ~std::uint64_t(0);
} // namespace

WrittenBytes::WrittenBytes(std::uint64_t bytes) : parts_(bytes / kPart + 1) {}

void WrittenBytes::mark(std::uint64_t begin, std::uint64_t end) {
  while (begin < end) {
    auto &part = parts_[begin / kPart];
    if (!part)
      part = std::make_unique<Part>();
    const std::uint64_t stop = std::min(end, (begin / kPart + 1) * kPart);
    while (begin < stop) {
      const std::uint64_t next = std::min(stop, (begin / 64 + 1) * 64);
      (*part)[begin % kPart / 64] |= kAll >> (64 - (next - begin))
                                                 << begin % 64;
      begin = next;
    }
  }
}

std::uint64_t WrittenBytes::find(bool written, std::uint64_t begin,
                                 std::uint64_t end) const {
  while (begin < end) {
    const Part *part = parts_[begin / kPart].get();
    const std::uint64_t stop = std::min(end, (begin / kPart + 1) * kPart);
    if (!part && !written)
      return begin;
    for (; part && begin < stop; begin = (begin / 64 + 1) * 64) {
      const std::uint64_t word = (*part)[begin % kPart / 64];
      const std::uint64_t found = (written ? word : ~word) >> begin % 64;
      if (found)
        return std::min(end, begin + std::uint64_t(std::countr_zero(found)));
    }
    begin = stop;
  }
  return end;
}

std::uint64_t WrittenBytes::countUnwritten(std::uint64_t begin,
                                           std::uint64_t end) const {
  std::uint64_t count = 0;
  while ((begin = find(false, begin, end)) != end) {
    const std::uint64_t stop = find(true, begin, end);
    count += stop - begin;
    begin = stop;
  }
  return count;
}

void WrittenBytes::markAs(const WrittenBytes &other, std::uint64_t begin,
                          std::uint64_t end, std::uint64_t target) {
  for (std::uint64_t at = begin; (at = other.find(true, at, end)) != end;) {
    const std::uint64_t stop = other.find(false, at, end);
    mark(target + (at - begin), target + (stop - begin));
    at = stop;
  }
}

} // namespace tt::runtime::emulator
