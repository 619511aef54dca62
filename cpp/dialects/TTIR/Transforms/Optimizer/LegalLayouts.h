#ifndef DIALECTS_TTIR_TRANSFORMS_OPTIMIZER_LEGALLAYOUTS_H
#define DIALECTS_TTIR_TRANSFORMS_OPTIMIZER_LEGALLAYOUTS_H

#include "dialects/TT/Remarks.h"
#include "dialects/TTIR/Transforms/Optimizer/Overrides.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSet.h"

#include <memory>

namespace mlir::tt::ttir {

inline constexpr Remarks kOptimizerRemarks("ttir-optimizer");

/// The layouts that the result of an op may get.
struct LegalLayouts {
  /// The element type of the result; a data type that the user demands changes
  /// it.
  Type elementType;
  /// All of them, the default first; never empty.
  SmallVector<LayoutAttr> layouts;
  /// Those that are sharded over the cores' L1, most cores first; at most 64.
  SmallVector<LayoutAttr> sharded;
  /// The bytes that each of `sharded` takes in one core.
  SmallVector<uint64_t> shardedBytes;
};

/// Whether the optimizer may choose the layout of the result of `op`. An
/// explicit `ttir.to_layout` and collectives are not changed.
bool hasChoice(Operation *op);

/// Finds the legal layouts of ops. Ops of one result type and constraint share
/// them, so that long programs of few types cost little.
class LegalLayoutAnalysis {
public:
  /// No op has more sharded layouts than this.
  static constexpr size_t kMaxSharded = 64;

  /// Without `sharding`, sharded layouts are only looked for where an override
  /// may demand them.
  LegalLayoutAnalysis(DeviceAttr device, const GridOverrides &gridOverrides,
                      const LayoutOverrides &layoutOverrides, bool sharding);

  /// Finds the legal layouts of result 0 of `op`, if that is a tensor with a
  /// layout; emits an error if an override cannot be met.
  LogicalResult analyze(Operation *op);

  /// The legal layouts of an op that was analyzed; null if its result is none
  /// that has a layout.
  const LegalLayouts *lookup(Operation *op) const { return byOp.lookup(op); }

  /// The default layout of another result of an op that has a choice; null if
  /// that is no tensor with a layout.
  LayoutAttr getDefault(Operation *op, unsigned result);

  /// Names in overrides that no op has, in alphabetical order.
  SmallVector<StringRef> getUnusedNames() const;

  size_t getNumOverrides() const { return numOverrides; }

  /// Whether the layout of the op's result is one that an override demands.
  bool isOverridden(Operation *op) const { return overridden.contains(op); }

private:
  LayoutAttr getDefault(RankedTensorType type, OperandConstraint constraint);
  const LegalLayouts *getChoices(RankedTensorType type,
                                 OperandConstraint constraint);
  LogicalResult overrideGrid(Operation *op, RankedTensorType type,
                             ArrayRef<int64_t> grid);
  LogicalResult overrideLayout(Operation *op, RankedTensorType type,
                               OperandConstraint constraint,
                               const LayoutOverride &wanted);
  const LegalLayouts *add(Type elementType, ArrayRef<LayoutAttr> layouts);

  DeviceAttr device;
  GridAttr workerGrid;
  const GridOverrides &gridOverrides;
  const LayoutOverrides &layoutOverrides;
  bool sharding;
  size_t numOverrides = 0;
  llvm::DenseSet<Operation *> overridden;
  llvm::StringSet<> unusedNames;
  SmallVector<std::unique_ptr<LegalLayouts>> storage;
  llvm::DenseMap<std::pair<Type, unsigned>, const LegalLayouts *> byType;
  /// Ops whose layout is not a choice, by the type that they have.
  llvm::DenseMap<Type, const LegalLayouts *> fixed;
  llvm::DenseMap<Operation *, const LegalLayouts *> byOp;
};

/// Whether the layout cuts the tensor into shards, one for each core's L1.
bool isShardedInL1(LayoutAttr layout);

} // namespace mlir::tt::ttir

#endif
