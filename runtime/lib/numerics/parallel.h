// A small fixed pool of worker threads and a loop that runs on it.
//
// The pool starts at the first loop that is worth sharing and stops at process
// exit. A loop inside a loop runs inline on the calling thread. After fork()
// the child has no workers and starts its own when it needs them. Only one
// thread at a time uses the pool: a second thread that calls parallelFor
// meanwhile runs its loop inline.
#ifndef TT_RUNTIME_NUMERICS_PARALLEL_H
#define TT_RUNTIME_NUMERICS_PARALLEL_H

#include <algorithm>
#include <cstdint>
#include <memory>
#include <type_traits>

namespace tt::runtime::numerics {

/// Sets how many threads a loop may use, the caller included. Values below 1
/// choose the number of CPUs that this process may run on.
void setNumThreads(int count);

/// How many threads a loop may use, the caller included; at least 1.
int getNumThreads();

/// Items of `bytes` each that are worth a thread's while where they are moved
/// as they are: the `grain` of such a loop. At least 1.
inline int64_t grainFor(int64_t bytes) {
  constexpr int64_t kGrainBytes = 1 << 17;
  return std::max<int64_t>(1, kGrainBytes / std::max<int64_t>(1, bytes));
}

namespace detail {
void parallelForImpl(int64_t begin, int64_t end, int64_t grain,
                     void (*body)(void *, int64_t, int64_t), void *context);
} // namespace detail

/// Calls `body(first, last)` on disjoint ranges that together cover
/// [begin, end). Every range starts at `begin` plus a multiple of `grain` and
/// is not shorter than `grain` except for the last; a call may get several
/// grains. Which thread gets which range is not defined, so a body must give
/// the same result for each index however the range is cut. A loop of at most
/// one grain runs inline at no cost. The first exception that a body throws is
/// rethrown here after the running bodies have ended. Where the
/// calling thread's work can be cancelled (CancelScope), a cancelled loop ends
/// with Error(ErrorCategory::Cancelled) after the pieces that are running.
template <typename Body>
void parallelFor(int64_t begin, int64_t end, int64_t grain, Body &&body) {
  if (begin >= end)
    return;
  if (grain < 1)
    grain = 1;
  if (end - begin <= grain) {
    body(begin, end);
    return;
  }
  using Fn = std::remove_reference_t<Body>;
  detail::parallelForImpl(
      begin, end, grain,
      [](void *context, int64_t first, int64_t last) {
        (*static_cast<Fn *>(context))(first, last);
      },
      const_cast<void *>(static_cast<const void *>(std::addressof(body))));
}

} // namespace tt::runtime::numerics

#endif // TT_RUNTIME_NUMERICS_PARALLEL_H
