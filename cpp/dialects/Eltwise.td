//===- The elementwise functions -----------------------------------------===//
//
// What is known of a function once: the ops of the 'ttir' and 'ttnn' dialects,
// their lowering and serialization, the enumerator of the schema, the method of
// the Python builder, the instructions of the vector engine (see
// TTKernel/InstructionBase.td), and in the runtime the names, the steps of programs,
// the handlers of instructions and their time are made from this table. By hand
// are the expression of a function, in runtime/lib/numerics/isa, without which
// the runtime does not compile, and the reference in the tests.
//
// Nothing of MLIR is included, so that a runtime alone is built from it, too.

#ifndef TTMLIR_ELTWISE_TD
#define TTMLIR_ELTWISE_TD

/// A function of tiles in destination registers: the `ttkernel` ops
/// `<instruction>_tile_init` and `<instruction>_tile`.
class VectorFunction<string opClass, string opInstruction, int tiles,
                     string opNoun, string opMeaning, list<string> opWork,
                     int opInitOpcode, int opOpcode, list<string> opScalars,
                     bit opHasIntegers> {
  /// The C++ class of the ops without its suffix `Tile(Init)Op`.
  string instructionClass = opClass;
  string instruction = opInstruction;
  /// Number of inputs.
  int arity = tiles;
  /// A noun phrase for the function.
  string noun = opNoun;
  /// What an element of the result is, with x, y and z those of the inputs.
  string meaning = opMeaning;
  /// What the vector engine does for a tile, one after the other: "pass", a few
  /// instructions over the tile, or a function of that name. How long each
  /// takes, with its source, is in runtime/data.
  list<string> work = opWork;
  /// The opcodes of both instructions, see TTKernel/InstructionBase.td.
  int initOpcode = opInitOpcode;
  int opcode = opOpcode;
  /// Numbers that the instruction takes as the bits of an f32.
  list<string> scalars = opScalars;
  /// The engine has the function for integers.
  bit integers = opHasIntegers;
}

