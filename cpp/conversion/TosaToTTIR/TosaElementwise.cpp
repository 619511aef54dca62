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
    {"tosa.logical_not", "logical_not"},
    {"tosa.logical_or", "logical_or"},
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
  if (!shift || *shift != 0) {
    InFlightDiagnostic error = op.emitOpError(
        "cannot be expressed in TTIR: expected a constant shift of 0, found ");
    return shift ? error << static_cast<int64_t>(*shift)
                 : error << "another value";
  }
  Value result = op.getOutput();
  Type element = translator.resultType(result).getElementType();
  GraphBuilder &graph = translator.graph();
  // The product of narrow elements may have wider ones.
  Value a = graph.cast(translator.get(op.getInput1()), element);
  Value b = graph.cast(translator.get(op.getInput2()), element);
  return translator.set(result, graph.eltwise("multiply", {a, b}));
}

LogicalResult convertNegate(tosa::NegateOp op, Translator &translator) {
  if (failed(expectZeroPoint(op, op.getInput1Zp())) ||
      failed(expectZeroPoint(op, op.getOutputZp())))
    return failure();
  return translator.set(
      op.getOutput(),
      translator.graph().eltwise("neg", translator.get(op.getInput1())));
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
    result = graph.cast(graph.roundToEven(input), to);
  else
    result = graph.cast(input, to);
  return translator.set(op.getOutput(), result);
}

/// Shifts are by one constant.
LogicalResult convertShift(Operation *op, Translator &translator) {
  std::optional<int64_t> count = shiftCount(translator.get(op->getOperand(1)));
  if (!count)
    return op->emitOpError("cannot be expressed in TTIR: expected a shift by "
                           "one constant of 0 to 31");
  GraphBuilder &graph = translator.graph();
  Value input = translator.get(op->getOperand(0)), result;
  if (isa<tosa::LogicalLeftShiftOp>(op))
    result = graph.shiftLeft(input, *count);
  else
    result =
        graph.shiftRight(input, *count, isa<tosa::LogicalRightShiftOp>(op));
  auto arithmetic = dyn_cast<tosa::ArithmeticRightShiftOp>(op);
  if (arithmetic && arithmetic.getRound() && *count > 0) {
    Value last = graph.eltwise("bitwise_and",
                               {graph.shiftRight(input, *count - 1, false),
                                graph.scalar(1, elementOf(input))});
    result = graph.eltwise("add", {result, last});
  }
  // A constant of more dimensions may broadcast the input.
  RankedTensorType type = translator.resultType(op->getResult(0));
  return translator.set(op->getResult(0),
                        graph.broadcast(result, type.getShape()));
}

LogicalResult convertIdentity(tosa::IdentityOp op, Translator &translator) {
  return translator.set(op.getOutput(), translator.get(op.getInput1()));
}

} // namespace

LogicalResult expectZeroPoint(Operation *op, Value zeroPoint) {
  std::optional<double> value = constantSplat(zeroPoint);
  if (value && *value == 0)
    return success();
  InFlightDiagnostic error =
      op->emitOpError("cannot be expressed in TTIR: expected constant zero "
                      "points of 0, found ");
  return value ? error << *value : error << "another value";
}

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
  rules.add<tosa::ArithmeticRightShiftOp, tosa::LogicalLeftShiftOp,
            tosa::LogicalRightShiftOp>(convertShift);
  rules.add<tosa::IdentityOp>(typed<tosa::IdentityOp, convertIdentity>);

  rules.reject<tosa::ClzOp>("it has no count of leading zeros");
  rules.reject<tosa::TableOp>("tables of quantized numbers are not supported");
  rules.reject<tosa::ApplyScaleOp, tosa::RescaleOp, tosa::CastFromBlockScaledOp,
               tosa::CastToBlockScaledOp, tosa::MatmulTBlockScaledOp>(
      "quantized and block-scaled numbers are not supported, expected "
      "elements f32, f16, bf16, i32 or i1");
}

} // namespace mlir::tt
