#include "numerics/cancel.h"

#include "tt/runtime/cancel.h"
#include "tt/runtime/error.h"

#include <ctime>

namespace tt::runtime {

namespace numerics {

thread_local constinit Cancellation *cancellation = nullptr;

namespace {
/// Between two polls, which may wait for a lock each time.
constexpr std::int64_t kPollMilliseconds = 50;
} // namespace

std::int64_t coarseTime() {
  timespec now;
#if defined(__linux__)
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
#else
  clock_gettime(CLOCK_MONOTONIC, &now);
#endif
  return std::int64_t(now.tv_sec) * 1000 + now.tv_nsec / 1000000;
}

void detail::checkCancelled(Cancellation &innermost) {
  bool worker = false;
  for (Cancellation *scope = &innermost; scope; scope = scope->outer) {
    worker |= scope->worker;
    if (scope->poll && !worker) {
      const std::int64_t now = coarseTime();
      if (now >= scope->nextPoll) {
        (*scope->poll)();
        scope->nextPoll = coarseTime() + kPollMilliseconds;
      }
    }
    if (scope->flag && scope->flag->load(std::memory_order_relaxed))
      raise(ErrorCategory::Cancelled, "cancelled before it was done");
  }
}

} // namespace numerics

CancelScope::CancelScope(CancelToken token, std::function<void()> poll)
    : token_(std::move(token)), poll_(std::move(poll)),
      state_(std::make_unique<numerics::Cancellation>()) {
  state_->flag = token_.flag_.get();
  if (poll_)
    state_->poll = &poll_;
  state_->nextPoll = numerics::coarseTime() + numerics::kPollMilliseconds;
  state_->outer = numerics::cancellation;
  numerics::cancellation = state_.get();
}

CancelScope::~CancelScope() { numerics::cancellation = state_->outer; }

} // namespace tt::runtime
