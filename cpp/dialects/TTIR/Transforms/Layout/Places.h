#ifndef DIALECTS_TTIR_TRANSFORMS_LAYOUT_PLACES_H
#define DIALECTS_TTIR_TRANSFORMS_LAYOUT_PLACES_H

#include "dialects/TT/TT.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

#include <optional>
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

/// Tells the remark engine of the context, if it has one, what `pass` has
/// decided at `op`, and why. Without `isMet`, it is not what the author may
/// have meant.
void reportDecision(Operation *op, StringRef name, const Twine &reason,
                    bool isMet = true,
                    StringRef pass = "ttir-propagate-layout");

/// The layout without what tells apart tensors that lie at one place.
LayoutAttr getPlace(LayoutAttr layout);

/// The layout of a tensor of `type` at `place`. Tiles on the device keep their
/// number format. Null if there is no format for the elements.
LayoutAttr getLayoutAt(LayoutAttr place, RankedTensorType type);

/// What the op says about the operand; nothing if it says nothing.
std::optional<OperandConstraint> getConstraint(OpOperand &operand);

/// Whether the constraint allows the layout: its memory space, its memory
/// layout, tiles or scalars. One that names none of a kind allows all of it.
bool allows(OperandConstraint constraint, LayoutAttr layout);

/// Whether the op makes a tensor of given elements.
bool makesElements(Operation *op);

/// Whether the op computes every element of its only result from those at that
/// place of its inputs.
bool isElementwise(Operation *op);

/// The inputs of an elementwise op that have to lie where its result does:
/// neither conditions nor what is broadcast.
SmallVector<OpOperand *> getAligned(Operation *op);

/// Whether the result of `op` may be given another layout.
bool isMovable(Operation *op);

} // namespace mlir::tt::ttir

#endif
