#include "dialects/TT/Remarks.h"
#include "dialects/TTIR/TTIR.h"
#include "dialects/TTIR/Transforms/Passes.h"
#include "dialects/TTIR/Transforms/Recognition/Matchers.h"
#include "dialects/TTIR/Transforms/UnusedOps.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::tt::ttir {

#define GEN_PASS_DEF_TTIRRECOGNIZE
#include "dialects/TTIR/Transforms/Passes.h.inc"

namespace {

constexpr Remarks kRecognitionRemarks("ttir-recognize");

class TTIRRecognize : public impl::TTIRRecognizeBase<TTIRRecognize> {
public:
  using Base::Base;

  void runOnOperation() final {
    SmallVector<Operation *> ops = getGraphOps(getOperation());
    dead.clear();
    for (Operation *op : ops)
      if (auto attention = dyn_cast<ScaledDotProductAttentionOp>(op))
        dropMaskOfZeros(attention);
    // Backwards: weight and bias of a norm come behind the norm itself.
    for (Operation *op : llvm::reverse(ops))
      recognize(op, /*isNorm=*/true);
    // Forwards: the softmax of an attention comes before it.
    for (Operation *op : ops)
      recognize(op, /*isNorm=*/false);
    // Backwards, whatever nothing reads any more.
    for (Operation *op : llvm::reverse(ops))
      eraseUnused(op);
  }

private:
  static Value find(Operation *op, bool isNorm, graph::GraphBuilder &builder) {
    if (isNorm)
      return isa<DivOp, MultiplyOp, AddOp>(op) ? recognizeNorm(op, builder)
                                               : Value();
    if (auto div = dyn_cast<DivOp>(op))
      if (Value found = recognizeSoftmax(div, builder))
        return found;
    if (auto multiply = dyn_cast<MultiplyOp>(op)) {
      if (Value found = recognizeSilu(multiply, builder))
        return found;
      if (Value found = recognizeGelu(multiply, builder))
        return found;
    }
    if (auto matmul = dyn_cast<MatmulOp>(op))
      return recognizeAttention(matmul, builder);
    if (auto add = dyn_cast<AddOp>(op))
      return recognizeRotaryEmbedding(add, builder);
    return {};
  }

  /// Front ends make one for models that take a mask where there is none.
  void dropMaskOfZeros(ScaledDotProductAttentionOp op) {
    Value mask = op.getAttentionMask();
    if (!mask || !isa<FloatType>(graph::elementOf(mask)) ||
        Matcher::getNumber(mask) != 0.0)
      return;
    MutableOperandRange operands = op.getAttentionMaskMutable();
    unsigned number = operands.begin()->getOperandNumber();
    SmallVector<Attribute> constraints(op.getOperandConstraints().getValue());
    constraints.erase(constraints.begin() + number);
    operands.clear();
    op.setOperandConstraintsAttr(ArrayAttr::get(op.getContext(), constraints));
    ++numRecognized;
    if (auto remark = kRecognitionRemarks.passed(op, "MaskOfZeros"))
      remark << reason("the mask adds 0 to every score and is dropped");
    if (Operation *maker = mask.getDefiningOp(); maker && !isRead(maker))
      dead.insert(maker);
  }

  /// Whether an op reads the result that is left itself.
  bool isRead(Operation *op) const {
    return llvm::any_of(op->getUsers(),
                        [&](Operation *user) { return !dead.contains(user); });
  }

  void recognize(Operation *op, bool isNorm) {
    if (op->getNumResults() != 1 || !isRead(op))
      return;
    auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
    // A layout is the program's wish for this very tensor.
    if (!type || type.getEncoding())
      return;
    OpBuilder builder(op);
    graph::GraphBuilder graph(builder, op->getLoc());
    Value found = find(op, isNorm, graph);
    if (!found)
      return;
    if (auto remark = kRecognitionRemarks.passed(op, "Recognized"))
      remark << reason("is the last step of {0}",
                       found.getDefiningOp()->getName().getStringRef())
             << rejected("the ops as they are: one op rounds once and may have "
                         "a kernel");
    op->getResult(0).replaceAllUsesWith(found);
    ++numRecognized;
    markDead(op);
  }

  /// The op, and what only dead ops read.
  void markDead(Operation *op) {
    SmallVector<Operation *> work{op};
    while (!work.empty()) {
      Operation *next = work.pop_back_val();
      if (isRead(next) || !dead.insert(next).second)
        continue;
      for (Value operand : next->getOperands())
        if (Operation *maker = operand.getDefiningOp();
            maker && isa<TTIRDialect>(maker->getDialect()) &&
            isMemoryEffectFree(maker))
          work.push_back(maker);
    }
  }

  llvm::SmallPtrSet<Operation *, 32> dead;
};

} // namespace
} // namespace mlir::tt::ttir
