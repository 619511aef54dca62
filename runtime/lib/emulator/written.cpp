#include "emulator/written.h"

#include <algorithm>
#include <bit>

namespace tt::runtime::emulator {

namespace {
constexpr std::uint64_t kAll = ~std::uint64_t(0);
} // namespace

void WrittenBytes::mark(std::uint64_t begin, std::uint64_t end) {
  if (begin < end && (end - 1) / kPart >= parts_.size())
    parts_.resize((end - 1) / kPart + 1);
  while (begin < end) {
    auto &part = parts_[begin / kPart];
    if (!part)
      part = std::make_unique<Part>();
    const std::uint64_t stop = std::min(end, (begin / kPart + 1) * kPart);
    const std::uint64_t first = begin % kPart / 64;
    const std::uint64_t last = (stop - 1) % kPart / 64;
    const std::uint64_t head = kAll << begin % 64;
    const std::uint64_t tail = kAll >> (63 - (stop - 1) % 64);
    if (first == last) {
      (*part)[first] |= head & tail;
    } else {
      (*part)[first] |= head;
      std::fill(part->begin() + first + 1, part->begin() + last, kAll);
      (*part)[last] |= tail;
    }
    begin = stop;
  }
}

std::uint64_t WrittenBytes::find(bool written, std::uint64_t begin,
                                 std::uint64_t end) const {
  const std::uint64_t none = written ? 0 : kAll; // in a word without such bytes
  const auto differ = [none](const std::uint64_t *words) {
    std::uint64_t any = 0;
    for (int i = 0; i < 8; ++i)
      any |= words[i] ^ none;
    return any != 0;
  };
  while (begin < end) {
    const std::uint64_t base = begin / kPart * kPart;
    const std::uint64_t stop = std::min(end, base + kPart);
    const Part *part = this->part(begin);
    if (!part && !written)
      return begin;
    if (part) {
      const std::uint64_t *words = part->data();
      std::uint64_t i = begin % kPart / 64;
      const std::uint64_t last = (stop - 1) % kPart / 64;
      std::uint64_t found = (words[i] ^ none) & kAll << begin % 64;
      while (!found && i < last) {
        for (++i; i + 8 <= last && !differ(words + i);)
          i += 8;
        found = words[i] ^ none;
      }
      if (found)
        return std::min(end,
                        base + i * 64 + std::uint64_t(std::countr_zero(found)));
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
