//===- Instructions of the matrix engine ---------------------------------===//

#ifndef TTMLIR_TTKERNEL_TILE_INSTRUCTIONS_TD
#define TTMLIR_TTKERNEL_TILE_INSTRUCTIONS_TD

include "dialects/TTKernel/InstructionBase.td"

defvar TwoBuffers = [KTiles<"in0_cb">, KTiles<"in1_cb", "cb_in1">]<KernelArg>;
defvar OutBuffer = [KTiles<"out_cb", "cb_out0">]<KernelArg>;
defvar TwoTiles = !listconcat(TwoBuffers,
    [KInt<"in0_tile_index">, KInt<"in1_tile_index">, KDst<>]<KernelArg>);

//===----------------------------------------------------------------------===//
// Source registers
//===----------------------------------------------------------------------===//

let group = "binary" in {

def Kernel_Add : ComputeInstruction<91, "add",
    "The sum of both source registers",
    "Adds the source registers into destination register `dst_index`.",
    [KDst<>]>,
      Math<["eltwise"]>;

def Kernel_Sub : ComputeInstruction<92, "sub",
    "The difference of both source registers", [{Subtracts the second source
    register from the first into destination register `dst_index`.}],
    [KDst<>]>,
      Math<["eltwise"]>;

def Kernel_Mul : ComputeInstruction<93, "mul",
    "The product, element by element, of both source registers",
    [{Multiplies the
    source registers element by element into destination register `dst_index`.}],
    [KDst<>]>,
      Math<["multiply"]>;

let group = "matmul" in
def Kernel_Matmul : ComputeInstruction<94, "matmul",
    "The matrix product of both source registers", [{Multiplies the source
    registers as matrices and adds the product to destination register
    `dst_index`.}],
    [KDst<>]>,
      Math<["product"]>;

} // group

//===----------------------------------------------------------------------===//
// The engines for a kernel
//===----------------------------------------------------------------------===//

let group = "binary" in {

def Kernel_ComputeKernelHWStartup
    : ComputeInstruction<106, "compute_kernel_hw_startup",
    "Setup for the whole kernel", [{Sets up the unpacker for the formats of
    `in0_cb` and `in1_cb`, and the packer for that of `out_cb`, once in a kernel
    and before all other ops on tiles.}],
    !listconcat(TwoBuffers, OutBuffer)>,
      Resets<"abo">;

def Kernel_BinaryOpInitCommon : ComputeInstruction<107, "binary_op_init_common",
    "The buffers of an op on two tiles", [{Sets up the unpacker, the math engine
    and the packer for ops that read tiles of `in0_cb` and `in1_cb` and write tiles
    of `out_cb`. Call it before the `_init` op of the computation.}],
    !listconcat(TwoBuffers, OutBuffer)>,
      Resets<"abo">;

def Kernel_UnaryOpInitCommon : ComputeInstruction<108, "unary_op_init_common",
    "The buffers of an op on one tile", [{Sets up the unpacker, the math engine
    and the packer for ops that read tiles of `in_cb` and write tiles of `out_cb`.
    Call it before the `_init` op of the computation.}],
    !listconcat([KTiles<"in_cb">]<KernelArg>, OutBuffer)>,
      SetsUp<"so", "copy_tile">;

} // group

//===----------------------------------------------------------------------===//
// Element by element
//===----------------------------------------------------------------------===//

