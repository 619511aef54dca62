#include "dialects/TT/Bounds.h"
#include "dialects/TTIR/Transforms/Decomposition/DecompositionPatterns.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::tt::ttir {

namespace {

/// A window along one dimension of an image.
struct Axis {
  int64_t kernel, stride, dilation;
  /// Extents of the image and of the result.
  int64_t in, out;
  int64_t before;

  /// Places from the first window to the end of the last one.
  int64_t getReach() const {
    return (out - 1) * stride + dilation * (kernel - 1) + 1;
  }

  /// Places after the image that the last window reaches.
  int64_t getBehind() const {
    return std::max<int64_t>(getReach() - in - before, 0);
  }

  /// Whether there are no more windows than places.
  bool isPlain() const {
    return kernel == 1 && before == 0 && getBehind() == 0;
  }

  /// Whether the only window is the image.
  bool isWhole() const {
    return out == 1 && before == 0 && kernel == in && dilation == 1;
  }

  /// A window of one place, which changes nothing.
  static Axis identity(int64_t extent) { return {1, 1, 1, extent, extent, 0}; }
};

/// Images (N, H, W, C) and the window that slides over them.
struct Sliding {
  Axis h, w;

  /// What each place of the kernel meets, row by row: the image in the steps of
  /// the window, (N, OH, OW, C). `flipped` goes over the kernel backwards.
  SmallVector<Value> getTaps(Primitives &b, Value images, double padding,
                             bool flipped = false) const {
    ArrayRef<int64_t> shape = b.getShape(images);
    int64_t n = shape[0], c = shape[3];
    Value padded = b.pad(
        images, {0, 0, h.before, h.getBehind(), w.before, w.getBehind(), 0, 0},
        padding);
    SmallVector<Value> taps;
    for (int64_t y = 0; y < h.kernel; ++y)
      for (int64_t x = 0; x < w.kernel; ++x) {
        int64_t top = (flipped ? h.kernel - 1 - y : y) * h.dilation;
        int64_t left = (flipped ? w.kernel - 1 - x : x) * w.dilation;
        taps.push_back(b.slice(padded, {0, top, left, 0},
                               {n, top + (h.out - 1) * h.stride + 1,
                                left + (w.out - 1) * w.stride + 1, c},
                               {1, h.stride, w.stride, 1}));
      }
    return taps;
  }

  /// What each window meets, the places of the kernel row by row: a matrix
  /// (N * OH * OW, KH * KW * C).
  Value getRows(Primitives &b, Value images) const {
    ArrayRef<int64_t> shape = b.getShape(images);
    int64_t n = shape[0], c = shape[3];
    if (h.isPlain() && w.isPlain())
      return b.reshape(getTaps(b, images, 0).front(), {n * h.out * w.out, c});
    Value rows = b.reshape(images, {n, h.in, w.in * c});
    rows = b.pad(
        rows, {0, 0, h.before, h.getBehind(), w.before * c, w.getBehind() * c},
        0);
    auto narrow = [](int64_t first, int64_t second) {
      return SmallVector<int32_t>{static_cast<int32_t>(first),
                                  static_cast<int32_t>(second)};
    };
    return b.unfold(rows, c, narrow(h.kernel, w.kernel),
                    narrow(h.stride, w.stride), narrow(h.dilation, w.dilation));
  }
};

} // namespace

/// What the windows meet times the kernel: (M, KH * KW * C) by (KH * KW * C,
/// O), for every group by itself. `weight` is (groups, KH, KW, in, out) in
/// channels of a group. Gives (M, O).
static Value multiplyRows(Primitives &b, Value columns, Value weight,
                          Type elementType) {
  ArrayRef<int64_t> kernel = b.getShape(weight);
  int64_t groups = kernel[0], places = kernel[1] * kernel[2], in = kernel[3],
          out = kernel[4];
  int64_t rows = b.getShape(columns).front();
  if (groups == 1)
    return b.matmul(columns, b.reshape(weight, {places * in, out}),
                    elementType);
  columns = b.reshape(columns, {rows, places, groups, in});
  columns = b.permute(columns, {2, 0, 1, 3});
  Value product =
      b.matmul(b.reshape(columns, {groups, rows, places * in}),
               b.reshape(weight, {groups, places * in, out}), elementType);
  return b.reshape(b.permute(product, {1, 0, 2}), {rows, groups * out});
}

