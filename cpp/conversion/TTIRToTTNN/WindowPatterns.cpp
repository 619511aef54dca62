#include "conversion/TTIRToTTNN/TTIRToTTNN.h"

#include "dialects/TTIR/TTIR.h"
#include "dialects/TTNN/TTNN.h"

namespace mlir::tt {
namespace {

/// ttir.conv2d -> ttnn.conv2d, extents read off the operands:
///   input (N, H, W, C), weight (O, C / groups, KH, KW).
struct Conv2dPattern : OpConversionPattern<ttir::Conv2dOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ttir::Conv2dOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ArrayRef<int64_t> input = op.getInput().getType().getShape();
    ArrayRef<int64_t> weight = op.getWeight().getType().getShape();
    ArrayRef<int64_t> output = op.getResult().getType().getShape();
    Value device = getOrInsertDevice(rewriter, op);
    auto call = ttnn::Conv2dOp::create(
        rewriter, op.getLoc(), op.getType(), adaptor.getInput(),
        adaptor.getWeight(), adaptor.getBias(), adaptor.getOutput(), device,
        /*in_channels=*/input[3], /*out_channels=*/output.back(),
        /*batch_size=*/input[0], /*input_height=*/input[1],
        /*input_width=*/input[2], /*kernel_height=*/weight[2],
        /*kernel_width=*/weight[3], op.getStrideHeight(), op.getStrideWidth(),
        /*padding_height=*/op.getPaddingTop(),
        /*padding_width=*/op.getPaddingRight(), op.getDilationHeight(),
        op.getDilationWidth(), op.getGroups());
    rewriter.replaceOp(op, call);
    return success();
  }
};

/// ttir.max_pool2d on (1, 1, N*H*W, C) -> ttnn.max_pool2d.
struct MaxPool2dPattern : OpConversionPattern<ttir::MaxPool2dOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ttir::MaxPool2dOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ArrayRef<int64_t> input = op.getInput().getType().getShape();
    Value device = getOrInsertDevice(rewriter, op);
    int32_t height = *op.getOriginalHeight(), width = *op.getOriginalWidth();
    auto call = ttnn::MaxPool2dOp::create(
        rewriter, op.getLoc(), op.getType(), adaptor.getInput(),
        adaptor.getOutput(), device,
        /*batch_size=*/input[2] / (int64_t(height) * width), height, width,
        /*channels=*/input[3], op.getKernelHeight(), op.getKernelWidth(),
        op.getStrideHeight(), op.getStrideWidth(), op.getDilationHeight(),
        op.getDilationWidth(), op.getCeilMode(),
        /*padding_height=*/op.getPaddingTop(),
        /*padding_width=*/op.getPaddingRight());
    rewriter.replaceOp(op, call);
    return success();
  }
};

} // namespace

void populateTTIRToTTNNWindowPatterns(RewritePatternSet &patterns) {
  patterns.add<Conv2dPattern, MaxPool2dPattern>(patterns.getContext());
}

} // namespace mlir::tt
