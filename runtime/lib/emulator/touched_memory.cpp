// Which actor accessed which bytes of a memory.
#include "emulator/watch.h"
#include "numerics/stream.h"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace tt::runtime::emulator {

namespace {

/// The fingerprint; hands each 64 bytes, and the rest, to `visit(at, count)`.
template <typename Visit>
inline std::uint32_t fingerprintOf(const std::byte *bytes, std::uint64_t count,
                                   std::uint64_t address, const Visit &visit) {
  constexpr std::uint64_t kFactor = 0x9e3779b97f4a7c15;
  auto mix = [](std::uint64_t a, std::uint64_t b) {
    const auto product = static_cast<unsigned __int128>(a) * b;
    return std::uint64_t(product) ^ std::uint64_t(product >> 64);
  };
  auto word = [&](std::uint64_t at) {
    std::uint64_t value;
    std::memcpy(&value, bytes + at, 8);
    return value;
  };
  std::uint64_t lanes[4] = {address, ~address, count, ~count};
  std::uint64_t i = 0;
  for (; i + 64 <= count; i += 64) {
    for (std::uint64_t lane = 0; lane < 4; ++lane)
      lanes[lane] = mix(word(i + lane * 16) ^ lanes[lane],
                        word(i + lane * 16 + 8) ^ kFactor);
    visit(i, 64);
  }
  visit(i, count - i);
  for (; i < count; ++i)
    lanes[i % 4] = (lanes[i % 4] ^ std::uint64_t(bytes[i])) * kFactor;
  const std::uint64_t sum =
      mix(mix(lanes[0], lanes[1] ^ kFactor) ^ lanes[2], lanes[3] ^ kFactor);
  return std::uint32_t(sum >> 32) | 1;
}

} // namespace

std::uint32_t fingerprint(const std::byte *bytes, std::uint64_t count,
                          std::uint64_t address) {
  return fingerprintOf(bytes, count, address,
                       [](std::uint64_t, std::uint64_t) {});
}

std::uint32_t copyWithFingerprint(std::byte *target, const std::byte *bytes,
                                  std::uint64_t count, std::uint64_t address) {
  return fingerprintOf(bytes, count, address,
                       [=](std::uint64_t at, std::uint64_t some) {
                         if (some == 64)
                           numerics::copyStreamed64(target + at, bytes + at);
                         else
                           std::memcpy(target + at, bytes + at, some);
                       });
}

namespace {

/// One access, within a block.
struct Touch {
  std::uint16_t begin, end;
  const Toucher &who;
  bool &excused; // of the memory