let group = "binary" in {

/// The instructions of one arithmetic operation on tiles of buffers, with
/// their opcodes: that of the init, of the op, and of the op with a broadcast.
multiclass TileArithmetic<string record, string word, int init, int plain,
                          int bcast, string noun, string meaning,
                          list<string> cost> {
  defvar sum = meaning # ". A register that was written since\n"
      "    `ttkernel.tile_regs_acquire` accumulates the result";

  def "Kernel_" # record # "TilesInit"
      : ComputeInstruction<init, word # "_tiles_init",
      "Setup for `ttkernel." # word # "_tiles`",
      "Sets up the math engine for the " # noun # " of tiles of two buffers.",
      TwoBuffers>,
        SetsUp<"--", word # "_tiles">;

  def "Kernel_" # record # "Tiles"
      : ComputeInstruction<plain, word # "_tiles",
      "The " # noun # " of two tiles", sum # ".", TwoTiles>,
        Math<cost>, Needs<"ab---", word # "_tiles_init">;

  def "Kernel_" # record # "TilesBcast"
      : ComputeInstruction<bcast, word # "_tiles_bcast",
      "The " # noun # " of a tile and a row, column or scalar",
      sum # ".\n    `broadcast_type` selects the part of the second tile "
          "to broadcast.",
      !listconcat(TwoTiles, [KBroadcast<>]<KernelArg>)>,
        Math<cost>, Needs<"ab---h", "init_bcast">;
}

defm "" : TileArithmetic<"Add", "add", 109, 112, 116, "sum",
    "Adds tile `in0_tile_index` of `in0_cb` and tile `in1_tile_index` of\n"
    "    `in1_cb` into destination register `dst_index`",
    ["unpack", "eltwise"]>;
defm "" : TileArithmetic<"Sub", "sub", 110, 113, 117, "difference",
    "Subtracts tile `in1_tile_index` of `in1_cb` from tile `in0_tile_index` of\n"
    "    `in0_cb` into destination register `dst_index`",
    ["unpack", "eltwise"]>;
defm "" : TileArithmetic<"Mul", "mul", 111, 114, 118,
    "product, element by element,",
    "Multiplies tile `in0_tile_index` of `in0_cb` and tile `in1_tile_index` of\n"
    "    `in1_cb` element by element into destination register `dst_index`",
    ["unpack", "multiply"]>;

/// For sums, differences and products, as `binary_type` says.
def Kernel_InitBcast : ComputeInstruction<115, "init_bcast",
    "Setup for an op with a row, column or scalar", [{Sets up the engines
    for `ttkernel.add_tiles_bcast`, `ttkernel.sub_tiles_bcast` or
    `ttkernel.mul_tiles_bcast`, as `binary_type` says.}],
    !listconcat(TwoBuffers, OutBuffer, [KEltwise<>, KBroadcast<>]<KernelArg>)>,
      SetsUp<"abo-h", "add_tiles_bcast">;

def Kernel_UnaryBcastInit : ComputeInstruction<119, "unary_bcast_init",
    "Setup for `ttkernel.unary_bcast`",
    "Sets up the engines to fill tiles with a row, a column or a scalar.",
    !listconcat([KTiles<"in_cb">]<KernelArg>, OutBuffer, [KBroadcast<>]<KernelArg>)>,
      SetsUp<"soh", "unary_bcast">;

def Kernel_UnaryBcast : ComputeInstruction<120, "unary_bcast",
    "A tile filled with one of its rows, columns or scalars", [{Copies tile
    `tile_index` of `in_cb` to destination register `dst_index`, broadcasting
    the row, column or element that `broadcast_type` selects.}],
    [KTiles<"in_cb">, KInt<"tile_index">, KDst<>, KBroadcast<>]>,
      Math<["unpack", "eltwise"]>, Needs<"b--h", "unary_bcast_init">;

def Kernel_BinaryDestReuseTilesInit
    : ComputeInstruction<121, "binary_dest_reuse_tiles_init",
    "Setup for `ttkernel.binary_dest_reuse_tiles`", [{Sets up the engines
    for an op with one operand in a destination register.}],
    [KTiles<"in_cb">, KEltwise<>, KReuse<"dst_is_second">]>,
      SetsUp<"-hh", "binary_dest_reuse_tiles">;

def Kernel_BinaryDestReuseTiles
    : ComputeInstruction<122, "binary_dest_reuse_tiles",
    "An op on a destination register and a tile",
    [{Computes `binary_type` of the
    tile in destination register `dst_index` and tile `tile_index` of `in_cb`,
    into that destination register. The register is the first operand, with
    `dst_is_second` the second.}],
    [KTiles<"in_cb">, KInt<"tile_index">, KDst<>, KEltwise<>,
     KReuse<"dst_is_second">]>,
      Math<["unpack", "eltwise"]>,
      Needs<"r--hh", "binary_dest_reuse_tiles_init">;

} // group

