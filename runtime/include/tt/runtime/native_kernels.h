// Kernels in C++ of a program: shared objects that run natively, with the
// rights of the process. No file names one; only a caller adds them.
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

/// A compiled object in place of a kernel of a TTMetal program: of the
/// `kernel`th of the `dispatch`th group of kernels, as the file has them.
struct NativeKernelUse {
  std::uint32_t dispatch = 0, kernel = 0;
  std::string path;
  /// It has variables, of which each thread of each core needs its own.
  bool hasVariables = false;
  std::vector<NativeLine> lines; // ascending
};

/// A tensor that kernels in C++ may address by pages. Sizes are in bytes and
/// extents in pages. Without shards the pages are interleaved; shards are on
/// the cores of a grid from (0, 0) on.
struct NativeTensorUse {
  std::uint32_t address = 0;
  bool dram = true;
  std::uint32_t pageSize = 0, alignedPageSize = 0;
  std::uint32_t rows = 0, columns = 0;
  std::uint32_t shardRows = 0, shardColumns = 0; // 0: interleaved
  std::uint32_t gridRows = 0, gridColumns = 0;
};

/// The binary with objects in place of some kernels of a program. Kernels name
/// a tensor by its index in `tensors`. Throws Error(Argument) for a kernel that
/// does not exist, Error(File) for an object that cannot be loaded.
Binary withNativeKernels(const Binary &binary, std::uint32_t program,
                         const std::vector<NativeKernelUse> &kernels,
                         const std::vector<NativeTensorUse> &tensors);

} // namespace tt::runtime

#endif // TT_RUNTIME_NATIVE_KERNELS_H
