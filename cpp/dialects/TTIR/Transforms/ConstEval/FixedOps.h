#ifndef DIALECTS_TTIR_TRANSFORMS_CONSTEVAL_FIXEDOPS_H
#define DIALECTS_TTIR_TRANSFORMS_CONSTEVAL_FIXEDOPS_H

#include "dialects/TTIR/Transforms/ConstEval/Dependence.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::tt::ttir {

/// Ops of a function that depend on parameters and constants alone and share
/// values.
class FixedOps {
public:
  explicit FixedOps(ArrayRef<Operation *> ops)
      : ops(ops), members(ops.begin(), ops.end()) {}

  /// Whether they do more than to make constants for the host, which are in the
  /// file.
  bool areWorthwhile() const;

  /// What others read.
  SmallVector<Value> getResults() const;

  /// The arguments of the function that they read.
  SmallVector<Value> getArguments() const;

  /// Copies them to the insertion point, with what they are made of out of
  /// nothing.
  void clone(OpBuilder &builder, IRMapping &map) const;

  /// Lets others read `cached` instead of `result`, which may have another
  /// type.
  void replace(Value result, Value cached) const;

  /// Erases them; nobody reads their results.
  void erase() const;

  size_t size() const { return ops.size(); }

private:
  bool isRead(Operation *op) const;
  void clone(OpBuilder &builder, Operation *op, IRMapping &map) const;

  SmallVector<Operation *> ops;
  DenseSet<Operation *> members;
};

/// All of a function that others do not write into and the function does not
/// return, in the order of their first ops. With `keepsSplats` also those that
/// depend on nothing.
SmallVector<FixedOps> findFixedOps(func::FuncOp func, bool keepsSplats);

/// The type in which a tensor stays on the device from call to call: pages in
/// DRAM, which have room for it and any address. Tensors of the host stay
/// there.
RankedTensorType getCachedType(RankedTensorType type);

/// Brings what the parts of the ops in `func` compute of constants alone to
/// `func`, in front of the ops, which are given it. Returns how many ops.
unsigned hoistFixedOps(func::FuncOp func, SymbolTable &symbols,
                       bool keepsSplats);

} // namespace mlir::tt::ttir

#endif
