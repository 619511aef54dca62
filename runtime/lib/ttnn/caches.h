// Extents of ops that read and write KV caches, which may be paged.
#ifndef TT_RUNTIME_TTNN_CACHES_H
#define TT_RUNTIME_TTNN_CACHES_H

#include "ttnn/program.h"

#include <algorithm>

namespace tt::runtime::ttnn {

/// The number of updates: the rows of the index, stacked in the first dimension
/// of the update.
inline std::int64_t updatesOf(const Program &program,
                              const UpdateSliceStep &step) {
  if (!step.index)
    return 1;
  const auto &index = program.values[*step.index].layout.shape;
  return index.size() == 2 ? index[0] : 1;
}

/// Whether the index gives the starts of updates in the first dimension.
/// Otherwise the updates are consecutive in it.
inline bool movesFirst(const UpdateSliceStep &step) {
  return std::find(step.dims.begin(), step.dims.end(), 0) != step.dims.end();
}

/// The number of keys that each query may attend to: those of its batch, or of
/// the blocks in a row of the page table.
inline std::int64_t keysOf(const Program &program,
                           const ScaledDotProductAttentionStep &step) {
  const std::int64_t keys = program.values[step.key].layout.shape[2];
  return step.pageTable ? keys * program.values[*step.pageTable].layout.shape[1]
                        : keys;
}

} // namespace tt::runtime::ttnn

#endif // TT_RUNTIME_TTNN_CACHES_H
