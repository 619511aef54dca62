#include "emulator/watch.h"

#include <algorithm>
#include <cstring>
#include <new>

namespace tt::runtime::emulator {

std::uint32_t fingerprint(const std::byte *bytes, std::uint64_t count,
                          std::uint64_t address) {
  constexpr std::uint64_t kFactor = 0x9e3779b97f4a7c15;
  std::uint64_t lanes[4] = {address, address + 1, count, count + 1};
  std::uint64_t i = 0;
  for (; i + 32 <= count; i += 32)
    for (int lane = 0; lane < 4; ++lane) {
      std::uint64_t word;
      std::memcpy(&word, bytes + i + lane * 8, 8);
      lanes[lane] = (lanes[lane] ^ word) * kFactor;
    }
  for (; i < count; ++i)
    lanes[i % 4] = (lanes[i % 4] ^ std::uint64_t(bytes[i])) * kFactor;
  std::uint64_t sum = 0;
  for (std::uint64_t lane : lanes)
    sum = (sum ^ lane ^ lane >> 29) * kFactor;
  return std::uint32_t(sum >> 32) | 1;
}

Race touch(Granule *granules, std::uint64_t begin, std::uint64_t end,
           bool writes, Access me, const Clock &clock, std::uint32_t what) {
  const std::uint64_t first = (begin + kGranule - 1) / kGranule;
  const std::uint64_t last = end / kGranule;
  // Neighbours were mostly touched together, so what was found to be ordered
  // is not looked up again.
  Access goodWrite = 0, goodRead = 0;
  const std::uint32_t self = coreOf(me);
  auto ordered = [&](Access access) {
    return coreOf(access) == self || epochOf(access) <= clock[coreOf(access)];
  };
  for (std::uint64_t i = first; i < last; ++i) {
    Granule &g = granules[i];
    const bool same = what && g.what == what;
    if (g.write != goodWrite && g.write && !same) {
      if (!ordered(g.write))
        return {g.write, true, i * kGranule};
      goodWrite = g.write;
    }
    if (!writes) {
      g.read = me;
      continue;
    }
    if (g.read != goodRead && g.read) {
      if (!ordered(g.read))
        return {g.read, false, i * kGranule};
      goodRead = g.read;
    }
    g = {me, 0, what};
  }
  return {};
}

CoreWatch::CoreWatch(std::uint64_t l1Bytes, std::uint64_t channels,
                     std::uint32_t self, std::uint32_t cores)
    : dram(channels), self_(self), written_(l1Bytes / 64 + 1),
      buffers_(l1Bytes / 1024 + 1, kNone), granules_(l1Bytes / kGranule + 1),
      clock_(cores, 0) {
  clock_[self] = 1;
}

namespace {

/// Calls `f(word, mask)` for the words of bits [begin, end); stops when it
/// returns false.
template <typename F>
bool forWords(std::uint64_t begin, std::uint64_t end, F &&f) {
  while (begin < end) {
    const std::uint64_t word = begin / 64;
    const std::uint64_t stop = std::min(end, (word + 1) * 64);
    std::uint64_t mask = ~std::uint64_t(0) << begin % 64;
    if (stop % 64)
      mask &= ~(~std::uint64_t(0) << stop % 64);
    if (!f(word, mask))
      return false;
    begin = stop;
  }
  return true;
}

} // namespace

void CoreWatch::markWritten(std::uint64_t begin, std::uint64_t end) {
  forWords(begin, end, [this](std::uint64_t word, std::uint64_t mask) {
    written_.get()[word] |= mask;
    return true;
  });
}

bool CoreWatch::allWritten(std::uint64_t begin, std::uint64_t end) const {
  return forWords(begin, end, [this](std::uint64_t word, std::uint64_t mask) {
    return (written_.get()[word] & mask) == mask;
  });
}

bool CoreWatch::anyWritten(std::uint64_t begin, std::uint64_t end) const {
  return !forWords(begin, end, [this](std::uint64_t word, std::uint64_t mask) {
    return (written_.get()[word] & mask) == 0;
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

void CoreWatch::endRound() {
  snapshots_.clear();
  fresh_ = false;
  for (auto &accesses : dram)
    accesses.clear();
}

ChipWatch::ChipWatch(std::uint64_t cores, std::uint64_t channels,
                     std::uint32_t semaphores)
    : dram_(channels), semaphores_(cores * semaphores), perCore_(semaphores) {}

Granule *ChipWatch::dramChunk(std::uint64_t channel, std::uint64_t address) {
  auto &chunk = dram_[channel][address / kChunk];
  if (!chunk)
    chunk = std::make_unique<Granule[]>(kChunk / kGranule);
  return chunk.get();
}

void join(Clock &into, const Clock &from) {
  if (into.size() < from.size())
    into.resize(from.size(), 0);
  for (std::size_t i = 0; i < from.size(); ++i)
    into[i] = std::max(into[i], from[i]);
}

} // namespace tt::runtime::emulator
