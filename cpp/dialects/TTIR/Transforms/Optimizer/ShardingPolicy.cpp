#include "dialects/TTIR/Transforms/Optimizer/ShardingPolicy.h"

#include "dialects/TTIR/Transforms/TensorTypes.h"

#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "llvm/ADT/bit.h"

namespace mlir::tt::ttir {

LayoutAttr shardLike(RankedTensorType type, LayoutAttr like) {
  auto layout = cast<LayoutAttr>(type.getEncoding());
  return layout.withMemorySpace(like.getMemorySpace())
      .withMemoryLayout(like.getMemLayout())
      .withGrid(type, like.getGrid());
}

ToLayoutOp getOwnConversion(Value operand) {
  auto toLayout = operand.getDefiningOp<ToLayoutOp>();
  return toLayout && operand.hasOneUse() && !hasPlacedResult(toLayout)
             ? toLayout
             : ToLayoutOp();
}

namespace {

class ChainFinder {
public:
  ChainFinder(Scheduler &scheduler, const LegalLayoutAnalysis &legal,
              DeviceAttr device, L1Budget budget)
      : scheduler(scheduler), legal(legal), device(device), budget(budget) {}

  SmallVector<ShardChain> run() {
    Operation *op = nullptr;
    while (scheduler.hasUnscheduledOps()) {
      if (!op)
        op = scheduler.getNext();
      scheduler.scheduleOp(op);
      if (open.ops.empty() && isa<ToLayoutOp>(op)) {
        op = nullptr;
        continue;
      }
      Operation *next = getOnlyReader(op);
      StringRef problem = whyNotPrecede(op, next);
      if (problem.empty()) {
        open.ops.push_back(op);
        op = next;
        continue;
      }
      if (hasChoice(op))
        if (auto remark = kOptimizerRemarks.missed(op, "NotSharded"))
          remark << reason(open.ops.empty()
                               ? "begins no chain in l1: {0}"
                               : "ends a chain of ops in l1, and lies in dram: "
                                 "{0}",
                           problem);
      close();
      op = nullptr;
    }
    close();
    return std::move(chains);
  }

private:
  /// The op that alone reads the result of `op`; null if there is none.
  static Operation *getOnlyReader(Operation *op) {
    if (op->getNumResults() != 1 || !op->hasOneUse())
      return nullptr;
    OpOperand &use = *op->getResult(0).getUses().begin();
    auto dps = dyn_cast<DestinationStyleOpInterface>(use.getOwner());
    return dps && dps.isDpsInit(&use) ? nullptr : use.getOwner();
  }

  /// Why `op` cannot be in front of `next`, its only reader or null, in a
  /// chain; empty if it can.
  StringRef whyNotPrecede(Operation *op, Operation *next) {
    if (!next)
      return "several ops read its result, or none";
    if (!scheduler.isReady(next))
      return "its reader waits for other ops";
    const LegalLayouts *own = legal.lookup(op), *others = legal.lookup(next);
    if (!own || own->sharded.empty())
      return "it has no legal layout in shards";
    if (!others || others->sharded.empty())
      return "its reader has no legal layout in shards";
    if (!budget.fits(own->shardedBytes.front(), others->shardedBytes.front()))
      return "its result and its reader's do not fit l1 together";
    if (open.ops.empty() && !firstInputFits(op, *own))
      return "its result and its first input do not fit l1 together";
    return "";
  }

  /// The first op of a chain also needs its first input in shards.
  bool firstInputFits(Operation *op, const LegalLayouts &own) {
    auto dps = dyn_cast<DestinationStyleOpInterface>(op);
    if (op->getNumOperands() == 0 ||
        (dps && dps.isDpsInit(&op->getOpOperand(0))))
      return true;
    auto type = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
    if (!type || !isa_and_present<LayoutAttr>(type.getEncoding()))
      return true;
    LayoutAttr layout = shardLike(type, own.sharded.front());
    return budget.fits(device.getLayoutSizeBytes(type.getShape(), layout,
                                                 layout.getMemorySpace()),
                       own.shardedBytes.front());
  }

  void close() {
    if (open.ops.empty())
      return;
    ShardSolver solver(open.ops, legal, budget);
    for (auto [index, op] : llvm::enumerate(open.ops)) {
      unsigned first = llvm::countr_zero(solver.getRemaining(index));
      solver.select(index, first);
      open.layouts.push_back(legal.lookup(op)->sharded[first]);
    }
    llvm::append_range(open.resharded, solver.getReshardedOperands());
    chains.push_back(std::exchange(open, {}));
  }

  Scheduler &scheduler;
  const LegalLayoutAnalysis &legal;
  DeviceAttr device;
  L1Budget budget;
  ShardChain open;
  SmallVector<ShardChain> chains;
};

} // namespace

SmallVector<ShardChain> findShardChains(Scheduler &scheduler,
                                        const LegalLayoutAnalysis &legal,
                                        DeviceAttr device, L1Budget budget) {
  return ChainFinder(scheduler, legal, device, budget).run();
}

} // namespace mlir::tt::ttir
