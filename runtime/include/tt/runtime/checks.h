// The kinds of errors that the emulator checks kernels for.
#ifndef TT_RUNTIME_CHECKS_H
#define TT_RUNTIME_CHECKS_H

#include <cstdint>
#include <string>
#include <vector>

namespace tt::runtime {

/// X(kind, name, what it finds).
#define TT_RUNTIME_CHECKS(X)                                                   \
  X(Transfers, "transfers", "use of memory before the barrier of a transfer")  \
  X(Buffers, "buffers", "pages that were not reserved or waited for")          \
  X(Memory, "memory", "reads of uninitialized memory")                         \
  X(Races, "races", "unordered accesses of two threads")                       \
  X(Init, "init", "compute instructions without their init")                   \
  X(Leftovers, "leftovers", "pages left reserved or unpopped")

enum class Check : std::uint8_t {
#define TT_RUNTIME_CHECK(kind, name, text) kind,
  TT_RUNTIME_CHECKS(TT_RUNTIME_CHECK)
#undef TT_RUNTIME_CHECK
};

/// A bit for each kind.
using CheckKinds = std::uint32_t;
constexpr CheckKinds kindOf(Check check) { return 1u << unsigned(check); }
inline constexpr CheckKinds kAllChecks = 2 * kindOf(Check::Leftovers) - 1;
/// Pages may be left at the end of a kernel, such as that of a scaler.
inline constexpr CheckKinds kUsualChecks =
    kAllChecks & ~kindOf(Check::Leftovers);

/// The names of the kinds, such as "races".
std::vector<std::string> namesOf(CheckKinds kinds);
/// The reverse; throws Error(Argument) for an unknown name.
CheckKinds checkKindsOf(const std::vector<std::string> &names);

} // namespace tt::runtime

#endif // TT_RUNTIME_CHECKS_H
