#ifndef DIALECTS_TTIR_TRANSFORMS_LAYOUTPROPAGATION_H
#define DIALECTS_TTIR_TRANSFORMS_LAYOUTPROPAGATION_H

#include "dialects/TT/TT.h"
#include "dialects/TTIR/Transforms/ShardSolver.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <string>

namespace mlir::tt::ttir {

/// Where the author's anchors put a value.
struct LayoutState {
  enum class Kind {
    /// Nobody has said where.
    Free,
    /// In DRAM, interleaved: where `ttir-layout` puts what nobody has placed.
    Default,
    /// In `place`.
    Placed
  };

  Kind kind = Kind::Free;
  /// A layout with f32 elements and undefined padding, for all formats.
  LayoutAttr place;

  bool isSet() const { return kind != Kind::Free; }
  bool isPlaced() const { return kind == Kind::Placed; }
  bool operator==(const LayoutState &other) const {
    return kind == other.kind && place == other.place;
  }
  bool operator!=(const LayoutState &other) const { return !(*this == other); }
};

/// Text for people, such as `2x4:l1:block_sharded:tile`: the parts of an
/// override of the optimizer.
std::string describe(LayoutAttr layout);
std::string describe(const LayoutState &state);

/// Tells the remark engine of the context, if it has one, what was decided at
/// `op`, and why. Without `isMet`, it is not what the author may have meant.
void reportDecision(Operation *op, StringRef name, const Twine &reason,
                    bool isMet = true);

/// Finds out how far the layouts that the author placed reach.
///
/// Anchors are the results of `ttir.to_layout` and what a function's signature
/// says. One sweep over the ops in their order carries layouts forward: an
/// elementwise op makes its result where its inputs lie, if those that have a
/// layout agree. One sweep back enforces what is then known: inputs of an
/// elementwise op have to come to where its result lies, and a value without a
/// layout is made where its first reader wants it. Both are linear in the
/// number of ops and uses, and change nothing in the program.
class LayoutPropagation {
public:
  /// `usableL1` is in bytes of a core. With `kernels`, only shards that kernels
  /// read and write are carried.
  LayoutPropagation(ModuleOp module, DeviceAttr device, uint64_t usableL1,
                    bool kernels)
      : module(module), device(device), budget(usableL1), kernels(kernels) {}

  /// Emits an error if an anchor is on cores that the device does not have.
  LogicalResult run();

  /// The ops outside of the regions of `ttir.generic`, in their order.
  ArrayRef<Operation *> getOps() const { return ops; }

  LayoutState getState(Value value) const { return states.lookup(value); }

  /// The layout to make the result of `op` in; null if it stays as it is.
  LayoutAttr getNewLayout(Operation *op) const;

  /// The layout in which `operand` has to be; null if the op takes it from
  /// where it lies, or from where `ttir-layout` puts it.
  LayoutAttr getWanted(OpOperand &operand) const {
    return wanted.lookup(&operand);
  }

  /// Whether `operand` has to be in a layout and has been put elsewhere.
  bool isConflict(OpOperand &operand) const;

  /// The layout of a value that is placed, if the op of `operand` can read it
  /// there; else null.
  LayoutAttr getReadLayout(OpOperand &operand) const;

private:
  LogicalResult addAnchors();
  LogicalResult anchor(Operation *op, Value value);
  LogicalResult anchorSignature(func::FuncOp func);
  /// An error if `op` places a tensor on cores that the device does not have.
  LogicalResult checkGrid(Operation *op, LayoutAttr layout) const;

  void carryForward(Operation *op);
  void enforceBackward(Operation *op);
  void enforceResults(func::ReturnOp op);
  void chooseResult(Operation *op);

  /// The first use of the op's result, in the order of the text, that wants a
  /// layout; null if none does.
  OpOperand *findDemand(Operation *op) const;

  /// Whether the op can write its result at `place` beside an input there.
  bool mayWrite(Operation *op, LayoutAttr place);
  bool mayLie(OpOperand &operand, LayoutAttr layout) const;
  bool isCarried(LayoutAttr layout) const;

  ModuleOp module;
  DeviceAttr device;
  L1Budget budget;
  bool kernels;
  SmallVector<Operation *> ops;
  llvm::DenseMap<Operation *, unsigned> order;
  llvm::DenseMap<Value, LayoutState> states;
  /// Values whose place the author has written down.
  llvm::DenseSet<Value> anchors;
  /// What uses of values demand.
  llvm::DenseMap<OpOperand *, LayoutAttr> wanted;
};

} // namespace mlir::tt::ttir

#endif
