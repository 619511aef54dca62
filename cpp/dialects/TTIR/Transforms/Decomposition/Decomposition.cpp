#include "dialects/TT/TTOps.h"
#include "dialects/TTIR/Transforms/Decomposition/DecompositionPatterns.h"
#include "dialects/TTIR/Transforms/Layout/Padding.h"
#include "dialects/TTIR/Transforms/Passes.h"
#include "dialects/TTIR/Transforms/TensorTypes.h"
#include "dialects/TTMetal/TTMetal.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace mlir::tt::ttir {

#define GEN_PASS_DEF_TTIRDECOMPOSITION
#include "dialects/TTIR/Transforms/Passes.h.inc"

Value fitType(Primitives &b, Value value, RankedTensorType type) {
  // One that its readers broadcast has another shape.
  if (value.getType() == type || b.getShape(value) != type.getShape())
    return value;
  // The op that was made last writes into a tensor of that layout.
  auto op = value.getDefiningOp<DestinationStyleOpInterface>();
  if (op && value.use_empty() && op.getNumDpsInits() == 1) {
    auto empty = op.getDpsInits().front().getDefiningOp<tensor::EmptyOp>();
    if (empty && empty->hasOneUse()) {
      empty.getResult().setType(type);
      value.setType(type);
      return value;
    }
  }
  auto empty =
      tensor::EmptyOp::create(b.builder, b.loc, type.getShape(),
                              type.getElementType(), type.getEncoding());
  SmallVector<int32_t> shape(type.getShape());
  return ReshapeOp::create(b.builder, b.loc, type, value, empty,
                           b.builder.getI32ArrayAttr(shape), b.getRows(2))
      .getResult();
}

void reportDecomposition(Operation *op, Operation *before) {
  auto remark = kDecompositionRemarks.passed(op, "Decomposed");
  if (!remark)
    return;
  std::string made = countOps(before ? std::next(before->getIterator())
                                     : op->getBlock()->begin(),
                              op->getIterator());
  if (made.empty())
    remark << reason("goes away: its readers take what it takes")
           << rejected("a kernel for it: no element moves");
  else
    remark << reason("becomes {0}", made)
           << rejected("one kernel: there is none for the op in this form");
}

bool worksOnTiles(Operation *op) {
  return isa<MatmulOp, SumOp, MaxOp, MinOp, TransposeOp>(op) ||
         isa<TTIR_ElementwiseOpInterface>(op);
}

