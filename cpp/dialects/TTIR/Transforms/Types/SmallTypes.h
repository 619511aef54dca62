#ifndef DIALECTS_TTIR_TRANSFORMS_TYPES_SMALLTYPES_H
#define DIALECTS_TTIR_TRANSFORMS_TYPES_SMALLTYPES_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

namespace mlir::tt::ttir {

/// Whether this is a float of 4 to 8 bits, which the device stores as bf16.
bool isSmallFloat(Type element);

/// The same, including integers of 2 and 4 bits, which are stored in 8.
bool isSmall(Type element);

/// Reports an error for an op that computes such elements. Only casts,
/// constants and ops that move or select elements may produce them.
LogicalResult checkSmall(Operation *op);

/// Converts constants exactly to the type that stores them.
DenseElementsAttr widenElements(DenseElementsAttr dense, RankedTensorType type);

/// Expands a typecast to small elements into ops that round floats or wrap
/// integers. Returns null for other ops.
Value expandSmallCast(OpBuilder &builder, Operation *op,
                      llvm::function_ref<RankedTensorType(Value)> sourceOf);

} // namespace mlir::tt::ttir

#endif
