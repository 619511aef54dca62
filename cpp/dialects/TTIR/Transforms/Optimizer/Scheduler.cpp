#include "dialects/TTIR/Transforms/Optimizer/Scheduler.h"

#include "dialects/TTIR/TTIR.h"
#include "dialects/TTIR/Transforms/TensorTypes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::tt::ttir {

static bool isScheduled(Operation *op) {
  return !isa<tensor::EmptyOp>(op) && !op->hasTrait<OpTrait::ConstantLike>() &&
         !op->hasTrait<OpTrait::IsTerminator>();
}

Scheduler::Scheduler(Block &block) : block(block) {
  for (Operation &op : block) {
    if (!isScheduled(&op))
      continue;
    indices[&op] = ops.size();
    ops.push_back(&op);
  }
  dependents.resize(ops.size());
  numPending.resize(ops.size());
  scheduled.resize(ops.size());
  schedule.reserve(ops.size());
  lastEffect = ops.size();
  for (unsigned i = 0; i < ops.size(); ++i)
    addDependencies(i);
  for (unsigned i = 0; i < ops.size(); ++i)
    if (numPending[i] == 0)
      makeReady(i);
}

void Scheduler::addDependencies(unsigned index) {
  auto dependOn = [&](unsigned other) {
    dependents[other].push_back(index);
    ++numPending[index];
  };
  // Regions may use values of the block as well.
  ops[index]->walk([&](Operation *nested) {
    for (Value operand : nested->getOperands()) {
      auto it = indices.find(operand.getDefiningOp());
      if (it != indices.end() && it->second != index)
        dependOn(it->second);
    }
  });
  if (isMemoryEffectFree(ops[index]))
    return;
  if (lastEffect != ops.size())
    dependOn(lastEffect);
  lastEffect = index;
}

void Scheduler::makeReady(unsigned index) {
  // Anchors of the program keep their turn.
  bool isEarly = isa<ToLayoutOp>(ops[index]) && !hasPlacedResult(ops[index]);
  (isEarly ? readyLayouts : readyOthers).push(index);
}

Operation *Scheduler::getNext() {
  for (Queue *queue : {&readyLayouts, &readyOthers}) {
    // Ops may have been scheduled out of turn.
    while (!queue->empty() && scheduled[queue->top()])
      queue->pop();
    if (!queue->empty())
      return ops[queue->top()];
  }
  return nullptr;
}

bool Scheduler::isReady(Operation *op) const {
  auto it = indices.find(op);
  return it != indices.end() && !scheduled[it->second] &&
         numPending[it->second] == 0;
}

void Scheduler::scheduleOp(Operation *op) {
  unsigned index = indices.lookup(op);
  scheduled[index] = true;
  schedule.push_back(op);
  for (unsigned dependent : dependents[index])
    if (--numPending[dependent] == 0)
      makeReady(dependent);
}

void Scheduler::apply() {
  for (Operation *op : schedule) {
    // Before the terminator, one after the other.
    if (block.mightHaveTerminator())
      op->moveBefore(block.getTerminator());
    else
      op->moveBefore(&block, block.end());
    auto dps = dyn_cast<DestinationStyleOpInterface>(op);
    if (!dps)
      continue;
    for (OpOperand &init : dps.getDpsInitsMutable())
      if (init.get().hasOneUse())
        if (auto empty = init.get().getDefiningOp<tensor::EmptyOp>())
          empty->moveBefore(op);
  }
}

} // namespace mlir::tt::ttir