/// Every channel by itself: a sum of taps times their weights, of shape
/// (places, C). A product of matrices would multiply mostly padding.
static Value weighTaps(Primitives &b, ArrayRef<Value> taps, Value weight) {
  Type wide = b.getWideType(b.getElementType(taps.front()));
  // Sums of integers wrap at 32 bits.
  if (isa<IntegerType>(wide))
    wide = b.builder.getIntegerType(32, /*isSigned=*/true);
  Value sum;
  for (auto [place, tap] : llvm::enumerate(taps)) {
    Value product = b.eltwise<MultiplyOp>(
        {tap, b.slice(weight, 0, place, place + 1)}, wide);
    sum = sum ? b.eltwise<AddOp>({sum, product}) : product;
  }
  return sum;
}

template <typename ConvOp>
static Value addBias(ConvOp op, Primitives &b, Value product) {
  Type type = op.getType().getElementType();
  if (!op.getBias())
    return b.reshape(b.cast(product, type), op.getType().getShape());
  Value bias = b.reshape(op.getBias(), {1, op.getType().getShape().back()});
  return b.reshape(b.eltwise<AddOp>({product, bias}, type),
                   op.getType().getShape());
}

/// The type of a product that a bias may follow.
template <typename ConvOp>
static Type getProductType(ConvOp op, Primitives &b) {
  Type type = op.getType().getElementType();
  return op.getBias() ? b.getWideType(type) : type;
}

/// The shape of the images of a convolution: (N, H, W, C).
static SmallVector<int64_t> getImageShape(Conv2dOp op) {
  ArrayRef<int64_t> shape = op.getInput().getType().getShape();
  ArrayRef<int64_t> image = shape.take_back(3);
  return {volume(shape.drop_back(3)), image[0], image[1], image[2]};
}

/// The extents (O, C / groups, KH, KW) of the weight, also if it comes
/// prepared.
static SmallVector<int64_t> getKernelShape(Conv2dOp op) {
  ArrayRef<int64_t> weight = op.getWeight().getType().getShape();
  std::optional<ArrayRef<int32_t>> kernel = op.getKernelSize();
  if (!kernel)
    return SmallVector<int64_t>(weight);
  return {weight[3], op.getInput().getType().getShape().back() / op.getGroups(),
          (*kernel)[0], (*kernel)[1]};
}

/// The weight as (groups, KH, KW, in, out) in channels of a group.
static Value getWeight(Conv2dOp op, Primitives &b) {
  SmallVector<int64_t> kernel = getKernelShape(op);
  int64_t groups = op.getGroups(), filters = kernel[0] / groups;
  if (op.getKernelSize() && groups == 1)
    return b.reshape(op.getWeight(),
                     {1, kernel[2], kernel[3], kernel[1], filters});
  if (op.getKernelSize())
    return b.permute(b.reshape(op.getWeight(), {kernel[2], kernel[3], kernel[1],
                                                groups, filters}),
                     {3, 0, 1, 2, 4});
  return b.permute(b.reshape(op.getWeight(), {groups, filters, kernel[1],
                                              kernel[2], kernel[3]}),
                   {0, 3, 4, 2, 1});
}

static Sliding getSliding(Conv2dOp op, ArrayRef<int64_t> images) {
  ArrayRef<int64_t> result = op.getType().getShape().take_back(3);
  SmallVector<int64_t> kernel = getKernelShape(op);
  return {{kernel[2], op.getStrideHeight(), op.getDilationHeight(), images[1],
           result[0], op.getPaddingTop()},
          {kernel[3], op.getStrideWidth(), op.getDilationWidth(), images[2],
           result[1], op.getPaddingLeft()}};
}

