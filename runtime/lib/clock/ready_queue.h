// What a replay does next: the queue of what happens in the order of its time.
#ifndef TT_RUNTIME_CLOCK_READY_QUEUE_H
#define TT_RUNTIME_CLOCK_READY_QUEUE_H

#include <bit>
#include <cstdint>
#include <vector>

namespace tt::runtime::clock {

/// A heap of times from 0 on. Most processes that are taken come back with a
/// later time before the next one is taken: a place that was freed is filled
/// again without moving the rest twice.
class ReadyQueue {
public:
  /// Of equal times, the smaller `order` comes first. No two entries are equal.
  struct Ready {
    double time;
    std::uint64_t order;
  };

  bool empty() const { return heap_.size() == std::size_t(isFirstFree_); }

  void push(const Ready &ready) {
    if (isFirstFree_) {
      isFirstFree_ = false;
      sink(keyOf(ready));
      return;
    }
    Key key = keyOf(ready);
    std::size_t at = heap_.size();
    heap_.push_back(key);
    for (; at > 0 && key < heap_[(at - 1) / 2]; at = (at - 1) / 2)
      heap_[at] = heap_[(at - 1) / 2];
    heap_[at] = key;
  }

  /// Removes the first entry. The queue must not be empty.
  Ready pop() {
    if (isFirstFree_) {
      const Key last = heap_.back();
      heap_.pop_back();
      sink(last);
    }
    isFirstFree_ = true;
    const Key first = heap_.front();
    return {std::bit_cast<double>(std::uint64_t(first >> 64)),
            std::uint64_t(first)};
  }

private:
  /// The bits of a time, which are ordered as times are, then the order.
  __extension__ typedef unsigned __int128 Key;

  static Key keyOf(const Ready &ready) {
    return Key(std::bit_cast<std::uint64_t>(ready.time)) << 64 | ready.order;
  }

  /// Puts a key into the first place, and moves it to where it belongs.
  void sink(Key key) {
    const std::size_t count = heap_.size();
    std::size_t at = 0;
    for (std::size_t child = 1; child < count; child = 2 * at + 1) {
      child += child + 1 < count && heap_[child + 1] < heap_[child];
      if (key < heap_[child])
        break;
      heap_[at] = heap_[child];
      at = child;
    }
    heap_[at] = key;
  }

  std::vector<Key> heap_;
  bool isFirstFree_ = false; // the entry that was popped last
};

} // namespace tt::runtime::clock

#endif // TT_RUNTIME_CLOCK_READY_QUEUE_H
