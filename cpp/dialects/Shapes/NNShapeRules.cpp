#include "dialects/Shapes/ShapeRules.h"

namespace mlir::tt::shapes {

static LogicalResult expectTable(Operation *op, RankedTensorType weight) {
  if (weight.getRank() == 2)
    return success();
  return op->emitOpError("Weight must be a 2D tensor")
         << ": found rank " << weight.getRank();
}

FailureOr<Shape> inferEmbedding(Operation *op, RankedTensorType input,
                                RankedTensorType weight) {
  if (failed(expectTable(op, weight)))
    return failure();
  Shape shape(input.getShape());
  shape.push_back(weight.getDimSize(1));
  return shape;
}

LogicalResult verifyEmbedding(Operation *op, RankedTensorType output,
                              RankedTensorType input, RankedTensorType weight) {
  FailureOr<Shape> expected = inferEmbedding(op, input, weight);
  if (succeeded(expected) && output.getRank() != input.getRank() + 1)
    return op->emitOpError("Output must have one dimension more than input")
           << ": expected rank " << input.getRank() + 1 << ", found "
           << output.getRank();
  return expectShape(op, expected, output,
                     "Output must have the shape of the input and the width of "
                     "the weight: expected ");
}

FailureOr<Shape> inferEmbeddingBackward(Operation *op, RankedTensorType input,
                                        RankedTensorType weight,
                                        RankedTensorType gradient) {
  if (failed(expectTable(op, weight)))
    return failure();
  int64_t width = weight.getDimSize(1);
  if (gradient.getRank() < 1 || gradient.getShape().back() != width)
    return op->emitOpError("Gradient must end in the width of the weight: "
                           "expected ")
           << width << ", found " << toString(gradient.getShape());
  if (gradient.hasStaticShape() && input.hasStaticShape() &&
      gradient.getNumElements() != input.getNumElements() * width)
    return op->emitOpError("Gradient must have a row for each element of the "
                           "input: expected ")
           << input.getNumElements() << " rows, found "
           << toString(gradient.getShape());
  return Shape(weight.getShape());
}

LogicalResult verifyEmbeddingBackward(Operation *op, RankedTensorType output,
                                      RankedTensorType input,
                                      RankedTensorType weight,
                                      RankedTensorType gradient) {
  return expectShape(op, inferEmbeddingBackward(op, input, weight, gradient),
                     output,
                     "Output must have the shape of the weight: expected ");
}

/// An output of the input's shape.
static LogicalResult expectSameShape(Operation *op, RankedTensorType input,
                                     RankedTensorType output) {
  if (input.getShape() == output.getShape())
    return success();
  return op->emitOpError("Input and output shapes must be the same")
         << ": found " << toString(input.getShape()) << " and "
         << toString(output.getShape());
}

FailureOr<Shape> inferSoftmax(Operation *op, RankedTensorType input,
                              int64_t dimension) {
  int64_t rank = input.getRank();
  if (!normalizeDim(dimension, rank))
    return op->emitOpError(
               "Dimension attribute must be within the bounds of the input "
               "tensor")
           << ": expected a dimension in [" << -rank << ", " << rank
           << "), found " << dimension;
  return Shape(input.getShape());
}

LogicalResult verifySoftmax(Operation *op, RankedTensorType output,
                            RankedTensorType input, int64_t dimension) {
  if (failed(expectSameShape(op, input, output)))
    return failure();
  return inferSoftmax(op, input, dimension);
}

FailureOr<Shape> inferNorm(Operation *op, RankedTensorType input,
                           RankedTensorType weight, RankedTensorType bias,
                           ArrayRef<int64_t> normalizedShape,
                           const APFloat &epsilon) {
  size_t rank = input.getRank();
  if (normalizedShape.empty() || normalizedShape.size() > rank ||
      input.getShape().take_back(normalizedShape.size()) != normalizedShape)
    return op->emitOpError("normalized_shape must be the innermost extents of "
                           "the input: expected 1 to ")
           << rank << " of " << toString(input.getShape()) << ", found "
           << (normalizedShape.empty() ? "none" : toString(normalizedShape));
  for (auto [name, type] :
       {std::pair<StringRef, RankedTensorType>{"Weight", weight},
        {"Bias", bias}})
    if (type && type.getShape() != normalizedShape)
      return op->emitOpError(name)
             << " must have the normalized shape: expected "
             << toString(normalizedShape) << ", found "
             << toString(type.getShape());
  if (epsilon.isNegative() && !epsilon.isZero())
    return op->emitOpError("epsilon must not be negative: found ")
           << epsilon.convertToDouble();
  return Shape(input.getShape());
}

LogicalResult verifyNorm(Operation *op, RankedTensorType output,
                         RankedTensorType input, RankedTensorType weight,
                         RankedTensorType bias,
                         ArrayRef<int64_t> normalizedShape,
                         const APFloat &epsilon) {
  if (failed(expectSameShape(op, input, output)))
    return failure();
  return inferNorm(op, input, weight, bias, normalizedShape, epsilon);
}

} // namespace mlir::tt::shapes
