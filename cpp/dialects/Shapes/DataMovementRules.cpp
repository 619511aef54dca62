#include "dialects/Shapes/ShapeRules.h"

namespace mlir::tt::shapes {

static InFlightDiagnostic emitDimensionError(Operation *op, int64_t dim,
                                             int64_t rank) {
  return op->emitOpError("Dimension attribute must be within the bounds of the "
                         "input tensor")
         << ": expected a dimension in [" << -rank << ", " << rank
         << "), found " << dim;
}

/// The sizes of per-dimension arrays.
static LogicalResult expectEntries(Operation *op, StringRef name, size_t found,
                                   size_t expected) {
  if (found == expected)
    return success();
  return op->emitOpError(name) << " must have " << expected
                               << " entries for its input: found " << found;
}

FailureOr<Shape> inferArgMax(Operation *op, RankedTensorType input,
                             bool keepDim, ArrayAttr dims) {
  int64_t rank = input.getRank();
  // Without dimensions there is one index; a tensor has rank 1 at least.
  if (!dims)
    return Shape(keepDim ? rank : 1, 1);
  if (dims.size() != 1)
    return op->emitOpError("dim_arg must have one entry: found ")
           << dims.size();
  int64_t given = cast<IntegerAttr>(dims[0]).getInt();
  std::optional<int64_t> dim = normalizeDim(given, rank);
  if (!dim)
    return emitDimensionError(op, given, rank);
  Shape shape(input.getShape());
  if (keepDim || rank == 1)
    shape[*dim] = 1;
  else
    shape.erase(shape.begin() + *dim);
  return shape;
}

LogicalResult verifyArgMax(Operation *op, RankedTensorType output,
                           RankedTensorType input, bool keepDim,
                           ArrayAttr dims) {
  if (!isa<IntegerType>(output.getElementType()))
    return op->emitOpError("Output must have integer elements: found ")
           << output.getElementType();
  FailureOr<Shape> expected = inferArgMax(op, input, keepDim, dims);
  // One index may also be a scalar.
  if (succeeded(expected) && output.getRank() == 0 && !keepDim &&
      (!dims || input.getRank() == 1))
    return success();
  return expectShape(op, expected, output);
}

FailureOr<Shape> inferCumSum(Operation *op, RankedTensorType input,
                             int64_t dim) {
  if (!normalizeDim(dim, input.getRank()))
    return emitDimensionError(op, dim, input.getRank());
  return Shape(input.getShape());
}

FailureOr<Shape> inferPermute(Operation *op, RankedTensorType input,
                              ArrayRef<int64_t> permutation) {
  size_t rank = input.getRank();
  if (failed(expectEntries(op, "permutation", permutation.size(), rank)))
    return failure();
  SmallVector<bool> seen(rank, false);
  Shape shape;
  for (int64_t dim : permutation) {
    if (dim < 0 || dim >= static_cast<int64_t>(rank) || seen[dim])
      return op->emitOpError("permutation must have each of the dimensions 0 "
                             "to ")
             << rank - 1 << " once: found " << permutation;
    seen[dim] = true;
    shape.push_back(input.getDimSize(dim));
  }
  return shape;
}

FailureOr<Shape> inferSlice(Operation *op, RankedTensorType input,
                            ArrayAttr begins, ArrayAttr ends, ArrayAttr step) {
  size_t rank = input.getRank();
  if (failed(expectEntries(op, "begins", begins.size(), rank)) ||
      failed(expectEntries(op, "ends", ends.size(), rank)) ||
      failed(expectEntries(op, "step", step.size(), rank)))
    return failure();
  auto entry = [](ArrayAttr array, size_t d) {
    return cast<IntegerAttr>(array[d]).getInt();
  };
  Shape shape;
  for (size_t d = 0; d < rank; ++d) {
    int64_t extent = input.getDimSize(d);
    int64_t begin = entry(begins, d), end = entry(ends, d);
    int64_t stride = entry(step, d);
    begin += begin < 0 ? extent : 0;
    end += end < 0 ? extent : 0;
    if (stride <= 0)
      return op->emitOpError("step must be positive: found ")
             << stride << " in dimension " << d;
    if (begin < 0 || begin > end || end > extent)
      return op->emitOpError("expected 0 <= begin <= end <= ")
             << extent << " in dimension " << d << ", found begin "
             << entry(begins, d) << " and end " << entry(ends, d);
    shape.push_back((end - begin + stride - 1) / stride);
  }
  return shape;
}

FailureOr<Shape> inferPad(Operation *op, RankedTensorType input,
                          ArrayRef<int32_t> padding) {
  size_t rank = input.getRank();
  if (failed(expectEntries(op, "padding", padding.size(), 2 * rank)))
    return failure();
  Shape shape(input.getShape());
  for (auto [i, count] : llvm::enumerate(padding)) {
    if (count < 0)
      return op->emitOpError("padding must not be negative: found ")
             << count << " in dimension " << i / 2;
    shape[i / 2] += count;
  }
  return shape;
}

FailureOr<Shape> inferRepeat(Operation *op, RankedTensorType input,
                             ArrayRef<int64_t> repeats) {
  if (failed(expectEntries(op, "repeat dimensions", repeats.size(),
                           input.getRank())))
    return failure();
  Shape shape(input.getShape());
  for (auto [extent, count] : llvm::zip(shape, repeats)) {
    if (count <= 0)
      return op->emitOpError("repeat dimensions must be positive: found ")
             << count;
    if (llvm::MulOverflow(extent, count, extent))
      return op->emitOpError("repeat dimensions must give extents of 64 bits: "
                             "found ")
             << count;
  }
  return shape;
}

/// Whether `dims` are ascending, distinct and in [0, rank).
static LogicalResult expectAscending(Operation *op, StringRef name,
                                     ArrayRef<int64_t> dims, int64_t rank) {
  int64_t last = -1;
  for (int64_t dim : dims) {
    if (dim <= last || dim >= rank)
      return op->emitOpError(name) << " must be ascending dimensions in [0, "
                                   << rank << "): found " << dims;
    last = dim;
  }
  return success();
}

FailureOr<Shape> inferGather(Operation *op, RankedTensorType input,
                             RankedTensorType startIndices,
                             const GatherDims &dims) {
  int64_t rank = input.getRank(), indexRank = startIndices.getRank();
  if (!isa<IntegerType, FloatType>(startIndices.getElementType()))
    return op->emitOpError("start_indices must be numbers: found ")
           << startIndices.getElementType();
  if (dims.indexVectorDim < 0 || dims.indexVectorDim > indexRank)
    return op->emitOpError("index_vector_dim must be in [0, ")
           << indexRank << "]: found " << dims.indexVectorDim;
  int64_t vectorSize = dims.indexVectorDim == indexRank
                           ? 1
                           : startIndices.getDimSize(dims.indexVectorDim);
  if (static_cast<int64_t>(dims.startIndexMap.size()) != vectorSize)
    return op->emitOpError("start_index_map must have an entry for each of the "
                           "entries of an index vector: expected ")
           << vectorSize << ", found " << dims.startIndexMap.size();
  int64_t resultRank = dims.offsetDims.size() + indexRank -
                       (dims.indexVectorDim < indexRank ? 1 : 0);
  if (failed(expectEntries(op, "slice_sizes", dims.sliceSizes.size(), rank)) ||
      failed(expectAscending(op, "offset_dims", dims.offsetDims, resultRank)) ||
      failed(expectAscending(op, "collapsed_slice_dims",
                             dims.collapsedSliceDims, rank)) ||
      failed(expectAscending(op, "operand_batching_dims",
                             dims.operandBatchingDims, rank)))
    return failure();
  if (dims.operandBatchingDims.size() != dims.startIndicesBatchingDims.size())
    return op->emitOpError("expected as many start_indices_batching_dims as "
                           "operand_batching_dims: found ")
           << dims.startIndicesBatchingDims.size() << " and "
           << dims.operandBatchingDims.size();

  // Every dimension of the input is an offset, collapsed or a batch.
  SmallVector<bool> taken(rank, false), mapped(rank, false);
  for (ArrayRef<int64_t> list :
       {dims.collapsedSliceDims, dims.operandBatchingDims})
    for (int64_t dim : list) {
      if (taken[dim])
        return op->emitOpError("dimension ")
               << dim << " is collapsed and a batch: expected one of them";
      taken[dim] = true;
    }
  for (auto [operandDim, indexDim] :
       llvm::zip(dims.operandBatchingDims, dims.startIndicesBatchingDims))
    if (indexDim < 0 || indexDim >= indexRank ||
        indexDim == dims.indexVectorDim ||
        startIndices.getDimSize(indexDim) != input.getDimSize(operandDim))
      return op->emitOpError(
                 "start_indices_batching_dims must name a dimension "
                 "of the extent ")
             << input.getDimSize(operandDim) << ": found " << indexDim;
  for (int64_t dim : dims.startIndexMap) {
    if (dim < 0 || dim >= rank || mapped[dim])
      return op->emitOpError("start_index_map must have distinct dimensions in "
                             "[0, ")
             << rank << "): found " << dims.startIndexMap;
    mapped[dim] = true;
  }
  SmallVector<int64_t> offsets;
  for (int64_t d = 0; d < rank; ++d) {
    int64_t size = dims.sliceSizes[d];
    if (size < 0 || size > input.getDimSize(d) || (taken[d] && size != 1))
      return op->emitOpError("slice_sizes must be ")
             << (taken[d] ? "1" : "between 0 and the extent")
             << " in dimension " << d << " of " << toString(input.getShape())
             << ": found " << size;
    if (!taken[d])
      offsets.push_back(size);
  }
  if (offsets.size() != dims.offsetDims.size())
    return op->emitOpError("offset_dims must name a dimension for each that is "
                           "neither collapsed nor a batch: expected ")
           << offsets.size() << ", found " << dims.offsetDims.size();

  SmallVector<int64_t> batch(startIndices.getShape());
  if (dims.indexVectorDim < indexRank)
    batch.erase(batch.begin() + dims.indexVectorDim);
  Shape shape;
  size_t nextOffset = 0, nextBatch = 0;
  for (size_t d = 0; d < offsets.size() + batch.size(); ++d) {
    bool isOffset = nextOffset < offsets.size() &&
                    dims.offsetDims[nextOffset] == static_cast<int64_t>(d);
    if (!isOffset && nextBatch == batch.size())
      break;
    shape.push_back(isOffset ? offsets[nextOffset++] : batch[nextBatch++]);
  }
  return shape;
}

std::optional<int64_t> countArange(int64_t start, int64_t end, int64_t step) {
  if (step == 0)
    return std::nullopt;
  // Of the distance from start to end, which may not fit into 64 bits.
  __int128 distance = static_cast<__int128>(end) - start;
  __int128 count = (distance + step - (step > 0 ? 1 : -1)) / step;
  if (count <= 0 || count > std::numeric_limits<int64_t>::max())
    return std::nullopt;
  return static_cast<int64_t>(count);
}

LogicalResult verifyElements(Operation *op, ElementsAttr value,
                             RankedTensorType result) {
  ShapedType type = value.getShapedType();
  if (type.getShape() == result.getShape() &&
      type.getElementType() == result.getElementType())
    return success();
  return op->emitOpError("failed to verify that all of {value, result} have "
                         "same shape: value is ")
         << type << ", result is " << result;
}

} // namespace mlir::tt::shapes
