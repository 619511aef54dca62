#ifndef DIALECTS_TTIR_TRANSFORMS_MEMORY_L1ROOM_H
#define DIALECTS_TTIR_TRANSFORMS_MEMORY_L1ROOM_H

#include "dialects/TT/TT.h"
#include "dialects/TTIR/Transforms/Memory/L1Budget.h"
#include "dialects/TTIR/Transforms/Memory/L1Pressure.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::tt::ttir {

/// The room for tensors in a core's L1 while the ops of a program run.
///
/// A step is the place of an op in the order of the text. All sizes are in
/// bytes of one core.
class L1Room {
public:
  /// `device` is the view of one chip. Tensors take room until their last use
  /// with `frees`, else until the function ends.
  L1Room(DeviceAttr device, uint64_t usableBytes, bool frees)
      : device(device), usableBytes(usableBytes), budget(usableBytes),
        frees(frees) {}

  /// Gives the ops their steps; nothing is taken then.
  void reset(ArrayRef<Operation *> ops);

  /// The step of an op; for what is in the region of an op without own steps
  /// that of this op.
  unsigned getStep(Operation *op) const;
  /// The steps from which and until which a value takes room.
  unsigned getFirstStep(Value value) const;
  unsigned getLastStep(Value value) const;
  /// The step until which a tensor takes room that `op` is the last to use.
  unsigned getLastStep(Operation *op) const;

  uint64_t getUsableBytes() const { return usableBytes; }
  /// What a core keeps of a tensor of `type` in `layout`.
  int64_t getBytes(RankedTensorType type, LayoutAttr layout) const;

  bool has(unsigned first, unsigned last, int64_t bytes) const {
    return budget.fits(pressure.getMax(first, last), bytes);
  }
  /// Takes `bytes` from step `first` to step `last`; nothing if that is before
  /// `first`. Gives them back if they are negative.
  void take(unsigned first, unsigned last, int64_t bytes) {
    pressure.add(first, last, bytes);
  }
  /// The most that is taken at one of the steps.
  int64_t getTaken(unsigned first, unsigned last) const {
    return pressure.getMax(first, last);
  }

private:
  DeviceAttr device;
  uint64_t usableBytes;
  L1Budget budget;
  bool frees;
  llvm::DenseMap<Operation *, unsigned> steps;
  L1Pressure pressure{1};
};

} // namespace mlir::tt::ttir

#endif
