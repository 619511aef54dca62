#ifndef DIALECTS_TTIR_TRANSFORMS_PASSES_H
#define DIALECTS_TTIR_TRANSFORMS_PASSES_H

#include "dialects/TT/ComputeConfig.h"
#include "dialects/TT/TT.h"
#include "dialects/TTIR/Transforms/Optimizer/Overrides.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::tt::ttir {

#define GEN_PASS_DECL
#include "dialects/TTIR/Transforms/Passes.h.inc"

/// Registers every pass of this folder. `registerPasses` is their common name.
#define GEN_PASS_REGISTRATION
#include "dialects/TTIR/Transforms/Passes.h.inc"

inline void registerPasses() { registerTTIRTransformsPasses(); }

} // namespace mlir::tt::ttir

#endif
