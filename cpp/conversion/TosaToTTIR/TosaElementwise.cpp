#include "conversion/Frontend/FixedPoint.h"
#include "conversion/TosaToTTIR/TosaToTTIR.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "llvm/ADT/StringSwitch.h"

namespace mlir::tt {

using namespace frontend;

namespace {

/// TOSA ops that are one elementwise op of TTIR, with the same operands.
struct Row {
  StringRef tosa;
  StringRef ttir;
};

constexpr Row rows[] = {
    {"tosa.abs", "abs"},
    {"tosa.add", "add"},
    {"tosa.bitwise_and", "bitwise_and"},
    {"tosa.bitwise_not", "bitwise_not"},
    {"tosa.bitwise_or", "bitwise_or"},
    {"tosa.bitwise_xor", "bitwise_xor"},
    {"tosa.ceil", "ceil"},
    {"tosa.clz", "clz"},
    {"tosa.cos", "cos"},
    {"tosa.equal", "eq"},
    {"tosa.erf", "erf"},
    {"tosa.exp", "exp"},
    {"tosa.floor", "floor"},
    {"tosa.greater", "gt"},
    {"tosa.greater_equal", "ge"},
    {"tosa.intdiv", "div"},
    {"tosa.log", "log"},
    {"tosa.logical_and", "logical_and"},
    {"tosa.logical_left_shift", "logical_left_shift"},
    {"tosa.logical_not", "logical_not"},
    {"tosa.logical_or", "logical_or"},
    {"tosa.logical_right_shift", "logical_right_shift"},
    {"tosa.logical_xor", "logical_xor"},
    {"tosa.pow", "power"},
    {"tosa.reciprocal", "reciprocal"},
    {"tosa.rsqrt", "rsqrt"},
    {"tosa.select", "where"},
    {"tosa.sigmoid", "sigmoid"},
    {"tosa.sin", "sin"},
    {"tosa.sub", "subtract"},
    {"tosa.tanh", "tanh"},
};

LogicalResult convertRow(Operation *op, Translator &translator) {
  StringRef name = op->getName().getStringRef();
  const Row *row = llvm::find_if(
      rows, [&](const Row &candidate) { return candidate.tosa == name; });
  Value result = op->getResult(0);
  return translator.set(result,
                        translator.graph().eltwise(
                            row->ttir, translator.get(op->getOperands()),
                            translator.resultType(result).getElementType()));
}

template <typename OpT> bool ignoresNaN(OpT op) {
  return op.getNanMode() == tosa::NanPropagationMode::IGNORE;
}

template <typename OpT>
LogicalResult convertExtremum(OpT op, Translator &translator) {
  constexpr bool isMax = std::is_same_v<OpT, tosa::MaximumOp>;
  StringRef name = isMax ? "maximum" : "minimum";
  Value a = translator.get(op.getInput1()), b = translator.get(op.getInput2());
  GraphBuilder &graph = translator.graph();
  bool ignore = ignoresNaN(op) && isa<FloatType>(elementOf(a));
  return translator.set(op.getOutput(), ignore ? graph.ignoringNaN(name, a, b)
                                               : graph.eltwise(name, {a, b}));
}

LogicalResult convertMul(tosa::MulOp op, Translator &translator) {
  std::optional<double> shift = constantSplat(op.getShift());
  if (!shift || *shift < 0 || *shift > 62) {
    InFlightDiagnostic error =
        op.emitOpError("cannot be expressed in TTIR: expected a constant shift "
                       "of 0 to 62, found ");
    return shift ? error << static_cast<int64_t>(*shift)
                 : error << "another value";
  }
  Value result = op.getOutput();
  Type element = translator.resultType(result).getElementType();
  GraphBuilder &graph = translator.graph();
  // The product of narrow elements may have wider ones.
  Value a = graph.cast(translator.get(op.getInput1()), element);
  Value b = graph.cast(translator.get(op.getInput2()), element);
  if (*shift == 0)
    return translator.set(result, graph.eltwise("multiply", {a, b}));
  return translator.set(
      result, multiplyShift(graph, a, b, {static_cast<int64_t>(*shift)}, {}));
}

/// Of integers: zero point of the output - (x - zero point of the input),
/// limited to the type.
LogicalResult convertNegate(tosa::NegateOp op, Translator &translator) {
  FailureOr<int64_t> inputZero = readZeroPoint(op, op.getInput1Zp());
  FailureOr<int64_t> outputZero = readZeroPoint(op, op.getOutputZp());
  if (failed(inputZero) || failed(outputZero))
    return failure();
  GraphBuilder &graph = translator.graph();
  Value input = translator.get(op.getInput1());
  Type element = elementOf(input), word = graph.getIndexType();
  if (isa<FloatType>(element) || element == word)
    return translator.set(op.getOutput(), graph.eltwise("neg", input));
  Value sum = graph.scalar(*inputZero + *outputZero, word);
  Value result = graph.eltwise("subtract", {sum, graph.cast(input, word)});
  double half = std::ldexp(1.0, element.getIntOrFloatBitWidth() - 1);
  result = graph.eltwise("maximum", {result, graph.scalar(-half, word)});
  result = graph.eltwise("minimum", {result, graph.scalar(half - 1, word)});
  return translator.set(op.getOutput(), graph.cast(result, element));
}

/// Whether a bound changes no number.
bool isOpen(double bound, Type element, bool isMax) {
  if (isa<FloatType>(element))
    return bound == (isMax ? INFINITY : -INFINITY);
  unsigned width = element.getIntOrFloatBitWidth();
  if (element.isUnsignedInteger())
    return isMax ? bound >= std::ldexp(1.0, width) - 1 : bound <= 0;
  return isMax ? bound >= std::ldexp(1.0, width - 1) - 1
               : bound <= -std::ldexp(1.0, width - 1);
}

LogicalResult convertClamp(tosa::ClampOp op, Translator &translator) {
  GraphBuilder &graph = translator.graph();
  Value input = translator.get(op.getInput());
  Type element = elementOf(input);
  double low = *splatOf(op.getMinVal()), high = *splatOf(op.getMaxVal());
  bool lowOpen = isOpen(low, element, false),
       highOpen = isOpen(high, element, true);
  Value result = input;
  if (lowOpen || highOpen || !isa<FloatType>(element)) {
    // Bounds of integers are exact this way.
    if (low == 0 && !lowOpen)
      result = graph.eltwise("relu", result);
    else if (!lowOpen)
      result = graph.eltwise("maximum", {result, graph.scalar(low, element)});
    if (!highOpen)
      result = graph.eltwise("minimum", {result, graph.scalar(high, element)});
  } else {
    OpBuilder &builder = graph.getBuilder();
    result = graph.eltwise("clamp", input, element,
                           {graph.attr("min", builder.getF32FloatAttr(low)),
                            graph.attr("max", builder.getF32FloatAttr(high))});
  }
  if (ignoresNaN(op) && isa<FloatType>(element))
    result =
        graph.select(graph.isNaN(input), graph.scalar(low, element), result);
  return translator.set(op.getOutput(), result);
}

LogicalResult convertCast(tosa::CastOp op, Translator &translator) {
  GraphBuilder &graph = translator.graph();
  Value input = translator.get(op.getInput());
  Type from = elementOf(input);
  Type to = translator.resultType(op.getOutput()).getElementType();
  bool toBool = getElementTypeOrSelf(op.getOutput().getType()).isInteger(1);
  Value result;
  if (toBool && !getElementTypeOrSelf(op.getInput().getType()).isInteger(1))
    result = graph.predicate("ne", {input, graph.scalar(0, from)});
  else if (isa<FloatType>(from) && isa<IntegerType>(to))
    result = graph.cast(graph.eltwise("roundeven", input), to);
  else
    result = graph.cast(input, to);
  return translator.set(op.getOutput(), result);
}

/// With `round`, the last bit that falls out is added.
LogicalResult convertShift(tosa::ArithmeticRightShiftOp op,
                           Translator &translator) {
  GraphBuilder &graph = translator.graph();
  Value input = translator.get(op.getInput1());
  Value count = translator.get(op.getInput2());
  Value result = graph.eltwise("right_shift", {input, count});
  if (op.getRound()) {
    // Nothing falls out where the count is 0: a shift by -1 leaves nothing.
    Value one = graph.scalar(1, elementOf(input));
    Value before = graph.eltwise("subtract", {count, one});
    Value moved = graph.eltwise("logical_right_shift", {input, before});
    Value last = graph.eltwise("bitwise_and", {moved, one});
    result = graph.eltwise("add", {result, last});
  }
  return translator.set(op.getOutput(), result);
}

LogicalResult convertIdentity(tosa::IdentityOp op, Translator &translator) {
  return translator.set(op.getOutput(), translator.get(op.getInput1()));
}

} // namespace

void addTosaElementwiseRules(Rules &rules) {
  for (const Row &row : rows)
    rules.add(row.tosa, convertRow);
  rules.add<tosa::MaximumOp>(
      typed<tosa::MaximumOp, convertExtremum<tosa::MaximumOp>>);
  rules.add<tosa::MinimumOp>(
      typed<tosa::MinimumOp, convertExtremum<tosa::MinimumOp>>);
  rules.add<tosa::MulOp>(typed<tosa::MulOp, convertMul>, /*parametersFrom=*/2);
  rules.add<tosa::NegateOp>(typed<tosa::NegateOp, convertNegate>,
                            /*parametersFrom=*/1);
  rules.add<tosa::ClampOp>(typed<tosa::ClampOp, convertClamp>);
  rules.add<tosa::CastOp>(typed<tosa::CastOp, convertCast>);
  rules.add<tosa::ArithmeticRightShiftOp>(
      typed<tosa::ArithmeticRightShiftOp, convertShift>);
  rules.add<tosa::IdentityOp>(typed<tosa::IdentityOp, convertIdentity>);
  rules.allowWide<tosa::IdentityOp>();
}

} // namespace mlir::tt
