// Calls of the runtime that may take long: other threads of Python run
// meanwhile, Ctrl-C ends them, and they do not outlive the interpreter.
#ifndef TT_RUNTIME_PYTHON_NATIVE_CALL_H
#define TT_RUNTIME_PYTHON_NATIVE_CALL_H

#include "tt/runtime/cancel.h"

#include <nanobind/nanobind.h>

#include <exception>
#include <optional>
#include <sys/types.h>
#include <type_traits>

namespace tt::runtime::python {

/// The time of a call without the interpreter's lock. In the main thread, what
/// a handler of a signal raises meanwhile (KeyboardInterrupt) cancels what the
/// runtime does. At the end of the interpreter the calls of all other threads
/// are cancelled, and these threads never return to Python: they would be ended
/// in the middle of C++.
class NativeCall {
public:
  NativeCall();
  NativeCall(const NativeCall &) = delete;
  ~NativeCall();

  /// Takes the lock again; throws what a handler raised.
  void finish();

private:
  friend void stopNativeCalls();

  void poll();
  void resume();

  CancelToken token_;
  PyThreadState *thread_ = nullptr;
  pid_t process_;
  std::optional<nanobind::python_error> raised_;
  std::optional<CancelScope> scope_;
};

/// What `body()`, which does not need the interpreter, returns or throws; or
/// what a handler of a signal raised meanwhile.
template <typename Body> auto nativeCall(Body &&body) {
  using Result = std::invoke_result_t<Body>;
  constexpr bool isVoid = std::is_void_v<Result>;
  std::optional<std::conditional_t<isVoid, bool, Result>> result;
  std::exception_ptr failure;
  NativeCall call;
  try {
    if constexpr (isVoid)
      body();
    else
      result.emplace(body());
  } catch (...) {
    failure = std::current_exception();
  }
  call.finish();
  if (failure)
    std::rethrow_exception(failure);
  if constexpr (!isVoid)
    return std::move(*result);
}

/// The function as a native call, for bindings.
template <typename Result, typename... Args>
auto native(Result (*function)(Args...)) {
  return [function](Args... args) -> Result {
    return nativeCall(
        [&]() -> Result { return function(std::forward<Args>(args)...); });
  };
}

} // namespace tt::runtime::python

#endif // TT_RUNTIME_PYTHON_NATIVE_CALL_H
