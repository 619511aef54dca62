#include "dialects/TTIR/TTIR.h"
#include "dialects/TTIR/TTIRLinearAlgebra.h"
#include "dialects/TTIR/TTIRWindows.h"

#include "dialects/TT/Bounds.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttir;

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValueAttr(); }

LogicalResult ConstantOp::verify() {
  return shapes::verifyElements(*this, getValue(), getType());
}

LogicalResult FillOp::verify() {
  if (getOutput().getType().getShape() != getType().getShape())
    return emitOpError("Output and result shapes must be the same: found ")
           << shapes::toString(getOutput().getType().getShape()) << " and "
           << shapes::toString(getType().getShape());
  return shapes::verifyElements(*this, getValue(), getType());
}

LogicalResult FullOp::verify() {
  SmallVector<int64_t> shape(getShape());
  if (getType().getShape() != ArrayRef<int64_t>(shape))
    return emitOpError("shape must be that of the result: expected ")
           << shapes::toString(getType().getShape()) << ", found "
           << shapes::toString(shape);
  if (isa<IntegerAttr>(getFillValue()) &&
      !isa<IntegerType>(getType().getElementType()))
    return emitOpError("fill_value must be an f32 for a tensor of ")
           << getType().getElementType() << ": found " << getFillValue();
  return success();
}

LogicalResult ArangeOp::verify() {
  int64_t rank = getType().getRank(), dim = getArangeDimension();
  if (dim < 0 || dim >= rank)
    return emitOpError("arange_dimension must be in [0, ")
           << rank << "): found " << dim;
  std::optional<int64_t> count =
      shapes::countArange(getStart(), getEnd(), getStep());
  // No numbers have to be meant.
  if (getStart() == getEnd() && getStep() != 0)
    count = 0;
  if (!count)
    return emitOpError("expected at least one number from ")
           << getStart() << " to " << getEnd() << " by " << getStep()
           << ", found none";
  if (getType().getDimSize(dim) != *count)
    return emitOpError("Output must have ")
           << *count << " numbers in dimension " << dim << ": found "
           << shapes::toString(getType().getShape());
  return success();
}

LogicalResult BroadcastOp::verify() {
  return shapes::verifyBroadcast(*this, getOutput().getType(),
                                 getInput().getType(), getDimension());
}

FailureOr<shapes::Shape> SqueezeOp::inferShape() {
  return shapes::inferSqueeze(*this, getInput().getType(), getDim());
}

LogicalResult SqueezeOp::verify() {
  return shapes::verifySqueeze(*this, getOutput().getType(),
                               getInput().getType(), getDim());
}

FailureOr<shapes::Shape> UnsqueezeOp::inferShape() {
  return shapes::inferUnsqueeze(*this, getInput().getType(), getDim());
}

LogicalResult UnsqueezeOp::verify() {
  return shapes::verifyUnsqueeze(*this, getOutput().getType(),
                                 getInput().getType(), getDim());
}

FailureOr<shapes::Shape> RepeatOp::inferShape() {
  return shapes::inferRepeat(*this, getInput().getType(),
                             getRepeatDimensions());
}

LogicalResult RepeatOp::verify() {
  return shapes::expectShape(*this, inferShape(), getOutput().getType());
}

static RankedTensorType getTypeOrNull(TypedValue<RankedTensorType> value) {
  return value ? value.getType() : RankedTensorType();
}

/// The weight as (O, C / groups, KH, KW), in whichever form it comes.
static FailureOr<RankedTensorType> getPlainWeight(Conv2dOp op) {
  RankedTensorType weight = op.getWeight().getType();
  std::optional<ArrayRef<int32_t>> kernel = op.getKernelSize();
  if (!kernel)
    return weight;
  if (kernel->size() != 2 || (*kernel)[0] < 1 || (*kernel)[1] < 1)
    return op.emitOpError("kernel_size must have 2 positive entries: found ")
           << op.getKernelSizeAttr();
  int64_t groups = op.getGroups(),
          channels = op.getInput().getType().getShape().back();
  RankedTensorType plain =
      groups < 1 ? RankedTensorType()
                 : shapes::getPlainWeight(weight, channels / groups,
                                          SmallVector<int64_t>(*kernel));
  if (plain)
    return plain;
  return op.emitOpError("Weight must be prepared for the kernel: expected "
                        "1x1xKxO with ")
         << (*kernel)[0] << "x" << (*kernel)[1] << " places of " << channels
         << " channels in " << groups << " groups along K, found "
         << shapes::toString(weight.getShape());
}

