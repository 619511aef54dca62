#ifndef DIALECTS_TTIR_TRANSFORMS_MOVEMENT_PERMUTEDOPS_H
#define DIALECTS_TTIR_TRANSFORMS_MOVEMENT_PERMUTEDOPS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/Operation.h"

namespace mlir::tt::ttir {

/// An order of dimensions: dimension `i` of the permuted tensor is dimension
/// `order[i]` of the tensor.
using Order = SmallVector<int64_t, 6>;

/// The order of `permute(permute(x, inner), outer)`.
Order compose(ArrayRef<int64_t> inner, ArrayRef<int64_t> outer);
Order invert(ArrayRef<int64_t> order);
bool isIdentity(ArrayRef<int64_t> order);
SmallVector<int64_t> permuted(ArrayRef<int64_t> shape, ArrayRef<int64_t> order);
/// Whether a tensor of the shape has its elements in one order before and
/// after: only extents of 1 change their places.
bool movesUnitsOnly(ArrayRef<int64_t> shape, ArrayRef<int64_t> order);

/// Whether the op computes the same with its tensors in another order of
/// dimensions: elementwise ops, and those that name dimensions. Tensors with
/// layouts and elements with a scale for each place along a dimension stay.
bool isPermutable(Operation *op);

/// The inputs that have the dimensions of the result, or broadcast to it; the
/// others, such as the statistics of a norm, have dimensions of their own.
MutableArrayRef<OpOperand> getPermutedInputs(Operation *op);

/// The op on `inputs`, which are the permuted inputs in the order of
/// dimensions `order`; its result has that order, too.
Operation *permuteOp(OpBuilder &builder, Operation *op, ValueRange inputs,
                     ArrayRef<int64_t> order);

/// Whether an op that removes dimensions gives what it gave before, if its
/// input comes in the order of dimensions and it is told so: reductions.
bool absorbs(Operation *op, ArrayRef<int64_t> order);
/// Changes such an op to take `input`, which is in that order.
void absorb(Operation *op, Value input, ArrayRef<int64_t> order);

} // namespace mlir::tt::ttir

#endif
