#ifndef DIALECTS_TTMETAL_DISPATCHRULES_H
#define DIALECTS_TTMETAL_DISPATCHRULES_H

#include "dialects/TTMetal/TTMetal.h"

namespace mlir::tt::ttmetal {

/// The constraints (C2) to (C8) of a dispatch: its kernels, where they run,
/// and their arguments.
LogicalResult verifyKernels(DispatchOp op);

} // namespace mlir::tt::ttmetal

#endif
