#include "pipelines/Pipelines.h"

#include "conversion/TTIRToTTNN/TTIRToTTNN.h"
#include "dialects/TTIR/Transforms/Passes.h"

#include "mlir/Pass/PassRegistry.h"

namespace mlir::tt {

void createTTIRToTTNNBackendPipeline(
    OpPassManager &manager, const TTIRToTTNNBackendPipelineOptions &options) {
  manager.addPass(ttir::createTTIRSlidingWindow2dFixShapes());

  ttir::TTIRLoadSystemDescOptions loadOptions;
  loadOptions.path = options.systemDescPath;
  manager.addPass(ttir::createTTIRLoadSystemDesc(loadOptions));

  ttir::TTIRImplicitDeviceOptions deviceOptions;
  deviceOptions.meshShape = llvm::to_vector(options.meshShape);
  manager.addPass(ttir::createTTIRImplicitDevice(deviceOptions));

  manager.addPass(ttir::createTTIRLayout());

  if (options.optimizerEnabled) {
    ttir::TTIROptimizerOptions optimizerOptions;
    optimizerOptions.overrideGridSizes = options.overrideGridSizes;
    optimizerOptions.shardingPassEnabled = options.shardingPassEnabled;
    manager.addPass(ttir::createTTIROptimizer(optimizerOptions));
  }

  manager.addPass(createConvertTTIRToTTNN());
}

void registerPipelines() {
  PassPipelineRegistration<TTIRToTTNNBackendPipelineOptions>(
      "ttir-to-ttnn-backend-pipeline",
      "Pipeline lowering ttir to ttnn backend.",
      createTTIRToTTNNBackendPipeline);
}

} // namespace mlir::tt
