// Code around the text of a kernel, including its entry point.
#ifndef TTK_KERNEL_H
#define TTK_KERNEL_H

#ifdef TTK_COMPUTE
#include "ttk/compute.h"
#else
#include "ttk/dataflow.h"
#endif

/// Rejects assembly, which is for the chip. The headers of the host's library
/// use __asm__ instead.
// clang-format off
#define asm _Pragma("GCC error \"inline assembly is not supported by the emulator\"") asm
// clang-format on

/// The namespace and entry point of a compute kernel of 2024, which may call a
/// function kernel_main().
#define NAMESPACE ttk_kernel
#define MAIN ttk_main()
inline namespace ttk_kernel {}

/// Stand for an entry point that the kernel does not define: functions are
/// preferred to templates.
template <typename = void> static void ttk_main() {}
template <typename = void> static void kernel_main() {}

namespace ttk {
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
  TTK_UNCOUNTED [[gnu::visibility("hidden"), gnu::used]] void                  \
  __asan_##name##_noabort(std::uintptr_t address) {                            \
    if (!(address >> 32))                                                      \
      ttk::refuseAccess(__builtin_return_address(0));                          \
  }
#define TTK_CHECK_RANGE(name)                                                  \
  TTK_UNCOUNTED [[gnu::visibility("hidden"), gnu::used]] void                  \
  __asan_##name##_noabort(std::uintptr_t address, std::size_t) {               \
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

/// The compiler inserts calls for a division by 0 and an index beyond a local
/// array, with a description of the array. The instruction fails.
TTK_UNCOUNTED [[gnu::visibility("hidden"), gnu::used]] void
__ubsan_handle_divrem_overflow(void *, std::uintptr_t left, std::uintptr_t) {
  ttk::issueAt(ttk::k_divui, ttk::Site{nullptr, 0, __builtin_return_address(0)},
               left, 0);
}
TTK_UNCOUNTED [[gnu::visibility("hidden"), gnu::used]] void
__ubsan_handle_out_of_bounds(const ttk::ArrayAccess *access,
                             std::uintptr_t index) {
  ttk::issueAt(ttk::k_load_element,
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

#pragma GCC visibility push(hidden)
extern const ttk::Use __start_ttk_uses[], __stop_ttk_uses[];
#pragma GCC visibility pop
}

namespace ttk {
using Main = void (*)();
} // namespace ttk

/// At the end of the file.
#define TTK_KERNEL_END                                                         \
  static_assert(ttk::Main(ttk_main) != ttk_main<void> ||                       \
                    ttk::Main(kernel_main) != kernel_main<void>,               \
                "expected a function kernel_main() or MAIN");                  \
  [[gnu::section("ttk_uses"),                                                  \
    gnu::used]] static const ttk::Use ttk_last_use = {ttk::kAnyPort,           \
                                                      ttk::kAnyPort};          \
  extern "C" [[gnu::visibility("default"),                                     \
               gnu::used]] const ttk::KernelInfo ttk_kernel_info = {           \
      ttk::kAbiVersion,                                                        \
      ttk::Main(ttk_main) != ttk_main<void> ? ttk::Main(ttk_main)              \
                                            : ttk::Main(kernel_main),          \
      __start_ttk_uses, __stop_ttk_uses};

#endif // TTK_KERNEL_H
