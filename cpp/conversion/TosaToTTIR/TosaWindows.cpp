#include "conversion/Frontend/FixedPoint.h"
#include "conversion/Frontend/Limits.h"
#include "conversion/Frontend/Windows.h"
#include "conversion/TosaToTTIR/TosaToTTIR.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"

namespace mlir::tt {

using namespace frontend;

namespace {

/// Window parameters of a TOSA op: `pad` is top, bottom, left, right.
template <typename OpT> Window readWindow(OpT op) {
  Window window;
  std::tie(window.strideHeight, window.strideWidth) =
      std::make_pair(op.getStride()[0], op.getStride()[1]);
  ArrayRef<int64_t> pad = op.getPad();
  window.top = pad[0], window.bottom = pad[1];
  window.left = pad[2], window.right = pad[3];
  return window;
}

/// The bias (O) or (1) as (1, .., 1, O), with elements of the result.
Value spreadBias(Value old, RankedTensorType type, Translator &translator) {
  GraphBuilder &graph = translator.graph();
  // It may be wider than the operands, like the accumulator.
  Value bias = graph.cast(translator.get(old), type.getElementType());
  SmallVector<int64_t> shape(type.getRank(), 1);
  shape.back() = shapeOf(bias).front();
  bias = graph.reshape(bias, shape);
  shape.back() = type.getShape().back();
  return graph.broadcast(bias, shape);
}

/// The sums of products of a convolution of `input` with `weight`, both without
/// their zero points; with a bias, unless it is null.
using Convolution =
    llvm::function_ref<Value(Value input, Value weight, Value bias)>;

/// Sets the result of a convolution, each element of which is a sum of `terms`
/// products.
template <typename OpT>
LogicalResult setConvolution(OpT op, int64_t terms, Convolution convolution,
                             Translator &translator) {
  FailureOr<Factor> input =
      shifted(op, op.getInput(), op.getInputZp(), translator);
  FailureOr<Factor> weight =
      shifted(op, op.getWeight(), op.getWeightZp(), translator);
  if (failed(input) || failed(weight))
    return failure();
  if (isWide(op.getOutput().getType()))
    return setWideSums(
        op, *input, *weight, terms, op.getBias(),
        [&](Value input, Value weight) {
          return convolution(input, weight, /*bias=*/nullptr);
        },
        translator);
  Value bias = spreadBias(op.getBias(), translator.resultType(op.getOutput()),
                          translator);
  return translator.set(op.getOutput(),
                        convolution(input->value, weight->value, bias));
}

/// The result of an op in the elements that it is computed in: of i48 those of
/// the parts of its sums.
template <typename OpT>
RankedTensorType sumType(OpT op, Translator &translator) {
  auto type = cast<RankedTensorType>(op.getOutput().getType());
  return type.clone(translator.resultType(op.getOutput()).getElementType());
}

/// conv2d: the weight is (O, KH, KW, C). depthwise_conv2d: it is (KH, KW, C,
/// M), and channel c * M + m of the output is channel c of the input with
/// kernel m.
template <typename OpT>
LogicalResult convertConv(OpT op, Translator &translator) {
  constexpr bool isDepthwise = std::is_same_v<OpT, tosa::DepthwiseConv2DOp>;
  GraphBuilder &graph = translator.graph();
  SmallVector<int64_t> kernel(shapeOf(translator.get(op.getWeight())));
  RankedTensorType type = sumType(op, translator);
  Window window = readWindow(op);
  window.dilationHeight = op.getDilation()[0];
  window.dilationWidth = op.getDilation()[1];
  if (isDepthwise)
    window.groups = kernel[2];
  auto convolution = [&](Value input, Value weight, Value bias) -> Value {
    if (isDepthwise)
      weight = graph.reshape(graph.permute(weight, {2, 3, 0, 1}),
                             {kernel[2] * kernel[3], 1, kernel[0], kernel[1]});
    else
      weight = graph.permute(weight, {0, 3, 1, 2});
    return conv2d(graph, input, weight, bias, type, window);
  };
  int64_t terms =
      isDepthwise ? kernel[0] * kernel[1] : kernel[1] * kernel[2] * kernel[3];
  return setConvolution(op, terms, convolution, translator);
}

/// The weight is (O, KD, KH, KW, C). Along the dimension where the kernel is
/// smallest each of its places is a convolution of the other two.
LogicalResult convertConv3D(tosa::Conv3DOp op, Translator &translator) {
  GraphBuilder &graph = translator.graph();
  SmallVector<int64_t> kernel(shapeOf(translator.get(op.getWeight())));
  RankedTensorType type = sumType(op, translator);
  Shape shape = type.getShape();
  auto isSmaller = [&](int64_t a, int64_t b) { return kernel[a] < kernel[b]; };
  SmallVector<int64_t> space{1, 2, 3};
  int64_t outer = *llvm::min_element(space, isSmaller);
  llvm::erase(space, outer);
  SmallVector<int64_t> order{0, outer, space[0], space[1], 4}, back(5);
  for (auto [position, dim] : llvm::enumerate(order))
    back[dim] = position;
  auto along = [](ArrayRef<int64_t> values, int64_t dim) {
    return values[dim - 1];
  };
  auto pad = [&](int64_t dim, int64_t side) {
    return op.getPad()[2 * (dim - 1) + side];
  };
  Window window;
  window.strideHeight = along(op.getStride(), space[0]);
  window.strideWidth = along(op.getStride(), space[1]);
  window.dilationHeight = along(op.getDilation(), space[0]);
  window.dilationWidth = along(op.getDilation(), space[1]);
  window.top = pad(space[0], 0), window.bottom = pad(space[0], 1);
  window.left = pad(space[1], 0), window.right = pad(space[1], 1);
  // Floats are rounded once, after the bias.
  Type element = type.getElementType();
  Type step =
      isa<FloatType>(element) ? Type(graph.getBuilder().getF32Type()) : element;
  int64_t count = shape[outer], stride = along(op.getStride(), outer);
  // Elements `begin` on of the second dimension, which joins the first.
  auto cut = [&](Value value, int64_t begin, int64_t count, int64_t stride) {
    SmallVector<int64_t> ends(shapeOf(value)), begins(ends.size(), 0),
        steps(ends.size(), 1);
    begins[1] = begin, ends[1] = begin + (count - 1) * stride + 1;
    steps[1] = stride;
    SmallVector<int64_t> joined(ends.begin() + 1, ends.end());
    joined[0] = ends[0] * count;
    return graph.reshape(graph.slice(value, begins, ends, steps), joined);
  };
  auto convolution = [&](Value input, Value weight, Value bias) -> Value {
    input = graph.pad(graph.permute(input, order), {0, pad(outer, 0), 0, 0, 0},
                      {0, pad(outer, 1), 0, 0, 0}, 0);
    weight = graph.permute(weight, order);
    auto partType = RankedTensorType::get(
        {shape[0] * count, shape[space[0]], shape[space[1]], shape[4]}, step);
    Value sum;
    for (int64_t place : range(kernel[outer])) {
      Value seen =
          cut(input, place * along(op.getDilation(), outer), count, stride);
      Value taps = graph.permute(cut(weight, place, 1, 1), {0, 3, 1, 2});
      Value part =
          conv2d(graph, seen, taps, /*bias=*/nullptr, partType, window);
      sum = sum ? Value(graph.eltwise("add", {sum, part})) : part;
    }
    if (bias)
      sum = graph.eltwise(
          "add",
          {sum, graph.cast(graph.reshape(bias, {1, 1, 1, shape[4]}), step)});
    sum = graph.reshape(
        graph.cast(sum, element),
        {shape[0], count, shape[space[0]], shape[space[1]], shape[4]});
    return graph.permute(sum, back);
  };
  return setConvolution(op, kernel[1] * kernel[2] * kernel[3] * kernel[4],
                        convolution, translator);
}

/// Negative padding of the output removes rows, which is what `padding` of
/// `ttir.conv_transpose2d` does; positive padding adds rows afterwards, which
/// have the bias only.
LogicalResult convertTransposeConv(tosa::TransposeConv2DOp op,
                                   Translator &translator) {
  GraphBuilder &graph = translator.graph();
  OpBuilder &builder = graph.getBuilder();
  Shape kernel = shapeOf(translator.get(op.getWeight()));
  RankedTensorType type = sumType(op, translator);
  ArrayRef<int64_t> pad = op.getOutPad();
  // TOSA: top, bottom, left, right; TTIR: top, left, bottom, right.
  int64_t sides[] = {pad[0], pad[2], pad[1], pad[3]};
  SmallVector<int32_t> cut;
  for (int64_t side : sides)
    cut.push_back(std::max<int64_t>(0, -side));
  SmallVector<int64_t> low{0, std::max<int64_t>(0, pad[0]),
                           std::max<int64_t>(0, pad[2]), 0};
  SmallVector<int64_t> high{0, std::max<int64_t>(0, pad[1]),
                            std::max<int64_t>(0, pad[3]), 0};
  SmallVector<int64_t> shape(type.getShape());
  for (int64_t dim : {1, 2})
    shape[dim] -= low[dim] + high[dim];
  bool grows = Shape(shape) != type.getShape();
  auto array = [&](int32_t a, int32_t b) {
    return builder.getDenseI32ArrayAttr({a, b});
  };
  auto convolution = [&](Value input, Value weight, Value bias) -> Value {
    SmallVector<Value> inputs{input, graph.permute(weight, {3, 0, 1, 2})};
    if (bias && !grows)
      inputs.push_back(bias);
    Value result = graph.op(
        "conv_transpose2d", inputs,
        RankedTensorType::get(shape, type.getElementType()),
        {graph.attr("stride", array(op.getStride()[0], op.getStride()[1])),
         graph.attr("padding", builder.getDenseI32ArrayAttr(cut)),
         graph.attr("output_padding", array(0, 0)),
         graph.attr("dilation", array(1, 1)),
         graph.attr("groups", builder.getI32IntegerAttr(1))});
    if (!grows)
      return result;
    result = graph.pad(result, low, high, 0);
    return bias ? Value(graph.eltwise("add", {result, bias})) : result;
  };
  return setConvolution(op, kernel[1] * kernel[2] * kernel[3], convolution,
                        translator);
}

LogicalResult convertMaxPool(tosa::MaxPool2dOp op, Translator &translator) {
  GraphBuilder &graph = translator.graph();
  Value input = translator.get(op.getInput());
  RankedTensorType type = translator.resultType(op.getOutput());
  Window window = readWindow(op);
  window.kernelHeight = op.getKernel()[0];
  window.kernelWidth = op.getKernel()[1];
  auto pool = [&](Value value) -> Value {
    return pool2d(graph, "max_pool2d", value, type.clone(elementOf(value)),
                  window);
  };
  // An f32 holds all elements of 8 and of 16 bits.
  if (!isa<FloatType>(elementOf(input)))
    return translator.set(
        op.getOutput(),
        graph.cast(pool(graph.cast(input, graph.getBuilder().getF32Type())),
                   type.getElementType()));
  if (op.getNanMode() != tosa::NanPropagationMode::IGNORE)
    return translator.set(op.getOutput(), pool(input));
  // NaN where there is nothing else.
  Value isNumber =
      graph.cast(graph.predicate("eq", {input, input}), type.getElementType());
  Value found = pool(withoutNaN(graph, input, /*isMax=*/true));
  return translator.set(op.getOutput(),
                        graph.select(pool(isNumber), found,
                                     graph.scalar(NAN, type.getElementType())));
}

/// How many of the places [at, at + kernel) are in [0, extent).
int64_t countInside(int64_t at, int64_t kernel, int64_t extent) {
  return std::min(at + kernel, extent) - std::max<int64_t>(at, 0);
}

/// The sum of the elements minus the zero point, times a fixed-point number for
/// one over their count, which is smaller at the borders.
LogicalResult averageIntegers(tosa::AvgPool2dOp op, const Window &window,
                              Translator &translator) {
  GraphBuilder &graph = translator.graph();
  Type word = graph.getIndexType();
  FailureOr<Factor> shiftedInput =
      shifted(op, op.getInput(), op.getInputZp(), translator);
  FailureOr<int64_t> outputZero = readZeroPoint(op, op.getOutputZp());
  if (failed(shiftedInput) || failed(outputZero))
    return failure();
  Value input = graph.cast(shiftedInput->value, word);
  RankedTensorType type = translator.resultType(op.getOutput());
  Shape shape = type.getShape(), extents = shapeOf(input);
  if (failed(expectAtMost(op, "places of a window", kMaxTable,
                          shape[1] * shape[2])))
    return failure();
  // A sum is a convolution of each channel with ones.
  Window sum = window;
  sum.groups = shape[3];
  Value ones = graph.splat(
      1, RankedTensorType::get(
             {shape[3], 1, window.kernelHeight, window.kernelWidth}, word));
  Value total =
      conv2d(graph, input, ones, /*bias=*/nullptr, type.clone(word), sum);
  SmallVector<int64_t> shifts;
  SmallVector<int32_t> multipliers;
  for (int64_t y : range(shape[1])) {
    int64_t rows = countInside(y * window.strideHeight - window.top,
                               window.kernelHeight, extents[1]);
    for (int64_t x : range(shape[2])) {
      int64_t columns = countInside(x * window.strideWidth - window.left,
                                    window.kernelWidth, extents[2]);
      auto [multiplier, shift] =
          reciprocalScale(std::max<int64_t>(rows * columns, 1));
      multipliers.push_back(multiplier);
      shifts.push_back(shift);
    }
  }
  SmallVector<int64_t> places{1, shape[1], shape[2], 1};
  auto signless =
      RankedTensorType::get(places, graph.getBuilder().getI32Type());
  Value factors = graph.constant(
      DenseElementsAttr::get(signless, ArrayRef<int32_t>(multipliers))
          .bitcast(word));
  Value result = multiplyShift(graph, total, factors, shifts, places);
  if (*outputZero != 0)
    result = graph.eltwise("add", {result, graph.scalar(*outputZero, word)});
  double half = std::ldexp(1.0, type.getElementTypeBitWidth() - 1);
  result = graph.eltwise("maximum", {result, graph.scalar(-half, word)});
  result = graph.eltwise("minimum", {result, graph.scalar(half - 1, word)});
  return translator.set(op.getOutput(),
                        graph.cast(result, type.getElementType()));
}

LogicalResult convertAvgPool(tosa::AvgPool2dOp op, Translator &translator) {
  Window window = readWindow(op);
  window.kernelHeight = op.getKernel()[0];
  window.kernelWidth = op.getKernel()[1];
  Value input = translator.get(op.getInput());
  if (!isa<FloatType>(elementOf(input)))
    return averageIntegers(op, window, translator);
  return translator.set(op.getOutput(),
                        pool2d(translator.graph(), "avg_pool2d", input,
                               translator.resultType(op.getOutput()), window));
}

/// Along one dimension: the two elements of the input between which each
/// element of the output is, and its distance from the first, 0 to 1.
struct Places {
  SmallVector<int32_t> first, second;
  SmallVector<double> share;
  /// The same distance as one of so many parts of 1.
  SmallVector<int64_t> part;
  int64_t parts;
};

/// Output element i is at (i * d + offset) / n of the input.
Places resizedPlaces(int64_t extent, int64_t size, int64_t n, int64_t d,
                     int64_t offset) {
  Places places;
  for (int64_t i = 0; i < size; ++i) {
    int64_t place = i * d + offset;
    int64_t before = llvm::divideFloorSigned(place, n);
    places.first.push_back(std::clamp<int64_t>(before, 0, extent - 1));
    places.second.push_back(std::clamp<int64_t>(before + 1, 0, extent - 1));
    places.part.push_back(place - before * n);
    places.share.push_back(static_cast<double>(places.part.back()) / n);
  }
  places.parts = n;
  return places;
}

/// The factor of `ttir.upsample` that makes these places, else 0.
int64_t upsampleFactor(const Places &places, int64_t extent, bool isNearest) {
  int64_t size = places.first.size(), factor = size / extent;
  if (size != factor * extent)
    return 0;
  for (int64_t i = 0; i < size; ++i) {
    int64_t nearest =
        places.share[i] >= 0.5 ? places.second[i] : places.first[i];
    if (isNearest && nearest != i / factor)
      return 0;
    double centre = (i + 0.5) / factor - 0.5;
    bool atEdge = places.first[i] == places.second[i];
    double expected = std::clamp(centre, 0.0, extent - 1.0);
    double found = atEdge ? places.first[i] : places.first[i] + places.share[i];
    if (!isNearest && std::abs(found - expected) > 1e-6)
      return 0;
  }
  return factor;
}

/// Takes the nearer elements, or mixes both, along `dim`.
Value resizeAlong(GraphBuilder &graph, Value input, int64_t dim,
                  const Places &places, bool isNearest) {
  OpBuilder &builder = graph.getBuilder();
  int64_t size = places.first.size();
  bool isFloat = isa<FloatType>(elementOf(input));
  if ((isFloat || isNearest) &&
      upsampleFactor(places, shapeOf(input)[dim], isNearest) == 1)
    return input;
  auto take = [&](ArrayRef<int32_t> indices) -> Value {
    auto type = RankedTensorType::get(size, builder.getI32Type());
    return graph.take(input, dim,
                      graph.constant(DenseElementsAttr::get(type, indices)
                                         .bitcast(graph.getIndexType())));
  };
  if (isNearest) {
    SmallVector<int32_t> nearer;
    for (int64_t i : range(size))
      nearer.push_back(places.share[i] >= 0.5 ? places.second[i]
                                              : places.first[i]);
    return take(nearer);
  }
  SmallVector<int64_t> spread(typeOf(input).getRank(), 1);
  spread[dim] = size;
  auto type = RankedTensorType::get(spread, elementOf(input));
  SmallVector<Attribute> shares, rests;
  // The weights of integers are the parts themselves.
  for (auto [share, part] : llvm::zip_equal(places.share, places.part)) {
    Type element = type.getElementType();
    bool isFloat = isa<FloatType>(element);
    shares.push_back(isFloat ? Attribute(builder.getFloatAttr(element, share))
                             : builder.getIntegerAttr(element, part));
    rests.push_back(isFloat
                        ? Attribute(builder.getFloatAttr(element, 1 - share))
                        : builder.getIntegerAttr(element, places.parts - part));
  }
  auto weighted = [&](ArrayRef<int32_t> indices, ArrayRef<Attribute> weights) {
    return graph.eltwise(
        "multiply",
        {take(indices), graph.constant(DenseElementsAttr::get(type, weights))});
  };
  Value first = weighted(places.first, rests);
  return graph.eltwise("add", {first, weighted(places.second, shares)});
}

/// An upsample where the places are those of one, else a gather for each
/// dimension.
LogicalResult convertResize(tosa::ResizeOp op, Translator &translator) {
  auto scale = constantIntegers(op.getScale());
  auto offset = constantIntegers(op.getOffset());
  if (!scale || !offset)
    return op.emitOpError("cannot be expressed in TTIR: expected a constant "
                          "scale and offset");
  GraphBuilder &graph = translator.graph();
  OpBuilder &builder = graph.getBuilder();
  Value input = translator.get(op.getInput());
  RankedTensorType type = translator.resultType(op.getOutput());
  bool isNearest = op.getMode() == tosa::ResizeMode::NEAREST_NEIGHBOR;
  // Integers are not divided by the scales, and so become wider.
  bool isWeighted = !isNearest && !isa<FloatType>(elementOf(input));
  bool isLong = isWeighted && isWide(op.getOutput().getType());
  int64_t limit = 0, weight = (*scale)[0] * (*scale)[2];
  if (isWeighted) {
    limit = int64_t(1) << (elementOf(input).getIntOrFloatBitWidth() - 1);
    if (!isLong && limit * weight >= int64_t(1) << 31)
      return op.emitOpError(
                 "cannot be expressed in TTIR: expected scales whose "
                 "products with the elements fit in 32 bits, found ")
             << (*scale)[0] << " and " << (*scale)[2];
    input = graph.cast(input, graph.getIndexType());
  }
  SmallVector<Places, 2> places;
  SmallVector<int32_t> factors;
  for (int dim : {0, 1}) {
    int64_t extent = shapeOf(input)[dim + 1];
    places.push_back(resizedPlaces(extent, shapeOf(op.getOutput())[dim + 1],
                                   (*scale)[2 * dim], (*scale)[2 * dim + 1],
                                   (*offset)[dim]));
    factors.push_back(upsampleFactor(places.back(), extent, isNearest));
  }
  auto resizeBoth = [&](Value value) {
    value = resizeAlong(graph, value, 1, places[0], isNearest);
    return resizeAlong(graph, value, 2, places[1], isNearest);
  };
  if (isLong) {
    // The sum of the weights, which are not negative, bounds the result.
    std::optional<Wide> sums =
        sumProducts(graph, {input, limit}, {Value(), 1}, weight,
                    [&](Value part, Value) { return resizeBoth(part); });
    if (!sums)
      return op.emitOpError("cannot be expressed in TTIR: expected scales of "
                            "at most 2048, found ")
             << (*scale)[0] << " and " << (*scale)[2];
    return translator.set(op.getOutput(), writePair(graph, *sums));
  }
  Value result;
  if (isWeighted || llvm::is_contained(factors, 0)) {
    result = resizeBoth(input);
  } else {
    StringRef mode = isNearest ? "nearest" : "bilinear";
    result = graph.op(
        "upsample", input, type,
        {graph.attr("scale_factor", builder.getDenseI32ArrayAttr(factors)),
         graph.attr("mode", builder.getStringAttr(mode))});
  }
  return translator.set(op.getOutput(),
                        graph.cast(result, type.getElementType()));
}

} // namespace

void addTosaWindowRules(Rules &rules) {
  rules.add<tosa::Conv2DOp>(typed<tosa::Conv2DOp, convertConv<tosa::Conv2DOp>>,
                            /*parametersFrom=*/3);
  rules.add<tosa::DepthwiseConv2DOp>(
      typed<tosa::DepthwiseConv2DOp, convertConv<tosa::DepthwiseConv2DOp>>,
      /*parametersFrom=*/3);
  rules.add<tosa::Conv3DOp>(typed<tosa::Conv3DOp, convertConv3D>,
                            /*parametersFrom=*/3);
  rules.add<tosa::TransposeConv2DOp>(
      typed<tosa::TransposeConv2DOp, convertTransposeConv>,
      /*parametersFrom=*/3);
  rules.allowWide<tosa::Conv2DOp, tosa::Conv3DOp, tosa::DepthwiseConv2DOp,
                  tosa::TransposeConv2DOp>();
  rules.add<tosa::MaxPool2dOp>(typed<tosa::MaxPool2dOp, convertMaxPool>);
  rules.add<tosa::AvgPool2dOp>(typed<tosa::AvgPool2dOp, convertAvgPool>,
                               /*parametersFrom=*/1);
  rules.add<tosa::ResizeOp>(typed<tosa::ResizeOp, convertResize>);
  rules.allowWide<tosa::ResizeOp>();
}

} // namespace mlir::tt
