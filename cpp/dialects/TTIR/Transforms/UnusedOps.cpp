#include "dialects/TTIR/Transforms/UnusedOps.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::tt::ttir {

void eraseUnused(Operation *op) {
  if (!op->use_empty() || !isMemoryEffectFree(op) || op->getNumResults() == 0)
    return;
  // An op may read what it writes into.
  llvm::SetVector<Value> operands;
  operands.insert_range(op->getOperands());
  op->erase();
  for (Value operand : operands)
    if (auto empty = operand.getDefiningOp<tensor::EmptyOp>();
        empty && empty->use_empty())
      empty->erase();
}

} // namespace mlir::tt::ttir
