#ifndef DIALECTS_TTNN_TRANSFORMS_OPCOSTS_H
#define DIALECTS_TTNN_TRANSFORMS_OPCOSTS_H

#include "dialects/TT/ProgramClock.h"
#include "dialects/TTNN/TTNN.h"

#include "llvm/ADT/DenseMap.h"

#include <memory>

namespace mlir::tt::ttnn {

/// Times single calls by the clock, in any layouts of their tensors. Calls of
/// one op with the same attributes and types are timed once; when `limit`
/// different ones are, the time of a further one is unknown.
class OpCosts {
public:
  /// Creates the costs for the device of a module. A module without a device is
  /// an error, which names `pass`. Null if nothing can be timed: without a
  /// clock, or with a limit of 0.
  static FailureOr<std::unique_ptr<OpCosts>>
  create(ModuleOp module, StringRef pass, unsigned limit);

  /// Cycles of `op`, which is in destination-passing style, if its operands,
  /// without destinations, and its results have these types.
  double get(Operation *op, ArrayRef<Type> operands, ArrayRef<Type> results);

  /// Cycles of two ops that follow each other, as they are: `first` is in
  /// destination-passing style, and `second` reads its result.
  double getOfPair(Operation *first, Operation *second);

  bool reachedLimit() const { return times.size() >= limit; }
  size_t getNumTimed() const { return times.size(); }
  DeviceAttr getDevice() const { return device; }
  SystemDescAttr getSystem() const { return system; }

private:
  OpCosts(const ProgramClock &clock, ModuleOp module, DeviceAttr device,
          SystemDescAttr system, unsigned limit)
      : clock(clock), module(module), device(device), system(system),
        limit(limit) {}

  /// The key of KnownTimes for what `attributes`, those of a call, say.
  KnownTimes::Digest digest(ArrayRef<Attribute> attributes);
  /// Cycles of a trial that these attributes describe.
  double get(SmallVector<Attribute> key, llvm::function_ref<double()> measure);
  /// Adds a copy of `op` to a trial, on `arguments` and destinations of its
  /// own.
  Operation *addCopy(OpBuilder &builder, Operation *op, ArrayRef<Type> operands,
                     ArrayRef<Type> results, ValueRange arguments);

  const ProgramClock &clock;
  ModuleOp module;
  DeviceAttr device;
  SystemDescAttr system;
  unsigned limit;
  /// By name, attributes and types.
  llvm::DenseMap<Attribute, double> times;
  /// Of the texts of attributes: printing one takes longer than finding it.
  llvm::DenseMap<Attribute, KnownTimes::Digest> digests;
};

} // namespace mlir::tt::ttnn

#endif
