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

/// A kernel and its compile options.
struct KernelUnit {
  std::string name;
  /// The file, or the text if there is no file.
  std::string path, text;
  /// Macros with their values, if they have any.
  std::vector<std::pair<std::string, std::optional<std::string>>> defines;
  std::vector<std::string> includeDirs; // besides the folder of the file
  std::vector<std::uint32_t> compileArgs;
  std::vector<std::pair<std::string, std::uint32_t>> namedCompileArgs;
  /// The index of its first common argument in those of the program.
  std::uint32_t commonArgs = 0;
  /// The NoC of a data movement kernel; none for a compute kernel.
  std::optional<std::uint32_t> noc;
  bool fp32DestAcc = false;
  /// Describes variables in the object, for debuggers. So does the environment
  /// variable TTMLIR_KERNEL_DEBUG=1, for all kernels.
  bool debugInfo = false;
  KernelChip chip;
  bool operator==(const KernelUnit &) const = default;
};

/// A kernel in C++ of a file: number `kernel` of kernel group `dispatch` of a
/// program.
struct CppKernel {
  std::uint32_t dispatch = 0, kernel = 0;
  /// Its text, without folders for headers.
  KernelUnit unit;
  /// The names and texts of the files that it includes.
  std::vector<std::pair<std::string, std::string>> headers;
  /// The tensors that its compile-time arguments number.
  std::vector<NativeTensorUse> tensors;
};

/// The kernels in C++ of a TTMetal program of a file. They do not run unless
/// the caller compiles them and replaces them with withNativeKernels.
std::vector<CppKernel> getCppKernels(const Binary &binary,
                                     std::uint32_t program);

struct KernelObject;
/// Returns the binary with objects for the kernels of getCppKernels, in their
/// order. Throws Error(Argument) for another number of them.
Binary withCppKernels(const Binary &binary, std::uint32_t program,
                      const std::vector<KernelObject> &objects);

struct KernelObject {
  std::string path;
  /// The fields of NativeKernelUse.
  bool hasVariables = false;
  std::vector<NativeLine> lines;
  CheckKinds unchecked = 0;
};

/// Compiles kernels in parallel with `$CXX` or g++, unless they are in the
/// cache. `headers` is the folder of the kernel library. Throws Error(Argument)
/// with the messages of the compiler if it rejects a kernel, Error(Unsupported)
/// without a compiler, Error(File) if a folder cannot be written.
///
/// A kernel may disable checks by a line such as
///   // ttmlir: no races, no buffers
/// or, for all checks,
///   // ttmlir: no checks
std::vector<KernelObject> compileKernels(const std::vector<KernelUnit> &units,
                                         const std::string &headers);

} // namespace tt::runtime

#endif // TT_RUNTIME_KERNEL_COMPILER_H
