#ifndef PIPELINES_PIPELINES_H
#define PIPELINES_PIPELINES_H

#include "dialects/TT/ComputeConfig.h"
#include "dialects/TT/TT.h"
#include "dialects/TTIR/Transforms/Optimizer/Overrides.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

namespace mlir::tt {

// `<Pipeline>Options` and `create<Pipeline>` of each pipeline of Pipelines.td.
#include "pipelines/Pipelines.h.inc"

/// Registers every pipeline under its name.
void registerPipelines();

} // namespace mlir::tt

#endif
