#include "conversion/Frontend/Limits.h"
#include "conversion/Frontend/Windows.h"
#include "conversion/LinalgToTTIR/Structured.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::tt::frontend {

namespace {

/// A dimension of the input that a window slides over: element
/// `stride` * output + `dilation` * kernel.
struct Slide {
  int64_t dim;
  int64_t output;
  std::optional<int64_t> kernel;
  int64_t stride = 1;
  int64_t dilation = 1;
};

/// A loop with its factor.
std::optional<std::pair<int64_t, int64_t>> scaledLoop(AffineExpr expression) {
  if (std::optional<int64_t> loop = loopOf(expression))
    return std::make_pair(*loop, int64_t(1));
  auto product = dyn_cast<AffineBinaryOpExpr>(expression);
  if (!product || product.getKind() != AffineExprKind::Mul)
    return std::nullopt;
  std::optional<int64_t> loop = loopOf(product.getLHS());
  auto factor = dyn_cast<AffineConstantExpr>(product.getRHS());
  if (!loop || !factor)
    return std::nullopt;
  return std::make_pair(*loop, factor.getValue());
}

/// How a window moves over the input: the dimensions that it slides over and
/// the loops of the others.
struct Sliding {
  SmallVector<Slide> slides;
  Dims loops;
  /// The dimensions that `loops` index.
  Dims dims;
};

std::optional<Sliding> readSliding(AffineMap map, const Dims &outputLoops) {
  Sliding sliding;
  for (auto [dim, expression] : llvm::enumerate(map.getResults())) {
    if (std::optional<int64_t> loop = loopOf(expression)) {
      sliding.loops.push_back(*loop);
      sliding.dims.push_back(dim);
      continue;
    }
    Slide slide;
    slide.dim = dim;
    auto sum = dyn_cast<AffineBinaryOpExpr>(expression);
    auto a = scaledLoop(expression);
    if (a) {
      std::tie(slide.output, slide.stride) = *a;
    } else {
      if (!sum || sum.getKind() != AffineExprKind::Add)
        return std::nullopt;
      a = scaledLoop(sum.getLHS());
      auto b = scaledLoop(sum.getRHS());
      if (!a || !b)
        return std::nullopt;
      if (!llvm::is_contained(outputLoops, a->first))
        std::swap(a, b);
      std::tie(slide.output, slide.stride) = *a;
      slide.kernel = b->first;
      slide.dilation = b->second;
    }
    if (!llvm::is_contained(outputLoops, slide.output))
      return std::nullopt;
    sliding.slides.push_back(slide);
  }
  return sliding;
}

/// Sizes of a window that slides over one or two dimensions; one dimension is
/// the width.
Window windowOf(ArrayRef<Slide> slides, ArrayRef<int64_t> extents) {
  auto kernel = [&](const Slide &slide) {
    return slide.kernel ? extents[*slide.kernel] : 1;
  };
  Window window;
  const Slide &width = slides.back();
  window.kernelWidth = kernel(width);
  window.strideWidth = width.stride;
  window.dilationWidth = width.dilation;
  if (slides.size() == 2) {
    window.kernelHeight = kernel(slides.front());
    window.strideHeight = slides.front().stride;
    window.dilationHeight = slides.front().dilation;
  }
  return window;
}

Slides slidesOf(ArrayRef<Slide> slides, ArrayRef<int64_t> extents) {
  Slides result;
  for (const Slide &slide : slides) {
    result.kernel.push_back(slide.kernel ? extents[*slide.kernel] : 1);
    result.stride.push_back(slide.stride);
    result.dilation.push_back(slide.dilation);
  }
  return result;
}

/// (N, D..., C) as (N, H, W, C) of one or two dimensions D; more stay.
Dims inPlane(Dims shape) {
  if (shape.size() == 3)
    shape.insert(shape.begin() + 1, 1);
  return shape;
}

/// Removes a border of `value` from the input and adds it to the padding of the
/// window, which costs nothing. Returns what is inside the border.
Value takeBorder(Value input, ArrayRef<Slide> slides, double value,
                 Window &window) {
  auto pad = input.getDefiningOp<tensor::PadOp>();
  Value border = pad ? pad.getConstantPaddingValue() : nullptr;
  if (!border || constantSplat(border) != value)
    return input;
  auto low = constantList(pad.getStaticLow(), pad.getLow());
  auto high = constantList(pad.getStaticHigh(), pad.getHigh());
  if (!low || !high)
    return input;
  for (int64_t dim : range(low->size())) {
    bool isSlid = llvm::any_of(
        slides, [&](const Slide &slide) { return slide.dim == dim; });
    if (!isSlid && ((*low)[dim] != 0 || (*high)[dim] != 0))
      return input;
  }
  window.left = (*low)[slides.back().dim];
  window.right = (*high)[slides.back().dim];
  if (slides.size() == 2) {
    window.top = (*low)[slides.front().dim];
    window.bottom = (*high)[slides.front().dim];
  }
  return pad.getSource();
}

/// The bias that a convolution starts with, if its initial value is one number
/// for each output channel; `channels` are the output's dimensions of these.
Value biasOf(Value init, ArrayRef<int64_t> channels) {
  auto broadcast = init.getDefiningOp<linalg::BroadcastOp>();
  if (!broadcast)
    return nullptr;
  Dims kept;
  for (int64_t dim : range(cast<RankedTensorType>(init.getType()).getRank()))
    if (!llvm::is_contained(broadcast.getDimensions(), dim))
      kept.push_back(dim);
  return ArrayRef<int64_t>(kept) == channels ? broadcast.getInput() : nullptr;
}

} // namespace

