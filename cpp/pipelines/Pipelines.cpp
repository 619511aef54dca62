#include "pipelines/Pipelines.h"

#include "conversion/LinalgToTTIR/LinalgToTTIR.h"
#include "conversion/SCFToTT/SCFToTT.h"
#include "conversion/TTIRToTTMetal/TTIRToTTMetal.h"
#include "conversion/TTIRToTTNN/TTIRToTTNN.h"
#include "conversion/TosaToTTIR/TosaToTTIR.h"
#include "dialects/TTIR/TTIR.h"
#include "dialects/TTIR/Transforms/Passes.h"
#include "dialects/TTNN/Transforms/Passes.h"

#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

namespace mlir::tt {

using namespace ttir;
using namespace ttnn;

#include "pipelines/Pipelines.cpp.inc"

/// The options of a pass: those that the pipeline has, too, as it has them; the
/// others are the defaults.
template <typename PassOptionsT, typename PipelineOptionsT>
static PassOptionsT optionsOf(const PipelineOptionsT &options) {
  PassOptionsT result;
  copyOptions(options, result);
  return result;
}

/// An op's name without that of its dialect.
template <typename OpT> static std::string getMnemonic() {
  return OpT::getOperationName().split('.').second.str();
}

/// The composite that both backends can keep.
static const std::string kAttention =
    getMnemonic<ttir::ScaledDotProductAttentionOp>();

/// From what front ends write to ops that a backend knows, but for composites
/// that it keeps. `heads` recognizes those of attention, if it is there.
template <typename PipelineOptionsT>
static void
addSimplification(OpPassManager &manager, const PipelineOptionsT &options,
                  const TTIRExpandCompositesOptions &expansion,
                  const TTIRRecognizeHeadsOptions *heads = nullptr) {
  // Runs while the program still has quantized types.
  if (options.integerProductsEnabled)
    manager.addPass(createTTIRIntegerProducts());
  // Loops carry integers as words, too.
  manager.addPass(createTTIRSplitLongIntegers());
  manager.addPass(createConvertSCFToTT());
  manager.addPass(createTTIRLegalizeTypes());
  if (options.recognitionEnabled)
    manager.addPass(createTTIRRecognize());
  // Recognized ops have sharding rules; each chip splits heads.
  manager.addPass(
      createTTIRPartition(optionsOf<TTIRPartitionOptions>(options)));
  if (heads) {
    manager.addPass(createTTIRRecognizePositions());
    manager.addPass(createTTIRRecognizeHeads(*heads));
  }
  // Composites have an order of dimensions, and some become permutations.
  if (options.eraseInverseOpsEnabled)
    manager.addPass(createTTIREraseInverseOps());
  manager.addPass(createTTIRExpandComposites(expansion));
  // Some products are composites before.
  if (heads)
    manager.addPass(createTTIRRecognizeHeads(*heads));
  if (options.eraseInverseOpsEnabled)
    manager.addPass(createTTIREraseInverseOps());
  // Otherwise each call would compute the weights.
  if (options.fusingEnabled && options.constEvalEnabled)
    manager.addPass(createTTIRFusing());
}

void createTTIRToTTNNBackendPipeline(
    OpPassManager &manager, const TTIRToTTNNBackendPipelineOptions &options) {
  // The library has calls for them.
  TTIRExpandCompositesOptions expansion;
  if (options.optimizationLevel != 0) {
    expansion.keep = {kAttention,
                      getMnemonic<ttir::SplitQueryKeyValueAndSplitHeadsOp>(),
                      getMnemonic<ttir::ConcatenateHeadsOp>(),
                      getMnemonic<ttir::RotaryEmbeddingOp>()};
  }
  // Without the evaluation of constants each call would join the weights.
  TTIRRecognizeHeadsOptions heads;
  heads.joinWeights = options.constEvalEnabled;
  addSimplification(manager, options, expansion,
                    options.optimizationLevel != 0 && options.recognitionEnabled
                        ? &heads
                        : nullptr);
  // Overrides have priority over optimizations.
  SmallVector<std::string> fixedNames;
  for (StringRef name : options.overrideGridSizes.entries.keys())
    fixedNames.push_back(name.str());
  for (StringRef name : options.overrideOutputLayout.entries.keys())
    fixedNames.push_back(name.str());
  llvm::sort(fixedNames);
  if (options.optimizationLevel != 0) {
    TTIREliminateCommonOpsOptions commonOptions;
    commonOptions.fixedNames = fixedNames;
    for (StringRef name : options.overrideComputeConfig.entries.keys())
      commonOptions.fixedNames.push_back(name.str());
    llvm::sort(commonOptions.fixedNames);
    manager.addPass(createTTIREliminateCommonOps(commonOptions));
  }
  // All levels must round the same weights to block floats.
  if (options.constEvalEnabled && (options.optimizationLevel != 0 ||
                                   options.weightDtype != DtypeOption::Default))
    manager.addPass(createTTIRTransposeWeights(
        optionsOf<TTIRTransposeWeightsOptions>(options)));
  if (options.resultsOnDevice)
    manager.addPass(createTTIRResultsOnDevice());
  manager.addPass(createTTIRSlidingWindow2dFixShapes());

  TTIRLoadSystemDescOptions loadOptions;
  loadOptions.path = options.systemDescPath;
  manager.addPass(createTTIRLoadSystemDesc(loadOptions));

  manager.addPass(
      createTTIRImplicitDevice(optionsOf<TTIRImplicitDeviceOptions>(options)));
  manager.addPass(createConvertHostFunctionsToTTNN());

  TTIRPropagateLayoutOptions propagationOptions;
  // What the propagation places in L1 is freed unless nothing is.
  bool deallocates =
      options.deallocateEnabled != llvm::cl::boolOrDefault::BOU_FALSE;
  propagationOptions.frees = deallocates;
  manager.addPass(createTTIRPropagateLayout(propagationOptions));
  manager.addPass(createTTIRLayout(optionsOf<TTIRLayoutOptions>(options)));

  if (options.optimizerEnabled)
    manager.addPass(
        createTTIROptimizer(optionsOf<TTIROptimizerOptions>(options)));
  if (options.constEvalEnabled) {
    TTIRConstEvalOptions constEvalOptions;
    constEvalOptions.keepSplats = options.optimizationLevel != 0;
    manager.addPass(createTTIRConstEval(constEvalOptions));
  }
  manager.addPass(createTTIRInPlace());

  auto callOptions = optionsOf<ConvertTTIRToTTNNOptions>(options);
  if (callOptions.numLinks == 0 && options.optimizationLevel == 0)
    callOptions.numLinks = 1;
  manager.addPass(createConvertTTIRToTTNN(callOptions));
  manager.addPass(createTTNNSetComputeKernelConfig(
      optionsOf<TTNNSetComputeKernelConfigOptions>(options)));

  if (options.optimizationLevel != 0) {
    TTNNFusingOptions fusingOptions;
    fusingOptions.fixedNames = fixedNames;
    manager.addPass(createTTNNFusing(fusingOptions));
  }
  if (options.optimizationLevel != 0 ||
      options.weightDtype != DtypeOption::Default ||
      options.activationDtype != DtypeOption::Default) {
    auto dtypeOptions = optionsOf<TTNNConvertDtypesOptions>(options);
    dtypeOptions.fixedNames = fixedNames;
    manager.addPass(createTTNNConvertDtypes(dtypeOptions));
  }
  if (options.activationDtypeLoweringEnabled) {
    TTNNCCLActivationDtypeLoweringOptions loweringOptions;
    loweringOptions.lowerF32 = options.activationDtypeLoweringF32;
    manager.addPass(createTTNNCCLActivationDtypeLowering(loweringOptions));
  }

  // Types are final: sizes are known.
  if (options.optimizationLevel != 0) {
    auto shardOptions = optionsOf<TTNNShardWeightsOptions>(options);
    manager.addPass(createTTNNShardWeights(shardOptions));
    auto optimizerOptions = optionsOf<TTNNOptimizerOptions>(options);
    optimizerOptions.fixedNames = fixedNames;
    manager.addPass(createTTNNOptimizer(optimizerOptions));
    // Again, with the final layouts of the products.
    manager.addPass(createTTNNShardWeights(shardOptions));
    manager.addPass(createTTNNOverlapCollectives(
        optionsOf<TTNNOverlapCollectivesOptions>(options)));
  }

  if (deallocates) {
    TTNNDeallocateOptions deallocateOptions;
    deallocateOptions.onlyWithL1 =
        options.deallocateEnabled == llvm::cl::boolOrDefault::BOU_UNSET;
    manager.addPass(createTTNNDeallocate(deallocateOptions));
  }
}

void createTTIRToTTMetalBackendPipeline(
    OpPassManager &manager,
    const TTIRToTTMetalBackendPipelineOptions &options) {
  bool inDram = options.defaultMemorySpace == MemorySpace::DeviceDRAM;

  // What has a kernel of its own stays.
  TTIRExpandCompositesOptions expansion;
  expansion.keep = {kAttention};
  expansion.forKernels = true;
  addSimplification(manager, options, expansion);
  if (options.resultsOnDevice)
    manager.addPass(createTTIRResultsOnDevice());

  TTIRLoadSystemDescOptions loadOptions;
  loadOptions.path = options.systemDescPath;
  manager.addPass(createTTIRLoadSystemDesc(loadOptions));

  manager.addPass(
      createTTIRImplicitDevice(optionsOf<TTIRImplicitDeviceOptions>(options)));
  manager.addPass(createConvertHostFunctionsToTTNN());
  manager.addPass(
      createTTIRDecomposition(optionsOf<TTIRDecompositionOptions>(options)));

  TTIRGenericOptions genericOptions;
  genericOptions.fuse = true;
  manager.addPass(createTTIRGeneric(genericOptions));

  TTIRPropagateLayoutOptions propagationOptions;
  propagationOptions.kernels = true;
  manager.addPass(createTTIRPropagateLayout(propagationOptions));

  auto layoutOptions = optionsOf<TTIRLayoutOptions>(options);
  layoutOptions.initMemorySpace = options.defaultMemorySpace;
  layoutOptions.defaultDeviceMemoryLayout =
      inDram ? tt::TensorMemoryLayout::Interleaved
             : tt::TensorMemoryLayout::None;
  layoutOptions.padToTiles = true;
  manager.addPass(createTTIRLayout(layoutOptions));
  if (options.constEvalEnabled)
    manager.addPass(createTTIRConstEval());
  manager.addPass(createTTIRFuseLayouts());
  manager.addPass(createTTIRInPlace());

  manager.addPass(createTTIRGenericRegionOperandsToMemref());
  manager.addPass(createTTIRAllocate());
  manager.addPass(createConvertTTIRToTTMetal(
      optionsOf<ConvertTTIRToTTMetalOptions>(options)));
}

/// Inlines private functions, converts, and removes what came out twice.
static void addFrontend(OpPassManager &manager, std::unique_ptr<Pass> convert,
                        bool removesDeadValues) {
  manager.addPass(createCheckCalls());
  manager.addPass(createInlinerPass());
  manager.addPass(createSymbolDCEPass());
  manager.addPass(createConvertSCFToTT());
  manager.addPass(std::move(convert));
  manager.addPass(createCSEPass());
  if (removesDeadValues)
    manager.addPass(createRemoveDeadValuesPass());
}

void createTosaToTTIRPipeline(OpPassManager &manager,
                              const TosaToTTIRPipelineOptions &options) {
  manager.addPass(createCheckTosa());
  addFrontend(manager, createConvertTosaToTTIR(),
              options.removeDeadValuesEnabled);
}

void createLinalgToTTIRPipeline(OpPassManager &manager,
                                const LinalgToTTIRPipelineOptions &options) {
  addFrontend(manager, createConvertLinalgToTTIR(),
              options.removeDeadValuesEnabled);
}

} // namespace mlir::tt
