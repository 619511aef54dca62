#include "dialects/TTIR/Transforms/Passes.h"

#include "target/SystemDesc/SystemDesc.h"

#include "mlir/IR/BuiltinOps.h"

namespace mlir::tt::ttir {

#define GEN_PASS_DEF_TTIRLOADSYSTEMDESC
#include "dialects/TTIR/Transforms/Passes.h.inc"

namespace {

struct TTIRLoadSystemDesc
    : public impl::TTIRLoadSystemDescBase<TTIRLoadSystemDesc> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (path.empty()) {
      if (!module->hasAttr(SystemDescAttr::name))
        module->setAttr(SystemDescAttr::name,
                        SystemDescAttr::getDefault(&getContext()));
      return;
    }
    FailureOr<SystemDescAttr> systemDesc =
        loadSystemDesc([&] { return module.emitError(); }, &getContext(), path);
    if (failed(systemDesc))
      return signalPassFailure();
    module->setAttr(SystemDescAttr::name, *systemDesc);
  }
};

} // namespace
} // namespace mlir::tt::ttir
