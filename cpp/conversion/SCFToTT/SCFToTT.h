#ifndef CONVERSION_SCFTOTT_SCFTOTT_H
#define CONVERSION_SCFTOTT_SCFTOTT_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::tt {

/// An error at a call that cannot be inlined: of a function that is running, or
/// of what becomes too large.
LogicalResult checkCalls(ModuleOp module);

#define GEN_PASS_DECL
#include "conversion/SCFToTT/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "conversion/SCFToTT/Passes.h.inc"

} // namespace mlir::tt

#endif
