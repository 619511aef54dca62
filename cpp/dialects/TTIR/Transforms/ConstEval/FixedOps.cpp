#include "dialects/TTIR/Transforms/ConstEval/FixedOps.h"

#include "dialects/TT/TTOps.h"
#include "dialects/TT/TileLayout.h"
#include "dialects/TTIR/TTIR.h"
#include "dialects/TTIR/Transforms/TensorTypes.h"

#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::tt::ttir {

namespace {

/// Larger splats are filled in each call: they take memory for little time.
constexpr int64_t kMostSplatElements = 1 << 20;

/// Finds the ops, in groups that share no value.
class FixedGroups {
public:
  FixedGroups(func::FuncOp func, bool keepsSplats) : func(func) {
    Block &body = func.getBody().front();
    if (keepsSplats)
      for (Operation &op : llvm::reverse(body))
        if (isSplat(&op))
          fixed.insert(&op);
    for (Operation &op : body)
      if (op.getNumResults() != 0 &&
          dependences.of(op.getResult(0)) == Dependence::Fixed)
        fixed.insert(&op);
    // An op that stays keeps those behind it, which may be written to in turn.
    bool isDone = false;
    while (!isDone) {
      size_t before = fixed.size();
      for (Operation &op : llvm::reverse(body))
        if (fixed.contains(&op) && !mayBeCached(&op))
          fixed.erase(&op);
      for (Operation &op : body)
        if (fixed.contains(&op) && !hasFixedOperands(&op))
          fixed.erase(&op);
      isDone = fixed.size() == before;
    }
    for (Operation &op : body)
      if (fixed.contains(&op))
        join(&op);
    joinConstants();
  }

  SmallVector<FixedOps> get() {
    llvm::MapVector<Operation *, SmallVector<Operation *>> groups;
    for (Operation &op : func.getBody().front())
      if (fixed.contains(&op))
        groups[classes.getLeaderValue(&op)].push_back(&op);
    SmallVector<FixedOps> result;
    for (auto &[leader, ops] : groups)
      result.emplace_back(ops);
    return result;
  }

private:
  /// Whether to keep the result of an op that depends on nothing; known of its
  /// users. Functions that compute weights with it make it themselves: one
  /// function for all of them would be large.
  bool isSplat(Operation *op) {
    if (op->getNumResults() == 0 || isa<tensor::EmptyOp>(op) ||
        dependences.of(op->getResult(0)) != Dependence::Nothing)
      return false;
    auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
    LayoutAttr layout = type ? getLayoutOf(type) : nullptr;
    return layout && !layout.isSystemMemorySpace() &&
           type.getNumElements() <= kMostSplatElements &&
           llvm::all_of(op->getUsers(), [&](Operation *user) {
             return user->getNumResults() == 0 || fixed.contains(user) ||
                    dependences.of(user->getResult(0)) == Dependence::Inputs;
           });
  }

  /// Not where the caller gets a result, or another op writes into it: what is
  /// kept must stay as it is.
  bool mayBeCached(Operation *op) {
    for (OpOperand &use : op->getUses()) {
      if (isa<func::ReturnOp>(use.getOwner()))
        return false;
      auto dps = dyn_cast<DestinationStyleOpInterface>(use.getOwner());
      if (dps && dps.isDpsInit(&use) && !fixed.contains(use.getOwner()))
        return false;
    }
    return true;
  }

  bool hasFixedOperands(Operation *op) {
    return llvm::all_of(op->getOperands(), [&](Value operand) {
      Operation *source = operand.getDefiningOp();
      return !source || fixed.contains(source) ||
             dependences.of(operand) == Dependence::Nothing;
    });
  }

  void join(Operation *op) {
    classes.insert(op);
    for (Value operand : op->getOperands())
      if (Operation *source = operand.getDefiningOp();
          source && fixed.contains(source))
        classes.unionSets(op, source);
  }

  /// Constants that nothing is computed of are one group, however many.
  void joinConstants() {
    Operation *first = nullptr;
    for (Operation &op : func.getBody().front()) {
      bool isAlone = fixed.contains(&op) && isCreation(&op) &&
                     llvm::none_of(op.getUsers(), [&](Operation *user) {
                       return fixed.contains(user);
                     });
      if (isAlone && first)
        classes.unionSets(first, &op);
      else if (isAlone)
        first = &op;
    }
  }

  func::FuncOp func;
  Dependences dependences;
  DenseSet<Operation *> fixed;
  llvm::EquivalenceClasses<Operation *> classes;
};

bool isOnDevice(Operation *op) {
  LayoutAttr layout = getLayoutOf(op->getResult(0).getType());
  return layout && !layout.isSystemMemorySpace();
}

} // namespace

bool FixedOps::areWorthwhile() const {
  return llvm::any_of(
             ops,
             [](Operation *op) { return !isCreation(op) || isOnDevice(op); }) &&
         llvm::any_of(ops, [&](Operation *op) { return isRead(op); });
}

bool FixedOps::isRead(Operation *op) const {
  return llvm::any_of(op->getUsers(),
                      [&](Operation *user) { return !members.contains(user); });
}

SmallVector<Value> FixedOps::getResults() const {
  SmallVector<Value> results;
  for (Operation *op : ops)
    if (isRead(op))
      llvm::append_range(results, op->getResults());
  return results;
}

SmallVector<Value> FixedOps::getArguments() const {
  SetVector<Value> arguments;
  for (Operation *op : ops)
    for (Value operand : op->getOperands())
      if (isa<BlockArgument>(operand))
        arguments.insert(operand);
  return arguments.takeVector();
}

void FixedOps::clone(OpBuilder &builder, IRMapping &map) const {
  for (Operation *op : ops)
    clone(builder, op, map);
}

void FixedOps::clone(OpBuilder &builder, Operation *op, IRMapping &map) const {
  for (Value operand : op->getOperands())
    if (!map.contains(operand))
      clone(builder, operand.getDefiningOp(), map);
  builder.clone(*op, map);
}

void FixedOps::replace(Value result, Value cached) const {
  auto type = cast<RankedTensorType>(result.getType());
  if (cached.getType() != type) {
    OpBuilder here(result.getDefiningOp());
    cached = createToLayout(here, result.getLoc(), cached, type).getResult();
  }
  result.replaceUsesWithIf(cached, [&](OpOperand &use) {
    return !members.contains(use.getOwner());
  });
}

void FixedOps::erase() const {
  for (Operation *op : llvm::reverse(ops))
    op->erase();
}

SmallVector<FixedOps> findFixedOps(func::FuncOp func, bool keepsSplats) {
  return FixedGroups(func, keepsSplats).get();
}

/// The type in which a result stays on the device from call to call: pages in
/// DRAM, which have room for it and any address. Tensors of the host stay
/// there.
RankedTensorType getCachedType(RankedTensorType type) {
  auto layout = dyn_cast_or_null<LayoutAttr>(type.getEncoding());
  if (!layout || layout.isSystemMemorySpace() ||
      (layout.getMemorySpace() == MemorySpace::DeviceDRAM && isPaged(layout)))
    return type;
  if (layout.getGrid().getVolume() != 1)
    layout = layout.withGrid(
        type,
        GridAttr::get(type.getContext(),
                      SmallVector<int64_t>(layout.getGrid().getRank(), 1)));
  return withLayout(type,
                    layout.withMemorySpace(MemorySpace::DeviceDRAM)
                        .withMemoryLayout(TensorMemoryLayout::Interleaved));
}

} // namespace mlir::tt::ttir
