//===- Variables.cpp - TOSA's variables to arguments and results ----------===//

#include "conversion/SCFToTT/Variables.h"

#include "dialects/TT/TTOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::tt {
namespace {

/// What each variable holds at a place of a function.
using Values = llvm::MapVector<StringAttr, Value>;
using Names = llvm::SetVector<StringAttr>;

/// The variable that the op reads or writes; null if it does neither.
StringAttr getVariable(Operation *op) {
  if (auto read = dyn_cast<tosa::VariableReadOp>(op))
    return read.getNameAttr();
  if (auto write = dyn_cast<tosa::VariableWriteOp>(op))
    return write.getNameAttr();
  return {};
}

class Promotion {
public:
  explicit Promotion(ModuleOp module)
      : module(module), builder(module.getContext()) {}

  LogicalResult run() {
    SmallVector<tosa::VariableOp> olds;
    WalkResult found = module.walk([&](tosa::VariableOp old) {
      olds.push_back(old);
      return WalkResult(define(old));
    });
    if (found.wasInterrupted())
      return failure();
    for (auto function : module.getOps<func::FuncOp>())
      if (failed(promote(function)))
        return failure();
    // One that stands in a function is of the module, too.
    for (tosa::VariableOp old : olds)
      old.erase();
    return success();
  }

private:
  LogicalResult define(tosa::VariableOp old) {
    RankedTensorType type = tosa::getVariableType(old);
    if (!type.hasStaticShape())
      return old.emitOpError("expected a variable of static shape, found ")
             << type;
    ElementsAttr initial;
    if (Attribute value = old.getInitialValueAttr()) {
      initial = dyn_cast<ElementsAttr>(value);
      if (!initial || initial.getShapedType() != type)
        return old.emitOpError("expected an initial value of type ")
               << type << ", found " << value;
    }
    if (types.contains(old.getSymNameAttr()))
      return old.emitOpError("is defined twice");
    types[old.getSymNameAttr()] = type;
    builder.setInsertionPointToStart(module.getBody());
    if (last)
      builder.setInsertionPointAfter(last);
    last = VariableOp::create(builder, old.getLoc(), old.getSymNameAttr(),
                              TypeAttr::get(type), initial);
    return success();
  }

  LogicalResult check(Operation *op, StringAttr name) {
    RankedTensorType type = types.lookup(name);
    if (!type)
      return op->emitOpError("expected the name of a tosa.variable of this "
                             "module, found '")
             << name.getValue() << "'";
    Type found = isa<tosa::VariableReadOp>(op) ? op->getResult(0).getType()
                                               : op->getOperand(0).getType();
    if (found == type)
      return success();
    return op->emitOpError("expected the type of variable '")
           << name.getValue() << "', " << type << ", found " << found;
  }

  /// What an op, or a function, reads and writes inside.
  LogicalResult collect(Operation *parent, Names &used, Names &written) {
    WalkResult result = parent->walk([&](Operation *op) {
      StringAttr name = getVariable(op);
      if (!name)
        return WalkResult::advance();
      used.insert(name);
      if (isa<tosa::VariableWriteOp>(op))
        written.insert(name);
      return WalkResult(check(op, name));
    });
    return failure(result.wasInterrupted());
  }

  LogicalResult promote(func::FuncOp function) {
    Names used, written;
    if (failed(collect(function, used, written)))
      return failure();
    if (used.empty())
      return success();
    if (!function.getBody().hasOneBlock())
      return function.emitOpError("uses variables: expected a body of one "
                                  "block");
    Block &body = function.getBody().front();
    Values values;
    auto attributes = [&](StringAttr name) {
      return builder.getDictionaryAttr(
          builder.getNamedAttr(kVariableAttr, FlatSymbolRefAttr::get(name)));
    };
    for (StringAttr name : used) {
      unsigned index = function.getNumArguments();
      if (failed(function.insertArgument(
              index, types.lookup(name), attributes(name),
              NameLoc::get(name, function.getLoc()))))
        return failure();
      values[name] = body.getArgument(index);
    }
    if (failed(rewrite(body, values)))
      return failure();
    Operation *terminator = body.getTerminator();
    SmallVector<Value> results(terminator->getOperands());
    for (StringAttr name : written) {
      if (failed(function.insertResult(function.getNumResults(),
                                       types.lookup(name), attributes(name))))
        return failure();
      results.push_back(values[name]);
    }
    terminator->setOperands(results);
    return success();
  }

