#include "dialects/TT/Remarks.h"
#include "dialects/TT/TTOps.h"
#include "dialects/TT/TileLayout.h"
#include "dialects/TTIR/TTIR.h"
#include "dialects/TTIR/Transforms/ConstEval/Dependence.h"
#include "dialects/TTIR/Transforms/Passes.h"
#include "dialects/TTIR/Transforms/TensorTypes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::tt::ttir {

#define GEN_PASS_DEF_TTIRCONSTEVAL
#include "dialects/TTIR/Transforms/Passes.h.inc"

namespace {

constexpr Remarks kConstEvalRemarks("ttir-const-eval");

/// The ops of a function that depend on parameters and constants alone, in
/// parts that share no value.
class FixedParts {
public:
  explicit FixedParts(func::FuncOp func) : func(func) {
    Block &body = func.getBody().front();
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

  /// The parts in the order of their first ops.
  SmallVector<SmallVector<Operation *>> get() {
    llvm::MapVector<Operation *, SmallVector<Operation *>> parts;
    for (Operation &op : func.getBody().front())
      if (fixed.contains(&op))
        parts[classes.getLeaderValue(&op)].push_back(&op);
    SmallVector<SmallVector<Operation *>> result;
    for (auto &[leader, ops] : parts)
      result.push_back(std::move(ops));
    return result;
  }

private:
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

  /// Constants that nothing is computed of are one part, however many.
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

/// One move for all that bring a parameter to one layout: each would be kept.
void shareMoves(func::FuncOp func) {
  DenseMap<std::pair<Value, Type>, ToLayoutOp> moves;
  for (auto move : llvm::make_early_inc_range(
           func.getBody().front().getOps<ToLayoutOp>())) {
    bool isWritten = llvm::any_of(move->getUses(), [](OpOperand &use) {
      auto dps = dyn_cast<DestinationStyleOpInterface>(use.getOwner());
      return dps && dps.isDpsInit(&use);
    });
    auto argument = dyn_cast<BlockArgument>(move.getInput());
    if (isWritten || !argument || getDependence(argument) != Dependence::Fixed)
      continue;
    auto [first, isNew] =
        moves.try_emplace({move.getInput(), move.getResult().getType()}, move);
    if (isNew)
      continue;
    move.getResult().replaceAllUsesWith(first->second.getResult());
    move.erase();
  }
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

/// Moves the ops of one part into a function of their own.
class PartFunction {
public:
  PartFunction(func::FuncOp caller, ArrayRef<Operation *> ops)
      : caller(caller), ops(ops), members(ops.begin(), ops.end()) {}

  /// Whether the part does more than to make constants for the host, which are
  /// in the file.
  bool isWorthwhile() const {
    return llvm::any_of(ops, [](Operation *op) {
             return !isCreation(op) || isOnDevice(op->getResult(0));
           }) &&
           llvm::any_of(ops, [&](Operation *op) { return isRead(op); });
  }

  /// Returns the op that loads the results, behind `last` or at the start.
  LoadCachedOp outline(StringRef name, LoadCachedOp last) {
    collect();
    OpBuilder builder(caller);
    func::FuncOp function = createFunction(builder, name);
    if (last)
      builder.setInsertionPointAfter(last);
    else
      builder.setInsertionPointToStart(&caller.getBody().front());
    auto load = LoadCachedOp::create(
        builder, caller.getLoc(), function.getResultTypes(),
        FlatSymbolRefAttr::get(function), arguments.getArrayRef());
    for (auto [result, cached] : llvm::zip(results, load.getResults())) {
      Value value = cached;
      auto type = cast<RankedTensorType>(result.getType());
      if (cached.getType() != type) {
        OpBuilder here(result.getDefiningOp());
        value = createToLayout(here, result.getLoc(), cached, type).getResult();
      }
      result.replaceUsesWithIf(value, [&](OpOperand &use) {
        return !members.contains(use.getOwner());
      });
    }
    for (Operation *op : llvm::reverse(ops))
      op->erase();
    report(function);
    return load;
  }

private:
  static bool isOnDevice(Value value) {
    LayoutAttr layout = getLayoutOf(value.getType());
    return layout && !layout.isSystemMemorySpace();
  }

  bool isRead(Operation *op) const {
    return llvm::any_of(op->getUsers(), [&](Operation *user) {
      return !members.contains(user);
    });
  }

  void collect() {
    for (Operation *op : ops) {
      for (Value operand : op->getOperands())
        if (isa<BlockArgument>(operand))
          arguments.insert(operand);
      if (isRead(op))
        llvm::append_range(results, op->getResults());
    }
  }

  func::FuncOp createFunction(OpBuilder &builder, StringRef name) {
    SmallVector<Type> cached;
    for (Value result : results)
      cached.push_back(getCachedType(cast<RankedTensorType>(result.getType())));
    auto type = builder.getFunctionType(
        ValueRange(arguments.getArrayRef()).getTypes(), cached);
    auto function = func::FuncOp::create(builder, caller.getLoc(), name, type);
    function.setPrivate();
    function->setAttr(LoadCachedOp::kFunctionAttr, builder.getUnitAttr());
    Block *body = function.addEntryBlock();
    IRMapping map;
    for (auto [argument, inner] : llvm::zip(arguments, body->getArguments())) {
      inner.setLoc(argument.getLoc());
      map.map(argument, inner);
    }
    builder.setInsertionPointToStart(body);
    for (Operation *op : ops)
      clone(builder, op, map);
    SmallVector<Value> returned;
    for (auto [result, type] : llvm::zip(results, cached)) {
      Value value = map.lookup(result);
      if (value.getType() != type)
        value = createToLayout(builder, result.getLoc(), value,
                               cast<RankedTensorType>(type))
                    .getResult();
      returned.push_back(value);
    }
    func::ReturnOp::create(builder, caller.getLoc(), returned);
    return function;
  }

  /// With what it is made of out of nothing.
  void clone(OpBuilder &builder, Operation *op, IRMapping &map) {
    for (Value operand : op->getOperands())
      if (!map.contains(operand))
        clone(builder, operand.getDefiningOp(), map);
    builder.clone(*op, map);
  }

  void report(func::FuncOp function) {
    auto remark = kConstEvalRemarks.passed(function, "Cached");
    if (!remark)
      return;
    remark << reason("{0} ops depend on parameters and constants alone: they "
                     "run once, {1} results stay",
                     ops.size(), results.size())
           << rejected("in every call: enable-const-eval=false");
  }

  func::FuncOp caller;
  ArrayRef<Operation *> ops;
  DenseSet<Operation *> members;
  SetVector<Value> arguments;
  SmallVector<Value> results;
};

class TTIRConstEval : public impl::TTIRConstEvalBase<TTIRConstEval> {
public:
  using impl::TTIRConstEvalBase<TTIRConstEval>::TTIRConstEvalBase;

  void runOnOperation() final {
    SymbolTable symbols(getOperation());
    for (auto func :
         llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>()))
      if (func.getBody().hasOneBlock() &&
          !func->hasAttr(LoadCachedOp::kFunctionAttr) &&
          !func->hasAttr(kPartAttr))
        run(func, symbols);
  }

private:
  void run(func::FuncOp func, SymbolTable &symbols) {
    shareMoves(func);
    FixedParts parts(func);
    LoadCachedOp last;
    unsigned number = 0;
    for (ArrayRef<Operation *> ops : parts.get()) {
      PartFunction part(func, ops);
      if (!part.isWorthwhile())
        continue;
      std::string name;
      do {
        name = (func.getSymName() + "_const_eval_" + Twine(number++)).str();
      } while (symbols.lookup(name));
      last = part.outline(name, last);
      ++numFunctions;
      numOps += ops.size();
    }
    if (number == 0)
      return;
    // The splats that only the parts have used.
    for (Operation &op :
         llvm::make_early_inc_range(llvm::reverse(func.getBody().front())))
      if (isOpTriviallyDead(&op))
        op.erase();
  }
};

} // namespace
} // namespace mlir::tt::ttir
