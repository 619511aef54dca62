#include "dialects/TTNN/TTNN.h"

#include "dialects/Shapes/HeadRules.h"
#include "dialects/TT/Bounds.h"
#include "dialects/TT/TensorLayout.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttnn;

LogicalResult mlir::tt::ttnn::verifyEltwise(Operation *op, int64_t arity,
                                            bool integersOnly) {
  auto dps = cast<DestinationStyleOpInterface>(op);
  if (dps.getNumDpsInputs() == arity && dps.getNumDpsInits() == 1 &&
      op->getNumResults() == 1)
    return integersOnly ? shapes::verifyIntegers(op) : success();
  return op->emitOpError("expected ")
         << arity << " inputs, 1 output and 1 result, found "
         << dps.getNumDpsInputs() << ", " << dps.getNumDpsInits() << " and "
         << op->getNumResults();
}

bool mlir::tt::ttnn::isProductByOneMatrix(Operation *op) {
  if (!isa<MatmulOp, LinearOp>(op))
    return false;
  ArrayRef<int64_t> shape =
      cast<RankedTensorType>(op->getOperand(1).getType()).getShape();
  return shape.size() >= 2 &&
         llvm::all_of(shape.drop_back(2), [](int64_t n) { return n == 1; });
}

LogicalResult mlir::tt::ttnn::verifyOverlap(Operation *op) {
  auto slices = op->getAttrOfType<IntegerAttr>(kOverlapSlices);
  if (!slices)
    return success();
  if (slices.getValue().isZero())
    return op->emitOpError("overlap_slices must be positive: found 0");
  Value operand = op->getOperand(0);
  Operation *product = op->getPrevNode();
  while (isa_and_nonnull<DeallocOp>(product))
    product = product->getPrevNode();
  if (!product || operand.getDefiningOp() != product ||
      !isProductByOneMatrix(product))
    return op->emitOpError("expected with overlap_slices a ttnn.matmul or "
                           "ttnn.linear by one matrix right before, which makes "
                           "the operand, found ")
           << (product ? product->getName().getStringRef() : "no op");
  for (Operation *user : operand.getUsers())
    if (user != op && !isa<DeallocOp>(user))
      return op->emitOpError("expected no other user of the operand with "
                             "overlap_slices, found ")
             << user->getName();
  return success();
}

bool mlir::tt::ttnn::computes(Operation *op) {
  return llvm::any_of(op->getName().getAttributeNames(),
                      [](StringAttr name) { return name == kComputeConfig; });
}

DeviceComputeKernelConfigAttr mlir::tt::ttnn::getComputeConfig(Operation *op) {
  return op->getAttrOfType<DeviceComputeKernelConfigAttr>(kComputeConfig);
}

ArrayRef<StringRef> mlir::tt::ttnn::getActivations() {
  static const StringRef names[] = {"gelu",  "hardsigmoid", "mish", "relu",
                                    "relu6", "sigmoid",     "silu", "tanh"};
  return names;
}

LogicalResult mlir::tt::ttnn::verifyActivation(Operation *op) {
  Attribute attr = op->getAttr(kActivation);
  if (!attr)
    return success();
  auto name = dyn_cast<StringAttr>(attr);
  if (!name || !llvm::is_contained(getActivations(), name.getValue()))
    return op->emitOpError("expected an activation of ")
           << llvm::join(getActivations(), ", ") << ", found " << attr;
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  if (!isa<FloatType>(type.getElementType()))
    return op->emitOpError("expected a result of floats with an activation, "
                           "found ")
           << type;
  return success();
}

//===----------------------------------------------------------------------===//
// Tensor operations: the rules of the ttir ops of the same name
//===----------------------------------------------------------------------===//

LogicalResult RepeatOp::verify() {
  return shapes::expectShape(*this,
                             shapes::inferRepeat(*this, getInput().getType(),
                                                 getRepeatDims().getShape()),
                             getOutput().getType());
}

LogicalResult mlir::tt::ttnn::verifyTypecast(TypecastOp op) {
  if (failed(verifyEltwise(op, TypecastOp::getArity(), false)))
    return failure();
  auto type = cast<RankedTensorType>(op.getResult(0).getType());
  std::optional<DataType> dtype = getStoredFormat(type);
  if (dtype == op.getDtype())
    return success();
  return op.emitOpError("dtype must be that of the result: expected ")
         << (dtype ? stringifyEnum(*dtype) : StringRef("a data type"))
         << ", found " << stringifyEnum(op.getDtype());
}

//===----------------------------------------------------------------------===//
// Windows: the extents are written out as attributes
//===----------------------------------------------------------------------===//

/// One of the extents that a call states besides its operands.
struct StatedExtent {
  StringRef name;
  int64_t stated, expected;
};

