//===- Functions of the vector engine that TTIR has no ops for ------------===//
//
// Arithmetic with a scalar, comparisons with 0, integer arithmetic, random
// numbers and reductions, on tiles in destination registers.

#ifndef TTMLIR_TTKERNEL_DESTINATION_INSTRUCTIONS_TD
#define TTMLIR_TTKERNEL_DESTINATION_INSTRUCTIONS_TD

include "dialects/TTKernel/InstructionBase.td"

let group = "destination" in {

//===----------------------------------------------------------------------===//
// A tile and a scalar
//===----------------------------------------------------------------------===//

def Kernel_BinopWithScalarTileInit
    : ComputeInstruction<308, "binop_with_scalar_tile_init",
    "Setup of the vector engine for arithmetic with a scalar", [{Sets up the
    vector engine for `ttkernel.add_unary_tile` and the other functions of a tile
    and a scalar.}]>,
        SetsUpVector;

/// Arithmetic on a tile and a scalar of the kernel.
class WithNumber<int number, string mnemonic, string noun, string semantics,
                 string param>
    : ComputeInstruction<number, mnemonic, "The " # noun # " of a tile and a scalar",
    "Replaces every element x of destination register `dst_index` by\n    " #
    semantics, [KDst<>, KInt<param>]>,
      Vector<["pass"]>, NeedsVector<"binop_with_scalar_tile_init">;
class WithFloat<int number, string word, string noun, string meaning>
    : WithNumber<number, word # "_unary_tile", noun,
                 meaning # ". `param` holds p as the bits of an f32.", "param">;
class WithInteger<int number, string word, string noun, string meaning>
    : WithNumber<number, word # "_unary_tile_int32", noun,
                 meaning # ". Both are 32-bit integers, and p is `param`.", "param">;

def Kernel_AddUnaryTile : WithFloat<309, "add", "sum", "x + p">;
def Kernel_SubUnaryTile : WithFloat<310, "sub", "difference", "x - p">;
def Kernel_MulUnaryTile : WithFloat<311, "mul", "product", "x * p">;
def Kernel_DivUnaryTile : WithFloat<312, "div", "quotient",
    "x * p: to compute x / y, pass the reciprocal of y">;
def Kernel_RsubUnaryTile : WithFloat<313, "rsub", "reversed difference", "p - x">;
def Kernel_AddUnaryTileInt32 : WithInteger<314, "add", "sum", "x + p">;
def Kernel_SubUnaryTileInt32 : WithInteger<315, "sub", "difference", "x - p">;

//===----------------------------------------------------------------------===//
// Comparisons with 0
//===----------------------------------------------------------------------===//

/// 1 for true and 0 for false, as floats or as integers.
class ComparesWithZero<int number, string word, string relation, string suffix,
                       string kind>
    : ComputeInstruction<number, word # "_tile" # suffix,
    "Comparison of a tile of " # kind # " with 0: " # relation,
    "Replaces every element x of destination register `dst_index`, which has\n"
    "    " # kind # ", by 1 if x " # relation # " 0, and otherwise by 0.", [KDst<>]>,
      Vector<["pass"]>, NeedsVector<word # "_tile_init">;

multiclass ComparisonWithZero<int number, int integerNumber, string word,
                              string relation> {
  defvar name = "Kernel_" # !toupper(!substr(word, 0, 1)) # !substr(word, 1);
  def name # "TileInit" : ComputeInstruction<number, word # "_tile_init",
      "Setup of the vector engine for `ttkernel." # word # "_tile`",
      "Sets up the vector engine for `ttkernel." # word # "_tile` and\n"
      "    `ttkernel." # word # "_tile_int32`.">,
        SetsUpVector;
  def name # "Tile"
      : ComparesWithZero<!add(number, 1), word, relation, "", "floats">;
  def name # "TileInt32"
      : ComparesWithZero<integerNumber, word, relation, "_int32", "integers">;
}

defm "" : ComparisonWithZero<316, 328, "eqz", "is equal to">;
defm "" : ComparisonWithZero<318, 329, "nez", "is not equal to">;
defm "" : ComparisonWithZero<320, 330, "ltz", "is less than">;
defm "" : ComparisonWithZero<322, 331, "gtz", "is greater than">;
defm "" : ComparisonWithZero<324, 332, "lez", "is at most">;
defm "" : ComparisonWithZero<326, 333, "gez", "is at least">;

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

multiclass IntegerArithmetic<int number, string word, string noun,
                             string operation> {
  defvar name = "Kernel_" # !toupper(!substr(word, 0, 1)) # !substr(word, 1);
  def name # "IntTileInit" : ComputeInstruction<number, word # "_int_tile_init",
      "Setup of the vector engine for `ttkernel." # word # "_int_tile`",
      "Sets up the vector engine for `ttkernel." # word # "_int_tile`.">,
        SetsUpVector;
  def name # "IntTile" : ComputeInstruction<!add(number, 1), word # "_int_tile",
      "The " # noun # " of two tiles of integers",
      "Sets every element of destination register `dst_index` to x " # operation # " y,\n"
      "    where x and y are the elements of registers `in0_dst_index` and\n"
      "    `in1_dst_index`, modulo 2^32, or modulo 2^16 for a `dtype` of 16 bits.",
      [KDst<"in0_dst_index">, KDst<"in1_dst_index">, KDst<>,
       KDataFormat<"dtype", "12">]>,
        Vector<["pass"]>, NeedsVector<word # "_int_tile_init">;
}

defm "" : IntegerArithmetic<334, "add", "sum", "+">;
defm "" : IntegerArithmetic<336, "sub", "difference", "-">;
defm "" : IntegerArithmetic<338, "mul", "product", "*">;

/// The integer version of a function of floats; both share an init.
class OfIntegers<int number, string word, string noun, string meaning>
    : ComputeInstruction<number, word # "_tile_int32",
    "The " # noun # " of a tile of integers",
    "Replaces every element x of destination register `dst_index`, which has\n"
    "    integers, by " # meaning # ".", [KDst<>]>,
      Vector<["pass"]>, NeedsVector<word # "_tile_init">;

def Kernel_AbsTileInt32
    : OfIntegers<340, "abs", "magnitude", "its magnitude">;
def Kernel_NegativeTileInt32
    : OfIntegers<341, "negative", "negation", "-x">;
def Kernel_ReluTileInt32
    : OfIntegers<342, "relu", "rectified linear unit", "x, or 0 if x is negative">;

//===----------------------------------------------------------------------===//
// Copies, random numbers and reductions
//===----------------------------------------------------------------------===//

def Kernel_CopyDestValuesInit
    : ComputeInstruction<343, "copy_dest_values_init",
    "Setup of the vector engine for `ttkernel.copy_dest_values`",
    "Sets up the vector engine for `ttkernel.copy_dest_values`.">,
        SetsUpVector;

def Kernel_CopyDestValues : ComputeInstruction<344, "copy_dest_values",
    "A copy of a destination register", [{Copies the tile of destination register
    `in_dst_index` to `dst_index`.}],
    [KDst<"in_dst_index">, KDst<>, KDataFormat<"dtype", "0">]>,
      Vector<["pass"]>, NeedsVector<"copy_dest_values_init">;

def Kernel_RandTileInit : ComputeInstruction<345, "rand_tile_init",
    "Seed of `ttkernel.rand_tile`", [{Sets up the vector engine for
    `ttkernel.rand_tile`, and seeds its random numbers with `seed`.}],
    [KInt<"seed">]>,
      SetsUpVector {
  let hasFunction = 1;
}

def Kernel_RandTile : ComputeInstruction<346, "rand_tile",
    "A tile of random numbers", [{Sets every element of destination register
    `dst_index` to `from` plus a random number of at least 0 and below `scale`.
    `from` and `scale` are the bits of f32 numbers. Cores with the same seed
    generate the same numbers.}],
    [KDst<>, KInt<"from">, KInt<"scale">]>,
      Vector<["pass", "pass"]>, NeedsVector<"rand_tile_init">;

def Kernel_SfpuReduceInit : ComputeInstruction<347, "sfpu_reduce_init",
    "Setup of the vector engine for `ttkernel.sfpu_reduce`",
    "Sets up the vector engine for `ttkernel.sfpu_reduce`.",
    [KPool<>, KDataFormat<"dtype", "0">]>,
      SetsUpVector;

def Kernel_SfpuReduce : ComputeInstruction<348, "sfpu_reduce",
    "Reduction of a destination register by the vector engine", [{Reduces the
    tile of destination register `dst_index` along `reduce_dim`: `row` writes the
    first column, `col` the first row. The other elements are unspecified.}],
    [KDst<>, KPool<>, KDataFormat<"dtype", "0">, KReduceDim<>]>,
      Vector<["pass", "pass", "pass", "pass"]>, NeedsVector<"sfpu_reduce_init">;

//===----------------------------------------------------------------------===//
// Sorting
//===----------------------------------------------------------------------===//

def Kernel_TopkTileInit : ComputeInstruction<360, "topk_tile_init",
    "Setup of the vector engine for the steps of a top-k",
    [{Sets up the vector engine for `ttkernel.topk_local_sort`,
    `ttkernel.topk_merge` and `ttkernel.topk_rebuild`.}]>,
      SetsUpVector;

/// Steps of a bitonic sort along the columns of two tiles, one below the other.
/// The time is that of `passes` passes over a tile, which is an estimate: none
/// is published.
class SortsColumns<int number, string word, string summary, string semantics,
                   list<KernelArg> args, int passes>
    : ComputeInstruction<number, "topk_" # word, summary,
    "Works on columns of 64 numbers, those of the tiles in destination registers\n"
    "    `idst` and `idst` + 1. The tiles in `idst` + 2 and `idst` + 3 have a number\n"
    "    for each of them, its index, which moves with it. " # semantics #
    " Floats are\n    ordered by sign and magnitude, a NaN beyond the infinity of "
    "its sign.",
    !listconcat([KDst<"idst">]<KernelArg>, args)>,
      Vector<!listsplat("pass", passes)>, NeedsVector<"topk_tile_init">;

def Kernel_TopkLocalSort : SortsColumns<361, "local_sort",
    "Phases of a bitonic sort",
    [{Phase p, of `i_start_phase` to `i_end_phase` (0 to 5), makes sequences of
    2^(p + 1) numbers from two of half the length, which are sorted in opposite
    directions. The first sequence is sorted in descending order, or with an
    `idir` of 1 in ascending order; the directions of the others alternate.}],
    [KInt<"idir">, KInt<"i_end_phase">, KInt<"i_start_phase", "0">], 42>;

def Kernel_TopkMerge : SortsColumns<362, "merge",
    "The k greatest of two sequences",
    [{Compares sequences of `k` numbers (4 to 64), sorted in opposite directions,
    with those k * 2^`m_iter` below them, at most 32, and exchanges numbers so
    that the upper sequence has the greater of each pair, or with `idir` the
    lesser.}],
    [KInt<"m_iter">, KInt<"k">, KFlag<"idir", "false">], 4>;

def Kernel_TopkRebuild : SortsColumns<363, "rebuild",
    "Sorts the sequences that `ttkernel.topk_merge` leaves",
    [{Sorts the upper sequences that `ttkernel.topk_merge` with the same `m_iter`
    and `k` leaves: the first one in descending order, or with an `idir` of 1 in
    ascending order; the directions of the others alternate. `logk` is the
    logarithm of `k` to the base 2. With `skip_second`, sequences in the second
    tile stay as they are.}],
    [KInt<"idir">, KInt<"m_iter">, KInt<"k">, KInt<"logk">,
     KInt<"skip_second">], 10>;

def Kernel_MaxReduceWithIndicesInit
    : ComputeInstruction<364, "max_reduce_with_indices_init",
    "Setup of the vector engine for `ttkernel.max_reduce_with_indices`",
    "Sets up the vector engine for `ttkernel.max_reduce_with_indices`.">,
      SetsUpVector;

def Kernel_MaxReduceWithIndices
    : ComputeInstruction<365, "max_reduce_with_indices",
    "The maximum of columns, and where it is", [{Finds the greatest of the first
    `num_rows` numbers (1 to 32) of each column of the tile in destination
    register `idst`, the first of equal ones. It becomes the first number of the
    column, and that of its row in `idst_idx` the first of the column there. The
    other rows are unspecified. `chunk` has no effect: it numbers the calls of a
    reduction over several tiles, which the emulator does not have.}],
    [KDst<"idst">, KDst<"idst_idx">, KInt<"chunk", "0">,
     KNumber<"num_rows", "32", "32">]>,
      Vector<!listsplat("pass", 10)>,
      NeedsVector<"max_reduce_with_indices_init">;

} // group

#endif
