#include "conversion/TTIRToTTNN/TTIRToTTNN.h"

#include "dialects/TT/TT.h"
#include "dialects/TTIR/TTIR.h"
#include "dialects/TTIR/Transforms/TensorTypes.h"
#include "dialects/TTNN/TTNN.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <cmath>

namespace mlir::tt {

Value getOrInsertDevice(ConversionPatternRewriter &rewriter, Operation *op) {
  Block *block = op->getBlock();
  if (auto device = dyn_cast<ttnn::GetDeviceOp>(block->front()))
    return device.getResult();
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToStart(block);
  return ttnn::GetDeviceOp::create(
      rewriter, op->getLoc(),
      DeviceType::get(op->getContext(), getScopeDevice(op)));
}

LayoutAttr getLayout(RankedTensorType type) {
  return cast<LayoutAttr>(type.getEncoding());
}

DataTypeAttr getDataType(RankedTensorType type) {
  return DataTypeAttr::get(
      type.getContext(),
      *elementTypeToDataType(getLayout(type).getElementType()));
}

RankedTensorType withShape(RankedTensorType type, ArrayRef<int64_t> shape) {
  LayoutAttr layout = getLayout(type);
  auto plain = RankedTensorType::get(shape, type.getElementType());
  return RankedTensorType::get(
      shape, type.getElementType(),
      LayoutAttr::get(plain, layout.getMemorySpace(), layout.getGrid(),
                      layout.getElementType(), layout.getMemLayout()));
}

Placement getPlacement(ConversionPatternRewriter &rewriter, Operation *op,
                       RankedTensorType type) {
  LayoutAttr layout = getLayout(type);
  if (layout.getMemLayout() == TensorMemoryLayout::None)
    return {};
  return {getOrInsertDevice(rewriter, op), ttnn::getMemoryConfig(layout)};
}

ttnn::EmptyOp makeEmpty(ConversionPatternRewriter &rewriter, Operation *op,
                        RankedTensorType type) {
  Placement placement = getPlacement(rewriter, op, type);
  return ttnn::EmptyOp::create(
      rewriter, op->getLoc(), type, placement.device,
      ttnn::ShapeAttr::get(rewriter.getContext(), type.getShape()),
      getDataType(type), ttnn::getElementOrder(getLayout(type)),
      placement.memoryConfig);
}

namespace {

/// Replaces `op` by a call with the operands `operands` and the op's attributes
/// without those that say where operands lie: their types do.
Operation *replaceByCall(ConversionPatternRewriter &rewriter, Operation *op,
                         StringRef call, ValueRange operands) {
  OperationState state(op->getLoc(), call);
  state.addOperands(operands);
  state.addTypes(op->getResultTypes());
  for (NamedAttribute attribute : op->getAttrs())
    if (attribute.getName() != "operand_constraints" &&
        attribute.getName() != ttir::kPlacedOperands)
      state.attributes.push_back(attribute);
  Operation *made = rewriter.create(state);
  rewriter.replaceOp(op, made);
  return made;
}

/// An op that has the operands and attributes of its call.
template <typename From, typename To>
struct SameCallPattern : OpConversionPattern<From> {
  using OpConversionPattern<From>::OpConversionPattern;

  LogicalResult
  matchAndRewrite(From op, typename From::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    replaceByCall(rewriter, op, To::getOperationName(), adaptor.getOperands());
    return success();
  }
};

struct EmptyPattern : OpConversionPattern<tensor::EmptyOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(tensor::EmptyOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    // What these become makes its result itself.
    if (llvm::all_of(op->getUses(), isDroppedDestination))
      rewriter.eraseOp(op);
    else
      rewriter.replaceOp(op, makeEmpty(rewriter, op, op.getType()).getResult());
    return success();
  }

private:
  static bool isDroppedDestination(OpOperand &use) {
    return isa<ttir::ToLayoutOp, ttir::FillOp, CollectiveOpInterface>(
               use.getOwner()) &&
           cast<DestinationStyleOpInterface>(use.getOwner()).isDpsInit(&use);
  }
};

/// To the host: ttnn.to_memory_config. To the device: ttnn.to_layout, then
/// ttnn.to_device. The destination is dropped: these calls make their result.
struct ToLayoutPattern : OpConversionPattern<ttir::ToLayoutOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ttir::ToLayoutOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(op.getResult().getType());
    LayoutAttr layout = getLayout(type);
    Location loc = ttir::getTransferLoc(op);
    Value device = getOrInsertDevice(rewriter, op);
    Value result;
    if (auto remark = kCallRemarks.passed(op, "Moved")) {
      if (layout.isSystemMemorySpace())
        remark << reason("one ttnn.to_memory_config brings it to the host");
      else
        remark << reason(
                      "ttnn.to_layout on the host, then ttnn.to_device to {0}",
                      describe(layout))
               << rejected("a layout change on the device: the library makes "
                           "tiles on the host");
    }
    if (layout.isSystemMemorySpace()) {
      result = ttnn::ToMemoryConfigOp::create(rewriter, loc, type,
                                              adaptor.getInput(), device);
    } else {
      // The library tilizes on the host whatever the result's layout says.
      auto tile = ttnn::LayoutAttr::get(getContext(), ttnn::Layout::Tile);
      Value tiled = ttnn::ToLayoutOp::create(rewriter, loc, type,
                                             adaptor.getInput(), device, tile);
      result = ttnn::ToDeviceOp::create(rewriter, loc, type, tiled, device,
                                        ttnn::getMemoryConfig(layout));
    }
    rewriter.replaceOp(op, result);
    return success();
  }
};

