#ifndef DIALECTS_TTIR_TRANSFORMS_OPTIMIZER_OPTIMER_H
#define DIALECTS_TTIR_TRANSFORMS_OPTIMIZER_OPTIMER_H

#include "dialects/TT/ComputeConfig.h"
#include "dialects/TT/ProgramClock.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"

namespace mlir::tt::ttir {

/// An op with one result, of which the layouts of the result and of one value
/// that it reads are open.
struct TimedOp {
  Operation *op = nullptr;
  Value open;
  /// The types of all operands; those of destinations do not count.
  SmallVector<Type> operands;
  /// The same for ops that take the same time.
  Attribute key;
};

/// Times single ops on the device of a module, as if their tensors had other
/// layouts. An op with the same name, attributes, types and demands is timed
/// once. A big tensor takes the clock longer, so it counts as several; when
/// `limit` different ones are counted no further one is timed.
class OpTimer {
public:
  OpTimer(const ProgramClock &clock, ModuleOp module,
          ComputeConfigDemands demands, unsigned limit)
      : clock(clock), module(module), demands(std::move(demands)),
        limit(limit) {}

  TimedOp get(Operation *op, Value open, SmallVector<Type> operands);

  /// Cycles of the op if it reads the open value as `read`.
  double time(const TimedOp &op, Type read, RankedTensorType result);
  /// Cycles of bringing a tensor from one layout into another.
  double timeConversion(RankedTensorType from, RankedTensorType to);

  bool reachedLimit() const { return counted >= limit; }

private:
  using Key = std::tuple<Attribute, Type, Type>;
  using BuildFn =
      llvm::function_ref<Value(OpBuilder &builder, ValueRange arguments)>;

  double lookup(const Key &key, RankedTensorType result,
                llvm::function_ref<double()> measure);
  double measure(TypeRange arguments, RankedTensorType result, BuildFn build);

  const ProgramClock &clock;
  ModuleOp module;
  ComputeConfigDemands demands;
  unsigned limit, counted = 0;
  llvm::DenseMap<Key, double> times;
};

} // namespace mlir::tt::ttir

#endif
