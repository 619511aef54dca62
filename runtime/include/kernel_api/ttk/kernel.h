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

extern "C" {
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
