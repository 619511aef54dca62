#include "dialects/TTIR/Transforms/Optimizer/ShardSolver.h"

#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "llvm/ADT/bit.h"

namespace mlir::tt::ttir {

static uint64_t allCandidates(const LegalLayouts *legal) {
  size_t count = legal->sharded.size();
  return count >= 64 ? ~uint64_t(0) : (uint64_t(1) << count) - 1;
}

/// Calls `function` with the index of each bit of `set`.
template <typename FunctionT>
static void forEachBit(uint64_t set, FunctionT function) {
  for (; set; set &= set - 1)
    function(static_cast<unsigned>(llvm::countr_zero(set)));
}

ShardSolver::ShardSolver(ArrayRef<Operation *> ops,
                         const LegalLayoutAnalysis &analysis, L1Budget budget)
    : budget(budget), edgesOf(ops.size()) {
  llvm::DenseMap<Operation *, unsigned> indices;
  for (Operation *op : ops) {
    indices[op] = legal.size();
    legal.push_back(analysis.lookup(op));
    remaining.push_back(allCandidates(legal.back()));
  }
  for (auto [index, op] : llvm::enumerate(ops)) {
    auto dps = dyn_cast<DestinationStyleOpInterface>(op);
    for (OpOperand &operand : op->getOpOperands()) {
      // Destinations are not read.
      if (dps && dps.isDpsInit(&operand))
        continue;
      auto producer = indices.find(operand.get().getDefiningOp());
      if (producer != indices.end())
        addEdge(producer->second, index, operand);
      else if (index == 0 && resharded.empty() &&
               isa<RankedTensorType>(operand.get().getType()))
        resharded.push_back(&operand);
    }
  }
}

const ShardSolver::PathSet *
ShardSolver::getPaths(const LegalLayouts *producer,
                      const LegalLayouts *consumer) {
  std::unique_ptr<PathSet> &paths = pathSets[{producer, consumer}];
  if (paths)
    return paths.get();
  paths = std::make_unique<PathSet>();
  paths->fill(0);
  for (auto [p, producerBytes] : llvm::enumerate(producer->shardedBytes))
    for (auto [c, consumerBytes] : llvm::enumerate(consumer->shardedBytes))
      if (budget.fits(producerBytes, consumerBytes))
        (*paths)[p] |= uint64_t(1) << c;
  return paths.get();
}

void ShardSolver::addEdge(unsigned producer, unsigned consumer,
                          OpOperand &operand) {
  const PathSet *paths = getPaths(legal[producer], legal[consumer]);
  bool hasPath = false;
  forEachBit(remaining[producer], [&](unsigned candidate) {
    hasPath |= ((*paths)[candidate] & remaining[consumer]) != 0;
  });
  if (!hasPath) {
    resharded.push_back(&operand);
    return;
  }
  edgesOf[producer].push_back(edges.size());
  edgesOf[consumer].push_back(edges.size());
  edges.push_back({producer, consumer, paths});
  propagate({producer, consumer});
}

void ShardSolver::propagate(SmallVector<unsigned> changed) {
  while (!changed.empty()) {
    unsigned op = changed.pop_back_val();
    for (unsigned index : edgesOf[op]) {
      const Edge &edge = edges[index];
      uint64_t reached = 0, reaching = 0;
      forEachBit(remaining[edge.producer], [&](unsigned candidate) {
        reached |= (*edge.paths)[candidate];
      });
      reached &= remaining[edge.consumer];
      forEachBit(remaining[edge.producer], [&](unsigned candidate) {
        if ((*edge.paths)[candidate] & reached)
          reaching |= uint64_t(1) << candidate;
      });
      if (reached != remaining[edge.consumer]) {
        remaining[edge.consumer] = reached;
        changed.push_back(edge.consumer);
      }
      if (reaching != remaining[edge.producer]) {
        remaining[edge.producer] = reaching;
        changed.push_back(edge.producer);
      }
    }
  }
}

void ShardSolver::select(unsigned op, unsigned candidate) {
  uint64_t bit = uint64_t(1) << candidate;
  if (remaining[op] == bit)
    return;
  remaining[op] = bit;
  propagate({op});
}

} // namespace mlir::tt::ttir
