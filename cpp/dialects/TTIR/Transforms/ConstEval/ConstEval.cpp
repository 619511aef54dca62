#include "dialects/TT/Remarks.h"
#include "dialects/TT/TTOps.h"
#include "dialects/TTIR/TTIR.h"
#include "dialects/TTIR/Transforms/ConstEval/FixedOps.h"
#include "dialects/TTIR/Transforms/Passes.h"
#include "dialects/TTIR/Transforms/TensorTypes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

namespace mlir::tt::ttir {

#define GEN_PASS_DEF_TTIRCONSTEVAL
#include "dialects/TTIR/Transforms/Passes.h.inc"

namespace {

constexpr Remarks kConstEvalRemarks("ttir-const-eval");

bool isWrittenTo(Operation *op) {
  return llvm::any_of(op->getUses(), [](OpOperand &use) {
    auto dps = dyn_cast<DestinationStyleOpInterface>(use.getOwner());
    return dps && dps.isDpsInit(&use);
  });
}

/// One move for all that bring a parameter to one layout: each would be kept.
void shareMoves(func::FuncOp func) {
  DenseMap<std::pair<Value, Type>, ToLayoutOp> moves;
  for (auto move : llvm::make_early_inc_range(
           func.getBody().front().getOps<ToLayoutOp>())) {
    auto argument = dyn_cast<BlockArgument>(move.getInput());
    if (isWrittenTo(move) || !argument ||
        getDependence(argument) != Dependence::Fixed)
      continue;
    auto [first, isNew] =
        moves.try_emplace({move.getInput(), move.getResult().getType()}, move);
    if (isNew)
      continue;
    move.getResult().replaceAllUsesWith(first->second.getResult());
    move.erase();
  }
}

/// One op for all that make the same constant: each would be kept.
void shareConstants(func::FuncOp func) {
  DenseMap<std::tuple<OperationName, Attribute, Type>, Operation *> constants;
  for (Operation &op :
       llvm::make_early_inc_range(func.getBody().front().getOperations())) {
    if (!isCreation(&op) || isa<tensor::EmptyOp>(op) || isWrittenTo(&op))
      continue;
    auto [first, isNew] = constants.try_emplace(
        {op.getName(), op.getAttrDictionary(), op.getResult(0).getType()}, &op);
    if (isNew)
      continue;
    op.replaceAllUsesWith(first->second);
    op.erase();
  }
}

/// Moves the ops into a function of their own and returns the op that loads
/// their results, behind `last` or at the start.
LoadCachedOp outline(func::FuncOp caller, const FixedOps &ops, StringRef name,
                     LoadCachedOp last) {
  SmallVector<Value> arguments = ops.getArguments();
  SmallVector<Value> results = ops.getResults();
  SmallVector<Type> cached;
  for (Value result : results)
    cached.push_back(getCachedType(cast<RankedTensorType>(result.getType())));

  OpBuilder builder(caller);
  auto function = func::FuncOp::create(
      builder, caller.getLoc(), name,
      builder.getFunctionType(ValueRange(arguments).getTypes(), cached));
  function.setPrivate();
  function->setAttr(LoadCachedOp::kFunctionAttr, builder.getUnitAttr());
  Block *body = function.addEntryBlock();
  IRMapping map;
  for (auto [argument, inner] : llvm::zip(arguments, body->getArguments())) {
    inner.setLoc(argument.getLoc());
    map.map(argument, inner);
  }
  builder.setInsertionPointToStart(body);
  ops.clone(builder, map);
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

  if (last)
    builder.setInsertionPointAfter(last);
  else
    builder.setInsertionPointToStart(&caller.getBody().front());
  auto load =
      LoadCachedOp::create(builder, caller.getLoc(), function.getResultTypes(),
                           FlatSymbolRefAttr::get(function), arguments);
  for (auto [result, value] : llvm::zip(results, load.getResults()))
    ops.replace(result, value);
  ops.erase();
  if (auto remark = kConstEvalRemarks.passed(function, "Cached"))
    remark << reason("{0} ops depend on parameters and constants alone: they "
                     "run once, {1} results stay",
                     ops.size(), results.size())
           << rejected("in every call: enable-const-eval=false");
  return load;
}

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
    if (keepSplats)
      shareConstants(func);
    numHoisted += hoistFixedOps(func, symbols, keepSplats);
    shareMoves(func);
    LoadCachedOp last;
    unsigned number = 0;
    for (const FixedOps &ops : findFixedOps(func, keepSplats)) {
      if (!ops.areWorthwhile())
        continue;
      std::string name;
      do {
        name = (func.getSymName() + "_const_eval_" + Twine(number++)).str();
      } while (symbols.lookup(name));
      last = outline(func, ops, name, last);
      ++numFunctions;
      numOps += ops.size();
    }
    if (number == 0)
      return;
    // The splats that only these have used.
    for (Operation &op :
         llvm::make_early_inc_range(llvm::reverse(func.getBody().front())))
      if (isOpTriviallyDead(&op))
        op.erase();
  }
};

} // namespace
} // namespace mlir::tt::ttir