static shapes::Window getWindow(Conv2dOp op, RankedTensorType weight) {
  // The weight's rank is checked before its extents are used.
  bool isRank4 = weight.getRank() == 4;
  return {isRank4 ? weight.getDimSize(2) : 1,
          isRank4 ? weight.getDimSize(3) : 1,
          op.getStrideHeight(),
          op.getStrideWidth(),
          op.getDilationHeight(),
          op.getDilationWidth(),
          op.getPaddingTop(),
          op.getPaddingLeft(),
          op.getPaddingBottom(),
          op.getPaddingRight()};
}

FailureOr<shapes::Shape> Conv2dOp::inferShape() {
  FailureOr<RankedTensorType> weight = getPlainWeight(*this);
  if (failed(weight))
    return failure();
  return shapes::inferConv2d(*this, getInput().getType(), *weight,
                             getTypeOrNull(getBias()),
                             getWindow(*this, *weight), getGroups());
}

LogicalResult Conv2dOp::verify() {
  FailureOr<RankedTensorType> weight = getPlainWeight(*this);
  if (failed(weight))
    return failure();
  return shapes::verifyConv2d(
      *this, getOutput().getType(), getInput().getType(), *weight,
      getTypeOrNull(getBias()), getWindow(*this, *weight), getGroups());
}

FailureOr<shapes::Shape> ConvTranspose2dOp::inferShape() {
  return shapes::inferConvTranspose2d(
      *this, getInput().getType(), getWeight().getType(),
      getTypeOrNull(getBias()),
      {getStride(), getPadding(), getOutputPadding(), getDilation()},
      getGroups());
}

LogicalResult ConvTranspose2dOp::verify() {
  return shapes::verifyConvTranspose2d(
      *this, getOutput().getType(), getInput().getType(), getWeight().getType(),
      getTypeOrNull(getBias()),
      {getStride(), getPadding(), getOutputPadding(), getDilation()},
      getGroups());
}

SmallVector<int32_t> mlir::tt::ttir::getScaleFactors(UpsampleOp op) {
  if (auto both = dyn_cast<DenseI32ArrayAttr>(op.getScaleFactor()))
    return SmallVector<int32_t>(both.asArrayRef());
  auto factor =
      static_cast<int32_t>(cast<IntegerAttr>(op.getScaleFactor()).getSInt());
  return {factor, factor};
}

FailureOr<shapes::Shape> UpsampleOp::inferShape() {
  return shapes::inferUpsample(*this, getInput().getType(),
                               getScaleFactors(*this), getMode());
}

LogicalResult UpsampleOp::verify() {
  return shapes::expectShape(*this, inferShape(), getOutput().getType());
}

template <typename PoolOp>
FailureOr<shapes::Shape> mlir::tt::ttir::inferPool2d(PoolOp op) {
  RankedTensorType input = op.getInput().getType();
  if (failed(shapes::verifyPoolInputRank(op, input)))
    return failure();
  if (op.getOriginalHeight().has_value() != op.getOriginalWidth().has_value())
    return op.emitOpError("If providing the original height and width as "
                          "attributes, both original_height and "
                          "original_width must be set. However, only ")
           << (op.getOriginalHeight() ? "original_height" : "original_width")
           << " was provided.";
  bool flat = op.getOriginalHeight().has_value();
  int64_t height = flat ? *op.getOriginalHeight() : input.getDimSize(1);
  int64_t width = flat ? *op.getOriginalWidth() : input.getDimSize(2);
  shapes::Window window{
      op.getKernelHeight(), op.getKernelWidth(),    op.getStrideHeight(),
      op.getStrideWidth(),  op.getDilationHeight(), op.getDilationWidth(),
      op.getPaddingTop(),   op.getPaddingLeft(),    op.getPaddingBottom(),
      op.getPaddingRight(), op.getCeilMode()};
  if (failed(shapes::verifyPoolWindow(op, window, height, width)))
    return failure();

  auto [outHeight, outWidth] = shapes::getWindowExtents(window, height, width);
  int64_t channels = input.getDimSize(3);
  if (!flat)
    return shapes::Shape{input.getDimSize(0), outHeight, outWidth, channels};
  if (height <= 0 || width <= 0 || input.getDimSize(2) % (height * width))
    return op.emitOpError("original_height and original_width must divide "
                          "the input's positions: found ")
           << height << "x" << width << " for "
           << shapes::toString(input.getShape());
  int64_t batch = input.getDimSize(2) / (height * width);
  return shapes::Shape{1, 1, saturatedVolume({batch, outHeight, outWidth}),
                       channels};
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

#define GET_OP_CLASSES
#include "dialects/TTIR/TTIRWindowOps.cpp.inc"

#define GET_OP_CLASSES
#include "dialects/TTIR/TTIRLinearAlgebraOps.cpp.inc"

void TTIRDialect::registerOps() {
  addOperations<
#define GET_OP_LIST
#include "dialects/TTIR/TTIROps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/TTIR/TTIRWindowOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/TTIR/TTIRLinearAlgebraOps.cpp.inc"
      >();
}
