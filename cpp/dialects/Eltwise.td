//===- The elementwise ops of the 'ttir' and 'ttnn' dialects --------------===//
//
// Both dialects make their elementwise ops from this table, and so do lowering
// and serialization: a new op is a row here, an enumerator of EltwiseOpType in
// schema/TTNN/program.fbs (the generated code does not compile without it) and
// its kernel in the runtime.

#ifndef TTMLIR_ELTWISE_TD
#define TTMLIR_ELTWISE_TD

/// A row of the table.
class EltwiseRow<string opName, string opMnemonic, int opArity, string opSummary,
                 string opMeaning, string opNumerics, bit isCommutative = 0,
                 bit isIdempotent = 0, bit takesIntegersOnly = 0> {
  /// The C++ class without its suffix `Op`, and the enumerator of the schema.
  string name = opName;
  string mnemonic = opMnemonic;
  /// Number of inputs.
  int arity = opArity;
  /// A noun phrase.
  string summary = opSummary;
  /// What an element of the result is.
  string meaning = opMeaning;
  /// The numeric contract.
  string numerics = opNumerics;
  /// The inputs may be exchanged. (MLIR's own trait would also move the
  /// destination, so it is not used.)
  bit commutative = isCommutative;
  /// op(op(x)) is op(x).
  bit idempotent = isIdempotent;
  /// Inputs and result have integer elements.
  bit integersOnly = takesIntegersOnly;
  /// Numbers that belong to the op; they are the schema's `parameters`.
  list<string> parameters = [];
  string exampleInputs =
      !cond(!eq(opArity, 1): "%a", !eq(opArity, 2): "%a, %b", true: "%a, %b, %c");
  string exampleType =
      !if(takesIntegersOnly, "tensor<64x128xi32>", "tensor<64x128xf32>");
  string exampleTypes = !interleave(!listsplat(exampleType, opArity), ", ");
  string exampleConstraints = !interleave(!listsplat("#any", !add(opArity, 1)), ", ");
}

/// A row whose op has parameters, attributes of type f32; `example` gives those
/// of the example, as `, name = value : f32`.
class ParametricRow<string name, string mnemonic, string summary, string meaning,
                    string numerics, list<string> names, string before,
                    string behind>
    : EltwiseRow<name, mnemonic, 1, summary, meaning, numerics> {
  let parameters = names;
  /// Attributes of the example that are printed before and behind
  /// `operandSegmentSizes`: in the order of the alphabet.
  string exampleBefore = before;
  string exampleBehind = behind;
}

