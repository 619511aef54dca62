#include "dialects/TTNN/Transforms/CachedWeights.h"

#include "llvm/ADT/MapVector.h"

namespace mlir::tt::ttnn {

OpOperand *getWeight(Operation *op) {
  if (auto matmul = dyn_cast<MatmulOp>(op))
    return &matmul.getBMutable();
  if (auto linear = dyn_cast<LinearOp>(op))
    return &linear.getBMutable();
  if (auto conv = dyn_cast<Conv2dOp>(op))
    return &conv.getWeightMutable();
  return nullptr;
}

OpOperand &CachedWeight::getReturned() const {
  func::FuncOp callee = function;
  return callee.front().getTerminator()->getOpOperand(result.getResultNumber());
}

void CachedWeight::updateType() const {
  func::FuncOp callee = function;
  OpResult(result).setType(getReturned().get().getType());
  callee.setType(
      FunctionType::get(callee.getContext(), callee.getArgumentTypes(),
                        callee.front().getTerminator()->getOperandTypes()));
}

SmallVector<CachedWeight> findCachedWeights(ModuleOp module) {
  llvm::MapVector<Operation *, LoadCachedOp> loads;
  llvm::DenseSet<Operation *> shared;
  module.walk([&](LoadCachedOp load) {
    Operation *callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
        module, load.getCalleeAttr());
    if (!loads.insert({callee, load}).second)
      shared.insert(callee);
  });
  SmallVector<CachedWeight> weights;
  for (auto [callee, load] : loads) {
    if (shared.contains(callee))
      continue;
    for (OpResult result : load->getResults())
      if (!result.use_empty() &&
          llvm::all_of(result.getUses(), [](OpOperand &use) {
            return getWeight(use.getOwner()) == &use;
          }))
        weights.push_back({cast<func::FuncOp>(callee), load, result});
  }
  return weights;
}

} // namespace mlir::tt::ttnn
