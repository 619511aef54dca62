#include "dialects/TTIR/TTIR.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttir;

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValueAttr(); }

LogicalResult ConstantOp::verify() {
  ShapedType value = getValue().getShapedType();
  RankedTensorType result = getType();
  if (value.getShape() != result.getShape() ||
      value.getElementType() != result.getElementType())
    return emitOpError("failed to verify that all of {value, result} have same "
                       "shape: value is ")
           << value << ", result is " << result;
  return success();
}

LogicalResult MatmulOp::verify() {
  return shapes::verifyMatmul(*this, getA().getType(), getB().getType(),
                              getOutput().getType());
}

LogicalResult BroadcastOp::verify() {
  return shapes::verifyBroadcast(*this, getInput().getType(),
                                 getOutput().getType(), getDimension());
}

LogicalResult TransposeOp::verify() {
  return shapes::verifyTranspose(*this, getInput().getType(),
                                 getOutput().getType(), getDim0(), getDim1());
}

LogicalResult ConcatOp::verify() {
  return shapes::verifyConcat(*this, getInputs().getTypes(),
                              getOutput().getType(), getDim());
}

LogicalResult ReshapeOp::verify() {
  return shapes::verifyReshape(*this, getInput().getType(),
                               getOutput().getType(), getShape());
}

LogicalResult SqueezeOp::verify() {
  return shapes::verifySqueeze(*this, getInput().getType(),
                               getOutput().getType(), getDim());
}

LogicalResult UnsqueezeOp::verify() {
  return shapes::verifyUnsqueeze(*this, getInput().getType(),
                                 getOutput().getType(), getDim());
}

LogicalResult EmbeddingOp::verify() {
  return shapes::verifyEmbedding(*this, getInput().getType(),
                                 getWeight().getType(), getOutput().getType());
}

LogicalResult SoftmaxOp::verify() {
  return shapes::verifySoftmax(*this, getInput().getType(),
                               getOutput().getType(), getDimension());
}

LogicalResult Conv2dOp::verify() {
  return shapes::verifyConv2dRanks(
      *this, getInput().getType(), getWeight().getType(),
      getBias() ? getBias().getType() : RankedTensorType());
}

LogicalResult MaxPool2dOp::verify() {
  RankedTensorType input = getInput().getType();
  if (failed(shapes::verifyPoolInputRank(*this, input)))
    return failure();
  if (getOriginalHeight().has_value() != getOriginalWidth().has_value())
    return emitOpError("If providing the original height and width as "
                       "attributes, both original_height and original_width "
                       "must be set. However, only ")
           << (getOriginalHeight() ? "original_height" : "original_width")
           << " was provided.";
  return shapes::verifyPoolKernel(
      *this, getKernelHeight(), getKernelWidth(),
      getOriginalHeight().value_or(input.getDimSize(1)),
      getOriginalWidth().value_or(input.getDimSize(2)));
}

LogicalResult ToLayoutOp::verify() {
  RankedTensorType input = getInput().getType();
  RankedTensorType output = getOutput().getType();
  if (!isa_and_present<LayoutAttr>(input.getEncoding()))
    return emitOpError("Input tensor type missing layout attribute")
           << ": found " << input;
  if (!isa_and_present<LayoutAttr>(output.getEncoding()))
    return emitOpError("Output tensor type missing layout attribute")
           << ": found " << output;
  if (input.getShape() != output.getShape())
    return emitOpError("Input and output shapes must be the same")
           << ": found " << shapes::toString(input.getShape()) << " and "
           << shapes::toString(output.getShape());
  return success();
}

LogicalResult AllocOp::verify() {
  return shapes::verifyAlloc(*this, getType(), getAddress(), getSize(),
                             getMemorySpace());
}

LogicalResult GenericOp::verify() {
  // A generic op without a block has nothing to check the operands against.
  size_t arguments =
      getRegion().empty() ? 0 : getRegion().front().getNumArguments();
  if (arguments != getNumOperands())
    return emitOpError("The number of op operands and region/block operands "
                       "must match")
           << ": found " << getNumOperands() << " and " << arguments;
  return success();
}

#define GET_OP_CLASSES
#include "dialects/TTIR/TTIROps.cpp.inc"

void TTIRDialect::registerOps() {
  addOperations<
#define GET_OP_LIST
#include "dialects/TTIR/TTIROps.cpp.inc"
      >();
}
