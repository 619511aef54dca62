//===- Options that pipelines have ---------------------------------------===//
//
// An option is declared once, here: passes (`options` in their Passes.td) and
// pipelines (cpp/pipelines/Pipelines.td) name it. The command line, the option
// classes of Python, the keywords of `ttmlir.compile` and the page of the
// reference are made from it. What only one pass has stands in its Passes.td.

#ifndef TTMLIR_OPTIONS_TD
#define TTMLIR_OPTIONS_TD

include "mlir/Pass/PassBase.td"

/// What the reference and the docstrings say behind the line of --help.
class Details<string text> {
  string details = text;
}

/// One of the values of an enumeration, with its name on the command line.
class Choice<string enumeratorName, string name, string meaningText> {
  string enumerator = enumeratorName;
  string choiceName = name;
  string meaning = meaningText;
}

class ChoiceOption<string varName, string arg, string enumeration,
                   string default, string desc, list<Choice> values>
    : Option<varName, arg, enumeration, enumeration # "::" # default, desc,
             "::llvm::cl::values(" # !interleave(!foreach(value, values,
                 "clEnumValN(" # enumeration # "::" # value.enumerator #
                 ", \"" # value.choiceName # "\", \"" # value.meaning # "\")"),
                 ", ") # ")"> {
  list<Choice> choices = values;
}

/// A list of such values. They are names, since MLIR's list options do not parse
/// enumerations.
class ChoiceListOption<string varName, string arg, string desc,
                       list<Choice> values>
    : ListOption<varName, arg, "std::string", desc> {
  list<Choice> choices = values;
}

/// An option of a pass whose line of --help differs from the pipeline's.
class InOtherWords<Option option, string desc>
    : Option<option.cppName, option.argument, option.type, option.defaultValue,
             desc>;

//===----------------------------------------------------------------------===//
// The system and the device
//===----------------------------------------------------------------------===//

def SystemDescPath
    : Option<"systemDescPath", "system-desc-path", "std::string", "\"\"",
             "Pass in a system descriptor flatbuffer to compile against.">,
      Details<"By default an n150.">;

def MeshShape
    : ListOption<"meshShape", "mesh-shape", "int64_t",
                 "Set the multi-device mesh shape.">,
      Details<"Chips along each axis: 2,4 is eight chips in two rows.">;

def Parallelism
    : ChoiceListOption<"parallelism", "parallelism",
                       "Dimension that each axis of the mesh shards.", [
        Choice<"None", "none", "only arguments with tt.shard_dims">,
        Choice<"Data", "data", "the batch of the inputs">,
        Choice<"Sequence", "sequence", "the second dimension of the inputs">,
        Choice<"Tensor", "tensor", "the weights of products">,
        Choice<"Expert", "expert", "stacked weights: the experts of a mixture">
      ]>,
      Details<"Partitions a program for one chip over the mesh. So do arguments "
              "with `tt.shard_dims`.">;

def ChipIds
    : ListOption<"chipIds", "chip-ids", "unsigned",
                 "Chips of the mesh, row-major; by default chosen by their "
                 "links.">;

def OverrideDeviceShape
    : ListOption<"overrideDeviceShape", "override-device-shape", "int64_t",
                 "Rows and columns of cores to use on each chip.">,
      Details<"All by default.">;

//===----------------------------------------------------------------------===//
// How the engines compute
//===----------------------------------------------------------------------===//

def MathFidelity
    : ChoiceOption<"mathFidelity", "math-fidelity",
                   "::mlir::tt::MathFidelityOption", "Default",
                   "Number of multiplier phases for a product.", [
        Choice<"Default", "default", "the default of the backend">,
        Choice<"LoFi", "lofi", "one phase">,
        Choice<"HiFi2", "hifi2", "two phases">,
        Choice<"HiFi3", "hifi3", "three phases">,
        Choice<"HiFi4", "hifi4", "four phases">
      ]>,
      Details<"For all ops that `override-compute-config` does not name.">;

class ComputeSwitch<string varName, string arg, string desc>
    : ChoiceOption<varName, arg, "::mlir::tt::ComputeSwitch", "Default", desc, [
        Choice<"Default", "default", "the default of the backend">,
        Choice<"True", "true", "yes">, Choice<"False", "false", "no">
      ]>;

def Fp32DestAccEn
    : ComputeSwitch<"fp32DestAccEn", "fp32-dest-acc-en",
                    "Whether destination registers hold 32 bits.">;

