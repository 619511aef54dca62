#include "dialects/TT/TT.h"
#include "dialects/TTIR/TTIR.h"
#include "dialects/TTIR/Transforms/Passes.h"
#include "dialects/TTIR/Transforms/TensorTypes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "llvm/ADT/StringSet.h"

namespace mlir::tt::ttir {

#define GEN_PASS_DEF_TTIROPTIMIZER
#include "dialects/TTIR/Transforms/Passes.h.inc"

namespace {

class TTIROptimizer : public impl::TTIROptimizerBase<TTIROptimizer> {
public:
  using impl::TTIROptimizerBase<TTIROptimizer>::TTIROptimizerBase;

  void runOnOperation() final {
    ModuleOp module = getOperation();
    auto device = module->getAttrOfType<DeviceAttr>("tt.device");
    if (!device) {
      module.emitError("ttir-optimizer needs a device: expected the attribute "
                       "'tt.device' on the module, found none; run "
                       "--ttir-implicit-device first");
      return signalPassFailure();
    }
    if (shardingPassEnabled || reshardingEnabled) {
      module.emitError("ttir-optimizer does not shard ops yet: expected "
                       "sharding-pass-enabled=false and "
                       "resharding-enabled=false");
      return signalPassFailure();
    }

    workerGrid =
        GridAttr::get(&getContext(), device.getWorkerGrid().getShape());
    llvm::StringSet<> unused;
    for (const auto &entry : overrideGridSizes.grids)
      unused.insert(entry.getKey());

    WalkResult result = module.walk([&](Operation *op) {
      // The region of a generic op works on shards that the op has chosen.
      if (isa<GenericOp>(op))
        return WalkResult::skip();
      if (op->getNumResults() == 0)
        return WalkResult::advance();
      if (auto name = dyn_cast<NameLoc>(op->getLoc()))
        unused.erase(name.getName());
      return chooseLayout(op);
    });
    if (result.wasInterrupted())
      return signalPassFailure();
    for (const auto &entry : unused)
      module.emitWarning("no op has the location name '")
          << entry.getKey() << "' of override-grid-sizes";

    module.walk([](func::FuncOp func) { updateResultTypes(func); });
  }

private:
  /// The grid that the user demands for the op; null if none.
  GridAttr getOverride(Operation *op) {
    auto name = dyn_cast<NameLoc>(op->getLoc());
    if (!name)
      return {};
    auto it = overrideGridSizes.grids.find(name.getName().getValue());
    if (it == overrideGridSizes.grids.end())
      return {};
    return GridAttr::get(&getContext(), it->second);
  }

  WalkResult chooseLayout(Operation *op) {
    auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
    if (!type)
      return WalkResult::advance();
    auto layout = dyn_cast_if_present<LayoutAttr>(type.getEncoding());

    GridAttr grid = getOverride(op);
    if (!grid && (!isa<TTIROp>(op) || isa<ToLayoutOp>(op)))
      return WalkResult::advance();
    if (!layout) {
      op->emitOpError("result has no layout: expected a tensor with a "
                      "'tt.layout' encoding, found ")
          << type << "; run --ttir-layout first";
      return WalkResult::interrupt();
    }

    if (grid) {
      if (grid.getRank() != layout.getGrid().getRank()) {
        op->emitOpError("override grid has rank ")
            << grid.getRank() << ", expected rank "
            << layout.getGrid().getRank();
        return WalkResult::interrupt();
      }
      ++numOverrides;
    } else {
      grid = workerGrid;
      layout = layout.withMemorySpace(MemorySpace::DeviceDRAM)
                   .withMemoryLayout(TensorMemoryLayout::Interleaved);
    }
    setResultType(op,
                  RankedTensorType::get(type.getShape(), type.getElementType(),
                                        layout.withGrid(type, grid)));
    ++numLayouts;
    return WalkResult::advance();
  }

  /// Changes the type of result 0 and, in destination-passing style, of the
  /// destination that it is tied to.
  static void setResultType(Operation *op, RankedTensorType type) {
    op->getResult(0).setType(type);
    auto dps = dyn_cast<DestinationStyleOpInterface>(op);
    if (!dps || dps.getNumDpsInits() == 0)
      return;
    retypeDestination(*dps.getDpsInitOperand(0), type);
  }

  GridAttr workerGrid;
};

} // namespace
} // namespace mlir::tt::ttir
