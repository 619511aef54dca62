#include "emulator/watch.h"

#include <algorithm>

namespace tt::runtime::emulator {

void PageClock::pass(std::uint64_t count, const VectorClock &from,
                     std::size_t most) {
  counts_.push_back(count);
  clocks_.push(from);
  if (counts_.size() - first_ > most)
    ++first_;
  if (first_ < 16 || 2 * first_ < counts_.size())
    return;
  counts_.erase(counts_.begin(), counts_.begin() + std::ptrdiff_t(first_));
  clocks_.eraseFirst(first_);
  first_ = 0;
}

void PageClock::take(std::uint64_t count, VectorClock &to) {
  if (counts_.empty())
    return;
  while (counts_.size() - first_ > 1 && counts_[first_] < count)
    ++first_;
  to.join(clocks_[first_]);
}

CoreWatch::CoreWatch(std::uint64_t l1Bytes, std::uint64_t l1Base,
                     std::uint64_t channels, const VectorClock &start,
                     std::uint32_t number, const Area &place)
    : l1(l1Base), dram(channels), buffers_(l1Bytes / 1024 + 1) {
  restart(start, number, place);
}

namespace {

constexpr std::size_t kKeptBytes = 1 << 16;

/// Empties a list; gives its memory back if it is much.
template <typename T> void empty(std::vector<T> &list) {
  list.clear();
  if (list.capacity() * sizeof(T) > kKeptBytes)
    list.shrink_to_fit();
}

} // namespace

void CoreWatch::restart(const VectorClock &start, std::uint32_t number,
                        const Area &newPlace) {
  written.clear();
  l1.clear();
  tracksL1 = false;
  place = newPlace;
  for (std::size_t port = 0; port < pushed.size(); ++port) {
    pushed[port].clear();
    popped[port].clear();
  }
  for (auto &accesses : dram)
    empty(accesses);
  number_ = number;
  words_.clear();
  std::fill(buffers_.begin(), buffers_.end(), kNone);
  for (std::uint32_t thread = 0; thread < threads_.size(); ++thread) {
    threads_[thread] = start;
    threads_[thread].set(thread, 1);
  }
  begun_ = {};
  snapshots_.clear();
  snapshots_.shrink(kKeptBytes);
  fresh_.fill(kStale);
}

void CoreWatch::mapBuffer(std::uint32_t port, std::uint64_t begin,
                          std::uint64_t end) {
  for (std::uint64_t k = begin >> 10; k <= (end - 1) >> 10; ++k)
    buffers_[k] = buffers_[k] == kNone ? std::uint8_t(port) : kMany;
}

std::uint32_t CoreWatch::release(std::uint32_t thread) {
  const std::uint32_t index = snapshot(thread);
  advance(thread);
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
      flag = snapshots_[index].copy();
    behind = true;
    flag.land(makeAccess(number_, actor, begun_[actor]), area);
  }
  if (!behind)
    return index;
  snapshots_.push(flag);
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
    : arrived(channels) {
  for (std::uint64_t channel = 0; channel < channels; ++channel)
    dram.emplace_back(dramBase);
  restart(starts, semaphores);
}

void ChipWatch::restart(const std::vector<VectorClock> &starts,
                        const std::vector<std::uint32_t> &semaphores) {
  for (TouchedMemory &channel : dram)
    channel.clear();
  for (auto &accesses : arrived)
    empty(accesses);
  perCore_ = std::uint32_t(semaphores.size());
  semaphores_.clear();
  if (semaphores.empty())
    return;
  semaphores_.reserve(starts.size() * semaphores.size());
  for (const VectorClock &start : starts)
    for (std::uint32_t value : semaphores)
      semaphores_.emplace_back(value, start);
}

} // namespace tt::runtime::emulator
