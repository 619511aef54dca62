#ifndef DIALECTS_TTIR_TRANSFORMS_LAYOUT_PLACEMENTANALYSIS_H
#define DIALECTS_TTIR_TRANSFORMS_LAYOUT_PLACEMENTANALYSIS_H

#include "dialects/TTIR/TTIR.h"
#include "dialects/TTIR/Transforms/Layout/LayoutState.h"
#include "dialects/TTIR/Transforms/Memory/L1Room.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir::tt::ttir {

/// What a use demands of a tensor.
struct Demand {
  /// Null if it takes the tensor in its layout, or in the one that
  /// `ttir-layout` chooses.
  LayoutAttr layout;
  /// Elements that are created in L1 stay there from their first use to their
  /// last. If they do not fit for that long, they are created again: uses of
  /// one creation with different numbers do not share a tensor.
  unsigned making = 0;
};

/// Finds the tensors to which anchors propagate.
///
/// Anchors are the results of `ttir.to_layout` and the layouts of a function's
/// signature; decisions of an earlier run of the pass stay. One sweep over the
/// ops in their order propagates layouts forward: the result of an elementwise
/// op gets the layout of its inputs, if those that have one agree. One sweep in
/// reverse order then propagates backward: inputs of an elementwise op are
/// brought to the layout of its result, and a value without a layout gets the
/// one that its first reader wants. Both take n log n time for n ops and uses,
/// and change nothing in the program.
class PlacementAnalysis {
public:
  /// `device` is the view of one chip, `usableL1` in bytes of a core. With
  /// `kernels`, only shards that kernels read and write are propagated. Tensors
  /// are in memory until their last use with `frees`, else until the function
  /// ends.
  PlacementAnalysis(ModuleOp module, DeviceAttr device, uint64_t usableL1,
                    bool kernels, bool frees)
      : module(module), device(device), kernels(kernels),
        room(device, usableL1, frees) {}

  /// Emits an error if an anchor is on cores that the device does not have, or
  /// does not fit into their L1.
  LogicalResult run();

  /// The ops outside of the regions of `ttir.generic`, in their order.
  ArrayRef<Operation *> getOps() const { return ops; }

  LayoutState getState(Value value) const { return states.lookup(value); }

  /// The layout in which `op` writes its result; null if it does not change.
  LayoutAttr getNewLayout(Operation *op) const;

  Demand getDemand(OpOperand &operand) const {
    return demands.lookup(&operand);
  }

  /// Whether `operand` has to be in a layout and has been put elsewhere.
  bool isConflict(OpOperand &operand) const;

  /// The layout of a value that is placed, if the op of `operand` can read it
  /// there; else null.
  LayoutAttr getReadLayout(OpOperand &operand) const;

  /// The op that makes the elements of the value, which layout changes that
  /// round nothing may have moved since; null if they are computed.
  Operation *getRematerializableOp(Value value) const;
  /// The same where a use reads the elements in `layout`.
  Operation *getRematerializableOp(OpOperand &use, LayoutAttr layout) const;

private:
  //===--------------------------------------------------------------------===//
  // What the author says
  //===--------------------------------------------------------------------===//

  LogicalResult visit(Operation *op);
  void holdAnchors();
  LogicalResult anchor(Operation *op, Value value);
  /// An error if `op` places a tensor on cores that do not exist or do not have
  /// the L1.
  LogicalResult checkPlace(Operation *op, RankedTensorType type) const;
  void followElements(ToLayoutOp move);

  //===--------------------------------------------------------------------===//
  // Forward, then backward
  //===--------------------------------------------------------------------===//

  void carryForward(Operation *op);
  void enforceBackward(Operation *op);
  void enforceResults(func::ReturnOp op);
  void chooseResult(Operation *op);

  /// Places the result of `op`, if the op can write it there and it fits into
  /// L1.
  bool tryPlace(Operation *op, LayoutAttr place);

  /// Records that `use` needs its tensor in `layout`, unless it does not fit
  /// into L1 and the op is elementwise.
  void demand(OpOperand &use, LayoutAttr layout);
  /// The same of elements that `maker` makes. Called from the last use to the
  /// first.
  void demandElements(OpOperand &use, Operation *maker, LayoutAttr layout);
  void reportOutOfMemory(OpOperand &use, LayoutAttr layout) const;

  /// The first use of the op's result, in the order of the text, that wants a
  /// layout; null if none does.
  OpOperand *findDemand(Operation *op) const;

  bool canHaveLayout(OpOperand &operand, LayoutAttr layout) const;
  bool isCarried(LayoutAttr layout) const;

  /// The steps in which elements that are created in a layout are in memory.
  struct Making {
    unsigned number = 0, first = 0, last = 0;
  };

  ModuleOp module;
  DeviceAttr device;
  bool kernels;
  L1Room room;
  SmallVector<Operation *> ops;
  llvm::DenseMap<Value, LayoutState> states;
  /// Values that the program places.
  llvm::DenseSet<Value> anchors;
  /// The makers of the elements that layout changes have moved.
  llvm::DenseMap<Value, Operation *> makers;
  llvm::DenseMap<OpOperand *, Demand> demands;
  llvm::DenseMap<std::pair<Operation *, LayoutAttr>, Making> makings;
};

} // namespace mlir::tt::ttir

#endif