//===----------------------------------------------------------------------===//
// Matrix products
//===----------------------------------------------------------------------===//

let group = "matmul" in {

defvar MatmulBlock = [KInt<"transpose">, KInt<"ct_dim">, KInt<"rt_dim">,
                      KInt<"kt_dim">]<KernelArg>;

def Kernel_MatmulInit : ComputeInstruction<123, "mm_init",
    "Setup for `ttkernel.matmul_tiles`", [{Sets up the engines for products
    of tiles of `in0_cb` and `in1_cb` to `out_cb`. If `transpose` is not 0, tiles of
    `in1_cb` are transposed.}],
    !listconcat(TwoBuffers, OutBuffer, [KInt<"transpose">]<KernelArg>)>,
      SetsUp<"bao-", "matmul_tiles"> {
  let hasFunction = 1;
}

def Kernel_MatmulInitShort : ComputeInstruction<124, "mm_init_short",
    "Setup for `ttkernel.matmul_tiles`, short form", [{Restores the setup of
    `ttkernel.mm_init` after another init op; the packer does not change.}],
    !listconcat(TwoBuffers, [KInt<"transpose">]<KernelArg>)>,
      SetsUp<"---", "matmul_tiles"> {
  let hasFunction = 1;
}

def Kernel_MatmulTiles : ComputeInstruction<125, "matmul_tiles",
    "The matrix product of two tiles", [{Multiplies tile `in0_tile_index` of
    `in0_cb` by tile `in1_tile_index` of `in1_cb` as matrices, and adds the product
    to destination register `dst_index`.}], TwoTiles>,
      Math<["unpack", "product"]>, Needs<"ba---", "mm_init">;

def Kernel_MatmulBlockInit : ComputeInstruction<126, "mm_block_init",
    "Setup for `ttkernel.matmul_block`", [{Sets up the engines for products
    of blocks of `rt_dim` by `kt_dim` tiles of `in0_cb` and `kt_dim` by `ct_dim`
    tiles of `in1_cb` to `out_cb`. If `transpose` is not 0, tiles of `in1_cb` are
    transposed.}],
    !listconcat(TwoBuffers, OutBuffer, MatmulBlock)>,
      SetsUp<"baohhh-", "matmul_block">;

def Kernel_MatmulBlockInitShort : ComputeInstruction<127, "mm_block_init_short",
    "Setup for `ttkernel.matmul_block`, short form", [{Restores the setup of
    `ttkernel.mm_block_init` after another init op; the packer does not
    change.}],
    !listconcat(TwoBuffers, MatmulBlock)>,
      SetsUp<"--hhh-", "matmul_block">;

def Kernel_MatmulBlock : ComputeInstruction<128, "matmul_block",
    "The matrix product of a column and a row of tiles", [{Multiplies `rt_dim`
    tiles of `in0_cb`, `kt_dim` apart starting at tile `in0_tile_index`, by
    `ct_dim` consecutive tiles of `in1_cb` starting at tile `in1_tile_index`,
    and adds the products to `rt_dim` times `ct_dim` destination registers,
    row-major, starting at `dst_index`.}],
    !listconcat(TwoTiles, MatmulBlock)>,
      Math<["unpack", "product"]>, Needs<"ba---hhh-", "mm_block_init">;

} // group

//===----------------------------------------------------------------------===//
// Reductions and transposition
//===----------------------------------------------------------------------===//

