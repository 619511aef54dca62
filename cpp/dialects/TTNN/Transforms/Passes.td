//===- Passes of the 'ttnn' dialect ----------------------------------------===//

#ifndef TTMLIR_TTNN_TRANSFORMS_PASSES_TD
#define TTMLIR_TTNN_TRANSFORMS_PASSES_TD

include "dialects/Options.td"

def TTNNCCLActivationDtypeLowering
    : Pass<"ttnn-ccl-activation-dtype-lowering", "::mlir::ModuleOp"> {
  let summary = "Send activations between chips as block floats.";
  let description = [{
    Collectives send activations in the format in which they were computed. This
    pass changes the activations in the two patterns below to tiles of
    `bfp_bf8`, from the op that computes them to the op that reads them, so that
    little more than half the bytes are sent. No other type changes: the op at
    the end reads the block floats and writes the same type as before. There is
    no `ttnn.typecast`.

    ```
    projection:  matmul -> [view | collective]* -> add
    gated MLP:   matmul -> [view | collective | silu]* -+
                                                        +-> multiply -> [view | collective]* -> projection
                 matmul -> [view | collective | silu]* -+
    ```

    - A matmul is a `ttnn.matmul` or a `ttnn.linear`; a projection has at least
      one collective; the multiply feeds its activations (operand 0).
    - A collective is `ttnn.all_gather`, `all_reduce`, `all_to_all`,
      `collective_broadcast`, `collective_permute` or `reduce_scatter`. A view
      is `ttnn.reshape`, `slice`, `to_memory_config`, `to_layout`, `to_device`
      or `mesh_partition`.
    - Every tensor on the way has one use, is bf16 in tiles of 32x32 on the
      device and is written to a `ttnn.empty` of its own. With `lower-f32` it
      may be f32, which loses 16 more bits of the mantissa.
    - Either both operands of the multiply match, or neither is lowered.
    - The other operand of the add is bf16 or f32.

    Decisions use the types before the pass, so the order of the ops does not
    matter: if two chains meet at one add, as in blocks with parallel attention
    and MLP, both are lowered.

    The pass emits a remark at each collective, with the reason if it was not
    lowered (`ttmlir-opt --remarks`). Layouts keep their grid and memory: block
    floats are smaller, so tensors that fitted into L1 still do, and the pass
    runs after the optimizer. It runs before `ttnn-deallocate`, whose output it
    accepts as well: freeing a tensor is not a use.

    ```mlir
    %1 = "ttnn.empty"(%0) <{dtype = #tt.supportedDataTypes<bf16>, ...}> : (!tt.device<#device>) -> tensor<32x256xbf16, #layout2>
    %2 = "ttnn.matmul"(%arg0, %arg1, %1) : (tensor<32x128xbf16, #layout>, tensor<128x256xbf16, #layout1>, tensor<32x256xbf16, #layout2>) -> tensor<32x256xbf16, #layout2>
    %3 = "ttnn.all_reduce"(%2) <{cluster_axis = 1 : ui32, reduce_type = #tt.reduce_type<sum>}> : (tensor<32x256xbf16, #layout2>) -> tensor<32x256xbf16, #layout2>
    %4 = "ttnn.empty"(%0) <{dtype = #tt.supportedDataTypes<bf16>, ...}> : (!tt.device<#device>) -> tensor<32x256xbf16, #layout2>
    %5 = "ttnn.add"(%arg2, %3, %4) ... -> tensor<32x256xbf16, #layout2>
    // after
    %1 = "ttnn.empty"(%0) <{dtype = #tt.supportedDataTypes<bfp_bf8>, ...}> : (!tt.device<#device>) -> tensor<32x256xbf16, #layout3>
    %2 = "ttnn.matmul"(%arg0, %arg1, %1) : (tensor<32x128xbf16, #layout>, tensor<128x256xbf16, #layout1>, tensor<32x256xbf16, #layout3>) -> tensor<32x256xbf16, #layout3>
    %3 = "ttnn.all_reduce"(%2) <{cluster_axis = 1 : ui32, reduce_type = #tt.reduce_type<sum>}> : (tensor<32x256xbf16, #layout3>) -> tensor<32x256xbf16, #layout3>
    %4 = "ttnn.empty"(%0) <{dtype = #tt.supportedDataTypes<bf16>, ...}> : (!tt.device<#device>) -> tensor<32x256xbf16, #layout2>
    %5 = "ttnn.add"(%arg2, %3, %4) ... -> tensor<32x256xbf16, #layout2>
    ```
  }];
  let options = [
    Option<"lowerF32", "lower-f32", "bool", /*default=*/"false",
           "Lower f32 activations too, not only bf16 ones.">
  ];
  let statistics = [
    Statistic<"numLowered", "num-lowered", "Number of collectives lowered">,
    Statistic<"numNotLowered", "num-not-lowered",
              "Number of collectives not lowered">
  ];
  let dependentDialects = ["::mlir::tt::ttnn::TTNNDialect"];
}