static Value decomposeConv2d(Conv2dOp op, Primitives &b) {
  SmallVector<int64_t> kernel = getKernelShape(op), shape = getImageShape(op);
  int64_t groups = op.getGroups(), channels = shape[3];
  Value images = b.reshape(op.getInput(), shape);
  Sliding sliding = getSliding(op, shape);
  if (groups > 1 && groups == channels && kernel[0] == channels) {
    int64_t places = kernel[2] * kernel[3];
    Value weight =
        op.getKernelSize()
            ? b.reshape(op.getWeight(), {places, channels})
            : b.permute(b.reshape(op.getWeight(), {channels, places}), {1, 0});
    return addBias(op, b, weighTaps(b, sliding.getTaps(b, images, 0), weight));
  }
  return addBias(op, b,
                 multiplyRows(b, sliding.getRows(b, images), getWeight(op, b),
                              getProductType(op, b)));
}

static Value decomposePrepareWeights(PrepareConv2dWeightsOp op, Primitives &b) {
  return b.reshape(b.permute(op.getWeight(), {2, 3, 1, 0}),
                   op.getType().getShape());
}

/// `x` with `stride` - 1 zeros between the places of dimension `dim`.
static Value spread(Primitives &b, Value x, int64_t dim, int64_t stride) {
  if (stride == 1)
    return x;
  SmallVector<int64_t> shape(b.getShape(x));
  int64_t extent = shape[dim];
  int64_t outer = volume(ArrayRef(shape).take_front(dim + 1));
  int64_t inner = volume(ArrayRef(shape).drop_front(dim + 1));
  Value rows = b.reshape(x, {outer, 1, inner});
  rows = b.pad(rows, {0, 0, 0, stride - 1, 0, 0}, 0);
  shape[dim] = extent * stride;
  return b.slice(b.reshape(rows, shape), dim, 0, (extent - 1) * stride + 1);
}

/// A convolution, with the kernel turned round, of the input with zeros between
/// its places.
static Value decomposeConvTranspose2d(ConvTranspose2dOp op, Primitives &b) {
  ArrayRef<int64_t> result = op.getType().getShape();
  ArrayRef<int64_t> kernel = op.getWeight().getType().getShape();
  int64_t groups = op.getGroups();
  Value x = op.getInput();
  Axis axes[2];
  for (int64_t d = 0; d < 2; ++d) {
    x = spread(b, x, d + 1, op.getStride()[d]);
    int64_t dilation = op.getDilation()[d];
    int64_t before = dilation * (kernel[2 + d] - 1) - op.getPadding()[d];
    // More padding than the kernel reaches over cuts off places.
    int64_t extent = b.getShape(x)[d + 1];
    int64_t cut = std::max<int64_t>(-before, 0);
    if (cut < extent)
      x = b.slice(x, d + 1, cut, extent);
    axes[d] = {kernel[2 + d], 1,
               dilation,      b.getShape(x)[d + 1],
               result[d + 1], std::max<int64_t>(before, 0)};
  }
  Value taps =
      b.concat(Sliding{axes[0], axes[1]}.getTaps(b, x, 0, /*flipped=*/true), 3);
  ArrayRef<int64_t> met = b.getShape(taps);
  Value rows = b.reshape(taps, {volume(met.drop_back()), met.back()});
  Value weight = b.reshape(op.getWeight(), {groups, kernel[0] / groups,
                                            kernel[1], kernel[2], kernel[3]});
  weight = b.permute(weight, {0, 3, 4, 1, 2});
  return addBias(op, b, multiplyRows(b, rows, weight, getProductType(op, b)));
}

/// The shape of the images of a pooling, (N, H, W, C), whatever shape they were
/// brought into.
template <typename PoolOp>
static SmallVector<int64_t> getImageShape(PoolOp op) {
  ArrayRef<int64_t> shape = op.getInput().getType().getShape();
  if (!op.getOriginalHeight())
    return SmallVector<int64_t>(shape);
  int64_t h = *op.getOriginalHeight(), w = *op.getOriginalWidth();
  return {shape[2] / (h * w), h, w, shape[3]};
}

