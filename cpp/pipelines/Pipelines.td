//===- The pipelines and their options -----------------------------------===//
//
// tools/tablegen/pipeline_tables.py makes from it the structs of options, the
// registration, what a pass takes of a pipeline's options, the option classes of
// Python with the keywords of `ttmlir.compile`, and the page of the reference.

#ifndef TTMLIR_PIPELINES_TD
#define TTMLIR_PIPELINES_TD

include "conversion/TTIRToTTMetal/Passes.td"
include "conversion/TTIRToTTNN/Passes.td"
include "dialects/Options.td"
include "dialects/TTIR/Transforms/Passes.td"
include "dialects/TTNN/Transforms/Passes.td"

class Pipeline<string arg, string text, list<Option> pipelineOptions,
               string name = "", list<string> otherNames = []> {
  string argument = arg;
  /// The line of --help.
  string summary = text;
  /// In the order of their text. An option of a pass that stands here, too, is
  /// the pipeline's to set.
  list<Option> options = pipelineOptions;
  /// Its backend in `ttmlir.compile`.
  string backend = name;
  list<string> aliases = otherNames;
}

def TTIRToTTNNBackendPipeline
    : Pipeline<"ttir-to-ttnn-backend-pipeline",
               "Pipeline lowering ttir to ttnn backend.", [
        EnableIntegerProducts, EnableRecognition, EnableEraseInverseOps, EnableFusing, EnableConstEval, EnableOptimizer, OptimizationLevel, WeightDtype, ActivationDtype, OverrideGridSizes, OverrideOutputLayout,
        ShardingPassEnabled, ReshardingEnabled, ClockSearchLimit, WeightRows, InputsOnDevice, ResultsOnDevice,
        NumLinks, EnableActivationDtypeLowering, ActivationDtypeLoweringF32,
        EnableDeallocate, MathFidelity, Fp32DestAccEn, MathApproxMode,
        PackerL1Acc, OverrideComputeConfig, SystemDescPath, MeshShape, Parallelism, ChipIds
      ], "ttnn">;

def TTIRToTTMetalBackendPipeline
    : Pipeline<"ttir-to-ttmetal-backend-pipeline",
               "Pipeline lowering ttir to ttmetal backend.", [
        EnableIntegerProducts, EnableRecognition, EnableEraseInverseOps, EnableFusing, EnableConstEval, MeshShape, Parallelism, ChipIds, SystemDescPath,
        OverrideDeviceShape, InputsOnDevice, ResultsOnDevice,
        DefaultMemorySpace, UseAllGatherKernel, AllGatherSwizzle, MathFidelity,
        Fp32DestAccEn, MathApproxMode, OverrideComputeConfig
      ], "ttmetal">;

def TosaToTTIRPipeline
    : Pipeline<"tosa-to-ttir-pipeline", "Pipeline lowering tosa to ttir.",
               [EnableRemoveDeadValues], "", ["tosa-to-ttir"]>;

def LinalgToTTIRPipeline
    : Pipeline<"linalg-to-ttir-pipeline", "Pipeline lowering linalg to ttir.",
               [EnableRemoveDeadValues], "", ["linalg-to-ttir"]>;

#endif
