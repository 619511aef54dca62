#include "dialects/TTIR/Composites/WindowParts.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttir;
using namespace mlir::tt::graph;

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

LogicalResult mlir::tt::ttir::verifyWindowEntries(Operation *op, StringRef name,
                                                  ArrayRef<int64_t> values,
                                                  size_t count, int64_t least) {
  if (values.size() != count)
    return op->emitOpError("expected ")
           << count << " entries of " << name << ", found " << values.size();
  for (int64_t value : values)
    if (value < least)
      return op->emitOpError("expected entries of ")
             << name << " of at least " << least << ", found " << value;
  return success();
}

Value mlir::tt::ttir::spreadAlong(GraphBuilder &b, Value value, int64_t dim,
                                  int64_t factor, double gap) {
  SmallVector<int64_t> shape(shapeOf(value));
  int64_t count = shape[dim];
  if (factor == 1 || count <= 1)
    return value;
  int64_t outer = 1, inner = 1;
  for (int64_t extent : ArrayRef(shape).take_front(dim))
    outer *= extent;
  for (int64_t extent : ArrayRef(shape).drop_front(dim + 1))
    inner *= extent;
  Value apart = b.reshape(value, {outer * count, 1, inner});
  Value wide = b.pad(apart, {0, 0, 0}, {0, factor - 1, 0}, gap);
  shape[dim] = count * factor;
  return sliceAlong(b, b.reshape(wide, shape), dim, 0,
                    (count - 1) * factor + 1);
}

Value mlir::tt::ttir::padAlong(GraphBuilder &b, Value value, int64_t dim,
                               int64_t low, int64_t high, double gap) {
  int64_t begin = std::max<int64_t>(-low, 0);
  int64_t end = shapeOf(value)[dim] - std::max<int64_t>(-high, 0);
  value = sliceAlong(b, value, dim, begin, end - begin);
  SmallVector<int64_t> before(typeOf(value).getRank(), 0), behind(before);
  before[dim] = std::max<int64_t>(low, 0);
  behind[dim] = std::max<int64_t>(high, 0);
  return b.pad(value, before, behind, gap);
}

Value mlir::tt::ttir::sliceAlong(GraphBuilder &b, Value value, int64_t dim,
                                 int64_t begin, int64_t count, int64_t step) {
  SmallVector<int64_t> ends(shapeOf(value)), begins(ends.size(), 0),
      steps(ends.size(), 1);
  begins[dim] = begin;
  ends[dim] = begin + (count - 1) * step + 1;
  steps[dim] = step;
  return b.slice(value, begins, ends, steps);
}

//===----------------------------------------------------------------------===//
// A convolution of (N, space.., C) with (O, C / groups, space..)
//===----------------------------------------------------------------------===//

namespace {

/// What is done along each dimension of space, and in how many groups.
struct Convolution {
  SmallVector<Slide> slides;
  int64_t groups = 1;
};

} // namespace

/// The sum of `parts`; null before the first one.
static Value sumUp(GraphBuilder &b, Value sum, Value part) {
  return sum ? Value(b.eltwise("add", {sum, part})) : part;
}

/// As many products of 8-bit integers add up exactly in f32.
static constexpr int64_t kExactTerms = 256;

/// Products (groups, rows, in) with (groups, out, in) in 32 bits: in f32 where
/// these are exact, which kernels have, too.
static Value multiplyIntegers(GraphBuilder &b, Value left, Value right) {
  Type wide = b.getIndexType();
  if (!isa<FloatType>(elementOf(left)))
    return b.matmul(left, right, wide, false, true);
  int64_t in = shapeOf(left).back();
  Value sum;
  for (int64_t i = 0; i < in; i += kExactTerms) {
    int64_t count = std::min(kExactTerms, in - i);
    Value product = b.matmul(sliceAlong(b, left, 2, i, count),
                             sliceAlong(b, right, 2, i, count), elementOf(left),
                             false, true);
    sum = sumUp(b, sum, b.cast(product, wide));
  }
  return sum;
}