struct ConcatPattern : OpConversionPattern<ttir::ConcatOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ttir::ConcatOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    int32_t dim = op.getDim();
    if (dim < 0)
      dim += cast<RankedTensorType>(op.getResult().getType()).getRank();
    auto call = cast<ttnn::ConcatOp>(
        replaceByCall(rewriter, op, ttnn::ConcatOp::getOperationName(),
                      adaptor.getOperands()));
    call.setDim(dim);
    return success();
  }
};

/// ttir.squeeze and ttir.unsqueeze -> ttnn.reshape to the result's shape.
template <typename From> struct ReshapePattern : OpConversionPattern<From> {
  using OpConversionPattern<From>::OpConversionPattern;

  LogicalResult
  matchAndRewrite(From op, typename From::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(op.getResult().getType());
    if (auto remark = kCallRemarks.passed(op, "Renamed"))
      remark << reason("becomes ttnn.reshape: the library has no call for it");
    SmallVector<int32_t> shape(type.getShape().begin(), type.getShape().end());
    rewriter.replaceOp(
        op, ttnn::ReshapeOp::create(rewriter, op.getLoc(), type,
                                    adaptor.getInput(), adaptor.getOutput(),
                                    rewriter.getI32ArrayAttr(shape)));
    return success();
  }
};

/// The call also states the data type.
struct TypecastPattern : OpConversionPattern<ttir::TypecastOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ttir::TypecastOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(op.getResult(0).getType());
    rewriter.replaceOp(
        op, ttnn::TypecastOp::create(rewriter, op.getLoc(), TypeRange{type},
                                     adaptor.getInputs(), adaptor.getOutputs(),
                                     getDataType(type)));
    return success();
  }
};

struct RepeatPattern : OpConversionPattern<ttir::RepeatOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ttir::RepeatOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto repeats = ttnn::ShapeAttr::get(getContext(), op.getRepeatDimensions());
    rewriter.replaceOp(op,
                       ttnn::RepeatOp::create(rewriter, op.getLoc(),
                                              op.getType(), adaptor.getInput(),
                                              adaptor.getOutput(), repeats));
    return success();
  }
};

/// The call states the scale.
struct AttentionPattern
    : OpConversionPattern<ttir::ScaledDotProductAttentionOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ttir::ScaledDotProductAttentionOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    double width = op.getQuery().getType().getShape().back();
    APFloat scale = op.getScale().value_or(
        APFloat(static_cast<float>(1 / std::sqrt(width))));
    rewriter.replaceOp(
        op,
        ttnn::ScaledDotProductAttentionOp::create(
            rewriter, op.getLoc(), op.getType(), adaptor.getQuery(),
            adaptor.getKey(), adaptor.getValue(), adaptor.getAttentionMask(),
            adaptor.getAttentionSink(), adaptor.getPositions(),
            adaptor.getPageTable(), adaptor.getOutput(), op.getIsCausal(),
            scale, op.getSlidingWindowSizeAttr(), /*compute_config=*/nullptr));
    return success();
  }
};

/// The call has a destination for each result by name.
struct SplitHeadsPattern
    : OpConversionPattern<ttir::SplitQueryKeyValueAndSplitHeadsOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ttir::SplitQueryKeyValueAndSplitHeadsOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ValueRange outputs = adaptor.getOutputs();
    rewriter.replaceOp(
        op, ttnn::SplitQueryKeyValueAndSplitHeadsOp::create(
                rewriter, op.getLoc(), op.getResultTypes(),
                adaptor.getInputTensor(), adaptor.getKvInputTensor(),
                outputs[0], outputs[1], outputs[2], op.getNumHeadsAttr(),
                op.getNumKvHeadsAttr(), op.getTransposeKeyAttr()));
    return success();
  }
};

} // namespace

void populateTTIRToTTNNPatterns(RewritePatternSet &patterns,
                                unsigned numLinks) {
#define TTIR_TO_TTNN(FROM, TO) SameCallPattern<ttir::FROM, ttnn::TO>,
  populateTTIRToTTNNWindowPatterns(patterns);
  populateTTIRToTTNNCreationPatterns(patterns);
  populateTTIRToTTNNBroadcastPatterns(patterns);
  populateTTIRToTTNNCollectivePatterns(patterns, numLinks);
  patterns.add<
#include "conversion/TTIRToTTNN/TTIRToTTNN.inc"
      EmptyPattern, ToLayoutPattern, ConcatPattern,
      ReshapePattern<ttir::SqueezeOp>, ReshapePattern<ttir::UnsqueezeOp>,
      SameCallPattern<ttir::ConcatenateHeadsOp, ttnn::ConcatenateHeadsOp>,
      SameCallPattern<ttir::RotaryEmbeddingOp, ttnn::RotaryEmbeddingOp>,
      TypecastPattern, RepeatPattern, AttentionPattern, SplitHeadsPattern>(
      patterns.getContext());
#undef TTIR_TO_TTNN
}

} // namespace mlir::tt
