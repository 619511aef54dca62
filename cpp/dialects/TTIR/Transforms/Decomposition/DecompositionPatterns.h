#ifndef DIALECTS_TTIR_TRANSFORMS_DECOMPOSITION_DECOMPOSITIONPATTERNS_H
#define DIALECTS_TTIR_TRANSFORMS_DECOMPOSITION_DECOMPOSITIONPATTERNS_H

#include "dialects/TT/Remarks.h"
#include "dialects/TTIR/Transforms/Decomposition/Primitives.h"

#include "mlir/IR/PatternMatch.h"

namespace mlir::tt::ttir {

/// `value` as a tensor of `type`, which differs in its layout at most, unless
/// it is one that its readers broadcast.
Value fitType(Primitives &primitives, Value value, RankedTensorType type);

inline constexpr Remarks kDecompositionRemarks("ttir-decomposition");

/// A remark with the ops that now stand between `before`, null for the start of
/// the block, and `op`.
void reportDecomposition(Operation *op, Operation *before);

/// Replaces an op by what `decompose` makes of it. That is a value of the op's
/// shape and element type, or one that all readers of the op broadcast to it;
/// null where the op is a primitive itself.
template <typename OpTy> struct Decomposition : public OpRewritePattern<OpTy> {
  using Function = Value (*)(OpTy, Primitives &);

  Decomposition(MLIRContext *context, Function decompose)
      : OpRewritePattern<OpTy>(context), decompose(decompose) {}

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    Primitives primitives(rewriter, op.getLoc());
    Operation *before = op->getPrevNode();
    Value value = decompose(op, primitives);
    if (!value)
      return rewriter.notifyMatchFailure(op, "is a primitive");
    reportDecomposition(op, before);
    rewriter.replaceOp(op, fitType(primitives, value, op.getType()));
    return success();
  }

  Function decompose;
};

/// Adds a pattern that replaces ops by what `decompose` makes of them.
template <typename OpTy>
void addDecomposition(RewritePatternSet &patterns,
                      Value (*decompose)(OpTy, Primitives &)) {
  patterns.add<Decomposition<OpTy>>(patterns.getContext(), decompose);
}

/// Softmax, norms, products of matrices.
void populateNormDecompositions(RewritePatternSet &patterns);
/// Reductions and running sums.
void populateReductionDecompositions(RewritePatternSet &patterns);
/// Ops that only move elements.
void populateMovementDecompositions(RewritePatternSet &patterns);
/// The most elements of a table of indices or weights that an op becomes.
constexpr int64_t kMaxTableElements = int64_t(1) << 24;

/// Errors for ops that would become too many ops or too large tensors.
LogicalResult verifyWindowDecomposition(Operation *op);
LogicalResult verifyGatherDecomposition(GatherOp op);

/// Gathers of slices.
void populateGatherDecompositions(RewritePatternSet &patterns);
/// Orders, scatters and bits, and errors for those that have no kernel.
void populateIndexingDecompositions(RewritePatternSet &patterns);
LogicalResult verifyIndexingDecomposition(Operation *op);
/// Convolutions, poolings, resizing.
void populateWindowDecompositions(RewritePatternSet &patterns);
/// Collectives whose kernels would send parts of pages.
void populateCollectiveDecompositions(RewritePatternSet &patterns);

/// Whether the kernel of the op takes and gives tiles.
bool worksOnTiles(Operation *op);

/// Moves reshapes of matrices that leave rows whole behind elementwise ops, and
/// joins those that follow each other.
void sinkReshapes(ModuleOp module);

/// Sets the form in which a collective takes its operands; nothing for other
/// ops. Tiles; kernels take those in DRAM, or rows where blocks do not fill
/// tiles.
void setCollectiveConstraints(Operation *op, Primitives &primitives,
                              bool useKernels);

/// The dimensions of a reduction, from the front; all where none are given.
SmallVector<int64_t> getReducedDims(ArrayAttr dims, int64_t rank);

} // namespace mlir::tt::ttir

#endif
