#ifndef DIALECTS_SHAPES_SHAPERULES_H
#define DIALECTS_SHAPES_SHAPERULES_H

#include "dialects/TT/TT.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

#include <string>

/// Rules that ops of the 'ttir' and the 'ttnn' dialect share. `infer` functions
/// compute the shape of an op's output from its inputs and attributes, `verify`
/// functions compare an output with it; rules without a `verify` are compared
/// by `expectShape`. Every function returns failure after it has emitted one
/// error at `op` that says what was expected and what was found. Rules that
/// depend on dynamic extents accept them. Types may be null where an op's
/// operand is optional.
namespace mlir::tt::shapes {

using Shape = SmallVector<int64_t>;

/// `64x128`; `scalar` for rank 0.
std::string toString(ArrayRef<int64_t> shape);

/// An output of the shape `expected` (a scalar's may be 1), unless that failed.
/// An error is `message`, which ends with what comes before it, and the shape.
LogicalResult expectShape(Operation *op, FailureOr<Shape> expected,
                          RankedTensorType output,
                          StringRef message = "Output shape mismatch: "
                                              "expected ");

/// The shape that `shapes` broadcast to by NumPy's rules; failure if they do
/// not. No shapes give a scalar.
FailureOr<Shape> broadcastShapes(ArrayRef<ArrayRef<int64_t>> shapes);

/// `dim` counted from the front, if it is in [-rank, rank).
std::optional<int64_t> normalizeDim(int64_t dim, int64_t rank);

/// `arity` inputs before one output, broadcast-compatible; one result of the
/// broadcast shape. With `integersOnly` all have integer elements.
FailureOr<Shape> inferElementwise(Operation *op, int64_t arity);
LogicalResult verifyElementwise(Operation *op, int64_t arity,
                                bool integersOnly);

/// Integer elements of all operands and results.
LogicalResult verifyIntegers(Operation *op);

/// The tensors of a product or a convolution: all of floats or all of integers,
/// as they are stored. Inputs may be null.
LogicalResult verifyOneKind(Operation *op, ArrayRef<RankedTensorType> inputs,
                            RankedTensorType output);

FailureOr<Shape> inferMatmul(Operation *op, RankedTensorType a,
                             RankedTensorType b, bool transposeA,
                             bool transposeB);
LogicalResult verifyMatmul(Operation *op, RankedTensorType output,
                           RankedTensorType a, RankedTensorType b,
                           bool transposeA, bool transposeB);

FailureOr<Shape> inferLinear(Operation *op, RankedTensorType a,
                             RankedTensorType b, RankedTensorType bias,
                             bool transposeA, bool transposeB);
LogicalResult verifyLinear(Operation *op, RankedTensorType output,
                           RankedTensorType a, RankedTensorType b,
                           RankedTensorType bias, bool transposeA,
                           bool transposeB);

/// `dims` is null or an array of i32; see the constraints of `ttir.sum`.
FailureOr<Shape> inferReduction(Operation *op, RankedTensorType input,
                                bool keepDim, ArrayAttr dims);
LogicalResult verifyReduction(Operation *op, RankedTensorType output,
                              RankedTensorType input, bool keepDim,
                              ArrayAttr dims);

/// `dimensions` of i64 are those of `ttir.broadcast`, whose output is stated.
LogicalResult verifyBroadcast(Operation *op, RankedTensorType output,
                              RankedTensorType input, ArrayAttr dimensions);

/// The extents of a broadcast's input as a tensor of rank `rank`, with 1 for
/// the dimensions of the output that `dimensions` do not name.
Shape alignBroadcast(ArrayRef<int64_t> input, int64_t rank,
                     ArrayAttr dimensions);

FailureOr<Shape> inferTranspose(Operation *op, RankedTensorType input,
                                int64_t dim0, int64_t dim1);
LogicalResult verifyTranspose(Operation *op, RankedTensorType output,
                              RankedTensorType input, int64_t dim0,
                              int64_t dim1);

FailureOr<Shape> inferConcat(Operation *op, TypeRange inputs, int64_t dim);
LogicalResult verifyConcat(Operation *op, RankedTensorType output,
                           TypeRange inputs, int64_t dim);

FailureOr<Shape> inferReshape(Operation *op, RankedTensorType input,
                              ArrayAttr shape);
LogicalResult verifyReshape(Operation *op, RankedTensorType output,
                            RankedTensorType input, ArrayAttr shape);

FailureOr<Shape> inferSqueeze(Operation *op, RankedTensorType input,
                              int64_t dim);
LogicalResult verifySqueeze(Operation *op, RankedTensorType output,
                            RankedTensorType input, int64_t dim);

FailureOr<Shape> inferUnsqueeze(Operation *op, RankedTensorType input,
                                int64_t dim);
LogicalResult verifyUnsqueeze(Operation *op, RankedTensorType output,
                              RankedTensorType input, int64_t dim);

FailureOr<Shape> inferEmbedding(Operation *op, RankedTensorType input,
                                RankedTensorType weight);
LogicalResult verifyEmbedding(Operation *op, RankedTensorType output,
                              RankedTensorType input, RankedTensorType weight);

FailureOr<Shape> inferEmbeddingBackward(Operation *op, RankedTensorType input,
                                        RankedTensorType weight,
                                        RankedTensorType gradient);
LogicalResult verifyEmbeddingBackward(Operation *op, RankedTensorType output,
                                      RankedTensorType input,
                                      RankedTensorType weight,
                                      RankedTensorType gradient);

FailureOr<Shape> inferSoftmax(Operation *op, RankedTensorType input,
                              int64_t dimension);
LogicalResult verifySoftmax(Operation *op, RankedTensorType output,
                            RankedTensorType input, int64_t dimension);

/// Of `layer_norm` and `rms_norm`.
FailureOr<Shape> inferNorm(Operation *op, RankedTensorType input,
                           RankedTensorType weight, RankedTensorType bias,
                           ArrayRef<int64_t> normalizedShape,
                           const APFloat &epsilon);
LogicalResult verifyNorm(Operation *op, RankedTensorType output,
                         RankedTensorType input, RankedTensorType weight,
                         RankedTensorType bias,
                         ArrayRef<int64_t> normalizedShape,
                         const APFloat &epsilon);

/// `dims` is null or an array of i32.
FailureOr<Shape> inferArgMax(Operation *op, RankedTensorType input,
                             bool keepDim, ArrayAttr dims);
LogicalResult verifyArgMax(Operation *op, RankedTensorType output,
                           RankedTensorType input, bool keepDim,
                           ArrayAttr dims);

FailureOr<Shape> inferCumSum(Operation *op, RankedTensorType input,
                             int64_t dim);

/// Of `argsort`: the places are integers of 16 bits at least.
FailureOr<Shape> inferArgSort(Operation *op, RankedTensorType input,
                              int64_t dim);
LogicalResult verifyArgSort(Operation *op, RankedTensorType output,
                            RankedTensorType input, int64_t dim);

/// `index` may be null.
FailureOr<Shape> inferUpdateSlice(Operation *op, RankedTensorType input,
                                  RankedTensorType update,
                                  RankedTensorType index,
                                  ArrayRef<int64_t> starts,
                                  ArrayRef<int64_t> dims);

FailureOr<Shape> inferScatterRows(Operation *op, RankedTensorType input,
                                  RankedTensorType indices,
                                  RankedTensorType updates, ReduceType type);

FailureOr<Shape> inferPreviousEqual(Operation *op, RankedTensorType input,
                                    int64_t limit);
LogicalResult verifyPreviousEqual(Operation *op, RankedTensorType output,
                                  RankedTensorType input, int64_t limit);

/// The element types decide; of `output` nothing else is looked at.
FailureOr<Shape> inferBitcastConvert(Operation *op, RankedTensorType input,
                                     RankedTensorType output);

FailureOr<Shape> inferPermute(Operation *op, RankedTensorType input,
                              ArrayRef<int64_t> permutation);

/// Arrays of i32.
FailureOr<Shape> inferSlice(Operation *op, RankedTensorType input,
                            ArrayAttr begins, ArrayAttr ends, ArrayAttr step);

FailureOr<Shape> inferPad(Operation *op, RankedTensorType input,
                          ArrayRef<int32_t> padding);

FailureOr<Shape> inferRepeat(Operation *op, RankedTensorType input,
                             ArrayRef<int64_t> repeats);

/// The attributes of `ttir.gather`.
struct GatherDims {
  ArrayRef<int64_t> offsetDims, collapsedSliceDims, operandBatchingDims,
      startIndicesBatchingDims, startIndexMap;
  int64_t indexVectorDim;
  ArrayRef<int64_t> sliceSizes;
};
FailureOr<Shape> inferGather(Operation *op, RankedTensorType input,
                             RankedTensorType startIndices,
                             const GatherDims &dims);

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

/// The input is (N, H, W * C); arrays of two entries.
FailureOr<Shape> inferUnfold(Operation *op, RankedTensorType input,
                             int64_t channels, ArrayRef<int32_t> kernel,
                             ArrayRef<int32_t> stride,
                             ArrayRef<int32_t> dilation);

FailureOr<Shape> inferPrepareConv2dWeights(Operation *op,
                                           RankedTensorType weight);

/// The type (O, C / groups, KH, KW) of the weights of a convolution that come
/// prepared, for a `kernel` of two extents; null if they have another shape.
RankedTensorType getPlainWeight(RankedTensorType prepared, int64_t channels,
                                ArrayRef<int64_t> kernel);

/// The input is (N, H, W, C), or (H, W, C).
FailureOr<Shape> inferConv2d(Operation *op, RankedTensorType input,
                             RankedTensorType weight, RankedTensorType bias,
                             const Window &window, int64_t groups);
LogicalResult verifyConv2d(Operation *op, RankedTensorType output,
                           RankedTensorType input, RankedTensorType weight,
                           RankedTensorType bias, const Window &window,
                           int64_t groups);

/// Arrays of two entries, `padding` of four: top, left, bottom, right.
struct TransposedWindow {
  ArrayRef<int32_t> stride, padding, outputPadding, dilation;
};
FailureOr<Shape> inferConvTranspose2d(Operation *op, RankedTensorType input,
                                      RankedTensorType weight,
                                      RankedTensorType bias,
                                      const TransposedWindow &window,
                                      int64_t groups);
LogicalResult verifyConvTranspose2d(Operation *op, RankedTensorType output,
                                    RankedTensorType input,
                                    RankedTensorType weight,
                                    RankedTensorType bias,
                                    const TransposedWindow &window,
                                    int64_t groups);

/// Rank of a pooling's input, and its window on `height` x `width`.
LogicalResult verifyPoolInputRank(Operation *op, RankedTensorType input);
LogicalResult verifyPoolWindow(Operation *op, const Window &window,
                               int64_t height, int64_t width);

FailureOr<Shape> inferUpsample(Operation *op, RankedTensorType input,
                               ArrayRef<int32_t> scaleFactor, StringRef mode);

/// The rules of attention for a query (B, H, S, D), a key (B, G, T, D) and a
/// value (B, G, T, E); of a mask, or none, that broadcasts to `scores`; of a
/// sink, or none, with a row for each head; and of positions, or none, that
/// broadcast to (B, S).
LogicalResult verifyAttention(Operation *op, ArrayRef<int64_t> query,
                              ArrayRef<int64_t> key, ArrayRef<int64_t> value);
LogicalResult verifyAttentionMask(Operation *op, Value mask, bool isCausal,
                                  ArrayRef<int64_t> scores);
LogicalResult verifyAttentionSink(Operation *op, Value sink, int64_t heads);
LogicalResult verifyPositions(Operation *op, Value positions, bool isCausal,
                              ArrayRef<int64_t> queries);
/// The shape (B, G, T, D) of the keys or values of all batches. If `table` is
/// not null, it lists the blocks of each batch.
FailureOr<Shape> inferPaged(Operation *op, RankedTensorType blocks, Value table,
                            int64_t batches);
/// Checks that keys and values have the same number of blocks and heads and the
/// same block size.
LogicalResult verifySameBlocks(Operation *op, ArrayRef<int64_t> key,
                               ArrayRef<int64_t> value);
/// The shape of the result by all of them.
FailureOr<Shape> inferAttention(Operation *op, RankedTensorType query,
                                RankedTensorType key, RankedTensorType value,
                                Value mask, Value sink, Value positions,
                                Value pageTable, bool isCausal);

/// Shapes and element types of elements and the tensor that they make.
LogicalResult verifyElements(Operation *op, ElementsAttr value,
                             RankedTensorType result);

/// An allocation of `size` bytes at `address` for a tensor of type `result`.
LogicalResult verifyAlloc(Operation *op, RankedTensorType result,
                          uint64_t address, uint64_t size,
                          MemorySpace memorySpace);

} // namespace mlir::tt::shapes

#endif
