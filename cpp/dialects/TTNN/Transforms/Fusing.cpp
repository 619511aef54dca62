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
      else if (auto reshape = dyn_cast<ReshapeOp>(op))
        join(reshape);
      else if (auto conv = dyn_cast<Conv2dOp>(op))
        join(conv);
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

  /// The op of type `OpT` that only `op` reads, as operand 0, and that does not
  /// change elements; null if there is none that may be removed.
  template <typename OpT> OpT getOwnInput(Operation *op) const {
    auto inner = op->getOperand(0).getDefiningOp<OpT>();
    if (!inner || inner->getBlock() != op->getBlock() || !inner->hasOneUse() ||
        isNamed(inner, fixedNames) ||
        !getOwnDestination(cast<OpResult>(inner->getResult(0))))
      return {};
    auto formatOf = [](Value value) {
      tt::LayoutAttr layout = getLayoutOf(value.getType());
      return layout ? layout.getElementType() : Type();
    };
    return formatOf(inner->getOperand(0)) == formatOf(inner->getResult(0))
               ? inner
               : OpT();
  }

  /// Replaces operand `inner` of `op` by its input, and removes `inner`.
  static void bypass(Operation *op, Operation *inner, StringRef how) {
    if (auto remark = kActivationRemarks.passed(op, "Fused"))
      remark << reason("{0}", how)
             << rejected("{0} in front of it: it would write {1}",
                         inner->getName(), inner->getResult(0).getType());
    EmptyOp unused = getOwnDestination(cast<OpResult>(inner->getResult(0)));
    op->setOperand(0, inner->getOperand(0));
    inner->erase();
    unused->erase();
  }

  /// reshape(reshape(x)) -> reshape(x)
  void join(ReshapeOp op) const {
    if (auto inner = getOwnInput<ReshapeOp>(op))
      bypass(op, inner, "it reads the input of the reshape before it");
  }

  /// conv2d(pad(x)) -> conv2d(x), with more padding
  void join(Conv2dOp op) const {
    auto pad = getOwnInput<PadOp>(op);
    if (!pad || !pad.getValue().isZero())
      return;
    // Padding before and after each dimension: batch, height, width, channels.
    ArrayRef<int32_t> sides = pad.getPadding();
    if (sides.size() != 8 || sides[0] || sides[1] || sides[6] || sides[7])
      return;
    uint32_t top = op.getPaddingHeight(), left = op.getPaddingWidth();
    uint32_t bottom = op.getPaddingBottom().value_or(top) + sides[3];
    uint32_t right = op.getPaddingRight().value_or(left) + sides[5];
    top += sides[2];
    left += sides[4];
    op.setInputHeight(op.getInputHeight() - sides[2] - sides[3]);
    op.setInputWidth(op.getInputWidth() - sides[4] - sides[5]);
    op.setPaddingHeight(top);
    op.setPaddingWidth(left);
    // The padding at the end is only set where it differs.
    Builder builder(op.getContext());
    op.setPaddingBottomAttr(bottom == top ? IntegerAttr()
                                          : builder.getI32IntegerAttr(bottom));
    op.setPaddingRightAttr(right == left ? IntegerAttr()
                                         : builder.getI32IntegerAttr(right));
    bypass(op, pad, "it pads its input itself");
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
