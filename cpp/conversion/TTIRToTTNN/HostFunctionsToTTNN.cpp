#include "conversion/TTIRToTTNN/TTIRToTTNN.h"

#include "dialects/TT/TTOps.h"
#include "dialects/TTIR/TTIR.h"
#include "dialects/TTIR/Transforms/Passes.h"
#include "dialects/TTNN/TTNN.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"

namespace mlir::tt {

#define GEN_PASS_DEF_CONVERTHOSTFUNCTIONSTOTTNN
#include "conversion/TTIRToTTNN/Passes.h.inc"

namespace {

class ConvertHostFunctionsToTTNN
    : public impl::ConvertHostFunctionsToTTNNBase<ConvertHostFunctionsToTTNN> {
public:
  void runOnOperation() final {
    ModuleOp module = getOperation();
    auto functions = llvm::to_vector(llvm::make_filter_range(
        module.getOps<func::FuncOp>(),
        [](func::FuncOp function) { return function->hasAttr(kHostAttr); }));
    if (functions.empty())
      return markAllAnalysesPreserved();
    // In a module of their own, so that the passes see nothing else.
    OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
    auto host = ModuleOp::create(builder, module.getLoc());
    for (StringRef name : {SystemDescAttr::name, DeviceAttr::name})
      if (Attribute attribute = module->getAttr(name))
        host->setAttr(name, attribute);
    for (func::FuncOp function : functions)
      function->moveBefore(host.getBody(), host.getBody()->end());

    OpPassManager manager(ModuleOp::getOperationName());
    manager.addPass(ttir::createTTIRExpandComposites());
    manager.addPass(ttir::createTTIRSlidingWindow2dFixShapes());
    manager.addPass(ttir::createTTIRLayout());
    manager.addPass(createConvertTTIRToTTNN());
    if (failed(runPipeline(manager, host)))
      signalPassFailure();

    for (auto function :
         llvm::make_early_inc_range(host.getOps<func::FuncOp>()))
      function->moveBefore(host);
    host.erase();
    numFunctions += functions.size();
  }
};

} // namespace
} // namespace mlir::tt
