//===- The vector engine in the 'ttkernel' dialect -----------------------===//
//
// Every op works on tiles in destination registers, and comes behind an
// `_init` op of its own.

#ifndef TTMLIR_TTKERNEL_VECTOR_OPS_TD
#define TTMLIR_TTKERNEL_VECTOR_OPS_TD

include "dialects/TTKernel/TTKernelKernelOp.td"

def TTKernel_InitSFPUOp : TTKernel_ComputeOp<"init_sfpu",
    "The vector engine", [{Sets up the unpacker for tiles of `in_cb`, the packer for
    tiles of `out_cb`, and the vector engine.}],
    [KTiles<"in_cb">, KTiles<"out_cb", "cb_out0">]>;

/// A function of the vector engine: the name of its ops without
/// `Tile(Init)Op`, their mnemonic without `_tile(_init)`, a noun phrase for
/// the function, a sentence, and what it takes besides the tile.
class VectorRow<string opName, string opMnemonic, string opNoun,
                string opMeaning, list<TTKernel_Arg> opArgs = []> {
  string name = opName;
  string mnemonic = opMnemonic;
  string noun = opNoun;
  string meaning = opMeaning;
  list<TTKernel_Arg> args = opArgs;
}

/// The `_init` op of a function.
class TTKernel_VectorInitOp<string mnemonic>
    : TTKernel_ComputeOp<mnemonic # "_init",
    "The vector engine for `ttkernel." # mnemonic # "`",
    "Sets up the vector engine for `ttkernel." # mnemonic # "`.">;

//===----------------------------------------------------------------------===//
// One tile
//===----------------------------------------------------------------------===//

defvar UnaryRows = [
  VectorRow<"Abs", "abs", "absolute value", "x without its sign">,
  VectorRow<"Cbrt", "cbrt", "cube root", "the cube root of x">,
  VectorRow<"Ceil", "ceil", "rounding up",
      "the smallest integer that is not less than x">,
  VectorRow<"Cos", "cos", "cosine", "the cosine of x, in radians">,
  VectorRow<"Erf", "erf", "error function", "the error function of x">,
  VectorRow<"Exp", "exp", "exponential", "e raised to x">,
  VectorRow<"Expm1", "expm1", "exponential minus one", "e raised to x, minus 1">,
  VectorRow<"Floor", "floor", "rounding down",
      "the greatest integer that is not greater than x">,
  VectorRow<"Gelu", "gelu", "Gaussian error linear unit",
      "x / 2 * (1 + erf(x / sqrt(2)))">,
  VectorRow<"IsFinite", "isfinite", "test for a finite number",
      "1 if x is neither an infinity nor NaN, otherwise 0">,
  VectorRow<"Log", "log", "natural logarithm", "the natural logarithm of x">,
  VectorRow<"Log1p", "log1p", "natural logarithm of one plus x",
      "the natural logarithm of 1 + x">,
  VectorRow<"LogicalNotUnary", "logical_not_unary", "logical negation",
      "1 if x is 0, otherwise 0">,
  VectorRow<"BitwiseNot", "bitwise_not", "bitwise complement",
      "the bits that are not set in the integer x">,
  VectorRow<"Negative", "negative", "negation", "-x">,
  VectorRow<"Recip", "recip", "reciprocal", "1 / x">,
  VectorRow<"Relu", "relu", "rectified linear unit", "x, or 0 if x is negative">,
  VectorRow<"Rsqrt", "rsqrt", "reciprocal square root", "1 / sqrt(x)">,
  VectorRow<"Sigmoid", "sigmoid", "logistic function", "1 / (1 + exp(-x))">,
  VectorRow<"Sign", "sign", "sign", "1, 0 or -1 as x is positive, zero or negative">,
  VectorRow<"Silu", "silu", "sigmoid linear unit", "x / (1 + exp(-x))">,
  VectorRow<"Sin", "sin", "sine", "the sine of x, in radians">,
  VectorRow<"Sqrt", "sqrt", "square root", "the square root of x">,
  VectorRow<"Square", "square", "square", "x * x">,
  VectorRow<"Tan", "tan", "tangent", "the tangent of x, in radians">,
  VectorRow<"Tanh", "tanh", "hyperbolic tangent", "the hyperbolic tangent of x">,
  VectorRow<"Clamp", "clamp", "limits",
      "x, or the limit that it exceeds. `min_bits` and `max_bits` are the bits of\n"
      "    the limits as f32",
      [KInt<"min_bits">, KInt<"max_bits">]>,
  VectorRow<"LeakyRelu", "leaky_relu", "leaky rectified linear unit",
      "x, times the slope if x is negative. `slope_bits` are the bits of the\n"
      "    slope as f32",
      [KInt<"slope_bits">]>,
  VectorRow<"Power", "power", "power with one exponent",
      "x raised to the exponent, whose bits as f32 are `exponent_bits`",
      [KInt<"exponent_bits">]>,
  VectorRow<"Fill", "fill", "one number everywhere",
      "the number whose bits as f32 are `value_bits`", [KInt<"value_bits">]>,
  VectorRow<"Typecast", "typecast", "change of the number format",
      "x, as a number of format `in_dtype`, in the format `out_dtype`. Both are\n"
      "    numbers of the enumeration `DataType`",
      [KDataType<"in_dtype", "0">, KDataType<"out_dtype", "12">]>
];