  LogicalResult rewrite(Block &block, Values &values) {
    for (Operation &op : llvm::make_early_inc_range(block)) {
      if (auto read = dyn_cast<tosa::VariableReadOp>(op)) {
        read.getResult().replaceAllUsesWith(values[read.getNameAttr()]);
        read.erase();
      } else if (auto write = dyn_cast<tosa::VariableWriteOp>(op)) {
        values[write.getNameAttr()] = write.getInput1();
        write.erase();
      } else if (op.getNumRegions() != 0) {
        Names used, written;
        if (failed(collect(&op, used, written)))
          return failure();
        if (!used.empty() && failed(rewrite(&op, written, values)))
          return failure();
      }
    }
    return success();
  }

  LogicalResult rewrite(Operation *op, const Names &written, Values &values) {
    return llvm::TypeSwitch<Operation *, LogicalResult>(op)
        .Case<scf::IfOp, scf::ForOp, scf::WhileOp>(
            [&](auto op) { return rewrite(op, written, values); })
        .Default([](Operation *op) {
          return op->emitOpError("uses a variable: expected functions, "
                                 "conditions and loops to do that");
        });
  }

  //===--------------------------------------------------------------------===//
  // Control flow passes on what it writes
  //===--------------------------------------------------------------------===//

  LogicalResult rewrite(scf::IfOp op, const Names &written, Values &values) {
    if (!op.elseBlock()) {
      builder.createBlock(&op.getElseRegion());
      scf::YieldOp::create(builder, op.getLoc());
    }
    for (Block *block : {op.thenBlock(), op.elseBlock()}) {
      Values own = values;
      if (failed(rewrite(*block, own)))
        return failure();
      pass(block->getTerminator(), written, own);
    }
    builder.setInsertionPoint(op);
    auto now = scf::IfOp::create(builder, op.getLoc(), resultTypes(op, written),
                                 op.getCondition(), /*addThenBlock=*/false,
                                 /*addElseBlock=*/false);
    return replace(op, now, written, values);
  }

  LogicalResult rewrite(scf::ForOp op, const Names &written, Values &values) {
    Values own = values;
    enter(op.getBody(), written, own);
    if (failed(rewrite(*op.getBody(), own)))
      return failure();
    pass(op.getBody()->getTerminator(), written, own);
    builder.setInsertionPoint(op);
    auto now = scf::ForOp::create(builder, op.getLoc(), op.getLowerBound(),
                                  op.getUpperBound(), op.getStep(),
                                  with(op.getInitArgs(), written, values));
    return replace(op, now, written, values);
  }

  LogicalResult rewrite(scf::WhileOp op, const Names &written, Values &values) {
    Values before = values, after = values;
    enter(op.getBeforeBody(), written, before);
    enter(op.getAfterBody(), written, after);
    if (failed(rewrite(*op.getBeforeBody(), before)) ||
        failed(rewrite(*op.getAfterBody(), after)))
      return failure();
    pass(op.getBeforeBody()->getTerminator(), written, before);
    pass(op.getAfterBody()->getTerminator(), written, after);
    builder.setInsertionPoint(op);
    auto now =
        scf::WhileOp::create(builder, op.getLoc(), resultTypes(op, written),
                             with(op.getInits(), written, values));
    return replace(op, now, written, values);
  }

  /// A block that is given what has been written.
  void enter(Block *block, const Names &written, Values &values) {
    for (StringAttr name : written)
      values[name] = block->addArgument(types.lookup(name),
                                        block->getParentOp()->getLoc());
  }

  static void pass(Operation *terminator, const Names &written,
                   Values &values) {
    for (StringAttr name : written)
      terminator->insertOperands(terminator->getNumOperands(), values[name]);
  }

  static SmallVector<Value> with(ValueRange own, const Names &written,
                                 Values &values) {
    SmallVector<Value> all(own);
    for (StringAttr name : written)
      all.push_back(values[name]);
    return all;
  }

  SmallVector<Type> resultTypes(Operation *op, const Names &written) {
    SmallVector<Type> all(op->getResultTypes());
    for (StringAttr name : written)
      all.push_back(types.lookup(name));
    return all;
  }

  /// The op with the results that it has now.
  static LogicalResult replace(Operation *op, Operation *now,
                               const Names &written, Values &values) {
    for (auto [from, to] : llvm::zip(op->getRegions(), now->getRegions()))
      to.takeBody(from);
    unsigned next = op->getNumResults();
    op->replaceAllUsesWith(now->getResults().take_front(next));
    for (StringAttr name : written)
      values[name] = now->getResult(next++);
    op->erase();
    return success();
  }

  ModuleOp module;
  OpBuilder builder;
  llvm::MapVector<StringAttr, RankedTensorType> types;
  Operation *last = nullptr;
};

} // namespace

LogicalResult promoteVariables(ModuleOp module) {
  return Promotion(module).run();
}

} // namespace mlir::tt