def FixedNames
    : ListOption<"fixedNames", "fixed-names", "std::string",
                 "Names of ops, in their locations, whose results keep their "
                 "layouts.">;

def TTNNConvertDtypes : Pass<"ttnn-convert-dtypes", "::mlir::ModuleOp"> {
  let summary = "Store weights and activations in block floats.";
  let description = [{
    Block floats take half or a quarter of the memory and bandwidth of bf16, and
    products of two of them take one phase of the multipliers.

    **Weights** of `ttnn.matmul`, `ttnn.linear` and `ttnn.conv2d` that a function
    computes once (`tt.load_cached`) are rounded once: by the host if they have
    the elements of host tensors, by the op that scales them, or else by a
    `ttnn.typecast` at the end of the function. The host rounds to nearest; the
    packer of the chip truncates. Ops that only move elements, such as the
    transposition of PyTorch's weights, therefore become a function of the host,
    which `tt.call` runs. The format of a weight is `weight-dtype`, or that of the
    block floats from which it is computed if that is narrower. A weight that
    another op reads, too, does not change.

    With `activation-dtype`, **activations** change in program order:

    - Results of matrix products, convolutions, attention, norms and softmax.
    - Results of additions, subtractions, multiplications, activation functions,
      pools and ops that move data, if all their inputs are block floats.

    A result keeps its format if it leaves the function, or if an op reads it
    that is none of these or of `ttnn.mean`, `ttnn.sum` and `ttnn.max`. So masks,
    positions, exponentials and indices keep all their bits. The pass inserts no
    casts between ops: ops convert their operands. The operand of a reshape keeps
    its format if the reshape does, since most reshapes are views, which do not
    convert.

    **KV caches** get the format of `activation-dtype`, too. They are donated
    arguments (`tt.aliased_output`) that `ttnn.update_slice` updates in place and
    that only `ttnn.scaled_dot_product_attention`, or `ttnn.matmul` as its second
    operand, reads. The host still sees bf16 or f32.

    ```mlir
    %2 = "ttnn.linear"(%a, %weight, %bias, %0) : (...) -> tensor<64x96xbf16, #layout>
    %4 = "ttnn.add"(%2, %b, %3) ... : (...) -> tensor<64x96xbf16, #layout>
    // after, if %b is block floats; #layout1 has !tt.tile<32x32, bfp_bf8>
    %2 = "ttnn.linear"(%a, %weight, %bias, %0) : (...) -> tensor<64x96xbf16, #layout1>
    %4 = "ttnn.add"(%2, %b, %3) ... : (...) -> tensor<64x96xbf16, #layout1>
    ```
  }];
  let options = [WeightDtype, ActivationDtype, FixedNames];
  let statistics = [
    Statistic<"numWeights", "num-weights", "Number of weights converted">,
    Statistic<"numActivations", "num-activations",
              "Number of results converted">,
    Statistic<"numCaches", "num-caches", "Number of caches converted">
  ];
  let dependentDialects = ["::mlir::tt::ttnn::TTNNDialect"];
}

