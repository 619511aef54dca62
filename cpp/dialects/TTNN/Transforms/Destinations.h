#ifndef DIALECTS_TTNN_TRANSFORMS_DESTINATIONS_H
#define DIALECTS_TTNN_TRANSFORMS_DESTINATIONS_H

#include "dialects/TTNN/TTNN.h"

namespace mlir::tt::ttnn {

/// The `ttnn.empty` that only the op of `result` writes to, and nothing but a
/// `ttnn.dealloc` uses besides; null if there is none.
EmptyOp getOwnDestination(OpResult result);

/// Gives a result, and the destination that only its op writes to, the type
/// `type`.
void setResultType(OpResult result, EmptyOp destination, RankedTensorType type);

} // namespace mlir::tt::ttnn

#endif