namespace {

/// Indices and counts that f32 holds exactly.
constexpr int64_t kMaxExactCount = int64_t(1) << 24;

/// An error for ops that cannot be computed.
LogicalResult verifySupported(Operation *op) {
  if (!isa<TTDialect, TTIRDialect, ttmetal::TTMetalDialect>(op->getDialect()) &&
      !isa<tensor::EmptyOp, func::FuncOp, func::ReturnOp, ModuleOp>(op))
    return op->emitOpError("cannot be decomposed: expected ops of the 'ttir' "
                           "dialect");
  if (auto argMax = dyn_cast<ArgMaxOp>(op)) {
    RankedTensorType type = argMax.getInput().getType();
    ArrayAttr dims = argMax.getDimArgAttr();
    int64_t count =
        dims && !dims.empty()
            ? type.getDimSize(getReducedDims(dims, type.getRank()).front())
            : type.getNumElements();
    if (count > kMaxExactCount)
      return op->emitOpError("cannot be decomposed: expected at most 2^24 "
                             "elements to compare, found ")
             << count;
  }
  if (auto backward = dyn_cast<EmbeddingBackwardOp>(op))
    if (int64_t rows = backward.getType().getDimSize(0); rows > kMaxExactCount)
      return op->emitOpError("cannot be decomposed: expected a table of at "
                             "most 2^24 rows, found ")
             << rows;
  if (auto gather = dyn_cast<GatherOp>(op))
    if (failed(verifyGatherDecomposition(gather)))
      return failure();
  if (failed(verifyWindowDecomposition(op)) ||
      failed(verifyIndexingDecomposition(op)))
    return failure();
  return success();
}

/// A reshape that leaves rows whole takes the tiles that are there, or gives
/// those that are wanted: then rows need no launch of their own. What is around
/// the elements of its tiles is undefined.
ArrayAttr getReshapeConstraints(ReshapeOp op, Primitives &b) {
  ArrayAttr rows = b.getRows(2), tiles = b.getDramTiles(2);
  ArrayRef<int64_t> from = b.getShape(op.getInput()),
                    to = b.getShape(op.getResult());
  if (from.size() < 2 || to.size() < 2 || from == to ||
      from.back() != to.back())
    return rows;
  auto with = [&](ArrayAttr input, ArrayAttr output) {
    return b.builder.getArrayAttr({input[0], output[1]});
  };
  Operation *source = op.getInput().getDefiningOp();
  if (source && worksOnTiles(source))
    return with(tiles, rows);
  bool wantsTiles =
      !op->use_empty() && llvm::all_of(op->getUses(), [](OpOperand &use) {
        return worksOnTiles(use.getOwner()) &&
               getRequiredPadding(use) == OOBVal::Undef;
      });
  return wantsTiles ? with(rows, tiles) : rows;
}

/// The form in which the kernel of a primitive takes its operands; null for
/// ops that have none of their own.
ArrayAttr getKernelConstraints(Operation *op, Primitives &b) {
  size_t count = op->getNumOperands();
  if (worksOnTiles(op))
    return b.getTiles(count);
  if (auto reshape = dyn_cast<ReshapeOp>(op))
    return getReshapeConstraints(reshape, b);
  if (isa<ScaledDotProductAttentionOp>(op))
    return b.getDramTiles(count);
  if (isa<UpdateSliceOp>(op)) {
    SmallVector<Attribute> constraints(b.getDramTiles(count).getValue());
    if (cast<UpdateSliceOp>(op).getIndex())
      constraints[2] = b.getRows(1)[0];
    return b.builder.getArrayAttr(constraints);
  }
  if (isa<PermuteOp, SliceOp, ConcatOp, PadOp, UnfoldOp, RepeatOp, EmbeddingOp,
          FillOp, ArgSortOp, ScatterRowsOp, PreviousEqualOp, BitcastConvertOp>(
          op))
    return b.getRows(count);
  return {};
}

class TTIRDecomposition
    : public impl::TTIRDecompositionBase<TTIRDecomposition> {
public:
  using impl::TTIRDecompositionBase<TTIRDecomposition>::TTIRDecompositionBase;

  LogicalResult initialize(MLIRContext *context) final {
    RewritePatternSet set(context);
    populateNormDecompositions(set);
    populateReductionDecompositions(set);
    populateMovementDecompositions(set);
    populateGatherDecompositions(set);
    populateIndexingDecompositions(set);
    populateWindowDecompositions(set);
    if (useAllGatherKernel)
      populateCollectiveDecompositions(set);
    patterns = std::move(set);
    return success();
  }

  void runOnOperation() final {
    ModuleOp module = getOperation();
    WalkResult result = module.walk<WalkOrder::PreOrder>([](Operation *op) {
      // The library computes them.
      if (op->hasAttr(kHostAttr))
        return WalkResult::skip();
      if (failed(verifySupported(op)))
        return WalkResult::interrupt();
      // Kernels are not changed.
      return isa<GenericOp, ttmetal::DispatchOp>(op) ? WalkResult::skip()
                                                     : WalkResult::advance();
    });
    if (result.wasInterrupted())
      return signalPassFailure();

    OpBuilder builder(&getContext());
    module.walk([&](Operation *op) {
      Primitives primitives(builder, op->getLoc());
      setCollectiveConstraints(op, primitives, useAllGatherKernel);
    });
    walkAndApplyPatterns(module, patterns);
    sinkReshapes(module);

    SmallVector<tensor::EmptyOp> unused;
    module.walk<WalkOrder::PreOrder>([&](Operation *op) {
      Primitives primitives(builder, op->getLoc());
      if (ArrayAttr constraints = getKernelConstraints(op, primitives))
        op->setAttr("operand_constraints", constraints);
      if (auto empty = dyn_cast<tensor::EmptyOp>(op);
          empty && empty->use_empty())
        unused.push_back(empty);
      return isa<GenericOp>(op) ? WalkResult::skip() : WalkResult::advance();
    });
    for (tensor::EmptyOp empty : unused)
      empty->erase();
  }

private:
  FrozenRewritePatternSet patterns;
};

} // namespace
} // namespace mlir::tt::ttir
