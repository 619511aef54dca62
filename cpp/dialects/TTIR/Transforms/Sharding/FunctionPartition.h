// Partitions a function over the chips of a mesh.
#ifndef DIALECTS_TTIR_TRANSFORMS_SHARDING_FUNCTIONPARTITION_H
#define DIALECTS_TTIR_TRANSFORMS_SHARDING_FUNCTIONPARTITION_H

#include "dialects/TTIR/GraphBuilder.h"
#include "dialects/TTIR/Transforms/ConstEval/Dependence.h"
#include "dialects/TTIR/Transforms/Sharding/Resharding.h"
#include "dialects/TTIR/Transforms/Sharding/ShardingRules.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace mlir::tt::ttir {

/// Expands the composites that have no sharding rule.
void addExpansionForSharding(OpPassManager &manager);

/// The kind of parallelism along an axis of the mesh.
enum class ParallelKind { None, Data, Sequence, Tensor, Expert };

/// Whether callers keep all inputs, or all results, on the chips, not only
/// donated inputs and the results that alias them.
struct KeptShards {
  bool inputs, results;
};

/// Partitions a function. The original values remain until all ops have been
/// visited. Each value has *forms*, per-chip values with different shardings,
/// which are created when an op needs them.
class FunctionPartition {
public:
  /// `kept` selects the inputs and results that stay on the chips as shards.
  FunctionPartition(func::FuncOp func, ArrayRef<int64_t> mesh,
                    ArrayRef<ParallelKind> kinds, KeptShards kept)
      : func(func), mesh(mesh), kinds(kinds), kept(kept),
        builder(func.getContext()), graph(builder, func.getLoc()),
        reportSent([this](Operation *made) { reportCollective(made); }),
        resharding(mesh, reportSent), whole(mesh.size(), -1) {}

  /// Chooses the shardings of the arguments, by their attributes and by the
  /// kinds of parallelism.
  LogicalResult chooseArguments();
  void run();

  int64_t getNumSharded() const { return numSharded; }
  int64_t getNumCollectives() const { return numCollectives; }

private:
  struct Form {
    Sharding sharding;
    Value value;
  };
  /// For each axis of the mesh, the factor of an op's rule that its chips
  /// divide, or -1.
  using Assignment = SmallVector<int64_t, 2>;

  LogicalResult checkStated(BlockArgument argument, Sharding &sharding);
  LogicalResult chooseInputs(int64_t axis, int64_t dim, StringRef kind);

  /// Whether a call needs no communication for any sharding of the value: the
  /// host sends shards, or the value is computed once from such values.
  bool isFree(Value value) {
    if (auto argument = dyn_cast<BlockArgument>(value))
      return argument.getOwner() == &func.getBody().front() &&
             !isVariable(argument) && !settled.count(argument);
    return dependences.isFixed(value);
  }

  /// Whether each chip keeps its shard of the argument between calls. Its first
  /// use determines the sharding.
  bool isKept(BlockArgument argument);
  std::optional<unsigned> getAliasedResult(BlockArgument argument);
  void keepShards();

  Value get(Value value, ArrayRef<int64_t> sharding);
  Value make(Value value, ArrayRef<int64_t> sharding);
  Value makeFixed(Operation *op, ArrayRef<int64_t> sharding);
  Value makeKept(BlockArgument argument, ArrayRef<int64_t> sharding);
  Value makeRepeated(Value value, ArrayRef<int64_t> sharding);
  Sharding getSharding(Value value);
  std::optional<Sharding> getStated(Value value);
  std::optional<Sharding> deriveStated(Operation *op);

  void visit(Operation *op);
  void keepWhole(Operation *op);
  Value divide(Operation *op, const ShardingRule &rule,
               ArrayRef<int64_t> assignment);
  Sharding getWanted(ArrayRef<int64_t> dims, ArrayRef<int64_t> assignment);
  void joinResults(func::ReturnOp op);

  Assignment choose(Operation *op, const ShardingRule &rule);
  bool divides(Operation *op, const ShardingRule &rule, int64_t factor,
               int64_t parts) const;
  std::optional<int64_t> getPreferred(Operation *op, const ShardingRule &rule,
                                      int64_t axis);
  int64_t getCost(Operation *op, const ShardingRule &rule, int64_t factor,
                  int64_t axis, bool &isAligned);

  bool isGatherSlower(Operation *op, int64_t axis, int64_t parts);
  bool postpone(Operation *op, ArrayRef<int64_t> axes);

  void reportCollective(Operation *made);

  func::FuncOp func;
  ArrayRef<int64_t> mesh;
  ArrayRef<ParallelKind> kinds;
  KeptShards kept;
  OpBuilder builder;
  graph::GraphBuilder graph;
  std::function<void(Operation *)> reportSent;
  Resharding resharding;
  Sharding whole;
  Dependences dependences;
  DenseMap<Value, SmallVector<Form, 1>> forms;
  /// The shardings of the arguments.
  DenseMap<Value, Sharding> stated;
  /// Arguments whose sharding an attribute states.
  DenseSet<Value> explicitly;
  /// The shardings that these give to the values computed from them alone.
  DenseMap<Value, std::optional<Sharding>> derived;
  /// Arguments that stay on the chips and whose sharding is known.
  DenseSet<Value> settled;
  /// For settled arguments that are not replicated: the `mesh_shard` that they
  /// replace.
  llvm::MapVector<BlockArgument, Value> keptShards;
  /// For results that stay on the chips as shards: the sharding and the whole
  /// type.
  llvm::MapVector<unsigned, std::pair<Sharding, RankedTensorType>> keptResults;
  /// Ops on partial sums along some axes; behind the last one of a chain, they
  /// are reduced.
  struct Postponed {
    SmallVector<int64_t, 2> axes;
    bool isLast;
  };
  DenseMap<Operation *, Postponed> postponed;
  int64_t numSharded = 0, numCollectives = 0;
};

} // namespace mlir::tt::ttir

#endif