template <typename PoolOp> static Value getImages(PoolOp op, Primitives &b) {
  return b.reshape(op.getInput(), getImageShape(op));
}

template <typename PoolOp>
static Sliding getSliding(PoolOp op, ArrayRef<int64_t> images) {
  shapes::Window window{
      op.getKernelHeight(), op.getKernelWidth(),    op.getStrideHeight(),
      op.getStrideWidth(),  op.getDilationHeight(), op.getDilationWidth(),
      op.getPaddingTop(),   op.getPaddingLeft(),    op.getPaddingBottom(),
      op.getPaddingRight(), op.getCeilMode()};
  auto [h, w] = shapes::getWindowExtents(window, images[1], images[2]);
  return {{window.kernelHeight, window.strideHeight, window.dilationHeight,
           images[1], h, window.paddingTop},
          {window.kernelWidth, window.strideWidth, window.dilationWidth,
           images[2], w, window.paddingLeft}};
}

/// Less than or equal to every element.
static double getLowest(Type elementType) {
  if (isa<FloatType>(elementType))
    return -std::numeric_limits<double>::infinity();
  return elementType.isSignedInteger()
             ? static_cast<double>(
                   llvm::minIntN(elementType.getIntOrFloatBitWidth()))
             : 0;
}

/// What each window holds, combined; of the type of `images`. The columns of a
/// window come first, so that it takes kernel height + width steps. A window
/// that is the image is one reduction.
template <typename CombineOp, typename ReductionOp>
static Value combineWindows(Primitives &b, const Sliding &sliding, Value images,
                            double padding) {
  const Axis &h = sliding.h, &w = sliding.w;
  Type type = b.getElementType(images);
  if (h.isWhole() && w.isWhole() && isa<FloatType>(type))
    return b.reduce<ReductionOp>(images, {1, 2}, type);
  for (const Sliding &step :
       {Sliding{h, Axis::identity(w.in)}, Sliding{Axis::identity(h.out), w}}) {
    SmallVector<Value> taps = step.getTaps(b, images, padding);
    images = taps.front();
    for (Value tap : ArrayRef(taps).drop_front())
      images = b.eltwise<CombineOp>({images, tap});
  }
  return images;
}

static Value decomposeMaxPool2d(MaxPool2dOp op, Primitives &b) {
  Value images = getImages(op, b);
  Value maximum = combineWindows<MaximumOp, MaxOp>(
      b, getSliding(op, b.getShape(images)), images,
      getLowest(b.getElementType(images)));
  return b.reshape(maximum, op.getType().getShape());
}

/// How many places of each window are in the image, or in its padding up to
/// `after` places after it.
static SmallVector<float> countPlaces(const Axis &axis, bool withPadding,
                                      int64_t after) {
  int64_t first = withPadding ? -axis.before : 0;
  int64_t end = axis.in + (withPadding ? after : 0);
  // Places of the kernel before `limit` of the image.
  auto countBefore = [&](int64_t begin, int64_t limit) {
    return std::clamp<int64_t>(
        llvm::divideCeilSigned(limit - begin, axis.dilation), 0, axis.kernel);
  };
  SmallVector<float> counts;
  for (int64_t i = 0; i < axis.out; ++i) {
    int64_t begin = i * axis.stride - axis.before;
    counts.push_back(countBefore(begin, end) - countBefore(begin, first));
  }
  return counts;
}