LogicalResult Structured::convertWindow(const Reduction &reduction) {
  auto factors = matchProduct(reduction.term);
  if (reduction.name == "sum" && factors) {
    auto [input, filter] = *factors;
    if (loopsOf(mapOf(input.operand)))
      std::swap(input, filter);
    return convertConvolution(reduction, input, filter);
  }
  return convertPooling(reduction);
}

/// The input becomes (N, D..., G * C), the filter (G * O, C, K...), where D is
/// one or two dimensions for `conv2d` and more for `convolution`, and
/// - N are the loops in input and output,
/// - G (groups) those in input, filter and output,
/// - C (input channels) those in input and filter,
/// - O (output channels) those in filter and output.
LogicalResult Structured::convertConvolution(const Reduction &reduction,
                                             Factor input, Factor filter) {
  Dims output = *loopsOf(outputMap());
  std::optional<Sliding> sliding = readSliding(mapOf(input.operand), output);
  std::optional<Dims> filterLoops = loopsOf(mapOf(filter.operand));
  if (!sliding || !filterLoops || sliding->slides.empty())
    return fail() << "expected a window that slides, found "
                  << AffineMapAttr::get(mapOf(input.operand));
  auto contains = [](const Dims &dims, int64_t loop) {
    return llvm::is_contained(dims, loop);
  };
  Dims batch, groups, channels, outputs, rows, kernels;
  for (const Slide &slide : sliding->slides) {
    rows.push_back(slide.output);
    if (slide.kernel)
      kernels.push_back(*slide.kernel);
  }
  for (int64_t loop : sliding->loops) {
    bool inFilter = contains(*filterLoops, loop);
    if (contains(output, loop))
      (inFilter ? groups : batch).push_back(loop);
    else if (inFilter)
      channels.push_back(loop);
    else
      return fail() << "expected input channels in the filter too";
  }
  for (int64_t loop : *filterLoops)
    if (contains(output, loop) && !contains(groups, loop))
      outputs.push_back(loop);
  if (batch.size() + groups.size() + outputs.size() + rows.size() !=
          output.size() ||
      groups.size() + outputs.size() + channels.size() + kernels.size() !=
          filterLoops->size())
    return fail() << "expected a convolution, found the maps "
                  << AffineMapAttr::get(mapOf(input.operand)) << ", "
                  << AffineMapAttr::get(mapOf(filter.operand)) << ", "
                  << AffineMapAttr::get(outputMap());

  bool isPlane = sliding->slides.size() <= 2;
  Slides slides = slidesOf(sliding->slides, extents);
  Window window = isPlane ? windowOf(sliding->slides, extents) : Window();
  window.groups = volumeOf(extentsOf(groups));
  Value padded = op->getOperand(input.operand);
  if (isPlane && isa<BlockArgument>(input.value))
    padded = takeBorder(padded, sliding->slides, 0.0, window);
  Value image = evaluateOn(input.value, input.operand, translator.get(padded));
  Value weight = evaluateOn(filter.value, filter.operand,
                            translator.get(op->getOperand(filter.operand)));
  if (!image || !weight)
    return failure();
  Dims imageDims;
  Dims slideDims = llvm::map_to_vector(
      sliding->slides, [](const Slide &slide) { return slide.dim; });
  Dims places = join({placesOf(batch, sliding->loops)});
  for (int64_t place : places)
    imageDims.push_back(sliding->dims[place]);
  llvm::append_range(imageDims, slideDims);
  for (int64_t place : placesOf(join({groups, channels}), sliding->loops))
    imageDims.push_back(sliding->dims[place]);
  int64_t inChannels = volumeOf(extentsOf(channels));
  Dims imageShape{volumeOf(extentsOf(batch))};
  for (int64_t dim : slideDims)
    imageShape.push_back(shapeOf(image)[dim]);
  imageShape.push_back(window.groups * inChannels);
  image = graph.permute(image, imageDims);
  image = graph.reshape(image, inPlane(imageShape));

  weight =
      graph.permute(weight, placesOf(join({groups, outputs, channels, kernels}),
                                     *filterLoops));
  int64_t outChannels = window.groups * volumeOf(extentsOf(outputs));
  Dims weightShape{outChannels, inChannels};
  if (slides.kernel.size() == 1)
    weightShape.push_back(1);
  llvm::append_range(weightShape, slides.kernel);
  weight = graph.reshape(weight, weightShape);

  Dims loops = join({batch, rows, groups, outputs});
  Type element = translator.resultType(op->getResult(0)).getElementType();
  Dims shape = join({imageShape.front(), extentsOf(rows), outChannels});
  auto type = RankedTensorType::get(inPlane(shape), element);
  // Where the op has none, the bias is added as any other initial value is.
  Value bias = isPlane && isa<FloatType>(element)
                   ? biasOf(op.getDpsInits().front(),
                            placesOf(join({groups, outputs}), output))
                   : nullptr;
  if (bias)
    bias = graph.reshape(translator.get(bias), {1, 1, 1, outChannels});
  Value result =
      isPlane ? conv2d(graph, image, weight, bias, type, window)
              : convolution(graph, image, weight, type, slides, window.groups);
  result = graph.reshape(result, extentsOf(loops));
  result = graph.permute(result, placesOf(output, loops));
  return bias ? translator.set(op->getResult(0), result)
              : finish(reduction, result);
}