defvar EltwiseRows = [
  EltwiseRow<"Abs", "abs", 1, "Elementwise absolute value",
    "the absolute value of the input's element", "Exact.", 0, 1>,
  EltwiseRow<"Add", "add", 2, "Elementwise sum",
    "the sum of the inputs' elements",
    "Computed in f32, rounded once to the result's format.", 1>,
  EltwiseRow<"Div", "div", 2, "Elementwise quotient",
    "the first input's element divided by the second's",
    "Computed in f32, rounded once to the result's format; x / 0 is an "
    "infinity of x's sign, 0 / 0 is NaN.">,
  EltwiseRow<"Exp", "exp", 1, "Elementwise exponential",
    "e raised to the input's element",
    "Computed in f32 within 2 ulp, rounded once to the result's format.">,
  EltwiseRow<"GreaterEqual", "ge", 2, "Elementwise greater-or-equal",
    "1 if the first input's element is greater than or equal to the second's, "
    "otherwise 0", "Exact; a comparison with NaN gives 0.">,
  EltwiseRow<"Maximum", "maximum", 2, "Elementwise maximum",
    "the greater of the inputs' elements", "Exact; NaN if either is NaN.", 1>,
  EltwiseRow<"Multiply", "multiply", 2, "Elementwise product",
    "the product of the inputs' elements",
    "Computed in f32, rounded once to the result's format.", 1>,
  EltwiseRow<"Neg", "neg", 1, "Elementwise negation",
    "the negative of the input's element", "Exact.">,
  EltwiseRow<"Reciprocal", "reciprocal", 1, "Elementwise reciprocal",
    "1 divided by the input's element",
    "Computed in f32, rounded once to the result's format; 1 / 0 is an "
    "infinity of the zero's sign.">,
  EltwiseRow<"Relu", "relu", 1, "Elementwise rectified linear unit",
    "the input's element, or 0 if that is negative", "Exact; NaN stays NaN.",
    0, 1>,
  EltwiseRow<"Sigmoid", "sigmoid", 1, "Elementwise logistic function",
    "1 / (1 + exp(-x)) of the input's element x",
    "Computed in f32 within 4 ulp, rounded once to the result's format.">,
  EltwiseRow<"Sqrt", "sqrt", 1, "Elementwise square root",
    "the square root of the input's element",
    "Correctly rounded in f32, then rounded to the result's format; NaN for "
    "negative elements.">,
  EltwiseRow<"Subtract", "subtract", 2, "Elementwise difference",
    "the first input's element minus the second's",
    "Computed in f32, rounded once to the result's format.">,
  EltwiseRow<"BitwiseAnd", "bitwise_and", 2, "Elementwise bitwise and",
    "the bits that are set in both inputs' elements",
    "Exact.", 1, 0, 1>,
  EltwiseRow<"BitwiseNot", "bitwise_not", 1, "Elementwise bitwise complement",
    "the bits that are not set in the input's element",
    "Exact.", 0, 0, 1>,
  EltwiseRow<"BitwiseOr", "bitwise_or", 2, "Elementwise bitwise or",
    "the bits that are set in either input's element",
    "Exact.", 1, 0, 1>,
  EltwiseRow<"BitwiseXor", "bitwise_xor", 2, "Elementwise bitwise exclusive or",
    "the bits that are set in one input's element only",
    "Exact.", 1, 0, 1>,
  EltwiseRow<"Cbrt", "cbrt", 1, "Elementwise cube root",
    "the cube root of the input's element",
    "Computed in f32 within 2 ulp, rounded once to the result's format.">,
  EltwiseRow<"Ceil", "ceil", 1, "Elementwise rounding up",
    "the smallest integer that is not less than the input's element", "Exact.",
    0, 1>,
  EltwiseRow<"Cos", "cos", 1, "Elementwise cosine",
    "the cosine of the input's element, in radians",
    "Computed in f32 within 4 ulp, rounded once to the result's format.">,
  EltwiseRow<"Equal", "eq", 2, "Elementwise equality",
    "1 if the inputs' elements are equal, otherwise 0",
    "Exact; a comparison with NaN gives 0.", 1>,
  EltwiseRow<"Erf", "erf", 1, "Elementwise error function",
    "the error function of the input's element",
    "Computed in f32 within 4 ulp, rounded once to the result's format.">,
  EltwiseRow<"Expm1", "expm1", 1, "Elementwise exponential minus one",
    "e raised to the input's element, minus 1",
    "Computed in f32 within 4 ulp, for small elements too, rounded once to the "
    "result's format.">,
  EltwiseRow<"Floor", "floor", 1, "Elementwise rounding down",
    "the greatest integer that is not greater than the input's element",
    "Exact.", 0, 1>,
  EltwiseRow<"Gelu", "gelu", 1, "Elementwise Gaussian error linear unit",
    "x / 2 * (1 + erf(x / sqrt(2))) of the input's element x",
    "Computed in f32 within 4 ulp, rounded once to the result's format.">,
  EltwiseRow<"GreaterThan", "gt", 2, "Elementwise greater-than",
    "1 if the first input's element is greater than the second's, otherwise 0",
    "Exact; a comparison with NaN gives 0.">,
  EltwiseRow<"IsFinite", "isfinite", 1, "Elementwise test for a finite number",
    "1 if the input's element is neither an infinity nor NaN, otherwise 0",
    "Exact.">,
  EltwiseRow<"LessEqual", "le", 2, "Elementwise less-or-equal",
    "1 if the first input's element is less than or equal to the second's, "
    "otherwise 0", "Exact; a comparison with NaN gives 0.">,
  EltwiseRow<"LessThan", "lt", 2, "Elementwise less-than",
    "1 if the first input's element is less than the second's, otherwise 0",
    "Exact; a comparison with NaN gives 0.">,
  EltwiseRow<"Log", "log", 1, "Elementwise natural logarithm",
    "the natural logarithm of the input's element",
    "Computed in f32 within 2 ulp, rounded once to the result's format; "
    "-infinity for 0, NaN for negative elements.">,
  EltwiseRow<"Log1p", "log1p", 1, "Elementwise natural logarithm of one plus x",
    "the natural logarithm of 1 plus the input's element",
    "Computed in f32 within 4 ulp, for small elements too, rounded once to the "
    "result's format.">,
  EltwiseRow<"LogicalAnd", "logical_and", 2, "Elementwise logical and",
    "1 if neither input's element is 0, otherwise 0",
    "Exact; NaN is not 0.", 1>,
  EltwiseRow<"LogicalNot", "logical_not", 1, "Elementwise logical negation",
    "1 if the input's element is 0, otherwise 0", "Exact; NaN is not 0.">,
  EltwiseRow<"LogicalOr", "logical_or", 2, "Elementwise logical or",
    "0 if both inputs' elements are 0, otherwise 1",
    "Exact; NaN is not 0.", 1>,
  EltwiseRow<"LogicalXor", "logical_xor", 2, "Elementwise logical exclusive or",
    "1 if exactly one of the inputs' elements is 0, otherwise 0",
    "Exact; NaN is not 0.", 1>,
  EltwiseRow<"Minimum", "minimum", 2, "Elementwise minimum",
    "the smaller of the inputs' elements", "Exact; NaN if either is NaN.", 1>,
  EltwiseRow<"NotEqual", "ne", 2, "Elementwise inequality",
    "1 if the inputs' elements differ, otherwise 0",
    "Exact; a comparison with NaN gives 1.", 1>,
  EltwiseRow<"Power", "power", 2, "Elementwise power",
    "the first input's element raised to the second's",
    "Computed in f32 within 4 ulp, rounded once to the result's format; the "
    "special cases are those of IEEE 754's pow.">,
  EltwiseRow<"Remainder", "remainder", 2, "Elementwise remainder",
    "the remainder of the first input's element divided by the second's, with "
    "the sign of the first", "Exact; NaN for a divisor of 0.">,
  EltwiseRow<"Rsqrt", "rsqrt", 1, "Elementwise reciprocal square root",
    "1 divided by the square root of the input's element",
    "Computed in f32 within 2 ulp, rounded once to the result's format; "
    "infinity for 0, NaN for negative elements.">,
  EltwiseRow<"Sign", "sign", 1, "Elementwise sign",
    "1, 0 or -1 as the input's element is positive, zero or negative",
    "Exact; NaN stays NaN.", 0, 1>,
  EltwiseRow<"Silu", "silu", 1, "Elementwise sigmoid linear unit",
    "x / (1 + exp(-x)) of the input's element x",
    "Computed in f32 within 4 ulp, rounded once to the result's format.">,
  EltwiseRow<"Sin", "sin", 1, "Elementwise sine",
    "the sine of the input's element, in radians",
    "Computed in f32 within 4 ulp, rounded once to the result's format.">,
  EltwiseRow<"Tan", "tan", 1, "Elementwise tangent",
    "the tangent of the input's element, in radians",
    "Computed in f32 within 4 ulp, rounded once to the result's format.">,
  EltwiseRow<"Tanh", "tanh", 1, "Elementwise hyperbolic tangent",
    "the hyperbolic tangent of the input's element",
    "Computed in f32 within 2 ulp, rounded once to the result's format.">,
  EltwiseRow<"Where", "where", 3, "Elementwise choice",
    "the second input's element if the first's is not 0, otherwise the third's",
    "Exact; a condition of NaN is not 0.">
];

/// Ops with numbers of their own.
defvar ParametricRows = [
  ParametricRow<"Clamp", "clamp", "Elementwise limits",
    "the input's element, or the limit `min` or `max` that it exceeds",
    "Exact but for the limits, which are f32; NaN stays NaN.", ["min", "max"],
    "max = 6.000000e+00 : f32, min = 0.000000e+00 : f32, ", "">,
  ParametricRow<"LeakyRelu", "leaky_relu", "Elementwise leaky rectified linear unit",
    "the input's element, times `parameter` if that is negative",
    "Computed in f32, rounded once to the result's format; NaN stays NaN.",
    ["parameter"], "", ", parameter = 1.000000e-02 : f32">
];

/// A change of the element type, which the 'ttnn' op also states.
defvar TypecastRow =
  EltwiseRow<"Typecast", "typecast", 1, "Elementwise change of the element type",
    "the input's element in the result's format",
    "Rounded once; to an integer it truncates towards zero and saturates, NaN "
    "becomes 0.">;

#endif
