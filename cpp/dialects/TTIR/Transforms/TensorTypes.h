#ifndef DIALECTS_TTIR_TRANSFORMS_TENSORTYPES_H
#define DIALECTS_TTIR_TRANSFORMS_TENSORTYPES_H

#include "dialects/TT/TT.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"

namespace mlir::tt::ttir {

/// The module's `tt.device`. When it is missing it is made from the module's
/// `tt.system_desc` (itself the default one when missing) for one chip, and set
/// on the module. Null, with an error emitted, if the system has no such
/// device.
DeviceAttr getOrCreateDevice(ModuleOp module);

/// Whether `op` makes a tensor out of nothing, so that another of another type
/// can be made instead of converting the result.
bool isCreation(Operation *op);

/// The elements that a creation other than `tensor.empty` makes.
ElementsAttr getElements(Operation *creation);

/// `value` as an element of a tensor, rounded to its format.
Attribute getElement(Type elementType, double value);

/// Gives the destination `operand` of an op the type `type`. A `tensor.empty`
/// of its own changes its type and moves in front of the op; anything else is
/// replaced by a new `tensor.empty` there.
void retypeDestination(OpOperand &operand, RankedTensorType type);

/// Makes the result types of `func` those of what it returns.
void updateResultTypes(func::FuncOp func);

} // namespace mlir::tt::ttir

#endif
