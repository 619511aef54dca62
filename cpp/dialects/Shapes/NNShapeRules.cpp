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

LogicalResult verifyConv2dRanks(Operation *op, RankedTensorType input,
                                RankedTensorType weight,
                                RankedTensorType bias) {
  if (input.getRank() < 3)
    return op->emitOpError("Input must be at least a 3D tensor")
           << ": found rank " << input.getRank();
  if (weight.getRank() != 4)
    return op->emitOpError("Weight must be a 4D tensor")
           << ": found rank " << weight.getRank();
  if (bias && bias.getRank() != 4)
    return op->emitOpError("Bias must be a 4D tensor")
           << ": found rank " << bias.getRank();
  return success();
}

LogicalResult verifyPoolInputRank(Operation *op, RankedTensorType input) {
  if (input.getRank() == 4)
    return success();
  // The spelling is that of the documents' checks.
  InFlightDiagnostic error =
      op->emitOpError("Input tensor rank must be 4. Recieved input with rank ")
      << input.getRank() << ". Shape: (";
  llvm::interleaveComma(input.getShape(), error);
  return error << ").";
}

LogicalResult verifyPoolKernel(Operation *op, int64_t kernelHeight,
                               int64_t kernelWidth, int64_t height,
                               int64_t width) {
  auto check = [&](StringRef side, int64_t kernel,
                   int64_t extent) -> LogicalResult {
    if (kernel <= extent)
      return success();
    return op->emitOpError("Kernel ")
           << side << " " << kernel << " is greater than input " << side << " "
           << extent << ". This MaxPool2d configuration is invalid.";
  };
  if (failed(check("height", kernelHeight, height)))
    return failure();
  return check("width", kernelWidth, width);
}

} // namespace mlir::tt::shapes