/// Of integers, in 32 bits: a product for each place in the window.
static Value convolveIntegers(GraphBuilder &b, Value input, Value weight,
                              const Convolution &conv) {
  auto isNarrow = [](Value value) {
    return elementOf(value).getIntOrFloatBitWidth() <= 8;
  };
  Type step = isNarrow(input) && isNarrow(weight)
                  ? Type(b.getBuilder().getF32Type())
                  : b.getIndexType();
  input = b.cast(input, step);
  weight = b.cast(weight, step);
  int64_t rank = conv.slides.size(), groups = conv.groups;
  SmallVector<int64_t> shape{shapeOf(input).front()}, place(rank, 0);
  int64_t rows = shape.front();
  for (auto [i, slide] : llvm::enumerate(conv.slides)) {
    shape.push_back(slide.windows(shapeOf(input)[i + 1]));
    rows *= shape.back();
    input = padAlong(b, input, i + 1, slide.low, slide.high, 0);
  }
  int64_t in = shapeOf(input).back() / groups;
  int64_t out = shapeOf(weight).front() / groups;
  Value sum;
  for (bool isDone = false; !isDone;) {
    Value seen = input, taps = weight;
    for (auto [i, slide] : llvm::enumerate(conv.slides)) {
      seen = sliceAlong(b, seen, i + 1, place[i] * slide.dilation, shape[i + 1],
                        slide.stride);
      taps = sliceAlong(b, taps, i + 2, place[i], 1);
    }
    Value left = b.permute(b.reshape(seen, {rows, groups, in}), {1, 0, 2});
    Value right = b.reshape(taps, {groups, out, in});
    sum = sumUp(b, sum, multiplyIntegers(b, left, right));
    isDone = true;
    for (int64_t i = rank - 1; i >= 0 && isDone; --i) {
      isDone = ++place[i] == conv.slides[i].size;
      if (isDone)
        place[i] = 0;
    }
  }
  shape.push_back(groups * out);
  return b.reshape(b.permute(sum, {1, 0, 2}), shape);
}

/// Of floats, in f32 unless the op that is one convolution rounds to `element`.
/// The input has no gaps and no negative padding.
static Value convolveFloats(GraphBuilder &b, Value input, Value weight,
                            const Convolution &conv, Type element) {
  size_t rank = conv.slides.size();
  ArrayRef<int64_t> extents = shapeOf(input), kernel = shapeOf(weight);
  if (rank < 2) {
    // One more dimension of space, of extent 1.
    SmallVector<int64_t> image(extents), taps(kernel);
    image.insert(image.begin() + 1, 1);
    taps.insert(taps.begin() + 2, 1);
    Convolution wider = conv;
    wider.slides.insert(wider.slides.begin(), Slide());
    Value result = convolveFloats(b, b.reshape(input, image),
                                  b.reshape(weight, taps), wider, element);
    SmallVector<int64_t> shape(shapeOf(result));
    shape.erase(shape.begin() + 1);
    return b.reshape(result, shape);
  }
  if (rank == 2) {
    const Slide &y = conv.slides[0], &x = conv.slides[1];
    auto type = RankedTensorType::get(
        {extents[0], y.windows(extents[1]), x.windows(extents[2]), kernel[0]},
        element);
    return b.op(
        "conv2d", {input, weight}, type,
        {b.si32("stride_height", y.stride), b.si32("stride_width", x.stride),
         b.si32("dilation_height", y.dilation),
         b.si32("dilation_width", x.dilation), b.si32("padding_top", y.low),
         b.si32("padding_bottom", y.high), b.si32("padding_left", x.low),
         b.si32("padding_right", x.high), b.si32("groups", conv.groups)});
  }
  // The first dimension of space joins the batch, for each place in the window.
  const Slide slide = conv.slides.front();
  Convolution inner{SmallVector<Slide>(llvm::drop_begin(conv.slides)),
                    conv.groups};
  int64_t count = slide.windows(extents[1]);
  SmallVector<int64_t> joined(extents.drop_front(1)), taps(kernel), shape;
  joined[0] = extents[0] * count;
  taps.erase(taps.begin() + 2);
  Type f32 = b.getBuilder().getF32Type();
  Value padded = padAlong(b, input, 1, slide.low, slide.high, 0), sum;
  for (int64_t i = 0; i < slide.size; ++i) {
    Value seen =
        sliceAlong(b, padded, 1, i * slide.dilation, count, slide.stride);
    Value part = convolveFloats(b, b.reshape(seen, joined),
                                b.reshape(sliceAlong(b, weight, 2, i, 1), taps),
                                inner, slide.size == 1 ? element : f32);
    sum = sumUp(b, sum, part);
  }
  shape.assign({extents[0], count});
  shape.append(shapeOf(sum).begin() + 1, shapeOf(sum).end());
  return b.cast(b.reshape(sum, shape), element);
}

