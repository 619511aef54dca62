#ifndef DIALECTS_SHAPES_SHAPERULES_H
#define DIALECTS_SHAPES_SHAPERULES_H

#include "dialects/TT/TT.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

#include <string>

/// Rules that ops of the 'ttir' and the 'ttnn' dialect share. Every function
/// returns failure after it has emitted one error at `op` that says what was
/// expected and what was found. Shapes with dynamic extents are let through
/// where they decide.
namespace mlir::tt::shapes {

/// `64x128`; `scalar` for rank 0.
std::string toString(ArrayRef<int64_t> shape);

/// The shape that `shapes` broadcast to by NumPy's rules; failure if they do
/// not. No shapes give a scalar.
FailureOr<SmallVector<int64_t>>
broadcastShapes(ArrayRef<ArrayRef<int64_t>> shapes);

/// `dim` counted from the front, if it is in [-rank, rank).
std::optional<int64_t> normalizeDim(int64_t dim, int64_t rank);

/// `arity` inputs before one output, broadcast-compatible; one result of the
/// broadcast shape.
LogicalResult verifyElementwise(Operation *op, int64_t arity);

LogicalResult verifyMatmul(Operation *op, RankedTensorType a,
                           RankedTensorType b, RankedTensorType output);

/// `dims` is null or an array of i32; see the constraints of `ttir.sum`.
LogicalResult verifyReduction(Operation *op, RankedTensorType input,
                              RankedTensorType output, bool keepDim,
                              ArrayAttr dims);

LogicalResult verifyBroadcast(Operation *op, RankedTensorType input,
                              RankedTensorType output, ArrayAttr dimensions);

LogicalResult verifyTranspose(Operation *op, RankedTensorType input,
                              RankedTensorType output, int64_t dim0,
                              int64_t dim1);

LogicalResult verifyConcat(Operation *op, TypeRange inputs,
                           RankedTensorType output, int64_t dim);

LogicalResult verifyReshape(Operation *op, RankedTensorType input,
                            RankedTensorType output, ArrayAttr shape);

LogicalResult verifySqueeze(Operation *op, RankedTensorType input,
                            RankedTensorType output, int64_t dim);

LogicalResult verifyUnsqueeze(Operation *op, RankedTensorType input,
                              RankedTensorType output, int64_t dim);

LogicalResult verifyEmbedding(Operation *op, RankedTensorType input,
                              RankedTensorType weight, RankedTensorType output);

LogicalResult verifySoftmax(Operation *op, RankedTensorType input,
                            RankedTensorType output, int64_t dimension);

/// Ranks of a convolution's operands; `bias` may be null.
LogicalResult verifyConv2dRanks(Operation *op, RankedTensorType input,
                                RankedTensorType weight, RankedTensorType bias);

/// Rank of a pooling's input, and its kernel against `height` x `width`.
LogicalResult verifyPoolInputRank(Operation *op, RankedTensorType input);
LogicalResult verifyPoolKernel(Operation *op, int64_t kernelHeight,
                               int64_t kernelWidth, int64_t height,
                               int64_t width);

/// An allocation of `size` bytes at `address` for a tensor of type `result`.
LogicalResult verifyAlloc(Operation *op, RankedTensorType result,
                          uint64_t address, uint64_t size,
                          MemorySpace memorySpace);

} // namespace mlir::tt::shapes

#endif
