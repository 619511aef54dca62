#ifndef CONVERSION_TTIRTOTTNN_TTIRTOTTNN_H
#define CONVERSION_TTIRTOTTNN_TTIRTOTTNN_H

#include "dialects/TT/Remarks.h"
#include "dialects/TTNN/TTNN.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/DialectConversion.h"

namespace mlir::tt {

inline constexpr Remarks kCallRemarks("convert-ttir-to-ttnn");

/// Adds the patterns that turn each ttir op into its library call; collectives
/// use `numLinks` links between neighbours.
void populateTTIRToTTNNPatterns(RewritePatternSet &patterns, unsigned numLinks);

/// The same for convolutions and pooling, for ops that create a tensor from
/// attributes, for ttir.broadcast, and for the collectives of a mesh.
void populateTTIRToTTNNWindowPatterns(RewritePatternSet &patterns);
void populateTTIRToTTNNCreationPatterns(RewritePatternSet &patterns);
void populateTTIRToTTNNBroadcastPatterns(RewritePatternSet &patterns);
void populateTTIRToTTNNCollectivePatterns(RewritePatternSet &patterns,
                                          unsigned numLinks);

/// The device handle of the block that `op` is in: the ttnn.get_device at the
/// start of the block, created if it is missing.
Value getOrInsertDevice(ConversionPatternRewriter &rewriter, Operation *op);

LayoutAttr getLayout(RankedTensorType type);
DataTypeAttr getDataType(RankedTensorType type);

/// `type` with another shape, otherwise laid out as it is.
RankedTensorType withShape(RankedTensorType type, ArrayRef<int64_t> shape);

/// Where a call makes a new tensor: on the device, or on the host when no
/// memory layout is chosen.
struct Placement {
  Value device;
  ttnn::MemoryConfigAttr memoryConfig;
};
Placement getPlacement(ConversionPatternRewriter &rewriter, Operation *op,
                       RankedTensorType type);

/// A new tensor of that type for `op`.
ttnn::EmptyOp makeEmpty(ConversionPatternRewriter &rewriter, Operation *op,
                        RankedTensorType type);

#define GEN_PASS_DECL
#include "conversion/TTIRToTTNN/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "conversion/TTIRToTTNN/Passes.h.inc"

} // namespace mlir::tt

#endif
