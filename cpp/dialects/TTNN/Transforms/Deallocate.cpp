#include "dialects/TT/Remarks.h"
#include "dialects/TT/TensorLayout.h"
#include "dialects/TTNN/TTNN.h"
#include "dialects/TTNN/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::tt::ttnn {

#define GEN_PASS_DEF_TTNNDEALLOCATE
#include "dialects/TTNN/Transforms/Passes.h.inc"

namespace {

constexpr Remarks kDeallocationRemarks("ttnn-deallocate");

bool isOnDevice(Value value) {
  tt::LayoutAttr layout = getLayoutOf(value.getType());
  return layout && !layout.isSystemMemorySpace();
}

bool isInL1(Value value) {
  tt::LayoutAttr layout = getLayoutOf(value.getType());
  return layout && layout.getMemorySpace() == MemorySpace::DeviceL1;
}

bool hasTensorInL1(func::FuncOp func) {
  return llvm::any_of(func.getArguments(), isInL1) ||
         func.walk([](Operation *op) {
               return llvm::any_of(op->getResults(), isInL1)
                          ? WalkResult::interrupt()
                          : WalkResult::advance();
             })
             .wasInterrupted();
}

/// The last uses of the tensors that a block makes.
class Lifetimes {
public:
  explicit Lifetimes(Block &block) : block(block) {
    for (Operation &op : block)
      visit(&op);
  }

  /// Each tensor to be freed, with its last user, in the order in which the
  /// tensors are made.
  auto getEnds() {
    ends.remove_if([](const auto &entry) { return !entry.second; });
    return ArrayRef<std::pair<Value, Operation *>>(ends.getArrayRef());
  }

private:
  /// The tensor that has the memory of `value`: for ops in destination-passing
  /// style that of the destination.
  Value getTensor(Value value) const {
    auto it = tensors.find(value);
    return it == tensors.end() ? value : it->second;
  }

  /// The tensor may be needed later, outside of the block.
  void keep(Value value) {
    auto it = ends.find(getTensor(value));
    if (it != ends.end())
      it->second = nullptr;
  }

  void use(Value value, Operation *op) {
    auto it = ends.find(getTensor(value));
    if (it != ends.end() && it->second)
      it->second = op;
  }

  void visit(Operation *op) {
    bool isCall = isa<TTNNDialect>(op->getDialect());
    for (Value operand : op->getOperands())
      isCall && !isa<DeallocOp>(op) ? use(operand, op) : keep(operand);
    if (!isCall)
      return;
    auto dps = dyn_cast<DestinationStyleOpInterface>(op);
    for (OpResult result : op->getResults()) {
      if (dps)
        tensors[result] = getTensor(dps.getTiedOpOperand(result)->get());
      else if (isOnDevice(result))
        ends.insert({result, op});
      // A region may run again or pass its tensors on.
      if (result.isUsedOutsideOfBlock(&block))
        keep(result);
    }
  }

  Block &block;
  llvm::MapVector<Value, Operation *> ends;
  llvm::DenseMap<Value, Value> tensors;
};

class TTNNDeallocate : public impl::TTNNDeallocateBase<TTNNDeallocate> {
public:
  using impl::TTNNDeallocateBase<TTNNDeallocate>::TTNNDeallocateBase;

  void runOnOperation() final {
    getOperation().walk([&](func::FuncOp func) {
      if (onlyWithL1 && !hasTensorInL1(func)) {
        if (auto remark = kDeallocationRemarks.passed(func, "Kept"))
          remark << reason("no tensor is freed before the end: none is in l1")
                 << rejected("freed after their last use: "
                             "enable-deallocate is not given");
        return;
      }
      unsigned freed = 0;
      for (Block &block : func.getBody())
        freed += freeTensors(block);
      numDeallocs += freed;
      if (auto remark = kDeallocationRemarks.passed(func, "Freed"))
        remark << reason(
                      "{0} tensors are freed after their last use: {1}", freed,
                      onlyWithL1 ? "some are in l1" : "enable-deallocate is on")
               << rejected("kept to the end: others could not take their "
                           "place");
    });
  }

private:
  /// Returns how many there are.
  static unsigned freeTensors(Block &block) {
    Lifetimes lifetimes(block);
    auto ends = lifetimes.getEnds();
    // After one op the tensors are freed in the order in which they were made.
    for (auto [tensor, last] : llvm::reverse(ends)) {
      OpBuilder builder(last->getContext());
      builder.setInsertionPointAfter(last);
      DeallocOp::create(builder, last->getLoc(), tensor);
    }
    return ends.size();
  }
};

} // namespace
} // namespace mlir::tt::ttnn
