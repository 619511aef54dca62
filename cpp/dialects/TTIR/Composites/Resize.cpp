#include "dialects/TTIR/Composites/Composites.h"
#include "dialects/TTIR/TTIRWindows.h"

#include <cmath>

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttir;
using namespace mlir::tt::graph;

namespace {

/// How one dimension is resized.
struct Axis {
  int64_t in, out;
  double scale, start = 0, end = 1;
};

/// A weight of an element of the input.
struct Tap {
  int64_t index;
  double weight;
};

} // namespace

static const StringRef kCoordinates[] = {
    "half_pixel",    "half_pixel_symmetric", "pytorch_half_pixel",
    "align_corners", "asymmetric",           "tf_crop_and_resize"};
static const StringRef kModes[] = {"nearest", "linear", "cubic"};
static const StringRef kNearest[] = {"round_prefer_floor", "round_prefer_ceil",
                                     "floor", "ceil"};

static LogicalResult expectOneOf(Operation *op, StringRef name, StringRef found,
                                 ArrayRef<StringRef> known) {
  if (llvm::is_contained(known, found))
    return success();
  InFlightDiagnostic error = op->emitOpError("expected ") << name << " to be ";
  llvm::interleaveComma(known, error,
                        [&](StringRef one) { error << "\"" << one << "\""; });
  return error << ", found \"" << found << "\"";
}

Shapes ResizeOp::inferShapes() {
  size_t rank = getInput().getType().getRank();
  if (failed(expectOneOf(*this, "mode", getMode(), kModes)) ||
      failed(
          expectOneOf(*this, "coordinates", getCoordinates(), kCoordinates)) ||
      failed(expectOneOf(*this, "nearest", getNearest(), kNearest)))
    return failure();
  if (getSizes().size() != rank)
    return emitOpError("expected ")
           << rank << " entries of sizes, found " << getSizes().size();
  // Of nothing there is nothing.
  for (auto [size, extent] : llvm::zip(getSizes(), shapeOf(getInput())))
    if (size < 0 || (size == 0) != (extent == 0))
      return emitOpError("expected positive sizes, found ") << size;
  std::optional<ArrayRef<float>> scales = getScales(), region = getRegion();
  if (scales && scales->size() != rank)
    return emitOpError("expected ")
           << rank << " entries of scales, found " << scales->size();
  if (scales)
    for (float scale : *scales)
      if (!(scale > 0) || !std::isfinite(scale))
        return emitOpError("expected positive scales, found ") << scale;
  bool isCrop = getCoordinates() == "tf_crop_and_resize";
  if (region.has_value() != isCrop)
    return emitOpError("expected a region for tf_crop_and_resize and for "
                       "nothing else, found ")
           << (region ? "one" : "none") << " for " << getCoordinates();
  if (region && region->size() != 2 * rank)
    return emitOpError("expected ")
           << 2 * rank << " entries of region, found " << region->size();
  return SmallVector<shapes::Shape>{shapes::Shape(getSizes())};
}

/// The place of element `i` of the output in the input.
static double placeOf(StringRef coordinates, const Axis &axis, int64_t i) {
  // The output's extent before it was made whole.
  double exact = axis.scale * axis.in;
  if (coordinates == "half_pixel")
    return (i + 0.5) / axis.scale - 0.5;
  if (coordinates == "half_pixel_symmetric") {
    double centre = axis.in / 2.0;
    return centre * (1 - axis.out / exact) + (i + 0.5) / axis.scale - 0.5;
  }
  if (coordinates == "pytorch_half_pixel")
    return exact > 1 ? (i + 0.5) / axis.scale - 0.5 : 0;
  if (coordinates == "align_corners")
    return exact == 1 ? 0 : i * (axis.in - 1) / (exact - 1);
  if (coordinates == "asymmetric")
    return i / axis.scale;
  if (exact == 1)
    return (axis.start + axis.end) * (axis.in - 1) / 2;
  return axis.start * (axis.in - 1) +
         i * (axis.end - axis.start) * (axis.in - 1) / (exact - 1);
}

static int64_t roundPlace(StringRef nearest, double place) {
  if (nearest == "floor")
    return static_cast<int64_t>(std::floor(place));
  if (nearest == "ceil")
    return static_cast<int64_t>(std::ceil(place));
  return static_cast<int64_t>(nearest == "round_prefer_floor"
                                  ? std::ceil(place - 0.5)
                                  : std::floor(place + 0.5));
}

