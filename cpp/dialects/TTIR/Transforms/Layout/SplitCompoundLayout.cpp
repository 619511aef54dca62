#include "dialects/TT/Remarks.h"
#include "dialects/TTIR/TTIR.h"
#include "dialects/TTIR/Transforms/Passes.h"
#include "dialects/TTIR/Transforms/TensorTypes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringExtras.h"

namespace mlir::tt::ttir {

#define GEN_PASS_DEF_TTIRSPLITCOMPOUNDLAYOUT
#include "dialects/TTIR/Transforms/Passes.h.inc"

namespace {

constexpr Remarks kSplitRemarks("ttir-split-compound-layout");

/// What a layout change changes.
struct Components {
  Components(LayoutAttr from, LayoutAttr to)
      : linear(from.getLinear() != to.getLinear()),
        grid(from.getGrid() != to.getGrid()),
        elementType(from.getElementType() != to.getElementType()),
        memorySpace(from.getMemorySpace() != to.getMemorySpace()),
        memLayout(from.getMemLayout() != to.getMemLayout()) {}

  bool isCompound() const {
    return linear + grid + elementType + memorySpace + memLayout > 1;
  }

  bool linear, grid, elementType, memorySpace, memLayout;
};

/// `layout` on another grid. Its map from tensor to grid, which the program may
/// state, is kept if it has results for that grid.
LayoutAttr withGrid(RankedTensorType type, LayoutAttr layout, GridAttr grid) {
  SmallVector<int64_t> shard = layout.getPhysicalShape(type.getShape());
  if (shard.size() != grid.getShape().size())
    return layout.withGrid(type, grid);
  for (auto [extent, cores] : llvm::zip_equal(shard, grid.getShape()))
    extent = llvm::divideCeil(extent, cores);
  auto memref = MemRefType::get(shard, layout.getScalarElementType(),
                                MemRefLayoutAttrInterface(),
                                layout.getMemref().getMemorySpace());
  return LayoutAttr::get(layout.getContext(), layout.getLinear(),
                         layout.getOobVal(), grid, memref,
                         layout.getMemLayout())
      .withElementType(layout.getElementType());
}

/// A layout between `from` and `to` that is closer to both. The work is done in
/// L1, and tiles are moved rather than scalars. May be one of the two when
/// nothing in between helps.
LayoutAttr chooseBounce(RankedTensorType type, LayoutAttr from, LayoutAttr to) {
  Components change(from, to);
  if (from.getMemorySpace() != MemorySpace::DeviceL1)
    return from.withMemorySpace(MemorySpace::DeviceL1);
  if (to.getMemorySpace() != MemorySpace::DeviceL1)
    return to.withMemorySpace(MemorySpace::DeviceL1);
  // Tiles do not change their map together with anything else.
  bool moveTiles = !change.linear || !(change.grid || change.memLayout);
  if (from.isTiled() != to.isTiled())
    return from.isTiled() == moveTiles
               ? to.withElementType(from.getElementType())
               : from.withElementType(to.getElementType());
  if (change.linear && from.isTiled())
    return from.withElementType(from.getScalarElementType());
  if (change.grid)
    return withGrid(type, to, from.getGrid());
  if (change.memLayout)
    return from.withMemoryLayout(to.getMemLayout());
  return from.withElementType(to.getElementType());
}

class TTIRSplitCompoundLayout
    : public impl::TTIRSplitCompoundLayoutBase<TTIRSplitCompoundLayout> {
public:
  using impl::TTIRSplitCompoundLayoutBase<
      TTIRSplitCompoundLayout>::TTIRSplitCompoundLayoutBase;

  void runOnOperation() final {
    SmallVector<ToLayoutOp> worklist;
    getOperation().walk([&](ToLayoutOp op) { worklist.push_back(op); });
    for (ToLayoutOp op : worklist)
      if (failed(split(op)))
        return signalPassFailure();
  }

private:
  LogicalResult split(ToLayoutOp op) {
    RankedTensorType type = op.getOutput().getType();
    auto target = cast<LayoutAttr>(type.getEncoding());
    // The layouts still to be reached, the next one last.
    SmallVector<LayoutAttr> path{target};
    int steps = 0;
    SmallVector<LayoutAttr> route{getLayoutOf(op.getInput().getType())};
    while (!path.empty()) {
      auto from = cast<LayoutAttr>(op.getInput().getType().getEncoding());
      LayoutAttr next = path.back();
      if (Components(from, next).isCompound()) {
        LayoutAttr bounce = chooseBounce(type, from, next);
        // With many more steps than components it goes round in circles.
        if (bounce == from || bounce == next || path.size() > 8 || steps > 16)
          return op.emitOpError("cannot be split into steps that change one "
                                "property each: found a change from ")
                 << from << " to " << target;
        path.push_back(bounce);
        continue;
      }
      path.pop_back();
      route.push_back(next);
      if (path.empty())
        break;
      OpBuilder builder(op);
      op.getInputMutable().assign(createToLayout(
          builder, op.getLoc(), op.getInput(), withLayout(type, next)));
      ++numSteps;
      ++steps;
    }
    if (steps == 0)
      return success();
    if (auto remark = kSplitRemarks.passed(op, "Split"))
      remark << reason("{0} steps: {1}", steps + 1,
                       llvm::join(llvm::map_range(route,
                                                  [](LayoutAttr layout) {
                                                    return describe(layout);
                                                  }),
                                  " to "))
             << rejected(
                    "one step: each changes one property, in L1, and moves "
                    "tiles rather than scalars");
    return success();
  }
};

} // namespace
} // namespace mlir::tt::ttir
