#ifndef CONVERSION_TTKERNELTOEMITC_TTKERNELTOEMITC_H
#define CONVERSION_TTKERNELTOEMITC_TTKERNELTOEMITC_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/DialectConversion.h"

namespace mlir::tt {

#define GEN_PASS_DECL
#include "conversion/TTKernelToEmitC/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "conversion/TTKernelToEmitC/Passes.h.inc"

/// The body of the pass. On failure there is an error at the op that has no C++
/// form, and the function is unchanged.
LogicalResult convertTTKernelToEmitC(func::FuncOp kernel);

namespace emission {

/// Ops of kernels as calls.
void populateKernelPatterns(const TypeConverter &converter,
                            RewritePatternSet &patterns);

/// Minima and maxima, for which MLIR has no patterns.
void populateMinMaxPatterns(const TypeConverter &converter,
                            RewritePatternSet &patterns);

} // namespace emission
} // namespace mlir::tt

#endif
