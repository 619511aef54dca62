#include "dialects/TTIR/Composites/WindowParts.h"
#include "dialects/TTIR/TTIRLinearAlgebra.h"

#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttir;
using namespace mlir::tt::graph;

/// Points of a transform that is one product.
static constexpr int64_t kDirect = 128;
/// Points of a transform that is one product where they are a prime number.
static constexpr int64_t kMaxPrime = 509;
/// Points of a transform: a constant has as many numbers.
static constexpr int64_t kMaxLength = int64_t(1) << 24;

namespace {

/// The real and the imaginary part; the latter is null for zeros.
struct Complex {
  Value real, imaginary;
};

} // namespace

/// A factor of at most kDirect points, the greatest; or the least one, a prime.
static int64_t chooseFactor(int64_t count) {
  for (int64_t factor = std::min(kDirect, count); factor > 1; --factor)
    if (count % factor == 0)
      return factor;
  for (int64_t factor = kDirect + 1; factor * factor <= count; ++factor)
    if (count % factor == 0)
      return factor;
  return count;
}

Shapes FftOp::inferShapes() {
  SmallVector<int64_t> shape(shapeOf(getReal()));
  StringRef type = getFftType();
  bool toReal = type == "irfft", fromReal = type == "rfft";
  if (type != "fft" && type != "ifft" && !toReal && !fromReal)
    return emitOpError("expected fft_type to be fft, ifft, rfft or irfft, "
                       "found ")
           << getFftTypeAttr();
  for (Type operand : getOperandTypes())
    if (!isa<FloatType>(cast<RankedTensorType>(operand).getElementType()))
      return emitOpError("expected tensors of floats, the real and the "
                         "imaginary part of complex numbers, found ")
             << operand;
  ArrayRef<int64_t> lengths = getFftLength();
  int64_t count = lengths.size(), rank = shape.size();
  if (count < 1 || count > 3 || count > rank)
    return emitOpError("expected 1 to 3 entries of fft_length, and not more "
                       "than the rank ")
           << rank << ", found " << count;
  for (int64_t i = 0; i < count; ++i) {
    int64_t length = lengths[i], extent = shape[rank - count + i];
    if (length < 1 || length > kMaxLength)
      return emitOpError("expected entries of fft_length in [1, ")
             << kMaxLength << "], found " << length;
    int64_t expected = toReal && i + 1 == count ? length / 2 + 1 : length;
    if (extent != expected)
      return emitOpError("expected an extent of ")
             << expected << " for the entry " << length
             << " of fft_length, found " << extent;
  }
  Value imaginary = getImaginary();
  if (fromReal == static_cast<bool>(imaginary) ||
      (imaginary && shapeOf(imaginary) != ArrayRef<int64_t>(shape)))
    return emitOpError(
               "expected an imaginary part of the real part's shape but "
               "for rfft, found ")
           << (imaginary ? shapes::toString(shapeOf(imaginary)) : "none");
  if (fromReal)
    shape.back() = lengths.back() / 2 + 1;
  if (toReal)
    shape.back() = lengths.back();
  return SmallVector<shapes::Shape>(toReal ? 1 : 2, shapes::Shape(shape));
}

/// cos and sin of sign * 2 pi * turns(i, k) / count for i below `rows` and k
/// below `columns`.
static Complex getRoots(
    GraphBuilder &b, ArrayRef<int64_t> shape, int64_t rows, int64_t columns,
    int64_t count, int64_t sign,
    function_ref<int64_t(int64_t, int64_t)> turns = [](int64_t i, int64_t k) {
      return i * k;
    }) {
  constexpr double kPi = 3.14159265358979323846;
  SmallVector<float> real, imaginary;
  for (int64_t i : range(rows))
    for (int64_t k : range(columns)) {
      double angle =
          sign * 2 * kPi * static_cast<double>(turns(i, k) % count) / count;
      real.push_back(std::cos(angle));
      imaginary.push_back(std::sin(angle));
    }
  auto floats = [&](ArrayRef<float> values) -> Value {
    return b.constant(DenseElementsAttr::get(
        RankedTensorType::get(shape, b.getBuilder().getF32Type()), values));
  };
  return {floats(real), floats(imaginary)};
}

