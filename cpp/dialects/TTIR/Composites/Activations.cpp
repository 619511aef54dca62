#include "dialects/TTIR/Composites/Composites.h"
#include "dialects/TTIR/TTIRWindows.h"

#include "mlir/Dialect/Traits.h"

#include <cmath>

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttir;
using namespace mlir::tt::graph;

/// The shape that some tensors broadcast to.
static Shapes inferBroadcast(Operation *op, ValueRange values) {
  SmallVector<int64_t> shape(shapeOf(values.front()));
  for (Value value : values.drop_front()) {
    SmallVector<int64_t> joined;
    if (!OpTrait::util::getBroadcastedShape(shape, shapeOf(value), joined))
      return op->emitOpError("expected shapes that broadcast, found ")
             << shapes::toString(shape) << " and "
             << shapes::toString(shapeOf(value));
    shape = joined;
  }
  return SmallVector<shapes::Shape>{shapes::Shape(shape)};
}

Shapes ClampTensorOp::inferShapes() {
  if (failed(verifyOneKind(*this)))
    return failure();
  return inferBroadcast(*this, {getInput(), getMin(), getMax()});
}

Expansion ClampTensorOp::expand(GraphBuilder &b) {
  Type element = getType().getElementType();
  Value low = b.eltwise("maximum", {getInput(), getMin()}, element);
  return SmallVector<Value>{b.eltwise("minimum", {low, getMax()}, element)};
}

Shapes GeluBwOp::inferShapes() {
  if (getApproximate() != "none" && getApproximate() != "tanh")
    return emitOpError("expected approximate to be \"none\" or \"tanh\", found "
                       "\"")
           << getApproximate() << "\"";
  if (!isa<FloatType>(elementOf(getLhs())))
    return emitOpError("expected tensors of floats, found ")
           << elementOf(getLhs());
  if (failed(verifyOneKind(*this)))
    return failure();
  return inferBroadcast(*this, {getLhs(), getRhs()});
}

Expansion GeluBwOp::expand(GraphBuilder &b) {
  Type f32 = b.getBuilder().getF32Type();
  Value x = b.cast(getRhs(), f32), derivative;
  auto number = [&](double value) -> Value { return b.scalar(value, f32); };
  auto times = [&](Value first, Value second) -> Value {
    return b.eltwise("multiply", {first, second});
  };
  auto plus = [&](Value first, Value second) -> Value {
    return b.eltwise("add", {first, second});
  };
  Value square = b.eltwise("square", x);
  if (getApproximate() == "none") {
    // The distribution's function, and x times its density.
    Value below = times(number(0.5),
                        b.eltwise("erfc", times(x, number(-std::sqrt(0.5)))));
    Value density = b.eltwise("exp", times(square, number(-0.5)));
    derivative = plus(below, times(times(x, density),
                                   number(0.5 * M_2_SQRTPI * std::sqrt(0.5))));
  } else {
    // With t = tanh(u): (1 + t) / 2 + x / 2 * (1 - t^2) * u', where (1 + t) / 2
    // is sigmoid(2 u) and 1 - t^2 is 4 sigmoid(2 u) sigmoid(-2 u).
    double scale = 2 * std::sqrt(2 / M_PI);
    Value inner = plus(times(square, number(scale * 0.044715)), number(scale));
    Value twice = times(x, inner);
    Value above = b.eltwise("sigmoid", twice);
    Value below = b.eltwise("sigmoid", b.eltwise("neg", twice));
    Value slope =
        plus(times(square, number(3 * scale * 0.044715)), number(scale));
    derivative = plus(above, times(times(x, slope), times(above, below)));
  }
  return SmallVector<Value>{b.eltwise("multiply", {getLhs(), derivative},
                                      getType().getElementType())};
}
