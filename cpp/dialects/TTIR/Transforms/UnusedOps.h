#ifndef DIALECTS_TTIR_TRANSFORMS_UNUSEDOPS_H
#define DIALECTS_TTIR_TRANSFORMS_UNUSEDOPS_H

#include "mlir/IR/Operation.h"

namespace mlir::tt::ttir {

/// Erases an op without effects whose results nothing reads, and destinations
/// that only it has used.
void eraseUnused(Operation *op);

} // namespace mlir::tt::ttir

#endif