def TTNNFusing : Pass<"ttnn-fusing", "::mlir::ModuleOp"> {
  let summary = "Fuse activations, reshapes and padding with other ops.";
  let description = [{
    An op that can apply a function to its result (`activation`: `ttnn.conv2d`,
    `ttnn.linear`, `ttnn.matmul` and elementwise ops of two inputs) takes over
    the activation that alone reads its result. The tensor between the two is
    never written. The new op has the location and the result type of the
    activation.

    The activation must be one of those that `activation` allows; both results
    have the same shape and element type, and both ops the same compute
    configuration. An activation named in `fixed-names` may have another format,
    to which the fused op rounds. A result named there is not removed.

    If the only user of a `ttnn.reshape` is another one, it reads the input of
    the first directly. If the only user of a `ttnn.pad` with zeros is a
    `ttnn.conv2d`, it pads the image itself.

    ```mlir
    %2 = "ttnn.linear"(%a, %b, %bias, %0) : (...) -> tensor<64x96xbf16, #layout>
    %4 = "ttnn.gelu"(%2, %3) <{operandSegmentSizes = array<i32: 1, 1>}> : (...) -> tensor<64x96xbf16, #layout>
    // after
    %4 = "ttnn.linear"(%a, %b, %bias, %3) <{activation = "gelu"}> : (...) -> tensor<64x96xbf16, #layout>
    ```
  }];
  let options = [FixedNames];
  let statistics = [
    Statistic<"numFused", "num-fused", "Number of activations fused">
  ];
  let dependentDialects = ["::mlir::tt::ttnn::TTNNDialect"];
}

def TTNNShardWeights : Pass<"ttnn-shard-weights", "::mlir::ModuleOp"> {
  let summary = "Shard weights over the DRAM banks.";
  let description = [{
    Width-shards weights of `ttnn.matmul` and `ttnn.linear` that a function
    computes once (`tt.load_cached`) over all banks, if this makes the products
    that read them faster by the emulator's clock. A `ttnn.to_memory_config` at
    the end of the function shards them. Weights that a product transposes do not
    change.

    A product with few rows is bound by reading its weights from DRAM. Interleaved
    weights come tile by tile from all banks. If they are width-sharded, a core
    next to each bank reads whole rows of its own columns, several blocks ahead.
    So do the products of a batch, such as those of experts: the rows of their
    weights follow each other in the banks.

    The pass assumes that operands that an op computes are in L1, where
    `ttnn-optimizer` places them. A second run after the optimizer reverts the
    sharding of weights whose products turn out to be slower.

    Programs that share weights must shard the same ones: with `weight-rows`,
    products with more rows are timed as if they had that many.

    Products with the same attributes and types are timed once, at most
    `clock-search-limit` different ones. Without the emulator's clock, or with a
    limit of 0, nothing changes.

    ```mlir
    // #layout is interleaved in DRAM, #layout1 width-sharded over 1x12 banks
    %1 = tt.load_cached @forward_const_eval_0(%w) : (...) -> tensor<4096x4096xbf16, #layout>
    // after
    %1 = tt.load_cached @forward_const_eval_0(%w) : (...) -> tensor<4096x4096xbf16, #layout1>
    ```
  }];
  let options = [ClockSearchLimit, WeightRows];
  let statistics = [
    Statistic<"numSharded", "num-sharded", "Number of weights sharded">
  ];
  let dependentDialects = ["::mlir::tt::ttnn::TTNNDialect"];
}

