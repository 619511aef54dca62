#ifndef DIALECTS_TTIR_TRANSFORMS_TYPES_SMALLTYPES_H
#define DIALECTS_TTIR_TRANSFORMS_TYPES_SMALLTYPES_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

namespace mlir::tt::ttir {

/// Floats of 4 to 8 bits, which tensors on the device store as bf16.
bool isSmallFloat(Type element);

/// The same, and integers of 2 and 4 bits, which are stored in 8.
bool isSmall(Type element);

/// An error for an op that computes such elements: only casts, constants and
/// ops that move or choose elements give them.
LogicalResult checkSmall(Operation *op);

/// Constants in the type that stores them, exactly.
DenseElementsAttr widenElements(DenseElementsAttr dense, RankedTensorType type);

/// What a typecast to small elements becomes: ops that round floats, or wrap
/// integers. Null for other ops.
Value expandSmallCast(OpBuilder &builder, Operation *op,
                      llvm::function_ref<RankedTensorType(Value)> sourceOf);

} // namespace mlir::tt::ttir

#endif