static Value convolve(GraphBuilder &b, Value input, Value weight,
                      Convolution conv, Type element) {
  for (auto [i, slide] : llvm::enumerate(conv.slides)) {
    input = spreadAlong(b, input, i + 1, slide.baseDilation, 0);
    slide.baseDilation = 1;
    if (slide.low < 0 || slide.high < 0)
      input = padAlong(b, input, i + 1, std::min<int64_t>(slide.low, 0),
                       std::min<int64_t>(slide.high, 0), 0);
    slide.low = std::max<int64_t>(slide.low, 0);
    slide.high = std::max<int64_t>(slide.high, 0);
  }
  if (!isa<FloatType>(elementOf(input)))
    return b.cast(convolveIntegers(b, input, weight, conv), element);
  return convolveFloats(b, input, weight, conv, element);
}

//===----------------------------------------------------------------------===//
// convolution
//===----------------------------------------------------------------------===//

static LogicalResult verifyPositions(Operation *op, StringRef name,
                                     ArrayRef<int64_t> dims, int64_t rank) {
  SmallVector<int64_t> sorted(dims);
  llvm::sort(sorted);
  if (sorted == range(rank))
    return success();
  return op->emitOpError("expected ")
         << name << " to be a permutation of the " << rank
         << " dimensions, found " << shapes::toString(dims);
}

/// The extents of `value` at `dims`.
static SmallVector<int64_t> extentsAt(Value value, ArrayRef<int64_t> dims) {
  SmallVector<int64_t> extents;
  for (int64_t dim : dims)
    extents.push_back(shapeOf(value)[dim]);
  return extents;
}

static SmallVector<Slide> getSlides(ConvolutionOp op) {
  SmallVector<Slide> slides;
  for (auto [i, stride] : llvm::enumerate(op.getStride()))
    slides.push_back({shapeOf(op.getWeight())[op.getWeightDims()[i + 2]],
                      stride, op.getInputDilation()[i],
                      op.getWeightDilation()[i], op.getPadding()[2 * i],
                      op.getPadding()[2 * i + 1]});
  return slides;
}

/// The extents of batch, space and channels that a convolution gives, or one
/// error. `input` has batch, channels and space, `weight` the channels of
/// output and input and space.
static FailureOr<shapes::Shape>
inferConvolution(Operation *op, ArrayRef<int64_t> input,
                 ArrayRef<int64_t> weight, ArrayRef<Slide> slides,
                 int64_t groups, int64_t batchGroups) {
  if (groups < 1 || batchGroups < 1 || (groups > 1 && batchGroups > 1))
    return op->emitOpError("expected positive groups, of the channels or of "
                           "the batch: found ")
           << groups << " and " << batchGroups;
  int64_t batch = input[0], in = input[1], out = weight[0];
  if (in % groups || out % groups || batch % batchGroups || out % batchGroups)
    return op->emitOpError("groups must divide what is grouped: found ")
           << groups << " groups of " << in << " and " << out
           << " channels, and " << batchGroups << " of a batch of " << batch;
  if (weight[1] != in / groups)
    return op->emitOpError("expected a weight of ")
           << in / groups << " input channels, found " << weight[1];
  shapes::Shape shape{batch / batchGroups, out};
  for (auto [i, slide] : llvm::enumerate(slides)) {
    shape.push_back(slide.windows(input[i + 2]));
    if (shape.back() < 1)
      return op->emitOpError("the window does not fit into the input: "
                             "expected at least ")
             << slide.span() << " elements with padding, found "
             << slide.padded(input[i + 2]);
  }
  return shape;
}

