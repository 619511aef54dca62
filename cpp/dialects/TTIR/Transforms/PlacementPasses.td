//===- Passes of constants, memory and placement --------------------------===//

#ifndef TTMLIR_TTIR_TRANSFORMS_PLACEMENTPASSES_TD
#define TTMLIR_TTIR_TRANSFORMS_PLACEMENTPASSES_TD

include "dialects/Options.td"

def TTIRConstEval : Pass<"ttir-const-eval", "::mlir::ModuleOp"> {
  let summary =
      "Hoist code that depends only on parameters and constants, to run it "
      "once.";
  let description = [{
    Arguments whose `tt.argument_type` is `parameter` or `constant` are the same
    tensors in many calls. Ops that depend only on these and on constants,
    including layout changes of weights, move into functions of their own. The
    original function loads their results with `tt.load_cached`; the runtime
    computes them once.

    - Ops that share a value are in one function.
    - The results stay in interleaved DRAM; if an op needs them in L1, they are
      moved there in every call.
    - Splats that a fill creates are created where they are used, unless
      `keep-splats` is set: then those of up to 2^20 elements stay as well. Other
      constants stay on the device, including integers that f32 cannot
      represent: the constants of one function that no op computes with are
      stored together.
    - Code in loops and branches that depends only on constants is first hoisted
      out of them and passed in.
    - Returned values, and values that another op writes into, stay in place.

    ```mlir
    func.func @forward(%arg0: tensor<64x64xf32, #host>,
                       %arg1: tensor<64x64xf32, #host> {tt.argument_type = #tt.argument_type<parameter>}) -> ... {
      %0 = "ttir.to_layout"(%arg1, ...) : ... -> tensor<64x64xf32, #dram>
      %1 = "ttir.matmul"(%arg0, %0, ...)
    // after
    func.func private @forward_const_eval_0(%arg0: tensor<64x64xf32, #host>) -> tensor<64x64xf32, #dram> attributes {tt.const_eval} {
      %0 = "ttir.to_layout"(%arg0, ...)
      return %0
    }
    func.func @forward(...) -> ... {
      %0 = tt.load_cached(@forward_const_eval_0, [%arg1])
      %1 = "ttir.matmul"(%arg0, %0, ...)
    ```
  }];
  let options = [
    Option<"keepSplats", "keep-splats", "bool", "false",
           "Keep splats on the device instead of filling them in each call.">
  ];
  let statistics = [
    Statistic<"numFunctions", "num-functions", "Number of functions made">,
    Statistic<"numOps", "num-ops", "Number of ops moved into them">,
    Statistic<"numHoisted", "num-hoisted",
              "Number of ops hoisted out of a loop or a branch">
  ];
  let dependentDialects = ["::mlir::tt::ttir::TTIRDialect",
                           "::mlir::tt::TTDialect"];
}

def TTIRFuseLayouts : Pass<"ttir-fuse-layouts", "::mlir::ModuleOp"> {
  let summary = "Fold row-major layout changes into elementwise kernels.";
  let description = [{
    A `ttir.to_layout` that tilizes rows for one elementwise `ttir.generic`, or
    untilizes its result, costs a program of its own and an intermediate tensor
    in DRAM. If rows and tiles have one number format and are in pages,
    interleaved over the banks, the pass removes it: the operand is row-major
    although its constraint asks for tiles, and the kernels tilize what they
    read and untilize what they write, block by block.

    Broadcast inputs stay in tiles, as do inputs with more than one reader; a
    kernel has circular buffers for seven inputs.

    ```mlir
    %1 = "ttir.to_layout"(%arg0, %0) : (tensor<64x128xf32, #rows>, tensor<64x128xf32, #tiles>) -> tensor<64x128xf32, #tiles>
    %3 = "ttir.generic"(%1, %2) <{..., operand_constraints = [#any_device_tile, #any_device_tile]}> ({...})
        : (tensor<64x128xf32, #tiles>, tensor<64x128xf32, #tiles>) -> tensor<64x128xf32, #tiles>
    %5 = "ttir.to_layout"(%3, %4) : (tensor<64x128xf32, #tiles>, tensor<64x128xf32, #rows>) -> tensor<64x128xf32, #rows>
    // after
    %1 = "ttir.generic"(%arg0, %0) <{..., operand_constraints = [#any_device_tile, #any_device_tile]}> ({...})
        : (tensor<64x128xf32, #rows>, tensor<64x128xf32, #rows>) -> tensor<64x128xf32, #rows>
    ```
  }];
  let statistics = [
    Statistic<"numFused", "num-fused", "Number of layout changes folded">
  ];
  let dependentDialects = ["::mlir::tt::TTDialect"];
}

