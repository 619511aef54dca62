#ifndef DIALECTS_TTIR_TRANSFORMS_TYPES_QUANTIZED_H
#define DIALECTS_TTIR_TRANSFORMS_TYPES_QUANTIZED_H

#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace mlir::tt::ttir {

/// The integers that a quantized type is stored in; null for a type that is
/// neither uniform per tensor nor per axis, or has another width than 8, 16 or
/// 32 bits.
Type getStorage(quant::QuantizedType type);

/// Whether the op is one of `ttir.quantize` and its relatives.
bool isQuantization(Operation *op);

/// An error for an op that computes with quantized tensors what they cannot.
LogicalResult checkQuantized(Operation *op);

/// What replaces an op whose operands, or results, have been quantized: ops on
/// integers that `builder` makes, with a result of `type`. Null if the op
/// itself does the same on the integers. `sourceOf` gives the type that a value
/// had.
Value expandQuantized(OpBuilder &builder, Operation *op,
                      llvm::function_ref<RankedTensorType(Value)> sourceOf,
                      RankedTensorType type);

} // namespace mlir::tt::ttir

#endif
