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
      Details<"An n150 without it.">;

def MeshShape
    : ListOption<"meshShape", "mesh-shape", "int64_t",
                 "Set the multi-device mesh shape.">,
      Details<"Chips along each axis: 2,4 is eight chips in two rows.">;

def ChipIds
    : ListOption<"chipIds", "chip-ids", "unsigned",
                 "Chips of the mesh, row-major; chosen by their links if "
                 "empty.">;

def OverrideDeviceShape
    : ListOption<"overrideDeviceShape", "override-device-shape", "int64_t",
                 "Rows and columns of cores to use of each chip.">,
      Details<"All by default.">;

//===----------------------------------------------------------------------===//
// How the engines compute
//===----------------------------------------------------------------------===//

def MathFidelity
    : ChoiceOption<"mathFidelity", "math-fidelity",
                   "::mlir::tt::MathFidelityOption", "Default",
                   "How many phases of the multiplier make a product.", [
        Choice<"Default", "default", "that of the backend">,
        Choice<"LoFi", "lofi", "one phase">,
        Choice<"HiFi2", "hifi2", "two phases">,
        Choice<"HiFi3", "hifi3", "three phases">,
        Choice<"HiFi4", "hifi4", "four phases">
      ]>,
      Details<"Of all ops that `override-compute-config` does not name.">;

class ComputeSwitch<string varName, string arg, string desc>
    : ChoiceOption<varName, arg, "::mlir::tt::ComputeSwitch", "Default", desc, [
        Choice<"Default", "default", "that of the backend">,
        Choice<"True", "true", "yes">, Choice<"False", "false", "no">
      ]>;

def Fp32DestAccEn
    : ComputeSwitch<"fp32DestAccEn", "fp32-dest-acc-en",
                    "Whether destination registers hold 32 bits.">;

def MathApproxMode
    : ComputeSwitch<"mathApproxMode", "math-approx-mode",
                    "Whether functions of the vector engine may be "
                    "approximated.">;

def PackerL1Acc
    : ComputeSwitch<"packerL1Acc", "packer-l1-acc",
                    "Whether the packer adds the sums of blocks along K in "
                    "L1.">;

def OverrideComputeConfig
    : Option<"overrideComputeConfig", "override-compute-config",
             "::mlir::tt::ComputeConfigOverrides",
             "::mlir::tt::ComputeConfigOverrides()",
             "Override how the engines compute specific ops.">,
      Details<"By the name of an op's location, any of these, in any order, "
              "joined by colons: a fidelity (`lofi`, `hifi2`, `hifi3`, "
              "`hifi4`), `math_approx_mode`, `fp32_dest_acc_en` and "
              "`packer_l1_acc`, of which `=false` behind the name makes the "
              "opposite.">;

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
      Details<"Rows and columns of cores by the name of an op's location.">;

def OverrideOutputLayout
    : Option<"overrideOutputLayout", "override-output-layout",
             "::mlir::tt::ttir::LayoutOverrides",
             "::mlir::tt::ttir::LayoutOverrides()",
             "Override output tensor layout for specific ops.">,
      Details<"By the name of an op's location, any of these, in any order, "
              "joined by colons: a grid `RxC`, a memory space (`dram`, `l1`), a "
              "memory layout (`interleaved`, `height_sharded`, `width_sharded`, "
              "`block_sharded`), `tile` or `row_major`, and a number format such "
              "as `bfp8_b`. The optimizer chooses the rest.">;

def ShardingPassEnabled
    : Option<"shardingPassEnabled", "sharding-pass-enabled", "bool", "false",
             "Enable sharding pass to shard ops.">,
      Details<"Chains of ops stay in shards in the cores' L1.">;

def ReshardingEnabled
    : Option<"reshardingEnabled", "resharding-enabled", "bool", "false",
             "Convert the inputs of sharded chains to shards.">;

