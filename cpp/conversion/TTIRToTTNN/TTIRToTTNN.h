#ifndef CONVERSION_TTIRTOTTNN_TTIRTOTTNN_H
#define CONVERSION_TTIRTOTTNN_TTIRTOTTNN_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/DialectConversion.h"

namespace mlir::tt {

/// Adds the patterns that turn each ttir op into its library call.
void populateTTIRToTTNNPatterns(RewritePatternSet &patterns);

/// The same for ttir.conv2d and ttir.max_pool2d.
void populateTTIRToTTNNWindowPatterns(RewritePatternSet &patterns);

/// The device handle of the block that `op` is in: the ttnn.get_device that the
/// block starts with, made there if it is missing.
Value getOrInsertDevice(ConversionPatternRewriter &rewriter, Operation *op);

#define GEN_PASS_DECL
#include "conversion/TTIRToTTNN/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "conversion/TTIRToTTNN/Passes.h.inc"

} // namespace mlir::tt

#endif