Shapes ConvolutionOp::inferShapes() {
  int64_t rank = getInput().getType().getRank();
  if (rank < 2)
    return emitOpError("expected an input of rank 2 or more, found ") << rank;
  if (getWeight().getType().getRank() != rank)
    return emitOpError("expected input and weight of one rank, found ")
           << rank << " and " << getWeight().getType().getRank();
  size_t space = rank - 2;
  if (failed(verifyPositions(*this, "input_dims", getInputDims(), rank)) ||
      failed(verifyPositions(*this, "weight_dims", getWeightDims(), rank)) ||
      failed(verifyPositions(*this, "output_dims", getOutputDims(), rank)) ||
      failed(verifyWindowEntries(*this, "stride", getStride(), space, 1)) ||
      failed(verifyWindowEntries(*this, "input_dilation", getInputDilation(),
                                 space, 1)) ||
      failed(verifyWindowEntries(*this, "weight_dilation", getWeightDilation(),
                                 space, 1)) ||
      failed(verifyWindowEntries(*this, "padding", getPadding(), 2 * space,
                                 std::numeric_limits<int32_t>::min())) ||
      failed(verifyOneKind(*this)))
    return failure();
  FailureOr<shapes::Shape> found =
      inferConvolution(*this, extentsAt(getInput(), getInputDims()),
                       extentsAt(getWeight(), getWeightDims()),
                       getSlides(*this), getGroups(), getBatchGroups());
  if (failed(found))
    return failure();
  shapes::Shape shape(rank, 0);
  for (auto [extent, dim] : llvm::zip(*found, getOutputDims()))
    shape[dim] = extent;
  return SmallVector<shapes::Shape>{shape};
}

Expansion ConvolutionOp::expand(GraphBuilder &b) {
  int64_t rank = getInput().getType().getRank();
  // Batch, space, channels.
  SmallVector<int64_t> order{getInputDims()[0]};
  llvm::append_range(order, getInputDims().drop_front(2));
  order.push_back(getInputDims()[1]);
  Value input = b.permute(getInput(), order);
  Value weight = b.permute(getWeight(), getWeightDims());
  Convolution conv{getSlides(*this), static_cast<int64_t>(getGroups())};
  if (int64_t groups = getBatchGroups(); groups > 1) {
    // Parts of the batch are groups of channels.
    SmallVector<int64_t> shape(shapeOf(input)), moved;
    shape.front() /= groups;
    shape.insert(shape.begin(), groups);
    for (int64_t dim = 1; dim < rank; ++dim)
      moved.push_back(dim);
    moved.append({0, rank});
    input = b.permute(b.reshape(input, shape), moved);
    shape.assign(shapeOf(input).begin(), shapeOf(input).end());
    shape.pop_back();
    shape.back() = groups * shapeOf(input).back();
    input = b.reshape(input, shape);
    conv.groups = groups;
  }
  Value result = convolve(b, input, weight, conv, getType().getElementType());
  // Where each dimension of the output is in (batch, space, channels).
  SmallVector<int64_t> back(rank);
  for (auto [i, dim] : llvm::enumerate(getOutputDims()))
    back[dim] = i == 0 ? 0 : i == 1 ? rank - 1 : static_cast<int64_t>(i) - 1;
  return SmallVector<Value>{b.permute(result, back)};
}

//===----------------------------------------------------------------------===//
// conv1d and conv3d
//===----------------------------------------------------------------------===//

static SmallVector<int64_t> widened(ArrayRef<int32_t> values) {
  return SmallVector<int64_t>(values.begin(), values.end());
}

/// An input with the positions of batch, channels and space, and a weight (O, C
/// / groups, space..), as `ttir.convolution` has them.
struct PlainConvolution {
  Value input, weight, bias;
  SmallVector<int64_t> dims, stride, padding, dilation;
  int64_t groups;
};

static SmallVector<Slide> getSlides(const PlainConvolution &conv) {
  SmallVector<Slide> slides;
  for (auto [i, stride] : llvm::enumerate(conv.stride))
    slides.push_back({shapeOf(conv.weight)[i + 2], stride, 1, conv.dilation[i],
                      conv.padding[2 * i], conv.padding[2 * i + 1]});
  return slides;
}