/// x * y by `product`, of which x may be real.
static Complex multiplyComplex(GraphBuilder &b, const Complex &x,
                               const Complex &y,
                               function_ref<Value(Value, Value)> product) {
  Complex result{product(x.real, y.real), product(x.real, y.imaginary)};
  if (!x.imaginary)
    return result;
  result.real =
      b.eltwise("subtract", {result.real, product(x.imaginary, y.imaginary)});
  result.imaginary =
      b.eltwise("add", {result.imaginary, product(x.imaginary, y.real)});
  return result;
}

static Complex multiplyElements(GraphBuilder &b, const Complex &x,
                                const Complex &y) {
  return multiplyComplex(b, x, y, [&](Value p, Value q) -> Value {
    return b.eltwise("multiply", {p, q});
  });
}

template <typename Change> static Complex onBoth(const Complex &x, Change f) {
  return {f(x.real), x.imaginary ? f(x.imaginary) : Value()};
}

static Complex transform(GraphBuilder &b, Complex x, int64_t sign);

/// A transform of any number of points as a convolution, by Bluestein: with
/// n k = (n^2 + k^2 - (k - n)^2) / 2 the result is w(k) times the sum over n of
/// x(n) w(n) times the conjugate of w(k - n), w(n) a root of n^2 / 2 turns.
static Complex transformByConvolution(GraphBuilder &b, Complex x,
                                      int64_t sign) {
  int64_t count = shapeOf(x.real)[1];
  int64_t length = llvm::PowerOf2Ceil(2 * count - 1);
  auto square = [&](int64_t, int64_t n) { return n * n; };
  Complex chirp = getRoots(b, {1, count}, 1, count, 2 * count, sign, square);
  Complex scaled = multiplyElements(b, x, chirp);
  scaled = onBoth(scaled, [&](Value value) -> Value {
    return b.pad(value, {0, 0}, {0, length - count}, 0);
  });
  // The conjugate of w around 0; zeros of the input are behind `count` places.
  Complex around = getRoots(b, {1, length}, 1, length, 2 * count, -sign,
                            [&](int64_t, int64_t n) {
                              int64_t distance = std::min(n, length - n);
                              return distance * distance;
                            });
  Complex product =
      multiplyElements(b, transform(b, scaled, -1), transform(b, around, -1));
  Complex convolved = onBoth(transform(b, product, 1), [&](Value value) {
    return Value(sliceAlong(b, value, 1, 0, count));
  });
  Value factor =
      b.scalar(1.0 / static_cast<double>(length), b.getBuilder().getF32Type());
  Complex result = multiplyElements(b, convolved, chirp);
  return onBoth(result, [&](Value value) -> Value {
    return b.eltwise("multiply", {value, factor});
  });
}

/// The transform along the last dimension of tensors (B, N).
static Complex transform(GraphBuilder &b, Complex x, int64_t sign) {
  Type f32 = b.getBuilder().getF32Type();
  int64_t batch = shapeOf(x.real)[0], count = shapeOf(x.real)[1];
  int64_t first = count <= kDirect ? count : chooseFactor(count);
  if (first == count && count > kMaxPrime)
    return transformByConvolution(b, x, sign);
  if (first == count) {
    Complex roots = getRoots(b, {count, count}, count, count, count, sign);
    return multiplyComplex(b, x, roots, [&](Value p, Value q) -> Value {
      return b.matmul(p, q, f32);
    });
  }
  // Place n1 * second + n2; the result's is k1 + first * k2.
  int64_t second = count / first;
  auto swapped = [&](const Complex &of, int64_t rows, int64_t columns) {
    return onBoth(of, [&](Value value) -> Value {
      Value split = b.reshape(value, {batch, rows, columns});
      return b.permute(split, {0, 2, 1});
    });
  };
  auto flat = [&](const Complex &of, int64_t rows, int64_t columns) {
    return onBoth(of, [&](Value value) -> Value {
      return b.reshape(value, {rows, columns});
    });
  };
  Complex inner = flat(swapped(x, first, second), batch * second, first);
  inner = transform(b, inner, sign);
  inner = onBoth(inner, [&](Value value) -> Value {
    return b.reshape(value, {batch, second, first});
  });
  inner = multiplyElements(
      b, inner, getRoots(b, {1, second, first}, second, first, count, sign));
  Complex outer = flat(swapped(inner, second, first), batch * first, second);
  outer = transform(b, outer, sign);
  return flat(swapped(outer, first, second), batch, count);
}

