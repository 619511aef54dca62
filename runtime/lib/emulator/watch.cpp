#include "emulator/watch.h"

#include <algorithm>
#include <cstring>

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
  const Toucher &who;

  bool ordered(Access access) const {
    return !access || indexOf(access) == indexOf(who.access) ||
           who.clock.knows(access, who.place);
  }
  /// The access of a range that conflicts with this one.
  Race conflict(const Range &range) const {
    const std::uint64_t begin = std::max(this->begin, range.begin);
    const bool same = who.writes && who.what && range.what == who.what;
    if (!same && !ordered(range.write))
      return {range.write, true, begin};
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
  ranges.insert(ranges.erase(first, last), parts.begin(), parts.end());
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

Race touchBlock(Block &block, const Touch &touch) {
  if (block.ranges.empty()) {
    Range &only = block.only;
    if (only.end == 0)
      only = {touch.begin, touch.end, 0, 0, 0, {}};
    if (touch.isAll(only)) {
      const Race race = touch.conflict(only);
      if (!race)
        touch.note(only);
      return race;
    }
    if (only.end == touch.begin) {
      Range next{touch.begin, touch.end, 0, 0, 0, {}};
      touch.note(next);
      if (continues(only, next)) {
        only.end = touch.end;
        return {};
      }
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
  if (coversAll(first, last, touch)) {
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

Block *TouchedMemory::chunk(std::uint64_t number) {
  if (number >= chunks_.size())
    chunks_.resize(number + 1);
  auto &chunk = chunks_[number];
  if (!chunk) {
    chunk = std::make_unique<Chunk>();
    chunk->run = run_;
    ++count_;
  } else if (chunk->run != run_) {
    for (Block &block : chunk->blocks) {
      block.only = {};
      block.ranges.clear();
    }
    chunk->run = run_;
  }
  return chunk->blocks;
}

void TouchedMemory::clear() {
  ++run_;
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
    Block &block = chunk(first / kChunk)[first % kChunk / Block::kBytes];
    Race race = touchBlock(block, {std::uint16_t(begin - first),
                                   std::uint16_t(stop - first), toucher});
    if (race) {
      race.begin += base_ + first;
      return race;
    }
    begin = stop;
  }
  return {};
}

void PageClock::pass(std::uint64_t count, const VectorClock &from,
                     std::size_t most) {
  passed_.push_back({count, from});
  if (passed_.size() - first_ > most)
    ++first_;
  if (first_ < 16 || 2 * first_ < passed_.size())
    return;
  passed_.erase(passed_.begin(), passed_.begin() + std::ptrdiff_t(first_));
  first_ = 0;
}

void PageClock::take(std::uint64_t count, VectorClock &to) {
  if (passed_.empty())
    return;
  while (passed_.size() - first_ > 1 && passed_[first_].count < count)
    ++first_;
  to.join(passed_[first_].clock);
}

CoreWatch::CoreWatch(std::uint64_t l1Bytes, std::uint64_t l1Base,
                     std::uint64_t channels, const VectorClock &start,
                     std::uint32_t number, const Area &place)
    : l1(l1Base), place(place), dram(channels), number_(number),
      buffers_(l1Bytes / 1024 + 1, kNone) {
  for (std::uint32_t thread = 0; thread < threads_.size(); ++thread) {
    threads_[thread] = start;
    threads_[thread].set(thread, 1);
  }
  fresh_.fill(kStale);
}

void CoreWatch::mapBuffer(std::uint32_t port, std::uint64_t begin,
                          std::uint64_t end) {
  for (std::uint64_t k = begin >> 10; k <= (end - 1) >> 10; ++k)
    buffers_[k] = buffers_[k] == kNone ? std::uint8_t(port) : kMany;
}

std::uint32_t CoreWatch::snapshot(std::uint32_t thread) {
  if (fresh_[thread] == kStale) {
    snapshots_.push_back(threads_[thread]);
    fresh_[thread] = std::uint32_t(snapshots_.size() - 1);
  }
  return fresh_[thread];
}

std::uint32_t CoreWatch::release(std::uint32_t thread) {
  const std::uint32_t index = snapshot(thread);
  VectorClock &own = clock(thread);
  own.set(thread, own.of(thread) + 1);
  return index;
}

std::uint32_t CoreWatch::releaseBehind(std::uint32_t thread, Actor kind,
                                       const Area &area) {
  const std::uint32_t index = release(thread);
  const bool all = kind == FabricWrites;
  VectorClock flag;
  bool behind = false;
  for (std::uint32_t actor = all ? std::uint32_t(kind) : kind + thread;
       actor <= kind + (all ? 1 : thread); ++actor) {
    if (begun_[actor] <= snapshots_[index].of(actor))
      continue;
    if (!behind)
      flag = snapshots_[index];
    behind = true;
    flag.land(makeAccess(number_, actor, begun_[actor]), area);
  }
  if (!behind)
    return index;
  snapshots_.push_back(std::move(flag));
  return std::uint32_t(snapshots_.size() - 1);
}

void CoreWatch::sendWord(std::uint64_t address, const VectorClock &from) {
  const auto [word, isNew] = words_.try_emplace(address, from);
  if (!isNew)
    word->second.join(from);
}

void CoreWatch::loadWord(std::uint64_t address, std::uint32_t thread) {
  if (words_.empty())
    return;
  if (auto word = words_.find(address); word != words_.end())
    clock(thread).join(word->second);
}

void CoreWatch::endRound() {
  snapshots_.clear();
  fresh_.fill(kStale);
  for (auto &accesses : dram)
    accesses.clear();
}

void SemaphoreClock::increment(std::uint32_t value, const VectorClock &from) {
  const std::uint32_t before =
      arrivals_.empty() ? value_ : arrivals_.back().value;
  const std::uint32_t step = value - before;
  // Increments of one thread in a loop are one arrival, so that arrivals that
  // no thread waits for stay few.
  if (!arrivals_.empty() && arrivals_.back().step == step) {
    Arrival &last = arrivals_.back();
    const auto sender = last.from.soleChange(from, last.count);
    if (sender && (last.count == 1 || *sender == last.sender)) {
      last.sender = *sender;
      last.value = value;
      ++last.count;
      return;
    }
  }
  arrivals_.push_back({value, step, 1, 0, from});
}

void SemaphoreClock::set(std::uint32_t value, const VectorClock &from) {
  Arrival all{value, 0, 1, 0, from};
  for (Arrival &arrival : arrivals_) {
    arrival.from.advance(arrival.sender, arrival.count - 1);
    all.from.join(arrival.from);
  }
  arrivals_.clear();
  arrivals_.push_back(std::move(all));
  replaced_ = true;
}

void SemaphoreClock::setOwn(std::uint32_t value, const VectorClock &from) {
  arrivals_.clear();
  past_ = from;
  value_ = value;
  replaced_ = false;
}

void SemaphoreClock::takeFirst(std::uint32_t value) {
  Arrival &first = arrivals_.front();
  std::uint32_t taken = first.count;
  if (first.step && value > value_)
    taken = std::min(taken, (value - value_ - 1) / first.step + 1);
  first.from.advance(first.sender, taken - 1);
  past_.join(first.from);
  replaced_ = false;
  if (taken == first.count) {
    value_ = first.value;
    arrivals_.pop_front();
    return;
  }
  first.from.advance(first.sender, 1);
  first.count -= taken;
  value_ += taken * first.step;
}

void SemaphoreClock::waitFor(std::uint32_t value, VectorClock &to) {
  while (!arrivals_.empty() && (replaced_ || value_ < value))
    takeFirst(value);
  to.join(past_);
}

void SemaphoreClock::waitForAll(VectorClock &to) {
  while (!arrivals_.empty())
    takeFirst(arrivals_.back().value);
  to.join(past_);
}

ChipWatch::ChipWatch(const std::vector<VectorClock> &starts,
                     std::uint64_t channels, std::uint64_t dramBase,
                     const std::vector<std::uint32_t> &semaphores)
    : arrived(channels), perCore_(std::uint32_t(semaphores.size())) {
  for (std::uint64_t channel = 0; channel < channels; ++channel)
    dram.emplace_back(dramBase);
  semaphores_.reserve(starts.size() * semaphores.size());
  for (const VectorClock &start : starts)
    for (std::uint32_t value : semaphores)
      semaphores_.emplace_back(value, start);
}

} // namespace tt::runtime::emulator
