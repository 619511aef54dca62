//===- The matrix engine in the 'ttkernel' dialect -----------------------===//

#ifndef TTMLIR_TTKERNEL_COMPUTE_OPS_TD
#define TTMLIR_TTKERNEL_COMPUTE_OPS_TD

include "dialects/TTKernel/TTKernelKernelOp.td"

defvar TwoBuffers = [KTiles<"in0_cb">, KTiles<"in1_cb", "cb_in1">]<TTKernel_Arg>;
defvar OutBuffer = [KTiles<"out_cb", "cb_out0">]<TTKernel_Arg>;
defvar TwoTiles = !listconcat(TwoBuffers,
    [KInt<"in0_tile_index">, KInt<"in1_tile_index">, KDst<>]<TTKernel_Arg>);

//===----------------------------------------------------------------------===//
// Source registers
//===----------------------------------------------------------------------===//

def TTKernel_AddOp : TTKernel_ComputeOp<"add",
    "The sum of both source registers",
    "Adds the source registers into destination register `dst_index`.",
    [KDst<>]>;

def TTKernel_SubOp : TTKernel_ComputeOp<"sub",
    "The difference of both source registers", [{Subtracts the second source
    register from the first into destination register `dst_index`.}],
    [KDst<>]>;

def TTKernel_MulOp : TTKernel_ComputeOp<"mul",
    "The product, element by element, of both source registers", [{Multiplies the
    source registers element by element into destination register `dst_index`.}],
    [KDst<>]>;

def TTKernel_MatmulOp : TTKernel_ComputeOp<"matmul",
    "The matrix product of both source registers", [{Multiplies the source
    registers as matrices and adds the product to destination register
    `dst_index`.}],
    [KDst<>]>;

//===----------------------------------------------------------------------===//
// The engines for a kernel
//===----------------------------------------------------------------------===//

def TTKernel_ComputeKernelHWStartupOp
    : TTKernel_ComputeOp<"compute_kernel_hw_startup",
    "The engines for the whole kernel", [{Sets the unpacker up for the formats of
    `in0_cb` and `in1_cb`, and the packer for that of `out_cb`, once in a kernel
    and before all other ops on tiles.}],
    !listconcat(TwoBuffers, OutBuffer)>;

def TTKernel_BinaryOpInitCommonOp : TTKernel_ComputeOp<"binary_op_init_common",
    "The buffers of an op on two tiles", [{Sets up the unpacker, the math engine
    and the packer for ops that read tiles of `in0_cb` and `in1_cb` and write tiles
    of `out_cb`. It comes before the `_init` op of what is computed.}],
    !listconcat(TwoBuffers, OutBuffer)>;

def TTKernel_UnaryOpInitCommonOp : TTKernel_ComputeOp<"unary_op_init_common",
    "The buffers of an op on one tile", [{Sets up the unpacker, the math engine
    and the packer for ops that read tiles of `in_cb` and write tiles of `out_cb`.
    It comes before the `_init` op of what is computed.}],
    !listconcat([KTiles<"in_cb">]<TTKernel_Arg>, OutBuffer)>;

//===----------------------------------------------------------------------===//
// Element by element
//===----------------------------------------------------------------------===//

/// The ops of one arithmetic operation on tiles of buffers.
class TileArithmetic<string opName, string opWord, string opNoun,
                     string opMeaning> {
  string name = opName;
  string mnemonic = opWord;
  string noun = opNoun;
  string meaning = opMeaning # ". A register that was written since\n"
      "    `ttkernel.tile_regs_acquire` gets the sum of what it holds and of the result";
}

foreach row = [
  TileArithmetic<"Add", "add", "sum",
      "Adds tile `in0_tile_index` of `in0_cb` and tile `in1_tile_index` of\n"
      "    `in1_cb` into destination register `dst_index`">,
  TileArithmetic<"Sub", "sub", "difference",
      "Subtracts tile `in1_tile_index` of `in1_cb` from tile `in0_tile_index` of\n"
      "    `in0_cb` into destination register `dst_index`">,
  TileArithmetic<"Mul", "mul", "product, element by element,",
      "Multiplies tile `in0_tile_index` of `in0_cb` and tile `in1_tile_index` of\n"
      "    `in1_cb` element by element into destination register `dst_index`">
] in {
  def "TTKernel_" # row.name # "TilesInitOp"
      : TTKernel_ComputeOp<row.mnemonic # "_tiles_init",
      "The engines for `ttkernel." # row.mnemonic # "_tiles`",
      "Sets up the math engine for the " # row.noun # " of tiles of two buffers.",
      TwoBuffers>;

  def "TTKernel_" # row.name # "TilesOp"
      : TTKernel_ComputeOp<row.mnemonic # "_tiles",
      "The " # row.noun # " of two tiles", row.meaning # ".", TwoTiles>;

  def "TTKernel_" # row.name # "TilesBcastOp"
      : TTKernel_ComputeOp<row.mnemonic # "_tiles_bcast",
      "The " # row.noun # " of a tile and a row, column or scalar",
      row.meaning # ".\n    `broadcast_type` says what of the second tile stands "
          "for all of it.",
      !listconcat(TwoTiles, [KBroadcast<>]<TTKernel_Arg>)>;
}

