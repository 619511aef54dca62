#ifndef DIALECTS_TTNN_TRANSFORMS_PASSES_H
#define DIALECTS_TTNN_TRANSFORMS_PASSES_H

#include "dialects/TT/ComputeConfig.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::tt::ttnn {

#define GEN_PASS_DECL
#include "dialects/TTNN/Transforms/Passes.h.inc"

/// Registers every pass of this folder. `registerPasses` is their common name.
#define GEN_PASS_REGISTRATION
#include "dialects/TTNN/Transforms/Passes.h.inc"

inline void registerPasses() { registerTTNNTransformsPasses(); }

} // namespace mlir::tt::ttnn

#endif
