//===- Computing on tiles in the 'ttkernel' dialect ----------------------===//

#ifndef TTMLIR_TTKERNEL_COMPUTE_OPS_TD
#define TTMLIR_TTKERNEL_COMPUTE_OPS_TD

include "dialects/TTKernel/TTKernelBase.td"

def TTKernel_AddOp : TTKernel_Op<"add"> {
  let summary = "The sum of both source registers.";
  let description = [{
    Adds the source registers into destination register `dst_index`.

    Nothing to verify.

    Example:

    ```mlir
    "ttkernel.add"(%0) : (i32) -> ()
    ```
  }];
  let arguments = (ins I32:$dst_index);
}

def TTKernel_SubOp : TTKernel_Op<"sub"> {
  let summary = "The difference of both source registers.";
  let description = [{
    Subtracts the second source register from the first into destination register
    `dst_index`.

    Nothing to verify.

    Example:

    ```mlir
    "ttkernel.sub"(%0) : (i32) -> ()
    ```
  }];
  let arguments = (ins I32:$dst_index);
}

def TTKernel_MulOp : TTKernel_Op<"mul"> {
  let summary = "The product, element by element, of both source registers.";
  let description = [{
    Multiplies the source registers element by element into destination register
    `dst_index`.

    Nothing to verify.

    Example:

    ```mlir
    "ttkernel.mul"(%0) : (i32) -> ()
    ```
  }];
  let arguments = (ins I32:$dst_index);
}

def TTKernel_MatmulOp : TTKernel_Op<"matmul"> {
  let summary = "The matrix product of both source registers.";
  let description = [{
    Multiplies the source registers as matrices and adds the product to destination
    register `dst_index`.

    Nothing to verify.

    Example:

    ```mlir
    "ttkernel.matmul"(%0) : (i32) -> ()
    ```
  }];
  let arguments = (ins I32:$dst_index);
}

def TTKernel_BinaryOpInitCommonOp : TTKernel_Op<"binary_op_init_common"> {
  let summary = "The buffers of an op on two tiles.";
  let description = [{
    Sets up the unpacker, the math engine and the packer for ops that read tiles of
    `in0_cb` and `in1_cb` and write tiles of `out_cb`. It comes before the `_init`
    op of what is computed.

    Nothing to verify.

    Example:

    ```mlir
    "ttkernel.binary_op_init_common"(%0, %1, %2) : (!ttkernel.cb<cb_in0, 1024, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, !ttkernel.cb<cb_in1, 33792, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, !ttkernel.cb<cb_out0, 66560, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>) -> ()
    ```
  }];
  let arguments = (ins TTKernel_CB:$in0_cb, TTKernel_CB:$in1_cb,
                       TTKernel_CB:$out_cb);
}

def TTKernel_AddTilesInitOp : TTKernel_Op<"add_tiles_init"> {
  let summary = "The engines for `ttkernel.add_tiles`.";
  let description = [{
    Sets up the math engine to add tiles of two buffers.

    Nothing to verify.

    Example:

    ```mlir
    "ttkernel.add_tiles_init"(%0, %1) : (!ttkernel.cb<cb_in0, 1024, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, !ttkernel.cb<cb_in1, 33792, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>) -> ()
    ```
  }];
  let arguments = (ins TTKernel_CB:$in0_cb, TTKernel_CB:$in1_cb);
}

def TTKernel_AddTilesOp : TTKernel_Op<"add_tiles"> {
  let summary = "The sum of two tiles.";
  let description = [{
    Adds tile `in0_tile_index` of `in0_cb` and tile `in1_tile_index` of `in1_cb`
    into destination register `dst_index`.

    Nothing to verify.

    Example:

    ```mlir
    "ttkernel.add_tiles"(%0, %1, %2, %3, %4) : (!ttkernel.cb<cb_in0, 1024, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, !ttkernel.cb<cb_in1, 33792, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, i32, i32, i32) -> ()
    ```
  }];
  let arguments = (ins TTKernel_CB:$in0_cb, TTKernel_CB:$in1_cb,
                       I32:$in0_tile_index, I32:$in1_tile_index,
                       I32:$dst_index);
}

def TTKernel_MulTilesInitOp : TTKernel_Op<"mul_tiles_init"> {
  let summary = "The engines for `ttkernel.mul_tiles`.";
  let description = [{
    Sets up the math engine to multiply tiles of two buffers.

    Nothing to verify.

    Example:

    ```mlir
    "ttkernel.mul_tiles_init"(%0, %1) : (!ttkernel.cb<cb_in0, 1024, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, !ttkernel.cb<cb_in1, 33792, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>) -> ()
    ```
  }];
  let arguments = (ins TTKernel_CB:$in0_cb, TTKernel_CB:$in1_cb);
}

