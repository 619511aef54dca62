#ifndef CONVERSION_TTNNTOEMITC_TTNNTOEMITC_H
#define CONVERSION_TTNNTOEMITC_TTNNTOEMITC_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::tt {

#define GEN_PASS_DECL
#include "conversion/TTNNToEmitC/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "conversion/TTNNToEmitC/Passes.h.inc"

/// The body of the pass. On failure there is an error at the op that has no C++
/// form, and the module is partly converted.
LogicalResult convertTTNNToEmitC(ModuleOp module);

} // namespace mlir::tt

#endif
