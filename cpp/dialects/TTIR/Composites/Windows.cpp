#include "dialects/TTIR/Composites/WindowParts.h"

#include "ttmlir/Windows.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttir;
using namespace mlir::tt::graph;

//===----------------------------------------------------------------------===//
// reduce_window
//===----------------------------------------------------------------------===//

namespace {

/// How elements are combined.
struct Combiner {
  /// An elementwise op, a reduction, and the number that changes nothing.
  StringRef eltwise, reduction;
  double identity;
  /// An element may count twice.
  bool isIdempotent;

  Value apply(GraphBuilder &b, Value x, Value y) const {
    return x ? Value(b.eltwise(eltwise, {x, y})) : y;
  }
};

} // namespace

/// The least number of a format.
static double getLeast(Type element) {
  if (isa<FloatType>(element))
    return -std::numeric_limits<double>::infinity();
  auto integer = cast<IntegerType>(element);
  return integer.isSigned() ? -std::ldexp(1.0, integer.getWidth() - 1) : 0.0;
}

/// Of maxima and minima, a minimum of integers excepted.
static Combiner getCombiner(StringRef kind, Type element) {
  if (kind == "sum")
    return {"add", "sum", 0, false};
  if (kind == "prod")
    return {"multiply", "prod", 1, false};
  if (kind == "max")
    return {"maximum", "max", getLeast(element), true};
  return {"minimum", "min", -getLeast(element), true};
}

static SmallVector<Slide> getSlides(ReduceWindowOp op) {
  SmallVector<Slide> slides;
  for (auto [i, size] : llvm::enumerate(op.getWindow()))
    slides.push_back({size, op.getStride()[i], op.getBaseDilation()[i],
                      op.getWindowDilation()[i], op.getPadding()[2 * i],
                      op.getPadding()[2 * i + 1]});
  return slides;
}

/// The number of windows over each dimension of `input`, or one error.
static FailureOr<shapes::Shape>
inferWindows(Operation *op, ArrayRef<int64_t> input, ArrayRef<Slide> slides) {
  shapes::Shape shape;
  for (auto [extent, slide] : llvm::zip(input, slides)) {
    shape.push_back(slide.windows(extent));
    if (shape.back() < 1 && extent > 0)
      return op->emitOpError("the window does not fit into the input: "
                             "expected at least ")
             << slide.span() << " elements with padding, found "
             << slide.padded(extent);
  }
  return shape;
}

Shapes ReduceWindowOp::inferShapes() {
  size_t rank = getInput().getType().getRank();
  if (!llvm::is_contained({"sum", "prod", "max", "min"}, getKind()))
    return emitOpError("expected kind to be \"sum\", \"prod\", \"max\" or "
                       "\"min\", found \"")
           << getKind() << "\"";
  if (failed(verifyWindowEntries(*this, "window", getWindow(), rank, 1)) ||
      failed(verifyWindowEntries(*this, "stride", getStride(), rank, 1)) ||
      failed(verifyWindowEntries(*this, "base_dilation", getBaseDilation(),
                                 rank, 1)) ||
      failed(verifyWindowEntries(*this, "window_dilation", getWindowDilation(),
                                 rank, 1)) ||
      failed(verifyWindowEntries(*this, "padding", getPadding(), 2 * rank,
                                 std::numeric_limits<int32_t>::min())))
    return failure();
  FailureOr<shapes::Shape> shape =
      inferWindows(*this, getInput().getType().getShape(), getSlides(*this));
  if (failed(shape))
    return failure();
  return SmallVector<shapes::Shape>{*shape};
}

