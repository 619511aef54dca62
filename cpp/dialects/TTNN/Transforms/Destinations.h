#ifndef DIALECTS_TTNN_TRANSFORMS_DESTINATIONS_H
#define DIALECTS_TTNN_TRANSFORMS_DESTINATIONS_H

#include "dialects/TTNN/TTNN.h"

namespace mlir::tt::ttnn {

/// The `ttnn.empty` that only the op of `result` writes to, and nothing but a
/// `ttnn.dealloc` uses besides; null if there is none.
EmptyOp getOwnDestination(OpResult result);

/// Gives a result, and the destination that only its op writes to, the type
/// `type`. The destination is null if the op makes its result itself.
void setResultType(OpResult result, EmptyOp destination, RankedTensorType type);

/// The type with the elements of its tiles in another format.
RankedTensorType withFormat(RankedTensorType type, DataType format);

/// Stores the tiles of a result, and of the destination that only its op writes
/// to, in another format.
void setStoredFormat(OpResult result, DataType format);

/// Whether the location of the op is one of these names. If one op became
/// several steps, only the last one counts.
bool isNamed(Operation *op, ArrayRef<std::string> names);

} // namespace mlir::tt::ttnn

#endif
