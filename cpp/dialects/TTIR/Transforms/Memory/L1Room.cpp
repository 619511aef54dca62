#include "dialects/TTIR/Transforms/Memory/L1Room.h"

#include "dialects/TT/TileLayout.h"
#include "dialects/TTIR/Transforms/TensorTypes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::tt::ttir {

void L1Room::reset(ArrayRef<Operation *> ops) {
  steps.clear();
  for (auto [step, op] : llvm::enumerate(ops))
    steps[op] = step;
  pressure = L1Pressure(ops.size());
}

unsigned L1Room::getStep(Operation *op) const {
  auto step = steps.find(op);
  while (step == steps.end())
    step = steps.find(op = op->getParentOp());
  return step->second;
}

unsigned L1Room::getFirstStep(Value value) const {
  Operation *op = value.getDefiningOp();
  return getStep(op ? op : value.getParentBlock()->getParentOp());
}

unsigned L1Room::getLastStep(Operation *op) const {
  auto func = op->getParentOfType<func::FuncOp>();
  return frees || !func ? getStep(op) : getStep(&func.getBody().back().back());
}

unsigned L1Room::getLastStep(Value value) const {
  // The caller of the function keeps its arguments.
  if (isa<BlockArgument>(value))
    return getStep(&value.getParentBlock()->back());
  unsigned last = getLastStep(value.getDefiningOp());
  if (frees)
    for (Operation *user : value.getUsers())
      last = std::max(last, getStep(user));
  return last;
}

int64_t L1Room::getBytes(RankedTensorType type, LayoutAttr layout) const {
  if (!isPaged(layout))
    return device.getLayoutSizeBytes(type.getShape(), layout,
                                     MemorySpace::DeviceL1);
  // Pages of what is interleaved go to all cores, whatever the grid.
  bool isSpread = layout.getMemLayout() == TensorMemoryLayout::Interleaved;
  return getPages(withLayout(type, layout), /*alignment=*/1)
      .getBytesPerBank(isSpread ? volume(device.getWorkerGrid().getShape())
                                : 1);
}

} // namespace mlir::tt::ttir
