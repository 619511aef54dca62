#include "dialects/Shapes/ShapeRules.h"

namespace mlir::tt::shapes {

LogicalResult verifyEmbedding(Operation *op, RankedTensorType input,
                              RankedTensorType weight,
                              RankedTensorType output) {
  if (weight.getRank() != 2)
    return op->emitOpError("Weight must be a 2D tensor")
           << ": found rank " << weight.getRank();
  if (output.getRank() != input.getRank() + 1)
    return op->emitOpError("Output must have one dimension more than input")
           << ": expected rank " << input.getRank() + 1 << ", found "
           << output.getRank();
  SmallVector<int64_t> expected(input.getShape());
  expected.push_back(weight.getDimSize(1));
  if (output.getShape() != ArrayRef<int64_t>(expected))
    return op->emitOpError("Output must have the shape of the input and the "
                           "width of the weight: expected ")
           << toString(expected) << ", found " << toString(output.getShape());
  return success();
}

LogicalResult verifySoftmax(Operation *op, RankedTensorType input,
                            RankedTensorType output, int64_t dimension) {
  if (input.getShape() != output.getShape())
    return op->emitOpError("Input and output shapes must be the same")
           << ": found " << toString(input.getShape()) << " and "
           << toString(output.getShape());
  int64_t rank = input.getRank();
  if (!normalizeDim(dimension, rank))
    return op->emitOpError(
               "Dimension attribute must be within the bounds of the input "
               "tensor")
           << ": expected a dimension in [" << -rank << ", " << rank
           << "), found " << dimension;
  return success();
}

static LogicalResult verifyNorm(Operation *op, RankedTensorType input,
                                RankedTensorType weight, RankedTensorType bias,
                                RankedTensorType output,
                                ArrayRef<int64_t> normalizedShape,
                                const APFloat &epsilon) {
  if (input.getShape() != output.getShape())
    return op->emitOpError("Input and output shapes must be the same")
           << ": found " << toString(input.getShape()) << " and "
           << toString(output.getShape());
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
  return success();
}

LogicalResult verifyLayerNorm(Operation *op, RankedTensorType input,
                              RankedTensorType weight, RankedTensorType bias,
                              RankedTensorType output,
                              ArrayRef<int64_t> normalizedShape,
                              const APFloat &epsilon) {
  return verifyNorm(op, input, weight, bias, output, normalizedShape, epsilon);
}

LogicalResult verifyRMSNorm(Operation *op, RankedTensorType input,
                            RankedTensorType weight, RankedTensorType bias,
                            RankedTensorType output,
                            ArrayRef<int64_t> normalizedShape,
                            const APFloat &epsilon) {
  return verifyNorm(op, input, weight, bias, output, normalizedShape, epsilon);
}

LogicalResult verifyEmbeddingBackward(Operation *op, RankedTensorType input,
                                      RankedTensorType weight,
                                      RankedTensorType gradient,
                                      RankedTensorType output) {
  if (weight.getRank() != 2)
    return op->emitOpError("Weight must be a 2D tensor")
           << ": found rank " << weight.getRank();
  if (output.getShape() != weight.getShape())
    return op->emitOpError(
               "Output must have the shape of the weight: expected ")
           << toString(weight.getShape()) << ", found "
           << toString(output.getShape());
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
  return success();
}

} // namespace mlir::tt::shapes
