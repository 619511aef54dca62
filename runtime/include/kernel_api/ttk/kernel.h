// Around the text of a kernel: what it is entered by.
#ifndef TTK_KERNEL_H
#define TTK_KERNEL_H

#ifdef TTK_COMPUTE
#include "ttk/compute.h"
#else
#include "ttk/dataflow.h"
#endif

/// Assembly is of the chip. The headers of the host's library spell it __asm__.
// clang-format off
#define asm _Pragma("GCC error \"inline assembly is not supported by the emulator\"") asm
// clang-format on

/// The names around a compute kernel of 2024.
#define NAMESPACE ttk_kernel
#define MAIN kernel_main()
inline namespace ttk_kernel {}

extern "C" {

/// Compiled in front of each block of the kernel.
TTK_UNCOUNTED [[gnu::visibility("hidden"), gnu::used]] void
__sanitizer_cov_trace_pc() {
  ttk::Host *host = ttk::self();
  host->fuel -= ttk::kBlockInstructions;
  if (host->fuel <= 0)
    host->refuel(host, __builtin_return_address(0));
}

#pragma GCC visibility push(hidden)
extern const ttk::Use __start_ttk_uses[], __stop_ttk_uses[];
#pragma GCC visibility pop
}

/// At the end of the file.
#define TTK_KERNEL_END                                                         \
  [[gnu::section("ttk_uses"),                                                  \
    gnu::used]] static const ttk::Use ttk_last_use = {ttk::kAnyPort,           \
                                                      ttk::kAnyPort};          \
  extern "C" [[gnu::visibility("default"),                                     \
               gnu::used]] const ttk::KernelInfo ttk_kernel_info = {           \
      ttk::kAbiVersion, static_cast<void (*)()>(kernel_main),                  \
      __start_ttk_uses, __stop_ttk_uses};

#endif // TTK_KERNEL_H
