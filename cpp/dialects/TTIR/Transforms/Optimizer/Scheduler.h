#ifndef DIALECTS_TTIR_TRANSFORMS_OPTIMIZER_SCHEDULER_H
#define DIALECTS_TTIR_TRANSFORMS_OPTIMIZER_SCHEDULER_H

#include "mlir/IR/Block.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

#include <queue>

namespace mlir::tt::ttir {

/// Finds an order of the ops of a block, one op at a time. An op is ready when
/// everything that it depends on is scheduled: what computes its operands and,
/// for an op with side effects, the one before it. Destinations, constants and
/// the terminator are not scheduled. Among ready ops the order is that of the
/// block, so that a schedule is the same on every run.
class Scheduler {
public:
  explicit Scheduler(Block &block);

  bool hasUnscheduledOps() const { return schedule.size() < ops.size(); }

  /// The first ready op; layout changes go before all others.
  Operation *getNext();

  /// Whether the op is one of the block's that may be scheduled now.
  bool isReady(Operation *op) const;

  void scheduleOp(Operation *op);

  /// The ops in the order in which they were scheduled.
  ArrayRef<Operation *> getSchedule() const { return schedule; }

  /// Moves the ops of the block into the order of the schedule, after
  /// destinations and constants. A destination with one user moves with its op.
  void apply();

private:
  using Queue =
      std::priority_queue<unsigned, std::vector<unsigned>, std::greater<>>;

  void addDependencies(unsigned index);
  void makeReady(unsigned index);

  Block &block;
  SmallVector<Operation *> ops;
  llvm::DenseMap<Operation *, unsigned> indices;
  SmallVector<SmallVector<unsigned, 2>> dependents;
  SmallVector<unsigned> numPending;
  SmallVector<bool> scheduled;
  /// The last op with side effects; the number of ops if there is none.
  unsigned lastEffect;
  Queue readyLayouts, readyOthers;
  SmallVector<Operation *> schedule;
};

} // namespace mlir::tt::ttir

#endif
