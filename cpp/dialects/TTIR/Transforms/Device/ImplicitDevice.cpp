#include "dialects/TT/CollectiveInterface.h"
#include "dialects/TT/Mesh.h"
#include "dialects/TT/Remarks.h"
#include "dialects/TTIR/Canonicalize.h"
#include "dialects/TTIR/Transforms/Passes.h"

#include "mlir/IR/BuiltinOps.h"

namespace mlir::tt::ttir {

#define GEN_PASS_DEF_TTIRIMPLICITDEVICE
#include "dialects/TTIR/Transforms/Passes.h.inc"

namespace {

constexpr Remarks kDeviceRemarks("ttir-implicit-device");

struct TTIRImplicitDevice
    : public impl::TTIRImplicitDeviceBase<TTIRImplicitDevice> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (!module->hasAttr(DeviceAttr::name) && failed(addDevice(module)))
      return signalPassFailure();
    if (failed(removeIdentities(module)))
      signalPassFailure();
  }

private:
  LogicalResult addDevice(ModuleOp module) {
    auto systemDesc =
        module->getAttrOfType<SystemDescAttr>(SystemDescAttr::name);
    if (!systemDesc)
      return module.emitError("expected a module with 'tt.system_desc' to make "
                              "a device of, found none; run "
                              "ttir-load-system-desc first");
    std::optional<ArrayRef<unsigned>> chips;
    if (!chipIds.empty())
      chips = *chipIds;
    // A program may say what mesh it is for.
    SmallVector<int64_t> mesh(*meshShape);
    if (auto own = module->getAttrOfType<DenseI64ArrayAttr>("tt.mesh_shape");
        own && mesh.empty())
      mesh.assign(own.asArrayRef().begin(), own.asArrayRef().end());
    DeviceAttr device =
        createDevice([&] { return module.emitError("ttir-implicit-device: "); },
                     systemDesc, mesh, chips, *overrideDeviceShape);
    if (!device)
      return failure();
    module->setAttr(DeviceAttr::name, device);
    report(device);
    return success();
  }

  void report(DeviceAttr device) {
    auto remark = kDeviceRemarks.passed(getOperation(), "Placed");
    if (!remark)
      return;
    ArrayRef<unsigned> chips = device.getChipIds();
    bool isInOrder = llvm::equal(chips, llvm::seq<unsigned>(0, chips.size()));
    remark << reason(
        "mesh {0} on chips {1:$[,]}, {2}; {3} cores of each, {4}",
        Mesh(device).str(), llvm::make_range(chips.begin(), chips.end()),
        !chipIds.empty() ? "which chip-ids names"
        : isInOrder      ? "the first ones of the system"
                         : "the smallest choice whose neighbours have "
                           "links",
        formatExtents(getChipGrid(device)),
        overrideDeviceShape.empty() ? "all that all of them have"
                                    : "which override-device-shape names");
    if (chipIds.empty() && !isInOrder)
      remark << rejected("the first chips of the system: not all neighbours in "
                         "the mesh have a link there");
  }

  /// Removes collectives that change nothing on the mesh; an error for the
  /// first one that does not fit it.
  LogicalResult removeIdentities(ModuleOp module) {
    SmallVector<CollectiveOpInterface> collectives;
    WalkResult checked = module.walk([&](CollectiveOpInterface op) {
      collectives.push_back(op);
      return WalkResult(verifyOnScopeMesh(op));
    });
    if (checked.wasInterrupted())
      return failure();
    IRRewriter rewriter(module.getContext());
    for (CollectiveOpInterface op : collectives)
      if (succeeded(foldIdentityCollective(op, rewriter)))
        ++numRemoved;
    return success();
  }
};

} // namespace
} // namespace mlir::tt::ttir
