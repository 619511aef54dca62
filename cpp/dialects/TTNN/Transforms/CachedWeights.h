#ifndef DIALECTS_TTNN_TRANSFORMS_CACHEDWEIGHTS_H
#define DIALECTS_TTNN_TRANSFORMS_CACHEDWEIGHTS_H

#include "dialects/TT/TTOps.h"
#include "dialects/TTNN/TTNN.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::tt::ttnn {

/// The weight operand of a product; null for other ops.
OpOperand *getWeight(Operation *op);

/// A weight that a function computes once: a result of its only `load`, read
/// only by products as their weight.
struct CachedWeight {
  func::FuncOp function;
  LoadCachedOp load;
  OpResult result; // of the load

  /// The operand of the function's return.
  OpOperand &getReturned() const;
  /// Updates the types of the function and of the load after a change of the
  /// returned value.
  void updateType() const;
};

/// All cached weights of a module, in the order of its loads.
SmallVector<CachedWeight> findCachedWeights(ModuleOp module);

} // namespace mlir::tt::ttnn

#endif