/// Windows at every place, by windows of 1, 2, 4, ... elements.
static Value combineByDoubling(GraphBuilder &b, Value x, int64_t dim,
                               const Slide &slide, const Combiner &combiner) {
  // `power` holds the windows of 2^j elements, `joined` those of the lower bits
  // of the size, which begin behind them.
  Value power = x, joined;
  int64_t size = 1, done = 0;
  auto shift = [&](Value value, int64_t from, int64_t count) {
    return sliceAlong(b, value, dim, from * slide.dilation, count);
  };
  int64_t length = shapeOf(x)[dim];
  auto windows = [&](int64_t elements) {
    return length - (elements - 1) * slide.dilation;
  };
  while (true) {
    if (combiner.isIdempotent && 2 * size > slide.size) {
      int64_t count = windows(slide.size);
      return combiner.apply(b, shift(power, 0, count),
                            shift(power, slide.size - size, count));
    }
    if (!combiner.isIdempotent && (slide.size & size)) {
      int64_t count = windows(done + size);
      joined = joined ? combiner.apply(b, shift(joined, 0, count),
                                       shift(power, done, count))
                      : power;
      done += size;
      if (done == slide.size)
        return joined;
    }
    int64_t count = windows(2 * size);
    power =
        combiner.apply(b, shift(power, 0, count), shift(power, size, count));
    size *= 2;
  }
}

/// Combines along one dimension.
static Value combineDim(GraphBuilder &b, Value x, int64_t dim,
                        const Slide &slide, const Combiner &combiner) {
  int64_t extent = shapeOf(x)[dim], count = slide.windows(extent);
  if (slide.size == 1) {
    x = padAlong(b, x, dim, slide.low, slide.high, combiner.identity);
    return sliceAlong(b, x, dim, 0, count, slide.stride);
  }
  // One window over neighbours: a reduction of what it sees.
  if (count == 1 && slide.dilation == 1) {
    int64_t begin = std::max<int64_t>(-slide.low, 0);
    int64_t end = std::min(extent, slide.size - slide.low);
    if (begin < end)
      return b.reduce(combiner.reduction,
                      sliceAlong(b, x, dim, begin, end - begin), {dim}, true);
  }
  // Of everything in front.
  if (combiner.reduction == "sum" && slide.dilation == 1 && slide.stride == 1 &&
      slide.low == slide.size - 1 && slide.high == 0 && slide.size >= extent)
    return b.op("cumsum", x, typeOf(x),
                b.attr("dim", b.getBuilder().getI64IntegerAttr(dim)));
  x = padAlong(b, x, dim, slide.low, slide.high, combiner.identity);
  double steps = 2 * (std::floor(std::log2(slide.size)) + 1);
  if (slide.size <= 4 ||
      static_cast<double>(slide.size) * count < steps * shapeOf(x)[dim]) {
    Value result;
    for (int64_t i = 0; i < slide.size; ++i)
      result = combiner.apply(
          b, result,
          sliceAlong(b, x, dim, i * slide.dilation, count, slide.stride));
    return result;
  }
  return sliceAlong(b, combineByDoubling(b, x, dim, slide, combiner), dim, 0,
                    count, slide.stride);
}

Expansion ReduceWindowOp::expand(GraphBuilder &b) {
  Value x = getInput();
  Type element = elementOf(x);
  StringRef kind = getKind();
  bool isFloat = isa<FloatType>(element);
  // The complement turns the order of integers around.
  bool isTurned = kind == "min" && !isFloat;
  if (isTurned)
    x = b.eltwise("bitwise_not", x);
  if (kind == "sum" || kind == "prod")
    x = toF32(b, x);
  Combiner combiner = getCombiner(isTurned ? "max" : kind, elementOf(x));
  for (auto [dim, slide] : llvm::enumerate(getSlides(*this))) {
    x = spreadAlong(b, x, dim, slide.baseDilation, combiner.identity);
    slide.baseDilation = 1;
    x = combineDim(b, x, dim, slide, combiner);
  }
  if (isTurned)
    x = b.eltwise("bitwise_not", x);
  return SmallVector<Value>{b.cast(x, getType().getElementType())};
}

//===----------------------------------------------------------------------===//
// The winner of a window
//===----------------------------------------------------------------------===//

namespace {

/// The element of each window that has won so far, and its mark.
struct Winner {
  Value value, mark;
};

} // namespace

/// `value` with `mark` wins against `best` if it is better, or NaN.
static Winner challenge(GraphBuilder &b, const Winner &best, Value value,
                        Value mark, StringRef comparison) {
  if (!best.value)
    return {value, mark};
  Value better = b.predicate(comparison, {value, best.value});
  if (isa<FloatType>(elementOf(value)))
    better = b.predicate("logical_or", {better, b.isNaN(value)});
  return {b.select(better, value, best.value),
          b.select(better, mark, best.mark)};
}

