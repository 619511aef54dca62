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

template <typename OpT>
LogicalResult expectZeroPoints(OpT op, Value first, Value second) {
  return success(succeeded(expectZeroPoint(op, first)) &&
                 succeeded(expectZeroPoint(op, second)));
}

/// The bias (O) or (1) as (1, 1, 1, O).
Value spreadBias(Value bias, int64_t channels, GraphBuilder &graph) {
  return graph.broadcast(graph.reshape(bias, {1, 1, 1, shapeOf(bias).front()}),
                         {1, 1, 1, channels});
}

/// conv2d: the weight is (O, KH, KW, C). depthwise_conv2d: it is (KH, KW, C,
/// M), and channel c * M + m of the output is channel c of the input with
/// kernel m.
template <typename OpT>
LogicalResult convertConv(OpT op, Translator &translator) {
  if (failed(expectZeroPoints(op, op.getInputZp(), op.getWeightZp())))
    return failure();
  constexpr bool isDepthwise = std::is_same_v<OpT, tosa::DepthwiseConv2DOp>;
  GraphBuilder &graph = translator.graph();
  Value input = translator.get(op.getInput());
  Value weight = translator.get(op.getWeight());
  RankedTensorType type = translator.resultType(op.getOutput());
  Window window = readWindow(op);
  window.dilationHeight = op.getDilation()[0];
  window.dilationWidth = op.getDilation()[1];
  if (isDepthwise) {
    Shape shape = shapeOf(weight);
    window.groups = shape[2];
    SmallVector<int64_t> joined{shape[2] * shape[3], 1, shape[0], shape[1]};
    weight = graph.reshape(graph.permute(weight, {2, 3, 0, 1}), joined);
  } else {
    weight = graph.permute(weight, {0, 3, 1, 2});
  }
  // A bias may be wider than the operands, like the accumulator.
  Value bias = graph.cast(translator.get(op.getBias()), type.getElementType());
  bias = spreadBias(bias, type.getShape().back(), graph);
  return translator.set(op.getOutput(),
                        conv2d(graph, input, weight, bias, type, window));
}

/// Negative padding of the output removes rows, which is what `padding` of
/// `ttir.conv_transpose2d` does; positive padding adds rows afterwards, which
/// have the bias only.
LogicalResult convertTransposeConv(tosa::TransposeConv2DOp op,
                                   Translator &translator) {
  if (failed(expectZeroPoints(op, op.getInputZp(), op.getWeightZp())))
    return failure();
  GraphBuilder &graph = translator.graph();
  OpBuilder &builder = graph.getBuilder();
  Value input = translator.get(op.getInput());
  Value weight = graph.permute(translator.get(op.getWeight()), {3, 0, 1, 2});
  RankedTensorType type = translator.resultType(op.getOutput());
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
  bool grows = shape != SmallVector<int64_t>(type.getShape());
  Value bias = graph.cast(translator.get(op.getBias()), type.getElementType());
  bias = spreadBias(bias, shape.back(), graph);
  SmallVector<Value> inputs{input, weight};
  if (!grows)
    inputs.push_back(bias);
  auto array = [&](int32_t a, int32_t b) {
    return builder.getDenseI32ArrayAttr({a, b});
  };
  Value result = graph.op(
      "conv_transpose2d", inputs,
      RankedTensorType::get(shape, type.getElementType()),
      {graph.attr("stride", array(op.getStride()[0], op.getStride()[1])),
       graph.attr("padding", builder.getDenseI32ArrayAttr(cut)),
       graph.attr("output_padding", array(0, 0)),
       graph.attr("dilation", array(1, 1)),
       graph.attr("groups", builder.getI32IntegerAttr(1))});
  if (grows)
    result = graph.eltwise("add", {graph.pad(result, low, high, 0), bias});
  return translator.set(op.getOutput(), result);
}