def MathApproxMode
    : ComputeSwitch<"mathApproxMode", "math-approx-mode",
                    "Whether vector engine functions may be approximate.">;

def PackerL1Acc
    : ComputeSwitch<"packerL1Acc", "packer-l1-acc",
                    "Whether the packer accumulates blocks along K in L1.">;

def OverrideComputeConfig
    : Option<"overrideComputeConfig", "override-compute-config",
             "::mlir::tt::ComputeConfigOverrides",
             "::mlir::tt::ComputeConfigOverrides()",
             "Override how the engines compute specific ops.">,
      Details<"By the name in an op's location, any of these, in any order, "
              "joined by colons: a fidelity (`lofi`, `hifi2`, `hifi3`, "
              "`hifi4`), `math_approx_mode`, `fp32_dest_acc_en` and "
              "`packer_l1_acc`; append `=false` to turn one of these off.">;

//===----------------------------------------------------------------------===//
// Library calls
//===----------------------------------------------------------------------===//

def EnableOptimizer
    : Option<"optimizerEnabled", "enable-optimizer", "bool", "true",
             "Determine and set max valid grid for Op execution.">,
      Details<"The optimizer chooses grids and layouts.">;

def OverrideGridSizes
    : Option<"overrideGridSizes", "override-grid-sizes",
             "::mlir::tt::ttir::GridOverrides",
             "::mlir::tt::ttir::GridOverrides()",
             "Override grid sizes for specific ops.">,
      Details<"Rows and columns of cores, by the name in an op's location.">;

def OverrideOutputLayout
    : Option<"overrideOutputLayout", "override-output-layout",
             "::mlir::tt::ttir::LayoutOverrides",
             "::mlir::tt::ttir::LayoutOverrides()",
             "Override output tensor layout for specific ops.">,
      Details<"By the name in an op's location, any of these, in any order, "
              "joined by colons: a grid `RxC`, a memory space (`dram`, `l1`), a "
              "memory layout (`interleaved`, `height_sharded`, `width_sharded`, "
              "`block_sharded`), `tile` or `row_major`, and a number format such "
              "as `bfp8_b`. The optimizer chooses the rest.">;

def ShardingPassEnabled
    : Option<"shardingPassEnabled", "sharding-pass-enabled", "bool", "false",
             "Enable sharding pass to shard ops.">,
      Details<"Chains of ops stay sharded in the cores' L1.">;

def ReshardingEnabled
    : Option<"reshardingEnabled", "resharding-enabled", "bool", "false",
             "Convert the inputs of sharded chains to shards.">;

def ClockSearchLimit
    : Option<"clockSearchLimit", "clock-search-limit", "unsigned", "4000",
             "Maximum number of ops, each in its layouts, to time.">,
      Details<"The optimizer chooses the layouts of a sharded chain that are "
              "fastest by the emulator's clock. 0: only rules decide.">;

def WeightRows
    : Option<"weightRows", "weight-rows", "unsigned", "0",
             "Row count for which the layouts of weights are chosen.">,
      Details<"Products with more rows choose the layouts of their weights as "
              "if they had this many, so that they can share the weights with a "
              "program whose products do. 0: each product's own row count.">;

def OptimizationLevel
    : Option<"optimizationLevel", "optimization-level", "unsigned", "0",
             "0: calls as the program has them, in DRAM; 1: fused, in L1.">,
      Details<"1 fuses activations into the ops before them and places the "
              "results of ops in L1 where the emulator's clock says that the "
              "program is faster so.">;

class DtypeOption<string varName, string arg, string desc, list<Choice> values>
    : ChoiceOption<varName, arg, "::mlir::tt::DtypeOption", "Default", desc,
                   !listconcat([Choice<"Default", "default",
                                       "as the program has them">],
                               values)>;

def WeightDtype
    : DtypeOption<"weightDtype", "weight-dtype",
                  "Format of the weights of matrix products and convolutions.", [
        Choice<"BFP_BFloat8", "bfp_bf8", "block floats of 8 bits">,
        Choice<"BFP_BFloat4", "bfp_bf4", "block floats of 4 bits">
      ]>,
      Details<"Weights that depend on parameters and constants alone are "
              "converted once: see `ttnn-convert-dtypes`.">;

def ActivationDtype
    : DtypeOption<"activationDtype", "activation-dtype",
                  "Format of the results of ops between matrix products.", [
        Choice<"BFP_BFloat8", "bfp_bf8", "block floats of 8 bits">
      ]>,
      Details<"It changes numbers: see `ttnn-convert-dtypes`.">;