static Value decomposeAvgPool2d(AvgPool2dOp op, Primitives &b) {
  Value images = getImages(op, b);
  Type wide = b.getWideType(b.getElementType(images));
  Sliding sliding = getSliding(op, b.getShape(images));
  Value sum = combineWindows<AddOp, SumOp>(b, sliding, b.cast(images, wide), 0);
  bool withPadding = op.getCountIncludePad();
  SmallVector<float> rows =
      countPlaces(sliding.h, withPadding, op.getPaddingBottom());
  SmallVector<float> columns =
      countPlaces(sliding.w, withPadding, op.getPaddingRight());
  SmallVector<float> counts;
  for (float row : rows)
    for (float column : columns)
      counts.push_back(row * column);
  Value count = llvm::all_equal(counts)
                    ? b.scalar(counts.front(), wide)
                    : b.constant({sliding.h.out, sliding.w.out, 1}, counts);
  Value mean = b.eltwise<DivOp>({sum, count}, op.getType().getElementType());
  return b.reshape(mean, op.getType().getShape());
}

/// The share of each of `extent` places, rows, in each of `extent * scale`
/// between their centres, columns.
static Value getWeights(Primitives &b, int64_t extent, int64_t scale) {
  SmallVector<float> weights(extent * extent * scale, 0);
  for (int64_t i = 0; i < extent * scale; ++i) {
    double at = static_cast<double>(2 * i + 1 - scale) / (2 * scale);
    double low = std::floor(at);
    auto add = [&](double place, double share) {
      auto row =
          std::clamp<int64_t>(static_cast<int64_t>(place), 0, extent - 1);
      weights[row * extent * scale + i] += static_cast<float>(share);
    };
    add(low, 1 - (at - low));
    add(low + 1, at - low);
  }
  return b.constant({extent, extent * scale}, weights);
}

/// The last dimension of `x` times `weights`.
static Value interpolate(Primitives &b, Value x, int64_t scale) {
  if (scale == 1)
    return x;
  SmallVector<int64_t> shape(b.getShape(x));
  int64_t extent = shape.back();
  Value rows = b.reshape(x, {volume(ArrayRef(shape).drop_back()), extent});
  shape.back() *= scale;
  return b.reshape(
      b.matmul(rows, getWeights(b, extent, scale), b.builder.getF32Type()),
      shape);
}

static Value decomposeUpsample(UpsampleOp op, Primitives &b) {
  Value x = op.getInput();
  ArrayRef<int64_t> shape = b.getShape(x);
  SmallVector<int32_t> factors = getScaleFactors(op);
  if (op.getMode() == "nearest") {
    Value places =
        b.reshape(x, {shape[0] * shape[1], 1, shape[2], 1, shape[3]});
    return b.reshape(b.repeat(places, {1, factors[0], 1, factors[1], 1}),
                     op.getType().getShape());
  }
  // Height and width are the last dimension in turn.
  x = b.cast(x, b.builder.getF32Type());
  x = interpolate(b, b.permute(x, {0, 2, 3, 1}), factors[0]);
  x = interpolate(b, b.permute(x, {0, 3, 2, 1}), factors[1]);
  return b.cast(b.permute(x, {0, 1, 3, 2}), op.getType().getElementType());
}

/// The most slices that a window becomes: for the places of 64 x 64.
static constexpr int64_t kMaxSlices = 4096;

/// Bounds for what a window over images (N, H, W, C) becomes: slices, the
/// padded images, and `each` elements for each place of the result.
static LogicalResult verifySliding(Operation *op, const Sliding &sliding,
                                   ArrayRef<int64_t> images, int64_t slices,
                                   int64_t each) {
  const Axis &h = sliding.h, &w = sliding.w;
  if (slices > kMaxSlices)
    return op->emitOpError("cannot be decomposed: expected a window that "
                           "becomes at most ")
           << kMaxSlices << " slices, found " << slices << " for " << h.kernel
           << "x" << w.kernel;
  SmallVector<int64_t> padded{images[0], h.before + h.in + h.getBehind(),
                              w.before + w.in + w.getBehind(), images[3]};
  SmallVector<int64_t> met{images[0], h.out, w.out, each};
  for (ArrayRef<int64_t> shape : {ArrayRef(padded), ArrayRef(met)})
    if (!isComputable(shape))
      return op->emitOpError("cannot be decomposed: expected extents below "
                             "2^31 and at most 2^40 elements of the padded "
                             "images and of what the window meets, found ")
             << shapes::toString(shape);
  return success();
}

