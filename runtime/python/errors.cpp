#include "bindings.h"

#include "tt/runtime/error.h"

#include <array>
#include <string_view>

namespace nb = nanobind;

namespace tt::runtime::python {
namespace {

struct Category {
  ErrorCategory category;
  const char *name;
  const char *doc;
  PyObject **alsoA = nullptr; // a builtin class that it is, too
};

const std::array<Category, 9> kCategories{{
    {ErrorCategory::File, "FileError",
     "A file cannot be opened, read or written.", &PyExc_OSError},
    {ErrorCategory::Format, "FormatError",
     "Not a flatbuffer of this project, truncated, or inconsistent.",
     &PyExc_ValueError},
    {ErrorCategory::Version, "VersionError",
     "Written by another version of the compiler."},
    {ErrorCategory::SystemMismatch, "SystemMismatchError",
     "Compiled for a system that is not the opened one."},
    {ErrorCategory::Argument, "ArgumentError",
     "Wrong count, shape, data type, device or index.", &PyExc_ValueError},
    {ErrorCategory::OutOfMemory, "OutOfMemoryError",
     "L1, DRAM or host memory is exhausted.", &PyExc_MemoryError},
    {ErrorCategory::Unsupported, "UnsupportedError",
     "Valid, but this runtime cannot do it."},
    {ErrorCategory::Kernel, "KernelError",
     "A kernel did what the chip does not allow."},
    {ErrorCategory::Internal, "InternalError", "A defect of the runtime."},
}};

// Live as long as the interpreter.
std::array<PyObject *, kCategories.size()> classes{};

/// A damaged file may have put any bytes into the message.
void raiseText(PyObject *type, std::string_view message) {
  nb::object text = nb::steal(PyUnicode_DecodeUTF8(
      message.data(), Py_ssize_t(message.size()), "replace"));
  if (text.is_valid())
    PyErr_SetObject(type, text.ptr());
}

void translate(const std::exception_ptr &pointer, void *) {
  try {
    std::rethrow_exception(pointer);
  } catch (const Error &error) {
    for (std::size_t i = 0; i < kCategories.size(); ++i)
      if (kCategories[i].category == error.category())
        raiseText(classes[i], error.what());
  }
}

} // namespace

void bindErrors(nb::module_ &m) {
  PyObject *base = PyErr_NewExceptionWithDoc(
      "ttmlir.runtime.RuntimeError", "Base of all errors of the runtime.",
      PyExc_RuntimeError, nullptr);
  m.attr("RuntimeError") = nb::borrow(base);
  for (std::size_t i = 0; i < kCategories.size(); ++i) {
    std::string name = std::string("ttmlir.runtime.") + kCategories[i].name;
    nb::object bases = nb::borrow(base);
    if (kCategories[i].alsoA)
      bases = nb::make_tuple(bases, nb::borrow(*kCategories[i].alsoA));
    classes[i] = PyErr_NewExceptionWithDoc(name.c_str(), kCategories[i].doc,
                                           bases.ptr(), nullptr);
    if (!classes[i])
      throw nb::python_error();
    m.attr(kCategories[i].name) = nb::borrow(classes[i]);
  }
  nb::register_exception_translator(translate);
}

} // namespace tt::runtime::python