//===----------------------------------------------------------------------===//
// select_and_scatter
//===----------------------------------------------------------------------===//

static SmallVector<Slide> getSlides(SelectAndScatterOp op) {
  SmallVector<Slide> slides;
  for (auto [i, size] : llvm::enumerate(op.getWindow()))
    slides.push_back({size, op.getStride()[i], 1, 1, op.getPadding()[2 * i],
                      op.getPadding()[2 * i + 1]});
  return slides;
}

Shapes SelectAndScatterOp::inferShapes() {
  ArrayRef<int64_t> shape = getOperand().getType().getShape();
  if (getKind() != "max" && getKind() != "min")
    return emitOpError("expected kind to be \"max\" or \"min\", found \"")
           << getKind() << "\"";
  if (failed(
          verifyWindowEntries(*this, "window", getWindow(), shape.size(), 1)) ||
      failed(
          verifyWindowEntries(*this, "stride", getStride(), shape.size(), 1)) ||
      failed(verifyWindowEntries(*this, "padding", getPadding(),
                                 2 * shape.size(), 0)))
    return failure();
  FailureOr<shapes::Shape> windows =
      inferWindows(*this, shape, getSlides(*this));
  if (failed(windows))
    return failure();
  if (ArrayRef<int64_t>(*windows) != getSource().getType().getShape())
    return emitOpError("expected a source of ")
           << shapes::toString(*windows) << ", an element for each window, "
           << "found " << shapes::toString(getSource().getType().getShape());
  double elements = 1;
  for (int64_t size : getWindow())
    elements *= static_cast<double>(size);
  if (elements > 4096)
    return emitOpError("expected windows of at most 4096 elements, found ")
           << elements;
  return SmallVector<shapes::Shape>{shapes::Shape(shape)};
}

/// The dimensions with one that no window slides along as the last, where there
/// is a wide one: tiles are full only if the last dimension is, and gaps
/// between its elements would leave one element in each row of a tile.
static SmallVector<int64_t> widestLast(ArrayRef<Slide> slides,
                                       ArrayRef<int64_t> shape) {
  constexpr int64_t kWide = 16;
  auto isStill = [&](int64_t dim) {
    const Slide &slide = slides[dim];
    return slide.size == 1 && slide.stride == 1 && slide.low == 0 &&
           slide.high == 0;
  };
  SmallVector<int64_t> order = range(slides.size());
  if (order.empty() || isStill(order.back()))
    return order;
  for (int64_t dim = slides.size() - 1; dim-- > 0;)
    if (isStill(dim) && shape[dim] >= kWide) {
      std::rotate(order.begin() + dim, order.begin() + dim + 1, order.end());
      break;
    }
  return order;
}

