// Ops that create a tensor from attributes.
#include "conversion/TTIRToTTNN/TTIRToTTNN.h"

#include "dialects/Shapes/ShapeRules.h"
#include "dialects/TTIR/TTIR.h"
#include "dialects/TTIR/Transforms/TensorTypes.h"
#include "dialects/TTNN/TTNN.h"

#include <cmath>

namespace mlir::tt {
namespace {

/// Zeros become a ttnn.empty with the attribute `ttnn.zeros`, other values a
/// ttnn.full.
Operation *makeFull(ConversionPatternRewriter &rewriter, Operation *op,
                    RankedTensorType type, float fill) {
  if (fill == 0 && !std::signbit(fill)) {
    ttnn::EmptyOp empty = makeEmpty(rewriter, op, type);
    empty->setAttr("ttnn.zeros", rewriter.getUnitAttr());
    return empty;
  }
  return ttnn::FullOp::create(rewriter, op->getLoc(), type,
                              getOrInsertDevice(rewriter, op),
                              rewriter.getF32FloatAttr(fill));
}

/// A fill if all elements are one number, else ttnn.constant.
Operation *makeElements(ConversionPatternRewriter &rewriter, Operation *op,
                        RankedTensorType type, ElementsAttr value) {
  std::optional<float> fill = ttir::getFill(value);
  if (auto remark = kCallRemarks.passed(op, "Created")) {
    if (fill)
      remark << reason("becomes a fill: all elements are {0}", *fill)
             << rejected("ttnn.constant: the file would have every element");
    else
      remark << reason("becomes ttnn.constant, with {0} elements in the file",
                       type.getNumElements())
             << rejected("a fill: the elements differ, or are no f32");
  }
  if (fill)
    return makeFull(rewriter, op, type, *fill);
  Placement placement = getPlacement(rewriter, op, type);
  return ttnn::ConstantOp::create(rewriter, op->getLoc(), type,
                                  placement.device, value,
                                  placement.memoryConfig);
}

/// ttir.constant and ttir.fill.
template <typename From> struct ElementsPattern : OpConversionPattern<From> {
  using OpConversionPattern<From>::OpConversionPattern;

  LogicalResult
  matchAndRewrite(From op, typename From::Adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(op.getResult().getType());
    rewriter.replaceOp(op, makeElements(rewriter, op, type, op.getValue()));
    return success();
  }
};

struct FullPattern : OpConversionPattern<ttir::FullOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ttir::FullOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = op.getType();
    if (auto number = dyn_cast<FloatAttr>(op.getFillValue())) {
      rewriter.replaceOp(
          op, makeFull(rewriter, op, type, ttir::toFill(number.getValue())));
      return success();
    }
    APInt number = cast<IntegerAttr>(op.getFillValue()).getValue();
    auto elements = DenseElementsAttr::get(
        RankedTensorType::get(type.getShape(), type.getElementType()),
        number.sextOrTrunc(type.getElementType().getIntOrFloatBitWidth()));
    rewriter.replaceOp(op, makeElements(rewriter, op, type, elements));
    return success();
  }
};

/// ttnn.arange makes a line, which is reshaped and repeated to the result.
struct ArangePattern : OpConversionPattern<ttir::ArangeOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ttir::ArangeOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = op.getType();
    ArrayRef<int64_t> shape = type.getShape();
    int64_t dim = op.getArangeDimension();
    RankedTensorType lineType = withShape(type, {shape[dim]});
    Placement placement = getPlacement(rewriter, op, type);
    Value result = ttnn::ArangeOp::create(
        rewriter, op.getLoc(), lineType, placement.device, op.getStartAttr(),
        op.getEndAttr(), op.getStepAttr(), placement.memoryConfig);

    SmallVector<int64_t> ones(shape.size(), 1), repeats(shape);
    ones[dim] = shape[dim];
    repeats[dim] = 1;
    if (shape.size() > 1) {
      RankedTensorType onesType =
          ArrayRef<int64_t>(ones) == shape ? type : withShape(type, ones);
      result =
          ttnn::ReshapeOp::create(rewriter, op.getLoc(), onesType, result,
                                  makeEmpty(rewriter, op, onesType),
                                  rewriter.getI32ArrayAttr(SmallVector<int32_t>(
                                      ones.begin(), ones.end())));
    }
    if (ArrayRef<int64_t>(ones) != shape)
      result = ttnn::RepeatOp::create(
          rewriter, op.getLoc(), type, result, makeEmpty(rewriter, op, type),
          ttnn::ShapeAttr::get(getContext(), repeats));
    rewriter.replaceOp(op, result);
    return success();
  }
};

} // namespace

void populateTTIRToTTNNCreationPatterns(RewritePatternSet &patterns) {
  patterns.add<ElementsPattern<ttir::ConstantOp>, ElementsPattern<ttir::FillOp>,
               FullPattern, ArangePattern>(patterns.getContext());
}

} // namespace mlir::tt
