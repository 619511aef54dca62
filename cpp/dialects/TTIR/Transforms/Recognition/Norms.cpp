#include "dialects/TTIR/Transforms/Recognition/Matchers.h"

#include <cmath>

namespace mlir::tt::ttir {

namespace {

/// The mean of a tensor over its last dimensions, said as a mean or as a sum
/// divided by the number of elements.
struct Mean {
  Value input;
  SmallVector<int64_t> dims;
};

/// A norm in pieces; null values are not there.
struct Norm {
  Value x, weight, bias;
  SmallVector<int64_t> extents;
  double epsilon = 0;
  bool isCentred = false;
};

} // namespace

static std::optional<Mean> findMean(Matcher &matcher, Value value,
                                    RankedTensorType type) {
  Mean found;
  value = matcher.withoutBroadcast(value);
  if (auto mean = matcher.reduced<MeanOp>(value, type, found.dims)) {
    found.input = mean.getInput();
    return found;
  }
  double count = 0;
  Value sum = matcher.withNumber<DivOp>(value, count);
  if (!sum) {
    sum = matcher.withNumber<MultiplyOp>(value, count);
    count = 1 / count;
  }
  if (!sum)
    return std::nullopt;
  auto reduced = matcher.reduced<SumOp>(sum, type, found.dims);
  if (!reduced)
    return std::nullopt;
  double elements = 1;
  for (int64_t dim : found.dims)
    elements *= type.getDimSize(dim);
  if (std::abs(count - elements) > 1e-6 * elements)
    return std::nullopt;
  found.input = reduced.getInput();
  return found;
}

/// Whether the dimensions are the last ones.
static bool areLast(ArrayRef<int64_t> dims, int64_t rank) {
  for (auto [i, dim] : llvm::enumerate(dims))
    if (dim != rank - static_cast<int64_t>(dims.size() - i))
      return false;
  return !dims.empty();
}

/// `root` * `x`, where root is rsqrt(mean(x * x) + epsilon), or x / sqrt(..).
static bool findNormal(Matcher &matcher, Value value, Norm &norm) {
  RankedTensorType type = graph::typeOf(value);
  auto match = [&](Value x, Value root, bool isDivisor) {
    root = matcher.withoutBroadcast(root);
    Value shifted =
        isDivisor ? matcher.unary<SqrtOp>(root) : matcher.unary<RsqrtOp>(root);
    if (!shifted || graph::shapeOf(x) != type.getShape())
      return false;
    Value square = matcher.withNumber<AddOp>(shifted, norm.epsilon);
    if (!square)
      return false;
    std::optional<Mean> mean = findMean(matcher, square, type);
    if (!mean || !areLast(mean->dims, type.getRank()))
      return false;
    auto product = matcher.find<MultiplyOp>(mean->input);
    if (!product || product->getOperand(0) != x || product->getOperand(1) != x)
      return false;
    norm.x = x;
    norm.extents.assign(type.getShape().end() - mean->dims.size(),
                        type.getShape().end());
    // Without a centre it is the norm of x itself.
    auto subtract = x.getDefiningOp<SubtractOp>();
    if (!subtract)
      return true;
    Matcher inner = matcher;
    inner.find<SubtractOp>(x);
    std::optional<Mean> centre = findMean(inner, subtract->getOperand(1), type);
    if (centre && centre->input == subtract->getOperand(0) &&
        centre->dims == mean->dims &&
        graph::shapeOf(centre->input) == type.getShape()) {
      matcher = inner;
      norm.x = centre->input;
      norm.isCentred = true;
    }
    return true;
  };
  if (auto divide = matcher.find<DivOp>(value))
    return match(divide->getOperand(0), divide->getOperand(1), true);
  auto multiply = matcher.find<MultiplyOp>(value);
  if (!multiply)
    return false;
  for (unsigned i : {0, 1}) {
    Matcher before = matcher;
    if (match(multiply->getOperand(i), multiply->getOperand(1 - i), false))
      return true;
    matcher = before;
  }
  return false;
}

/// A tensor of the last extents that is read at each place, without its
/// broadcast.
static Value findParameter(Matcher &matcher, Value value,
                           ArrayRef<int64_t> extents) {
  if (auto broadcast = value.getDefiningOp<BroadcastOp>()) {
    shapes::Shape aligned = shapes::alignBroadcast(
        graph::shapeOf(broadcast.getInput()), broadcast.getType().getRank(),
        broadcast.getDimension());
    shapes::Shape expected(broadcast.getType().getRank() - extents.size(), 1);
    expected.append(extents.begin(), extents.end());
    if (aligned != expected)
      return {};
    matcher.find<BroadcastOp>(value);
    value = broadcast.getInput();
  }
  ArrayRef<int64_t> shape = graph::shapeOf(value);
  auto isOne = [](int64_t extent) { return extent == 1; };
  if (shape.size() < extents.size() ||
      shape.take_back(extents.size()) != extents ||
      !llvm::all_of(shape.drop_back(extents.size()), isOne))
    return {};
  return value;
}

/// Which operand of a commutative op is the parameter; the other one is the
/// rest.
template <typename OpT, typename Rest>
static bool withParameter(Matcher &matcher, Value value, Value &parameter,
                          Norm &norm, Rest rest) {
  auto op = value.getDefiningOp<OpT>();
  if (!op)
    return false;
  for (unsigned i : {0, 1}) {
    Matcher tried = matcher;
    Norm found = norm;
    tried.template find<OpT>(value);
    Value inner = op->getOperand(i), other = op->getOperand(1 - i);
    if (graph::shapeOf(inner) != graph::shapeOf(value) ||
        !rest(tried, inner, found))
      continue;
    Value own = findParameter(tried, other, found.extents);
    if (!own)
      continue;
    matcher = tried;
    norm = found;
    parameter = own;
    return true;
  }
  return false;
}

static bool findWeighted(Matcher &matcher, Value value, Norm &norm) {
  Value weight;
  Matcher tried = matcher;
  Norm found;
  if (withParameter<MultiplyOp>(tried, value, weight, found, findNormal)) {
    matcher = tried;
    norm = found;
    norm.weight = weight;
    return true;
  }
  return findNormal(matcher, value, norm);
}

Value recognizeNorm(Operation *op, graph::GraphBuilder &b) {
  Value result = op->getResult(0);
  if (!isa<FloatType>(graph::elementOf(result)))
    return {};
  Matcher matcher(op);
  Norm norm;
  if (isa<AddOp>(op)) {
    Value bias;
    if (!withParameter<AddOp>(matcher, result, bias, norm, findWeighted))
      return {};
    norm.bias = bias;
  } else if (!findWeighted(matcher, result, norm)) {
    return {};
  }
  if (!matcher.ownsAll() || graph::shapeOf(norm.x) != graph::shapeOf(result))
    return {};

  SmallVector<Value> inputs{norm.x};
  for (Value parameter : {norm.weight, norm.bias})
    if (parameter)
      inputs.push_back(b.reshape(parameter, norm.extents));
  OpBuilder &builder = b.getBuilder();
  int32_t hasWeight = norm.weight ? 1 : 0, hasBias = norm.bias ? 1 : 0;
  return b.op(
      norm.isCentred ? "layer_norm" : "rms_norm", inputs,
      RankedTensorType::get(graph::shapeOf(result), graph::elementOf(result)),
      {b.attr("epsilon", builder.getF32FloatAttr(norm.epsilon)),
       b.attr("normalized_shape", builder.getDenseI64ArrayAttr(norm.extents)),
       b.attr("operandSegmentSizes",
              builder.getDenseI32ArrayAttr({1, hasWeight, hasBias, 1}))});
}

} // namespace mlir::tt::ttir