static LogicalResult verifyStated(Operation *op,
                                  ArrayRef<StatedExtent> extents) {
  for (const StatedExtent &extent : extents)
    if (extent.stated != extent.expected)
      return op->emitOpError(extent.name)
             << " must be that of the operands: expected " << extent.expected
             << ", found " << extent.stated;
  return success();
}

LogicalResult Conv2dOp::verify() {
  RankedTensorType input = getInput().getType(), weight = getWeight().getType();
  if (getGroups() > 0 && getKernelHeight() > 0 && getKernelWidth() > 0)
    if (RankedTensorType plain = shapes::getPlainWeight(
            weight, input.getShape().back() / getGroups(),
            {getKernelHeight(), getKernelWidth()}))
      weight = plain;
  if (failed(shapes::verifyConv2d(
          *this, getOutput().getType(), input, weight,
          getBias() ? getBias().getType() : RankedTensorType(),
          {getKernelHeight(), getKernelWidth(), getStrideHeight(),
           getStrideWidth(), getDilationHeight(), getDilationWidth(),
           getPaddingHeight(), getPaddingWidth(),
           getPaddingBottom().value_or(getPaddingHeight()),
           getPaddingRight().value_or(getPaddingWidth())},
          getGroups())))
    return failure();
  ArrayRef<int64_t> image = input.getShape().take_back(3);
  return verifyStated(
      *this, {{"batch_size", getBatchSize(),
               input.getRank() == 4 ? input.getDimSize(0) : 1},
              {"input_height", getInputHeight(), image[0]},
              {"input_width", getInputWidth(), image[1]},
              {"in_channels", getInChannels(), image[2]},
              {"out_channels", getOutChannels(),
               getOutput().getType().getShape().back()},
              {"kernel_height", getKernelHeight(), weight.getDimSize(2)},
              {"kernel_width", getKernelWidth(), weight.getDimSize(3)}});
}

LogicalResult ScaledDotProductAttentionOp::verify() {
  for (Value tensor : {getQuery(), getKey(), getValue(), getOutput()}) {
    auto type = cast<RankedTensorType>(tensor.getType());
    if (!isa<FloatType>(type.getElementType()))
      return emitOpError("expected tensors of floats, found ") << type;
  }
  return shapes::expectShape(
      *this,
      shapes::inferAttention(*this, getQuery().getType(), getKey().getType(),
                             getValue().getType(), getAttentionMask(),
                             getAttentionSink(), getPositions(), getPageTable(),
                             getIsCausal()),
      getOutput().getType());
}

LogicalResult SplitQueryKeyValueAndSplitHeadsOp::verify() {
  auto expected = shapes::inferSplitHeads(
      *this, getInputTensor().getType(),
      getKvInputTensor() ? getKvInputTensor().getType() : RankedTensorType(),
      getNumHeads(), getNumKvHeads().value_or(getNumHeads()),
      getTransposeKey());
  if (failed(expected))
    return failure();
  for (auto [shape, destination] : llvm::zip_equal(*expected, getDpsInits()))
    if (failed(
            shapes::expectShape(*this, FailureOr<shapes::Shape>(shape),
                                cast<RankedTensorType>(destination.getType()))))
      return failure();
  return success();
}

LogicalResult ConcatenateHeadsOp::verify() {
  return shapes::expectShape(
      *this, shapes::inferConcatenateHeads(*this, getInput().getType()),
      getOutput().getType());
}

LogicalResult RotaryEmbeddingOp::verify() {
  return shapes::expectShape(
      *this,
      shapes::inferRotaryEmbedding(*this, getInput().getType(),
                                   getCosCache().getType(),
                                   getSinCache().getType()),
      getOutput().getType());
}

LogicalResult ConvTranspose2dOp::verify() {
  RankedTensorType input = getInput().getType(), weight = getWeight().getType();
  if (failed(shapes::verifyConvTranspose2d(
          *this, getOutput().getType(), input, weight,
          getBias() ? getBias().getType() : RankedTensorType(),
          {getStride(), getPadding(), getOutputPadding(), getDilation()},
          getGroups())))
    return failure();
  if (getKernelSize().size() != 2)
    return emitOpError("kernel_size must have 2 entries: found ")
           << getKernelSize().size();
  return verifyStated(
      *this,
      {{"batch_size", getBatchSize(), input.getDimSize(0)},
       {"input_height", getInputHeight(), input.getDimSize(1)},
       {"input_width", getInputWidth(), input.getDimSize(2)},
       {"in_channels", getInChannels(), input.getDimSize(3)},
       {"out_channels", getOutChannels(), getOutput().getType().getDimSize(3)},
       {"kernel_size", getKernelSize()[0], weight.getDimSize(2)},
       {"kernel_size", getKernelSize()[1], weight.getDimSize(3)}});
}

