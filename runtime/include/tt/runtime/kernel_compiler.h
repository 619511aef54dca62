// Compiles kernels in C++ to shared objects, and caches them in
// $XDG_CACHE_HOME/ttmlir/kernels, keyed by text, headers, options and compiler.
#ifndef TT_RUNTIME_KERNEL_COMPILER_H
#define TT_RUNTIME_KERNEL_COMPILER_H

#include "tt/runtime/native_kernels.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tt::runtime {

/// Properties of the chip that kernels get as macros.
struct KernelChip {
  bool blackhole = false;
  std::uint32_t l1Alignment = 0, dramAlignment = 0; // bytes
  std::uint32_t dramBanks = 0, l1Banks = 0;
  bool operator==(const KernelChip &) const = default;
};

/// A kernel and how it is compiled.
struct KernelUnit {
  std::string name;
  /// The file if there is one, else the text.
  std::string path, text;
  /// Macros with their values, if they have any.
  std::vector<std::pair<std::string, std::optional<std::string>>> defines;
  std::vector<std::string> includeDirs; // beside the folder of the file
  std::vector<std::uint32_t> compileArgs;
  std::vector<std::pair<std::string, std::uint32_t>> namedCompileArgs;
  /// The number of its first common argument in the program.
  std::uint32_t commonArgs = 0;
  /// The network of a data movement kernel; none of a compute kernel.
  std::optional<std::uint32_t> noc;
  bool fp32DestAcc = false;
  KernelChip chip;
  bool operator==(const KernelUnit &) const = default;
};

struct KernelObject {
  std::string path;
  /// Of NativeKernelUse.
  bool hasVariables = false;
  std::vector<NativeLine> lines;
  CheckKinds unchecked = 0;
};

/// A kernel may say what is not to be checked of it, by a line such as
///   // ttmlir: no races, no buffers
/// or, for all of it,
///   // ttmlir: no checks
///
/// The object of each kernel, compiled side by side by `$CXX` or g++ unless the
/// cache has it. `headers` is the folder of the kernel library. Throws
/// Error(Argument) with the messages of the compiler for a kernel that it
/// rejects, Error(Unsupported) without a compiler, Error(File) for a folder
/// that cannot be written.
std::vector<KernelObject> compileKernels(const std::vector<KernelUnit> &units,
                                         const std::string &headers);

} // namespace tt::runtime

#endif // TT_RUNTIME_KERNEL_COMPILER_H