def TTIRInPlace : Pass<"ttir-in-place", "::mlir::ModuleOp"> {
  let summary = "Update operands in place if nothing else reads them.";
  let description = [{
    Before the pass every tensor has a layout (`ttir-layout`) and every op its
    own destination. After it, the destination of a `ttir.update_slice` is its
    input, so only the rows of the update are written, if

    - the function may write to the input: it created the tensor, or the caller
      donated it (an argument with `tt.aliased_output`),
    - input and result have one layout, on the device,
    - nothing reads the memory of the input after the op, and no other operand
      of the op does.

    Values that a loop carries belong to its parts. If the parts write to one,
    it is copied once before the loop if something else may read it. A branch
    may write to values that are not read after the `tt.if`.

    The result that an argument's `tt.aliased_output` names is in the memory of
    the argument: the op that computes it writes there if nothing reads the
    argument afterwards, otherwise the result is copied at the end.

    ```mlir
    func.func @forward(%arg0: tensor<1x8x64x32xf32, #dram> {tt.aliased_output = 0 : i64}, ...) -> ... {
      %0 = tensor.empty() : tensor<1x8x64x32xf32, #dram>
      %1 = "ttir.update_slice"(%arg0, %arg1, %arg2, %0) ...
      return %1
    // after
      %0 = "ttir.update_slice"(%arg0, %arg1, %arg2, %arg0) ...
      return %0
    ```
  }];
  let statistics = [
    Statistic<"numInPlace", "num-in-place",
              "Number of ops that write into an operand or an argument">
  ];
  let dependentDialects = ["::mlir::tt::ttir::TTIRDialect",
                           "::mlir::tt::TTDialect",
                           "::mlir::tensor::TensorDialect"];
}

def TTIRAllocate : Pass<"ttir-allocate", "::mlir::ModuleOp"> {
  let summary = "Allocate an address for every tensor.";
  let description = [{
    Before the pass every tensor has a layout (`ttir-layout`). After it there is
    no `tensor.empty` outside regions: a `ttir.alloc` has address and bytes, and
    a `ttir.dealloc` follows the last op that reads the tensor, unless the
    function returns it. The attribute `tt.arg_alloc` of a function has the
    addresses of its arguments, which come first. Arguments that only
    `tt.load_cached` reads have none: address and size are 0. Tiled arguments
    and results in DRAM have address 0 as well: the runtime knows where they
    are. `ttir.fill` writes constants into a tensor with an address.

    Each function has the memory to itself, starting at `l1_unreserved_base` and
    `dram_unreserved_base`; sizes are those in one core's L1 and in one DRAM
    bank, in which an interleaved tensor has every n-th page. Addresses in both
    are aligned for transfers between them. Tensors are allocated consecutively.
    If they would take more than half of L1 or a 64th of DRAM that way, tensors
    that begin later reuse the memory of dead ones. A tensor that does not fit
    is an error that lists the contents of the memory.

    ```mlir
    func.func @forward(%arg0: tensor<64x128xf32, #layout>) -> ... {
      %0 = tensor.empty() : tensor<64x128xf32, #layout1>
      %1 = "ttir.to_layout"(%arg0, %0) : ...
    // after
    func.func @forward(%arg0: tensor<64x128xf32, #layout>) -> ... attributes {tt.arg_alloc = [#tt.arg_alloc<1024, 32768, l1>]} {
      %0 = "ttir.alloc"() <{address = 33792 : i64, memory_space = #l1_, size = 32768 : i64}> : () -> tensor<64x128xf32, #layout1>
      %1 = "ttir.to_layout"(%arg0, %0) : ...
    ```
  }];
  let statistics = [
    Statistic<"numAllocs", "num-allocs", "Number of tensors allocated">,
    Statistic<"l1Bytes", "l1-bytes", "Bytes of L1 that the functions take">,
    Statistic<"dramBytes", "dram-bytes",
              "Bytes of a DRAM bank that the functions take">
  ];
  let dependentDialects = ["::mlir::tt::ttir::TTIRDialect",
                           "::mlir::tt::TTDialect"];
}

