#include "dialects/TTIR/Composites/Composites.h"

#include <cmath>

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttir;
using namespace mlir::tt::graph;

namespace {

/// Columns of a matrix that are factored before the rest is updated.
constexpr int64_t kPanel = 32;
constexpr int64_t kMaxFactored = 1024;
/// Points of a transform that is one product, and of one that cannot be less.
constexpr int64_t kDirect = 128, kMaxPrime = 4096;
constexpr double kPi = 3.14159265358979323846;

/// The real and the imaginary part; the latter is null for zeros.
struct Complex {
  Value real, imaginary;
};

} // namespace

static LogicalResult verifyFloats(Operation *op) {
  for (Type type : op->getOperandTypes())
    if (!isa<FloatType>(cast<RankedTensorType>(type).getElementType()))
      return op->emitOpError("expected tensors of floats, found ") << type;
  return success();
}

/// The places [begin, end) of dimension `dim`.
static Value cut(GraphBuilder &b, Value value, int64_t dim, int64_t begin,
                 int64_t end) {
  SmallVector<int64_t> begins(shapeOf(value).size(), 0), ends(shapeOf(value)),
      steps(shapeOf(value).size(), 1);
  begins[dim] = begin;
  ends[dim] = end;
  return b.slice(value, begins, ends, steps);
}

static Value floats(GraphBuilder &b, ArrayRef<int64_t> shape,
                    ArrayRef<float> values) {
  return b.constant(DenseElementsAttr::get(
      RankedTensorType::get(shape, b.getBuilder().getF32Type()), values));
}

/// The last two dimensions exchanged.
static Value transposed(GraphBuilder &b, Value value) {
  SmallVector<int64_t> order = range(shapeOf(value).size());
  std::swap(order.end()[-1], order.end()[-2]);
  return b.permute(value, order);
}

/// All dimensions but the last two as one.
static Value asBatch(GraphBuilder &b, Value value) {
  ArrayRef<int64_t> shape = shapeOf(value);
  int64_t batch = 1;
  for (int64_t extent : shape.drop_back(2))
    batch *= extent;
  return b.reshape(value, {batch, shape.end()[-2], shape.back()});
}

//===----------------------------------------------------------------------===//
// triangular_solve
//===----------------------------------------------------------------------===//

Shapes TriangularSolveOp::inferShapes() {
  ArrayRef<int64_t> a = shapeOf(getA()), b = shapeOf(getB());
  bool fits = a.size() >= 2 && a.size() == b.size() &&
              a.end()[-1] == a.end()[-2] && a.drop_back(2) == b.drop_back(2) &&
              a.back() == b.end()[getLeftSide() ? -2 : -1];
  if (!fits)
    return emitOpError("expected square matrices a and as many equations in b, "
                       "found ")
           << shapes::toString(a) << " and " << shapes::toString(b);
  if (failed(verifyFloats(*this)))
    return failure();
  return SmallVector<shapes::Shape>{shapes::Shape(b)};
}

/// The inverse of lower triangles (B, N, N). With the inverses of diagonal
/// blocks in X and the blocks below them in C, X - X C X has those of blocks of
/// twice the size.
static Value invertLower(GraphBuilder &b, Value lower, bool isUnit) {
  int64_t size = shapeOf(lower).back();
  Type f32 = b.getBuilder().getF32Type();
  Value zero = b.scalar(0, f32), one = b.scalar(1, f32);
  auto blockNumbers = [&](int64_t extent, int64_t dim) {
    SmallVector<float> numbers;
    for (int64_t i : range(size))
      numbers.push_back(i / extent);
    SmallVector<int64_t> shape(3, 1);
    shape[dim] = size;
    return floats(b, shape, numbers);
  };
  auto sameBlock = [&](int64_t extent) -> Value {
    return b.predicate("eq",
                       {blockNumbers(extent, 1), blockNumbers(extent, 2)});
  };
  Value diagonal = sameBlock(1);
  Value inverse = b.select(
      diagonal, isUnit ? one : Value(b.eltwise("div", {one, lower})), zero);
  if (isUnit)
    inverse = b.broadcast(inverse, shapeOf(lower));
  for (int64_t extent = 1; extent < size; extent *= 2) {
    Value below =
        b.predicate("gt", {blockNumbers(extent, 1), blockNumbers(extent, 2)});
    Value inner = b.predicate("logical_and", {sameBlock(2 * extent), below});
    Value coupling = b.select(inner, lower, zero);
    Value product = b.matmul(b.matmul(inverse, coupling, f32), inverse, f32);
    inverse = b.eltwise("subtract", {inverse, product});
  }
  return inverse;
}

Expansion TriangularSolveOp::expand(GraphBuilder &b) {
  Type f32 = b.getBuilder().getF32Type();
  Value lower = asBatch(b, toF32(b, getA())),
        right = asBatch(b, toF32(b, getB()));
  if (!getLower())
    lower = transposed(b, lower);
  int64_t size = shapeOf(lower).back();
  SmallVector<float> numbers;
  for (int64_t i : range(size))
    numbers.push_back(i);
  Value rows = floats(b, {1, size, 1}, numbers);
  Value columns = floats(b, {1, 1, size}, numbers);
  Value zero = b.scalar(0, f32);
  // The other triangle may hold anything.
  lower = b.select(b.predicate("ge", {rows, columns}), lower, zero);
  if (getUnitDiagonal())
    lower =
        b.select(b.predicate("eq", {rows, columns}), b.scalar(1, f32), lower);
  Value inverse = invertLower(b, lower, getUnitDiagonal());
  bool swap = getLower() == getTransposeA();
  auto multiply = [&](Value matrix, Value vectors) -> Value {
    return getLeftSide() ? b.matmul(matrix, vectors, f32, swap, false)
                         : b.matmul(vectors, matrix, f32, false, swap);
  };
  Value solution = multiply(inverse, right);
  Value rest = b.eltwise("subtract", {right, multiply(lower, solution)});
  Type element = getType().getElementType();
  Value refined =
      b.eltwise("add", {solution, multiply(inverse, rest)}, element);
  return SmallVector<Value>{b.reshape(refined, getType().getShape())};
}