def TTNNOverlapCollectives
    : Pass<"ttnn-overlap-collectives", "::mlir::ModuleOp"> {
  let summary = "Overlap reductions over chips with the products before them.";
  let description = [{
    Gives a `ttnn.all_reduce` or `ttnn.reduce_scatter` whose operand is the result
    of a `ttnn.matmul` or `ttnn.linear` the attribute `overlap_slices`, of 1, 2, 4
    or 8 slices, if both are faster together by the emulator's clock: the product
    makes its result in slices of its columns, and the chips reduce a slice while
    the product computes the next one. With 1 slice, only the start of the
    collective overlaps. More slices hide more of the transfers, but each one
    passes through the chips by itself, and the product reads its first operand
    again for each slice and leaves a row of cores for the transfers.

    The product multiplies by one matrix, its result has no other use, and no op
    computes between the two.

    Pairs with the same attributes and types are timed once, at most
    `clock-search-limit` different ones with all numbers of slices. Without the
    emulator's clock, or with a limit of 0, nothing changes.

    ```mlir
    %2 = "ttnn.matmul"(%a, %b, %1) : (...) -> tensor<32x8192xbf16, #layout>
    %3 = "ttnn.all_reduce"(%2) <{cluster_axis = 1 : ui32, reduce_type = #tt.reduce_type<sum>}> : (tensor<32x8192xbf16, #layout>) -> tensor<32x8192xbf16, #layout>
    // after
    %3 = "ttnn.all_reduce"(%2) <{cluster_axis = 1 : ui32, overlap_slices = 2 : ui32, reduce_type = #tt.reduce_type<sum>}> : (tensor<32x8192xbf16, #layout>) -> tensor<32x8192xbf16, #layout>
    ```
  }];
  let options = [ClockSearchLimit];
  let statistics = [
    Statistic<"numOverlapped", "num-overlapped", "Number of collectives overlapped">
  ];
  let dependentDialects = ["::mlir::tt::ttnn::TTNNDialect"];
}

def TTNNOptimizer : Pass<"ttnn-optimizer", "::mlir::ModuleOp"> {
  let summary = "Place the results of ops in L1.";
  let description = [{
    Chooses for the result of every op among DRAM and L1, interleaved, and
    height-, block- and width-sharded over the cores' L1, by the time that the
    program takes on the emulator's clock. Only results change that are tiled
    and interleaved in DRAM before, that no other op writes to, that do not leave
    the function, and that `fixed-names` does not name.

    - In tensors of rank 3 and more, rows of tiles may hold the end of one matrix
      and the beginning of the next. If each matrix can have tiles of its own with
      at most a fifth of them empty, and the program is faster so, all such tensors
      get this form: heads are then moved tile by tile.
    - Tensors of one shape that elementwise ops, norms and softmax connect form a
      group, which gets one layout: these ops then move no data between cores.
      Groups are visited in program order. Each gets the layout for which the ops
      that write and read its tensors take the least time together while all
      others stay as they are.
    - Then each tensor that is still in DRAM is tried alone.
    - An elementwise op writes over an input that nothing reads afterwards, if
      both have one layout in L1.

    At every op, the tensors that are alive take at most seven tenths of a core's
    L1; the rest is for the op's circular buffers.

    Ops with the same attributes and types are timed once, at most
    `clock-search-limit` different ones. Without the emulator's clock, or with a limit of 0, nothing changes.

    With remarks, each op whose result changes reports its layout and the times,
    and each op whose result stays in DRAM reports the reason.

    ```mlir
    // #layout is interleaved in DRAM, #layout1 block-sharded on 8x8 cores
    %3 = "ttnn.matmul"(%0, %1, %2) : (...) -> tensor<512x512xbf16, #layout>
    %5 = "ttnn.exp"(%3, %4) ... : (...) -> tensor<512x512xbf16, #layout>
    %7 = "ttnn.add"(%3, %5, %6) ... : (...) -> tensor<512x512xbf16, #layout>
    // after
    %3 = "ttnn.matmul"(%0, %1, %2) : (...) -> tensor<512x512xbf16, #layout1>
    %5 = "ttnn.exp"(%3, %4) ... : (...) -> tensor<512x512xbf16, #layout1>
    %7 = "ttnn.add"(%3, %5, %3) ... : (...) -> tensor<512x512xbf16, #layout1>
    ```
  }];
  let options = [ClockSearchLimit, FixedNames];
  let statistics = [
    Statistic<"numPlaced", "num-placed", "Number of results placed in L1">,
    Statistic<"numInPlace", "num-in-place",
              "Number of results that take the place of an input">,
    Statistic<"numTimed", "num-timed", "Number of ops timed">
  ];
  let dependentDialects = ["::mlir::tt::ttnn::TTNNDialect"];
}

