#include "emulator/watch.h"

#include <algorithm>
#include <cstring>
#include <optional>

namespace tt::runtime::emulator {

std::uint32_t fingerprint(const std::byte *bytes, std::uint64_t count,
                          std::uint64_t address) {
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
  for (; i + 64 <= count; i += 64)
    for (std::uint64_t lane = 0; lane < 4; ++lane)
      lanes[lane] = mix(word(i + lane * 16) ^ lanes[lane],
                        word(i + lane * 16 + 8) ^ kFactor);
  for (; i < count; ++i)
    lanes[i % 4] = (lanes[i % 4] ^ std::uint64_t(bytes[i])) * kFactor;
  const std::uint64_t sum =
      mix(mix(lanes[0], lanes[1] ^ kFactor) ^ lanes[2], lanes[3] ^ kFactor);
  return std::uint32_t(sum >> 32) | 1;
}

namespace {

/// One access, within a block.
struct Touch {
  std::uint16_t begin, end;
  bool writes;
  Access me;
  const Clock &clock;
  std::uint32_t what;

  bool ordered(Access access) const {
    return !access || coreOf(access) == coreOf(me) ||
           epochOf(access) <= clock[coreOf(access)];
  }
  /// What conflicts among the accesses of a range that the access meets.
  Race conflict(const Range &range) const {
    const std::uint64_t begin = std::max(this->begin, range.begin);
    if (!ordered(range.write) && !(writes && what && range.what == what))
      return {range.write, true, begin};
    if (!writes)
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
  /// What becomes of a range, or of a part of it, that the access has.
  Range noted(Range range) const {
    if (writes)
      return {range.begin, range.end, what, me, 0, {}};
    std::erase_if(range.others, [this](Access a) { return ordered(a); });
    if (ordered(range.read))
      range.read = me;
    else
      range.others.push_back(me);
    return range;
  }
};

/// Puts the access in place of the ranges [first, last), which are all that it
/// meets, and keeps what it does not touch of them.
void splice(std::vector<Range> &ranges, std::vector<Range>::iterator first,
            std::vector<Range>::iterator last, const Touch &touch) {
  if (first == last) {
    Range range = touch.noted({});
    range.begin = touch.begin;
    range.end = touch.end;
    ranges.insert(first, std::move(range));
    return;
  }
  std::vector<Range> parts;
  const auto add = [&](Range range, std::uint16_t begin, std::uint16_t end) {
    range.begin = begin;
    range.end = end;
    if (begin < end)
      parts.push_back(std::move(range));
  };
  std::uint16_t at = touch.begin;
  for (auto range = first; range != last; ++range) {
    add(*range, range->begin, std::min(range->end, touch.begin));
    if (touch.writes)
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
  ranges.insert(ranges.erase(first, last), parts.begin(), parts.end());
}

Race touchBlock(Block &block, const Touch &touch) {
  if (block.ranges.empty()) {
    Range &only = block.only;
    if (only.end == 0)
      only = {touch.begin, touch.end, 0, 0, 0, {}};
    if (touch.isAll(only)) {
      const Race race = touch.conflict(only);
      if (!race)
        only = touch.noted(std::move(only));
      return race;
    }
    block.ranges.reserve(2);
    block.ranges.push_back(std::move(only));
  }
  std::vector<Range> &ranges = block.ranges;
  const auto first = std::partition_point(
      ranges.begin(), ranges.end(),
      [&](const Range &range) { return range.end <= touch.begin; });
  auto last = first;
  for (; last != ranges.end() && last->begin < touch.end; ++last)
    if (const Race race = touch.conflict(*last))
      return race;
  if (last - first == 1 && touch.isAll(*first))
    *first = touch.noted(std::move(*first));
  else
    splice(ranges, first, last, touch);
  if (ranges.size() == 1) {
    block.only = std::move(ranges.front());
    ranges.clear();
  }
  return {};
}

} // namespace

Race touch(Block *blocks, std::uint64_t begin, std::uint64_t end, bool writes,
           Access me, const Clock &clock, std::uint32_t what) {
  while (begin < end) {
    const std::uint64_t index = begin / Block::kBytes;
    const std::uint64_t base = index * Block::kBytes;
    const std::uint64_t stop = std::min(end, base + Block::kBytes);
    Race race = touchBlock(blocks[index], {std::uint16_t(begin - base),
                                           std::uint16_t(stop - base), writes,
                                           me, clock, what});
    if (race) {
      race.begin += base;
      return race;
    }
    begin = stop;
  }
  return {};
}

CoreWatch::CoreWatch(std::uint64_t l1Bytes, std::uint64_t channels,
                     std::uint32_t self, std::uint32_t cores)
    : written(l1Bytes), dram(channels), self_(self),
      buffers_(l1Bytes / 1024 + 1, kNone), clock_(cores, 0) {
  clock_[self] = 1;
}

void CoreWatch::mapBuffer(std::uint32_t port, std::uint64_t begin,
                          std::uint64_t end) {
  for (std::uint64_t k = begin >> 10; k <= (end - 1) >> 10; ++k)
    buffers_[k] = buffers_[k] == kNone ? std::uint8_t(port) : kMany;
}

std::uint32_t CoreWatch::snapshot() {
  if (!fresh_) {
    snapshots_.push_back(clock_);
    fresh_ = true;
  }
  return std::uint32_t(snapshots_.size() - 1);
}

std::uint32_t CoreWatch::release() {
  const std::uint32_t index = snapshot();
  ++clock_[self_];
  fresh_ = false;
  return index;
}

void CoreWatch::acquire(const Clock &other) {
  join(clock_, other);
  fresh_ = false;
}

void CoreWatch::sendWord(std::uint64_t address, const Clock &from) {
  join(words_[address], from);
}

void CoreWatch::loadWord(std::uint64_t address) {
  if (words_.empty())
    return;
  if (auto word = words_.find(address); word != words_.end())
    acquire(word->second);
}

void CoreWatch::endRound() {
  snapshots_.clear();
  fresh_ = false;
  for (auto &accesses : dram)
    accesses.clear();
}

namespace {

/// The core whose epoch alone differs, by `epochs`; none if there is more.
std::optional<std::uint32_t> soleSender(const Clock &first, const Clock &last,
                                        std::uint32_t epochs) {
  if (first.size() != last.size())
    return std::nullopt;
  const auto [a, b] = std::mismatch(first.begin(), first.end(), last.begin());
  if (a == first.end() || *b - *a != epochs ||
      !std::equal(a + 1, first.end(), b + 1))
    return std::nullopt;
  return std::uint32_t(a - first.begin());
}

} // namespace

void SemaphoreClock::increment(std::uint32_t value, const Clock &from) {
  const std::uint32_t before =
      arrivals_.empty() ? value_ : arrivals_.back().value;
  const std::uint32_t step = value - before;
  // One core that increments in a loop is one arrival, so that those that
  // nobody waits for stay few.
  if (!arrivals_.empty() && arrivals_.back().step == step) {
    Arrival &last = arrivals_.back();
    const auto sender = soleSender(last.from, from, last.count);
    if (sender && (last.count == 1 || *sender == last.sender)) {
      last.sender = *sender;
      last.value = value;
      ++last.count;
      return;
    }
  }
  arrivals_.push_back({value, step, 1, 0, from});
}

void SemaphoreClock::set(std::uint32_t value, const Clock &from) {
  Arrival all{value, 0, 1, 0, from};
  for (Arrival &arrival : arrivals_) {
    arrival.from[arrival.sender] += arrival.count - 1;
    join(all.from, arrival.from);
  }
  arrivals_.clear();
  arrivals_.push_back(std::move(all));
  replaced_ = true;
}

void SemaphoreClock::setOwn(std::uint32_t value) {
  arrivals_.clear();
  value_ = value;
  replaced_ = false;
}

void SemaphoreClock::takeFirst(std::uint32_t value, CoreWatch &watch) {
  Arrival &first = arrivals_.front();
  std::uint32_t taken = first.count;
  if (first.step && value > value_)
    taken = std::min(taken, (value - value_ - 1) / first.step + 1);
  first.from[first.sender] += taken - 1;
  watch.acquire(first.from);
  replaced_ = false;
  if (taken == first.count) {
    value_ = first.value;
    arrivals_.pop_front();
    return;
  }
  ++first.from[first.sender];
  first.count -= taken;
  value_ += taken * first.step;
}

void SemaphoreClock::waitFor(std::uint32_t value, CoreWatch &watch) {
  while (!arrivals_.empty() && (replaced_ || value_ < value))
    takeFirst(value, watch);
}

void SemaphoreClock::waitForAll(CoreWatch &watch) {
  while (!arrivals_.empty())
    takeFirst(arrivals_.back().value, watch);
}

ChipWatch::ChipWatch(std::uint64_t cores, std::uint64_t channels,
                     const std::vector<std::uint32_t> &semaphores)
    : arrived(channels), dram_(channels),
      perCore_(std::uint32_t(semaphores.size())) {
  semaphores_.reserve(cores * semaphores.size());
  for (std::uint64_t core = 0; core < cores; ++core)
    for (std::uint32_t value : semaphores)
      semaphores_.emplace_back(value);
}

Block *ChipWatch::dramChunk(std::uint64_t channel, std::uint64_t address) {
  auto &chunk = dram_[channel][address / kChunk];
  if (!chunk)
    chunk = std::make_unique<Block[]>(kChunk / Block::kBytes);
  return chunk.get();
}

void join(Clock &into, const Clock &from) {
  if (into.size() < from.size())
    into.resize(from.size(), 0);
  for (std::size_t i = 0; i < from.size(); ++i)
    into[i] = std::max(into[i], from[i]);
}

} // namespace tt::runtime::emulator