  bool ordered(Access access) const {
    return !access || indexOf(access) == indexOf(who.access) ||
           who.clock.knows(access, who.place);
  }
  /// The access of a range that conflicts with this one.
  Race conflict(const Range &range) const {
    const std::uint64_t begin = std::max(this->begin, range.begin);
    if (!ordered(range.write)) {
      if (!who.writes || !who.what || range.what != who.what)
        return {range.write, true, begin};
      excused = true;
    }
    if (!who.writes)
      return {};
    if (!ordered(range.read))
      return {range.read, false, begin};
    for (Access other : range.others)
      if (!ordered(other))
        return {other, false, begin};
    return {};
  }
  bool isAll(const Range &range) const {
    return range.begin == begin && range.end == end;
  }
  /// Whether it goes on where the range ends, which nothing but the same access
  /// has made.
  bool continues(const Range &range) const {
    return range.end == begin && !who.what && !range.what &&
           range.write == (who.writes ? who.access : 0) &&
           range.read == (who.writes ? 0 : who.access) && range.others.empty();
  }
  /// Notes the access in a range that it has.
  void note(Range &range) const {
    if (who.writes) {
      range.what = who.what;
      range.write = who.access;
      range.read = 0;
      range.others.clear();
      return;
    }
    if (!range.others.empty())
      std::erase_if(range.others, [this](Access a) { return ordered(a); });
    if (ordered(range.read))
      range.read = who.access;
    else
      range.others.push_back(who.access);
  }
  /// What becomes of a range, or of a part of it, that the access has.
  Range noted(Range range) const {
    note(range);
    return range;
  }
};

/// True if `second` begins where `first` ends, and nothing tells them apart.
bool continues(const Range &first, const Range &second) {
  return first.end == second.begin && first.write == second.write &&
         first.read == second.read && first.what == 0 && second.what == 0 &&
         first.others.empty() && second.others.empty();
}

/// Replaces the ranges [first, last), which are all that the access overlaps,
/// by the access and the parts that it does not overlap.
void splice(std::vector<Range> &ranges, std::vector<Range>::iterator first,
            std::vector<Range>::iterator last, const Touch &touch) {
  if (first == last) {
    Range range = touch.noted({});
    range.begin = touch.begin;
    range.end = touch.end;
    ranges.insert(first, std::move(range));
    return;
  }
  thread_local std::vector<Range> parts; // so that it need not be allocated
  parts.clear();
  const auto add = [&](Range range, std::uint16_t begin, std::uint16_t end) {
    range.begin = begin;
    range.end = end;
    if (begin < end)
      parts.push_back(std::move(range));
  };
  std::uint16_t at = touch.begin;
  for (auto range = first; range != last; ++range) {
    add(*range, range->begin, std::min(range->end, touch.begin));
    if (touch.who.writes)
      continue;
    const std::uint16_t begin = std::max(range->begin, touch.begin);
    const std::uint16_t end = std::min(range->end, touch.end);
    add(touch.noted({}), at, begin);
    add(touch.noted(*range), begin, end);
    at = end;
  }
  add(touch.noted({}), at, touch.end);
  add(*std::prev(last), std::max(std::prev(last)->begin, touch.end),
      std::prev(last)->end);
  const auto replaced = std::min(last - first, std::ptrdiff_t(parts.size()));
  const auto rest = std::move(parts.begin(), parts.begin() + replaced, first);
  if (rest != last)
    ranges.erase(rest, last);
  else
    ranges.insert(rest, std::move_iterator(parts.begin() + replaced),
                  std::move_iterator(parts.end()));
}

/// True if the ranges [first, last) are the bytes of the access, without gaps.
bool coversAll(std::vector<Range>::const_iterator first,
               std::vector<Range>::const_iterator last, const Touch &touch) {
  if (first == last || first->begin != touch.begin ||
      std::prev(last)->end != touch.end)
    return false;
  for (; first + 1 != last; ++first)
    if (first->end != first[1].begin)
      return false;
  return true;
}

Race touchRanges(Block &block, const Touch &touch);

inline Race touchBlock(Block &block, const Touch &touch) {
  Range &only = block.only;
  if (!block.ranges.empty())
    return touchRanges(block, touch);
  if (only.end == 0) {
    only.begin = touch.begin;
    only.end = touch.end;
    touch.note(only);
    return {};
  }
  if (touch.continues(only)) {
    only.end = touch.end;
    return {};
  }
  if (!touch.isAll(only))
    return touchRanges(block, touch);
  const Race race = touch.conflict(only);
  if (!race)
    touch.note(only);
  return race;
}

/// The same of a block of several ranges, or one that the access makes so.
Race touchRanges(Block &block, const Touch &touch) {
  std::vector<Range> &ranges = block.ranges;
  if (ranges.empty()) {
    ranges.reserve(4);
    ranges.push_back(std::move(block.only));
  }
  // Memory is mostly filled from its begin on.
  if (ranges.back().end <= touch.begin) {
    if (touch.continues(ranges.back())) {
      ranges.back().end = touch.end;
      return {};
    }
    ranges.push_back({touch.begin, touch.end, 0, 0, 0, {}});
    touch.note(ranges.back());
    return {};
  }
  const auto first = std::partition_point(
      ranges.begin(), ranges.end(),
      [&](const Range &range) { return range.end <= touch.begin; });
  auto last = first;
  for (; last != ranges.end() && last->begin < touch.end; ++last)
    if (const Race race = touch.conflict(*last))
      return race;
  if (touch.who.writes && first != ranges.begin() &&
      touch.continues(first[-1])) {
    // It goes on over what was there.
    first[-1].end = touch.end;
    if (first != last && last[-1].end > touch.end) {
      --last;
      last->begin = touch.end;
    }
    ranges.erase(first, last);
  } else if (coversAll(first, last, touch)) {
    if (touch.who.writes) {
      first->end = touch.end;
      ranges.erase(first + 1, last);
      touch.note(*first);
      // What follows may have been written with it.
      if (first + 1 != ranges.end() && continues(*first, first[1])) {
        first->end = first[1].end;
        ranges.erase(first + 1);
      }
      if (first != ranges.begin() && continues(first[-1], *first)) {
        first[-1].end = first->end;
        ranges.erase(first);
      }
    } else {
      for (auto range = first; range != last; ++range)
        touch.note(*range);
    }
  } else {
    splice(ranges, first, last, touch);
  }
  if (ranges.size() == 1) {
    block.only = std::move(ranges.front());
    ranges.clear();
  }
  return {};
}

} // namespace

void TouchedMemory::startChunk(std::uint64_t number) {
  if (number >= chunks_.size())
    chunks_.resize(number + 1);
  auto &chunk = chunks_[number];
  if (!chunk) {
    chunk = std::make_unique<Chunk>();
    ++count_;
  } else {
    for (Block &block : chunk->blocks) {
      block.only = {};
      block.ranges.clear();
    }
  }
  chunk->run = run_;
}

void TouchedMemory::clear() {
  ++run_;
  excused_ = false;
  if (count_ <= kKept)
    return;
  chunks_.clear();
  count_ = 0;
}

Race TouchedMemory::touch(std::uint64_t begin, std::uint64_t end,
                          const Toucher &toucher) {
  begin -= base_;
  end -= base_;
  while (begin < end) {
    const std::uint64_t first = begin / Block::kBytes * Block::kBytes;
    const std::uint64_t stop = std::min(end, first + Block::kBytes);
    Race race = touchBlock(blockAt(first),
                           {std::uint16_t(begin - first),
                            std::uint16_t(stop - first), toucher, excused_});
    if (race) {
      race.begin += base_ + first;
      return race;
    }
    begin = stop;
  }
  return {};
}

} // namespace tt::runtime::emulator
