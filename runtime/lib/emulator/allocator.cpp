#include "emulator/allocator.h"

#include "tt/runtime/error.h"

#include <algorithm>
#include <limits>

namespace tt::runtime::emulator {

Allocator::Allocator(std::string space, std::int64_t begin, std::int64_t end,
                     std::int64_t alignment)
    : space_(std::move(space)),
      begin_((begin + alignment - 1) / alignment * alignment),
      end_(std::max(begin_, end / alignment * alignment)),
      alignment_(alignment) {
  reset();
}

void Allocator::reset() {
  free_.clear();
  blocks_.clear();
  used_ = 0;
  if (end_ > begin_)
    free_[begin_] = end_ - begin_;
}

std::int64_t Allocator::findLowest(std::int64_t size) const {
  for (auto const &[address, room] : free_)
    if (room >= size)
      return address;
  return -1;
}

std::int64_t Allocator::allocate(std::int64_t bytes, std::string owner) {
  const std::int64_t size = std::max(roundUp(bytes), alignment_);
  const std::int64_t chosen = replayed_ ? nextReplayed(size) : findLowest(size);
  if (chosen < 0)
    exhausted(bytes, owner);
  if (captured_)
    captured_->push_back({chosen, size});
  take(chosen, size, std::move(owner));
  return chosen;
}

std::int64_t Allocator::findHighest(std::int64_t bytes, std::int64_t last) {
  const std::int64_t size = std::max(roundUp(bytes), alignment_);
  if (replayed_)
    return nextReplayed(size);
  for (auto gap = free_.rbegin(); gap != free_.rend(); ++gap) {
    auto const &[address, room] = *gap;
    const std::int64_t highest =
        std::min(address + room - size, last / alignment_ * alignment_);
    if (highest < address)
      continue;
    if (captured_)
      captured_->push_back({highest, size});
    return highest;
  }
  return -1;
}

PlacedBlocks Allocator::stopCapture() {
  PlacedBlocks blocks;
  if (captured_)
    blocks = std::move(*captured_);
  captured_.reset();
  return blocks;
}

void Allocator::startReplay(const PlacedBlocks &blocks) {
  replayed_ = {blocks, 0};
}

std::int64_t Allocator::nextReplayed(std::int64_t size) {
  if (replayed_->next == replayed_->blocks.size())
    raise(ErrorCategory::Internal, space_, ": expected ",
          replayed_->blocks.size(), " blocks as in the capture, found another");
  const PlacedBlock &block = replayed_->blocks[replayed_->next++];
  if (block.bytes != size)
    raise(ErrorCategory::Internal, space_, ": expected a block of ",
          block.bytes, " bytes as in the capture, found ", size);
  if (const std::string holder = holderOf(block.address, size); !holder.empty())
    raise(ErrorCategory::Internal, space_, ": expected free memory at ",
          block.address, " as in the capture, found ", holder);
  return block.address;
}

void Allocator::reserve(std::int64_t address, std::int64_t bytes,
                        std::string owner) {
  if (address % alignment_)
    raise(ErrorCategory::Argument, space_, ": expected an address of ", owner,
          " that is a multiple of ", alignment_, ", found ", address);
  if (bytes < 1 || address < begin_ || address > end_ || bytes > end_ - address)
    raise(ErrorCategory::Argument, space_, ": expected ", owner, " within [",
          begin_, ", ", end_, "), found ", bytes, " bytes at ", address);
  const std::int64_t size = roundUp(bytes);
  if (const std::string holder = holderOf(address, size); !holder.empty())
    raise(ErrorCategory::Argument, space_, ": expected free memory for ", owner,
          " [", address, ", ", address + size, "), found ", holder);
  take(address, size, std::move(owner));
}

std::string Allocator::holderOf(std::int64_t address,
                                std::int64_t bytes) const {
  auto next = blocks_.lower_bound(address);
  if (next != blocks_.begin()) {
    auto before = std::prev(next);
    if (before->first + before->second.bytes > address)
      next = before;
  }
  if (next == blocks_.end() || next->first >= address + bytes)
    return "";
  return next->second.owner + " [" + std::to_string(next->first) + ", " +
         std::to_string(next->first + next->second.bytes) + ")";
}

/// The range is free, so that one free block has it.
void Allocator::take(std::int64_t address, std::int64_t size,
                     std::string owner) {
  auto gap = std::prev(free_.upper_bound(address));
  const std::int64_t begin = gap->first, room = gap->second;
  free_.erase(gap);
  if (address > begin)
    free_[begin] = address - begin;
  if (begin + room > address + size)
    free_[address + size] = begin + room - address - size;
  Block &block = blocks_[address] = {size, std::move(owner)};
  used_ += size;
  highWater_ = std::max(highWater_, used_);
  if (recording_)
    hold(address, block);
}

void Allocator::hold(std::int64_t address, Block &block) {
  std::vector<Holding> &blocks = recording_->found.blocks;
  block.holding = blocks.size();
  blocks.push_back({address, block.bytes, block.owner, recording_->now,
                    std::numeric_limits<double>::infinity()});
}

void Allocator::startRecording() {
  recording_.emplace();
  for (auto &[address, block] : blocks_)
    hold(address, block);
}

void Allocator::advance(double now) {
  if (!recording_)
    return;
  for (std::size_t index : recording_->passing)
    recording_->found.blocks[index].end = now;
  recording_->passing.clear();
  recording_->now = now;
}

Holdings Allocator::stopRecording() {
  Holdings found;
  if (!recording_)
    return found;
  found = std::move(recording_->found);
  for (Holding &holding : found.blocks)
    holding.end = std::min(holding.end, recording_->now);
  recording_.reset();
  return found;
}

void Allocator::release(std::int64_t address) {
  auto block = blocks_.find(address);
  if (block == blocks_.end())
    return;
  std::int64_t size = block->second.bytes;
  if (recording_) {
    Holding &held = recording_->found.blocks[block->second.holding];
    held.end = recording_->now;
    if (held.begin == held.end)
      recording_->passing.push_back(block->second.holding);
  }
  used_ -= size;
  blocks_.erase(block);
  auto next = free_.lower_bound(address);
  if (next != free_.end() && next->first == address + size) {
    size += next->second;
    next = free_.erase(next);
  }
  if (next != free_.begin()) {
    auto previous = std::prev(next);
    if (previous->first + previous->second == address) {
      previous->second += size;
      return;
    }
  }
  free_[address] = size;
}

void Allocator::exhausted(std::int64_t bytes, const std::string &owner) {
  std::int64_t largest = 0;
  for (auto const &[address, size] : free_)
    largest = std::max(largest, size);
  if (recording_)
    recording_->found.failed = {bytes, owner, capacity() - used_, largest};
  std::vector<const Block *> holders;
  for (auto const &[address, block] : blocks_)
    holders.push_back(&block);
  std::sort(holders.begin(), holders.end(), [](auto *a, auto *b) {
    return std::tie(b->bytes, a->owner) < std::tie(a->bytes, b->owner);
  });
  std::string held;
  constexpr std::size_t kShown = 8;
  for (std::size_t i = 0; i < std::min(holders.size(), kShown); ++i)
    held += (i ? "; " : "; held by: ") + holders[i]->owner + " " +
            std::to_string(holders[i]->bytes) + " bytes";
  if (holders.size() > kShown)
    held += "; and " + std::to_string(holders.size() - kShown) + " more";
  raise(ErrorCategory::OutOfMemory, space_, " exhausted: ", owner,
        " requested ", bytes, " bytes per bank, available ", capacity() - used_,
        " of ", capacity(), " (largest free block ", largest, ")", held);
}

} // namespace tt::runtime::emulator
