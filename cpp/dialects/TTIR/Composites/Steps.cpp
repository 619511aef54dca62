#include "dialects/TTIR/Composites/Composites.h"

#include <cmath>

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttir;
using namespace mlir::tt::graph;

//===----------------------------------------------------------------------===//
// Reductions of truth values
//===----------------------------------------------------------------------===//

/// 1 where the input is not 0, reduced by `name`.
template <typename ReduceOp>
static Expansion expandLogic(ReduceOp op, GraphBuilder &b, StringRef name) {
  // Reductions have kernels for floats; 0 and 1 are the same in all formats.
  Type f32 = b.getBuilder().getF32Type();
  Value input = op.getInput();
  Value truth = b.eltwise("ne", {input, b.scalar(0, elementOf(input))}, f32);
  int64_t rank = typeOf(input).getRank();
  SmallVector<int64_t> dims;
  if (ArrayAttr given = op.getDimArgAttr())
    for (auto dim : given.template getAsRange<IntegerAttr>())
      dims.push_back(*shapes::normalizeDim(dim.getInt(), rank));
  if (dims.empty())
    dims = range(rank);
  Value kept = b.reduce(name, truth, dims, true);
  Value result = b.cast(kept, op.getType().getElementType());
  return SmallVector<Value>{b.reshape(result, op.getType().getShape())};
}

static Shapes one(FailureOr<shapes::Shape> shape) {
  if (failed(shape))
    return failure();
  return SmallVector<shapes::Shape>{*shape};
}

Shapes ReduceAndOp::inferShapes() {
  return one(shapes::inferReduction(*this, getInput().getType(), getKeepDim(),
                                    getDimArgAttr()));
}

Expansion ReduceAndOp::expand(GraphBuilder &b) {
  return expandLogic(*this, b, "min");
}

Shapes ReduceOrOp::inferShapes() {
  return one(shapes::inferReduction(*this, getInput().getType(), getKeepDim(),
                                    getDimArgAttr()));
}

Expansion ReduceOrOp::expand(GraphBuilder &b) {
  return expandLogic(*this, b, "max");
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

static Shapes statedShape(Operation *op, ArrayRef<int32_t> shape) {
  for (int32_t extent : shape)
    if (extent < 0)
      return op->emitOpError("expected extents of 0 or more, found ") << extent;
  return SmallVector<shapes::Shape>{shapes::Shape(shape.begin(), shape.end())};
}

Shapes ZerosOp::inferShapes() { return statedShape(*this, getShape()); }

Expansion ZerosOp::expand(GraphBuilder &b) {
  RankedTensorType type = getType();
  return SmallVector<Value>{b.splat(
      0, RankedTensorType::get(type.getShape(), type.getElementType()))};
}

Shapes OnesOp::inferShapes() { return statedShape(*this, getShape()); }

Expansion OnesOp::expand(GraphBuilder &b) {
  RankedTensorType type = getType();
  return SmallVector<Value>{b.splat(
      1, RankedTensorType::get(type.getShape(), type.getElementType()))};
}

//===----------------------------------------------------------------------===//
// adamw
//===----------------------------------------------------------------------===//

Shapes AdamWOp::inferShapes() {
  RankedTensorType type = getParam().getType();
  SmallVector<Value> others{getGrad(), getExpAvg(), getExpAvgSq()};
  if (Value max = getMaxExpAvgSq())
    others.push_back(max);
  for (Value other : others)
    if (shapeOf(other) != type.getShape())
      return emitOpError("expected tensors of the parameter's shape ")
             << shapes::toString(type.getShape()) << ", found "
             << shapes::toString(shapeOf(other));
  if (getStochasticRounding())
    return emitOpError("expected stochastic_rounding to be false, found true: "
                       "results are rounded to the nearest");
  return SmallVector<shapes::Shape>(others.size(),
                                    shapes::Shape(type.getShape()));
}

Expansion AdamWOp::expand(GraphBuilder &b) {
  Type f32 = b.getBuilder().getF32Type();
  auto number = [&](double value) -> Value { return b.scalar(value, f32); };
  auto times = [&](Value x, double factor) -> Value {
    return b.eltwise("multiply", {x, number(factor)}, f32);
  };
  double lr = getLr().convertToFloat(), beta1 = getBeta1().convertToFloat(),
         beta2 = getBeta2().convertToFloat();
  double rest1 = 1 - static_cast<double>(getBeta1Pow().convertToFloat());
  double rest2 = 1 - static_cast<double>(getBeta2Pow().convertToFloat());

  Value grad = toF32(b, getGrad());
  Value mean = b.eltwise(
      "add", {times(getExpAvg(), beta1), times(grad, 1 - beta1)}, f32);
  Value square = b.eltwise("multiply", {grad, grad});
  Value power = b.eltwise(
      "add", {times(getExpAvgSq(), beta2), times(square, 1 - beta2)}, f32);
  Value most = power;
  if (Value max = getMaxExpAvgSq())
    most = b.eltwise("maximum", {power, toF32(b, max)}, f32);
  Value root = times(b.eltwise("sqrt", most), 1 / std::sqrt(rest2));
  Value divisor =
      b.eltwise("add", {root, number(getEpsilon().convertToFloat())}, f32);
  Value step = b.eltwise("div", {times(mean, lr / rest1), divisor});
  Value decayed = times(getParam(), 1 - lr * getWeightDecay().convertToFloat());
  SmallVector<Value> made{b.eltwise("subtract", {decayed, step}), mean, power};
  if (getMaxExpAvgSq())
    made.push_back(most);
  for (auto [value, result] : llvm::zip_equal(made, getResults()))
    value = b.cast(value, elementOf(result));
  return made;
}