/// The weight of an element at a distance, in a linear or a cubic mode.
static double weigh(bool isCubic, double a, double distance) {
  double x = std::fabs(distance);
  if (!isCubic)
    return std::max(0.0, 1 - x);
  if (x <= 1)
    return ((a + 2) * x - (a + 3)) * x * x + 1;
  return x < 2 ? ((a * x - 5 * a) * x + 8 * a) * x - 4 * a : 0;
}

/// The elements that an element at `place` is made of.
static SmallVector<Tap> tapsAt(ResizeOp op, const Axis &axis, double place) {
  bool isCubic = op.getMode() == "cubic";
  double a = op.getCubicCoefficient().convertToFloat();
  double shrink = op.getAntialias() ? std::min(axis.scale, 1.0) : 1.0;
  double reach = isCubic ? 2 : 1;
  // Of an element at a whole place, the one in front comes first.
  double base = std::ceil(place) - 1;
  int64_t first = static_cast<int64_t>(std::floor(-reach / shrink)) + 1;
  SmallVector<Tap> taps;
  double sum = 0;
  for (int64_t i = first; i < 2 - first; ++i) {
    int64_t index = static_cast<int64_t>(base) + i;
    double weight = weigh(isCubic, a, shrink * (base + i - place));
    bool isOutside = index < 0 || index >= axis.in;
    if (op.getExcludeOutside() && isOutside)
      weight = 0;
    sum += weight;
    taps.push_back({std::clamp<int64_t>(index, 0, axis.in - 1), weight});
  }
  // Elsewhere they add up to 1 already.
  if (op.getExcludeOutside() || op.getAntialias())
    for (Tap &tap : taps)
      tap.weight /= sum;
  return taps;
}

/// `x` times weights (out, in) along `dim`.
static Value multiplyAlong(GraphBuilder &b, Value x, int64_t dim,
                           const Axis &axis, ArrayRef<float> weights) {
  Type f32 = b.getBuilder().getF32Type();
  SmallVector<int64_t> shape(shapeOf(x)), result(shape);
  result[dim] = axis.out;
  int64_t outer = 1, inner = 1;
  for (int64_t extent : ArrayRef(shape).take_front(dim))
    outer *= extent;
  for (int64_t extent : ArrayRef(shape).drop_front(dim + 1))
    inner *= extent;
  Value matrix = b.constant(DenseElementsAttr::get(
      RankedTensorType::get({axis.out, axis.in}, f32), weights));
  // Narrow matrices would leave most of their tiles empty.
  if (inner < 32) {
    Value rows = b.permute(b.reshape(x, {outer, axis.in, inner}), {0, 2, 1});
    Value product = b.matmul(b.reshape(rows, {outer * inner, axis.in}), matrix,
                             f32, false, true);
    return b.reshape(
        b.permute(b.reshape(product, {outer, inner, axis.out}), {0, 2, 1}),
        result);
  }
  // The one matrix of weights is for all outer places.
  Value product = b.op("matmul",
                       {b.reshape(matrix, {1, axis.out, axis.in}),
                        b.reshape(x, {outer, axis.in, inner})},
                       RankedTensorType::get({outer, axis.out, inner}, f32));
  return b.reshape(product, result);
}

static Axis axisOf(ResizeOp op, int64_t dim) {
  ArrayRef<int64_t> shape = shapeOf(op.getInput());
  Axis axis{shape[dim], op.getSizes()[dim], 0};
  axis.scale = op.getScales() ? (*op.getScales())[dim]
                              : static_cast<double>(axis.out) / axis.in;
  if (op.getRegion()) {
    axis.start = (*op.getRegion())[dim];
    axis.end = (*op.getRegion())[shape.size() + dim];
  }
  return axis;
}

/// Whether the dimension stays as it is.
static bool isKept(const Axis &axis) {
  return axis.in == axis.out && axis.scale == 1 && axis.start == 0 &&
         axis.end == 1;
}

/// The element of the input that each element of the output is, in the mode
/// `nearest`.
static SmallVector<int32_t> nearestAlong(ResizeOp op, const Axis &axis) {
  SmallVector<int32_t> indices;
  for (int64_t i = 0; i < axis.out; ++i)
    indices.push_back(std::clamp<int64_t>(
        roundPlace(op.getNearest(), placeOf(op.getCoordinates(), axis, i)), 0,
        axis.in - 1));
  return indices;
}

