#include "conversion/TTIRToTTNN/TTIRToTTNN.h"

#include "dialects/TTIR/TTIR.h"
#include "dialects/TTNN/TTNN.h"

namespace mlir::tt {
namespace {

/// The far padding of a call, which is only stated where it differs from the
/// near one.
IntegerAttr farPadding(IntegerAttr near, IntegerAttr far, Type type) {
  return near == far ? IntegerAttr()
                     : IntegerAttr::get(type, far.getValue().getSExtValue());
}

/// ttir.conv2d -> ttnn.conv2d, extents read off the operands:
///   input (N, H, W, C), weight (O, C / groups, KH, KW) or prepared.
struct Conv2dPattern : OpConversionPattern<ttir::Conv2dOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ttir::Conv2dOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ArrayRef<int64_t> input = op.getInput().getType().getShape();
    ArrayRef<int64_t> weight = op.getWeight().getType().getShape();
    ArrayRef<int64_t> output = op.getResult().getType().getShape();
    int64_t kernel[] = {weight[2], weight[3]};
    if (std::optional<ArrayRef<int32_t>> size = op.getKernelSize())
      llvm::copy(*size, kernel);
    Value device = getOrInsertDevice(rewriter, op);
    auto call = ttnn::Conv2dOp::create(
        rewriter, op.getLoc(), op.getType(), adaptor.getInput(),
        adaptor.getWeight(), adaptor.getBias(), adaptor.getOutput(), device,
        /*in_channels=*/input[3], /*out_channels=*/output.back(),
        /*batch_size=*/input[0], /*input_height=*/input[1],
        /*input_width=*/input[2], /*kernel_height=*/kernel[0],
        /*kernel_width=*/kernel[1], op.getStrideHeight(), op.getStrideWidth(),
        /*padding_height=*/op.getPaddingTop(),
        /*padding_width=*/op.getPaddingLeft(), op.getDilationHeight(),
        op.getDilationWidth(), op.getGroups(), /*padding_bottom=*/IntegerAttr(),
        /*padding_right=*/IntegerAttr(), /*compute_config=*/nullptr,
        /*activation=*/nullptr);
    Type i32 = rewriter.getI32Type();
    call.setPaddingBottomAttr(
        farPadding(op.getPaddingTopAttr(), op.getPaddingBottomAttr(), i32));
    call.setPaddingRightAttr(
        farPadding(op.getPaddingLeftAttr(), op.getPaddingRightAttr(), i32));
    rewriter.replaceOp(op, call);
    return success();
  }
};

/// A pooling on (1, 1, N*H*W, C) -> its call.
template <typename From, typename To>
struct Pool2dPattern : OpConversionPattern<From> {
  using OpConversionPattern<From>::OpConversionPattern;

  LogicalResult
  matchAndRewrite(From op, typename From::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ArrayRef<int64_t> input = op.getInput().getType().getShape();
    Value device = getOrInsertDevice(rewriter, op);
    Type si32 = op.getKernelHeightAttr().getType();
    auto number = [&](int64_t value) { return IntegerAttr::get(si32, value); };
    int64_t height = *op.getOriginalHeight(), width = *op.getOriginalWidth();
    typename To::Properties call;
    call.batch_size = number(input[2] / (height * width));
    call.input_height = op.getOriginalHeightAttr();
    call.input_width = op.getOriginalWidthAttr();
    call.channels = number(input[3]);
    call.kernel_height = op.getKernelHeightAttr();
    call.kernel_width = op.getKernelWidthAttr();
    call.stride_height = op.getStrideHeightAttr();
    call.stride_width = op.getStrideWidthAttr();
    call.dilation_height = op.getDilationHeightAttr();
    call.dilation_width = op.getDilationWidthAttr();
    call.ceil_mode = op.getCeilModeAttr();
    call.padding_height = op.getPaddingTopAttr();
    call.padding_width = op.getPaddingLeftAttr();
    call.padding_bottom =
        farPadding(op.getPaddingTopAttr(), op.getPaddingBottomAttr(), si32);
    call.padding_right =
        farPadding(op.getPaddingLeftAttr(), op.getPaddingRightAttr(), si32);
    if constexpr (std::is_same_v<From, ttir::AvgPool2dOp>)
      call.count_include_pad = op.getCountIncludePadAttr();
    rewriter.replaceOp(
        op,
        To::create(rewriter, op.getLoc(), TypeRange{op.getType()},
                   ValueRange{adaptor.getInput(), adaptor.getOutput(), device},
                   call));
    return success();
  }
};

struct ConvTranspose2dPattern : OpConversionPattern<ttir::ConvTranspose2dOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ttir::ConvTranspose2dOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ArrayRef<int64_t> input = op.getInput().getType().getShape();
    ArrayRef<int64_t> weight = op.getWeight().getType().getShape();
    int32_t kernel[] = {static_cast<int32_t>(weight[2]),
                        static_cast<int32_t>(weight[3])};
    Value device = getOrInsertDevice(rewriter, op);
    rewriter.replaceOp(
        op,
        ttnn::ConvTranspose2dOp::create(
            rewriter, op.getLoc(), op.getType(), adaptor.getInput(),
            adaptor.getWeight(), adaptor.getBias(), adaptor.getOutput(), device,
            /*in_channels=*/input[3],
            /*out_channels=*/op.getType().getDimSize(3),
            /*batch_size=*/input[0], /*input_height=*/input[1],
            /*input_width=*/input[2], kernel, op.getStride(), op.getPadding(),
            op.getOutputPadding(), op.getDilation(), op.getGroups(),
            /*compute_config=*/nullptr));
    return success();
  }
};

struct UpsamplePattern : OpConversionPattern<ttir::UpsampleOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ttir::UpsampleOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(
        op, ttnn::UpsampleOp::create(rewriter, op.getLoc(), op.getType(),
                                     adaptor.getInput(), adaptor.getOutput(),
                                     ttir::getScaleFactors(op), op.getMode()));
    return success();
  }
};

} // namespace

void populateTTIRToTTNNWindowPatterns(RewritePatternSet &patterns) {
  patterns
      .add<Conv2dPattern, Pool2dPattern<ttir::MaxPool2dOp, ttnn::MaxPool2dOp>,
           Pool2dPattern<ttir::AvgPool2dOp, ttnn::AvgPool2dOp>,
           ConvTranspose2dPattern, UpsamplePattern>(patterns.getContext());
}

} // namespace mlir::tt
