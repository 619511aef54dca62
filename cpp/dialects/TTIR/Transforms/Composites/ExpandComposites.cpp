#include "dialects/TT/Remarks.h"
#include "dialects/TTIR/Composites/Composites.h"
#include "dialects/TTIR/GraphBuilder.h"
#include "dialects/TTIR/TTIR.h"
#include "dialects/TTIR/Transforms/Passes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::tt::ttir {

#define GEN_PASS_DEF_TTIREXPANDCOMPOSITES
#include "dialects/TTIR/Transforms/Passes.h.inc"

namespace {

constexpr Remarks kCompositeRemarks("ttir-expand-composites");

/// `value` as a tensor of `type`, which differs in its layout at most.
Value intoType(OpBuilder &builder, Operation *composite, Value value,
               RankedTensorType type) {
  if (value.getType() == type)
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
  Location loc = composite->getLoc();
  auto empty = tensor::EmptyOp::create(
      builder, loc, type.getShape(), type.getElementType(), type.getEncoding());
  SmallVector<int32_t> shape(type.getShape());
  Attribute anywhere = OperandConstraintAttr::get(
      builder.getContext(), OperandConstraint::AnyDeviceTile);
  return ReshapeOp::create(builder, loc, type, value, empty,
                           builder.getI32ArrayAttr(shape),
                           builder.getArrayAttr({anywhere, anywhere}));
}

class TTIRExpandComposites
    : public impl::TTIRExpandCompositesBase<TTIRExpandComposites> {
public:
  using Base::Base;

  void runOnOperation() final {
    SmallVector<CompositeOp> composites;
    getOperation().walk([&](CompositeOp op) { composites.push_back(op); });
    // All ops that cannot be expanded, not the first alone.
    bool isDone = true;
    for (CompositeOp op : composites)
      isDone &= succeeded(expand(op));
    if (!isDone)
      return signalPassFailure();
  }

private:
  /// Whether the backend supports this instance of a supported op.
  bool isKept(Operation *op) const {
    if (cast<RankedTensorType>(op->getResult(0).getType()).getNumElements() ==
        0)
      return false;
    return !forKernels || hasKernel(op);
  }

  LogicalResult expand(CompositeOp composite) {
    Operation *op = composite;
    if (llvm::is_contained(keep, op->getName().stripDialect()) && isKept(op))
      return success();
    Operation *before = op->getPrevNode();
    OpBuilder builder(op);
    graph::GraphBuilder graph(builder, op->getLoc());
    Expansion values = composite.expand(graph);
    if (failed(values))
      return failure();
    for (auto [result, value] : llvm::zip_equal(op->getResults(), *values)) {
      value = intoType(builder, op, value,
                       cast<RankedTensorType>(result.getType()));
      graph::takeOverConstraint(op, value);
      result.replaceAllUsesWith(value);
    }
    eraseUnused(before, op);
    report(op, before);
    ++numExpanded;

    // What it became may be composite, too.
    SmallVector<CompositeOp> inner;
    Block::iterator first =
        before ? std::next(before->getIterator()) : op->getBlock()->begin();
    for (Operation &made : llvm::make_range(first, op->getIterator()))
      if (auto found = dyn_cast<CompositeOp>(made))
        inner.push_back(found);
    // Several results may have one destination.
    llvm::SetVector<Value> destinations;
    for (Value destination :
         cast<DestinationStyleOpInterface>(op).getDpsInits())
      destinations.insert(destination);
    op->erase();
    for (Value destination : destinations)
      if (auto empty = destination.getDefiningOp<tensor::EmptyOp>();
          empty && empty->use_empty())
        empty->erase();
    for (CompositeOp made : inner)
      if (failed(expand(made)))
        return failure();
    return success();
  }

  /// Erases what no other op reads of the ops between `before` and `op`.
  static void eraseUnused(Operation *before, Operation *op) {
    while (op->getPrevNode() != before) {
      Operation *made = op->getPrevNode();
      if (isOpTriviallyDead(made))
        made->erase();
      else
        op = made;
    }
  }

  static void report(Operation *op, Operation *before) {
    auto remark = kCompositeRemarks.passed(op, "Expanded");
    if (!remark)
      return;
    std::string made = countOps(before ? std::next(before->getIterator())
                                       : op->getBlock()->begin(),
                                op->getIterator());
    if (made.empty())
      made = "what it takes";
    remark << reason("becomes {0}", made)
           << rejected("one op: no backend has it");
  }
};

} // namespace
} // namespace mlir::tt::ttir