LogicalResult UpsampleOp::verify() {
  return shapes::expectShape(*this,
                             shapes::inferUpsample(*this, getInput().getType(),
                                                   getScaleFactor(), getMode()),
                             getOutput().getType());
}

template <typename PoolOp>
LogicalResult mlir::tt::ttnn::verifyPool2d(PoolOp op) {
  shapes::Window window{op.getKernelHeight(),
                        op.getKernelWidth(),
                        op.getStrideHeight(),
                        op.getStrideWidth(),
                        op.getDilationHeight(),
                        op.getDilationWidth(),
                        op.getPaddingHeight(),
                        op.getPaddingWidth(),
                        op.getPaddingBottom().value_or(op.getPaddingHeight()),
                        op.getPaddingRight().value_or(op.getPaddingWidth()),
                        op.getCeilMode()};
  if (failed(shapes::verifyPoolWindow(op, window, op.getInputHeight(),
                                      op.getInputWidth())))
    return failure();
  RankedTensorType input = op.getInput().getType();
  if (failed(shapes::verifyPoolInputRank(op, input)))
    return failure();
  StringRef name = isa<MaxPool2dOp>(op) ? "Maxpool" : "Avgpool";
  if (input.getDimSize(0) != 1 || input.getDimSize(1) != 1)
    return op.emitOpError(name)
           << " input must be in the form (1, 1, N*H*W, C). Recieved shape ("
           << shapes::toString(input.getShape()) << ").";
  int64_t positions = saturatedVolume(
      {op.getBatchSize(), op.getInputHeight(), op.getInputWidth()});
  if (input.getDimSize(2) != positions)
    return op.emitOpError(name)
           << " shape (" << shapes::toString(input.getShape())
           << ") at dim -2 must be equal to N*H*W. However the attributes "
              "given are N="
           << op.getBatchSize() << ", H=" << op.getInputHeight()
           << ", W=" << op.getInputWidth() << ". " << op.getBatchSize() << "*"
           << op.getInputHeight() << "*" << op.getInputWidth()
           << " != " << input.getDimSize(2) << ".";
  if (input.getDimSize(3) != op.getChannels())
    return op.emitOpError(name)
           << " shape (" << shapes::toString(input.getShape())
           << ") at dim -1 must be equal to channels: expected "
           << op.getChannels() << ", found " << input.getDimSize(3);

  auto [height, width] =
      shapes::getWindowExtents(window, op.getInputHeight(), op.getInputWidth());
  SmallVector<int64_t> expected{
      1, 1, saturatedVolume({op.getBatchSize(), height, width}),
      op.getChannels()};
  if (op.getOutput().getType().getShape() == ArrayRef<int64_t>(expected))
    return success();
  return op.emitOpError("Output shape mismatch: expected ")
         << shapes::toString(expected) << ", found "
         << shapes::toString(op.getOutput().getType().getShape());
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

static LogicalResult verifySameShape(Operation *op, RankedTensorType input,
                                     RankedTensorType result) {
  if (input.getShape() == result.getShape())
    return success();
  return op->emitOpError("Input and result shapes must be the same: found ")
         << shapes::toString(input.getShape()) << " and "
         << shapes::toString(result.getShape());
}

LogicalResult ToLayoutOp::verify() {
  return verifySameShape(*this, getInput().getType(), getType());
}

LogicalResult ToDeviceOp::verify() {
  return verifySameShape(*this, getInput().getType(), getType());
}

LogicalResult ToMemoryConfigOp::verify() {
  RankedTensorType input = getInput().getType();
  RankedTensorType output = getType();
  if (!isa_and_present<tt::LayoutAttr>(input.getEncoding()))
    return emitOpError("Input tensor type missing layout attribute")
           << ": found " << input;
  tt::LayoutAttr layout = getLayoutOf(output);
  if (!layout)
    return emitOpError("Output tensor type missing layout attribute")
           << ": found " << output;
  if (failed(verifySameShape(*this, input, output)))
    return failure();

  tt::TensorMemoryLayout memLayout = layout.getMemLayout();
  if (layout.isSystemMemorySpace()) {
    if (memLayout != tt::TensorMemoryLayout::None)
      return emitOpError(
                 "System memory space only supports undef memory layout")
             << ": found " << stringifyEnum(memLayout);
    return success();
  }
  bool isSharded = memLayout == tt::TensorMemoryLayout::HeightSharded ||
                   memLayout == tt::TensorMemoryLayout::WidthSharded ||
                   memLayout == tt::TensorMemoryLayout::BlockSharded;
  if (memLayout != tt::TensorMemoryLayout::Interleaved && !isSharded)
    return emitOpError("Device memory space only supports interleaved or "
                       "sharded memory layouts")
           << ": found " << stringifyEnum(memLayout);
  // Weights read by cores near each DRAM bank.
  bool isInBanks = layout.getMemorySpace() == MemorySpace::DeviceDRAM &&
                   memLayout == tt::TensorMemoryLayout::WidthSharded;
  if (layout.getMemorySpace() == MemorySpace::DeviceDRAM && isSharded &&
      !isInBanks)
    return emitOpError("Device DRAM memory space only supports interleaved "
                       "memory layout")
           << ": found " << stringifyEnum(memLayout);
  if (!isSharded)
    return success();
  if (memLayout != tt::TensorMemoryLayout::BlockSharded && !isInBanks)
    return emitOpError("Currently only block sharding is supported for sharded "
                       "memory layouts")
           << ": found " << stringifyEnum(memLayout);
  SmallVector<int64_t> shard = layout.getShardShape();
  if (shard.size() != 2)
    return emitOpError("Shard shape must be 2D")
           << ": found " << shapes::toString(shard);
  if (shard[0] % tt::TileType::kExtent || shard[1] % tt::TileType::kExtent)
    return emitOpError("Shard shape must divide tile shape (32, 32) evenly")
           << ": found " << shapes::toString(shard);
  return success();
}

LogicalResult FromDeviceOp::verify() {
  if (tt::LayoutAttr layout = getLayoutOf(getType()))
    if (!layout.isSystemMemorySpace())
      return emitOpError("result must be in system memory: found ")
             << stringifyEnum(layout.getMemorySpace());
  return verifySameShape(*this, getInput().getType(), getType());
}

/// A device and a memory configuration are present together or not at all.
template <typename OpT> static LogicalResult verifyPlacement(OpT op) {
  if (!!op.getDevice() == !!op.getMemoryConfigAttr())
    return success();
  return op.emitOpError("expected both a device and a memory_config, or "
                        "neither: found ")
         << (op.getDevice() ? "a device only" : "a memory_config only");
}

LogicalResult ConstantOp::verify() {
  if (failed(shapes::verifyElements(*this, getValue(), getType())))
    return failure();
  return verifyPlacement(*this);
}

LogicalResult ArangeOp::verify() {
  std::optional<int64_t> count =
      shapes::countArange(getStart(), getEnd(), getStep());
  if (!count)
    return emitOpError("expected at least one number from ")
           << getStart() << " to " << getEnd() << " by " << getStep()
           << ", found none";
  if (getType().getShape() != ArrayRef<int64_t>{*count})
    return emitOpError("result must have rank 1 and ")
           << *count << " numbers: found "
           << shapes::toString(getType().getShape());
  return verifyPlacement(*this);
}

LogicalResult EmptyOp::verify() {
  RankedTensorType type = getType();
  tt::LayoutAttr layout = getLayoutOf(type);
  if (!layout)
    return emitOpError("result type missing layout attribute: found ") << type;
  if (getShape().getShape() != type.getShape())
    return emitOpError("shape must be that of the result: expected ")
           << shapes::toString(type.getShape()) << ", found "
           << shapes::toString(getShape().getShape());
  if (!getDtypeAttr() || !getLayoutAttr())
    return emitOpError("expected the attributes dtype and layout, found ")
           << (getDtypeAttr()    ? "dtype only"
               : getLayoutAttr() ? "layout only"
                                 : "neither");
  std::optional<DataType> dtype =
      elementTypeToDataType(layout.getElementType());
  if (!dtype || getDtypeAttr().getValue() != *dtype)
    return emitOpError("dtype must be that of the result's layout: expected ")
           << (dtype ? stringifyEnum(*dtype) : StringRef("a data type"))
           << ", found " << stringifyEnum(getDtypeAttr().getValue());
  if (getLayoutAttr() != getElementOrder(layout))
    return emitOpError("layout must be that of the result's layout: expected ")
           << getElementOrder(layout) << ", found " << getLayoutAttr();
  if (failed(verifyPlacement(*this)))
    return failure();
  if (getMemoryConfigAttr() &&
      getMemoryConfigAttr() != ttnn::getMemoryConfig(layout))
    return emitOpError("memory_config must be that of the result's layout: "
                       "expected ")
           << ttnn::getMemoryConfig(layout) << ", found "
           << getMemoryConfigAttr();
  return success();
}

LogicalResult AllocOp::verify() {
  return shapes::verifyAlloc(*this, getType(), getAddress(), getSize(),
                             getMemorySpace());
}

#define GET_OP_CLASSES
#include "dialects/TTNN/TTNNOps.cpp.inc"

void TTNNDialect::registerOps() {
  addOperations<
#define GET_OP_LIST
#include "dialects/TTNN/TTNNOps.cpp.inc"
      >();
}