def ClockSearchLimit
    : Option<"clockSearchLimit", "clock-search-limit", "unsigned", "1000",
             "Most ops, each in its layouts, that the optimizer times.">,
      Details<"Of the layouts of a sharded chain it takes those that are "
              "fastest by the emulator's clock. 0: it decides by rules alone.">;

def InputsOnDevice
    : Option<"inputsOnDevice", "inputs-on-device", "bool", "false",
             "Take inputs in the DRAM of the device, in tiles.">,
      Details<"What is there already, such as a result that a call has left, is "
              "used without a copy; arrays are brought there before the program "
              "runs. Parameters stay on the host.">;

def ResultsOnDevice
    : Option<"resultsOnDevice", "results-on-device", "bool", "false",
             "Leave results in the DRAM of the device, in tiles.">,
      Details<"A call copies them to the host unless it is told to keep them, so "
              "that programs chain without a round trip.">;

def EnableActivationDtypeLowering
    : Option<"activationDtypeLoweringEnabled",
             "enable-activation-dtype-lowering", "bool", "false",
             "Send activations between chips as bfp_bf8.">,
      Details<"Where a projection or a gated MLP ends in a sum, little more than "
              "half the bytes travel. It changes numbers.">;

def ActivationDtypeLoweringF32
    : Option<"activationDtypeLoweringF32", "activation-dtype-lowering-f32",
             "bool", "false",
             "With it, lower activations of f32 too, not only those of bf16.">;

def EnableRecognition
    : Option<"recognitionEnabled", "enable-recognition", "bool", "true",
             "Put ops together that arrive in pieces.">,
      Details<"Softmax, norms, gelu, silu and attention: see "
              "`ttir-recognize`.">;

def EnableEraseInverseOps
    : Option<"eraseInverseOpsEnabled", "enable-erase-inverse-ops", "bool",
             "true", "Remove permutations that undo one another.">,
      Details<"See `ttir-erase-inverse-ops`.">;

def EnableFusing
    : Option<"fusingEnabled", "enable-fusing", "bool", "true",
             "Fold what follows a convolution into its weights and bias.">,
      Details<"Only with `enable-const-eval`: see `ttir-fusing`.">;

def EnableConstEval
    : Option<"constEvalEnabled", "enable-const-eval", "bool", "true",
             "Compute once what depends on parameters and constants alone.">,
      Details<"See `ttir-const-eval`.">;

def EnableDeallocate
    : Option<"deallocateEnabled", "enable-deallocate",
             "::llvm::cl::boolOrDefault",
             "::llvm::cl::boolOrDefault::BOU_UNSET",
             "Free tensors of the device after their last use; by default in "
             "functions that have tensors in L1.">,
      Details<"L1 has no room for all results of a program.">;

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

def DefaultMemorySpace
    : ChoiceOption<"defaultMemorySpace", "default-memory-space",
                   "::mlir::tt::MemorySpace", "DeviceDRAM",
                   "Where tensors lie.", [
        Choice<"DeviceDRAM", "dram",
               "interleaved over the banks; kernels stream them">,
        Choice<"DeviceL1", "l1", "on the cores that work on them">
      ]>,
      Details<"In L1 where the op has kernels for it and there is room; a "
              "remark says where not.">;

def UseAllGatherKernel
    : Option<"useAllGatherKernel", "use-all-gather-kernel", "bool", "false",
             "Turn all_gather, reduce_scatter and all_reduce into kernels.">,
      Details<"Instead of calls of the library.">;

def AllGatherSwizzle
    : Option<"allGatherSwizzle", "all-gather-swizzle", "int64_t", "0",
             "Rows of tiles in a group that an all_gather goes through column "
             "by column; 0 for all tiles row by row.">;

//===----------------------------------------------------------------------===//
// Front ends
//===----------------------------------------------------------------------===//

def EnableRemoveDeadValues
    : Option<"removeDeadValuesEnabled", "enable-remove-dead-values", "bool",
             "false", "Enable --remove-dead-values optimization pass.">;

#endif
