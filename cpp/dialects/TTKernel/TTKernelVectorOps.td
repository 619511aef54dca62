//===- The vector engine in the 'ttkernel' dialect -----------------------===//
//
// Every op works on tiles in destination registers, and comes behind an
// `_init` op of its own.

#ifndef TTMLIR_TTKERNEL_VECTOR_OPS_TD
#define TTMLIR_TTKERNEL_VECTOR_OPS_TD

include "dialects/Eltwise.td"
include "dialects/TTKernel/TTKernelKernelOp.td"

def TTKernel_InitSFPUOp : TTKernel_ComputeOp<"init_sfpu",
    "The vector engine", [{Sets up the unpacker for tiles of `in_cb`, the packer for
    tiles of `out_cb`, and the vector engine.}],
    [KTiles<"in_cb">, KTiles<"out_cb", "cb_out0">]>;

/// The `_init` op of a function.
class TTKernel_VectorInitOp<string mnemonic>
    : TTKernel_ComputeOp<mnemonic # "_init",
    "The vector engine for `ttkernel." # mnemonic # "`",
    "Sets up the vector engine for `ttkernel." # mnemonic # "`.">;

/// The ops of a function. Those of functions whose operands differ from the
/// others are below.
multiclass TTKernel_VectorOps<VectorFunction f> {
  defvar tile = f.instruction # "_tile";
  defvar scalars = !if(!empty(f.scalars), "", " " # !interleave(
      !foreach(name, f.scalars, "`" # name # "`"), " and ") #
      " are the bits of f32 numbers.");

  def "TTKernel_" # f.instructionClass # "TileInitOp" : TTKernel_VectorInitOp<tile>;

  if !not(!or(!eq(f.instruction, "max"), !eq(f.instruction, "typecast"),
              !eq(f.instruction, "where"))) then {
    def "TTKernel_" # f.instructionClass # "TileOp" : TTKernel_ComputeOp<tile,
        "The " # f.noun # !if(!eq(f.arity, 1), " of a tile",
                              " of two tiles in destination registers"),
        !if(!eq(f.arity, 1),
            "Replaces every element x of destination register `dst_index` by\n    ",
            "With x and y the elements of destination registers `in0_dst_index` and\n"
            "    `in1_dst_index`, every element of `dst_index` becomes\n    ")
            # f.meaning # "." # scalars,
        !listconcat(
            !if(!eq(f.arity, 1), [],
                [KDst<"in0_dst_index">, KDst<"in1_dst_index">]<TTKernel_Arg>),
            [KDst<>]<TTKernel_Arg>,
            !foreach(name, f.scalars, KInt<name>))>;
  }
}

foreach row = EltwiseRows in
  defm "" : TTKernel_VectorOps<row>;
foreach row = KernelRows in
  defm "" : TTKernel_VectorOps<row>;

def TTKernel_TypecastTileOp : TTKernel_ComputeOp<"typecast_tile",
    "The change of the number format of a tile", [{Replaces every element x of
    destination register `dst_index` by x, as a number of format `in_dtype`, in
    the format `out_dtype`. Both are numbers of the enumeration `DataType`.}],
    [KDst<>, KDataType<"in_dtype", "0">, KDataType<"out_dtype", "12">]>;

def TTKernel_FillTileIntOp : TTKernel_ComputeOp<"fill_tile_int",
    "One integer everywhere in a tile", [{Sets every element of destination
    register `dst_index` to the integer `value`; behind `ttkernel.fill_tile_init`.}],
    [KDst<>, KInt<"value">]>;

def TTKernel_MaxTileOp : TTKernel_ComputeOp<"max_tile",
    "The maximum of two tiles into the first", [{Every element of destination
    register `dst_index` becomes the greater of itself and that of
    `in1_dst_index`.}],
    [KDst<>, KDst<"in1_dst_index">]>;

def TTKernel_WhereTileOp : TTKernel_ComputeOp<"where_tile",
    "A choice of two tiles", [{Every element of destination register `dst_index`
    becomes that of `true_dst_index` where that of `cond_dst_index` is not 0, and
    that of `false_dst_index` elsewhere.}],
    [KDst<"cond_dst_index">, KDst<"true_dst_index">, KDst<"false_dst_index">,
     KDst<>]>;

#endif
