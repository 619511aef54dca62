#include "dialects/TT/Remarks.h"
#include "dialects/TTIR/TTIR.h"
#include "dialects/TTIR/Transforms/Passes.h"
#include "dialects/TTIR/Transforms/TensorTypes.h"
#include "dialects/TTIR/Transforms/UnusedOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::tt::ttir {

#define GEN_PASS_DEF_TTIRELIMINATECOMMONOPS
#include "dialects/TTIR/Transforms/Passes.h.inc"

namespace {

constexpr Remarks kCommonRemarks("ttir-eliminate-common-ops");

/// Whether another op writes to the value's memory, or the caller gets it.
bool isWritten(Value value) {
  return llvm::any_of(value.getUses(), [](OpOperand &use) {
    auto dps = dyn_cast<DestinationStyleOpInterface>(use.getOwner());
    return isa<func::ReturnOp>(use.getOwner()) || (dps && dps.isDpsInit(&use));
  });
}

/// Whether an equal op may replace it: its results depend only on its operands,
/// and it has its own destinations.
bool isCandidate(Operation *op, ArrayRef<std::string> fixedNames) {
  auto name = dyn_cast<NameLoc>(op->getLoc());
  if (name && llvm::is_contained(fixedNames, name.getName().getValue()))
    return false;
  if (!isa<TTIRDialect>(op->getDialect()) || op->getNumRegions() != 0 ||
      op->getNumResults() == 0 || !isMemoryEffectFree(op) ||
      llvm::any_of(op->getResults(), isWritten))
    return false;
  auto dps = dyn_cast<DestinationStyleOpInterface>(op);
  return !dps || llvm::all_of(dps.getDpsInitsMutable(), [](OpOperand &init) {
    return isOwnDestination(init);
  });
}

bool isDestination(Value value) {
  return isa_and_nonnull<tensor::EmptyOp>(value.getDefiningOp());
}

/// The comparison of ops ignores destinations.
struct CommonOp : llvm::DenseMapInfo<Operation *> {
  static unsigned getHashValue(const Operation *op) {
    return OperationEquivalence::computeHash(
        const_cast<Operation *>(op),
        [](Value operand) -> llvm::hash_code {
          return isDestination(operand) ? llvm::hash_code(0)
                                        : hash_value(operand);
        },
        OperationEquivalence::ignoreHashValue,
        OperationEquivalence::IgnoreLocations);
  }
  static bool isEqual(const Operation *a, const Operation *b) {
    if (a == b || a == getEmptyKey() || a == getTombstoneKey() ||
        b == getEmptyKey() || b == getTombstoneKey())
      return a == b;
    return OperationEquivalence::isEquivalentTo(
        const_cast<Operation *>(a), const_cast<Operation *>(b),
        [](Value x, Value y) {
          return success(x == y || (isDestination(x) && isDestination(y) &&
                                    x.getType() == y.getType()));
        },
        nullptr, OperationEquivalence::IgnoreLocations);
  }
};

class TTIREliminateCommonOps
    : public impl::TTIREliminateCommonOpsBase<TTIREliminateCommonOps> {
public:
  using Base::Base;

  void runOnOperation() final {
    for (func::FuncOp func : getOperation().getOps<func::FuncOp>())
      for (Block &block : func.getBody())
        run(block);
  }

private:
  void run(Block &block) {
    llvm::DenseMap<Operation *, Operation *, CommonOp> known;
    for (Operation &op : llvm::make_early_inc_range(block)) {
      if (!isCandidate(&op, fixedNames))
        continue;
      auto [first, isNew] = known.try_emplace(&op, &op);
      if (isNew)
        continue;
      if (auto remark = kCommonRemarks.passed(first->second, "Shared"))
        remark << reason("an equal op has the same operands: both are merged");
      op.replaceAllUsesWith(first->second);
      eraseUnused(&op);
      ++numErased;
    }
  }
};

} // namespace
} // namespace mlir::tt::ttir
