#include "emulator/written.h"

#include <algorithm>
#include <bit>

namespace tt::runtime::emulator {

namespace {

constexpr std::uint64_t kAll = ~std::uint64_t(0);

/// Bits [begin, end) of the bytes of a unit.
constexpr std::uint32_t bytesFrom(std::uint64_t begin, std::uint64_t end) {
  return (std::uint32_t(1) << end) - (std::uint32_t(1) << begin);
}

} // namespace

void WrittenBytes::markPart(std::uint64_t unit, std::uint32_t bytes) {
  if (isWhole(unit))
    return;
  if (unit >= parts_.size())
    parts_.resize(unit + 1);
  parts_[unit] |= std::uint16_t(bytes);
  if (parts_[unit] == 0xffff)
    markBits(unit * kUnit, (unit + 1) * kUnit);
}

void WrittenBytes::markBits(std::uint64_t begin, std::uint64_t end) {
  std::uint64_t unit = begin / kUnit, last = end / kUnit; // behind the whole
  if (unit == last)
    return markPart(unit, bytesFrom(begin % kUnit, end % kUnit));
  if (begin % kUnit)
    markPart(unit++, bytesFrom(begin % kUnit, kUnit));
  if (end % kUnit)
    markPart(last, bytesFrom(0, end % kUnit));
  if (unit == last)
    return;
  --last; // the last of the whole
  if (last / 64 >= whole_.size())
    whole_.resize(last / 64 + 1);
  std::uint64_t *first = &whole_[unit / 64], *final = &whole_[last / 64];
  const std::uint64_t head = kAll << unit % 64;
  const std::uint64_t tail = kAll >> (63 - last % 64);
  if (first == final) {
    *first |= head & tail;
    return;
  }
  *first |= head;
  std::fill(first + 1, final, kAll);
  *final |= tail;
}

std::uint64_t WrittenBytes::findUnit(bool whole, std::uint64_t unit,
                                     std::uint64_t end) const {
  const std::uint64_t flip = whole ? 0 : kAll;
  std::uint64_t mask = kAll << unit % 64;
  for (std::uint64_t i = unit / 64; i * 64 < end && i < whole_.size(); ++i) {
    if (const std::uint64_t found = (whole_[i] ^ flip) & mask)
      return std::min(end, i * 64 + std::uint64_t(std::countr_zero(found)));
    mask = kAll;
  }
  // Behind the last word no unit is whole.
  return whole ? end : std::min(end, std::max(unit, whole_.size() * 64));
}

std::uint64_t WrittenBytes::find(bool written, std::uint64_t begin,
                                 std::uint64_t end) const {
  const std::uint64_t first = std::max(begin, runBegin_);
  const std::uint64_t last = std::min(end, runEnd_);
  if (first >= last) // outside of the run
    return findBits(written, begin, end);
  if (const std::uint64_t found = findBits(written, begin, first);
      found != first || written)
    return found;
  return findBits(false, last, end);
}

std::uint64_t WrittenBytes::findBits(bool written, std::uint64_t begin,
                                     std::uint64_t end) const {
  if (begin >= end || (whole_.empty() && parts_.empty()))
    return written ? end : std::min(begin, end);
  const std::uint64_t units = (end + kUnit - 1) / kUnit;
  while (begin < end) {
    std::uint64_t unit = begin / kUnit;
    // Units that certainly have no such byte.
    if (!written)
      unit = findUnit(false, unit, units);
    else if (parts_.empty())
      unit = findUnit(true, unit, units);
    begin = std::max(begin, unit * kUnit);
    if (begin >= end)
      break;
    const std::uint32_t bytes = bytesOf(unit) ^ (written ? 0 : 0xffff);
    const std::uint32_t found = bytes >> begin % kUnit;
    if (found)
      return std::min(end, begin + std::uint64_t(std::countr_zero(found)));
    begin = (unit + 1) * kUnit;
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
