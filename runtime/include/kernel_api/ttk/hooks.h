// Functions that the compiler inserts calls of. They are the same for all
// kernels and are compiled once, to an object that each kernel is linked with.
#ifndef TTK_HOOKS_H
#define TTK_HOOKS_H

#include "ttk/issue.h"

namespace ttk {
/// The opcodes of divui and load_element.
inline constexpr std::uint32_t kDivide = 9, kLoadElement = 366;

TTK_UNCOUNTED inline void refuseAccess(const void *caller) {
  const Site site{nullptr, 0, caller};
  Host *host = self();
  host->refuse(host,
               "memory is accessed through a null pointer, or through an "
               "address of the core's memory without tt_l1_ptr; expected a "
               "pointer such as volatile tt_l1_ptr uint32_t *",
               &site);
}

/// As the compiler describes an access to an array: the name of the array's
/// type is, for example, "'int [3]'".
struct ArrayType {
  std::uint16_t kind, info;
  char name[];
};
struct ArrayAccess {
  const char *file;
  std::uint32_t line, column;
  const ArrayType *array, *index;
};
TTK_UNCOUNTED inline std::uint32_t extentOf(const char *name) {
  while (*name && *name != '[')
    ++name;
  std::uint32_t extent = 0;
  for (++name; *name >= '0' && *name <= '9'; ++name)
    extent = 10 * extent + std::uint32_t(*name - '0');
  return extent;
}
} // namespace ttk

extern "C" {

/// The compiler inserts a call in front of each basic block of the kernel.
TTK_UNCOUNTED [[gnu::visibility("hidden"), gnu::used]] void
__sanitizer_cov_trace_pc() {
  ttk::Host *host = ttk::self();
  host->fuel -= ttk::kBlockInstructions;
  if (host->fuel <= 0)
    host->refuel(host, __builtin_return_address(0));
}

/// The compiler inserts a call in front of each access to memory of the host.
/// Addresses of the chip have 32 bits, and those of the host are higher.
#define TTK_CHECK(name)                                                        \
  TTK_UNCOUNTED                                                                \
  [[gnu::visibility("hidden"), gnu::used]] void __asan_##name##_noabort(       \
      std::uintptr_t address) {                                                \
    if (!(address >> 32))                                                      \
      ttk::refuseAccess(__builtin_return_address(0));                          \
  }
#define TTK_CHECK_RANGE(name)                                                  \
  TTK_UNCOUNTED                                                                \
  [[gnu::visibility("hidden"), gnu::used]] void __asan_##name##_noabort(       \
      std::uintptr_t address, std::size_t) {                                   \
    if (!(address >> 32))                                                      \
      ttk::refuseAccess(__builtin_return_address(0));                          \
  }
TTK_CHECK(load1)
TTK_CHECK(load2)
TTK_CHECK(load4)
TTK_CHECK(load8)
TTK_CHECK(load16)
TTK_CHECK_RANGE(loadN)
TTK_CHECK(store1)
TTK_CHECK(store2)
TTK_CHECK(store4)
TTK_CHECK(store8)
TTK_CHECK(store16)
TTK_CHECK_RANGE(storeN)
#undef TTK_CHECK
#undef TTK_CHECK_RANGE
TTK_UNCOUNTED
[[gnu::visibility("hidden"), gnu::used]] void __asan_handle_no_return() {}

/// The compiler inserts calls for a division by 0, the only quotient out of
/// range, and an index beyond a local array, with a description of the array.
TTK_UNCOUNTED [[gnu::visibility("hidden"), gnu::used]] void
__ubsan_handle_divrem_overflow(void *, std::uintptr_t left,
                               std::uintptr_t right) {
  const ttk::Site site{nullptr, 0, __builtin_return_address(0)};
  if (right == 0) {
    ttk::issueAt(ttk::kDivide, site, left, 0); // fails
  } else {
    ttk::Host *host = ttk::self();
    host->refuse(host,
                 "the lowest number of a type is divided by -1, which C++ does "
                 "not define: the quotient is out of range",
                 &site);
  }
}
TTK_UNCOUNTED [[gnu::visibility("hidden"), gnu::used]] void
__ubsan_handle_out_of_bounds(const ttk::ArrayAccess *access,
                             std::uintptr_t index) {
  ttk::issueAt(ttk::kLoadElement,
               ttk::Site{nullptr, 0, __builtin_return_address(0)}, 0,
               ttk::extentOf(access->array->name), index);
}

/// Replace the functions of the host's library, which check nothing.
TTK_UNCOUNTED [[gnu::visibility("hidden"), gnu::used]] void *
memset(void *to, int value, std::size_t size) {
  if (size && !(reinterpret_cast<std::uintptr_t>(to) >> 32))
    ttk::refuseAccess(__builtin_return_address(0));
  for (std::size_t i = 0; i < size; ++i)
    static_cast<unsigned char *>(to)[i] = static_cast<unsigned char>(value);
  return to;
}
TTK_UNCOUNTED [[gnu::visibility("hidden"), gnu::used]] void *
memmove(void *to, const void *from, std::size_t size) {
  if (size && (!(reinterpret_cast<std::uintptr_t>(to) >> 32) ||
               !(reinterpret_cast<std::uintptr_t>(from) >> 32)))
    ttk::refuseAccess(__builtin_return_address(0));
  auto *target = static_cast<unsigned char *>(to);
  auto *source = static_cast<const unsigned char *>(from);
  if (target < source)
    for (std::size_t i = 0; i < size; ++i)
      target[i] = source[i];
  else
    for (std::size_t i = size; i > 0; --i)
      target[i - 1] = source[i - 1];
  return to;
}
TTK_UNCOUNTED [[gnu::visibility("hidden"), gnu::used]] void *
memcpy(void *to, const void *from, std::size_t size) {
  if (size && (!(reinterpret_cast<std::uintptr_t>(to) >> 32) ||
               !(reinterpret_cast<std::uintptr_t>(from) >> 32)))
    ttk::refuseAccess(__builtin_return_address(0));
  for (std::size_t i = 0; i < size; ++i)
    static_cast<unsigned char *>(to)[i] =
        static_cast<const unsigned char *>(from)[i];
  return to;
}

} // extern "C"

#endif // TTK_HOOKS_H