def TTKernel_InitBcastOp : TTKernel_ComputeOp<"init_bcast",
    "The engines for an op with a row, column or scalar", [{Sets up the engines
    for `ttkernel.add_tiles_bcast`, `ttkernel.sub_tiles_bcast` or
    `ttkernel.mul_tiles_bcast`, as `binary_type` says.}],
    !listconcat(TwoBuffers, OutBuffer, [KEltwise<>, KBroadcast<>]<TTKernel_Arg>)>;

def TTKernel_UnaryBcastInitOp : TTKernel_ComputeOp<"unary_bcast_init",
    "The engines for `ttkernel.unary_bcast`",
    "Sets up the engines to fill tiles with a row, a column or a scalar.",
    !listconcat([KTiles<"in_cb">]<TTKernel_Arg>, OutBuffer, [KBroadcast<>]<TTKernel_Arg>)>;

def TTKernel_UnaryBcastOp : TTKernel_ComputeOp<"unary_bcast",
    "A tile filled with a row, a column or a scalar of one", [{Copies tile
    `tile_index` of `in_cb` to destination register `dst_index`, with the row,
    column or element that `broadcast_type` says for all of it.}],
    [KTiles<"in_cb">, KInt<"tile_index">, KDst<>, KBroadcast<>]>;

def TTKernel_BinaryDestReuseTilesInitOp
    : TTKernel_ComputeOp<"binary_dest_reuse_tiles_init",
    "The engines for `ttkernel.binary_dest_reuse_tiles`", [{Sets up the engines
    for an op whose one operand is in a destination register.}],
    [KTiles<"in_cb">, KEltwise<>, KOptional<"dst_is_second">]>;

def TTKernel_BinaryDestReuseTilesOp
    : TTKernel_ComputeOp<"binary_dest_reuse_tiles",
    "An op on a destination register and a tile", [{Computes `binary_type` of the
    tile in destination register `dst_index` and tile `tile_index` of `in_cb`,
    into that destination register. The register is the first operand, with
    `dst_is_second` the second.}],
    [KTiles<"in_cb">, KInt<"tile_index">, KDst<>, KEltwise<>,
     KOptional<"dst_is_second">]>;

//===----------------------------------------------------------------------===//
// Matrix products
//===----------------------------------------------------------------------===//

defvar MatmulBlock = [KInt<"transpose">, KInt<"ct_dim">, KInt<"rt_dim">,
                      KInt<"kt_dim">]<TTKernel_Arg>;

def TTKernel_MatmulInitOp : TTKernel_ComputeOp<"mm_init",
    "The engines for `ttkernel.matmul_tiles`", [{Sets up the engines for products
    of tiles of `in0_cb` and `in1_cb` to `out_cb`. If `transpose` is not 0, tiles of
    `in1_cb` are transposed.}],
    !listconcat(TwoBuffers, OutBuffer, [KInt<"transpose">]<TTKernel_Arg>)>;

def TTKernel_MatmulInitShortOp : TTKernel_ComputeOp<"mm_init_short",
    "The engines for `ttkernel.matmul_tiles` again", [{Sets up what another init
    op has changed since `ttkernel.mm_init`; the packer stays as it is.}],
    !listconcat(TwoBuffers, [KInt<"transpose">]<TTKernel_Arg>)>;

def TTKernel_MatmulTilesOp : TTKernel_ComputeOp<"matmul_tiles",
    "The matrix product of two tiles", [{Multiplies tile `in0_tile_index` of
    `in0_cb` by tile `in1_tile_index` of `in1_cb` as matrices, and adds the product
    to destination register `dst_index`.}], TwoTiles>;

def TTKernel_MatmulBlockInitOp : TTKernel_ComputeOp<"mm_block_init",
    "The engines for `ttkernel.matmul_block`", [{Sets up the engines for products
    of blocks of `rt_dim` by `kt_dim` tiles of `in0_cb` and `kt_dim` by `ct_dim`
    tiles of `in1_cb` to `out_cb`. If `transpose` is not 0, tiles of `in1_cb` are
    transposed.}],
    !listconcat(TwoBuffers, OutBuffer, MatmulBlock)>;

def TTKernel_MatmulBlockInitShortOp : TTKernel_ComputeOp<"mm_block_init_short",
    "The engines for `ttkernel.matmul_block` again", [{Sets up what another init
    op has changed since `ttkernel.mm_block_init`; the packer stays as it is.}],
    !listconcat(TwoBuffers, MatmulBlock)>;

