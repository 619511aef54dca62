#ifndef DIALECTS_TTIR_TRANSFORMS_OPTIMIZER_CLOCKSEARCH_H
#define DIALECTS_TTIR_TRANSFORMS_OPTIMIZER_CLOCKSEARCH_H

#include "dialects/TTIR/Transforms/Memory/L1Budget.h"
#include "dialects/TTIR/Transforms/Optimizer/LegalLayouts.h"
#include "dialects/TTIR/Transforms/Optimizer/OpTimer.h"
#include "dialects/TTIR/Transforms/Optimizer/ShardingPolicy.h"

namespace mlir::tt::ttir {

/// Finds the layouts of a chain of ops that take the least time.
///
/// The time of an op depends on the layouts of what it reads and of its result.
/// So the best layouts of a chain are the shortest path through the candidates
/// of its ops, one op after the other. The candidates of an op are a few of its
/// sharded layouts and the default in DRAM.
class ClockSearch {
public:
  /// With `reshards`, the first input of a chain is converted to its shards.
  ClockSearch(OpTimer timer, const LegalLayoutAnalysis &legal,
              DeviceAttr device, L1Budget budget, bool reshards)
      : timer(std::move(timer)), legal(legal), device(device), budget(budget),
        reshards(reshards) {}

  /// Gives a chain, whose layouts were chosen by rules, those that take less
  /// time, and says in a remark what was compared. Leaves it as it is if the
  /// clock cannot tell.
  void improve(ShardChain &chain);

private:
  /// The type that the result of an op may get, and its bytes in a core's L1.
  struct Candidate {
    RankedTensorType type;
    uint64_t bytes;
  };
  /// An op of a chain, or the reader of its last result.
  struct Step {
    TimedOp op;
    SmallVector<Candidate, 0> candidates;
  };
  /// The least time of a chain up to an op that gets a candidate.
  struct Path {
    double cycles = kUnknownTime;
    size_t previous = 0; // candidate of the op before
  };
  struct Choice {
    double cycles = kUnknownTime;
    SmallVector<LayoutAttr> layouts;
    size_t compared = 0; // pairs of candidates of two ops
  };

  SmallVector<Step> getSteps(const ShardChain &chain);
  Candidate getCandidate(Operation *op, LayoutAttr layout) const;
  /// The type that a value has with the layouts that are chosen so far.
  Type getTypeOf(Value value) const;

  /// Time of an op that reads the result of the one before, null for the first.
  double time(const Step &step, const Candidate *before,
              const Candidate &result);
  double timeFirst(const Step &step, const Candidate &result);
  /// Time of the ops of a chain that get these layouts, and of its reader.
  double timeChain(ArrayRef<Step> steps, ArrayRef<LayoutAttr> layouts);
  /// Whether an elementwise op would fetch shards from other cores than those
  /// that have its result, though it can leave them where they are.
  static bool isRedundantMove(const Step &step, const Candidate &before,
                              const Candidate &result);
  Choice findBest(ArrayRef<Step> steps, size_t length);
  void report(const ShardChain &chain, const Choice &best, double byRules,
              double inDram) const;

  OpTimer timer;
  const LegalLayoutAnalysis &legal;
  DeviceAttr device;
  L1Budget budget;
  bool reshards;
  /// The layouts of the ops of earlier chains.
  llvm::DenseMap<Operation *, LayoutAttr> chosen;
};

} // namespace mlir::tt::ttir

#endif
