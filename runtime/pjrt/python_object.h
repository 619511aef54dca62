// Objects of Python that the plugin keeps, and errors of Python.
#ifndef TT_PJRT_PYTHON_OBJECT_H
#define TT_PJRT_PYTHON_OBJECT_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <utility>

namespace tt::pjrt {

/// The interpreter's lock for a scope. The thread may have it already.
class Gil {
public:
  Gil() : state_(PyGILState_Ensure()) {}
  Gil(const Gil &) = delete;
  Gil &operator=(const Gil &) = delete;
  ~Gil() { PyGILState_Release(state_); }

private:
  PyGILState_STATE state_;
};

/// A reference that its owner holds under the interpreter's lock only: a local
/// variable.
class Local {
public:
  Local() = default;
  /// Takes over a new reference; null for a raised exception.
  explicit Local(PyObject *object) : object_(object) {}
  Local(Local &&other) noexcept
      : object_(std::exchange(other.object_, nullptr)) {}
  Local &operator=(Local &&other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Local() { Py_XDECREF(object_); }

  static Local share(PyObject *object) {
    Py_XINCREF(object);
    return Local(object);
  }

  explicit operator bool() const { return object_ != nullptr; }
  PyObject *get() const { return object_; }
  PyObject *release() { return std::exchange(object_, nullptr); }

private:
  PyObject *object_ = nullptr;
};

/// Calls `read` with each item of a sequence, borrowed, as long as it returns
/// true. Returns false for a raised exception, also one of `read`.
template <typename Read> bool forItems(PyObject *sequence, Read &&read) {
  const Local items(PySequence_Fast(sequence, "expected a sequence"));
  if (!items)
    return false;
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(items.get()); ++i)
    if (!read(PySequence_Fast_GET_ITEM(items.get(), i)))
      return false;
  return true;
}

/// A reference that may be dropped on any thread, with and without the
/// interpreter's lock: the object goes to the worker, which frees it. When the
/// plugin stops, all of them are dropped (dropAll), so that nothing of Python
/// is used after its end.
///
/// set() and get() need the interpreter's lock.
class Held {
public:
  Held();
  Held(const Held &) = delete;
  Held &operator=(const Held &) = delete;
  ~Held();

  void set(Local object);
  /// Borrowed; null before set() and after dropAll().
  PyObject *get() const { return object_; }

  /// Drops the objects of all there are, with the interpreter's lock.
  static void dropAll();

private:
  PyObject *object_ = nullptr;
};

} // namespace tt::pjrt

#endif // TT_PJRT_PYTHON_OBJECT_H
