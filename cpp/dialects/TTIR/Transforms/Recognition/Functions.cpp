#include "dialects/TTIR/Transforms/Recognition/Matchers.h"

#include <cmath>

namespace mlir::tt::ttir {

/// Whether a constant is what a format holds of `exact`.
static bool isNear(double found, double exact, Type element) {
  double step = element.isF32() ? 1e-6 : 1.0 / 128;
  return std::abs(found - exact) <= step * std::abs(exact);
}

/// exp(x - max(x)) / sum(exp(x - max(x))) along one dimension.
Value recognizeSoftmax(DivOp op, graph::GraphBuilder &b) {
  Matcher matcher(op);
  Value powers = op->getOperand(0);
  auto exp = matcher.find<ExpOp>(powers);
  if (!exp)
    return {};
  RankedTensorType type = graph::typeOf(powers);
  SmallVector<int64_t> dims, maxDims;
  auto sum = matcher.reduced<SumOp>(op->getOperand(1), type, dims);
  if (!sum || sum.getInput() != powers || dims.size() != 1)
    return {};
  auto subtract = matcher.find<SubtractOp>(exp->getOperand(0));
  if (!subtract)
    return {};
  Value x = subtract->getOperand(0), shift = subtract->getOperand(1);
  auto max = matcher.reduced<MaxOp>(shift, type, maxDims);
  if (!max || max.getInput() != x || maxDims != dims ||
      graph::typeOf(x).getShape() != type.getShape() ||
      graph::shapeOf(op->getResult(0)) != type.getShape() || !matcher.ownsAll())
    return {};
  return b.op("softmax", x,
              RankedTensorType::get(type.getShape(),
                                    graph::elementOf(op->getResult(0))),
              b.si32("dimension", dims.front()));
}

/// x * sigmoid(x)
Value recognizeSilu(MultiplyOp op, graph::GraphBuilder &b) {
  for (unsigned i : {0, 1}) {
    Matcher matcher(op);
    Value x = op->getOperand(i);
    if (matcher.unary<SigmoidOp>(op->getOperand(1 - i)) == x &&
        matcher.ownsAll())
      return b.eltwise("silu", x, graph::elementOf(op->getResult(0)));
  }
  return {};
}

namespace {
/// A product, factor by factor.
struct Factors {
  double number = 1;
  SmallVector<Value> values;
};
} // namespace

static void collectFactors(Matcher &matcher, Value value, Factors &factors,
                           unsigned depth) {
  if (std::optional<double> number = Matcher::getNumber(value)) {
    factors.number *= *number;
    return;
  }
  auto multiply = value.getDefiningOp<MultiplyOp>();
  // A product that others read is a factor as it is.
  if (!multiply || depth == 0 || (depth < 4 && !value.hasOneUse())) {
    factors.values.push_back(value);
    return;
  }
  matcher.find<MultiplyOp>(value);
  for (Value operand : {multiply->getOperand(0), multiply->getOperand(1)})
    collectFactors(matcher, operand, factors, depth - 1);
}

/// x / 2 * (1 + erf(x / sqrt(2))), with the factors in any order.
Value recognizeGelu(MultiplyOp op, graph::GraphBuilder &b) {
  Matcher matcher(op);
  Factors factors;
  Type element = graph::elementOf(op->getResult(0));
  collectFactors(matcher, op->getResult(0), factors, 4);
  if (factors.values.size() != 2)
    return {};
  for (unsigned i : {0, 1}) {
    Matcher both = matcher;
    Value x = factors.values[i], other = factors.values[1 - i];
    double number = 0, one = 0;
    Value root = both.withNumber<AddOp>(other, one);
    Value scaled = root && one == 1 ? both.unary<ErfOp>(root) : Value();
    if (!scaled)
      continue;
    Value inner = both.withNumber<MultiplyOp>(scaled, number);
    if (!inner) {
      inner = both.withNumber<DivOp>(scaled, number);
      number = 1 / number;
    }
    if (inner == x && isNear(number, std::sqrt(0.5), element) &&
        factors.number == 0.5 &&
        graph::shapeOf(x) == graph::shapeOf(op->getResult(0)) && both.ownsAll())
      return b.eltwise("gelu", x, element);
  }
  return {};
}

} // namespace mlir::tt::ttir
