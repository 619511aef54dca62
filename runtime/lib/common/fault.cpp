#include "tt/runtime/fault.h"

namespace tt::runtime {

const char *faultName(FaultKind kind) {
  switch (kind) {
#define TT_RUNTIME_KIND(kind, text)                                            \
  case FaultKind::kind:                                                        \
    return #kind;
    TT_RUNTIME_FAULT_KINDS(TT_RUNTIME_KIND)
#undef TT_RUNTIME_KIND
  }
  return "";
}

const char *faultMeaning(FaultKind kind) {
  switch (kind) {
#define TT_RUNTIME_KIND(kind, text)                                            \
  case FaultKind::kind:                                                        \
    return text;
    TT_RUNTIME_FAULT_KINDS(TT_RUNTIME_KIND)
#undef TT_RUNTIME_KIND
  }
  return "";
}

std::string describeChip(const FaultChip &chip) {
  if (chip.device < 0)
    return "";
  return " of device " + std::to_string(chip.device) + " (chip " +
         std::to_string(chip.id) + ")";
}

std::string describeCore(const FaultCore &core, const FaultChip &chip) {
  return "core (" + std::to_string(core.y) + ", " + std::to_string(core.x) +
         ")" + describeChip(chip);
}

namespace {

/// "kernel 'reader' on noc0 of core (0, 1), noc_async_read #7 at "a.py":3:1".
std::string describe(const FaultPlace &place) {
  std::string text = "kernel '" + place.kernel + "' on " + place.thread;
  if (place.core.y >= 0)
    text += " of " + describeCore(place.core, place.chip);
  if (!place.instruction.empty())
    text += ", " + place.instruction;
  if (!place.location.empty())
    text += " at " + place.location;
  return text;
}

template <FaultKind Kind>
[[noreturn]] void throwAs(FaultPlace place, const std::string &message) {
  if constexpr (Kind == FaultKind::Deadlock)
    throw DeadlockFault({Waiter{std::move(place), message, {}}}, message);
  else
    throw FaultOf<Kind>(std::move(place), message);
}

} // namespace

void throwFault(FaultKind kind, FaultPlace place, const std::string &message) {
  const std::string text = describe(place) + ": " + message;
  switch (kind) {
#define TT_RUNTIME_KIND(kind, text_)                                           \
  case FaultKind::kind:                                                        \
    throwAs<FaultKind::kind>(std::move(place), text);
    TT_RUNTIME_FAULT_KINDS(TT_RUNTIME_KIND)
#undef TT_RUNTIME_KIND
  }
  raise(ErrorCategory::Internal, text);
}

} // namespace tt::runtime