Expansion SelectAndScatterOp::expand(GraphBuilder &b) {
  bool isMax = getKind() == "max";
  SmallVector<Slide> slides = getSlides(*this);
  // The order of the dimensions that have windows, and with it that of the
  // places in a window, stays.
  SmallVector<int64_t> order =
      widestLast(slides, getOperand().getType().getShape());
  slides = llvm::map_to_vector(order, [&](int64_t dim) { return slides[dim]; });
  Value x = b.permute(getOperand(), order);
  Value given = b.permute(getSource(), order);
  SmallVector<int64_t> shape(shapeOf(x)), windows(shapeOf(given));
  bool isFloat = isa<FloatType>(elementOf(x));
  if (!isMax && !isFloat) {
    x = b.eltwise("bitwise_not", x);
    isMax = true;
  }
  StringRef comparison = isMax ? "gt" : "lt";
  double gap = getCombiner(isMax ? "max" : "min", elementOf(x)).identity;
  int64_t rank = slides.size();
  for (auto [dim, slide] : llvm::enumerate(slides))
    x = padAlong(b, x, dim, slide.low, slide.high, gap);

  // The places in a window, the last dimension running fastest.
  SmallVector<SmallVector<int64_t>> places{SmallVector<int64_t>(rank, 0)};
  while (true) {
    SmallVector<int64_t> next = places.back();
    int64_t dim = rank - 1;
    for (; dim >= 0; --dim) {
      if (++next[dim] < slides[dim].size)
        break;
      next[dim] = 0;
    }
    if (dim < 0)
      break;
    places.push_back(next);
  }
  Type index = b.getIndexType();
  Winner best;
  for (auto [number, place] : llvm::enumerate(places)) {
    Value seen = x;
    for (auto [dim, slide] : llvm::enumerate(slides))
      seen = sliceAlong(b, seen, dim, place[dim], windows[dim], slide.stride);
    Value mark = b.scalar(number, index);
    if (number == 0)
      mark = b.splat(0, RankedTensorType::get(windows, index));
    best = challenge(b, best, seen, mark, comparison);
  }
  Value source = toF32(b, given), sum;
  Value zero = b.scalar(0, elementOf(source));
  for (auto [number, place] : llvm::enumerate(places)) {
    Value part = source;
    if (places.size() > 1)
      part = b.select(b.predicate("eq", {best.mark, b.scalar(number, index)}),
                      source, zero);
    bool isSeen = true;
    for (auto [dim, slide] : llvm::enumerate(slides)) {
      // From the places with padding to those without.
      int64_t extent = shape[dim];
      int64_t length = (windows[dim] - 1) * slide.stride + 1;
      int64_t low = place[dim] - slide.low, high = extent - low - length;
      isSeen &=
          length + std::min<int64_t>(low, 0) + std::min<int64_t>(high, 0) > 0;
      if (!isSeen)
        break;
      part = padAlong(b, spreadAlong(b, part, dim, slide.stride, 0), dim, low,
                      high, 0);
    }
    if (isSeen)
      sum = sum ? Value(b.eltwise("add", {sum, part})) : part;
  }
  // All windows may lie in the padding.
  if (!sum)
    return SmallVector<Value>{
        b.splat(0, RankedTensorType::get(getType().getShape(),
                                         getType().getElementType()))};
  return SmallVector<Value>{b.permute(b.cast(sum, getType().getElementType()),
                                      invertPermutationVector(order))};
}

//===----------------------------------------------------------------------===//
// max_pool2d_with_indices
//===----------------------------------------------------------------------===//

namespace {

/// The slides over height and width, and how many windows there are.
struct PoolWindow {
  Slide slides[2];
  int64_t counts[2];
};

} // namespace

static FailureOr<PoolWindow> getPoolWindow(MaxPool2dWithIndicesOp op) {
  auto entries = [&](StringRef name, ArrayRef<int32_t> values, size_t count,
                     int64_t least) {
    return verifyWindowEntries(
        op, name, SmallVector<int64_t>(values.begin(), values.end()), count,
        least);
  };
  RankedTensorType type = op.getInput().getType();
  if (failed(shapes::verifyPoolInputRank(op, type)) ||
      failed(entries("kernel", op.getKernel(), 2, 1)) ||
      failed(entries("stride", op.getStride(), 2, 1)) ||
      failed(entries("dilation", op.getDilation(), 2, 1)) ||
      failed(entries("padding", op.getPadding(),
                     op.getPadding().size() == 2 ? 2 : 4, 0)))
    return failure();
  PoolWindow window;
  for (int64_t i : {0, 1}) {
    Slide &slide = window.slides[i];
    slide.size = op.getKernel()[i];
    slide.stride = op.getStride()[i];
    slide.dilation = op.getDilation()[i];
    // Top, left, bottom, right.
    slide.low = op.getPadding()[i];
    slide.high =
        op.getPadding().size() == 2 ? slide.low : op.getPadding()[2 + i];
    int64_t extent = type.getDimSize(1 + i);
    int64_t count = ::ttmlir::getWindowExtent(extent, slide.size, slide.stride,
                                              slide.dilation, slide.low,
                                              slide.high, op.getCeilMode());
    if (count < 1)
      return op.emitOpError("the window does not fit into the input: "
                            "expected at least ")
             << slide.span() << " elements with padding, found "
             << slide.padded(extent);
    window.counts[i] = count;
    // The last window in ceil mode may reach beyond.
    slide.high = std::max(slide.high, (count - 1) * slide.stride +
                                          slide.span() - slide.low - extent);
  }
  return window;
}

