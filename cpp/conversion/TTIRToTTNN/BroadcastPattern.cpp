#include "conversion/TTIRToTTNN/TTIRToTTNN.h"

#include "dialects/Shapes/ShapeRules.h"
#include "dialects/TTIR/TTIR.h"
#include "dialects/TTNN/TTNN.h"

#include "mlir/Dialect/Traits.h"

namespace mlir::tt {
namespace {

/// The broadcast disappears where its users broadcast themselves. Elsewhere it
/// becomes a ttnn.repeat.
struct BroadcastPattern : OpConversionPattern<ttir::BroadcastOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ttir::BroadcastOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (followsNumPy(op) && llvm::all_of(op->getUsers(), broadcastsItself)) {
      if (auto remark = kCallRemarks.passed(op, "Folded"))
        remark << reason("goes away: its readers broadcast themselves")
               << rejected("ttnn.repeat: it would write the whole tensor");
      rewriter.replaceOp(op, adaptor.getInput());
      return success();
    }
    if (auto remark = kCallRemarks.passed(op, "Repeated"))
      remark << reason("becomes ttnn.repeat")
             << rejected("to go away: {0}",
                         followsNumPy(op)
                             ? "not all readers broadcast themselves"
                             : "readers broadcast as NumPy does, to other "
                               "dimensions");
    ArrayRef<int64_t> output = op.getOutput().getType().getShape();
    SmallVector<int64_t> aligned = alignedShape(op);
    Value input = reshape(rewriter, op, adaptor.getInput(), aligned);
    SmallVector<int64_t> repeats;
    for (auto [from, to] : llvm::zip(aligned, output))
      repeats.push_back(to / from);
    rewriter.replaceOp(op, ttnn::RepeatOp::create(
                               rewriter, op.getLoc(), op.getType(), input,
                               adaptor.getOutput(),
                               ttnn::ShapeAttr::get(getContext(), repeats)));
    return success();
  }

private:
  static SmallVector<int64_t> alignedShape(ttir::BroadcastOp op) {
    return shapes::alignBroadcast(op.getInput().getType().getShape(),
                                  op.getType().getRank(), op.getDimension());
  }

  /// Whether NumPy's rules map the input's dimensions to the same ones of the
  /// result.
  static bool followsNumPy(ttir::BroadcastOp op) {
    ArrayRef<int64_t> input = op.getInput().getType().getShape();
    SmallVector<int64_t> aligned(op.getType().getRank() - input.size(), 1);
    llvm::append_range(aligned, input);
    return aligned == alignedShape(op);
  }

  static Value reshape(ConversionPatternRewriter &rewriter, Operation *op,
                       Value input, ArrayRef<int64_t> shape) {
    auto inputType = cast<RankedTensorType>(input.getType());
    if (inputType.getShape() == shape)
      return input;
    RankedTensorType type = withShape(inputType, shape);
    SmallVector<int32_t> extents(shape.begin(), shape.end());
    return ttnn::ReshapeOp::create(rewriter, op->getLoc(), type, input,
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

void populateTTIRToTTNNBroadcastPatterns(RewritePatternSet &patterns) {
  patterns.add<BroadcastPattern>(patterns.getContext());
}

} // namespace mlir::tt
