#ifndef DIALECTS_TTIR_TRANSFORMS_OPTIMIZER_SHARDINGPOLICY_H
#define DIALECTS_TTIR_TRANSFORMS_OPTIMIZER_SHARDINGPOLICY_H

#include "dialects/TTIR/TTIR.h"
#include "dialects/TTIR/Transforms/Optimizer/LegalLayouts.h"
#include "dialects/TTIR/Transforms/Optimizer/Scheduler.h"
#include "dialects/TTIR/Transforms/Optimizer/ShardSolver.h"

namespace mlir::tt::ttir {

/// Ops whose results stay in the cores' L1, each read by the next one only.
struct ShardChain {
  SmallVector<Operation *> ops;
  /// The layout of each op's result.
  SmallVector<LayoutAttr> layouts;
  /// The operands that have to be brought into shards first.
  SmallVector<OpOperand *> resharded;
  /// Whether the clock has chosen the layouts, and not the rules.
  bool isTimed = false;
};

/// The layout of `type` that is sharded over L1 as `like` is.
LayoutAttr shardLike(RankedTensorType type, LayoutAttr like);

/// The layout change that makes the value of an operand for it alone, and may
/// make it in another layout; null if there is none.
ToLayoutOp getOwnConversion(Value operand);

/// Schedules the ops of a block and finds its chains at the same time: an op
/// joins the open chain if its only reader is ready, both can be sharded, and
/// both results fit into L1 on their largest grids. The reader of the last one
/// writes to DRAM. All ops of the block must be analyzed.
SmallVector<ShardChain> findShardChains(Scheduler &scheduler,
                                        const LegalLayoutAnalysis &legal,
                                        DeviceAttr device, L1Budget budget);

} // namespace mlir::tt::ttir

#endif