/// An elementwise op. `work` and the opcodes are the last of what every row has
/// to say.
class EltwiseRow<string opName, string opMnemonic, int opArity, string opNoun,
                 string opMeaning, string opNumerics, list<string> opWork,
                 int initOpcode, int tileOpcode,
                 bit isCommutative = 0, bit isIdempotent = 0,
                 bit takesIntegersOnly = 0, bit hasIntegers = takesIntegersOnly,
                 bit givesTruth = 0,
                 string instr = !if(!eq(opArity, 2), opMnemonic # "_binary",
                                    opMnemonic),
                 string instrClass = !if(!eq(opArity, 2), opName # "Binary",
                                         opName),
                 string matrixInstr = "", list<string> numbers = [],
                 list<string> numbersBits = [], string before = "",
                 string behind = "">
    : VectorFunction<instrClass, instr, opArity, opNoun, opMeaning, opWork,
                     initOpcode, tileOpcode, numbersBits,
                     !or(hasIntegers, !ge(opArity, 2))> {
  /// The C++ class without its suffix `Op`, and the enumerator of the schema.
  string name = opName;
  string mnemonic = opMnemonic;
  string summary = "Elementwise " # opNoun;
  /// The numeric contract.
  string numerics = opNumerics;
  /// The inputs may be exchanged. (MLIR's own trait would also move the
  /// destination, so it is not used.)
  bit commutative = isCommutative;
  /// op(op(x)) is op(x).
  bit idempotent = isIdempotent;
  /// Inputs and result have integer elements.
  bit integersOnly = takesIntegersOnly;
  /// Results are 1 and 0.
  bit truth = givesTruth;
  /// The instruction of the matrix engine that does the same, if there is one.
  string matrixInstruction = matrixInstr;
  /// Numbers that belong to the op, attributes of type f32: the schema's
  /// `parameters`.
  list<string> parameters = numbers;
  /// What the example prints before and behind `operandSegmentSizes`: in the
  /// order of the alphabet.
  string exampleBefore = before;
  string exampleBehind = behind;
  string letters =
      !cond(!eq(opArity, 1): "x the input's element",
            !eq(opArity, 2): "x and y the inputs' elements",
            true: "x, y and z the inputs' elements");
  string count = !if(!eq(opArity, 1), "is 1 input", "are " # opArity # " inputs");
  string exampleInputs =
      !cond(!eq(opArity, 1): "%a", !eq(opArity, 2): "%a, %b", true: "%a, %b, %c");
  string exampleType =
      !if(takesIntegersOnly, "tensor<64x128xi32>", "tensor<64x128xf32>");
  string exampleTypes = !interleave(!listsplat(exampleType, opArity), ", ");
  string exampleConstraints = !interleave(!listsplat("#any", !add(opArity, 1)), ", ");
}

defvar OneUlp =
    "Computed in f32 within 1 ulp, rounded once to the result's format";

/// In the order of the schema's enumerators: a new one comes last.
defvar EltwiseRows = [
  EltwiseRow<"Add", "add", 2, "sum", "x + y",
    "Computed in f32, rounded once to the result's format.",
    ["pass"], 204, 226, isCommutative = 1,
    matrixInstr = "add_tiles">,
  EltwiseRow<"Multiply", "multiply", 2, "product", "x * y",
    "Computed in f32, rounded once to the result's format.",
    ["pass"], 206, 228, isCommutative = 1, instr = "mul_binary",
    instrClass = "MulBinary",
    matrixInstr = "mul_tiles">,
  EltwiseRow<"Subtract", "subtract", 2, "difference", "x - y",
    "Computed in f32, rounded once to the result's format.",
    ["pass"], 205, 227, instr = "sub_binary", instrClass = "SubBinary",
    matrixInstr = "sub_tiles">,
  EltwiseRow<"Relu", "relu", 1, "rectified linear unit",
    "x, or 0 if x is negative",
    "Exact; NaN stays NaN.", ["pass"], 157, 188, isIdempotent = 1, hasIntegers = 1>,
  EltwiseRow<"GreaterEqual", "ge", 2, "greater-or-equal",
    "1 if x is greater than or equal to y, otherwise 0",
    "Exact; a comparison with NaN gives 0.",
    ["pass"], 217, 239, givesTruth = 1, instrClass = "GeBinary">,
  EltwiseRow<"Sqrt", "sqrt", 1, "square root",
    "the square root of x",
    "Correctly rounded in f32, then rounded to the result's format; NaN "
    "for negative elements.",
    ["reciprocal"], 163, 194>,
  EltwiseRow<"Div", "div", 2, "quotient",
    "x / y",
    "Computed in f32, rounded once to the result's format; x / 0 is an "
    "infinity of x's sign, 0 / 0 is NaN.",
    ["pass", "reciprocal"], 207, 229>,
  EltwiseRow<"Sigmoid", "sigmoid", 1, "logistic function", "1 / (1 + exp(-x))",
    "Computed in f32 within 4 ulp, rounded once to the result's format.",
    ["sigmoid"], 159, 190>,
  EltwiseRow<"Reciprocal", "reciprocal", 1, "reciprocal",
    "1 / x",
    "Computed in f32, rounded once to the result's format; 1 / 0 is an "
    "infinity of the zero's sign.",
    ["reciprocal"], 156, 187, instr = "recip", instrClass = "Recip">,
  EltwiseRow<"Exp", "exp", 1, "exponential", "e raised to x",
    "Computed in f32 within 2 ulp, rounded once to the result's format.",
    ["exp"], 146, 177>,
  EltwiseRow<"Maximum", "maximum", 2, "maximum", "the greater of x and y",
    "Exact; NaN if either is NaN.",
    ["pass"], 209, 231, isCommutative = 1, instr = "binary_max",
    instrClass = "BinaryMax">,
  EltwiseRow<"Abs", "abs", 1, "absolute value", "x without its sign",
    "Exact.", ["pass"], 141, 172, isIdempotent = 1, hasIntegers = 1>,
  EltwiseRow<"Neg", "neg", 1, "negation", "-x",
    "Exact.",
    ["pass"], 155, 186, hasIntegers = 1, instr = "negative",
    instrClass = "Negative">,
  EltwiseRow<"Typecast", "typecast", 1, "change of the element type",
    "x in the result's format",
    "Rounded once; to an integer it truncates towards zero and saturates, NaN "
    "becomes 0.",
    ["pass"], 171, 203>,
  EltwiseRow<"Equal", "eq", 2, "equality", "1 if x and y are equal, otherwise 0",
    "Exact; a comparison with NaN gives 0.",
    ["pass"], 212, 234, givesTruth = 1, isCommutative = 1, instrClass = "EqBinary">,
  EltwiseRow<"NotEqual", "ne", 2, "inequality",
    "1 if x and y differ, otherwise 0",
    "Exact; a comparison with NaN gives 1.",
    ["pass"], 213, 235, givesTruth = 1, isCommutative = 1, instrClass = "NeBinary">,
  EltwiseRow<"GreaterThan", "gt", 2, "greater-than",
    "1 if x is greater than y, otherwise 0",
    "Exact; a comparison with NaN gives 0.",
    ["pass"], 215, 237, givesTruth = 1, instrClass = "GtBinary">,
  EltwiseRow<"LessThan", "lt", 2, "less-than",
    "1 if x is less than y, otherwise 0",
    "Exact; a comparison with NaN gives 0.",
    ["pass"], 214, 236, givesTruth = 1, instrClass = "LtBinary">,
  EltwiseRow<"LessEqual", "le", 2, "less-or-equal",
    "1 if x is less than or equal to y, otherwise 0",
    "Exact; a comparison with NaN gives 0.",
    ["pass"], 216, 238, givesTruth = 1, instrClass = "LeBinary">,
  EltwiseRow<"LogicalAnd", "logical_and", 2, "logical and",
    "1 if neither x nor y is 0, otherwise 0",
    "Exact; NaN is not 0.", ["pass"], 218, 240, givesTruth = 1, isCommutative = 1>,
  EltwiseRow<"LogicalOr", "logical_or", 2, "logical or",
    "0 if x and y are 0, otherwise 1",
    "Exact; NaN is not 0.", ["pass"], 219, 241, givesTruth = 1, isCommutative = 1>,
  EltwiseRow<"LogicalNot", "logical_not", 1, "logical negation",
    "1 if x is 0, otherwise 0",
    "Exact; NaN is not 0.",
    ["pass"], 153, 184, givesTruth = 1, hasIntegers = 1,
    instr = "logical_not_unary", instrClass = "LogicalNotUnary">,
  EltwiseRow<"LogicalXor", "logical_xor", 2, "logical exclusive or",
    "1 if exactly one of x and y is 0, otherwise 0",
    "Exact; NaN is not 0.", ["pass"], 220, 242, givesTruth = 1, isCommutative = 1>,
  EltwiseRow<"Where", "where", 3, "choice", "y if x is not 0, otherwise z",
    "Exact; a condition of NaN is not 0.", ["pass"], 225, 247>,
  EltwiseRow<"Minimum", "minimum", 2, "minimum", "the smaller of x and y",
    "Exact; NaN if either is NaN.",
    ["pass"], 210, 232, isCommutative = 1, instr = "binary_min",
    instrClass = "BinaryMin">,
  EltwiseRow<"Rsqrt", "rsqrt", 1, "reciprocal square root",
    "1 / sqrt(x)",
    "Computed in f32 within 2 ulp, rounded once to the result's format; "
    "infinity for 0, NaN for negative elements.",
    ["reciprocal"], 158, 189>,
  EltwiseRow<"Log", "log", 1, "natural logarithm",
    "the natural logarithm of x",
    "Computed in f32 within 2 ulp, rounded once to the result's format; "
    "-infinity for 0, NaN for negative elements.",
    ["exp"], 151, 182>,
  EltwiseRow<"Sin", "sin", 1, "sine", "the sine of x, in radians",
    "Computed in f32 within 4 ulp, rounded once to the result's format.",
    ["pass", "pass"], 162, 193>,
  EltwiseRow<"Cos", "cos", 1, "cosine", "the cosine of x, in radians",
    "Computed in f32 within 4 ulp, rounded once to the result's format.",
    ["pass", "pass"], 144, 175>,
  EltwiseRow<"Tan", "tan", 1, "tangent", "the tangent of x, in radians",
    "Computed in f32 within 4 ulp, rounded once to the result's format.",
    ["pass", "pass", "reciprocal"], 165, 196>,
  EltwiseRow<"Tanh", "tanh", 1, "hyperbolic tangent",
    "the hyperbolic tangent of x",
    "Computed in f32 within 2 ulp, rounded once to the result's format.",
    ["tanh"], 166, 197>,
  EltwiseRow<"Gelu", "gelu", 1, "Gaussian error linear unit",
    "x / 2 * (1 + erf(x / sqrt(2)))",
    "Computed in f32 within 4 ulp, rounded once to the result's format.",
    ["gelu"], 149, 180>,
  EltwiseRow<"Silu", "silu", 1, "sigmoid linear unit", "x / (1 + exp(-x))",
    "Computed in f32 within 4 ulp, rounded once to the result's format.",
    ["sigmoid", "pass"], 161, 192>,
  EltwiseRow<"Ceil", "ceil", 1, "rounding up",
    "the smallest integer that is not less than x",
    "Exact.", ["pass"], 143, 174, isIdempotent = 1>,
  EltwiseRow<"Floor", "floor", 1, "rounding down",
    "the greatest integer that is not greater than x",
    "Exact.", ["pass"], 148, 179, isIdempotent = 1>,
  EltwiseRow<"Sign", "sign", 1, "sign",
    "1, 0 or -1 as x is positive, zero or negative",
    "Exact; NaN stays NaN.", ["pass"], 160, 191, isIdempotent = 1, hasIntegers = 1>,
  EltwiseRow<"Remainder", "remainder", 2, "remainder",
    "the remainder of x / y, with the sign of x",
    "Exact; NaN for a divisor of 0.", ["pass", "pass", "reciprocal"], 211, 233>,
  EltwiseRow<"Power", "power", 2, "power",
    "x raised to y",
    "Computed in f32 within 4 ulp, rounded once to the result's format; "
    "the special cases are those of IEEE 754's pow.",
    ["pass", "exp", "exp"], 208, 230>,
  EltwiseRow<"Clamp", "clamp", 1, "limits", "x, or the limit that it exceeds",
    "Exact except for the limits, which are f32; NaN stays NaN.",
    ["pass"], 167, 198, hasIntegers = 1, numbers = ["min", "max"],
    numbersBits = ["min_bits", "max_bits"],
    before = "max = 6.000000e+00 : f32, min = 0.000000e+00 : f32, ">,
  EltwiseRow<"Cbrt", "cbrt", 1, "cube root", "the cube root of x",
    "Computed in f32 within 2 ulp, rounded once to the result's format.",
    ["pass", "pass"], 142, 173>,
  EltwiseRow<"Expm1", "expm1", 1, "exponential minus one",
    "e raised to x, minus 1",
    "Computed in f32 within 4 ulp, for small elements too, rounded once "
    "to the result's format.",
    ["exp"], 147, 178>,
  EltwiseRow<"Log1p", "log1p", 1, "natural logarithm of one plus x",
    "the natural logarithm of 1 + x",
    "Computed in f32 within 4 ulp, for small elements too, rounded once "
    "to the result's format.",
    ["exp"], 152, 183>,
  EltwiseRow<"IsFinite", "isfinite", 1, "test for a finite number",
    "1 if x is neither an infinity nor NaN, otherwise 0",
    "Exact.", ["pass"], 150, 181, givesTruth = 1>,
  EltwiseRow<"LeakyRelu", "leaky_relu", 1, "leaky rectified linear unit",
    "x, times the slope if x is negative",
    "Computed in f32, rounded once to the result's format; NaN stays NaN.",
    ["pass"], 168, 199, numbers = ["parameter"], numbersBits = ["slope_bits"],
    behind = ", parameter = 1.250000e-01 : f32">,
  EltwiseRow<"Erf", "erf", 1, "error function", "the error function of x",
    "Computed in f32 within 4 ulp, rounded once to the result's format.",
    ["sigmoid", "pass"], 145, 176>,
  EltwiseRow<"BitwiseAnd", "bitwise_and", 2, "bitwise and",
    "the bits that are set in both x and y",
    "Exact.", ["pass"], 221, 243, isCommutative = 1, takesIntegersOnly = 1>,
  EltwiseRow<"BitwiseOr", "bitwise_or", 2, "bitwise or",
    "the bits that are set in x or y",
    "Exact.", ["pass"], 222, 244, isCommutative = 1, takesIntegersOnly = 1>,
  EltwiseRow<"BitwiseXor", "bitwise_xor", 2, "bitwise exclusive or",
    "the bits that are set in exactly one of x and y",
    "Exact.", ["pass"], 223, 245, isCommutative = 1, takesIntegersOnly = 1>,
  EltwiseRow<"BitwiseNot", "bitwise_not", 1, "bitwise complement",
    "the bits that are not set in the integer x",
    "Exact.", ["pass"], 154, 185, takesIntegersOnly = 1>,
  EltwiseRow<"Asin", "asin", 1, "arcsine", "the angle in radians whose sine is x",
    OneUlp # "; NaN beyond -1 and 1.", ["pass", "pass", "reciprocal"], 250, 251>,
  EltwiseRow<"Acos", "acos", 1, "arccosine", "the angle in radians whose cosine is x",
    OneUlp # "; NaN beyond -1 and 1.", ["pass", "pass", "reciprocal"], 252, 253>,
  EltwiseRow<"Atan", "atan", 1, "arctangent", "the angle in radians whose tangent is x",
    OneUlp # ".", ["pass", "pass", "reciprocal"], 254, 255>,
  EltwiseRow<"Atan2", "atan2", 2, "arctangent of a quotient",
    "the angle in radians, from -pi to pi, of the point that is y to the right and "
    "x above",
    OneUlp # "; zeros and infinities are those of IEEE 754's atan2.",
    ["pass", "pass", "reciprocal"], 256, 257>,
  EltwiseRow<"Sinh", "sinh", 1, "hyperbolic sine", "the hyperbolic sine of x",
    OneUlp # ".", ["exp", "reciprocal", "pass"], 258, 259>,
  EltwiseRow<"Cosh", "cosh", 1, "hyperbolic cosine", "the hyperbolic cosine of x",
    OneUlp # ".", ["exp", "reciprocal", "pass"], 260, 261>,
  EltwiseRow<"Asinh", "asinh", 1, "inverse hyperbolic sine",
    "the number whose hyperbolic sine is x",
    OneUlp # ".", ["reciprocal", "exp", "pass"], 262, 263>,
  EltwiseRow<"Acosh", "acosh", 1, "inverse hyperbolic cosine",
    "the non-negative number whose hyperbolic cosine is x",
    OneUlp # "; NaN below 1.", ["reciprocal", "exp", "pass"], 264, 265>,
  EltwiseRow<"Atanh", "atanh", 1, "inverse hyperbolic tangent",
    "the number whose hyperbolic tangent is x",
    OneUlp # "; infinite for -1 and 1, NaN beyond.",
    ["reciprocal", "exp", "pass"], 266, 267>,
  EltwiseRow<"Erfc", "erfc", 1, "complementary error function",
    "1 minus the error function of x",
    OneUlp # ", for large elements too.", ["sigmoid", "pass"], 268, 269>,
  EltwiseRow<"Erfinv", "erfinv", 1, "inverse error function",
    "the number whose error function is x",
    OneUlp # "; infinite for -1 and 1, NaN beyond.",
    ["exp", "reciprocal", "pass"], 270, 271>,
  EltwiseRow<"Lgamma", "lgamma", 1, "logarithm of the gamma function",
    "the natural logarithm of the magnitude of the gamma function of x",
    OneUlp # "; infinity for 0 and negative integers.",
    ["exp", "reciprocal", "pass", "pass"], 272, 273>,
  EltwiseRow<"Digamma", "digamma", 1, "digamma function",
    "the derivative of the logarithm of the gamma function at x",
    OneUlp # "; -infinity for 0, infinity for -0, NaN for negative integers.",
    ["exp", "reciprocal", "pass", "pass"], 274, 275>,
  EltwiseRow<"Exp2", "exp2", 1, "power of two", "2 raised to x",
    OneUlp # ".", ["exp"], 276, 277>,
  EltwiseRow<"Round", "round", 1, "rounding half away from zero",
    "the integer nearest to x, the one farther from 0 on a tie",
    "Exact.", ["pass"], 278, 279, isIdempotent = 1>,
  EltwiseRow<"RoundEven", "roundeven", 1, "rounding half to even",
    "the integer nearest to x, the even one on a tie",
    "Exact.", ["pass"], 280, 281, isIdempotent = 1>,
  EltwiseRow<"Trunc", "trunc", 1, "rounding towards zero",
    "x without its fractional part",
    "Exact.", ["pass"], 282, 283, isIdempotent = 1>,
  EltwiseRow<"Frac", "frac", 1, "fractional part",
    "x minus x rounded towards zero",
    "Exact; NaN for an infinity.", ["pass"], 284, 285>,
  EltwiseRow<"SignBit", "signbit", 1, "test of the sign bit",
    "1 if the sign bit of x is set, otherwise 0",
    "Exact; the bit may be set in -0 and NaN, and is set in negative integers.",
    ["pass"], 286, 287, givesTruth = 1, hasIntegers = 1>,
  EltwiseRow<"Square", "square", 1, "square", "x * x",
    "Computed in f32, rounded once to the result's format.",
    ["pass"], 164, 195, hasIntegers = 1>,
  EltwiseRow<"HardSigmoid", "hardsigmoid", 1, "piecewise linear sigmoid",
    "x / 6 + 1 / 2, at least 0 and at most 1",
    OneUlp # "; NaN stays NaN.", ["pass"], 288, 289>,
  EltwiseRow<"Relu6", "relu6", 1, "rectified linear unit up to 6",
    "x, or 0 if x is negative, or 6 if x is greater",
    "Exact; NaN stays NaN.", ["pass"], 290, 291, isIdempotent = 1, hasIntegers = 1>,
  EltwiseRow<"SoftSign", "softsign", 1, "softsign", "x over one plus its magnitude",
    OneUlp # "; NaN for an infinity.", ["pass", "reciprocal"], 292, 293>,
  EltwiseRow<"Selu", "selu", 1, "scaled exponential linear unit",
    "the scale times x, or if x is negative times alpha * (exp(x) - 1)",
    OneUlp # ".", ["exp", "pass"], 294, 295, numbers = ["scale", "alpha"],
    numbersBits = ["scale_bits", "alpha_bits"],
    before = "alpha = 1.67326319 : f32, ", behind = ", scale = 1.05070102 : f32">,
  EltwiseRow<"LogicalLeftShift", "logical_left_shift", 2, "shift to the left",
    "the bits of x shifted left by y, with zeros shifted in",
    "Exact; 0 if y is negative or at least the width of an element.",
    ["pass"], 296, 297, takesIntegersOnly = 1>,
  EltwiseRow<"RightShift", "right_shift", 2, "arithmetic shift to the right",
    "the bits of x shifted right by y, with copies of its sign shifted in",
    "Exact; the sign, 0 or -1, if y is negative or at least the width of an "
    "element; unsigned elements have the sign 0.",
    ["pass"], 298, 299, takesIntegersOnly = 1>,
  EltwiseRow<"LogicalRightShift", "logical_right_shift", 2,
    "logical shift to the right",
    "the bits of x shifted right by y, with zeros shifted in",
    "Exact; 0 if y is negative or at least the width of an element.",
    ["pass"], 300, 301, takesIntegersOnly = 1>,
  EltwiseRow<"PopCount", "popcount", 1, "count of set bits",
    "the number of bits that are set in the integer x",
    "Exact.", ["pass", "pass"], 302, 303, takesIntegersOnly = 1>,
  EltwiseRow<"Clz", "clz", 1, "count of leading zeros",
    "the number of bits above the highest set bit of the integer x; for 0 the "
    "width of its format",
    "Exact.", ["pass"], 304, 305, takesIntegersOnly = 1>,
  EltwiseRow<"Mish", "mish", 1, "mish",
    "x times the hyperbolic tangent of log(1 + exp(x))",
    OneUlp # "; NaN for -infinity.", ["exp", "reciprocal", "pass"], 306, 307>
];

/// A function that kernels have beside those of the ops.
class KernelRow<string opClass, string instr, int tiles, string opNoun,
                string opMeaning, list<string> opWork, int initOpcode,
                int tileOpcode, list<string> opScalars = []>
    : VectorFunction<opClass, instr, tiles, opNoun, opMeaning, opWork,
                     initOpcode, tileOpcode, opScalars, /*opHasIntegers=*/1>;

defvar KernelRows = [
  KernelRow<"Power", "power", 1, "power with one exponent",
    "x raised to the exponent", ["pass", "exp", "exp"], 169, 200,
    ["exponent_bits"]>,
  KernelRow<"Fill", "fill", 1, "one number everywhere", "the value",
    ["pass"], 170, 201, ["value_bits"]>,
  KernelRow<"Max", "max", 2, "maximum into the first tile",
    "the greater of x and y", ["pass"], 224, 246>
];

/// For what is generated from the table.
def EltwiseTable {
  list<EltwiseRow> rows = EltwiseRows;
  list<KernelRow> kernelRows = KernelRows;
}

#endif
