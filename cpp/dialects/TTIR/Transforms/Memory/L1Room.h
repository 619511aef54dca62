#ifndef DIALECTS_TTIR_TRANSFORMS_MEMORY_L1ROOM_H
#define DIALECTS_TTIR_TRANSFORMS_MEMORY_L1ROOM_H

#include "dialects/TT/TT.h"
#include "dialects/TTIR/Transforms/Memory/L1Budget.h"
#include "dialects/TTIR/Transforms/Memory/L1Pressure.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::tt::ttir {

/// The L1 of a core that tensors use while the ops of a program run.
///
/// A step is the place of an op in the order of the text. All sizes are in
/// bytes of one core.
class L1Room {
public:
  /// `device` is the view of one chip. Tensors use L1 until their last use with
  /// `frees`, else until the function ends.
  L1Room(DeviceAttr device, uint64_t usableBytes, bool frees)
      : device(device), usableBytes(usableBytes), budget(usableBytes),
        frees(frees) {}

  /// Numbers the steps of the ops; nothing is in use then.
  void reset(ArrayRef<Operation *> ops);

  /// The step of an op; for what is in the region of an op without own steps
  /// that of this op.
  unsigned getStep(Operation *op) const;
  /// The first and the last step at which a value is in L1.
  unsigned getFirstStep(Value value) const;
  unsigned getLastStep(Value value) const;
  /// The last step at which a tensor is in L1 whose last user is `op`.
  unsigned getLastStep(Operation *op) const;

  uint64_t getUsableBytes() const { return usableBytes; }
  /// What a core keeps of a tensor of `type` in `layout`.
  int64_t getBytes(RankedTensorType type, LayoutAttr layout) const;

  bool has(unsigned first, unsigned last, int64_t bytes) const {
    return budget.fits(pressure.getMax(first, last), bytes);
  }
  /// Reserves `bytes` from step `first` to step `last`; nothing if that is
  /// before `first`. Releases them if they are negative.
  void take(unsigned first, unsigned last, int64_t bytes) {
    pressure.add(first, last, bytes);
  }
  /// The maximum in use over the steps.
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
