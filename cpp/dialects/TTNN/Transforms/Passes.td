//===- Passes of the 'ttnn' dialect ----------------------------------------===//

#ifndef TTMLIR_TTNN_TRANSFORMS_PASSES_TD
#define TTMLIR_TTNN_TRANSFORMS_PASSES_TD

include "dialects/Options.td"

def TTNNCCLActivationDtypeLowering
    : Pass<"ttnn-ccl-activation-dtype-lowering", "::mlir::ModuleOp"> {
  let summary = "Send activations between chips as block floats.";
  let description = [{
    Before the pass, activations that collectives send between chips have the
    format in which they were computed. After it, those of the two patterns below
    are in tiles of `bfp_bf8` from the op that computes them to the op that reads
    them, so that little more than half the bytes travel. Nothing else changes its
    type: the op at the end reads the block floats and writes what it wrote
    before. There is no `ttnn.typecast`.

    ```
    projection:  matmul -> [view | collective]* -> add
    gated MLP:   matmul -> [view | collective | silu]* -+
                                                        +-> multiply -> [view | collective]* -> projection
                 matmul -> [view | collective | silu]* -+
    ```

    - A matmul is a `ttnn.matmul` or a `ttnn.linear`; a projection has at least
      one collective; the multiply feeds its activations (operand 0).
    - A collective is `ttnn.all_gather`, `all_reduce`, `all_to_all`,
      `collective_broadcast`, `collective_permute` or `reduce_scatter`. A view is
      `ttnn.reshape`, `slice`, `to_memory_config`, `to_layout`, `to_device` or
      `mesh_partition`.
    - Every tensor on the way has one use, is bf16 in tiles of 32x32 on the device
      and is written to a `ttnn.empty` of its own. With `lower-f32` it may be f32,
      which loses 16 bits of the mantissa more.
    - Both operands of the multiply match, or none is lowered.
    - The other operand of the add is bf16 or f32.

    All is decided on the types that the module had before, so the order of the
    ops does not matter: where two chains meet at one add, as in blocks with
    parallel attention and MLP, both are lowered.

    The pass emits a remark at each collective, with the reason where it was not
    lowered (`ttmlir-opt --remarks`). Layouts keep their grid and memory: block
    floats are smaller, so what fitted into L1 still does, and the pass runs
    behind the optimizer. It runs in front of `ttnn-deallocate`, whose result it
    accepts as well: what frees a tensor is no use of it.

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
           "Lower activations of f32 too, not only those of bf16.">
  ];
  let statistics = [
    Statistic<"numLowered", "num-lowered", "Number of collectives lowered">,
    Statistic<"numNotLowered", "num-not-lowered",
              "Number of collectives not lowered">
  ];
  let dependentDialects = ["::mlir::tt::ttnn::TTNNDialect"];
}

def TTNNDeallocate : Pass<"ttnn-deallocate", "::mlir::ModuleOp"> {
  let summary = "Free tensors of the device after their last use.";
  let description = [{
    Before the pass, tensors on the device live until the program ends. After
    it, each tensor that the program makes in DRAM or L1 is freed right behind
    the op that uses it last, once.

    An op in destination-passing style returns the tensor of its destination, so
    uses of the result are uses of the destination. Arguments and what the
    function returns are not freed, nor is a tensor that leaves the block or
    goes to an op of another dialect, which may keep it. A tensor that is freed
    already is left alone. With `only-with-l1`, functions all of whose tensors
    are in DRAM or on the host stay as they are: L1 has no room for all results
    of a program, DRAM mostly has.

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
  let summary = "Say how the engines compute ops.";
  let description = [{
    Before the pass ops that compute have the attribute `compute_config` where the
    program came with it. After it, they also have what the options say: those of
    all ops, or of the op with that name of a location what
    `override-compute-config` says. An override goes before the op's own attribute,
    and that before the options for all ops. What nobody says stays absent: the
    library's default. An override that names no op that computes is a warning.

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