/// Whether the positions of a linear mode are those of `upsample`: half pixels,
/// interpolated between two neighbours.
static bool isPlainLinear(ResizeOp op) {
  return op.getMode() == "linear" && !op.getAntialias() &&
         !op.getExcludeOutside() &&
         (op.getCoordinates() == "half_pixel" ||
          op.getCoordinates() == "pytorch_half_pixel");
}

/// Builds an `upsample` for integer factors along rows and columns, the
/// dimensions from `first` on. Null for anything else.
static Value upsamplePixels(ResizeOp op, int64_t first, GraphBuilder &b) {
  bool isNearest = op.getMode() == "nearest";
  if ((!isNearest && !isPlainLinear(op)) || op.getRegion() ||
      op.getSizes().size() != 4 ||
      (!isNearest && !isa<FloatType>(elementOf(op.getInput()))))
    return {};
  SmallVector<int32_t> factors;
  for (int64_t dim = 0; dim < 4; ++dim) {
    Axis axis = axisOf(op, dim);
    if (dim != first && dim != first + 1) {
      if (!isKept(axis))
        return {};
      continue;
    }
    if (axis.in == 0 || axis.out % axis.in)
      return {};
    int64_t factor = axis.out / axis.in;
    if (isNearest) {
      for (auto [place, index] : llvm::enumerate(nearestAlong(op, axis)))
        if (index != static_cast<int64_t>(place) / factor)
          return {};
    } else if (axis.scale != static_cast<double>(factor)) {
      return {};
    }
    factors.push_back(factor);
  }
  // Channels come last.
  SmallVector<int64_t> there{0, 2, 3, 1}, back{0, 3, 1, 2};
  Value x = op.getInput();
  SmallVector<int64_t> sizes(op.getSizes());
  if (first == 2) {
    x = b.permute(x, there);
    sizes = {sizes[0], sizes[2], sizes[3], sizes[1]};
  }
  OpBuilder &builder = b.getBuilder();
  Value result =
      b.op("upsample", x, typeOf(x).clone(sizes),
           {b.attr("scale_factor", builder.getDenseI32ArrayAttr(factors)),
            b.attr("mode",
                   builder.getStringAttr(isNearest ? "nearest" : "bilinear"))});
  return first == 2 ? b.permute(result, back) : result;
}

Expansion ResizeOp::expand(GraphBuilder &b) {
  Value x = getInput();
  Type element = getType().getElementType();
  for (int64_t first : {1, 2})
    if (Value result = upsamplePixels(*this, first, b))
      return SmallVector<Value>{b.cast(result, element)};
  bool isNearest = getMode() == "nearest";
  if (!isNearest)
    x = b.cast(x, b.getBuilder().getF32Type());
  Value inside;
  int64_t rank = typeOf(x).getRank();
  for (int64_t dim = 0; dim < rank; ++dim) {
    Axis axis = axisOf(*this, dim);
    if (isKept(axis))
      continue;
    SmallVector<float> weights(isNearest ? 0 : axis.in * axis.out, 0.0f);
    SmallVector<APInt> seen;
    bool isWhole = true;
    for (int64_t i = 0; i < axis.out; ++i) {
      double place = placeOf(getCoordinates(), axis, i);
      bool isInside = !getRegion() || (place >= 0 && place <= axis.in - 1);
      seen.push_back(APInt(8, isInside));
      isWhole &= isInside;
      if (!isNearest && isInside)
        for (const Tap &tap : tapsAt(*this, axis, place))
          weights[i * axis.in + tap.index] += tap.weight;
    }
    if (isNearest)
      x = b.take(x, dim,
                 b.constant(DenseElementsAttr::get(
                     RankedTensorType::get({axis.out}, b.getIndexType()),
                     ArrayRef(nearestAlong(*this, axis)))));
    else
      x = multiplyAlong(b, x, dim, axis, weights);
    if (!isWhole) {
      SmallVector<int64_t> shape(rank, 1);
      shape[dim] = axis.out;
      Value mask = b.constant(DenseElementsAttr::get(
          RankedTensorType::get(shape, b.getBoolType()), seen));
      inside =
          inside ? Value(b.predicate("logical_and", {inside, mask})) : mask;
    }
  }
  if (inside)
    x = b.select(inside, x,
                 b.scalar(getExtrapolation().convertToDouble(), elementOf(x)));
  return SmallVector<Value>{b.cast(x, element)};
}
