#include "kernels/toolchain.h"

#include "kernels/subprocess.h"
#include "tt/runtime/error.h"

#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>

namespace tt::runtime::kernels {

namespace {

constexpr int kOldest = 12; // -fsanitize-coverage can be left out for functions

// Loops are not unrolled, since each iteration counts instructions. Calls keep
// their return addresses, which identify lines. Each memory access calls a
// function of ttk/hooks.h, which rejects addresses of the chip; divisions by
// zero, quotients out of range and indices beyond an array call others, which
// fail.
constexpr const char *kCompileFlags[] = {
    "-std=c++20",
    "-O1",
    "-g1",
    "-fPIC",
    "-fvisibility=hidden",
    "-fno-exceptions",
    "-fno-rtti",
    "-fno-optimize-sibling-calls",
    "-fno-strict-aliasing",
    "-fwrapv",
    "-fsanitize-coverage=trace-pc",
    "-fno-threadsafe-statics",
    "--param=max-completely-peeled-insns=0",
    "--param=max-completely-peel-times=0",
    "-fsanitize=kernel-address",
    "--param=asan-stack=0",
    "--param=asan-globals=0",
    "--param=asan-instrumentation-with-call-threshold=0",
    "-fsanitize=integer-divide-by-zero,bounds-strict",
    "-fsanitize=signed-integer-overflow", // of quotients: others wrap
    "-fno-builtin-memset",
    "-fno-builtin-memcpy",
    "-fno-builtin-memmove",
    "-fno-tree-loop-distribute-patterns",
    "-Wno-int-to-pointer-cast",
    "-Wno-attributes"};

constexpr const char *kLinkFlags[] = {
    "-shared", "-nostartfiles",
    "-nodefaultlibs"}; // among them that of the sanitizer

constexpr const char *kHostLibraries[] = {"-lstdc++", "-lm", "-lgcc_s", "-lgcc",
                                          "-lc"};

std::string firstLine(const std::string &text) {
  return text.substr(0, text.find('\n'));
}

/// The number after "#define <name> ", or 0.
int macro(const std::string &text, const std::string &name) {
  const std::string begin = "#define " + name + " ";
  const std::size_t at = text.find(begin);
  return at == std::string::npos ? 0 : std::atoi(&text[at + begin.size()]);
}

std::string identify(const std::string &command) {
  const Finished done =
      runProgram({command, "-dumpfullversion", "-dumpmachine", "--version"},
                 Capture::OutputAndErrors);
  if (done.error)
    raise(ErrorCategory::Unsupported, "a kernel in C++ needs g++ ", kOldest,
          " or later, but '", command,
          "' cannot be run: ", std::strerror(done.error),
          "; install it, or set CXX to another compiler");
  const std::string macros =
      runProgram({command, "-dM", "-E", "-x", "c++", "/dev/null"},
                 Capture::Output)
          .output;
  if (macros.find("__clang__") != std::string::npos ||
      macro(macros, "__GNUC__") < kOldest)
    raise(ErrorCategory::Unsupported, "a kernel in C++ needs g++ ", kOldest,
          " or later, found '", command, "' (", firstLine(done.output), ")");
  return command + " " + done.output;
}

} // namespace

Compiler findCompiler(std::string headers) {
  static std::mutex mutex;
  static std::map<std::string, std::string> identities;
  const char *chosen = std::getenv("CXX");
  const std::string command = chosen && *chosen ? chosen : "g++";
  const std::lock_guard lock(mutex);
  auto known = identities.find(command);
  if (known == identities.end())
    known = identities.emplace(command, identify(command)).first;
  return {command, known->second, std::move(headers)};
}

std::span<const char *const> compileFlags() { return kCompileFlags; }
std::span<const char *const> linkFlags() { return kLinkFlags; }
std::span<const char *const> hostLibraries() { return kHostLibraries; }

} // namespace tt::runtime::kernels
