#include "emulator/watch.h"

#include <algorithm>
#include <cstring>
#include <new>

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
    if (writes && !ordered(range.read))
      return {range.read, false, begin};
    return {};
  }
  void note(Range &range) const {
    if (writes)
      range = {begin, end, me, 0, what};
    else
      range.read = me;
  }
};

Race touchBlock(Block &block, const Touch &touch) {
  bool noted = false;
  auto visit = [&](Range &range) -> Race {
    if (range.end <= touch.begin || touch.end <= range.begin)
      return {};
    if (const Race race = touch.conflict(range))
      return race;
    if (range.begin == touch.begin && range.end == touch.end) {
      touch.note(range);
      noted = true;
    }
    return {};
  };
  if (block.first.end == 0) {
    block.first = {touch.begin, touch.end, 0, 0, 0};
    touch.note(block.first);
    return {};
  }
  if (const Race race = visit(block.first))
    return race;
  for (Range &range : block.more)
    if (const Race race = visit(range))
      return race;
  if (!noted && block.more.size() < Block::kMostRanges) {
    block.more.push_back({touch.begin, touch.end, 0, 0, 0});
    touch.note(block.more.back());
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
    : dram(channels), self_(self), written_(l1Bytes / kPart + 1),
      buffers_(l1Bytes / 1024 + 1, kNone), clock_(cores, 0) {
  clock_[self] = 1;
}

namespace {

constexpr std::uint64_t kAll = ~std::uint64_t(0);

/// Calls `f(part, first, last)` for the parts of [begin, end).
template <typename F>
bool forParts(std::uint64_t begin, std::uint64_t end, std::uint64_t size,
              F &&f) {
  while (begin < end) {
    const std::uint64_t part = begin / size;
    const std::uint64_t stop = std::min(end, (part + 1) * size);
    if (!f(part, begin - part * size, stop - part * size))
      return false;
    begin = stop;
  }
  return true;
}

/// Calls `edge(word, mask)` for the first and last words of bits [begin, end)
/// that are not whole, and `inner(first, last)` for the whole ones.
template <typename Edge, typename Inner>
bool forWords(std::uint64_t begin, std::uint64_t end, Edge &&edge,
              Inner &&inner) {
  const std::uint64_t first = begin / 64, last = end / 64;
  const std::uint64_t head = kAll << begin % 64;
  const std::uint64_t tail = end % 64 ? ~(kAll << end % 64) : 0;
  if (first == last)
    return edge(first, head & tail);
  return edge(first, head) && inner(first + 1, last) &&
         (!tail || edge(last, tail));
}

} // namespace

void CoreWatch::markWritten(std::uint64_t begin, std::uint64_t end) {
  forParts(begin, end, kPart, [&](auto part, auto first, auto last) {
    if (!written_[part])
      written_[part] = std::make_unique<Bits>();
    Bits &bits = *written_[part];
    return forWords(
        first, last,
        [&](std::uint64_t word, std::uint64_t mask) {
          bits[word] |= mask;
          return true;
        },
        [&](std::uint64_t from, std::uint64_t to) {
          std::fill(bits.begin() + from, bits.begin() + to, kAll);
          return true;
        });
  });
}

bool CoreWatch::allWritten(std::uint64_t begin, std::uint64_t end) const {
  return forParts(begin, end, kPart, [&](auto part, auto first, auto last) {
    if (!written_[part])
      return false;
    const Bits &bits = *written_[part];
    return forWords(
        first, last,
        [&](std::uint64_t word, std::uint64_t mask) {
          return (bits[word] & mask) == mask;
        },
        [&](std::uint64_t from, std::uint64_t to) {
          std::uint64_t all = kAll;
          for (; from < to; ++from)
            all &= bits[from];
          return all == kAll;
        });
  });
}

bool CoreWatch::anyWritten(std::uint64_t begin, std::uint64_t end) const {
  return !forParts(begin, end, kPart, [&](auto part, auto first, auto last) {
    if (!written_[part])
      return true;
    const Bits &bits = *written_[part];
    return forWords(
        first, last,
        [&](std::uint64_t word, std::uint64_t mask) {
          return (bits[word] & mask) == 0;
        },
        [&](std::uint64_t from, std::uint64_t to) {
          return std::all_of(bits.begin() + from, bits.begin() + to,
                             [](std::uint64_t word) { return word == 0; });
        });
  });
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
  // The last epoch lasts for ever, which loses races but invents none.
  if (clock_[self_] + 1 < 1u << kEpochBits)
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

void SemaphoreClock::increment(std::uint32_t value, const Clock &from) {
  arrivals_.push_back({value, from});
  if (arrivals_.size() <= kMost)
    return;
  join(arrivals_[1].from, arrivals_[0].from);
  arrivals_.erase(arrivals_.begin());
}

void SemaphoreClock::set(std::uint32_t value, const Clock &from) {
  Arrival all{value, from};
  for (const Arrival &arrival : arrivals_)
    join(all.from, arrival.from);
  arrivals_.clear();
  arrivals_.push_back(std::move(all));
  replaced_ = true;
}

void SemaphoreClock::setOwn(std::uint32_t value) {
  arrivals_.clear();
  value_ = value;
  replaced_ = false;
}

void SemaphoreClock::takeFirst(CoreWatch &watch) {
  watch.acquire(arrivals_.front().from);
  value_ = arrivals_.front().value;
  replaced_ = false;
  arrivals_.erase(arrivals_.begin());
}

void SemaphoreClock::waitFor(std::uint32_t value, CoreWatch &watch) {
  while (!arrivals_.empty() && (replaced_ || value_ < value))
    takeFirst(watch);
}

void SemaphoreClock::waitForAll(CoreWatch &watch) {
  while (!arrivals_.empty())
    takeFirst(watch);
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