/// The input becomes (N, D..., C): N is the first dimension that the window
/// does not slide over, if there are two of them, and C the others.
LogicalResult Structured::convertPooling(const Reduction &reduction) {
  std::optional<unsigned> pooled = onlyOperandOf(reduction.term);
  Type element = translator.resultType(op->getResult(0)).getElementType();
  if (!pooled || reduction.term.getType().isInteger(1))
    return fail() << "expected a convolution, or the sum, product, maximum or "
                     "minimum in a window, of numbers";
  Dims output = *loopsOf(outputMap());
  AffineMap map = mapOf(*pooled);
  std::optional<Sliding> sliding = readSliding(map, output);
  if (!sliding || sliding->slides.empty() ||
      sliding->loops.size() + sliding->slides.size() != output.size())
    return fail() << "expected a window that slides, found "
                  << AffineMapAttr::get(map);
  Dims batch, channels, rows, imageDims;
  for (auto [loop, dim] : llvm::zip_equal(sliding->loops, sliding->dims)) {
    if (!llvm::is_contained(output, loop))
      return fail() << "expected a window that slides, found "
                    << AffineMapAttr::get(map);
    bool isBatch = batch.empty() && sliding->loops.size() > 1;
    (isBatch ? batch : channels).push_back(loop);
  }
  for (int64_t place : placesOf(batch, sliding->loops))
    imageDims.push_back(sliding->dims[place]);
  for (const Slide &slide : sliding->slides) {
    imageDims.push_back(slide.dim);
    rows.push_back(slide.output);
  }
  for (int64_t place : placesOf(channels, sliding->loops))
    imageDims.push_back(sliding->dims[place]);

  // Pools are of floats, over a plane.
  bool isPool = sliding->slides.size() <= 2 && isa<FloatType>(element) &&
                reduction.name != "prod";
  Slides slides = slidesOf(sliding->slides, extents);
  Window window = isPool ? windowOf(sliding->slides, extents) : Window();
  Value padded = op->getOperand(*pooled);
  // The border of a maximum never wins.
  if (isPool && reduction.name != "sum" && !reduction.ignoresNaN &&
      isa<BlockArgument>(reduction.term))
    padded = takeBorder(padded, sliding->slides, reduction.neutral, window);
  Value image = evaluateOn(reduction.term, *pooled, translator.get(padded));
  if (!image)
    return failure();
  Dims slid = llvm::map_to_vector(sliding->slides, [&](const Slide &slide) {
    return shapeOf(image)[slide.dim];
  });
  int64_t n = volumeOf(extentsOf(batch)), c = volumeOf(extentsOf(channels));
  Dims imageShape = join({n, slid, c}), shape = join({n, extentsOf(rows), c});
  if (isPool) {
    imageShape = inPlane(imageShape);
    shape = inPlane(shape);
  }
  image = graph.permute(image, imageDims);
  image = ignoreNaN(reduction, graph.reshape(image, imageShape));

  auto type = RankedTensorType::get(shape, element);
  Value result;
  if (!isPool) {
    result = reduceWindow(graph, reduction.name, image, type, slides);
  } else if (reduction.name == "sum") {
    result = pool2d(graph, "avg_pool2d", image, type, window);
    double size = window.kernelHeight * window.kernelWidth;
    result = graph.eltwise("multiply", {result, graph.scalar(size, element)});
  } else if (reduction.name == "max") {
    result = pool2d(graph, "max_pool2d", image, type, window);
  } else {
    result =
        graph.eltwise("neg", pool2d(graph, "max_pool2d",
                                    graph.eltwise("neg", image), type, window));
  }
  Dims loops = join({batch, rows, channels});
  result = graph.reshape(result, extentsOf(loops));
  return finish(reduction, graph.permute(result, placesOf(output, loops)));
}

} // namespace mlir::tt::frontend
