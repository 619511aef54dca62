// Functions that are hoisted to the host.
#include "conversion/LinalgToTTIR/LinalgToTTIR.h"
#include "conversion/SCFToTT/SCFToTT.h"
#include "conversion/TodayToTTIR/Reader.h"

#include "dialects/TT/TTOps.h"
#include "dialects/TTIR/TTIR.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::today;

/// Whether the ops are those of the front end for linalg.
static bool isOfLinalg(func::FuncOp function) {
  bool isForeign = false;
  WalkResult own = function.walk([&](Operation *op) {
    StringRef dialect = op->getName().getDialectNamespace();
    isForeign |= llvm::is_contained({"linalg", "scf", "math"}, dialect) ||
                 (dialect == "tensor" && !isa<tensor::EmptyOp>(op)) ||
                 (dialect == "arith" && !isa<arith::ConstantOp>(op));
    return isForeign || llvm::is_contained({"func", "tensor", "arith"}, dialect)
               ? WalkResult::advance()
               : WalkResult::interrupt();
  });
  return isForeign && !own.wasInterrupted();
}

/// The function and those that it calls, without attributes of other dialects.
static std::string printWithCallees(func::FuncOp function,
                                    const llvm::StringMap<func::FuncOp> &all) {
  llvm::SetVector<Operation *> functions;
  functions.insert(function);
  for (size_t i = 0; i < functions.size(); ++i)
    functions[i]->walk([&](func::CallOp call) {
      if (func::FuncOp callee = all.lookup(call.getCallee()))
        functions.insert(callee);
    });
  OwningOpRef<ModuleOp> whole = ModuleOp::create(function.getLoc());
  for (Operation *each : functions) {
    auto copy = cast<func::FuncOp>(each->clone());
    whole->push_back(copy);
    copy->setDiscardableAttrs(DictionaryAttr::get(each->getContext()));
    copy.removeArgAttrsAttr();
    copy.removeResAttrsAttr();
    if (each == function)
      copy.setPublic();
    else
      copy.setPrivate();
  }
  std::string text;
  llvm::raw_string_ostream os(text);
  whole->print(os, OpPrintingFlags().enableDebugInfo(true));
  return text;
}

func::FuncOp Reader::importHostFunction(func::FuncOp function) {
  MLIRContext *context = import.getContext();
  context->loadDialect<arith::ArithDialect, linalg::LinalgDialect,
                       math::MathDialect, scf::SCFDialect>();
  OwningOpRef<ModuleOp> own = parseSourceString<ModuleOp>(
      printWithCallees(function, hostFunctions), ParserConfig(context));
  PassManager manager(context);
  manager.addPass(createConvertSCFToTT());
  manager.addPass(createConvertLinalgToTTIR());
  if (!own || failed(manager.run(*own))) {
    isBroken = true; // which has been said
    return nullptr;
  }
  func::FuncOp made;
  SymbolTable symbols(*own);
  for (auto part : llvm::make_early_inc_range(own->getOps<func::FuncOp>())) {
    bool isWhole = part.getSymName() == function.getSymName();
    StringAttr name = getFreeName(part.getSymName());
    if (name != part.getSymNameAttr() && failed(symbols.rename(part, name))) {
      isBroken = true;
      return nullptr;
    }
    part->remove();
    module->push_back(part);
    part.setPrivate();
    part->setAttr(kPartAttr, ops.getUnitAttr());
    part->setAttr(kHostAttr, ops.getUnitAttr());
    if (isWhole)
      made = part;
  }
  return made;
}

StringAttr Reader::getFreeName(StringRef name) {
  std::string free = name.str();
  auto isTaken = [&] {
    func::FuncOp program = functions.lookup(free);
    return (program && !program.isDeclaration()) || module->lookupSymbol(free);
  };
  while (isTaken())
    free += "_host";
  return ops.getStringAttr(free);
}

