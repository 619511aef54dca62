#ifndef DIALECTS_TTNN_TRANSFORMS_OPCOSTS_H
#define DIALECTS_TTNN_TRANSFORMS_OPCOSTS_H

#include "dialects/TT/ProgramClock.h"
#include "dialects/TTNN/TTNN.h"

#include "llvm/ADT/DenseMap.h"

namespace mlir::tt::ttnn {

/// Times single calls by the clock, in any layouts of their tensors. Calls of
/// one op with the same attributes and types are timed once; when `limit`
/// different ones are, the time of a further one is unknown.
class OpCosts {
public:
  OpCosts(const ProgramClock &clock, ModuleOp module, unsigned limit)
      : clock(clock), module(module), limit(limit) {}

  /// Cycles of `op`, which is in destination-passing style, if its operands,
  /// without destinations, and its results have these types.
  double get(Operation *op, ArrayRef<Type> operands, ArrayRef<Type> results);

  bool reachedLimit() const { return times.size() >= limit; }
  size_t getNumTimed() const { return times.size(); }

private:
  double measure(Operation *op, ArrayRef<Type> operands,
                 ArrayRef<Type> results);

  const ProgramClock &clock;
  ModuleOp module;
  unsigned limit;
  /// By name, attributes and types.
  llvm::DenseMap<Attribute, double> times;
};

} // namespace mlir::tt::ttnn

#endif
