#include "dialects/TTNN/TTNN.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttnn;

LogicalResult mlir::tt::ttnn::verifyEltwiseArity(Operation *op, int64_t arity) {
  auto dps = cast<DestinationStyleOpInterface>(op);
  if (dps.getNumDpsInputs() == arity && dps.getNumDpsInits() == 1 &&
      op->getNumResults() == 1)
    return success();
  return op->emitOpError("expected ")
         << arity << " inputs, 1 output and 1 result, found "
         << dps.getNumDpsInputs() << ", " << dps.getNumDpsInits() << " and "
         << op->getNumResults();
}

//===----------------------------------------------------------------------===//
// Tensor operations: the rules of the ttir ops of the same name
//===----------------------------------------------------------------------===//

LogicalResult MatmulOp::verify() {
  return shapes::verifyMatmul(*this, getA().getType(), getB().getType(),
                              getOutput().getType());
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

LogicalResult EmbeddingOp::verify() {
  return shapes::verifyEmbedding(*this, getInput().getType(),
                                 getWeight().getType(), getOutput().getType());
}

LogicalResult SoftmaxOp::verify() {
  return shapes::verifySoftmax(*this, getInput().getType(),
                               getOutput().getType(), getDimension());
}

LogicalResult Conv2dOp::verify() {
  RankedTensorType bias = getBias() ? getBias().getType() : RankedTensorType();
  if (failed(shapes::verifyConv2dRanks(*this, getInput().getType(),
                                       getWeight().getType(), bias)))
    return failure();
  if (bias && llvm::any_of(bias.getShape().drop_back(),
                           [](int64_t extent) { return extent != 1; }))
    return emitOpError("Bias must only have data on the final dimenstion")
           << ": found " << shapes::toString(bias.getShape());
  return success();
}

LogicalResult MaxPool2dOp::verify() {
  if (failed(shapes::verifyPoolKernel(*this, getKernelHeight(),
                                      getKernelWidth(), getInputHeight(),
                                      getInputWidth())))
    return failure();
  RankedTensorType input = getInput().getType();
  if (failed(shapes::verifyPoolInputRank(*this, input)))
    return failure();
  if (input.getDimSize(0) != 1 || input.getDimSize(1) != 1)
    return emitOpError("Maxpool input must be in the form (1, 1, N*H*W, C). "
                       "Recieved shape (")
           << shapes::toString(input.getShape()) << ").";
  int64_t positions =
      static_cast<int64_t>(getBatchSize()) * getInputHeight() * getInputWidth();
  if (input.getDimSize(2) != positions)
    return emitOpError("Maxpool shape (")
           << shapes::toString(input.getShape())
           << ") at dim -2 must be equal to N*H*W. However the attributes "
              "given "
              "are N="
           << getBatchSize() << ", H=" << getInputHeight()
           << ", W=" << getInputWidth() << ". " << getBatchSize() << "*"
           << getInputHeight() << "*" << getInputWidth()
           << " != " << input.getDimSize(2) << ".";
  if (input.getDimSize(3) != getChannels())
    return emitOpError("Maxpool shape (")
           << shapes::toString(input.getShape())
           << ") at dim -1 must be equal to channels: expected "
           << getChannels() << ", found " << input.getDimSize(3);
  return success();
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
  auto layout = dyn_cast_if_present<tt::LayoutAttr>(output.getEncoding());
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
  if (layout.getMemorySpace() == MemorySpace::DeviceDRAM && isSharded)
    return emitOpError("Device DRAM memory space only supports interleaved "
                       "memory layout")
           << ": found " << stringifyEnum(memLayout);
  if (!isSharded)
    return success();
  if (memLayout != tt::TensorMemoryLayout::BlockSharded)
    return emitOpError("Currently only block sharding is supported for sharded "
                       "memory layouts")
           << ": found " << stringifyEnum(memLayout);
  SmallVector<int64_t> shard = layout.getShardShape();
  if (shard.size() != 2)
    return emitOpError("Shard shape must be 2D")
           << ": found " << shapes::toString(shard);
  if (shard[0] % 32 != 0 || shard[1] % 32 != 0)
    return emitOpError("Shard shape must divide tile shape (32, 32) evenly")
           << ": found " << shapes::toString(shard);
  return success();
}

LogicalResult EmptyOp::verify() {
  RankedTensorType type = getType();
  auto layout = dyn_cast_if_present<tt::LayoutAttr>(type.getEncoding());
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
  if (!!getDevice() != !!getMemoryConfigAttr())
    return emitOpError("expected both a device and a memory_config, or neither"
                       ": found ")
           << (getDevice() ? "a device only" : "a memory_config only");
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
