#ifndef CONVERSION_TTIRTOTTMETAL_TTIRTOTTMETAL_H
#define CONVERSION_TTIRTOTTMETAL_TTIRTOTTMETAL_H

#include "conversion/TTIRToTTMetal/Tensors.h"
#include "dialects/TT/ComputeConfig.h"
#include "dialects/TT/Mesh.h"
#include "dialects/TT/Remarks.h"
#include "dialects/TTIR/TTIR.h"
#include "dialects/TTMetal/TTMetal.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/DialectConversion.h"

namespace mlir::tt {

inline constexpr Remarks kKernelRemarks("convert-ttir-to-ttmetal");

/// What the patterns of one run of the conversion share.
struct Lowering {
  /// As the program of one chip sees it.
  DeviceAttr device;
  std::optional<Mesh> mesh;
  SystemDescAttr systemDesc;
  /// Bytes from which on the L1 of every core is free while `func` runs.
  DenseMap<func::FuncOp, uint64_t> freeL1;
  /// all_gather, reduce_scatter and all_reduce become kernels.
  bool useAllGatherKernel = false;
  /// Rows of tiles that an all_gather goes through column by column; 0 for all
  /// tiles row by row.
  int64_t allGatherSwizzle = 0;
  /// How compute kernels are built; an op may be asked about many times.
  mutable ComputeConfigDemands computeConfigs;
  /// An op could not be lowered, and has its error.
  bool failed = false;
};

/// A pattern whose op has no other one: when `lower` fails, it has emitted an
/// error at the op. The op is then replaced by its destination, so that the
/// conversion continues and each wrong op has one error.
template <typename OpT> class KernelPattern : public OpConversionPattern<OpT> {
public:
  KernelPattern(MLIRContext *context, Lowering &lowering)
      : OpConversionPattern<OpT>(context), lowering(lowering) {}

  LogicalResult
  matchAndRewrite(OpT op, typename OpT::Adaptor,
                  ConversionPatternRewriter &rewriter) const final {
    if (failed(lower(op, rewriter))) {
      lowering.failed = true;
      SmallVector<Value> destinations;
      if (auto dps = dyn_cast<DestinationStyleOpInterface>(op.getOperation()))
        destinations = llvm::to_vector(dps.getDpsInits());
      rewriter.replaceOp(op, destinations);
    }
    return success();
  }

  /// Replaces the op, or emits an error at it.
  virtual LogicalResult lower(OpT op,
                              ConversionPatternRewriter &rewriter) const = 0;

protected:
  Lowering &lowering;
};

/// Patterns for ttir.alloc, ttir.dealloc and ttir.to_layout.
void populateTTIRToTTMetalMemoryPatterns(RewritePatternSet &patterns,
                                         Lowering &lowering);

/// Patterns for ttir.fill, which the allocation makes of all constants.
void populateTTIRToTTMetalFillPatterns(RewritePatternSet &patterns,
                                       Lowering &lowering);

/// Patterns for ttir.matmul.
void populateTTIRToTTMetalMatmulPatterns(RewritePatternSet &patterns,
                                         Lowering &lowering);

/// Patterns for ttir.scaled_dot_product_attention.
void populateTTIRToTTMetalAttentionPatterns(RewritePatternSet &patterns,
                                            Lowering &lowering);

/// Patterns for ops that only move elements: permute, slice, pad, reshape,
/// repeat, broadcast, concat and embedding.
void populateTTIRToTTMetalMovementPatterns(RewritePatternSet &patterns,
                                           Lowering &lowering);

/// Patterns for argsort, scatter_rows and previous_equal.
void populateTTIRToTTMetalIndexingPatterns(RewritePatternSet &patterns,
                                           Lowering &lowering);

/// Patterns for update_slice.
void populateTTIRToTTMetalUpdatePatterns(RewritePatternSet &patterns,
                                         Lowering &lowering);

/// Patterns for the reductions and ttir.transpose.
void populateTTIRToTTMetalReducePatterns(RewritePatternSet &patterns,
                                         Lowering &lowering);

/// Patterns for what the chips of a mesh do together.
void populateTTIRToTTMetalCollectivePatterns(RewritePatternSet &patterns,
                                             Lowering &lowering);

/// The pattern for elementwise ttir.generic.
void populateTTIRToTTMetalGenericPatterns(RewritePatternSet &patterns,
                                          Lowering &lowering);

/// The lowerings of ttir.to_layout on the device. To another memory, grid or
/// linear map, by transactions of the network on chip:
LogicalResult lowerRelayout(ttir::ToLayoutOp op, const Lowering &lowering,
                            ConversionPatternRewriter &rewriter);
/// Between pages in banks and shards in L1:
LogicalResult lowerShardPages(ttir::ToLayoutOp op, const Lowering &lowering,
                              ConversionPatternRewriter &rewriter);
/// To another element type, tiles or back, or another padding; also that of a
/// ttir.reshape that leaves rows whole and goes to tiles or back:
LogicalResult lowerReformat(DestinationStyleOpInterface op,
                            const Lowering &lowering,
                            ConversionPatternRewriter &rewriter);

#define GEN_PASS_DECL
#include "conversion/TTIRToTTMetal/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "conversion/TTIRToTTMetal/Passes.h.inc"

} // namespace mlir::tt

#endif
