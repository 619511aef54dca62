#ifndef DIALECTS_TTIR_TRANSFORMS_CONSTEVAL_DEPENDENCE_H
#define DIALECTS_TTIR_TRANSFORMS_CONSTEVAL_DEPENDENCE_H

#include "mlir/IR/Operation.h"

namespace mlir::tt::ttir {

/// What a value depends on.
enum class Dependence {
  /// On nothing: splats, and what is made of them alone.
  Nothing,
  /// On parameters and constants.
  Fixed,
  /// On the inputs of a call.
  Inputs,
};

/// Of an argument of a function.
Dependence getDependence(BlockArgument argument);
/// Of the results of an op, by that of its operands.
Dependence getDependence(Operation *op,
                         llvm::function_ref<Dependence(Value)> getOf);

/// Of values, each looked at once.
class Dependences {
public:
  Dependence of(Value value);
  /// Whether it is the same in all calls with the same parameters.
  bool isFixed(Value value) { return of(value) != Dependence::Inputs; }

private:
  DenseMap<Value, Dependence> known;
};

} // namespace mlir::tt::ttir

#endif
