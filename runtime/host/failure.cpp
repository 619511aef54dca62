// Ends a failing host program with a message and status 1.
#include "host/host.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <map>
#include <string>

#include <dlfcn.h>
#include <ucontext.h>
#include <unistd.h>

namespace tt::tt_metal {
namespace {

/// Loaded kernels, by the path of their object file.
std::map<std::string,
         std::pair<std::string, std::shared_ptr<const emulator::NativeKernel>>>
    kernels;

/// Handles uncaught exceptions.
[[noreturn]] void terminate() {
  std::fflush(stdout);
  if (const std::exception_ptr error = std::current_exception())
    try {
      std::rethrow_exception(error);
    } catch (const std::exception &found) {
      std::fprintf(stderr, "error: %s\n", found.what());
    } catch (...) {
      std::fprintf(stderr,
                   "error: an exception that is not a std::exception\n");
    }
  else
    std::fprintf(stderr, "error: the program was terminated\n");
  std::fflush(stderr);
  std::_Exit(1);
}

/// Returns text such as " in the kernel 'reader' at reader.cpp:12", or a file
/// of the program.
std::string placeOf(void *address) {
  Dl_info found;
  if (!address || !dladdr(address, &found) || !found.dli_fname)
    return "";
  const auto kernel = kernels.find(found.dli_fname);
  if (kernel == kernels.end())
    return std::string(" in ") + found.dli_fname +
           (found.dli_sname ? std::string(" (") + found.dli_sname + ")" : "");
  const auto &[name, native] = kernel->second;
  // Passed as a return address, which is after the instruction.
  const ttk::Site site{nullptr, 0, static_cast<char *>(address) + 1};
  const std::string line = native->describe(site, *native->objectForThread());
  return " in the kernel '" + name + "'" + (line.empty() ? "" : " at " + line);
}

/// The process ends, so this need not be async-signal-safe.
void crash(int signal, siginfo_t *info, void *context) {
  const auto *machine = static_cast<const ucontext_t *>(context);
#if defined(__x86_64__)
  auto *at = reinterpret_cast<void *>(machine->uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
  auto *at = reinterpret_cast<void *>(machine->uc_mcontext.pc);
#endif
  const char *what = signal == SIGFPE   ? "a division by zero"
                     : signal == SIGILL ? "an illegal instruction"
                                        : "an invalid memory access";
  std::string text = std::string("error: ") + what + placeOf(at);
  if (signal == SIGSEGV || signal == SIGBUS) {
    char address[32];
    std::snprintf(address, sizeof address, ", at address %p", info->si_addr);
    text += address;
  }
  text += '\n';
  std::fflush(stdout);
  if (write(STDERR_FILENO, text.data(), text.size()) < 0) {
    // There is no reader.
  }
  std::_Exit(1);
}

/// Keeps the program's own handlers.
[[gnu::constructor]] void install() {
  std::set_terminate(terminate);
  // A kernel with a stack overflow cannot run the handler on its stack.
  alignas(16) static char stack[1 << 16];
  stack_t own{};
  own.ss_sp = stack;
  own.ss_size = sizeof stack;
  sigaltstack(&own, nullptr);
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) {
    struct sigaction old{};
    if (sigaction(signal, nullptr, &old) || old.sa_handler != SIG_DFL)
      continue;
    struct sigaction action{};
    action.sa_sigaction = crash;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigaction(signal, &action, nullptr);
  }
}

} // namespace

void noteKernel(const std::string &object, const std::string &name,
                std::shared_ptr<const emulator::NativeKernel> native) {
  kernels[object] = {name, std::move(native)};
}

} // namespace tt::tt_metal
