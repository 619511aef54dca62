#ifndef DIALECTS_TTNN_TRANSFORMS_CACHEDWEIGHTS_H
#define DIALECTS_TTNN_TRANSFORMS_CACHEDWEIGHTS_H

#include "dialects/TT/TTOps.h"
#include "dialects/TTNN/TTNN.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::tt::ttnn {

/// The operand that has the weights of a product; null for other ops.
OpOperand *getWeight(Operation *op);

/// Weights that a function computes once: a result of its only `load`, which
/// nothing but products reads, as their weights.
struct CachedWeight {
  func::FuncOp function;
  LoadCachedOp load;
  OpResult result; // of the load

  /// What the function returns for it.
  OpOperand &getReturned() const;
  /// Gives both the type of what the function returns now.
  void updateType() const;
};

/// All of a module, in the order of its loads.
SmallVector<CachedWeight> findCachedWeights(ModuleOp module);

} // namespace mlir::tt::ttnn

#endif
