#include "conversion/Frontend/FixedPoint.h"
#include "conversion/TosaToTTIR/TosaToTTIR.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"

namespace mlir::tt {

using namespace frontend;

namespace {

/// The least and the greatest integer of a type of at most 32 bits.
std::pair<int64_t, int64_t> limitsOf(unsigned width, bool isUnsigned) {
  int64_t count = int64_t(1) << width;
  return isUnsigned ? std::pair(int64_t(0), count - 1)
                    : std::pair(-count / 2, count / 2 - 1);
}

FailureOr<SmallVector<int64_t>> readNumbers(Operation *op, Value operand,
                                            StringRef what) {
  std::optional<SmallVector<int64_t>> numbers = constantIntegers(operand);
  if (!numbers)
    return op->emitOpError("cannot be expressed in TTIR: expected a constant ")
           << what;
  return *numbers;
}

/// input - zero point, times multiplier / 2^shift, plus the zero point of the
/// output, and limited to its type; in 32 bits.
LogicalResult convertRescale(tosa::RescaleOp op, Translator &translator) {
  GraphBuilder &graph = translator.graph();
  Type word = graph.getIndexType();
  FailureOr<SmallVector<int64_t>> multiplier =
      readNumbers(op, op.getMultiplier(), "multiplier");
  FailureOr<SmallVector<int64_t>> shift =
      readNumbers(op, op.getShift(), "shift");
  if (failed(multiplier) || failed(shift))
    return failure();
  FailureOr<int64_t> inputZero =
      readZeroPoint(op, op.getInputZp(), op.getInputUnsigned());
  FailureOr<int64_t> outputZero =
      readZeroPoint(op, op.getOutputZp(), op.getOutputUnsigned());
  if (failed(inputZero) || failed(outputZero))
    return failure();
  if (op.getRoundingMode() != tosa::RoundingMode::SINGLE_ROUND)
    return op.emitOpError("cannot be expressed in TTIR: expected the rounding "
                          "mode SINGLE_ROUND, found ")
           << tosa::stringifyRoundingMode(op.getRoundingMode());
  for (int64_t places : *shift)
    if (places < 2 || places > 62)
      return op.emitOpError("expected shifts of 2 to 62, found ") << places;

  // One multiplier and shift, or one for each element of the last dimension.
  SmallVector<int64_t> shape;
  if (op.getPerChannel())
    shape.assign(1, static_cast<int64_t>(multiplier->size()));
  else
    multiplier->resize(1), shift->resize(1);
  SmallVector<APInt> factors;
  for (int64_t factor : *multiplier)
    factors.push_back(APInt(32, factor, /*isSigned=*/true,
                            /*implicitTrunc=*/true));
  Value scales = graph.constant(
      DenseElementsAttr::get(RankedTensorType::get(shape, word), factors));
  Value input = translator.get(op.getInput()), value;
  if (isWide(op.getInput().getType())) {
    value =
        multiplyShiftWide(graph, readPair(graph, input), scales, *shift, shape);
  } else {
    Type element = elementOf(input);
    if (op.getInputUnsigned())
      element = graph.getBuilder().getIntegerType(
          element.getIntOrFloatBitWidth(), /*isSigned=*/false);
    value = graph.cast(graph.cast(input, element), word);
    if (*inputZero != 0)
      value =
          graph.eltwise("subtract", {value, graph.scalar(*inputZero, word)});
    value = multiplyShift(graph, value, scales, *shift, shape);
  }
  if (*outputZero != 0)
    value = graph.eltwise("add", {value, graph.scalar(*outputZero, word)});
  RankedTensorType result = translator.resultType(op.getOutput());
  unsigned width = result.getElementTypeBitWidth();
  if (isWide(op.getOutput().getType()))
    return op.emitOpError("cannot be expressed in TTIR: expected an output of "
                          "at most 32 bits, found ")
           << op.getOutput().getType();
  if (width < 32) {
    auto [low, high] = limitsOf(width, op.getOutputUnsigned());
    value = graph.eltwise("maximum", {value, graph.scalar(low, word)});
    value = graph.eltwise("minimum", {value, graph.scalar(high, word)});
  }
  return translator.set(op.getOutput(),
                        graph.cast(value, result.getElementType()));
}

/// i8: the entry of each value. i16: between the two entries around it, which
/// are 128 apart, in 7 more bits.
LogicalResult convertTable(tosa::TableOp op, Translator &translator) {
  GraphBuilder &graph = translator.graph();
  Type word = graph.getIndexType();
  Value input = translator.get(op.getInput1());
  Value table = translator.get(op.getTable());
  SmallVector<int64_t> shape(shapeOf(input));
  auto entry = [&](Value index) {
    int64_t count = typeOf(input).getNumElements();
    Value found = graph.take(table, 0, graph.reshape(index, {count}));
    return graph.reshape(found, shape);
  };
  bool isNarrow = getElementTypeOrSelf(op.getInput1().getType()).isInteger(8);
  Value value = graph.cast(input, word);
  value =
      graph.eltwise("add", {value, graph.scalar(isNarrow ? 128 : 32768, word)});
  if (isNarrow)
    return translator.set(op.getOutput(), entry(value));
  Value seven = graph.scalar(7, word);
  Value index = graph.eltwise("right_shift", {value, seven});
  Value part = graph.eltwise("bitwise_and", {value, graph.scalar(127, word)});
  Value first = graph.cast(entry(index), word);
  Value second = graph.cast(
      entry(graph.eltwise("add", {index, graph.scalar(1, word)})), word);
  Value slope = graph.eltwise("subtract", {second, first});
  Value base = graph.eltwise("logical_left_shift", {first, seven});
  return translator.set(
      op.getOutput(),
      graph.eltwise("add", {base, graph.eltwise("multiply", {slope, part})}));
}

} // namespace

FailureOr<int64_t> readZeroPoint(Operation *op, Value operand,
                                 bool isUnsigned) {
  // Tensors of floats have one, too: 0.
  if (std::optional<double> zero = constantSplat(operand); zero && *zero == 0)
    return 0;
  FailureOr<SmallVector<int64_t>> numbers =
      readNumbers(op, operand, "zero point");
  if (failed(numbers))
    return failure();
  unsigned width =
      getElementTypeOrSelf(operand.getType()).getIntOrFloatBitWidth();
  int64_t value = numbers->front();
  return isUnsigned && value < 0 ? value + (int64_t(1) << width) : value;
}

FailureOr<Factor> shifted(Operation *op, Value old, Value zeroPoint,
                          Translator &translator) {
  Value input = translator.get(old);
  FailureOr<int64_t> zero = readZeroPoint(op, zeroPoint);
  if (failed(zero))
    return failure();
  if (isa<FloatType>(elementOf(input)))
    return Factor{input};
  int64_t bound = int64_t(1) << (elementOf(input).getIntOrFloatBitWidth() - 1);
  if (*zero == 0)
    return Factor{input, bound};
  GraphBuilder &graph = translator.graph();
  Type word = graph.getIndexType();
  Value value = graph.eltwise(
      "subtract", {graph.cast(input, word), graph.scalar(*zero, word)});
  return Factor{value, bound + std::abs(*zero)};
}

LogicalResult setWideSums(Operation *op, Factor a, Factor b, int64_t terms,
                          Value bias,
                          llvm::function_ref<Value(Value, Value)> product,
                          Translator &translator) {
  GraphBuilder &graph = translator.graph();
  std::optional<Wide> sums = sumProducts(graph, a, b, terms, product);
  if (!sums)
    return op->emitOpError("cannot be expressed in TTIR: expected sums of "
                           "at most 2^23 products, found ")
           << terms;
  if (bias)
    sums = addWide(graph, *sums, readPair(graph, translator.get(bias)));
  return translator.set(op->getResult(0), writePair(graph, *sums));
}

void addTosaQuantizedRules(Rules &rules) {
  rules.add<tosa::RescaleOp>(typed<tosa::RescaleOp, convertRescale>,
                             /*parametersFrom=*/1);
  rules.allowWide<tosa::RescaleOp>();
  rules.add<tosa::TableOp>(typed<tosa::TableOp, convertTable>);
  rules.reject<tosa::ApplyScaleOp, tosa::CastFromBlockScaledOp,
               tosa::CastToBlockScaledOp, tosa::MatmulTBlockScaledOp>(
      "block-scaled numbers are not supported, expected elements f32, f16, "
      "bf16, i8, i16, i32 or i1");
}

} // namespace mlir::tt