def TTKernel_MatmulBlockOp : TTKernel_ComputeOp<"matmul_block",
    "The matrix product of a column and a row of tiles", [{Multiplies `rt_dim`
    tiles of `in0_cb`, `kt_dim` apart from tile `in0_tile_index` on, by `ct_dim`
    tiles of `in1_cb` that lie together from tile `in1_tile_index` on, and adds
    the products to `rt_dim` times `ct_dim` destination registers, row-major, from
    `dst_index` on.}],
    !listconcat(TwoTiles, MatmulBlock)>;

//===----------------------------------------------------------------------===//
// Reductions and transposition
//===----------------------------------------------------------------------===//

defvar ReduceBuffers = [KTiles<"in_cb">, KTiles<"scaler_cb", "cb_in1">]<TTKernel_Arg>;

def TTKernel_ReduceInitOp : TTKernel_ComputeOp<"reduce_init",
    "The engines for `ttkernel.reduce_tile`",
    "Sets up the engines for reductions of tiles of `in_cb` to `out_cb`.",
    !listconcat(ReduceBuffers, OutBuffer, [KPool<>, KReduceDim<>]<TTKernel_Arg>)>;

def TTKernel_ReduceUninitOp : TTKernel_ComputeOp<"reduce_uninit",
    "The engines without `ttkernel.reduce_init`",
    "Undoes what `ttkernel.reduce_init` set up.">;

def TTKernel_ReduceTileOp : TTKernel_ComputeOp<"reduce_tile",
    "A tile reduced to a row, a column or a scalar", [{Reduces tile `tile_index`
    of `in_cb`, times the scaler tile `scaler_tile_index` of `scaler_cb`, along
    `reduce_dim`, and combines the result with destination register `dst_index`.}],
    !listconcat(ReduceBuffers,
        [KInt<"tile_index">, KInt<"scaler_tile_index">, KDst<>, KPool<>,
         KReduceDim<>]<TTKernel_Arg>)>;

def TTKernel_TransposeInitOp : TTKernel_ComputeOp<"transpose_wh_init",
    "The engines for `ttkernel.transpose_wh_tile`",
    "Sets up the engines to transpose tiles of `in_cb` to `out_cb`.",
    !listconcat([KTiles<"in_cb">]<TTKernel_Arg>, OutBuffer)>;

def TTKernel_TransposeTileOp : TTKernel_ComputeOp<"transpose_wh_tile",
    "A transposed tile", [{Copies tile `tile_index` of `in_cb`, rows as columns, to
    destination register `dst_index`.}],
    [KTiles<"in_cb">, KInt<"tile_index">, KDst<>]>;

//===----------------------------------------------------------------------===//
// Rows of scalars and tiles
//===----------------------------------------------------------------------===//

/// An op from the scalars of one buffer to the tiles of another, or back
/// (`isBack`).
class TTKernel_TilizeOp<string mnemonic, bit isBack, string summary,
                        string semantics, list<TTKernel_Arg> between = []>
    : TTKernel_ComputeOp<mnemonic, summary, semantics, !listconcat(
        !if(isBack, [KTiles<"cbIn">]<TTKernel_Arg>,
            [KScalars<"cbIn">]<TTKernel_Arg>), between,
        !if(isBack, [KScalars<"cbOut", "cb_out0">]<TTKernel_Arg>,
            [KTiles<"cbOut", "cb_out0">]<TTKernel_Arg>))> {
  let moreConstraints = ["the buffers have different ports."];
  let verifyMore = [{
    return ::mlir::tt::ttkernel::verifyPorts(*this, getCbIn().getType(),
                                             getCbOut().getType());
  }];
}

def TTKernel_TilizeInitOp : TTKernel_TilizeOp<"tilize_init", 0,
    "The engines for `ttkernel.tilize_block`",
    "Sets up the unpacker and the packer to make `numTiles` tiles at a time.",
    [KInt<"numTiles">]>;

def TTKernel_TilizeBlockOp : TTKernel_TilizeOp<"tilize_block", 0,
    "Rows of scalars as tiles",
    "Writes the scalars of `cbIn` to `cbOut` as a row of `numTiles` tiles.",
    [KInt<"numTiles">]>;

def TTKernel_TilizeUninitOp : TTKernel_TilizeOp<"tilize_uninit", 0,
    "The engines without `ttkernel.tilize_init`",
    "Undoes what `ttkernel.tilize_init` set up.">;

def TTKernel_UntilizeInitOp : TTKernel_TilizeOp<"untilize_init", 1,
    "The engines for `ttkernel.untilize_block`",
    "Sets up the unpacker and the packer to write tiles as rows.">;

def TTKernel_UntilizeBlockOp : TTKernel_TilizeOp<"untilize_block", 1,
    "Tiles as rows of scalars",
    "Writes a row of `numTiles` tiles of `cbIn` to `cbOut` as scalars.",
    [KInt<"numTiles">]>;

def TTKernel_UntilizeUninitOp : TTKernel_ComputeOp<"untilize_uninit",
    "The engines without `ttkernel.untilize_init`",
    "Undoes what `ttkernel.untilize_init` set up.", [KTiles<"cbIn">]>;

#endif