Shapes MaxPool2dWithIndicesOp::inferShapes() {
  FailureOr<PoolWindow> window = getPoolWindow(*this);
  if (failed(window))
    return failure();
  ArrayRef<int64_t> shape = getInput().getType().getShape();
  shapes::Shape result{shape[0], window->counts[0], window->counts[1],
                       shape[3]};
  return SmallVector<shapes::Shape>{result, result};
}

/// The place that marks `place` of a window: itself, and for one in the padding
/// in front the first one of the window behind it.
static int64_t markOf(int64_t place, int64_t dilation, int64_t limit) {
  return std::min(place < 0 ? llvm::mod(place, dilation) : place, limit - 1);
}

/// Places of four dimensions, the last one of extent 1.
static Value places(GraphBuilder &b, int64_t rows, int64_t columns,
                    llvm::function_ref<int64_t(int64_t, int64_t)> placeAt) {
  SmallVector<APInt> numbers;
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t column = 0; column < columns; ++column)
      numbers.push_back(APInt(32, placeAt(row, column), /*isSigned=*/true));
  return b.constant(DenseElementsAttr::get(
      RankedTensorType::get({1, rows, columns, 1}, b.getIndexType()), numbers));
}

Expansion MaxPool2dWithIndicesOp::expand(GraphBuilder &b) {
  FailureOr<PoolWindow> window = getPoolWindow(*this);
  if (failed(window))
    return failure();
  ArrayRef<int64_t> shape = getInput().getType().getShape();
  int64_t height = shape[1], width = shape[2];
  double gap = getLeast(elementOf(getInput()));
  // The first winner of each row, then the first of the rows.
  const Slide &x = window->slides[1], &y = window->slides[0];
  Value seen = padAlong(b, getInput(), 2, x.low, x.high, gap);
  Winner row;
  for (int64_t i = 0; i < x.size; ++i) {
    Value mark = places(b, 1, window->counts[1], [&](int64_t, int64_t column) {
      return markOf(column * x.stride - x.low + i * x.dilation, x.dilation,
                    width);
    });
    Value value =
        sliceAlong(b, seen, 2, i * x.dilation, window->counts[1], x.stride);
    if (i == 0)
      mark = b.broadcast(mark, shapeOf(value));
    row = challenge(b, row, value, mark, "gt");
  }
  Value first =
      places(b, height, 1, [&](int64_t y, int64_t) { return y * width; });
  row.mark = b.eltwise("add", {row.mark, first});
  row.value = padAlong(b, row.value, 1, y.low, y.high, gap);
  // Nothing is greater than the padding where all elements are the least ones:
  // its mark stays.
  if (y.low > 0) {
    Value above =
        places(b, y.low, window->counts[1], [&](int64_t place, int64_t column) {
          return markOf(place - y.low, y.dilation, height) * width +
                 markOf(column * x.stride - x.low, x.dilation, width);
        });
    above = b.broadcast(above, {shape[0], y.low, window->counts[1], shape[3]});
    row.mark = b.concat({above, row.mark}, 1);
  }
  row.mark = padAlong(b, row.mark, 1, 0, y.high, 0);
  Winner best;
  for (int64_t i = 0; i < y.size; ++i)
    best = challenge(
        b, best,
        sliceAlong(b, row.value, 1, i * y.dilation, window->counts[0],
                   y.stride),
        sliceAlong(b, row.mark, 1, i * y.dilation, window->counts[0], y.stride),
        "gt");
  auto element = [&](unsigned i) {
    return cast<RankedTensorType>(getResults()[i].getType()).getElementType();
  };
  return SmallVector<Value>{b.cast(best.value, element(0)),
                            b.cast(best.mark, element(1))};
}

//===----------------------------------------------------------------------===//
// global_avg_pool2d
//===----------------------------------------------------------------------===//

Shapes GlobalAvgPool2dOp::inferShapes() {
  if (failed(shapes::verifyPoolInputRank(*this, getInput().getType())))
    return failure();
  ArrayRef<int64_t> shape = getInput().getType().getShape();
  return SmallVector<shapes::Shape>{shapes::Shape{shape[0], 1, 1, shape[3]}};
}

Expansion GlobalAvgPool2dOp::expand(GraphBuilder &b) {
  Value mean = b.reduce("mean", getInput(), {1, 2}, true);
  return SmallVector<Value>{b.cast(mean, getType().getElementType())};
}
