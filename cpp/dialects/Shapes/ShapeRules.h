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

/// An output of the shape `expected`.
LogicalResult expectShape(Operation *op, ArrayRef<int64_t> expected,
                          RankedTensorType output);

/// The shape that `shapes` broadcast to by NumPy's rules; failure if they do
/// not. No shapes give a scalar.
FailureOr<SmallVector<int64_t>>
broadcastShapes(ArrayRef<ArrayRef<int64_t>> shapes);

/// `dim` counted from the front, if it is in [-rank, rank).
std::optional<int64_t> normalizeDim(int64_t dim, int64_t rank);

/// `arity` inputs before one output, broadcast-compatible; one result of the
/// broadcast shape. With `integersOnly` all have integer elements.
LogicalResult verifyElementwise(Operation *op, int64_t arity,
                                bool integersOnly);

/// Integer elements of all operands and results.
LogicalResult verifyIntegers(Operation *op);

LogicalResult verifyMatmul(Operation *op, RankedTensorType a,
                           RankedTensorType b, RankedTensorType output,
                           bool transposeA, bool transposeB);

/// `bias` may be null.
LogicalResult verifyLinear(Operation *op, RankedTensorType a,
                           RankedTensorType b, RankedTensorType bias,
                           RankedTensorType output, bool transposeA,
                           bool transposeB);

/// `dims` is null or an array of i32; see the constraints of `ttir.sum`.
LogicalResult verifyReduction(Operation *op, RankedTensorType input,
                              RankedTensorType output, bool keepDim,
                              ArrayAttr dims);

/// `dimensions` of i64 are those of `ttir.broadcast`.
LogicalResult verifyBroadcast(Operation *op, RankedTensorType input,
                              RankedTensorType output, ArrayAttr dimensions);

/// The extents of a broadcast's input as a tensor of rank `rank`, with 1 for
/// the dimensions of the output that `dimensions` do not name.
SmallVector<int64_t> alignBroadcast(ArrayRef<int64_t> input, int64_t rank,
                                    ArrayAttr dimensions);

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

/// Null `weight` or `bias` are not there.
LogicalResult verifyLayerNorm(Operation *op, RankedTensorType input,
                              RankedTensorType weight, RankedTensorType bias,
                              RankedTensorType output,
                              ArrayRef<int64_t> normalizedShape,
                              const APFloat &epsilon);
LogicalResult verifyRMSNorm(Operation *op, RankedTensorType input,
                            RankedTensorType weight, RankedTensorType bias,
                            RankedTensorType output,
                            ArrayRef<int64_t> normalizedShape,
                            const APFloat &epsilon);

LogicalResult verifyEmbeddingBackward(Operation *op, RankedTensorType input,
                                      RankedTensorType weight,
                                      RankedTensorType gradient,
                                      RankedTensorType output);

/// `dims` is null or an array of i32.
LogicalResult verifyArgMax(Operation *op, RankedTensorType input,
                           RankedTensorType output, bool keepDim,
                           ArrayAttr dims);

LogicalResult verifyCumSum(Operation *op, RankedTensorType input,
                           RankedTensorType output, int64_t dim);

LogicalResult verifyPermute(Operation *op, RankedTensorType input,
                            RankedTensorType output,
                            ArrayRef<int64_t> permutation);

/// Arrays of i32.
LogicalResult verifySlice(Operation *op, RankedTensorType input,
                          RankedTensorType output, ArrayAttr begins,
                          ArrayAttr ends, ArrayAttr step);

LogicalResult verifyPad(Operation *op, RankedTensorType input,
                        RankedTensorType output, ArrayRef<int32_t> padding);

LogicalResult verifyRepeat(Operation *op, RankedTensorType input,
                           RankedTensorType output, ArrayRef<int64_t> repeats);

/// The attributes of `ttir.gather`.
struct GatherDims {
  ArrayRef<int64_t> offsetDims, collapsedSliceDims, operandBatchingDims,
      startIndicesBatchingDims, startIndexMap;
  int64_t indexVectorDim;
  ArrayRef<int64_t> sliceSizes;
};
LogicalResult verifyGather(Operation *op, RankedTensorType input,
                           RankedTensorType startIndices,
                           RankedTensorType output, const GatherDims &dims);

/// Numbers of an arange; nothing if there are none or `step` is 0.
std::optional<int64_t> countArange(int64_t start, int64_t end, int64_t step);

/// A window that slides over an image; all units are elements.
struct Window {
  int64_t kernelHeight, kernelWidth;
  int64_t strideHeight, strideWidth;
  int64_t dilationHeight, dilationWidth;
  int64_t paddingTop, paddingLeft, paddingBottom, paddingRight;
  bool ceilMode = false;
};

/// Height and width of what `window` makes of `height` x `width`.
std::pair<int64_t, int64_t> getWindowExtents(const Window &window,
                                             int64_t height, int64_t width);

/// Positive kernel, strides and dilations, no negative paddings.
LogicalResult verifyWindow(Operation *op, const Window &window);

/// The input is (N, H, W, C), or (H, W, C); `bias` may be null.
LogicalResult verifyConv2d(Operation *op, RankedTensorType input,
                           RankedTensorType weight, RankedTensorType bias,
                           RankedTensorType output, const Window &window,
                           int64_t groups);

/// Arrays of two entries, `padding` of four: top, left, bottom, right.
LogicalResult verifyConvTranspose2d(
    Operation *op, RankedTensorType input, RankedTensorType weight,
    RankedTensorType bias, RankedTensorType output, ArrayRef<int32_t> stride,
    ArrayRef<int32_t> padding, ArrayRef<int32_t> outputPadding,
    ArrayRef<int32_t> dilation, int64_t groups);

/// Rank of a pooling's input, and its window on `height` x `width`.
LogicalResult verifyPoolInputRank(Operation *op, RankedTensorType input);
LogicalResult verifyPoolWindow(Operation *op, const Window &window,
                               int64_t height, int64_t width);

LogicalResult verifyUpsample(Operation *op, RankedTensorType input,
                             RankedTensorType output,
                             ArrayRef<int32_t> scaleFactor, StringRef mode);

/// Shapes and element types of elements and the tensor that they make.
LogicalResult verifyElements(Operation *op, ElementsAttr value,
                             RankedTensorType result);

/// An allocation of `size` bytes at `address` for a tensor of type `result`.
LogicalResult verifyAlloc(Operation *op, RankedTensorType result,
                          uint64_t address, uint64_t size,
                          MemorySpace memorySpace);

} // namespace mlir::tt::shapes

#endif
