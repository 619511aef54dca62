#ifndef DIALECTS_TTIR_TRANSFORMS_LAYOUT_LAYOUTSTATE_H
#define DIALECTS_TTIR_TRANSFORMS_LAYOUT_LAYOUTSTATE_H

#include "dialects/TT/Remarks.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

#include <optional>
#include <string>

namespace mlir::tt::ttir {

/// Where the anchors of the program put a value.
struct LayoutState {
  enum class Kind {
    /// Not placed.
    Free,
    /// In DRAM, interleaved: where `ttir-layout` puts tensors that are not
    /// placed.
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

std::string describe(const LayoutState &state);

inline constexpr Remarks kPropagationRemarks("ttir-propagate-layout");
inline constexpr Remarks kLayoutRemarks("ttir-layout");

/// The layout without the parts in which tensors at one place differ.
LayoutAttr getPlace(LayoutAttr layout);

/// The layout of a tensor of `type` at `place`. Tiles on the device keep their
/// number format. Null if there is no format for the elements.
LayoutAttr getLayoutAt(LayoutAttr place, RankedTensorType type);

/// The constraint of the op on the operand; nothing if there is none.
std::optional<OperandConstraint> getConstraint(OpOperand &operand);

/// Whether the constraint allows the layout: its memory space, its memory
/// layout, tiles or scalars. One that names none of a kind allows all of it.
bool allows(OperandConstraint constraint, LayoutAttr layout);

/// Whether the op creates a tensor of given elements.
bool isRematerializable(Operation *op);

/// Whether elements that were made and are in a tensor of `from` are the same
/// where they are made again for one of `to`: a format of fewer bits rounds
/// them, unless `to` has that format, too.
bool canRematerialize(RankedTensorType from, RankedTensorType to);

/// Whether the op computes every element of its only result from those at that
/// place of its inputs.
bool isElementwise(Operation *op);

/// The inputs of an elementwise op that need the layout of its result: neither
/// conditions nor inputs that are broadcast.
SmallVector<OpOperand *> getAligned(Operation *op);

/// Whether the result of `op` may be given another layout.
bool isMovable(Operation *op);

} // namespace mlir::tt::ttir

#endif
