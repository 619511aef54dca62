#include "bindings.h"

#include "tt/runtime/fault.h"

#include <nanobind/stl/string.h>

#include <string_view>

namespace nb = nanobind;

namespace tt::runtime::python {
namespace {

/// The class in `ttmlir._runtime_errors` of each category. Errors of kernels
/// are Faults, which have classes of their own; what is cancelled never returns
/// to Python.
const char *className(ErrorCategory category) {
  switch (category) {
  case ErrorCategory::File:
    return "FileError";
  case ErrorCategory::Format:
    return "FormatError";
  case ErrorCategory::Version:
    return "VersionError";
  case ErrorCategory::SystemMismatch:
    return "SystemMismatchError";
  case ErrorCategory::Argument:
    return "ArgumentError";
  case ErrorCategory::OutOfMemory:
    return "OutOfMemoryError";
  case ErrorCategory::Unsupported:
    return "UnsupportedError";
  case ErrorCategory::Kernel:
  case ErrorCategory::Cancelled:
  case ErrorCategory::Internal:
    return "InternalError";
  }
  return "InternalError";
}

/// A damaged file may have put any bytes into the text.
nb::object decodeText(std::string_view text) {
  return nb::steal(
      PyUnicode_DecodeUTF8(text.data(), Py_ssize_t(text.size()), "replace"));
}

void raiseError(const Error &error) {
  const nb::object type = nb::module_::import_("ttmlir._runtime_errors")
                              .attr(className(error.category()));
  PyErr_SetObject(type.ptr(), decodeText(error.what()).ptr());
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
    try {
      std::rethrow_exception(pointer);
    } catch (const Fault &fault) {
      raiseFault(fault);
    } catch (const Error &error) {
      raiseError(error);
    }
  } catch (nb::python_error &error) {
    error.restore();
  }
}

} // namespace

void bindErrors() { nb::register_exception_translator(translate); }

} // namespace tt::runtime::python