let group = "reduce" in {

defvar ReduceBuffers = [KTiles<"in_cb">, KTiles<"scaler_cb", "cb_in1">]<KernelArg>;

def Kernel_ReduceInit : ComputeInstruction<129, "reduce_init",
    "Setup for `ttkernel.reduce_tile`",
    "Sets up the engines for reductions of tiles of `in_cb` to `out_cb`.",
    !listconcat(ReduceBuffers, OutBuffer, [KPool<>, KReduceDim<>]<KernelArg>)>,
      SetsUp<"abohh", "reduce_tile">;

def Kernel_ReduceUninit : ComputeInstruction<130, "reduce_uninit",
    "Undo of `ttkernel.reduce_init`",
    "Undoes `ttkernel.reduce_init`.">,
      Undoes<"", "reduce_init">;

def Kernel_ReduceTile : ComputeInstruction<131, "reduce_tile",
    "A tile reduced to a row, a column or a scalar", [{Reduces tile `tile_index`
    of `in_cb`, times the scaler tile `scaler_tile_index` of `scaler_cb`, along
    `reduce_dim`, and combines the result with destination register `dst_index`.}],
    !listconcat(ReduceBuffers,
        [KInt<"tile_index">, KInt<"scaler_tile_index">, KDst<>, KPool<>,
         KReduceDim<>]<KernelArg>)>,
      Math<["unpack", "reduce"]>, Needs<"ab---hh", "reduce_init">;

def Kernel_TransposeInit : ComputeInstruction<132, "transpose_wh_init",
    "Setup for `ttkernel.transpose_wh_tile`",
    "Sets up the engines to transpose tiles of `in_cb` to `out_cb`.",
    !listconcat([KTiles<"in_cb">]<KernelArg>, OutBuffer)>,
      SetsUp<"so", "transpose_wh_tile">;

def Kernel_TransposeTile : ComputeInstruction<133, "transpose_wh_tile",
    "A transposed tile", [{Copies tile `tile_index` of `in_cb`, transposed, to
    destination register `dst_index`.}],
    [KTiles<"in_cb">, KInt<"tile_index">, KDst<>]>,
      Math<["unpack", "eltwise"]>, Needs<"a--", "transpose_wh_init">;

} // group

//===----------------------------------------------------------------------===//
// Rows of scalars and tiles
//===----------------------------------------------------------------------===//

