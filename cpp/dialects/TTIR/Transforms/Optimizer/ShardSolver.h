#ifndef DIALECTS_TTIR_TRANSFORMS_OPTIMIZER_SHARDSOLVER_H
#define DIALECTS_TTIR_TRANSFORMS_OPTIMIZER_SHARDSOLVER_H

#include "dialects/TTIR/Transforms/Memory/L1Budget.h"
#include "dialects/TTIR/Transforms/Optimizer/LegalLayouts.h"

#include <array>

namespace mlir::tt::ttir {

/// Narrows the sharded layouts of the ops of a chain to those that are
/// compatible.
///
/// Each op has a set of candidates, a bit for each of its sharded layouts. Each
/// edge of the chain has a path set: the pairs of a candidate of the producer
/// and one of the consumer whose results fit L1 together. A candidate stays
/// while every edge of its op has a path through it. An edge without any path
/// gets a conversion between its two ops, and then no longer constrains them.
class ShardSolver {
public:
  /// `ops` are in the order of the block; each has sharded layouts. The first
  /// one's input is always converted, since it comes from elsewhere.
  ShardSolver(ArrayRef<Operation *> ops, const LegalLayoutAnalysis &legal,
              L1Budget budget);

  /// The candidates of the op that are left, by their index among its sharded
  /// layouts. Never empty.
  uint64_t getRemaining(unsigned op) const { return remaining[op]; }

  /// Decides for one of the remaining candidates.
  void select(unsigned op, unsigned candidate);

  /// The operands whose values have to be converted.
  ArrayRef<OpOperand *> getReshardedOperands() const { return resharded; }

private:
  /// For each candidate of the producer the consumer's that go with it.
  using PathSet = std::array<uint64_t, LegalLayoutAnalysis::kMaxSharded>;

  struct Edge {
    unsigned producer, consumer;
    const PathSet *paths;
  };

  const PathSet *getPaths(const LegalLayouts *producer,
                          const LegalLayouts *consumer);
  void addEdge(unsigned producer, unsigned consumer, OpOperand &operand);
  void propagate(SmallVector<unsigned> changed);

  L1Budget budget;
  SmallVector<const LegalLayouts *> legal;
  SmallVector<uint64_t> remaining;
  SmallVector<Edge> edges;
  /// The edges of each op.
  SmallVector<SmallVector<unsigned, 2>> edgesOf;
  SmallVector<OpOperand *> resharded;
  /// Chains have few different pairs of types.
  llvm::DenseMap<std::pair<const LegalLayouts *, const LegalLayouts *>,
                 std::unique_ptr<PathSet>>
      pathSets;
};

} // namespace mlir::tt::ttir

#endif
