// C++ kernels of a program: shared objects that run natively, with the rights
// of the process. Files never contain them, though perhaps their text; only
// callers add them.
#ifndef TT_RUNTIME_NATIVE_KERNELS_H
#define TT_RUNTIME_NATIVE_KERNELS_H

#include "tt/runtime/types.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tt::runtime {

/// The source line of the code from `offset` on.
struct NativeLine {
  std::uint64_t offset = 0; // from the start of the object
  std::uint32_t line = 0;
  std::string file;
};

/// A compiled object that replaces a kernel of a TTMetal program: number
/// `kernel` of kernel group `dispatch`, in the order of the file.
struct NativeKernelUse {
  std::uint32_t dispatch = 0, kernel = 0;
  std::string path;
  /// The object has variables: each thread of each core needs its own copy.
  bool hasVariables = false;
  std::vector<NativeLine> lines; // ascending
  /// Kinds of checks that the kernel disables.
  CheckKinds unchecked = 0;
};

/// A rectangle of cores.
struct NativeCores {
  std::uint32_t y = 0, x = 0, height = 0, width = 0;
  bool operator==(const NativeCores &) const = default;
};

/// A tensor that C++ kernels may address by pages. Sizes are in bytes and
/// extents in pages. Without shards the pages are interleaved. Shards, in
/// row-major order, are on the cores of `cores` in their order.
struct NativeTensorUse {
  std::uint32_t address = 0;
  bool dram = true;
  std::uint32_t pageSize = 0, alignedPageSize = 0;
  std::uint32_t rows = 0, columns = 0;
  std::uint32_t shardRows = 0, shardColumns = 0; // 0: interleaved
  std::vector<NativeCores> cores;
  bool operator==(const NativeTensorUse &) const = default;
};

/// Returns the binary with objects in place of some kernels of a program.
/// Kernels refer to a tensor by its index in `tensors`. Throws Error(Argument)
/// for a kernel that does not exist, Error(File) for an object that cannot be
/// loaded.
Binary withNativeKernels(const Binary &binary, std::uint32_t program,
                         const std::vector<NativeKernelUse> &kernels,
                         const std::vector<NativeTensorUse> &tensors);

} // namespace tt::runtime

#endif // TT_RUNTIME_NATIVE_KERNELS_H
