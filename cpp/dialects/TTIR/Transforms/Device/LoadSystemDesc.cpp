#include "dialects/TT/Remarks.h"
#include "dialects/TTIR/Transforms/Passes.h"

#include "target/SystemDesc/SystemDesc.h"

#include "mlir/IR/BuiltinOps.h"

namespace mlir::tt::ttir {

#define GEN_PASS_DEF_TTIRLOADSYSTEMDESC
#include "dialects/TTIR/Transforms/Passes.h.inc"

namespace {

constexpr Remarks kSystemRemarks("ttir-load-system-desc");

struct TTIRLoadSystemDesc
    : public impl::TTIRLoadSystemDescBase<TTIRLoadSystemDesc> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (path.empty()) {
      bool hasOwn = module->hasAttr(SystemDescAttr::name);
      if (!hasOwn)
        module->setAttr(SystemDescAttr::name,
                        SystemDescAttr::getDefault(&getContext()));
      return report(hasOwn ? "the module's own" : "the default, one n150",
                    "no file: path is not given");
    }
    FailureOr<SystemDescAttr> systemDesc =
        loadSystemDesc([&] { return module.emitError(); }, &getContext(), path);
    if (failed(systemDesc))
      return signalPassFailure();
    report("that of the file in path",
           module->hasAttr(SystemDescAttr::name)
               ? "the module's own: a file replaces it"
               : "the default, one n150: there is a file");
    module->setAttr(SystemDescAttr::name, *systemDesc);
  }

private:
  void report(StringRef chosen, StringRef other) {
    if (auto remark = kSystemRemarks.passed(getOperation(), "System"))
      remark << reason("compiles for {0}", chosen) << rejected("{0}", other);
  }
};

} // namespace
} // namespace mlir::tt::ttir