HostFunction Reader::makeHostFunction(StringRef name, Location loc,
                                      ValueRange given,
                                      function_ref<void(Scope &)> fill) {
  HostFunction result;
  SmallVector<Type> inputs;
  for (Type type : given.getTypes())
    inputs.push_back(import.tensor(type));
  if (llvm::is_contained(inputs, Type())) {
    problems.add(loc, name, "expected tensors as arguments on the host");
    return result;
  }
  OpBuilder::InsertionGuard guard(ops);
  ops.setInsertionPointToEnd(module->getBody());
  auto made = func::FuncOp::create(ops, import.location(loc), getFreeName(name),
                                   ops.getFunctionType(inputs, {}));
  made.setPrivate();
  made->setAttr(kPartAttr, ops.getUnitAttr());
  made->setAttr(kHostAttr, ops.getUnitAttr());
  Block *entry = made.addEntryBlock();
  Scope scope;
  for (auto [old, argument] : llvm::zip(given, entry->getArguments())) {
    argument.setLoc(import.location(old.getLoc()));
    scope.values[old] = argument;
  }
  ops.setInsertionPointToEnd(entry);
  isOnHost = true;
  fill(scope);
  isOnHost = false;
  if (llvm::is_contained(scope.results, Value()))
    return result; // which has been said
  for (auto [i, old] : llvm::enumerate(given))
    if (Value now = scope.values.lookup(old);
        now && now != entry->getArgument(i)) {
      result.changed.push_back(i);
      scope.results.push_back(now);
    }
  func::ReturnOp::create(ops, made.getLoc(), scope.results);
  made.setType(
      ops.getFunctionType(inputs, ValueRange(scope.results).getTypes()));
  result.made = made;
  return result;
}

HostFunction Reader::convertHostFunction(func::FuncOp function) {
  auto known = hosted.find(function);
  if (known != hosted.end())
    return known->second;
  HostFunction result;
  if (isOfLinalg(function)) {
    result.made = importHostFunction(function);
    return hosted[function] = result;
  }
  calling.insert(function);
  result =
      makeHostFunction(function.getSymName(), function.getLoc(),
                       function.getBody().getArguments(), [&](Scope &scope) {
                         convert(function.getBody().front(), scope);
                         if (scope.results.size() != function.getNumResults())
                           scope.results.assign(1, Value());
                       });
  calling.remove(function);
  return hosted[function] = result;
}

void Reader::callHostFunction(Operation *op, HostFunction host,
                              ValueRange given, Scope &scope) {
  if (!host.made)
    return;
  SmallVector<Value> operands;
  for (Value operand : given)
    operands.push_back(lookup(operand, scope));
  if (llvm::is_contained(operands, Value()))
    return;
  if (!llvm::equal(host.made.getArgumentTypes(),
                   ValueRange(operands).getTypes()))
    return add(op, "its operands are not what the function takes");
  auto call = tt::CallOp::create(
      ops, import.location(op->getLoc()), host.made.getResultTypes(),
      FlatSymbolRefAttr::get(host.made.getSymNameAttr()), operands);
  writer.setLoc(call.getLoc());
  unsigned numResults = op->getNumResults();
  for (unsigned i = 0; i < numResults; ++i) {
    if (call.getResult(i).getType() !=
        import.tensor(op->getResult(i).getType()))
      return add(op, "it does not return what its type says");
    scope.values[op->getResult(i)] = call.getResult(i);
  }
  for (auto [i, argument] : llvm::enumerate(host.changed))
    scope.values[given[argument]] = call.getResult(numResults + i);
}

void Reader::hoist(const Row &row, Operation *op, Scope &scope) {
  llvm::SetVector<Value> given;
  for (Value operand : op->getOperands())
    if (scope.values.contains(operand))
      given.insert(operand);
  HostFunction host =
      makeHostFunction(("hoisted_" + row.name).str(), op->getLoc(),
                       given.getArrayRef(), [&](Scope &inner) {
                         writer.setLoc(import.location(op->getLoc()));
                         convertOp(row, op, inner);
                         for (Value result : op->getResults())
                           inner.results.push_back(inner.values.lookup(result));
                       });
  callHostFunction(op, host, given.getArrayRef(), scope);
}
