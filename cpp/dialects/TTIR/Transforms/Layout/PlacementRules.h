#ifndef DIALECTS_TTIR_TRANSFORMS_LAYOUT_PLACEMENTRULES_H
#define DIALECTS_TTIR_TRANSFORMS_LAYOUT_PLACEMENTRULES_H

#include "dialects/TT/TTTypes.h"

#include "mlir/IR/BuiltinTypes.h"

namespace mlir::tt::ttir {

/// The memory, the memory layout and the form that an operand must have.
struct Placement {
  MemorySpace memorySpace;
  TensorMemoryLayout memLayout;
  bool tiled;
  /// What the op reads in the padding; undef if it does not.
  OOBVal padding = OOBVal::Undef;
};

/// Chooses where tensors lie and in which form.
struct PlacementRules {
  /// What a program sees of the device, and one core of it.
  DeviceAttr chip;
  GridAttr initialGrid;
  MemorySpace defaultMemorySpace;
  TensorMemoryLayout defaultDeviceMemoryLayout;
  /// Kernels work on the tensors: each matrix has tiles of its own.
  bool padToTiles;

  /// A constraint that names no memory space, or no memory layout, allows all.
  Placement choose(OperandConstraint constraint) const;

  /// `type` with the layout of `placement`, on its own grid, but for kernels on
  /// one core in DRAM. A line of more cores than a row of the device is valid
  /// for height- and width-sharded tensors only. Tiles keep their number
  /// format, because block floats are a choice of the program.
  RankedTensorType place(RankedTensorType type, Placement placement) const;

  /// `type` with tiles of their own for its matrices if it is in tiles on the
  /// device and kernels need that.
  RankedTensorType withPaddedTiles(RankedTensorType type) const;

  /// The form in which an op writes a tensor of the type `placed`. In block
  /// floats the padding affects the exponent of its block: then the op writes
  /// plain numbers.
  RankedTensorType getWrittenType(RankedTensorType placed) const;

private:
  TensorMemoryLayout getDefaultLayout(MemorySpace space) const;
};

bool isSystem(MemorySpace space);

} // namespace mlir::tt::ttir

#endif
