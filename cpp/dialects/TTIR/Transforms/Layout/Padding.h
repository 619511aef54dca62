#ifndef DIALECTS_TTIR_TRANSFORMS_LAYOUT_PADDING_H
#define DIALECTS_TTIR_TRANSFORMS_LAYOUT_PADDING_H

#include "dialects/TT/TT.h"

#include "mlir/IR/Operation.h"

namespace mlir::tt::ttir {

/// What the kernel of an op reads in the padding of the tiles of `operand`:
/// undef if it reads nothing there, or nothing that changes the result's
/// elements.
OOBVal getRequiredPadding(OpOperand &operand);

} // namespace mlir::tt::ttir

#endif