def TTNNDeallocate : Pass<"ttnn-deallocate", "::mlir::ModuleOp"> {
  let summary = "Free device tensors after their last use.";
  let description = [{
    Without this pass, device tensors live until the program ends. After it,
    each tensor that the program creates in DRAM or L1 is freed once, right
    after its last use.

    An op in destination-passing style returns the tensor of its destination, so
    uses of the result are uses of the destination. The pass does not free
    arguments, returned tensors, or tensors that leave the block or go to an op
    of another dialect, which may keep them. Tensors that are already freed are
    left alone. With `only-with-l1`, functions whose tensors are all in DRAM or
    on the host do not change: L1 has no room for all results of a program, DRAM
    usually does.

    ```mlir
    %3 = "ttnn.abs"(%1, %2) ... : (tensor<64x128xf32, #layout1>, tensor<64x128xf32, #layout1>) -> tensor<64x128xf32, #layout1>
    %4 = "ttnn.to_memory_config"(%3, %0) : (tensor<64x128xf32, #layout1>, !tt.device<#device>) -> tensor<64x128xf32, #layout>
    return %4 : tensor<64x128xf32, #layout>
    // after
    %3 = "ttnn.abs"(%1, %2) ... : (tensor<64x128xf32, #layout1>, tensor<64x128xf32, #layout1>) -> tensor<64x128xf32, #layout1>
    "ttnn.dealloc"(%1) : (tensor<64x128xf32, #layout1>) -> ()
    %4 = "ttnn.to_memory_config"(%3, %0) : (tensor<64x128xf32, #layout1>, !tt.device<#device>) -> tensor<64x128xf32, #layout>
    "ttnn.dealloc"(%2) : (tensor<64x128xf32, #layout1>) -> ()
    return %4 : tensor<64x128xf32, #layout>
    ```
  }];
  let options = [
    Option<"onlyWithL1", "only-with-l1", "bool", /*default=*/"false",
           "Only in functions that have tensors in L1.">
  ];
  let statistics = [
    Statistic<"numDeallocs", "num-deallocs", "Number of tensors freed">
  ];
  let dependentDialects = ["::mlir::tt::ttnn::TTNNDialect"];
}

def TTNNSetComputeKernelConfig
    : Pass<"ttnn-set-compute-kernel-config", "::mlir::ModuleOp"> {
  let summary = "Set the compute configuration of ops.";
  let description = [{
    Sets the attribute `compute_config` of ops from the options: those for all
    ops, and `override-compute-config` for ops by the name in their location. An
    override takes precedence over the op's own attribute, which takes
    precedence over the options for all ops. Unset values stay absent and mean
    the library's default. An override that names no computing op is a warning.

    Without options the pass changes nothing.

    ```mlir
    %3 = "ttnn.matmul"(%0, %1, %2) : (tensor<64x128xbf16, #layout>, tensor<128x96xbf16, #layout1>, tensor<64x96xbf16, #layout2>) -> tensor<64x96xbf16, #layout2>
    // after, with math-fidelity=hifi4
    %3 = "ttnn.matmul"(%0, %1, %2) <{compute_config = #ttnn.device_compute_kernel_config<math_fidelity = hifi4>}> : (tensor<64x128xbf16, #layout>, tensor<128x96xbf16, #layout1>, tensor<64x96xbf16, #layout2>) -> tensor<64x96xbf16, #layout2>
    ```
  }];
  let options = [MathFidelity, Fp32DestAccEn, MathApproxMode, PackerL1Acc,
                 OverrideComputeConfig];
  let statistics = [
    Statistic<"numSet", "num-set", "Number of ops with a compute_config">
  ];
  let dependentDialects = ["::mlir::tt::ttnn::TTNNDialect"];
}

#endif
