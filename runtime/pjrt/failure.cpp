#include "failure.h"

#include "python_object.h"
#include "worker.h"

#include <optional>

namespace tt::pjrt {

Failure takePythonError() {
  PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
  PyErr_Fetch(&type, &value, &trace);
  if (!type)
    return makeFailure(abi::ErrorCode::Internal,
                       "Python failed without an exception");
  PyErr_NormalizeException(&type, &value, &trace);
  if (trace)
    PyException_SetTraceback(value, trace);
  const Local keptType(type), keptValue(value), keptTrace(trace);
  // The Python side knows which kind of exception is which code.
  if (PyObject *describe = Worker::get().describe()) {
    const Local found(PyObject_CallOneArg(describe, value));
    int code = 0;
    const char *message = nullptr;
    if (found && PyArg_ParseTuple(found.get(), "is", &code, &message))
      return makeFailure(abi::ErrorCode(code), message);
    PyErr_Clear();
  }
  const Local text(PyObject_Str(value));
  const char *message = text ? PyUnicode_AsUTF8(text.get()) : nullptr;
  PyErr_Clear();
  return makeFailure(abi::ErrorCode::Internal,
                     message ? message : "an exception without a text");
}

void Completion::complete(Failure failure) {
  std::vector<Callback> callbacks;
  {
    const std::lock_guard lock(mutex_);
    if (done_)
      return;
    done_ = true;
    failure_ = failure;
    callbacks.swap(callbacks_);
  }
  wake_.notify_all();
  for (const Callback &callback : callbacks)
    callback(failure);
}

bool Completion::isReady() const {
  const std::lock_guard lock(mutex_);
  return done_;
}

Failure Completion::failure() const {
  const std::lock_guard lock(mutex_);
  return failure_;
}

Failure Completion::wait() const {
  {
    const std::lock_guard lock(mutex_);
    if (done_)
      return failure_;
  }
  // The worker needs the interpreter to get there.
  PyThreadState *state = nullptr;
  if (Py_IsInitialized() && PyGILState_Check())
    state = PyEval_SaveThread();
  Failure failure;
  {
    std::unique_lock lock(mutex_);
    wake_.wait(lock, [this] { return done_; });
    failure = failure_;
  }
  if (state)
    PyEval_RestoreThread(state);
  return failure;
}

void Completion::onReady(Callback callback) {
  {
    const std::lock_guard lock(mutex_);
    if (!done_) {
      callbacks_.push_back(std::move(callback));
      return;
    }
  }
  callback(failure());
}

std::shared_ptr<Completion> Completion::ready() {
  auto completion = std::make_shared<Completion>();
  completion->complete(nullptr);
  return completion;
}

} // namespace tt::pjrt
