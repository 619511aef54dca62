//===- MemoryPatterns.cpp - allocations and layouts ----------------------===//

#include "conversion/TTIRToTTMetal/TTIRToTTMetal.h"
#include "dialects/TTIR/Transforms/TensorTypes.h"

using namespace mlir;
using namespace mlir::tt;

namespace {

struct AllocPattern : public KernelPattern<ttir::AllocOp> {
  using KernelPattern::KernelPattern;
  LogicalResult lower(ttir::AllocOp op,
                      ConversionPatternRewriter &rewriter) const final {
    rewriter.replaceOpWithNewOp<ttmetal::AllocOp>(
        op, op.getType(), op.getAddressAttr(), op.getSizeAttr(),
        op.getMemorySpaceAttr());
    return success();
  }
};

struct DeallocPattern : public KernelPattern<ttir::DeallocOp> {
  using KernelPattern::KernelPattern;
  LogicalResult lower(ttir::DeallocOp op,
                      ConversionPatternRewriter &rewriter) const final {
    rewriter.replaceOpWithNewOp<ttmetal::DeallocOp>(op, op.getResult());
    return success();
  }
};

struct ToLayoutPattern : public KernelPattern<ttir::ToLayoutOp> {
  using KernelPattern::KernelPattern;

  LogicalResult lower(ttir::ToLayoutOp op,
                      ConversionPatternRewriter &rewriter) const final {
    auto from = cast<LayoutAttr>(op.getInput().getType().getEncoding());
    auto to = cast<LayoutAttr>(op.getOutput().getType().getEncoding());
    if (from.isSystemMemorySpace() && to.isSystemMemorySpace())
      return op.emitOpError("expected the device on one side of a move of "
                            "memory, found host memory on both; run "
                            "--ttir-layout first");
    rewriter.modifyOpInPlace(op, [&] { op->setLoc(ttir::getTransferLoc(op)); });
    if (from.isSystemMemorySpace()) {
      report(op, "the host writes the tensor to {0}", to);
      rewriter.replaceOpWithNewOp<ttmetal::HostWriteOp>(
          op, op.getType(), op.getInput(), op.getOutput());
      return success();
    }
    if (to.isSystemMemorySpace()) {
      report(op, "the host reads the tensor from {0}", from);
      rewriter.replaceOpWithNewOp<ttmetal::HostReadOp>(
          op, op.getType(), op.getInput(), op.getOutput());
      return success();
    }
    return lowerDeviceLayout(op, from, to, rewriter);
  }

private:
  static void report(ttir::ToLayoutOp op, const char *what, LayoutAttr layout,
                     StringRef whyNot = "") {
    auto remark = kKernelRemarks.passed(op, "Moved");
    if (!remark)
      return;
    remark << reason(what, describe(layout));
    if (!whyNot.empty())
      remark << rejected("{0}", whyNot);
  }

  LogicalResult lowerDeviceLayout(ttir::ToLayoutOp op, LayoutAttr from,
                                  LayoutAttr to,
                                  ConversionPatternRewriter &rewriter) const {
    Tensor input{op.getInput()}, output{op.getOutput()};
    bool changesElements = from.getElementType() != to.getElementType();
    // Pages go through circular buffers wherever their banks are.
    if (input.isPaged() && output.isPaged()) {
      report(op, "pages go through circular buffers to {0}", to);
      return lowerReformat(op, lowering, rewriter);
    }
    bool isPaged = input.isPaged() || output.isPaged();
    // Rows of one core may change their places when they become tiles.
    bool keepsRows = from.getLinear() == to.getLinear() ||
                     (input.isTiled() != output.isTiled() &&
                      from.getGrid().getVolume() == 1);
    bool moves = isPaged || from.getMemorySpace() != to.getMemorySpace() ||
                 from.getGrid() != to.getGrid() || !keepsRows;
    if (moves && changesElements)
      return op.emitOpError("changes the element type from ")
             << from.getElementType() << " to " << to.getElementType()
             << " and the place of the tensor; expected one of them, run "
                "--ttir-split-compound-layout first";
    if (!moves) {
      report(op, "every core makes {0} of its shard", to,
             "transfers: the shards stay on their cores");
      return lowerReformat(op, lowering, rewriter);
    }
    if (to.getOobVal() != OOBVal::Undef && to.getOobVal() != from.getOobVal())
      return op.emitOpError("changes what is around the elements from ")
             << stringifyOOBVal(from.getOobVal()) << " to "
             << stringifyOOBVal(to.getOobVal())
             << " and the place of the tensor; expected one of them, run "
                "--ttir-layout first";
    report(op,
           isPaged ? "cores move the pages of their shards, to {0}"
                   : "cores fetch the parts of their shards, to {0}",
           to, "circular buffers: the elements stay as they are");
    return isPaged ? lowerShardPages(op, lowering, rewriter)
                   : lowerRelayout(op, lowering, rewriter);
  }
};

} // namespace

void tt::populateTTIRToTTMetalMemoryPatterns(RewritePatternSet &patterns,
                                             Lowering &lowering) {
  patterns.add<AllocPattern, DeallocPattern, ToLayoutPattern>(
      patterns.getContext(), lowering);
}
