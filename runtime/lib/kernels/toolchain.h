// The compiler of kernels in C++, and its options.
#ifndef TT_RUNTIME_KERNELS_TOOLCHAIN_H
#define TT_RUNTIME_KERNELS_TOOLCHAIN_H

#include <span>
#include <string>

namespace tt::runtime::kernels {

struct Compiler {
  std::string command, identity;
  std::string headers; // folder of the kernel library
};

/// `$CXX`, or g++. Throws Error(Unsupported) if it cannot compile kernels.
Compiler findCompiler(std::string headers);

/// The options of every compilation, and of every link.
std::span<const char *const> compileFlags();
std::span<const char *const> linkFlags();
/// The libraries of the host that a kernel may need.
std::span<const char *const> hostLibraries();

} // namespace tt::runtime::kernels

#endif // TT_RUNTIME_KERNELS_TOOLCHAIN_H
