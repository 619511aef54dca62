//===- Instructions of the vector engine ---------------------------------===//
//
// Every instruction works on tiles in destination registers, and comes behind
// an `_init` of its own.

#ifndef TTMLIR_TTKERNEL_VECTOR_INSTRUCTIONS_TD
#define TTMLIR_TTKERNEL_VECTOR_INSTRUCTIONS_TD

include "dialects/Eltwise.td"
include "dialects/TTKernel/InstructionBase.td"

let group = "vector" in {

def Kernel_InitSFPU : ComputeInstruction<140, "init_sfpu",
    "Setup of the vector engine", [{Sets up the unpacker for tiles of `in_cb`,
    the packer for tiles of `out_cb`, and the vector engine.}],
    [KTiles<"in_cb">, KTiles<"out_cb", "cb_out0">]>,
      SetsUp<"so", "copy_tile">;

defvar ApproximateOption = [KFlag<"approx", "false">]<KernelArg>;

/// The instructions of a function. Those of functions whose operands differ
/// from the others are below.
multiclass VectorInstructions<VectorFunction f> {
  defvar tile = f.instruction # "_tile";
  // The others have no approximate program to choose.
  defvar chooses = !eq(f.instruction, "exp");
  defvar choice = !if(chooses, " With `approx` this is the\n"
      "    approximate program, whose results differ in exact numerics alone.", "");
  defvar scalars = !if(!empty(f.scalars), "", " " # !interleave(
      !foreach(name, f.scalars, "`" # name # "`"), " and ") #
      " are the bits of f32 numbers.");

  def "Kernel_" # f.instructionClass # "TileInit"
      : ComputeInstruction<f.initOpcode, tile # "_init",
      "Setup of the vector engine for `ttkernel." # tile # "`",
      "Sets up the vector engine for `ttkernel." # tile # "`.",
      !if(chooses, ApproximateOption, []<KernelArg>)>,
        SetsUpVector;

  if !not(!or(!eq(f.instruction, "max"), !eq(f.instruction, "typecast"),
              !eq(f.instruction, "where"))) then {
    def "Kernel_" # f.instructionClass # "Tile"
        : ComputeInstruction<f.opcode, tile,
        "The " # f.noun # !if(!eq(f.arity, 1), " of a tile",
                              " of two tiles in destination registers"),
        !if(!eq(f.arity, 1),
            "Replaces every element x of destination register `dst_index` by\n    ",
            "With x and y the elements of destination registers `in0_dst_index` and\n"
            "    `in1_dst_index`, every element of `dst_index` becomes\n    ")
            # f.meaning # "." # scalars # choice,
        !listconcat(
            !if(!eq(f.arity, 1), [],
                [KDst<"in0_dst_index">, KDst<"in1_dst_index">]<KernelArg>),
            [KDst<>]<KernelArg>,
            !if(chooses, ApproximateOption, []<KernelArg>),
            !foreach(name, f.scalars, KInt<name>))>,
          Vector<f.work>, NeedsVector<tile # "_init"> {
      // The library has two functions of this name.
      let callee = !if(!eq(tile, "fill_tile"), "fill_tile_bitcast", tile);
    }
  }
}

foreach row = EltwiseRows in
  defm "" : VectorInstructions<row>;
foreach row = KernelRows in
  defm "" : VectorInstructions<row>;

def Kernel_TypecastTile : ComputeInstruction<203, "typecast_tile",
    "Conversion of a tile to another number format",
    [{Replaces every element x of
    destination register `dst_index` by x, as a number of format `in_dtype`, in
    the format `out_dtype`. Both are values of the enumeration `DataType`.}],
    [KDst<>, KDataTypeNumber<"in_dtype", "0">, KDataTypeNumber<"out_dtype", "12">]>,
      Vector<["pass"]>, NeedsVector<"typecast_tile_init">;

def Kernel_FillTileInt : ComputeInstruction<202, "fill_tile_int",
    "A tile filled with one integer", [{Sets every element of destination
    register `dst_index` to the integer `value`. It needs
    `ttkernel.fill_tile_init`.}],
    [KDst<>, KInt<"value">]>,
      Vector<["pass"]>, NeedsVector<"fill_tile_init">;

def Kernel_MaxTile : ComputeInstruction<246, "max_tile",
    "The maximum of two tiles into the first", [{Every element of destination
    register `dst_index` becomes the greater of itself and that of
    `in1_dst_index`.}],
    [KDst<>, KDst<"in1_dst_index">]>,
      Vector<["pass"]>, NeedsVector<"max_tile_init">;

def Kernel_WhereTile : ComputeInstruction<247, "where_tile",
    "A choice of two tiles", [{Every element of destination register `dst_index`
    becomes that of `true_dst_index` where that of `cond_dst_index` is not 0, and
    that of `false_dst_index` elsewhere.}],
    [KDst<"cond_dst_index">, KDst<"true_dst_index">, KDst<"false_dst_index">,
     KDst<>]>,
      Vector<["pass"]>, NeedsVector<"where_tile_init">;

} // group

#endif
