#ifndef DIALECTS_TTNN_TRANSFORMS_PASSES_H
#define DIALECTS_TTNN_TRANSFORMS_PASSES_H

#include "dialects/TT/ComputeConfig.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::tt::ttnn {

/// Gives the ops inside that compute what is demanded of them; says of how many
/// ops something is.
unsigned setComputeConfigs(Operation *root, ComputeConfigDemands &demands);

#define GEN_PASS_DECL
#include "dialects/TTNN/Transforms/Passes.h.inc"

/// Registers every pass of this folder. `registerPasses` is their common name.
#define GEN_PASS_REGISTRATION
#include "dialects/TTNN/Transforms/Passes.h.inc"

inline void registerPasses() { registerTTNNTransformsPasses(); }

} // namespace mlir::tt::ttnn

#endif