LogicalResult convertMaxPool(tosa::MaxPool2dOp op, Translator &translator) {
  Value input = translator.get(op.getInput());
  if (op.getNanMode() == tosa::NanPropagationMode::IGNORE &&
      isa<FloatType>(elementOf(input)))
    return op.emitOpError("cannot be expressed in TTIR: expected nan_mode "
                          "PROPAGATE, found IGNORE");
  Window window = readWindow(op);
  window.kernelHeight = op.getKernel()[0];
  window.kernelWidth = op.getKernel()[1];
  return translator.set(op.getOutput(),
                        pool2d(translator.graph(), "max_pool2d", input,
                               translator.resultType(op.getOutput()), window));
}

LogicalResult convertAvgPool(tosa::AvgPool2dOp op, Translator &translator) {
  if (failed(expectZeroPoints(op, op.getInputZp(), op.getOutputZp())))
    return failure();
  Window window = readWindow(op);
  window.kernelHeight = op.getKernel()[0];
  window.kernelWidth = op.getKernel()[1];
  return translator.set(op.getOutput(),
                        pool2d(translator.graph(), "avg_pool2d",
                               translator.get(op.getInput()),
                               translator.resultType(op.getOutput()), window));
}

/// Along one dimension: the two elements of the input between which each
/// element of the output is, and its distance from the first, 0 to 1.
struct Places {
  SmallVector<int32_t> first, second;
  SmallVector<double> share;
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
    places.share.push_back(static_cast<double>(place - before * n) / n);
  }
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
  if (upsampleFactor(places, shapeOf(input)[dim], isNearest) == 1)
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
  for (double share : places.share) {
    shares.push_back(builder.getFloatAttr(type.getElementType(), share));
    rests.push_back(builder.getFloatAttr(type.getElementType(), 1 - share));
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
  if (type.getElementType() != elementOf(input) ||
      !(isNearest || isa<FloatType>(elementOf(input))))
    return op.emitOpError("cannot be expressed in TTIR: expected a bilinear "
                          "resize of floating-point elements, found ")
           << op.getInput().getType();
  SmallVector<Places> places;
  SmallVector<int32_t> factors;
  for (int dim : {0, 1}) {
    if (failed(expectAtMost(op, "places along a dimension of the result",
                            kMaxTable, type.getShape()[dim + 1])))
      return failure();
    int64_t extent = shapeOf(input)[dim + 1];
    places.push_back(resizedPlaces(extent, type.getShape()[dim + 1],
                                   (*scale)[2 * dim], (*scale)[2 * dim + 1],
                                   (*offset)[dim]));
    factors.push_back(upsampleFactor(places.back(), extent, isNearest));
  }
  Value result;
  if (llvm::is_contained(factors, 0)) {
    result = resizeAlong(graph, input, 1, places[0], isNearest);
    result = resizeAlong(graph, result, 2, places[1], isNearest);
  } else {
    StringRef mode = isNearest ? "nearest" : "bilinear";
    result = graph.op(
        "upsample", input, type,
        {graph.attr("scale_factor", builder.getDenseI32ArrayAttr(factors)),
         graph.attr("mode", builder.getStringAttr(mode))});
  }
  return translator.set(op.getOutput(), result);
}

} // namespace

void addTosaWindowRules(Rules &rules) {
  rules.add<tosa::Conv2DOp>(typed<tosa::Conv2DOp, convertConv<tosa::Conv2DOp>>,
                            /*parametersFrom=*/3);
  rules.add<tosa::DepthwiseConv2DOp>(
      typed<tosa::DepthwiseConv2DOp, convertConv<tosa::DepthwiseConv2DOp>>,
      /*parametersFrom=*/3);
  rules.add<tosa::TransposeConv2DOp>(
      typed<tosa::TransposeConv2DOp, convertTransposeConv>,
      /*parametersFrom=*/3);
  rules.add<tosa::MaxPool2dOp>(typed<tosa::MaxPool2dOp, convertMaxPool>);
  rules.add<tosa::AvgPool2dOp>(typed<tosa::AvgPool2dOp, convertAvgPool>,
                               /*parametersFrom=*/1);
  rules.add<tosa::ResizeOp>(typed<tosa::ResizeOp, convertResize>);
  rules.reject<tosa::Conv3DOp>("it has no three-dimensional convolution");
}

} // namespace mlir::tt
