// Ends what the runtime is doing before it is done.
#ifndef TT_RUNTIME_CANCEL_H
#define TT_RUNTIME_CANCEL_H

#include <atomic>
#include <functional>
#include <memory>

namespace tt::runtime {

namespace numerics {
struct Cancellation;
}

/// A wish to end early, for one thread or many. Copies share it; any thread may
/// set it, a signal handler too.
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

/// While it lives, a cancelled token ends within milliseconds what this thread
/// asks of the runtime (runs, copies, texts of files), with
/// Error(ErrorCategory::Cancelled). The device and all tensors can be used
/// after; outputs that the call was given may be half written.
///
/// `poll`, if there is one, is called on this thread every 50 ms meanwhile, and
/// may cancel the token: for whoever can be told only there. It must not throw.
/// Scopes may be nested; each of them can end the work.
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
