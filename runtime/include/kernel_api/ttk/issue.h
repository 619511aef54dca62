// How a kernel executes instructions.
#ifndef TTK_ISSUE_H
#define TTK_ISSUE_H

#include "ttk/abi.h"

#include <source_location>

/// A function of the library. It is inlined so that it adds no counted blocks,
/// and so that circular buffers are constants in it.
#define TTK_API [[gnu::always_inline, maybe_unused]] static inline
#define TTK_METHOD [[gnu::always_inline]]
/// The last parameter of every function: the location of the call.
#define TTK_PLACE ttk::Place ttk_place = ttk::Place::current()
#define TTK_HERE ttk::Place::current()
/// Code that is not counted.
#define TTK_UNCOUNTED [[gnu::noinline, gnu::no_sanitize_coverage]]

/// On the chip, a kernel is compiled once per engine, and these keep a
/// statement for one of them only. Here one thread executes the statements of
/// all engines.
#define MATH(statement) statement
#define PACK(statement) statement
#define UNPACK(statement) statement

#define ALWI inline __attribute__((always_inline))
#define FORCE_INLINE inline __attribute__((always_inline))

namespace ttk {

using Place = std::source_location;

TTK_API Site siteAt(Place place) {
  return {place.file_name(), place.line(), nullptr};
}

TTK_API Host *self() {
  const auto here =
      reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  const std::uintptr_t end = (here | (kStackBytes - 1)) + 1;
  return *reinterpret_cast<Host *const *>(end - kHostOffset);
}

/// Code that is not checked for addresses of the chip either.
#define TTK_UNCHECKED TTK_UNCOUNTED [[gnu::no_sanitize_address]]

TTK_UNCHECKED inline std::uint64_t callHost(std::uint32_t opcode,
                                            std::uint32_t count,
                                            const std::uint64_t *operands,
                                            const Site *site) {
  Host *host = self();
  return host->issue(host, opcode, count, operands, site);
}

template <typename... Operands>
TTK_API std::uint64_t issueAt(std::uint32_t opcode, const Site &site,
                              Operands... operands) {
  const std::uint64_t values[] = {static_cast<std::uint64_t>(operands)..., 0};
  return callHost(opcode, sizeof...(Operands), values, &site);
}

template <typename... Operands>
TTK_API std::uint64_t issue(std::uint32_t opcode, Place place,
                            Operands... operands) {
  return issueAt(opcode, siteAt(place), operands...);
}

/// Records for the emulator that the kernel contains an instruction.
template <std::uint32_t opcode> TTK_API void use(std::uint32_t port) {
  if (__builtin_constant_p(port))
    asm volatile(".pushsection ttk_uses,\"a\"\n\t.long %c0, %c1\n\t.popsection"
                 :
                 : "i"(opcode), "i"(port));
  else
    asm volatile(".pushsection ttk_uses,\"a\"\n\t.long %c0, %c1\n\t.popsection"
                 :
                 : "i"(opcode), "i"(kAnyPort));
}

/// Ends the run: the kernel uses an unsupported feature.
TTK_API void refuse(const char *message, Place place) {
  const Site site = siteAt(place);
  Host *host = self();
  host->refuse(host, message, &site);
}

template <typename...> inline constexpr bool kNever = false;

} // namespace ttk

#endif // TTK_ISSUE_H
