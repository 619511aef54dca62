//===- FillPattern.cpp - tensors of known numbers -------------------------===//
//
// One number everywhere is written by the cores. Everything else is a constant
// of the host, as are shards, block floats and what needs zeros around it.

#include "conversion/TTIRToTTMetal/DispatchBuilder.h"

#include "llvm/ADT/APSInt.h"

using namespace mlir;
using namespace mlir::tt;

namespace {

/// Bits of `value` as an element of `type`.
uint32_t getBits(Attribute value, Type type) {
  if (auto integer = dyn_cast<IntegerAttr>(value))
    if (type.isInteger())
      return integer.getValue()
          .zextOrTrunc(type.getIntOrFloatBitWidth())
          .getZExtValue();
  APFloat number = cast<FloatAttr>(value).getValue();
  bool losesInfo;
  number.convert(cast<FloatType>(type).getFloatSemantics(),
                 APFloat::rmNearestTiesToEven, &losesInfo);
  return number.bitcastToAPInt().getZExtValue();
}

struct FillPattern : public KernelPattern<ttir::FillOp> {
  using KernelPattern::KernelPattern;

  LogicalResult lower(ttir::FillOp op,
                      ConversionPatternRewriter &rewriter) const final {
    auto type = op.getOutput().getType();
    auto layout = cast<LayoutAttr>(type.getEncoding());
    auto value = cast<ElementsAttr>(op.getValue());
    if (layout.isSystemMemorySpace()) {
      rewriter.replaceOpWithNewOp<ttmetal::HostConstantOp>(op, type, value);
      return success();
    }
    Type stored = layout.getScalarElementType();
    if (value.isSplat() && stored == type.getElementType() &&
        mayFillPadding(type, value) && isPaged(layout) &&
        !isBlockFloat(*elementTypeToDataType(layout.getElementType())))
      return fill(op, getBits(value.getSplatValue<Attribute>(), stored),
                  rewriter);
    auto host =
        LayoutAttr::get(type, MemorySpace::System, layout.getGrid(),
                        type.getElementType(), TensorMemoryLayout::None);
    Value constant = ttmetal::HostConstantOp::create(
        rewriter, op.getLoc(),
        RankedTensorType::get(type.getShape(), type.getElementType(), host),
        value);
    rewriter.replaceOpWithNewOp<ttmetal::HostWriteOp>(op, type, constant,
                                                      op.getOutput());
    return success();
  }

private:
  /// Whether the padding may have the value of the elements: the host writes
  /// zeros there.
  static bool mayFillPadding(RankedTensorType type, ElementsAttr value) {
    auto layout = cast<LayoutAttr>(type.getEncoding());
    int64_t places =
        volume(layout.getMemref().getShape()) * layout.getGrid().getVolume();
    if (auto tile = dyn_cast<TileType>(layout.getElementType()))
      places *= tile.getHeight() * tile.getWidth();
    return layout.getOobVal() == OOBVal::Undef ||
           places == type.getNumElements() ||
           getBits(value.getSplatValue<Attribute>(), type.getElementType()) ==
               0;
  }

  /// Writes the same page everywhere.
  LogicalResult fill(ttir::FillOp op, uint32_t bits,
                     ConversionPatternRewriter &rewriter) const {
    DispatchBuilder dispatch(rewriter, op, lowering);
    Tensor out = dispatch.output(op.getOutput());
    int64_t bytes = llvm::divideCeil(
        out.getType().getElementType().getIntOrFloatBitWidth(), 8);
    int64_t elements = out.getPageBytes() / bytes;
    Buffer page = dispatch.addScalars(
        ttkernel::CBPort::Out0, out.getType().getElementType(), {1, elements},
        out.getPageBytes(), /*numBuffers=*/1);
    int64_t pages = out.getNumPages();
    dispatch.setCores(dispatch.coresFor(pages));
    dispatch.writer([&](KernelBuilder &kernel) {
      OpBuilder &builder = kernel.getBuilder();
      kernel.reserve(page);
      kernel.call(
          "fill_with_val", {kernel.writePointer(page), elements, int64_t(bits)},
          builder.getNamedAttr("bytes", builder.getI32IntegerAttr(bytes)));
      kernel.push(page);
      kernel.wait(page);
      I32 address = kernel.readPointer(page);
      Share share = kernel.share(pages, dispatch.getCores().volume());
      kernel.forRange(share.count, [&](I32 i) {
        kernel.writePage(out, share.first + i, address);
      });
      kernel.writeBarrier();
      kernel.pop(page);
    });
    return dispatch.build();
  }
};

} // namespace

void tt::populateTTIRToTTMetalFillPatterns(RewritePatternSet &patterns,
                                           Lowering &lowering) {
  patterns.add<FillPattern>(patterns.getContext(), lowering);
}
