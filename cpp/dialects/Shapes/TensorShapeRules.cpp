#include "dialects/Shapes/ShapeRules.h"

namespace mlir::tt::shapes {

LogicalResult verifyBroadcast(Operation *op, RankedTensorType input,
                              RankedTensorType output, ArrayAttr dimensions) {
  SmallVector<int64_t> dims = llvm::to_vector(
      llvm::map_range(dimensions.getAsRange<IntegerAttr>(),
                      [](IntegerAttr dim) { return dim.getInt(); }));
  int64_t rank = output.getRank();
  bool isAscending = std::adjacent_find(dims.begin(), dims.end(),
                                        std::greater_equal<>()) == dims.end();
  if (static_cast<int64_t>(dims.size()) != input.getRank() || !isAscending ||
      (!dims.empty() && (dims.front() < 0 || dims.back() >= rank)))
    return op->emitOpError("(C1) dimension must name a dimension of the output "
                           "for each of the input's, in ascending order: "
                           "expected ")
           << input.getRank() << " in [0, " << rank << "), found "
           << dimensions;
  for (auto [extent, dim] : llvm::zip_equal(input.getShape(), dims)) {
    int64_t target = output.getDimSize(dim);
    if (extent != 1 && extent != target && !ShapedType::isDynamic(extent) &&
        !ShapedType::isDynamic(target))
      return op->emitOpError("(C2) Input must be broadcastable to the output: "
                             "input is ")
             << toString(input.getShape()) << ", output is "
             << toString(output.getShape()) << ", expected an extent of 1 or "
             << target << " for dimension " << dim << ", found " << extent;
  }
  return success();
}

SmallVector<int64_t> alignBroadcast(ArrayRef<int64_t> input, int64_t rank,
                                    ArrayAttr dimensions) {
  SmallVector<int64_t> aligned(rank, 1);
  for (auto [extent, dim] :
       llvm::zip_equal(input, dimensions.getAsRange<IntegerAttr>()))
    aligned[dim.getInt()] = extent;
  return aligned;
}

LogicalResult verifyTranspose(Operation *op, RankedTensorType input,
                              RankedTensorType output, int64_t dim0,
                              int64_t dim1) {
  int64_t rank = input.getRank();
  if (rank < 2)
    return op->emitOpError("Input must be at least a 2D tensor")
           << ": found rank " << rank;
  if (output.getRank() != rank)
    return op->emitOpError("Input must have the same rank as output")
           << ": found " << rank << " and " << output.getRank();
  auto outOfBounds = [&](int index, int64_t dim) {
    return op->emitOpError("Dimension ")
           << index
           << " attribute must be within the bounds of the input tensor"
           << ": expected a dimension in [" << -rank << ", " << rank
           << "), found " << dim;
  };
  std::optional<int64_t> first = normalizeDim(dim0, rank);
  if (!first)
    return outOfBounds(0, dim0);
  std::optional<int64_t> second = normalizeDim(dim1, rank);
  if (!second)
    return outOfBounds(1, dim1);

  SmallVector<int64_t> expected(input.getShape());
  std::swap(expected[*first], expected[*second]);
  if (output.getShape() != ArrayRef<int64_t>(expected))
    return op->emitOpError("Input-output transpose dimension mismatch.")
           << " Expected output " << toString(expected) << ", found "
           << toString(output.getShape());
  return success();
}

LogicalResult verifyConcat(Operation *op, TypeRange inputs,
                           RankedTensorType output, int64_t dim) {
  if (inputs.empty())
    return op->emitOpError("expected at least one input tensor, found none");
  auto first = cast<RankedTensorType>(inputs.front());
  int64_t rank = first.getRank();
  std::optional<int64_t> axis = normalizeDim(dim, rank);
  if (!axis)
    return op->emitOpError("Invalid dimension ")
           << dim << " for concatenation. Expected a dimension in [" << -rank
           << ", " << rank << ")";

  SmallVector<int64_t> expected(first.getShape());
  for (Type type : inputs.drop_front()) {
    ArrayRef<int64_t> shape = cast<RankedTensorType>(type).getShape();
    if (static_cast<int64_t>(shape.size()) != rank)
      return op->emitOpError("All input tensors must have the same rank.")
             << " Found " << rank << " and " << shape.size();
    for (int64_t i = 0; i < rank; ++i)
      if (i != *axis && shape[i] != first.getDimSize(i))
        return op->emitOpError("All input tensors must have the same "
                               "dimensions, except for dimension ")
               << *axis << ". Found " << toString(first.getShape()) << " and "
               << toString(shape);
    expected[*axis] += shape[*axis];
  }
  if (output.getShape() != ArrayRef<int64_t>(expected))
    return op->emitOpError("Output tensor must have the concatenated shape: "
                           "expected ")
           << toString(expected) << ", found " << toString(output.getShape());
  return success();
}

LogicalResult verifyReshape(Operation *op, RankedTensorType input,
                            RankedTensorType output, ArrayAttr shapeAttr) {
  SmallVector<int64_t> shape;
  for (APInt value : shapeAttr.getAsValueRange<IntegerAttr>())
    shape.push_back(value.getSExtValue());

  if (static_cast<int64_t>(shape.size()) != output.getRank())
    return op->emitOpError("Shape attribute size must match output tensor rank")
           << ": expected " << output.getRank() << ", found " << shape.size();
  if (shape.empty())
    return op->emitOpError("Shape attribute must be non-empty: found []");
  if (shape.size() > 5)
    return op->emitOpError("Shape attribute must have at most 5 elements")
           << ": found " << shape.size();
  if (!input.hasStaticShape() || !output.hasStaticShape())
    return success();
  int64_t elements = input.getNumElements();
  if (elements != output.getNumElements())
    return op->emitOpError(
               "Input and output tensors must have the same number of elements")
           << ": input " << toString(input.getShape()) << " has " << elements
           << ", output " << toString(output.getShape()) << " has "
           << output.getNumElements();
  if (llvm::count(shape, -1) > 1)
    return op->emitOpError("Shape attribute must have at most one -1 element")
           << ": found " << llvm::count(shape, -1);

  for (auto [extent, expected] : llvm::zip(shape, output.getShape())) {
    if (extent == -1)
      continue;
    if (extent <= 0)
      return op->emitOpError(
                 "All dimensions must be positive except the one with -1")
             << ": found " << extent;
    if (extent != expected)
      return op->emitOpError("Shape attribute must match the output tensor "
                             "shape for dimensions that are not -1")
             << ": expected " << expected << ", found " << extent;
  }
  return success();
}

LogicalResult verifySqueeze(Operation *op, RankedTensorType input,
                            RankedTensorType output, int64_t given) {
  int64_t rank = input.getRank();
  std::optional<int64_t> dim = normalizeDim(given, rank);
  if (!dim)
    return op->emitOpError("Invalid dimension ")
           << given << " for squeezing. Expected a dimension in [" << -rank
           << ", " << rank << ")";
  if (input.getDimSize(*dim) != 1)
    return op->emitOpError("Dimension ")
           << *dim << " in the input tensor must be 1. Found "
           << input.getDimSize(*dim);
  if (output.getRank() == 0)
    return op->emitOpError(
        "Output tensor must have at least one dimension. Found none");
  if (output.getRank() != rank - 1)
    return op->emitOpError("Output tensor rank must be one less than the input "
                           "tensor rank. Expected ")
           << rank - 1 << ", found " << output.getRank();
  SmallVector<int64_t> expected(input.getShape());
  expected.erase(expected.begin() + *dim);
  if (output.getShape() != ArrayRef<int64_t>(expected))
    return op->emitOpError("Dimensions of the output tensor must be the same "
                           "as the input tensor except for dimension ")
           << *dim << ". Expected " << toString(expected) << ", found "
           << toString(output.getShape());
  return success();
}

LogicalResult verifyUnsqueeze(Operation *op, RankedTensorType input,
                              RankedTensorType output, int64_t given) {
  int64_t outputRank = input.getRank() + 1;
  std::optional<int64_t> dim = normalizeDim(given, outputRank);
  if (!dim)
    return op->emitOpError(
               "Dimension attribute must be within the bounds of the input "
               "tensor")
           << ": expected a dimension in [" << -outputRank << ", " << outputRank
           << "), found " << given;
  if (output.getRank() != outputRank)
    return op->emitOpError("Output tensor must have one more dimension than "
                           "the input tensor")
           << ": expected " << outputRank << ", found " << output.getRank();
  if (output.getDimSize(*dim) != 1)
    return op->emitOpError("Dimension added must be of size 1")
           << ": found " << output.getDimSize(*dim);
  SmallVector<int64_t> expected(input.getShape());
  expected.insert(expected.begin() + *dim, 1);
  if (output.getShape() != ArrayRef<int64_t>(expected))
    return op->emitOpError("All dimensions of the input tensor must be the "
                           "same as the output tensor except for the dimension "
                           "added")
           << ": expected " << toString(expected) << ", found "
           << toString(output.getShape());
  return success();
}

} // namespace mlir::tt::shapes