//===----------------------------------------------------------------------===//
// cholesky
//===----------------------------------------------------------------------===//

Shapes CholeskyOp::inferShapes() {
  ArrayRef<int64_t> shape = shapeOf(getA());
  if (shape.size() < 2 || shape.end()[-1] != shape.end()[-2] ||
      shape.back() > kMaxFactored)
    return emitOpError("expected square matrices of at most ")
           << kMaxFactored << " rows, found " << shapes::toString(shape);
  if (failed(verifyFloats(*this)))
    return failure();
  return SmallVector<shapes::Shape>{shapes::Shape(shape)};
}

Expansion CholeskyOp::expand(GraphBuilder &b) {
  Type f32 = b.getBuilder().getF32Type();
  Value rest = asBatch(b, toF32(b, getA()));
  if (!getLower())
    rest = transposed(b, rest);
  int64_t size = shapeOf(rest).back();
  SmallVector<Value> columns;
  // `rest` is what the columns in front leave of the matrix.
  for (int64_t first = 0; first < size; first += kPanel) {
    int64_t height = size - first, width = std::min(kPanel, height);
    Value panel = cut(b, rest, 2, 0, width);
    SmallVector<Value> own;
    for (int64_t j = 0; j < width; ++j) {
      Value column = cut(b, panel, 2, 0, 1);
      Value factor = b.eltwise("rsqrt", cut(b, column, 1, 0, 1));
      column = b.eltwise("multiply", {column, factor});
      own.push_back(b.pad(column, {0, j, 0}, {0, 0, 0}, 0));
      if (j + 1 == width)
        break;
      Value below = cut(b, column, 1, 1, height - j);
      Value across = transposed(b, cut(b, column, 1, 1, width - j));
      Value left = cut(b, cut(b, panel, 1, 1, height - j), 2, 1, width - j);
      panel =
          b.eltwise("subtract", {left, b.eltwise("multiply", {below, across})});
    }
    Value factored = b.concat(own, 2);
    columns.push_back(b.pad(factored, {0, first, 0}, {0, 0, 0}, 0));
    if (width == height)
      break;
    Value below = cut(b, factored, 1, width, height);
    Value left = cut(b, cut(b, rest, 1, width, height), 2, width, height);
    rest =
        b.eltwise("subtract", {left, b.matmul(below, below, f32, false, true)});
  }
  Value result = b.concat(columns, 2);
  if (!getLower())
    result = transposed(b, result);
  result = b.cast(result, getType().getElementType());
  return SmallVector<Value>{b.reshape(result, getType().getShape())};
}

//===----------------------------------------------------------------------===//
// fft
//===----------------------------------------------------------------------===//

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
  ArrayRef<int64_t> lengths = getFftLength();
  int64_t count = lengths.size(), rank = shape.size();
  if (count < 1 || count > 3 || count > rank)
    return emitOpError("expected 1 to 3 entries of fft_length, and not more "
                       "than the rank ")
           << rank << ", found " << count;
  for (int64_t i = 0; i < count; ++i) {
    int64_t length = lengths[i], extent = shape[rank - count + i];
    int64_t expected = toReal && i + 1 == count ? length / 2 + 1 : length;
    if (length < 1 || extent != expected)
      return emitOpError("expected an extent of ")
             << expected << " for the entry " << length
             << " of fft_length, found " << extent;
    for (int64_t rest = length, factor; rest > 1; rest /= factor)
      if ((factor = chooseFactor(rest)) > kMaxPrime)
        return emitOpError("expected prime factors of fft_length of at most ")
               << kMaxPrime << ", found " << factor;
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

/// cos and sin of sign * 2 pi * i * k / count for i below `rows` and k below
/// `columns`.
static Complex getRoots(GraphBuilder &b, ArrayRef<int64_t> shape, int64_t rows,
                        int64_t columns, int64_t count, int64_t sign) {
  SmallVector<float> real, imaginary;
  for (int64_t i : range(rows))
    for (int64_t k : range(columns)) {
      double angle =
          sign * 2 * kPi * static_cast<double>(i * k % count) / count;
      real.push_back(std::cos(angle));
      imaginary.push_back(std::sin(angle));
    }
  return {floats(b, shape, real), floats(b, shape, imaginary)};
}

/// a * b by `product`, of which a may be real.
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

template <typename Change> static Complex onBoth(const Complex &x, Change f) {
  return {f(x.real), x.imaginary ? f(x.imaginary) : Value()};
}

/// The transform along the last dimension of tensors (B, N).
static Complex transform(GraphBuilder &b, Complex x, int64_t sign) {
  Type f32 = b.getBuilder().getF32Type();
  int64_t batch = shapeOf(x.real)[0], count = shapeOf(x.real)[1];
  int64_t first = count <= kDirect ? count : chooseFactor(count);
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
  Complex twiddles =
      getRoots(b, {1, second, first}, second, first, count, sign);
  inner = multiplyComplex(b, inner, twiddles, [&](Value p, Value q) -> Value {
    return b.eltwise("multiply", {p, q});
  });
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
      return cut(b, value, rank - 1, 0, lengths.back() / 2 + 1);
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
