//===- Ops of the 'ttkernel' dialect -------------------------------------===//

#ifndef TTMLIR_TTKERNEL_OPS_TD
#define TTMLIR_TTKERNEL_OPS_TD

include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "dialects/TTKernel/TTKernelComputeOps.td"
include "dialects/TTKernel/TTKernelRegisterOps.td"

//===----------------------------------------------------------------------===//
// Circular buffers
//===----------------------------------------------------------------------===//

def TTKernel_CBWaitFrontOp : TTKernel_InKernelOp<"cb_wait_front"> {
  let summary = "Waits for pages of a buffer.";
  let description = [{
    Waits until `numPages` pages of `cb` have been pushed.

    Constraints:
    - (C1) a `ttmetal.dispatch`, or a function of a module, is around the op.

    Example:

    ```mlir
    "ttkernel.cb_wait_front"(%0, %1) : (!ttkernel.cb<cb_in0, 1024, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, i32) -> ()
    ```
  }];
  let arguments = (ins TTKernel_CB:$cb, I32:$numPages);
}

def TTKernel_CBPopFrontOp : TTKernel_InKernelOp<"cb_pop_front"> {
  let summary = "Frees pages of a buffer.";
  let description = [{
    Takes the first `numPages` pages out of `cb`.

    Constraints:
    - (C1) a `ttmetal.dispatch`, or a function of a module, is around the op.

    Example:

    ```mlir
    "ttkernel.cb_pop_front"(%0, %1) : (!ttkernel.cb<cb_in0, 1024, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, i32) -> ()
    ```
  }];
  let arguments = (ins TTKernel_CB:$cb, I32:$numPages);
}

def TTKernel_CBReserveBackOp : TTKernel_InKernelOp<"cb_reserve_back"> {
  let summary = "Waits for room in a buffer.";
  let description = [{
    Waits until `numPages` pages of `cb` are free.

    Constraints:
    - (C1) a `ttmetal.dispatch`, or a function of a module, is around the op.

    Example:

    ```mlir
    "ttkernel.cb_reserve_back"(%0, %1) : (!ttkernel.cb<cb_out0, 66560, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, i32) -> ()
    ```
  }];
  let arguments = (ins TTKernel_CB:$cb, I32:$numPages);
}

def TTKernel_CBPushBackOp : TTKernel_InKernelOp<"cb_push_back"> {
  let summary = "Hands pages of a buffer on.";
  let description = [{
    Adds `numPages` written pages to `cb`.

    Constraints:
    - (C1) a `ttmetal.dispatch`, or a function of a module, is around the op.

    Example:

    ```mlir
    "ttkernel.cb_push_back"(%0, %1) : (!ttkernel.cb<cb_out0, 66560, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, i32) -> ()
    ```
  }];
  let arguments = (ins TTKernel_CB:$cb, I32:$numPages);
}

//===----------------------------------------------------------------------===//
// The network on chip
//===----------------------------------------------------------------------===//

def TTKernel_GetNocAddrOp : TTKernel_Op<"get_noc_addr"> {
  let summary = "An address of the network on chip.";
  let description = [{
    The address `l1Address` in the memory of the core at column `x` and row `y`.

    Nothing to verify.

    Example:

    ```mlir
    %3 = "ttkernel.get_noc_addr"(%0, %1, %2) : (i32, i32, i32) -> !ttkernel.noc_addr
    ```
  }];
  let arguments = (ins I32:$x, I32:$y, I32:$l1Address);
  let results = (outs TTKernel_NocAddr:$nocAddr);
}

def TTKernel_NocAsyncReadOp : TTKernel_Op<"noc_async_read"> {
  let summary = "Begins to read from another core.";
  let description = [{
    Begins to copy `size` bytes at `srcNocAddr` to the address `dstLocalL1Addr` of
    this core.

    Nothing to verify.

    Example:

    ```mlir
    "ttkernel.noc_async_read"(%0, %1, %2) : (!ttkernel.noc_addr, i32, i32) -> ()
    ```
  }];
  let arguments = (ins TTKernel_NocAddr:$srcNocAddr, I32:$dstLocalL1Addr,
                       I32:$size);
}

def TTKernel_NocAsyncReadBarrierOp : TTKernel_Op<"noc_async_read_barrier"> {
  let summary = "Waits for reads.";
  let description = [{
    Waits until all reads that this kernel began have ended.

    Nothing to verify.

    Example:

    ```mlir
    "ttkernel.noc_async_read_barrier"() : () -> ()
    ```
  }];
}

def TTKernel_NocAsyncWriteOp : TTKernel_Op<"noc_async_write"> {
  let summary = "Begins to write to another core.";
  let description = [{
    Begins to copy `size` bytes at the address `srcLocalL1Addr` of this core to
    `dstNocAddr`.

    Nothing to verify.

    Example:

    ```mlir
    "ttkernel.noc_async_write"(%0, %1, %2) : (i32, !ttkernel.noc_addr, i32) -> ()
    ```
  }];
  let arguments = (ins I32:$srcLocalL1Addr, TTKernel_NocAddr:$dstNocAddr,
                       I32:$size);
}

def TTKernel_NocAsyncWriteBarrierOp : TTKernel_Op<"noc_async_write_barrier"> {
  let summary = "Waits for writes.";
  let description = [{
    Waits until all writes that this kernel began have ended.

    Nothing to verify.

    Example:

    ```mlir
    "ttkernel.noc_async_write_barrier"() : () -> ()
    ```
  }];
}

//===----------------------------------------------------------------------===//
// Calls and ends of kernels
//===----------------------------------------------------------------------===//

def TTKernel_BuiltinOp : TTKernel_InKernelOp<"builtin", [], "KernelOp"> {
  let summary = "A call of a kernel by its name.";
  let description = [{
    Calls the kernel `op` of the kind `kind` with buffers.

    Constraints:
    - (C1) a `ttmetal.dispatch`, or a function of a module, is around the op.

    Example:

    ```mlir
    "ttkernel.builtin"(%0) <{kind = @eltwise, op = @multiply}> : (!ttkernel.cb<cb_in0, 1024, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>) -> ()
    ```
  }];
  let arguments = (ins Variadic<TTKernel_MemRefOrCB>:$args,
                       FlatSymbolRefAttr:$op, FlatSymbolRefAttr:$kind);
}

def TTKernel_ReturnOp
    : TTKernel_InKernelOp<"return", [Pure, ReturnLike, Terminator]> {
  let summary = "The end of a kernel.";
  let description = [{
    Ends the kernel.

    Constraints:
    - (C1) a `ttmetal.dispatch`, or a function of a module, is around the op.

    Example:

    ```mlir
    "ttkernel.return"() : () -> ()
    ```
  }];
}

def TTKernel_UnreachableOp
    : TTKernel_Op<"unreachable", [Pure, ReturnLike, Terminator]> {
  let summary = "A place that no kernel comes to.";
  let description = [{
    Ends a block that is never run.

    Nothing to verify.

    Example:

    ```mlir
    "ttkernel.unreachable"() : () -> ()
    ```
  }];
}

#endif