def TTKernel_MulTilesOp : TTKernel_Op<"mul_tiles"> {
  let summary = "The product, element by element, of two tiles.";
  let description = [{
    Multiplies tile `in0_tile_index` of `in0_cb` and tile `in1_tile_index` of
    `in1_cb` into destination register `dst_index`.

    Nothing to verify.

    Example:

    ```mlir
    "ttkernel.mul_tiles"(%0, %1, %2, %3, %4) : (!ttkernel.cb<cb_in0, 1024, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, !ttkernel.cb<cb_in1, 33792, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, i32, i32, i32) -> ()
    ```
  }];
  let arguments = (ins TTKernel_CB:$in0_cb, TTKernel_CB:$in1_cb,
                       I32:$in0_tile_index, I32:$in1_tile_index,
                       I32:$dst_index);
}

def TTKernel_TilizeInitOp : TTKernel_TilizeOp<"tilize_init", "Tilize"> {
  let summary = "The engines for `ttkernel.tilize_block`.";
  let description = [{
    Sets up the unpacker and the packer to make `numTiles` tiles at a time.

    Constraints:
    - (C1) a `ttmetal.dispatch`, or a function of a module, is around the op.
    - (C2) the buffers have different ports.
    - (C3) the input's elements are scalars, the output's tiles.

    Example:

    ```mlir
    "ttkernel.tilize_init"(%0, %1, %2) : (!ttkernel.cb<cb_in0, 1024, memref<64x128xf32, #l1_>, 512, 1>, i32, !ttkernel.cb<cb_out0, 66560, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>) -> ()
    ```
  }];
  let arguments = (ins TTKernel_CB:$cbIn, I32:$numTiles, TTKernel_CB:$cbOut);
}

def TTKernel_UntilizeInitOp : TTKernel_TilizeOp<"untilize_init", "Untilize"> {
  let summary = "The engines for `ttkernel.untilize_block`.";
  let description = [{
    Sets up the unpacker and the packer to write tiles as rows.

    Constraints:
    - (C1) a `ttmetal.dispatch`, or a function of a module, is around the op.
    - (C2) the buffers have different ports.
    - (C3) the input's elements are tiles, the output's scalars.

    Example:

    ```mlir
    "ttkernel.untilize_init"(%0, %1) : (!ttkernel.cb<cb_in0, 1024, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, !ttkernel.cb<cb_out0, 66560, memref<64x128xf32, #l1_>, 512, 1>) -> ()
    ```
  }];
  let arguments = (ins TTKernel_CB:$cbIn, TTKernel_CB:$cbOut);
}

def TTKernel_TilizeBlockOp : TTKernel_TilizeOp<"tilize_block", "Tilize"> {
  let summary = "Rows of scalars as tiles.";
  let description = [{
    Writes the scalars of `cbIn` to `cbOut` as a row of `numTiles` tiles.

    Constraints:
    - (C1) a `ttmetal.dispatch`, or a function of a module, is around the op.
    - (C2) the buffers have different ports.
    - (C3) the input's elements are scalars, the output's tiles.

    Example:

    ```mlir
    "ttkernel.tilize_block"(%0, %1, %2) : (!ttkernel.cb<cb_in0, 1024, memref<64x128xf32, #l1_>, 512, 1>, i32, !ttkernel.cb<cb_out0, 66560, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>) -> ()
    ```
  }];
  let arguments = (ins TTKernel_CB:$cbIn, I32:$numTiles, TTKernel_CB:$cbOut);
}

def TTKernel_UntilizeBlockOp : TTKernel_TilizeOp<"untilize_block", "Untilize"> {
  let summary = "Tiles as rows of scalars.";
  let description = [{
    Writes a row of `numTiles` tiles of `cbIn` to `cbOut` as scalars.

    Constraints:
    - (C1) a `ttmetal.dispatch`, or a function of a module, is around the op.
    - (C2) the buffers have different ports.
    - (C3) the input's elements are tiles, the output's scalars.

    Example:

    ```mlir
    "ttkernel.untilize_block"(%0, %1, %2) : (!ttkernel.cb<cb_in0, 1024, memref<2x4x!tt.tile<32x32, f32>, #l1_>, 4096, 1>, i32, !ttkernel.cb<cb_out0, 66560, memref<64x128xf32, #l1_>, 512, 1>) -> ()
    ```
  }];
  let arguments = (ins TTKernel_CB:$cbIn, I32:$numTiles, TTKernel_CB:$cbOut);
}

#endif