def TTIROptimizer : Pass<"ttir-optimizer", "::mlir::ModuleOp"> {
  let summary = "Choose the layout of every op's result.";
  let description = [{
    Before the pass every tensor has a layout (`ttir-layout`). After it, the
    result of every op except `ttir.to_layout` is interleaved in DRAM, on the
    whole worker grid of the device, with shards rounded up; its destination and
    the function's result types follow.

    `override-grid-sizes` sets the grid of the ops with the given location name,
    including `tensor.empty` and `ttir.to_layout`, and keeps the rest of their
    layout. A name that matches no op is a warning.

    ```mlir
    // override-grid-sizes=add_0=4x4
    %0 = tensor.empty() : tensor<64x128xf32, #layout> loc("add_0")
    %1 = "ttir.add"(%a, %b, %0) ... : ... -> tensor<64x128xf32, #layout> loc("add_0")
    // after: the grid of #layout1 is 4x4
    %0 = tensor.empty() : tensor<64x128xf32, #layout1> loc("add_0")
    %1 = "ttir.add"(%a, %b, %0) ... : ... -> tensor<64x128xf32, #layout1> loc("add_0")
    ```

    `override-output-layout` sets the layout of the result of the op with that
    location, for example
    `add_0=4x4:l1:block_sharded:tile:bf16,relu_1=height_sharded`. The parts can
    be in any order, and all are optional: a grid `RxC`; a memory space (system,
    mmio, dram, l1); a memory layout (none, interleaved, single_bank,
    height_sharded, width_sharded, block_sharded); `tile` or `row_major`; a data
    type (f32, bf16, bfp_bf8 and the others of `tt`). The op gets the first of
    its legal layouts that has the given parts. If the op became several ops,
    which all have its location, its result is the one that other ops read.

    The legal layouts of an op are: interleaved in DRAM on the whole grid,
    interleaved in L1 on the whole grid, and the layouts sharded over L1 that
    give each core the same number of rows and columns of tiles, of the matrix
    to which the dimensions are collapsed. More cores come first; for the same
    number of cores, block- before height- before width-sharded; the first 64
    are kept.

    With `sharding-pass-enabled`, chains of ops stay in L1. The ops of a block
    are scheduled depth first, layout changes as early as possible. An op joins
    the open chain if exactly one op reads it, that op can come next, both have
    sharded layouts, and both results, in their first one, take less than 0.8 of
    the L1 available to tensors; the first op of a chain must fit beside its own
    first input in the same shards. Each op of a chain gets the first of its
    sharded layouts that is compatible with its neighbours'. The reader of the
    chain's last op is in DRAM.

    With `resharding-enabled`, the first input of a chain is converted to the
    shards of the chain's first op, by the `ttir.to_layout` that makes it or by
    a new one, and so is an operand between two ops of a chain whose results do
    not fit L1 together. Otherwise ops read unsharded operands in place.

    In a tool that has the emulator's clock, the layouts of a chain are then
    compared by their modelled time. The candidates of each op are two layouts
    of each kind of sharding, those with the most cores, and the default in
    DRAM; the best layouts of the chain are the shortest path through them,
    including its reader and the conversion of its first input. A chain changes
    if a path takes less time than the layouts above. Ops with the same
    attributes and types are timed once, and at most `clock-search-limit`
    different ones are, where one of more than 256 tiles counts as up to twelve;
    0 keeps the layouts. Ops are timed as `ttnn-set-compute-kernel-config`
    configures them with the same options; this pass itself does not configure
    them.

    ```mlir
    // sharding-pass-enabled: #layout1 is interleaved in DRAM, #layout2
    // block-sharded on 2x4 cores
    %1 = "ttir.relu"(%a, %0) ... : ... -> tensor<64x128xf32, #layout2>
    %3 = "ttir.exp"(%1, %2) ... : ... -> tensor<64x128xf32, #layout1>
    ```
  }];
  let options = [
    OverrideGridSizes,
    OverrideOutputLayout,
    InOtherWords<ShardingPassEnabled, "Enable sharding pass.">,
    ReshardingEnabled,
    ClockSearchLimit,
    MathFidelity,
    Fp32DestAccEn,
    MathApproxMode,
    PackerL1Acc,
    OverrideComputeConfig
  ];
  let statistics = [
    Statistic<"numLayouts", "num-layouts", "Number of layouts chosen">,
    Statistic<"numOverrides", "num-overrides", "Number of ops overridden">,
    Statistic<"numSharded", "num-sharded", "Number of ops sharded over L1">,
    Statistic<"numReshards", "num-reshards",
              "Number of inputs converted to shards">
  ];
  let dependentDialects = ["::mlir::tt::ttir::TTIRDialect",
                           "::mlir::tt::TTDialect",
                           "::mlir::tensor::TensorDialect"];
}

#endif
