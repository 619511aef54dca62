#include "conversion/TTIRToTTNN/TTIRToTTNN.h"

#include "dialects/TT/TT.h"
#include "dialects/TTIR/TTIR.h"
#include "dialects/TTNN/TTNN.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Traits.h"

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

namespace {

LayoutAttr getLayout(RankedTensorType type) {
  return cast<LayoutAttr>(type.getEncoding());
}

/// ttnn.empty on the device, or on the host when no memory layout is chosen.
Value makeEmpty(ConversionPatternRewriter &rewriter, Operation *op,
                RankedTensorType type) {
  MLIRContext *context = rewriter.getContext();
  LayoutAttr layout = getLayout(type);
  bool onDevice = layout.getMemLayout() != TensorMemoryLayout::None;
  auto dtype = DataTypeAttr::get(
      context, *elementTypeToDataType(layout.getElementType()));
  Value device = onDevice ? getOrInsertDevice(rewriter, op) : Value();
  return ttnn::EmptyOp::create(rewriter, op->getLoc(), type, device,
                               ttnn::ShapeAttr::get(context, type.getShape()),
                               dtype, ttnn::getElementOrder(layout),
                               onDevice ? ttnn::getMemoryConfig(layout)
                                        : ttnn::MemoryConfigAttr());
}

/// Replaces `op` by a call with the operands `operands` and the op's attributes
/// without its operand constraints.
Operation *replaceByCall(ConversionPatternRewriter &rewriter, Operation *op,
                         StringRef call, ValueRange operands) {
  OperationState state(op->getLoc(), call);
  state.addOperands(operands);
  state.addTypes(op->getResultTypes());
  for (NamedAttribute attribute : op->getAttrs())
    if (attribute.getName() != "operand_constraints")
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
    // The calls that a ttir.to_layout becomes make their result themselves.
    if (llvm::all_of(op->getUses(), isLayoutDestination))
      rewriter.eraseOp(op);
    else
      rewriter.replaceOp(op, makeEmpty(rewriter, op, op.getType()));
    return success();
  }

private:
  static bool isLayoutDestination(OpOperand &use) {
    auto toLayout = dyn_cast<ttir::ToLayoutOp>(use.getOwner());
    return toLayout && toLayout.isDpsInit(&use);
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
    Value device = getOrInsertDevice(rewriter, op);
    Value result;
    if (layout.isSystemMemorySpace()) {
      result = ttnn::ToMemoryConfigOp::create(rewriter, op.getLoc(), type,
                                              adaptor.getInput(), device);
    } else {
      // The library tilizes on the host whatever the result's layout says.
      auto tile = ttnn::LayoutAttr::get(getContext(), ttnn::Layout::Tile);
      Value tiled = ttnn::ToLayoutOp::create(rewriter, op.getLoc(), type,
                                             adaptor.getInput(), device, tile);
      result = ttnn::ToDeviceOp::create(rewriter, op.getLoc(), type, tiled,
                                        device, ttnn::getMemoryConfig(layout));
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
    SmallVector<int32_t> shape(type.getShape().begin(), type.getShape().end());
    rewriter.replaceOp(
        op, ttnn::ReshapeOp::create(rewriter, op.getLoc(), type,
                                    adaptor.getInput(), adaptor.getOutput(),
                                    rewriter.getI32ArrayAttr(shape)));
    return success();
  }
};

/// A splat: zeros are a ttnn.empty that says so, other values a ttnn.full.
struct ConstantPattern : OpConversionPattern<ttir::ConstantOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ttir::ConstantOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto value = cast<DenseElementsAttr>(op.getValue());
    auto type = cast<RankedTensorType>(op.getResult().getType());
    float fill = 0;
    if (isa<FloatType>(value.getElementType())) {
      bool losesInfo;
      APFloat number = value.getSplatValue<APFloat>();
      number.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven,
                     &losesInfo);
      fill = number.convertToFloat();
    } else {
      APInt number = value.getSplatValue<APInt>();
      fill = cast<IntegerType>(value.getElementType()).isUnsigned()
                 ? static_cast<float>(number.getZExtValue())
                 : static_cast<float>(number.getSExtValue());
    }
    if (fill == 0 && !std::signbit(fill)) {
      auto empty = makeEmpty(rewriter, op, type).getDefiningOp<ttnn::EmptyOp>();
      empty->setAttr("ttnn.zeros", rewriter.getUnitAttr());
      rewriter.replaceOp(op, empty);
      return success();
    }
    rewriter.replaceOp(op,
                       ttnn::FullOp::create(rewriter, op.getLoc(), type,
                                            getOrInsertDevice(rewriter, op),
                                            rewriter.getF32FloatAttr(fill)));
    return success();
  }
};

