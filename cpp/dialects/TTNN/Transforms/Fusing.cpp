#include "dialects/TT/Remarks.h"
#include "dialects/TT/TensorLayout.h"
#include "dialects/TTNN/TTNN.h"
#include "dialects/TTNN/Transforms/Destinations.h"
#include "dialects/TTNN/Transforms/Passes.h"

namespace mlir::tt::ttnn {

#define GEN_PASS_DEF_TTNNFUSING
#include "dialects/TTNN/Transforms/Passes.h.inc"

namespace {

constexpr Remarks kActivationRemarks("ttnn-fusing");

class TTNNFusing : public impl::TTNNFusingBase<TTNNFusing> {
public:
  using impl::TTNNFusingBase<TTNNFusing>::TTNNFusingBase;

  void runOnOperation() final {
    SmallVector<Operation *> activations;
    getOperation().walk([&](Operation *op) {
      if (isActivation(op))
        activations.push_back(op);
    });
    for (Operation *op : activations) {
      auto producer = op->getOperand(0).getDefiningOp();
      std::string problem = whyNotFuse(producer, op);
      if (problem.empty()) {
        fuse(producer, op);
        ++numFused;
      } else if (auto remark = kActivationRemarks.missed(op, "NotFused")) {
        remark << reason("the activation is an op of its own: {0}", problem);
      }
    }
  }

private:
  static bool isActivation(Operation *op) {
    return isa<TTNNDialect>(op->getDialect()) && op->getNumResults() == 1 &&
           op->getNumOperands() == 2 && isa<DestinationStyleOpInterface>(op) &&
           llvm::is_contained(getActivations(), op->getName().stripDialect());
  }

  /// Empty if `producer` can apply the activation `op` to its result.
  std::string whyNotFuse(Operation *producer, Operation *op) const {
    if (!producer || !isa<TTNNDialect>(producer->getDialect()) ||
        !producer->getName().hasTrait<HasActivation>())
      return "the op that computes its input has no activation";
    if (producer->hasAttr(kActivation))
      return "the op that computes its input has one";
    if (producer->getBlock() != op->getBlock() ||
        !producer->getResult(0).hasOneUse())
      return "other ops read its input";
    auto from = cast<RankedTensorType>(producer->getResult(0).getType());
    auto to = cast<RankedTensorType>(op->getResult(0).getType());
    tt::LayoutAttr fromLayout = getLayoutOf(from), toLayout = getLayoutOf(to);
    if (!fromLayout || !toLayout || from.getShape() != to.getShape() ||
        from.getElementType() != to.getElementType() ||
        (fromLayout.getElementType() != toLayout.getElementType() &&
         !isNamed(op, fixedNames)) ||
        !isa<FloatType>(to.getElementType()))
      return "its input and its result have different shapes or types";
    if (!getOwnDestination(cast<OpResult>(producer->getResult(0))) ||
        !getOwnDestination(cast<OpResult>(op->getResult(0))))
      return "one of the two writes to a tensor that others use";
    if (isNamed(producer, fixedNames))
      return "an override names the result of the op that computes its input";
    auto config = getComputeConfig(op);
    if (config && config != getComputeConfig(producer))
      return "the two are computed in different configurations";
    return "";
  }

  static void fuse(Operation *producer, Operation *op) {
    OpResult result = cast<OpResult>(producer->getResult(0));
    EmptyOp destination = getOwnDestination(result);
    EmptyOp unused = getOwnDestination(cast<OpResult>(op->getResult(0)));
    setResultType(result, destination,
                  cast<RankedTensorType>(op->getResult(0).getType()));
    StringRef activation = op->getName().stripDialect();
    producer->setAttr(kActivation,
                      StringAttr::get(op->getContext(), activation));
    if (auto remark = kActivationRemarks.passed(op, "Fused"))
      remark << reason("{0} applies it to its result", producer->getName())
             << rejected("an op of its own: it would read and write {0}",
                         op->getResult(0).getType());
    // The value is that of the activation.
    producer->setLoc(op->getLoc());
    destination->setLoc(op->getLoc());
    op->getResult(0).replaceAllUsesWith(producer->getResult(0));
    op->erase();
    unused->erase();
  }
};

} // namespace
} // namespace mlir::tt::ttnn
