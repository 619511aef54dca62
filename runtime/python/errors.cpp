#include "bindings.h"

#include "tt/runtime/fault.h"

#include <nanobind/stl/string.h>

#include <array>
#include <string_view>

namespace nb = nanobind;

namespace tt::runtime::python {
namespace {

struct Category {
  ErrorCategory category;
  const char *name;
  const char *doc;
  const char *module = nullptr; // of a class that it is, too
  const char *alsoA = nullptr;
};

/// Errors of kernels are Faults, which have classes of their own.
const std::array<Category, 8> kCategories{{
    {ErrorCategory::File, "FileError",
     "A file cannot be opened, read or written.", "ttmlir.errors",
     "FileError"},
    {ErrorCategory::Format, "FormatError",
     "Not a flatbuffer of this project, truncated, or inconsistent.",
     "builtins", "ValueError"},
    {ErrorCategory::Version, "VersionError",
     "Written by another version of the compiler."},
    {ErrorCategory::SystemMismatch, "SystemMismatchError",
     "Compiled for a system that is not the opened one."},
    {ErrorCategory::Argument, "ArgumentError",
     "Wrong count, shape, data type, device or index.", "builtins",
     "ValueError"},
    {ErrorCategory::OutOfMemory, "OutOfMemoryError",
     "L1, DRAM or host memory is exhausted.", "ttmlir.errors",
     "OutOfMemoryError"},
    {ErrorCategory::Unsupported, "UnsupportedError",
     "Valid, but this runtime cannot do it."},
    {ErrorCategory::Internal, "InternalError", "A defect of the runtime."},
}};

// Live as long as the interpreter.
std::array<PyObject *, kCategories.size()> classes{};

/// A damaged file may have put any bytes into the text.
nb::object decodeText(std::string_view text) {
  return nb::steal(
      PyUnicode_DecodeUTF8(text.data(), Py_ssize_t(text.size()), "replace"));
}

void raiseText(PyObject *type, std::string_view message) {
  nb::object text = decodeText(message);
  if (text.is_valid())
    PyErr_SetObject(type, text.ptr());
}

nb::object coreOf(const FaultPlace &place) {
  return place.core.y < 0
             ? nb::none()
             : nb::object(nb::make_tuple(place.core.y, place.core.x));
}

nb::object optional(int number) {
  return number < 0 ? nb::none() : nb::object(nb::int_(number));
}

nb::object waitersOf(const DeadlockFault &fault, const nb::module_ &errors) {
  nb::list waiters;
  for (const Waiter &waiter : fault.waiters()) {
    nb::list suppliers;
    for (const std::string &supplier : waiter.suppliers)
      suppliers.append(decodeText(supplier));
    waiters.append(errors.attr("Waiter")(
        coreOf(waiter.place), decodeText(waiter.place.thread),
        decodeText(waiter.place.kernel), decodeText(waiter.place.location),
        decodeText(waiter.place.instruction), decodeText(waiter.waitsFor),
        nb::tuple(suppliers), optional(waiter.place.chip.device),
        optional(waiter.place.chip.id)));
  }
  return waiters;
}

/// The exception of the class in `ttmlir.errors` that has the kind's name.
void raiseFault(const Fault &fault) {
  const nb::module_ errors = nb::module_::import_("ttmlir.errors");
  const FaultPlace &place = fault.place();
  nb::dict fields;
  fields["core"] = coreOf(place);
  fields["thread"] = decodeText(place.thread);
  fields["kernel"] = decodeText(place.kernel);
  fields["location"] = decodeText(place.location);
  fields["instruction"] = decodeText(place.instruction);
  fields["address"] = place.address;
  fields["bytes"] = place.bytes;
  fields["device"] = optional(place.chip.device);
  fields["chip"] = optional(place.chip.id);
  if (auto const *deadlock = dynamic_cast<const DeadlockFault *>(&fault))
    fields["waiters"] = waitersOf(*deadlock, errors);
  const std::string name = std::string(faultName(fault.kind())) + "Fault";
  const nb::object type = errors.attr(name.c_str());
  const nb::object exception = type(decodeText(fault.what()), **fields);
  PyErr_SetObject(type.ptr(), exception.ptr());
}

void translate(const std::exception_ptr &pointer, void *) {
  try {
    std::rethrow_exception(pointer);
  } catch (const Fault &fault) {
    try {
      raiseFault(fault);
    } catch (nb::python_error &error) {
      error.restore();
    }
  } catch (const Error &error) {
    for (std::size_t i = 0; i < kCategories.size(); ++i)
      if (kCategories[i].category == error.category())
        raiseText(classes[i], error.what());
  }
}

} // namespace

void bindErrors(nb::module_ &m) {
  const nb::object roots =
      nb::make_tuple(nb::module_::import_("ttmlir.errors").attr("Error"),
                     nb::borrow(PyExc_RuntimeError));
  const nb::object base = nb::steal(PyErr_NewExceptionWithDoc(
      "ttmlir.runtime.RuntimeError", "Base of all errors of the runtime.",
      roots.ptr(), nullptr));
  if (!base.is_valid())
    throw nb::python_error();
  m.attr("RuntimeError") = base;
  for (std::size_t i = 0; i < kCategories.size(); ++i) {
    std::string name = std::string("ttmlir.runtime.") + kCategories[i].name;
    nb::object bases = base;
    if (kCategories[i].alsoA)
      bases = nb::make_tuple(base, nb::module_::import_(kCategories[i].module)
                                       .attr(kCategories[i].alsoA));
    classes[i] = PyErr_NewExceptionWithDoc(name.c_str(), kCategories[i].doc,
                                           bases.ptr(), nullptr);
    if (!classes[i])
      throw nb::python_error();
    m.attr(kCategories[i].name) = nb::borrow(classes[i]);
  }
  nb::register_exception_translator(translate);
}

} // namespace tt::runtime::python
