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
                 bit isIdempotent = 0> {
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
  /// Inputs in an example.
  string exampleInputs = !if(!eq(opArity, 1), "%a", "%a, %b");
  string exampleTypes =
      !if(!eq(opArity, 1), "tensor<64x128xf32>",
          "tensor<64x128xf32>, tensor<64x128xf32>");
  string exampleConstraints =
      !if(!eq(opArity, 1), "#any, #any", "#any, #any, #any");
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
    "Computed in f32, rounded once to the result's format.">
];

#endif
