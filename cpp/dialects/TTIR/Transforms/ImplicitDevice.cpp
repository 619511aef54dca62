#include "dialects/TT/Mesh.h"
#include "dialects/TTIR/Transforms/Passes.h"

#include "mlir/IR/BuiltinOps.h"

namespace mlir::tt::ttir {

#define GEN_PASS_DEF_TTIRIMPLICITDEVICE
#include "dialects/TTIR/Transforms/Passes.h.inc"

namespace {

struct TTIRImplicitDevice
    : public impl::TTIRImplicitDeviceBase<TTIRImplicitDevice> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (module->hasAttr(DeviceAttr::name))
      return;
    auto systemDesc =
        module->getAttrOfType<SystemDescAttr>(SystemDescAttr::name);
    if (!systemDesc) {
      module.emitError("expected a module with 'tt.system_desc' to make a "
                       "device of, found none; run ttir-load-system-desc "
                       "first");
      return signalPassFailure();
    }
    std::optional<ArrayRef<unsigned>> chips;
    if (!chipIds.empty())
      chips = *chipIds;
    DeviceAttr device =
        createDevice([&] { return module.emitError("ttir-implicit-device: "); },
                     systemDesc, *meshShape, chips, *overrideDeviceShape);
    if (!device)
      return signalPassFailure();
    module->setAttr(DeviceAttr::name, device);
  }
};

} // namespace
} // namespace mlir::tt::ttir
