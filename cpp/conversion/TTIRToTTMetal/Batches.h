#ifndef CONVERSION_TTIRTOTTMETAL_BATCHES_H
#define CONVERSION_TTIRTOTTMETAL_BATCHES_H

#include "conversion/TTIRToTTMetal/DispatchBuilder.h"

namespace mlir::tt {

/// Row-major strides of `extents`.
SmallVector<int64_t> getRowMajorStrides(ArrayRef<int64_t> extents);

/// The place of a multi-index in memory: `index` counts the points of `extents`
/// row-major, and a step along dimension i is `strides[i]` long.
I32 linearize(I32 index, ArrayRef<int64_t> extents, ArrayRef<int64_t> strides);

/// The batch of an operand that batch `index` of the result uses, by NumPy's
/// rules; both by the extents of their leading dimensions.
I32 broadcastBatch(I32 index, ArrayRef<int64_t> resultBatches,
                   ArrayRef<int64_t> operandBatches);

/// The extents of all dimensions but the last two.
ArrayRef<int64_t> getBatchExtents(const Tensor &tensor);

/// Whether the op has tensors of floats in 32x32 tiles, each matrix in its own
/// tiles; otherwise emits an error that names the operand `name`.
LogicalResult checkFloatTiles(Operation *op, StringRef name,
                              const Tensor &tensor);

/// An error unless the padding of `tensor` along `extent`, a dimension of the
/// matrices, is empty or holds `value`.
LogicalResult checkPadding(Operation *op, StringRef name, const Tensor &tensor,
                           int64_t extent, OOBVal value);

} // namespace mlir::tt

#endif