static Shapes inferPlain(Operation *op, PlainConvolution conv, size_t space) {
  int64_t rank = space + 2;
  if (typeOf(conv.input).getRank() != rank ||
      typeOf(conv.weight).getRank() != rank)
    return op->emitOpError("expected input and weight of rank ")
           << rank << ", found " << typeOf(conv.input).getRank() << " and "
           << typeOf(conv.weight).getRank();
  if (failed(verifyPositions(op, "the dimensions of the input", conv.dims,
                             rank)) ||
      failed(verifyWindowEntries(op, "stride", conv.stride, space, 1)) ||
      failed(verifyWindowEntries(op, "dilation", conv.dilation, space, 1)) ||
      failed(verifyWindowEntries(op, "padding", conv.padding, 2 * space, 0)) ||
      failed(verifyOneKind(op)))
    return failure();
  if (conv.bias &&
      (typeOf(conv.bias).getNumElements() != shapeOf(conv.weight).front()))
    return op->emitOpError("expected a bias of ")
           << shapeOf(conv.weight).front() << " elements, found "
           << typeOf(conv.bias).getNumElements();
  FailureOr<shapes::Shape> found =
      inferConvolution(op, extentsAt(conv.input, conv.dims),
                       shapeOf(conv.weight), getSlides(conv), conv.groups, 1);
  if (failed(found))
    return failure();
  shapes::Shape shape(rank, 0);
  for (auto [extent, dim] : llvm::zip(*found, conv.dims))
    shape[dim] = extent;
  return SmallVector<shapes::Shape>{shape};
}

static Expansion expandPlain(GraphBuilder &b, const PlainConvolution &conv,
                             Type element) {
  int64_t rank = conv.dims.size();
  SmallVector<int64_t> order{conv.dims[0]}, back(rank);
  llvm::append_range(order, ArrayRef(conv.dims).drop_front(2));
  order.push_back(conv.dims[1]);
  bool isFloat = isa<FloatType>(elementOf(conv.input));
  Type step = !conv.bias ? element
              : isFloat  ? Type(b.getBuilder().getF32Type())
                         : b.getIndexType();
  Value result = convolve(b, b.permute(conv.input, order), conv.weight,
                          {getSlides(conv), conv.groups}, step);
  if (conv.bias) {
    SmallVector<int64_t> shape(rank, 1);
    shape.back() = shapeOf(conv.weight).front();
    Value bias = b.cast(b.reshape(conv.bias, shape), step);
    result = b.cast(b.eltwise("add", {result, bias}), element);
  }
  for (auto [i, dim] : llvm::enumerate(order))
    back[dim] = i;
  return SmallVector<Value>{b.permute(result, back)};
}

static PlainConvolution describe(Conv1dOp op) {
  SmallVector<int64_t> padding = widened(op.getPadding());
  if (padding.size() == 1)
    padding.push_back(padding.front());
  return {op.getInput(),
          op.getWeight(),
          op.getBias(),
          {static_cast<int64_t>(op.getBatchDim()),
           static_cast<int64_t>(op.getChannelDim()),
           static_cast<int64_t>(op.getLengthDim())},
          widened(op.getStride()),
          padding,
          widened(op.getDilation()),
          static_cast<int64_t>(op.getGroups())};
}

Shapes Conv1dOp::inferShapes() { return inferPlain(*this, describe(*this), 1); }

Expansion Conv1dOp::expand(GraphBuilder &b) {
  return expandPlain(b, describe(*this), getType().getElementType());
}

static PlainConvolution describe(Conv3dOp op) {
  SmallVector<int64_t> padding;
  for (int64_t side : widened(op.getPadding()))
    padding.append(op.getPadding().size() == 3 ? 2 : 1, side);
  return {op.getInput(),
          op.getWeight(),
          op.getBias(),
          {static_cast<int64_t>(op.getBatchDim()),
           static_cast<int64_t>(op.getChannelDim()),
           static_cast<int64_t>(op.getDepthDim()),
           static_cast<int64_t>(op.getHeightDim()),
           static_cast<int64_t>(op.getWidthDim())},
          widened(op.getStride()),
          padding,
          {1, 1, 1},
          static_cast<int64_t>(op.getGroups())};
}

Shapes Conv3dOp::inferShapes() {
  if (getPaddingMode() != "zeros")
    return emitOpError("expected padding_mode = \"zeros\", found \"")
           << getPaddingMode() << "\"";
  return inferPlain(*this, describe(*this), 3);
}

Expansion Conv3dOp::expand(GraphBuilder &b) {
  return expandPlain(b, describe(*this), getType().getElementType());
}
