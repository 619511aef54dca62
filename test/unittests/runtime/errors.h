// The errors that tests provoke.
#ifndef TTMLIR_UNITTESTS_RUNTIME_ERRORS_H
#define TTMLIR_UNITTESTS_RUNTIME_ERRORS_H

#include "tt/runtime/fault.h"

#include "testing/testing.h"

#include <string>

namespace tt::runtime::test {

/// The message of the error that a call throws, or "accepted".
template <typename Call> std::string refusal(const Call &call) {
  try {
    call();
  } catch (const Error &error) {
    return error.what();
  }
  return "accepted";
}

/// The message of the fault that a run ends with, which `check` looks at; a
/// failure unless it is of that kind.
template <FaultKind Kind, typename Run, typename Check>
std::string faultOf(const Run &run, const Check &check) {
  std::string found = "none";
  try {
    run();
  } catch (const FaultOf<Kind> &fault) {
    check(fault);
    return fault.what();
  } catch (const std::exception &other) {
    found = other.what();
  }
  ADD_FAILURE() << "expected a fault " << faultName(Kind)
                << ", found: " << found;
  return "";
}

} // namespace tt::runtime::test

#endif // TTMLIR_UNITTESTS_RUNTIME_ERRORS_H
