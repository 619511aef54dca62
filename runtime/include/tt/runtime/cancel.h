// Cancels calls of the runtime.
#ifndef TT_RUNTIME_CANCEL_H
#define TT_RUNTIME_CANCEL_H

#include <atomic>
#include <functional>
#include <memory>

namespace tt::runtime {

namespace numerics {
struct Cancellation;
}

/// A request to cancel, for one thread or many. Copies share it; any thread may
/// set it, and so may a signal handler.
class CancelToken {
public:
  CancelToken() : flag_(std::make_shared<std::atomic<bool>>(false)) {}

  void cancel() const noexcept {
    flag_->store(true, std::memory_order_relaxed);
  }
  bool isCancelled() const noexcept {
    return flag_->load(std::memory_order_relaxed);
  }

private:
  friend class CancelScope;
  std::shared_ptr<std::atomic<bool>> flag_;
};

/// During its lifetime, a cancelled token ends the calls of this thread (runs,
/// copies, texts of files) within milliseconds, with
/// Error(ErrorCategory::Cancelled). The device and all tensors can be used
/// afterwards; outputs that were passed to the call may be half written.
///
/// `poll`, if there is one, is called on this thread every 50 ms meanwhile, and
/// may cancel the token: for signals that only this thread can see. It must not
/// throw. Scopes may be nested; each of them can cancel the call.
class CancelScope {
public:
  explicit CancelScope(CancelToken token, std::function<void()> poll = {});
  CancelScope(const CancelScope &) = delete;
  CancelScope &operator=(const CancelScope &) = delete;
  ~CancelScope();

private:
  CancelToken token_;
  std::function<void()> poll_;
  std::unique_ptr<numerics::Cancellation> state_;
};

} // namespace tt::runtime

#endif // TT_RUNTIME_CANCEL_H