/// The broadcast disappears where its users broadcast themselves. Elsewhere it
/// becomes a product with ones: 1 * x is x for every x.
struct BroadcastPattern : OpConversionPattern<ttir::BroadcastOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ttir::BroadcastOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (followsNumPy(op) && llvm::all_of(op->getUsers(), broadcastsItself)) {
      rewriter.replaceOp(op, adaptor.getInput());
      return success();
    }
    Value input = adaptor.getInput();
    if (!followsNumPy(op))
      input = align(rewriter, op, input);
    auto type = cast<RankedTensorType>(op.getResult().getType());
    Value ones = ttnn::FullOp::create(rewriter, op.getLoc(), type,
                                      getOrInsertDevice(rewriter, op),
                                      rewriter.getF32FloatAttr(1));
    auto product = ttnn::MultiplyOp::create(
        rewriter, op.getLoc(), TypeRange{type}, ValueRange{input, ones},
        ValueRange{adaptor.getOutput()});
    rewriter.replaceOp(op, product.getResults());
    return success();
  }

private:
  static bool followsNumPy(ttir::BroadcastOp op) {
    ArrayRef<int64_t> output = op.getOutput().getType().getShape();
    SmallVector<int64_t> joined;
    return OpTrait::util::getBroadcastedShape(
               op.getInput().getType().getShape(), output, joined) &&
           ArrayRef<int64_t>(joined) == output;
  }

  /// The input, whose dimension i is dimension `dimension[i]` of the output,
  /// with extents 1 for the others.
  static Value align(ConversionPatternRewriter &rewriter, ttir::BroadcastOp op,
                     Value input) {
    auto inputType = cast<RankedTensorType>(input.getType());
    SmallVector<int64_t> shape(op.getOutput().getType().getRank(), 1);
    for (auto [extent, dim] :
         llvm::zip(inputType.getShape(),
                   op.getDimension().getAsValueRange<IntegerAttr>()))
      shape[dim.getSExtValue()] = extent;
    LayoutAttr layout = getLayout(inputType);
    auto plain = RankedTensorType::get(shape, inputType.getElementType());
    auto type = RankedTensorType::get(
        shape, inputType.getElementType(),
        LayoutAttr::get(plain, layout.getMemorySpace(), layout.getGrid(),
                        layout.getElementType(), layout.getMemLayout()));
    SmallVector<int32_t> extents(shape.begin(), shape.end());
    return ttnn::ReshapeOp::create(rewriter, op.getLoc(), type, input,
                                   makeEmpty(rewriter, op, type),
                                   rewriter.getI32ArrayAttr(extents));
  }

  /// Whether `user` computes the same with the inputs of broadcasts in place of
  /// their results.
  static bool broadcastsItself(Operation *user) {
    if (!isa<ttir::TTIR_ElementwiseOpInterface>(user))
      return false;
    auto dps = cast<DestinationStyleOpInterface>(user);
    SmallVector<int64_t> shape;
    for (Value input : dps.getDpsInputs()) {
      if (auto broadcast = input.getDefiningOp<ttir::BroadcastOp>())
        if (followsNumPy(broadcast))
          input = broadcast.getInput();
      SmallVector<int64_t> joined;
      if (!OpTrait::util::getBroadcastedShape(
              shape, cast<RankedTensorType>(input.getType()).getShape(),
              joined))
        return false;
      shape = std::move(joined);
    }
    return ArrayRef<int64_t>(shape) ==
           cast<RankedTensorType>(user->getResult(0).getType()).getShape();
  }
};

} // namespace

void populateTTIRToTTNNPatterns(RewritePatternSet &patterns) {
#define TTIR_TO_TTNN(FROM, TO) SameCallPattern<ttir::FROM, ttnn::TO>,
  patterns.add<
#include "conversion/TTIRToTTNN/TTIRToTTNN.inc"
      EmptyPattern, ToLayoutPattern, ConcatPattern,
      ReshapePattern<ttir::SqueezeOp>, ReshapePattern<ttir::UnsqueezeOp>,
      ConstantPattern, BroadcastPattern>(patterns.getContext());
#undef TTIR_TO_TTNN
}

} // namespace mlir::tt