/// A convolution has a slice for each place of the window, side by side.
static LogicalResult verifyConvolution(Operation *op, const Sliding &sliding,
                                       ArrayRef<int64_t> images) {
  int64_t h = sliding.h.kernel, w = sliding.w.kernel;
  return verifySliding(op, sliding, images, saturatedVolume({h, w}),
                       saturatedVolume({h, w, images[3]}));
}

static LogicalResult verifyTranspose(ConvTranspose2dOp op) {
  ArrayRef<int64_t> image = op.getInput().getType().getShape();
  ArrayRef<int64_t> result = op.getType().getShape();
  ArrayRef<int64_t> kernel = op.getWeight().getType().getShape();
  SmallVector<int64_t> spread(image);
  Axis axes[2];
  for (int64_t d = 0; d < 2; ++d) {
    spread[d + 1] *= op.getStride()[d];
    axes[d] = {kernel[2 + d], 1, op.getDilation()[d], spread[d + 1],
               result[d + 1], 0};
  }
  if (!isComputable(spread))
    return op->emitOpError("cannot be decomposed: expected extents below 2^31 "
                           "and at most 2^40 elements of the input with zeros "
                           "between its places, found ")
           << shapes::toString(spread);
  return verifyConvolution(op, {axes[0], axes[1]}, spread);
}

static LogicalResult verifyUpsample(UpsampleOp op) {
  if (op.getMode() == "nearest")
    return success();
  ArrayRef<int64_t> shape = op.getInput().getType().getShape();
  for (auto [extent, factor] :
       llvm::zip(shape.drop_front(), getScaleFactors(op)))
    if (!isAddressable({extent, extent, factor}, kMaxTableElements))
      return op->emitOpError("cannot be decomposed: expected a table of at "
                             "most 2^24 weights, found ")
             << extent << "x" << extent << "x" << factor;
  return success();
}

template <typename PoolOp> static LogicalResult verifyPool(PoolOp op) {
  SmallVector<int64_t> images = getImageShape(op);
  Sliding sliding = getSliding(op, images);
  if (!isAddressable({sliding.h.out, sliding.w.out}, kMaxTableElements))
    return op->emitOpError("cannot be decomposed: expected at most 2^24 places "
                           "of the window, found ")
           << sliding.h.out << "x" << sliding.w.out;
  // The slices of a window one dimension after the other.
  int64_t slices = sliding.h.kernel + sliding.w.kernel;
  if (sliding.h.isWhole() && sliding.w.isWhole())
    slices = 1;
  return verifySliding(op, sliding, images, slices, images[3]);
}

LogicalResult verifyWindowDecomposition(Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([](Conv2dOp op) {
        SmallVector<int64_t> images = getImageShape(op);
        return verifyConvolution(op, getSliding(op, images), images);
      })
      .Case([](ConvTranspose2dOp op) { return verifyTranspose(op); })
      .Case<MaxPool2dOp, AvgPool2dOp>([](auto op) { return verifyPool(op); })
      .Case([](UpsampleOp op) { return verifyUpsample(op); })
      .Default([](Operation *) { return success(); });
}

void populateWindowDecompositions(RewritePatternSet &patterns) {
  addDecomposition<Conv2dOp>(patterns, decomposeConv2d);
  addDecomposition<PrepareConv2dWeightsOp>(patterns, decomposePrepareWeights);
  addDecomposition<ConvTranspose2dOp>(patterns, decomposeConvTranspose2d);
  addDecomposition<MaxPool2dOp>(patterns, decomposeMaxPool2d);
  addDecomposition<AvgPool2dOp>(patterns, decomposeAvgPool2d);
  addDecomposition<UpsampleOp>(patterns, decomposeUpsample);
}

} // namespace mlir::tt::ttir
