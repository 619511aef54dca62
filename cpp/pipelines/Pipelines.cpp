#include "pipelines/Pipelines.h"

#include "conversion/LinalgToTTIR/LinalgToTTIR.h"
#include "conversion/TTIRToTTMetal/TTIRToTTMetal.h"
#include "conversion/TTIRToTTNN/TTIRToTTNN.h"
#include "conversion/TosaToTTIR/TosaToTTIR.h"
#include "dialects/TTIR/Transforms/Passes.h"
#include "dialects/TTNN/Transforms/Passes.h"

#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

namespace mlir::tt {

void createTTIRToTTNNBackendPipeline(
    OpPassManager &manager, const TTIRToTTNNBackendPipelineOptions &options) {
  manager.addPass(ttir::createTTIRSlidingWindow2dFixShapes());

  ttir::TTIRLoadSystemDescOptions loadOptions;
  loadOptions.path = options.systemDescPath;
  manager.addPass(ttir::createTTIRLoadSystemDesc(loadOptions));

  ttir::TTIRImplicitDeviceOptions deviceOptions;
  deviceOptions.meshShape = llvm::to_vector(options.meshShape);
  deviceOptions.chipIds = llvm::to_vector(options.chipIds);
  manager.addPass(ttir::createTTIRImplicitDevice(deviceOptions));

  ttir::TTIRLayoutPropagationOptions propagationOptions;
  // What the propagation places in L1 is freed unless nothing is.
  bool deallocates =
      options.deallocateEnabled != llvm::cl::boolOrDefault::BOU_FALSE;
  propagationOptions.frees = deallocates;
  manager.addPass(ttir::createTTIRLayoutPropagation(propagationOptions));
  manager.addPass(ttir::createTTIRLayout());

  if (options.optimizerEnabled) {
    ttir::TTIROptimizerOptions optimizerOptions;
    optimizerOptions.overrideGridSizes = options.overrideGridSizes;
    optimizerOptions.overrideOutputLayout = options.overrideOutputLayout;
    optimizerOptions.shardingPassEnabled = options.shardingPassEnabled;
    optimizerOptions.reshardingEnabled = options.reshardingEnabled;
    manager.addPass(ttir::createTTIROptimizer(optimizerOptions));
  }

  manager.addPass(createConvertTTIRToTTNN());

  if (options.activationDtypeLoweringEnabled) {
    ttnn::TTNNCCLActivationDtypeLoweringOptions loweringOptions;
    loweringOptions.lowerF32 = options.activationDtypeLoweringF32;
    manager.addPass(
        ttnn::createTTNNCCLActivationDtypeLowering(loweringOptions));
  }

  if (deallocates) {
    ttnn::TTNNDeallocateOptions deallocateOptions;
    deallocateOptions.onlyWithL1 =
        options.deallocateEnabled == llvm::cl::boolOrDefault::BOU_UNSET;
    manager.addPass(ttnn::createTTNNDeallocate(deallocateOptions));
  }
}

void createTTIRToTTMetalBackendPipeline(
    OpPassManager &manager,
    const TTIRToTTMetalBackendPipelineOptions &options) {
  bool inDram = options.defaultMemorySpace == MemorySpace::DeviceDRAM;

  ttir::TTIRLoadSystemDescOptions loadOptions;
  loadOptions.path = options.systemDescPath;
  manager.addPass(ttir::createTTIRLoadSystemDesc(loadOptions));

  ttir::TTIRImplicitDeviceOptions deviceOptions;
  deviceOptions.meshShape = llvm::to_vector(options.meshShape);
  deviceOptions.chipIds = llvm::to_vector(options.chipIds);
  deviceOptions.overrideDeviceShape =
      llvm::to_vector(options.overrideDeviceShape);
  manager.addPass(ttir::createTTIRImplicitDevice(deviceOptions));

  ttir::TTIRDecompositionOptions decompositionOptions;
  decompositionOptions.useAllGatherKernel = options.useAllGatherKernel;
  manager.addPass(ttir::createTTIRDecomposition(decompositionOptions));

  ttir::TTIRGenericRegionOptions genericOptions;
  genericOptions.fuse = true;
  manager.addPass(ttir::createTTIRGenericRegion(genericOptions));

  ttir::TTIRLayoutPropagationOptions propagationOptions;
  propagationOptions.kernels = true;
  manager.addPass(ttir::createTTIRLayoutPropagation(propagationOptions));

  ttir::TTIRLayoutOptions layoutOptions;
  layoutOptions.initMemorySpace = options.defaultMemorySpace;
  layoutOptions.defaultMemorySpace = options.defaultMemorySpace;
  layoutOptions.defaultDeviceMemoryLayout =
      inDram ? TensorMemoryLayout::Interleaved : TensorMemoryLayout::None;
  layoutOptions.padToTiles = true;
  manager.addPass(ttir::createTTIRLayout(layoutOptions));

  manager.addPass(ttir::createTTIRGenericRegionOperandsToMemref());
  manager.addPass(ttir::createTTIRAllocate());
  ConvertTTIRToTTMetalOptions conversionOptions;
  conversionOptions.useAllGatherKernel = options.useAllGatherKernel;
  conversionOptions.allGatherSwizzle = options.allGatherSwizzle;
  manager.addPass(createConvertTTIRToTTMetal(conversionOptions));
}

/// Inlines private functions, converts, and removes what came out twice.
static void addFrontend(OpPassManager &manager, std::unique_ptr<Pass> convert,
                        const FrontendPipelineOptions &options) {
  manager.addPass(createInlinerPass());
  manager.addPass(createSymbolDCEPass());
  manager.addPass(std::move(convert));
  manager.addPass(createCSEPass());
  if (options.removeDeadValuesEnabled)
    manager.addPass(createRemoveDeadValuesPass());
}

void createTosaToTTIRPipeline(OpPassManager &manager,
                              const FrontendPipelineOptions &options) {
  addFrontend(manager, createConvertTosaToTTIR(), options);
}

void createLinalgToTTIRPipeline(OpPassManager &manager,
                                const FrontendPipelineOptions &options) {
  addFrontend(manager, createConvertLinalgToTTIR(), options);
}

void registerPipelines() {
  // The names with the suffix are those of the pipelines beside them.
  for (StringRef name : {"tosa-to-ttir-pipeline", "tosa-to-ttir"})
    PassPipelineRegistration<FrontendPipelineOptions>(
        name, "Pipeline lowering tosa to ttir.", createTosaToTTIRPipeline);
  for (StringRef name : {"linalg-to-ttir-pipeline", "linalg-to-ttir"})
    PassPipelineRegistration<FrontendPipelineOptions>(
        name, "Pipeline lowering linalg to ttir.", createLinalgToTTIRPipeline);
  PassPipelineRegistration<TTIRToTTNNBackendPipelineOptions>(
      "ttir-to-ttnn-backend-pipeline",
      "Pipeline lowering ttir to ttnn backend.",
      createTTIRToTTNNBackendPipeline);
  PassPipelineRegistration<TTIRToTTMetalBackendPipelineOptions>(
      "ttir-to-ttmetal-backend-pipeline",
      "Pipeline lowering ttir to ttmetal backend.",
      createTTIRToTTMetalBackendPipeline);
}

} // namespace mlir::tt
