//===- Conversion of 'ttir' to 'ttmetal' -----------------------------------===//

#ifndef TTMLIR_CONVERSION_TTIRTOTTMETAL_PASSES_TD
#define TTMLIR_CONVERSION_TTIRTOTTMETAL_PASSES_TD

include "dialects/Options.td"

def ConvertTTIRToTTMetal
    : Pass<"convert-ttir-to-ttmetal", "::mlir::ModuleOp"> {
  let summary = "Convert TTIR to TTMetal commands and kernels.";
  let description = [{
    Input: every tensor has a `#tt.layout` and an address (`ttir-allocate`).
    Output: functions are lists of `ttmetal` commands; all computation is in
    kernels, which are regions of `ttkernel`, `arith` and `scf` ops.

    `ttir.alloc` and `ttir.dealloc` become the commands of the same name. A
    `ttir.to_layout` between host and device becomes `ttmetal.host_write` or
    `ttmetal.host_read`. One that changes the memory, grid or map on the device,
    or the element type, becomes a `ttmetal.dispatch`, as does every op that
    computes. Operands in L1 are the circular buffers of the kernels themselves;
    operands in DRAM are streamed through circular buffers that begin after the
    L1 tensors of the function.

    Collectives become `ttmetal.collective`, and `ttir.mesh_shard` the command
    of the same name. With `use-all-gather-kernel`, `ttir.all_gather`,
    `reduce_scatter` and `all_reduce` become kernels: every chip sends blocks to
    its neighbours, forward on one data movement thread and backward on the
    other, and forwards the blocks that it receives. One program serves all
    chips, which differ by `ttkernel.get_my_device_id`. `all-gather-swizzle` is
    the order in which an all_gather moves its tiles: with G, the tiles of G
    rows column by column, then those of the next G rows.

    Compute kernels use `math-fidelity`, `fp32-dest-acc-en` and
    `math-approx-mode`, or the settings of `override-compute-config` for the
    name in the op's location; for a fused op, also for the name of an op
    inside. The defaults are `hifi4`, 32-bit destination registers and no
    approximation. Integer kernels always use 32-bit registers, and kernels that
    only move or add data from other chips are not affected. An override that
    names no op is a warning.

    An op without kernels, or a dispatch whose buffers exceed L1, is an error at
    the op.

    ```mlir
    %1 = "ttir.to_layout"(%arg0, %0) : (tensor<4x16xf32, #layout>, tensor<4x16xf32, #layout1>) -> tensor<4x16xf32, #layout1>
    // after: the destination's core reads its shard from another core
    %1 = "ttmetal.dispatch"(%arg0, %0) <{core_ranges = [#ttmetal.core_range<0x0, 1x1>], kernelConfigs = [#ttkernel.noc_config<noc0>], operandSegmentSizes = array<i32: 1, 1>}> ({
      %c0_i32 = arith.constant 0 : i32
      %c0_i32_0 = arith.constant 0 : i32
      %c1024_i32 = arith.constant 1024 : i32
      %c1280_i32 = arith.constant 1280 : i32
      %c64_i32 = arith.constant 64 : i32
      %2 = "ttkernel.get_noc_addr"(%c0_i32_0, %c0_i32, %c1024_i32) : (i32, i32, i32) -> !ttkernel.noc_addr
      "ttkernel.noc_async_read"(%2, %c1280_i32, %c64_i32) : (!ttkernel.noc_addr, i32, i32) -> ()
      "ttkernel.noc_async_read_barrier"() : () -> ()
      "ttkernel.return"() : () -> ()
    }) : (tensor<4x16xf32, #layout>, tensor<4x16xf32, #layout1>) -> tensor<4x16xf32, #layout1>
    ```
  }];
  let options = [UseAllGatherKernel, AllGatherSwizzle, MathFidelity,
                 Fp32DestAccEn, MathApproxMode, OverrideComputeConfig];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
    "::mlir::tt::ttkernel::TTKernelDialect",
    "::mlir::tt::ttmetal::TTMetalDialect"
  ];
}

#endif
