// What went wrong, and events that carry it.
#ifndef TT_PJRT_FAILURE_H
#define TT_PJRT_FAILURE_H

#include "abi.h"

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace tt::pjrt {

/// What the caller of a function gets; it owns the object and destroys it with
/// Error_Destroy.
struct Error {
  abi::ErrorCode code;
  std::string message;
};

inline Error *makeError(abi::ErrorCode code, std::string message) {
  return new Error{code, std::move(message)};
}

/// An error that several may have; null for none.
using Failure = std::shared_ptr<const Error>;

inline Failure makeFailure(abi::ErrorCode code, std::string message) {
  return std::make_shared<const Error>(Error{code, std::move(message)});
}

/// A copy for a caller; null for none.
inline Error *copyError(const Failure &failure) {
  return failure ? new Error(*failure) : nullptr;
}

/// The exception that is raised in Python, which it clears. With the
/// interpreter's lock.
Failure takePythonError();

/// The end of something that runs on the worker. Thread-safe.
class Completion {
public:
  using Callback = std::function<void(const Failure &)>;

  /// Ends it, once: wakes all who wait, then calls the callbacks on this
  /// thread. Without the interpreter's lock: a callback may wait for one who
  /// has it.
  void complete(Failure failure);

  bool isReady() const;
  /// Waits for the end. The interpreter's lock, if the thread has it, is
  /// released meanwhile.
  Failure wait() const;
  /// What it ended with, if it is ready.
  Failure failure() const;
  /// Called at the end; at once, on this thread, if that was before.
  void onReady(Callback callback);

  static std::shared_ptr<Completion> ready();

private:
  mutable std::mutex mutex_;
  mutable std::condition_variable wake_;
  bool done_ = false;
  Failure failure_;
  std::vector<Callback> callbacks_;
};

/// One caller's view of a completion. Owned by the caller, who destroys it with
/// Event_Destroy; the completion lives on.
struct Event {
  std::shared_ptr<Completion> completion;
};

} // namespace tt::pjrt

#endif // TT_PJRT_FAILURE_H
