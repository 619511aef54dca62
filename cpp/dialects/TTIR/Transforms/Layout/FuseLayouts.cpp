#include "dialects/TT/Remarks.h"
#include "dialects/TT/TileLayout.h"
#include "dialects/TTIR/TTIR.h"
#include "dialects/TTIR/Transforms/Layout/LayoutState.h"
#include "dialects/TTIR/Transforms/Passes.h"
#include "dialects/TTIR/Transforms/TensorTypes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::tt::ttir {

#define GEN_PASS_DEF_TTIRFUSELAYOUTS
#include "dialects/TTIR/Transforms/Passes.h.inc"

namespace {

constexpr Remarks kFuseRemarks("ttir-fuse-layouts");

/// Each input in rows takes a port for rows and one for tiles, of 16.
constexpr size_t kMostInputs = 7;

/// Whether rows follow each other without a gap, so that those of a matrix are
/// as many as it has.
bool isDense(LayoutAttr layout, ArrayRef<int64_t> shape) {
  SmallVector<int64_t> stride = layout.getStride(shape);
  int64_t volume = 1;
  for (int64_t d = static_cast<int64_t>(shape.size()) - 1; d >= 0; --d) {
    if (shape[d] > 1 && stride[d] != volume)
      return false;
    volume *= shape[d];
  }
  return true;
}

class TTIRFuseLayouts : public impl::TTIRFuseLayoutsBase<TTIRFuseLayouts> {
public:
  using impl::TTIRFuseLayoutsBase<TTIRFuseLayouts>::TTIRFuseLayoutsBase;

  void runOnOperation() final {
    systemDesc =
        getOperation()->getAttrOfType<SystemDescAttr>(SystemDescAttr::name);
    if (!systemDesc)
      return;
    SmallVector<GenericOp> kernels; // moves beside them are erased
    getOperation().walk([&](GenericOp op) {
      if (isElementwise(op) && op.getInputs().size() <= kMostInputs &&
          op.getRegion().front().getOps<KernelOp>().empty())
        kernels.push_back(op);
    });
    for (GenericOp op : kernels) {
      for (OpOperand &input : op.getInputsMutable())
        fuseInput(op, input);
      fuseOutput(op);
    }
  }

private:
  /// Whether `rows` and `tiles` are the same numbers in pages: rows of scalars,
  /// and tiles.
  bool isRetiling(RankedTensorType rows, RankedTensorType tiles) const {
    LayoutAttr from = getLayoutOf(rows), to = getLayoutOf(tiles);
    if (!from || !to || from.isTiled() || !to.isTiled() ||
        from.getMemorySpace() != MemorySpace::DeviceDRAM || !isPaged(from) ||
        to.getMemorySpace() != MemorySpace::DeviceDRAM || !isPaged(to) ||
        rows.getShape() != tiles.getShape() || rows.getRank() < 2)
      return false;
    std::optional<DataType> format =
        elementTypeToDataType(from.getElementType());
    // A read of part of a row begins at a multiple of a tile's width.
    return format && format == elementTypeToDataType(to.getElementType()) &&
           isDense(from, rows.getShape()) &&
           TileType::kExtent * getDataTypeBits(*format) / 8 %
                   systemDesc.getAddressAlignBytes(MemorySpace::DeviceDRAM) ==
               0;
  }

  void fuseInput(GenericOp op, OpOperand &input) {
    auto move = input.get().getDefiningOp<ToLayoutOp>();
    auto map =
        cast<AffineMapAttr>(op.getIndexingMaps()[input.getOperandNumber()]);
    if (!move || !move->hasOneUse() || !map.getValue().isIdentity() ||
        !isRetiling(getTensorType(move.getInput()), move.getType()))
      return;
    input.set(move.getInput());
    report(op, "tilizes", input.getOperandNumber());
    erase(move);
  }

  void fuseOutput(GenericOp op) {
    Value result = op->getResult(0);
    auto move = result.hasOneUse()
                    ? dyn_cast<ToLayoutOp>(*result.getUsers().begin())
                    : ToLayoutOp();
    OpOperand &output = op.getOutputsMutable()[0];
    Operation *made = output.get().getDefiningOp();
    // What is computed goes where the move wrote, which is made in front of it
    // alone.
    if (!move || move.getInput() != result || !made || !isCreation(made) ||
        !output.get().hasOneUse() ||
        !isa_and_present<tensor::EmptyOp>(move.getOutput().getDefiningOp()) ||
        !isRetiling(move.getType(), getTensorType(result)))
      return;
    retypeDestination(output, move.getType());
    result.setType(move.getType());
    report(op, "untilizes", output.getOperandNumber());
    move.getResult().replaceAllUsesWith(result);
    erase(move);
  }

  void report(GenericOp op, StringRef does, unsigned operand) {
    ++numFused;
    if (auto remark = kFuseRemarks.passed(op, "InKernel"))
      remark << reason("the kernel {0} operand {1} itself", does, operand)
             << rejected(
                    "a program in front or behind: rows and tiles have one "
                    "format, and nothing else reads the tiles");
  }

  static void erase(ToLayoutOp move) {
    Operation *made = move.getOutput().getDefiningOp();
    move.erase();
    if (made && made->use_empty() && isCreation(made))
      made->erase();
  }

  SystemDescAttr systemDesc;
};

} // namespace
} // namespace mlir::tt::ttir