def InputsOnDevice
    : Option<"inputsOnDevice", "inputs-on-device", "bool", "false",
             "Take inputs tiled in device DRAM.">,
      Details<"Tensors already there, such as a result of an earlier call, are "
              "used without a copy; arrays are copied there before the program "
              "runs. Parameters stay on the host.">;

def ResultsOnDevice
    : Option<"resultsOnDevice", "results-on-device", "bool", "false",
             "Leave results tiled in device DRAM.">,
      Details<"A call copies them to the host unless it is told to keep them "
              "there, which lets programs chain without a round trip.">;

def EnableActivationDtypeLowering
    : Option<"activationDtypeLoweringEnabled",
             "enable-activation-dtype-lowering", "bool", "false",
             "Send activations between chips as bfp_bf8.">,
      Details<"For projections and gated MLPs that end in a sum, this sends "
              "little more than half the bytes. It changes numbers.">;

def ActivationDtypeLoweringF32
    : Option<"activationDtypeLoweringF32", "activation-dtype-lowering-f32",
             "bool", "false",
             "Lower f32 activations too, not only bf16 ones.">;

def NumLinks
    : Option<"numLinks", "num-links", "unsigned", "0",
             "Links between neighbouring chips that collectives use.">,
      Details<"0: all that join the chips, which are four in a Galaxy and two in "
              "a p150x4 and a p150x8. In an n300 and a T3000, which have chips "
              "without PCIe, one of the two is reserved for dispatch. With "
              "`optimization-level=0`, 0 means 1.">;

def EnableRecognition
    : Option<"recognitionEnabled", "enable-recognition", "bool", "true",
             "Recognize ops that front ends decompose.">,
      Details<"Softmax, norms, gelu, silu and attention: see "
              "`ttir-recognize`.">;

def EnableIntegerProducts
    : Option<"integerProductsEnabled", "enable-integer-products", "bool",
             "true", "Compute products of dequantized tensors in integers.">,
      Details<"Integer products are exact, float products round: see "
              "`ttir-integer-products`.">;

def EnableEraseInverseOps
    : Option<"eraseInverseOpsEnabled", "enable-erase-inverse-ops", "bool",
             "true", "Remove pairs of inverse permutations.">,
      Details<"See `ttir-erase-inverse-ops`.">;

def EnableFusing
    : Option<"fusingEnabled", "enable-fusing", "bool", "true",
             "Fold ops after a convolution into its weights and bias.">,
      Details<"Only with `enable-const-eval`: see `ttir-fusing`.">;

def EnableConstEval
    : Option<"constEvalEnabled", "enable-const-eval", "bool", "true",
             "Run code that depends only on parameters and constants once.">,
      Details<"See `ttir-const-eval`.">;

def EnableDeallocate
    : Option<"deallocateEnabled", "enable-deallocate",
             "::llvm::cl::boolOrDefault",
             "::llvm::cl::boolOrDefault::BOU_UNSET",
             "Free device tensors after their last use; by default in "
             "functions that have tensors in L1.">,
      Details<"L1 has no room for all results of a program.">;

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

def DefaultMemorySpace
    : ChoiceOption<"defaultMemorySpace", "default-memory-space",
                   "::mlir::tt::MemorySpace", "DeviceDRAM",
                   "Memory in which tensors are stored.", [
        Choice<"DeviceDRAM", "dram",
               "interleaved over the banks; kernels stream them">,
        Choice<"DeviceL1", "l1", "on the cores that work on them">
      ]>,
      Details<"L1 is used if the op has kernels for it and there is room; a "
              "remark reports exceptions.">;

def UseAllGatherKernel
    : Option<"useAllGatherKernel", "use-all-gather-kernel", "bool", "false",
             "Turn all_gather, reduce_scatter and all_reduce into kernels.">,
      Details<"Instead of library calls.">;

def AllGatherSwizzle
    : Option<"allGatherSwizzle", "all-gather-swizzle", "int64_t", "0",
             "Rows of tiles that an all_gather traverses column by column at a "
             "time; 0 traverses all tiles row by row.">;

//===----------------------------------------------------------------------===//
// Front ends
//===----------------------------------------------------------------------===//

def EnableRemoveDeadValues
    : Option<"removeDeadValuesEnabled", "enable-remove-dead-values", "bool",
             "false", "Enable --remove-dead-values optimization pass.">;

#endif