let group = "tilize" in {

/// An op from the scalars of one buffer to the tiles of another, or back
/// (`isBack`).
class TilizeInstruction<int number, string mnemonic, bit isBack, string summary,
                        string semantics, list<KernelArg> between = []>
    : ComputeInstruction<number, mnemonic, summary, semantics, !listconcat(
        !if(isBack, [KTiles<"cbIn">]<KernelArg>,
            [KScalars<"cbIn">]<KernelArg>), between,
        !if(isBack, [KScalars<"cbOut", "cb_out0">]<KernelArg>,
            [KTiles<"cbOut", "cb_out0">]<KernelArg>))> {
  let moreConstraints = ["the buffers have different ports."];
  let verifyMore = [{
    return ::mlir::tt::ttkernel::verifyPorts(*this, getCbIn().getType(),
                                             getCbOut().getType());
  }];
}

def Kernel_TilizeInit : TilizeInstruction<134, "tilize_init", 0,
    "Setup for `ttkernel.tilize_block`",
    "Sets up the unpacker and the packer to make `numTiles` tiles at a time.",
    [KInt<"numTiles">]>,
      SetsUp<"s-o", "tilize_block">;

def Kernel_TilizeBlock : TilizeInstruction<135, "tilize_block", 0,
    "Conversion of rows to tiles",
    "Writes the scalars of `cbIn` to `cbOut` as a row of `numTiles` tiles.",
    [KInt<"numTiles">]>,
      Block<["tilize"]>, Needs<"a-o", "tilize_init">;

def Kernel_TilizeUninit : TilizeInstruction<136, "tilize_uninit", 0,
    "Undo of `ttkernel.tilize_init`",
    "Undoes `ttkernel.tilize_init`.">,
      Undoes<"--", "tilize_init">;

def Kernel_UntilizeInit : TilizeInstruction<137, "untilize_init", 1,
    "Setup for `ttkernel.untilize_block`",
    "Sets up the unpacker and the packer to write tiles as rows.">,
      SetsUp<"so", "untilize_block">;

def Kernel_UntilizeBlock : TilizeInstruction<138, "untilize_block", 1,
    "Conversion of tiles to rows",
    "Writes a row of `numTiles` tiles of `cbIn` to `cbOut` as scalars.",
    [KInt<"numTiles">]>,
      Block<["untilize"]>, Needs<"a-o", "untilize_init">;

def Kernel_UntilizeUninit : ComputeInstruction<139, "untilize_uninit",
    "Undo of `ttkernel.untilize_init`",
    "Undoes `ttkernel.untilize_init`.", [KTiles<"cbIn">]>,
      Undoes<"-", "untilize_init">;

//===----------------------------------------------------------------------===//
// Rows written by the packer
//===----------------------------------------------------------------------===//

/// The width of a block in tiles, and that of the rows that contain it.
defvar BlockColumns = [KNumber<"block_ct_dim", "2">, KNumber<"full_ct_dim", "4">]<KernelArg>;

def Kernel_PackUntilizeInit
    : ComputeInstruction<349, "pack_untilize_init",
    "Setup for `ttkernel.pack_untilize_block`", [{Sets up the engines to write
    `block_ct_dim` tiles at a time as parts of rows of `full_ct_dim` tiles.}],
    !listconcat([KTiles<"cbIn">, KScalars<"cbOut", "cb_out0">]<KernelArg>,
                BlockColumns)>,
      SetsUp<"sohh", "pack_untilize_block">;

def Kernel_PackUntilizeBlock
    : ComputeInstruction<350, "pack_untilize_block",
    "Conversion of tiles to rows by the packer", [{Writes `block_rt_dim` rows of
    `block_ct_dim` tiles of `cbIn` to `cbOut` as scalars. Rows of `cbOut` are
    `full_ct_dim` tiles wide; the block starts at tile `block_c_index` times
    `block_ct_dim` of each row.}],
    !listconcat([KTiles<"cbIn">, KInt<"block_rt_dim">,
                 KScalars<"cbOut", "cb_out0">, KInt<"block_c_index", "0">]<KernelArg>,
                BlockColumns)>,
      Block<["pack_untilize"]>, Needs<"a-o-hh", "pack_untilize_init">;

def Kernel_PackUntilizeUninit
    : ComputeInstruction<351, "pack_untilize_uninit",
    "Undo of `ttkernel.pack_untilize_init`",
    "Undoes `ttkernel.pack_untilize_init` and `ttkernel.pack_untilize_dest_init`.",
    [KScalars<"cbOut", "cb_out0">]>,
      Undoes<"-", "pack_untilize_init">;

def Kernel_PackUntilizeDestInit
    : ComputeInstruction<352, "pack_untilize_dest_init",
    "Setup for `ttkernel.pack_untilize_dest`", [{Sets up the packer to write
    destination registers as rows of `full_ct_dim` tiles.}],
    !listconcat([KScalars<"cbOut", "cb_out0">]<KernelArg>, BlockColumns)>,
      Formats<"o--"> {
  let engine = "Pack";
}

def Kernel_PackUntilizeDest
    : ComputeInstruction<353, "pack_untilize_dest",
    "Conversion of destination registers to rows", [{Writes `block_rt_dim` rows
    of `block_ct_dim` tiles from consecutive destination registers to `cbOut` as
    scalars. Rows of `cbOut` are `full_ct_dim` tiles wide; the block starts at
    tile `block_c_index` times `block_ct_dim` of each row.}],
    !listconcat([KScalars<"cbOut", "cb_out0">, KInt<"block_rt_dim", "1">,
                 KInt<"block_c_index", "0">]<KernelArg>, BlockColumns)>,
      Pack<["pack_untilize_dest"]>, Needs<"o----", "">;

} // group

#endif
