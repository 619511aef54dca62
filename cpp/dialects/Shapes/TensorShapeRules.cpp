#include "dialects/Shapes/ShapeRules.h"

#include "dialects/TT/Bounds.h"

namespace mlir::tt::shapes {

LogicalResult verifyBroadcast(Operation *op, RankedTensorType output,
                              RankedTensorType input, ArrayAttr dimensions) {
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

Shape alignBroadcast(ArrayRef<int64_t> input, int64_t rank,
                     ArrayAttr dimensions) {
  Shape aligned(rank, 1);
  for (auto [extent, dim] :
       llvm::zip_equal(input, dimensions.getAsRange<IntegerAttr>()))
    aligned[dim.getInt()] = extent;
  return aligned;
}

FailureOr<Shape> inferTranspose(Operation *op, RankedTensorType input,
                                int64_t dim0, int64_t dim1) {
  int64_t rank = input.getRank();
  if (rank < 2)
    return op->emitOpError("Input must be at least a 2D tensor")
           << ": found rank " << rank;
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
  Shape shape(input.getShape());
  std::swap(shape[*first], shape[*second]);
  return shape;
}

LogicalResult verifyTranspose(Operation *op, RankedTensorType output,
                              RankedTensorType input, int64_t dim0,
                              int64_t dim1) {
  FailureOr<Shape> expected = inferTranspose(op, input, dim0, dim1);
  if (succeeded(expected) && output.getRank() != input.getRank())
    return op->emitOpError("Input must have the same rank as output")
           << ": found " << input.getRank() << " and " << output.getRank();
  return expectShape(op, expected, output,
                     "Input-output transpose dimension mismatch. Expected "
                     "output ");
}

FailureOr<Shape> inferConcat(Operation *op, TypeRange inputs, int64_t dim) {
  if (inputs.empty())
    return op->emitOpError("expected at least one input tensor, found none");
  auto first = cast<RankedTensorType>(inputs.front());
  int64_t rank = first.getRank();
  std::optional<int64_t> axis = normalizeDim(dim, rank);
  if (!axis)
    return op->emitOpError("Invalid dimension ")
           << dim << " for concatenation. Expected a dimension in [" << -rank
           << ", " << rank << ")";

  Shape result(first.getShape());
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
    result[*axis] += shape[*axis];
  }
  return result;
}

LogicalResult verifyConcat(Operation *op, RankedTensorType output,
                           TypeRange inputs, int64_t dim) {
  return expectShape(op, inferConcat(op, inputs, dim), output,
                     "Output tensor must have the concatenated shape: "
                     "expected ");
}

FailureOr<Shape> inferReshape(Operation *op, RankedTensorType input,
                              ArrayAttr shapeAttr) {
  Shape shape;
  for (APInt value : shapeAttr.getAsValueRange<IntegerAttr>())
    shape.push_back(value.getSExtValue());
  if (llvm::count(shape, -1) > 1)
    return op->emitOpError("Shape attribute must have at most one -1 element")
           << ": found " << llvm::count(shape, -1);

  int64_t *left = nullptr;
  Shape stated;
  for (int64_t &extent : shape) {
    if (extent == -1) {
      extent = ShapedType::kDynamic;
      left = &extent;
    } else if (extent < 0) {
      return op->emitOpError(
                 "All dimensions must not be negative except the one with -1")
             << ": found " << extent;
    } else {
      stated.push_back(extent);
    }
  }
  if (!input.hasStaticShape())
    return shape;
  int64_t elements = input.getNumElements(), known = saturatedVolume(stated);
  if (left && known == 0)
    return op->emitOpError("Shape attribute must not have 0 beside -1, which "
                           "stands for what is left: found ")
           << shapeAttr;
  if (left ? elements % known != 0 : elements != known)
    return op->emitOpError(
               "Input and output tensors must have the same number of elements")
           << ": input " << toString(input.getShape()) << " has " << elements
           << ", output " << toString(shape) << " has "
           << (left ? "a multiple of " : "") << known;
  if (left)
    *left = elements / known;
  return shape;
}

LogicalResult verifyReshape(Operation *op, RankedTensorType output,
                            RankedTensorType input, ArrayAttr shape) {
  int64_t rank = output.getRank();
  if (static_cast<int64_t>(shape.size()) != rank)
    return op->emitOpError("Shape attribute size must match output tensor rank")
           << ": expected " << rank << ", found " << shape.size();
  FailureOr<Shape> expected = inferReshape(op, input, shape);
  if (failed(expected) || !input.hasStaticShape() || !output.hasStaticShape())
    return expected;
  if (input.getNumElements() != output.getNumElements())
    return op->emitOpError(
               "Input and output tensors must have the same number of elements")
           << ": input " << toString(input.getShape()) << " has "
           << input.getNumElements() << ", output "
           << toString(output.getShape()) << " has " << output.getNumElements();
  for (auto [extent, found] : llvm::zip(*expected, output.getShape()))
    if (extent != found)
      return op->emitOpError("Shape attribute must match the output tensor "
                             "shape for dimensions that are not -1")
             << ": expected " << found << ", found " << extent;
  return success();
}

FailureOr<Shape> inferSqueeze(Operation *op, RankedTensorType input,
                              int64_t given) {
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
  Shape shape(input.getShape());
  shape.erase(shape.begin() + *dim);
  return shape;
}

LogicalResult verifySqueeze(Operation *op, RankedTensorType output,
                            RankedTensorType input, int64_t given) {
  FailureOr<Shape> expected = inferSqueeze(op, input, given);
  if (failed(expected))
    return failure();
  int64_t rank = expected->size();
  if (output.getRank() != rank)
    return op->emitOpError("Output tensor rank must be one less than the input "
                           "tensor rank. Expected ")
           << rank << ", found " << output.getRank();
  return expectShape(
      op, expected, output,
      "Dimensions of the output tensor must be the same as the input tensor "
      "except for dimension " +
          std::to_string(*normalizeDim(given, rank + 1)) + ". Expected ");
}

FailureOr<Shape> inferUnsqueeze(Operation *op, RankedTensorType input,
                                int64_t given) {
  int64_t rank = input.getRank() + 1;
  std::optional<int64_t> dim = normalizeDim(given, rank);
  if (!dim)
    return op->emitOpError(
               "Dimension attribute must be within the bounds of the input "
               "tensor")
           << ": expected a dimension in [" << -rank << ", " << rank
           << "), found " << given;
  Shape shape(input.getShape());
  shape.insert(shape.begin() + *dim, 1);
  return shape;
}

LogicalResult verifyUnsqueeze(Operation *op, RankedTensorType output,
                              RankedTensorType input, int64_t given) {
  FailureOr<Shape> expected = inferUnsqueeze(op, input, given);
  if (failed(expected))
    return failure();
  int64_t rank = expected->size();
  if (output.getRank() != rank)
    return op->emitOpError("Output tensor must have one more dimension than "
                           "the input tensor")
           << ": expected " << rank << ", found " << output.getRank();
  int64_t extent = output.getDimSize(*normalizeDim(given, rank));
  if (extent != 1)
    return op->emitOpError("Dimension added must be of size 1")
           << ": found " << extent;
  return expectShape(op, expected, output,
                     "All dimensions of the input tensor must be the same as "
                     "the output tensor except for the dimension added: "
                     "expected ");
}

} // namespace mlir::tt::shapes
