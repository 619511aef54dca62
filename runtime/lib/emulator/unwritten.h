// The elements of a tensor that the kernels of a program did not write.
#ifndef TT_RUNTIME_EMULATOR_UNWRITTEN_H
#define TT_RUNTIME_EMULATOR_UNWRITTEN_H

#include "emulator/tensor.h"

namespace tt::runtime::emulator {

/// Bytes of elements of a tensor that nothing has written, and the pages (tiles
/// or rows) that have some of them. Padding may be undefined.
struct Unwritten {
  std::int64_t bytes = 0, pages = 0, firstPage = 0;
  std::int64_t allPages = 0; // of the tensor

  /// "2048 bytes, in 1 of 4 tiles, from tile 3 on".
  std::string describe(const Layout &layout) const;
};

/// Of a tensor of one chip.
Unwritten findUnwritten(const TensorData &tensor);

} // namespace tt::runtime::emulator

#endif // TT_RUNTIME_EMULATOR_UNWRITTEN_H
