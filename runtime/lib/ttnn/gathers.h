// The dimensions of a gather as its kernel takes them.
#ifndef TT_RUNTIME_TTNN_GATHERS_H
#define TT_RUNTIME_TTNN_GATHERS_H

#include "numerics/gather.h"
#include "ttnn/program.h"

namespace tt::runtime::ttnn {

inline numerics::GatherDims gatherDims(const GatherStep &s) {
  return {s.offsetDims,          s.collapsedSliceDims,
          s.operandBatchingDims, s.startIndicesBatchingDims,
          s.startIndexMap,       s.indexVectorDim,
          s.sliceSizes,          s.clamp};
}

} // namespace tt::runtime::ttnn

#endif // TT_RUNTIME_TTNN_GATHERS_H