/// All numbers of a transform that is real, from the first half and one.
static Complex completeHalf(GraphBuilder &b, const Complex &half,
                            int64_t count) {
  Type f32 = b.getBuilder().getF32Type();
  int64_t known = count / 2 + 1, dim = shapeOf(half.real).size() - 1;
  if (known == count)
    return half;
  SmallVector<APInt> places;
  for (int64_t k = known; k < count; ++k)
    places.push_back(APInt(32, count - k));
  auto type = RankedTensorType::get(count - known, b.getIndexType());
  Value indices = b.constant(DenseElementsAttr::get(type, places));
  Value mirrored = b.take(half.imaginary, dim, indices);
  Value negated = b.eltwise("multiply", {mirrored, b.scalar(-1, f32)});
  return {b.concat({half.real, b.take(half.real, dim, indices)}, dim),
          b.concat({half.imaginary, negated}, dim)};
}

Expansion FftOp::expand(GraphBuilder &b) {
  Type f32 = b.getBuilder().getF32Type();
  StringRef type = getFftType();
  bool toReal = type == "irfft", fromReal = type == "rfft";
  bool isInverse = toReal || type == "ifft";
  ArrayRef<int64_t> lengths = getFftLength();
  int64_t rank = typeOf(getReal()).getRank(), dims = lengths.size();
  Complex x{toF32(b, getReal()),
            getImaginary() ? toF32(b, getImaginary()) : Value()};

  /// Along dimension `dim`, brought to the end and back.
  auto along = [&](Complex of, int64_t dim) {
    SmallVector<int64_t> order = range(rank);
    std::swap(order[dim], order.back());
    SmallVector<int64_t> moved;
    int64_t length = 0;
    of = onBoth(of, [&](Value value) -> Value {
      Value last = b.permute(value, order);
      moved.assign(shapeOf(last).begin(), shapeOf(last).end());
      length = moved.back();
      int64_t batch = typeOf(last).getNumElements() / length;
      return b.reshape(last, {batch, length});
    });
    of = transform(b, of, isInverse ? 1 : -1);
    return onBoth(of, [&](Value value) -> Value {
      return b.permute(b.reshape(value, moved), order);
    });
  };
  // The last dimension comes first, or last on the way back to real numbers.
  if (!toReal)
    x = along(x, rank - 1);
  if (fromReal)
    x = onBoth(x, [&](Value value) -> Value {
      return sliceAlong(b, value, rank - 1, 0, lengths.back() / 2 + 1);
    });
  for (int64_t dim = rank - dims; dim < rank - 1; ++dim)
    x = along(x, dim);
  if (toReal)
    x = along(completeHalf(b, x, lengths.back()), rank - 1);
  double factor = 1;
  for (int64_t length : lengths)
    factor /= isInverse ? length : 1;
  auto finish = [&](Value value, unsigned i) -> Value {
    Type element = elementOf(getResults()[i]);
    if (!isInverse)
      return b.cast(value, element);
    return b.eltwise("multiply", {value, b.scalar(factor, f32)}, element);
  };
  SmallVector<Value> results{finish(x.real, 0)};
  if (!toReal)
    results.push_back(finish(x.imaginary, 1));
  return results;
}
