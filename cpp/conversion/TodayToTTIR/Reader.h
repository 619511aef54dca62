#ifndef CONVERSION_TODAYTOTTIR_READER_H
#define CONVERSION_TODAYTOTTIR_READER_H

#include "conversion/TodayToTTIR/Call.h"
#include "conversion/TodayToTTIR/Problems.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"

namespace mlir::tt::today {

/// What the values of a function have become where it is called.
struct Scope {
  DenseMap<Value, Value> values;
  /// What it returns; null where that could not be expressed.
  SmallVector<Value> results;
};

/// A function that the host runs, as it is in the new module.
struct HostFunction {
  func::FuncOp made;
  /// The arguments that it changes: what they become it returns behind its
  /// results.
  SmallVector<unsigned> changed;
};

/// Writes the module of a text as ops of this project, in another context.
class Reader {
public:
  Reader(ModuleOp old, MLIRContext *context)
      : old(old), import(context), problems(import), ops(context),
        writer(ops, UnknownLoc::get(context)) {}

  /// Null after one error that names everything that cannot be expressed.
  OwningOpRef<ModuleOp> run();

private:
  void collect(Operation *module, bool onHost);
  void convert(func::FuncOp function);
  void convert(Block &block, Scope &scope);
  void convert(Operation *op, Scope &scope);
  void convertCall(Operation *op, Scope &scope);
  /// The function of the host in the new module; without one after an error.
  HostFunction convertHostFunction(func::FuncOp function);
  /// A new one, which is given what the values have become. `fill` writes its
  /// body and sets the results.
  HostFunction makeHostFunction(StringRef name, Location loc, ValueRange given,
                                function_ref<void(Scope &)> fill);
  /// Runs it in the place of the op.
  void callHostFunction(Operation *op, HostFunction host, ValueRange given,
                        Scope &scope);
  /// An op that runs on the host.
  void hoist(const Row &row, Operation *op, Scope &scope);
  /// That, or a name like it, which no function of the new module has.
  StringAttr getFreeName(StringRef name);
  /// One whose ops are those of a front end, on tensors.
  func::FuncOp importHostFunction(func::FuncOp function);
  void convertOp(const Row &row, Operation *op, Scope &scope);
  func::FuncOp callee(Operation *op);

  /// What a value has become; of an empty tensor that is read, zeros. Null if
  /// that could not be expressed.
  Value lookup(Value value, Scope &scope);
  /// Whether an op can be skipped because something in front of it could not be
  /// expressed.
  bool isLost(Operation *op, Scope &scope);

  void add(Operation *op, const Twine &reason) { problems.add(op, reason); }

  ModuleOp old;
  Import import;
  Problems problems;
  OpBuilder ops;
  graph::GraphBuilder writer;
  OwningOpRef<ModuleOp> module;
  llvm::StringMap<func::FuncOp> functions, hostFunctions;
  SmallVector<func::FuncOp> programs;
  llvm::SmallSetVector<Operation *, 8> calling;
  DenseMap<Operation *, HostFunction> hosted;
  /// Whether ops are written into a function of the host.
  bool isOnHost = false;
  size_t numOps = 0;
  /// New values of operands of ops whose point is their results, such as
  /// batch_norm_training.
  llvm::DenseSet<Value> byTheWay;
  /// There has been an error of the text.
  bool isBroken = false;
};

} // namespace mlir::tt::today

#endif
