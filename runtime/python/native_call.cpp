#include "native_call.h"

#include "bindings.h"

#include <algorithm>
#include <unistd.h>
#include <vector>

namespace nb = nanobind;

namespace tt::runtime::python {
namespace {

// The interpreter's lock guards both.
std::vector<NativeCall *> calls;
unsigned long stoppedBy = 0; // the thread that ends the interpreter

/// After fork() the thread that forked is the main one.
bool isMainThread(pid_t process) {
  static pid_t known = 0;
  static unsigned long main = 0;
  if (known != process) {
    main = nb::cast<unsigned long>(
        nb::module_::import_("threading").attr("main_thread")().attr("ident"));
    known = process;
  }
  return main == PyThread_get_thread_ident();
}

/// Threads that are left when the interpreter ends sleep until the process
/// does. With the lock held.
void parkIfStopped() {
  if (!stoppedBy || stoppedBy == PyThread_get_thread_ident())
    return;
  PyEval_SaveThread();
  for (;;)
    pause();
}

} // namespace

NativeCall::NativeCall() : process_(getpid()) {
  parkIfStopped();
  const bool main = isMainThread(process_);
  calls.push_back(this);
  thread_ = PyEval_SaveThread();
  if (main)
    scope_.emplace(token_, [this] { poll(); });
  else
    scope_.emplace(token_);
}

NativeCall::~NativeCall() { resume(); }

void NativeCall::poll() {
  PyEval_RestoreThread(thread_);
  if (PyErr_CheckSignals() != 0) {
    raised_.emplace();
    token_.cancel();
  }
  thread_ = PyEval_SaveThread();
}

void NativeCall::resume() {
  scope_.reset();
  if (!thread_)
    return;
  PyEval_RestoreThread(thread_);
  thread_ = nullptr;
  calls.erase(std::find(calls.begin(), calls.end(), this));
  parkIfStopped();
}

void NativeCall::finish() {
  resume();
  if (raised_)
    throw std::move(*raised_);
}

void stopNativeCalls() {
  stoppedBy = PyThread_get_thread_ident();
  // What daemon threads hold is never freed, and that is no defect.
  const nb::object threads =
      nb::module_::import_("threading").attr("active_count")();
  if (nb::cast<int>(threads) > 1)
    nb::set_leak_warnings(false);
  // A child of fork() has no other thread than the one that forked.
  const auto own = [](const NativeCall *call) {
    return call->process_ == getpid();
  };
  for (NativeCall *call : calls)
    if (own(call))
      call->token_.cancel();
  while (std::any_of(calls.begin(), calls.end(), own)) {
    nb::gil_scoped_release release;
    usleep(1000);
  }
}

void bindNativeCalls(nb::module_ &) {
  nb::module_::import_("atexit").attr("register")(
      nb::cpp_function(stopNativeCalls));
}

} // namespace tt::runtime::python
