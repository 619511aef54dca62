//===- Registers of a core in the 'ttkernel' dialect ---------------------===//

#ifndef TTMLIR_TTKERNEL_REGISTER_OPS_TD
#define TTMLIR_TTKERNEL_REGISTER_OPS_TD

include "dialects/TTKernel/TTKernelBase.td"

def TTKernel_AcquireDstOp : TTKernel_Op<"acquire_dst"> {
  let summary = "The destination registers for this kernel.";
  let description = [{
    Waits until the destination registers are free, and takes them.

    Nothing to verify.

    Example:

    ```mlir
    "ttkernel.acquire_dst"() : () -> ()
    ```
  }];
}

def TTKernel_ReleaseDstOp : TTKernel_Op<"release_dst"> {
  let summary = "The destination registers for other kernels.";
  let description = [{
    Gives back the destination registers that `ttkernel.acquire_dst` took.

    Nothing to verify.

    Example:

    ```mlir
    "ttkernel.release_dst"() : () -> ()
    ```
  }];
}

def TTKernel_TileRegsAcquireOp : TTKernel_Op<"tile_regs_acquire"> {
  let summary = "The destination registers for the math thread.";
  let description = [{
    Waits until the math thread may write the destination registers, and takes
    them.

    Nothing to verify.

    Example:

    ```mlir
    "ttkernel.tile_regs_acquire"() : () -> ()
    ```
  }];
}

def TTKernel_TileRegsCommitOp : TTKernel_Op<"tile_regs_commit"> {
  let summary = "The destination registers from the math to the pack thread.";
  let description = [{
    Says that the math thread has written the destination registers.

    Nothing to verify.

    Example:

    ```mlir
    "ttkernel.tile_regs_commit"() : () -> ()
    ```
  }];
}

def TTKernel_TileRegsWaitOp : TTKernel_Op<"tile_regs_wait"> {
  let summary = "The destination registers for the pack thread.";
  let description = [{
    Waits until the math thread has committed the destination registers.

    Nothing to verify.

    Example:

    ```mlir
    "ttkernel.tile_regs_wait"() : () -> ()
    ```
  }];
}

def TTKernel_TileRegsReleaseOp : TTKernel_Op<"tile_regs_release"> {
  let summary = "The destination registers from the pack to the math thread.";
  let description = [{
    Says that the pack thread has read the destination registers.

    Nothing to verify.

    Example:

    ```mlir
    "ttkernel.tile_regs_release"() : () -> ()
    ```
  }];
}

def TTKernel_PackOp : TTKernel_Op<"pack"> {
  let summary = "A destination register to a page of a buffer.";
  let description = [{
    Writes the tile of destination register `dst_index` to tile `out_index` of the
    pages reserved in `out_cb`.

    Nothing to verify.

    Example:

    ```mlir
    "ttkernel.pack"(%0, %1, %2) : (i32, !ttkernel.cb<cb_out0, 66560, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, i32) -> ()
    ```
  }];
  let arguments = (ins I32:$dst_index, TTKernel_CB:$out_cb, I32:$out_index);
}

def TTKernel_PackTileOp : TTKernel_Op<"pack_tile"> {
  let summary = "A tile of the destination registers to a buffer.";
  let description = [{
    Writes the tile of destination register `dst_index`, which the math thread
    committed, to tile `out_index` of the pages reserved in `out_cb`.

    Nothing to verify.

    Example:

    ```mlir
    "ttkernel.pack_tile"(%0, %1, %2) : (i32, !ttkernel.cb<cb_out0, 66560, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, i32) -> ()
    ```
  }];
  let arguments = (ins I32:$dst_index, TTKernel_CB:$out_cb, I32:$out_index);
}

def TTKernel_PackSetDataTypeOp : TTKernel_Op<"pack_set_data_type"> {
  let summary = "The number format that tiles are packed to.";
  let description = [{
    Sets the format of the tiles that the packer writes; `data_type` is a number of
    the enumeration `DataType`.

    Nothing to verify.

    Example:

    ```mlir
    "ttkernel.pack_set_data_type"() <{data_type = 0 : i32}> : () -> ()
    ```
  }];
  let arguments = (ins TT_DataType:$data_type);
}

def TTKernel_UnpackAOp : TTKernel_Op<"unpack_a"> {
  let summary = "A tile of a buffer to the first source register.";
  let description = [{
    Reads tile `src_index` of `cb`.

    Nothing to verify.

    Example:

    ```mlir
    "ttkernel.unpack_a"(%0, %1) : (!ttkernel.cb<cb_in0, 1024, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, i32) -> ()
    ```
  }];
  let arguments = (ins TTKernel_CB:$cb, I32:$src_index);
}

def TTKernel_UnpackABOp : TTKernel_Op<"unpack_ab"> {
  let summary = "Tiles of two buffers to both source registers.";
  let description = [{
    Reads tile `src_a_index` of `cb_a` and tile `src_b_index` of `cb_b`.

    Nothing to verify.

    Example:

    ```mlir
    "ttkernel.unpack_ab"(%0, %1, %2, %3) : (!ttkernel.cb<cb_in0, 1024, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, i32, !ttkernel.cb<cb_in1, 33792, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, i32) -> ()
    ```
  }];
  let arguments = (ins TTKernel_CB:$cb_a, I32:$src_a_index, TTKernel_CB:$cb_b,
                       I32:$src_b_index);
}

def TTKernel_UnpackSetDataTypeOp : TTKernel_Op<"unpack_set_data_type"> {
  let summary = "The number formats that tiles are unpacked from.";
  let description = [{
    Sets the formats of the tiles that the unpacker reads for the first and the
    second source register; both are numbers of the enumeration `DataType`.

    Nothing to verify.

    Example:

    ```mlir
    "ttkernel.unpack_set_data_type"() <{data_type_a = 0 : i32, data_type_b = 2 : i32}> : () -> ()
    ```
  }];
  let arguments = (ins TT_DataType:$data_type_a, TT_DataType:$data_type_b);
}

#endif
