#include "tt/runtime/fault.h"

#include "tt/runtime/checks.h"

#include <algorithm>
#include <iterator>

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

namespace {

constexpr const char *kCheckNames[] = {
#define TT_RUNTIME_CHECK(kind, name, text) name,
    TT_RUNTIME_CHECKS(TT_RUNTIME_CHECK)
#undef TT_RUNTIME_CHECK
};

} // namespace

std::vector<std::string> namesOf(CheckKinds kinds) {
  std::vector<std::string> names;
  for (unsigned i = 0; i < std::size(kCheckNames); ++i)
    if (kinds >> i & 1)
      names.push_back(kCheckNames[i]);
  return names;
}

CheckKinds checkKindsOf(const std::vector<std::string> &names) {
  CheckKinds kinds = 0;
  for (const std::string &name : names) {
    const auto found = std::ranges::find(kCheckNames, name);
    if (found == std::end(kCheckNames)) {
      std::string known;
      for (const char *other : kCheckNames)
        known += (known.empty() ? "" : ", ") + std::string(other);
      raise(ErrorCategory::Argument, "expected checks of ", known, ", found '",
            name, "'");
    }
    kinds |= 1u << (found - std::begin(kCheckNames));
  }
  return kinds;
}

} // namespace tt::runtime
