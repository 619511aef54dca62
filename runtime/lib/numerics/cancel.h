// How work notices that it is to end: loops look now and then.
#ifndef TT_RUNTIME_NUMERICS_CANCEL_H
#define TT_RUNTIME_NUMERICS_CANCEL_H

#include <atomic>
#include <cstdint>
#include <functional>

namespace tt::runtime::numerics {

/// What can end the work of a thread; see CancelScope.
struct Cancellation {
  const std::atomic<bool> *flag = nullptr;
  const std::function<void()> *poll = nullptr;
  std::int64_t nextPoll = 0; // by coarseTime()
  /// A scope around this one. A worker has those of the thread that it works
  /// for, which alone calls their polls.
  Cancellation *outer = nullptr;
  bool worker = false;
};

/// Of the calling thread; null where nobody can end it.
extern thread_local constinit Cancellation *cancellation;

/// Milliseconds of a clock that costs a few nanoseconds and ticks every few
/// milliseconds.
std::int64_t coarseTime();

namespace detail {
void checkCancelled(Cancellation &innermost);
}

/// Throws Error(ErrorCategory::Cancelled) if the work is to end. For places
/// that a thread passes every few microseconds to milliseconds.
inline void checkCancelled() {
  if (cancellation)
    detail::checkCancelled(*cancellation);
}

} // namespace tt::runtime::numerics

#endif // TT_RUNTIME_NUMERICS_CANCEL_H
