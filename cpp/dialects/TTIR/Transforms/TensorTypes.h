#ifndef DIALECTS_TTIR_TRANSFORMS_TENSORTYPES_H
#define DIALECTS_TTIR_TRANSFORMS_TENSORTYPES_H

#include "dialects/TT/TensorLayout.h"
#include "dialects/TTIR/TTIR.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"

namespace mlir::tt::ttir {

/// The module's `tt.device`. When it is missing it is made from the module's
/// `tt.system_desc` (itself the default one when missing) for one chip, and set
/// on the module. Null, with an error emitted, if the system has no such
/// device.
DeviceAttr getOrCreateDevice(ModuleOp module);

/// The type of a tensor; null for a value of another type.
inline RankedTensorType getTensorType(Value tensor) {
  return dyn_cast<RankedTensorType>(tensor.getType());
}

/// The tensor type with another layout.
RankedTensorType withLayout(RankedTensorType type, LayoutAttr layout);

/// The layout with something else in its padding.
LayoutAttr withPadding(LayoutAttr layout, OOBVal padding);

/// Converts `value` to `type`, with its own destination.
ToLayoutOp createToLayout(OpBuilder &builder, Location loc, Value value,
                          RankedTensorType type);

/// The location of a move for reports: a transfer between the host and the
/// device that was added for its user is named by what it moves.
Location getTransferLoc(ToLayoutOp move);

/// Whether `op` makes a tensor out of nothing, so that another of another type
/// can be made instead of converting the result.
bool isCreation(Operation *op);

/// The elements that a creation other than `tensor.empty` makes.
ElementsAttr getElements(Operation *creation);

/// `number` as the f32 that a fill on the device writes.
float toFill(APFloat number);

/// All elements as the f32 that a fill writes; nothing if they differ, or are
/// another number in f32.
std::optional<float> getFill(ElementsAttr elements);

/// `value` as an element of a tensor, rounded to its format.
Attribute getElement(Type elementType, double value);

/// Creates the elements of `creation` as a tensor of `type`, at the insertion
/// point of `builder`.
Value cloneCreation(OpBuilder &builder, Operation *creation, Location loc,
                    RankedTensorType type);

/// Sets on `op` the layout that each of its operands must have, null for those
/// that `ttir-layout` places. The attribute stays until the op is lowered;
/// without any layout there is none.
void setPlacedOperands(Operation *op, ArrayRef<LayoutAttr> layouts);

/// The layout that was set for the operand; null if none was.
LayoutAttr getPlacedOperand(Operation *op, unsigned index);

/// Whether the place of the op's result has been decided before `ttir-layout`.
bool hasPlacedResult(Operation *op);

/// Name of that attribute.
inline constexpr llvm::StringLiteral kPlacedOperands = "ttir.placed";

/// Whether `operand` is a `tensor.empty` that nothing else uses.
bool isOwnDestination(OpOperand &operand);

/// Changes the type of the destination `operand` to `type`. A `tensor.empty`
/// with one use changes its type and moves in front of the op; anything else is
/// replaced by a new `tensor.empty` there.
void retypeDestination(OpOperand &operand, RankedTensorType type);

/// Makes the result types of `func` those of what it returns.
void updateResultTypes(func::FuncOp func);

} // namespace mlir::tt::ttir

#endif