foreach row = UnaryRows in {
  def "TTKernel_" # row.name # "TileInitOp"
      : TTKernel_VectorInitOp<row.mnemonic # "_tile">;

  def "TTKernel_" # row.name # "TileOp"
      : TTKernel_ComputeOp<row.mnemonic # "_tile",
      "The " # row.noun # " of a tile",
      "Replaces every element x of destination register `dst_index` by\n    "
          # row.meaning # ".",
      !listconcat([KDst<>]<TTKernel_Arg>, row.args)>;
}

def TTKernel_FillTileIntOp : TTKernel_ComputeOp<"fill_tile_int",
    "One integer everywhere in a tile", [{Sets every element of destination
    register `dst_index` to the integer `value`; behind `ttkernel.fill_tile_init`.}],
    [KDst<>, KInt<"value">]>;

//===----------------------------------------------------------------------===//
// Two tiles and more
//===----------------------------------------------------------------------===//

defvar BinaryRows = [
  VectorRow<"AddBinary", "add_binary", "sum", "x + y">,
  VectorRow<"SubBinary", "sub_binary", "difference", "x - y">,
  VectorRow<"MulBinary", "mul_binary", "product, element by element,", "x * y">,
  VectorRow<"DivBinary", "div_binary", "quotient", "x / y">,
  VectorRow<"PowerBinary", "power_binary", "power", "x raised to y">,
  VectorRow<"BinaryMax", "binary_max", "maximum", "the greater of x and y">,
  VectorRow<"BinaryMin", "binary_min", "minimum", "the smaller of x and y">,
  VectorRow<"RemainderBinary", "remainder_binary", "remainder",
      "the remainder of x / y, with the sign of x">,
  VectorRow<"EqBinary", "eq_binary", "equality", "1 if x and y are equal, otherwise 0">,
  VectorRow<"NeBinary", "ne_binary", "inequality", "1 if x and y differ, otherwise 0">,
  VectorRow<"LtBinary", "lt_binary", "less-than", "1 if x is less than y, otherwise 0">,
  VectorRow<"GtBinary", "gt_binary", "greater-than",
      "1 if x is greater than y, otherwise 0">,
  VectorRow<"LeBinary", "le_binary", "less-or-equal",
      "1 if x is less than or equal to y, otherwise 0">,
  VectorRow<"GeBinary", "ge_binary", "greater-or-equal",
      "1 if x is greater than or equal to y, otherwise 0">,
  VectorRow<"LogicalAndBinary", "logical_and_binary", "logical and",
      "1 if neither x nor y is 0, otherwise 0">,
  VectorRow<"LogicalOrBinary", "logical_or_binary", "logical or",
      "0 if x and y are 0, otherwise 1">,
  VectorRow<"LogicalXorBinary", "logical_xor_binary", "logical exclusive or",
      "1 if exactly one of x and y is 0, otherwise 0">,
  VectorRow<"BitwiseAndBinary", "bitwise_and_binary", "bitwise and",
      "the bits that are set in both x and y">,
  VectorRow<"BitwiseOrBinary", "bitwise_or_binary", "bitwise or",
      "the bits that are set in x or y">,
  VectorRow<"BitwiseXorBinary", "bitwise_xor_binary", "bitwise exclusive or",
      "the bits that are set in one of x and y only">
];

foreach row = BinaryRows in {
  def "TTKernel_" # row.name # "TileInitOp"
      : TTKernel_VectorInitOp<row.mnemonic # "_tile">;

  def "TTKernel_" # row.name # "TileOp"
      : TTKernel_ComputeOp<row.mnemonic # "_tile",
      "The " # row.noun # " of two tiles in destination registers",
      "With x and y the elements of destination registers `in0_dst_index` and\n"
      "    `in1_dst_index`, every element of `dst_index` becomes\n    "
          # row.meaning # ".",
      [KDst<"in0_dst_index">, KDst<"in1_dst_index">, KDst<>]>;
}

def TTKernel_MaxTileInitOp : TTKernel_VectorInitOp<"max_tile">;

def TTKernel_MaxTileOp : TTKernel_ComputeOp<"max_tile",
    "The maximum of two tiles into the first", [{Every element of destination
    register `dst_index` becomes the greater of itself and that of
    `in1_dst_index`.}],
    [KDst<>, KDst<"in1_dst_index">]>;

def TTKernel_WhereTileInitOp : TTKernel_VectorInitOp<"where_tile">;

def TTKernel_WhereTileOp : TTKernel_ComputeOp<"where_tile",
    "A choice of two tiles", [{Every element of destination register `dst_index`
    becomes that of `true_dst_index` where that of `cond_dst_index` is not 0, and
    that of `false_dst_index` elsewhere.}],
    [KDst<"cond_dst_index">, KDst<"true_dst_index">, KDst<"false_dst_index">,
     KDst<>]>;

#endif
