// How a host program ends that fails: with a message and status 1.
#include "tt/runtime/fault.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string>

#include <dlfcn.h>
#include <ucontext.h>
#include <unistd.h>

namespace tt::tt_metal {
namespace {

/// Of an exception that the program does not catch.
[[noreturn]] void terminate() {
  std::fflush(stdout);
  if (const std::exception_ptr error = std::current_exception())
    try {
      std::rethrow_exception(error);
    } catch (const std::exception &found) {
      std::fprintf(stderr, "error: %s\n", found.what());
    } catch (...) {
      std::fprintf(stderr, "error: an exception that is no std::exception\n");
    }
  else
    std::fprintf(stderr, "error: the program was terminated\n");
  std::fflush(stderr);
  std::_Exit(1);
}

/// Where a crash happened: a kernel of the cache, or a file of the program.
void crash(int signal, siginfo_t *info, void *context) {
  const char *what = signal == SIGFPE    ? "division by zero"
                     : signal == SIGILL  ? "a trap or an illegal instruction"
                     : signal == SIGABRT ? "abort"
                                         : "an access to memory that is not its";
  std::string text = std::string("error: ") + what;
  const auto *machine = static_cast<const ucontext_t *>(context);
#if defined(__x86_64__)
  auto *at = reinterpret_cast<void *>(machine->uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
  auto *at = reinterpret_cast<void *>(machine->uc_mcontext.pc);
#else
  void *at = nullptr;
  (void)machine;
#endif
  Dl_info found;
  if (at && dladdr(at, &found) && found.dli_fname) {
    const bool kernel = dlsym(dlopen(found.dli_fname, RTLD_NOW | RTLD_NOLOAD),
                              "ttk_kernel_info") != nullptr;
    text += kernel ? " in a kernel" : std::string(" in ") + found.dli_fname;
    if (found.dli_sname)
      text += std::string(" (") + found.dli_sname + ")";
  }
  if (signal == SIGSEGV || signal == SIGBUS) {
    char address[32];
    std::snprintf(address, sizeof address, ", at %p", info->si_addr);
    text += address;
  }
  text += '\n';
  std::fflush(stdout);
  if (write(STDERR_FILENO, text.data(), text.size()) < 0) {
    // Nobody is there to read it.
  }
  std::_Exit(1);
}

/// Handlers of the program itself are left alone.
[[gnu::constructor]] void install() {
  std::set_terminate(terminate);
  // A kernel that has no stack left cannot run the handler on it.
  alignas(16) static char stack[1 << 16];
  stack_t own{};
  own.ss_sp = stack;
  own.ss_size = sizeof stack;
  sigaltstack(&own, nullptr);
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) {
    struct sigaction old {};
    if (sigaction(signal, nullptr, &old) || old.sa_handler != SIG_DFL)
      continue;
    struct sigaction action {};
    action.sa_sigaction = crash;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigaction(signal, &action, nullptr);
  }
}

} // namespace
} // namespace tt::tt_metal
