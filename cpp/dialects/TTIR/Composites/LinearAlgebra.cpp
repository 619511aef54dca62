#include "dialects/TTIR/Composites/WindowParts.h"
#include "dialects/TTIR/TTIRLinearAlgebra.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttir;
using namespace mlir::tt::graph;

/// Rows of a matrix that are solved, or columns that are factored, before the
/// rest is updated by a product.
static constexpr int64_t kPanel = 32;
static constexpr int64_t kMaxFactored = 4096;

static LogicalResult verifyMatricesOfFloats(Operation *op) {
  for (Type type : op->getOperandTypes())
    if (!isa<FloatType>(cast<RankedTensorType>(type).getElementType()))
      return op->emitOpError("expected tensors of floats, found ") << type;
  return success();
}

/// The last two dimensions exchanged.
static Value transposedMatrices(GraphBuilder &b, Value value) {
  SmallVector<int64_t> order = range(shapeOf(value).size());
  std::swap(order.end()[-1], order.end()[-2]);
  return b.permute(value, order);
}

/// All dimensions but the last two as one.
static Value asBatchOfMatrices(GraphBuilder &b, Value value) {
  ArrayRef<int64_t> shape = shapeOf(value);
  int64_t batch = 1;
  for (int64_t extent : shape.drop_back(2))
    batch *= extent;
  return b.reshape(value, {batch, shape.end()[-2], shape.back()});
}

/// Rows and columns of matrices (B, M, N).
static Value partOf(GraphBuilder &b, Value value, int64_t row, int64_t rows,
                    int64_t column, int64_t columns) {
  return b.slice(value, {0, row, column},
                 {shapeOf(value)[0], row + rows, column + columns}, {1, 1, 1});
}

/// Whether `keep` of row and column, for matrices (B, N, N).
static Value places(GraphBuilder &b, int64_t size,
                    function_ref<bool(int64_t, int64_t)> keep) {
  SmallVector<APInt> bits;
  for (int64_t row : range(size))
    for (int64_t column : range(size))
      bits.push_back(APInt(8, keep(row, column)));
  auto type = RankedTensorType::get({1, size, size}, b.getBoolType());
  return b.constant(DenseElementsAttr::get(type, bits));
}

/// The inverse of lower triangles (B, N, N), of which the other triangle may
/// hold anything. With the inverses of diagonal blocks in X and the blocks
/// below them in C, X - X C X has those of blocks of twice the size.
static Value invertLower(GraphBuilder &b, Value lower, bool isUnit) {
  int64_t size = shapeOf(lower).back();
  Type f32 = b.getBuilder().getF32Type();
  Value zero = b.scalar(0, f32), one = b.scalar(1, f32);
  Value diagonal = places(
      b, size, [](int64_t row, int64_t column) { return row == column; });
  Value inverse = isUnit ? one : Value(b.eltwise("div", {one, lower}));
  inverse = b.broadcast(b.select(diagonal, inverse, zero), shapeOf(lower));
  for (int64_t extent = 1; extent < size; extent *= 2) {
    Value below = places(b, size, [&](int64_t row, int64_t column) {
      return row / extent == column / extent + 1 && row / extent % 2 == 1;
    });
    Value coupling = b.select(below, lower, zero);
    Value product = b.matmul(b.matmul(inverse, coupling, f32), inverse, f32);
    inverse = b.eltwise("subtract", {inverse, product});
  }
  return inverse;
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
  if (failed(verifyMatricesOfFloats(*this)))
    return failure();
  return SmallVector<shapes::Shape>{shapes::Shape(b)};
}

/// The inverses (B, w, w) of the blocks of kPanel rows along the diagonal.
static SmallVector<Value> invertDiagonal(GraphBuilder &b, Value lower,
                                         bool isUnit) {
  int64_t batch = shapeOf(lower)[0], size = shapeOf(lower).back();
  SmallVector<Value> blocks, inverses;
  for (int64_t first = 0; first < size; first += kPanel) {
    int64_t width = std::min(kPanel, size - first);
    blocks.push_back(partOf(b, lower, first, width, first, width));
  }
  // Those of full size as one batch.
  int64_t full = size / kPanel;
  if (full > 0) {
    Value inverse =
        invertLower(b, b.concat(ArrayRef(blocks).take_front(full), 0), isUnit);
    for (int64_t i : range(full))
      inverses.push_back(sliceAlong(b, inverse, 0, i * batch, batch));
  }
  if (size % kPanel != 0)
    inverses.push_back(invertLower(b, blocks.back(), isUnit));
  return inverses;
}

Expansion TriangularSolveOp::expand(GraphBuilder &b) {
  Type f32 = b.getBuilder().getF32Type();
  Value lower = asBatchOfMatrices(b, toF32(b, getA())),
        rest = asBatchOfMatrices(b, toF32(b, getB()));
  if (!getLower())
    lower = transposedMatrices(b, lower);
  int64_t size = shapeOf(lower).back();
  SmallVector<Value> inverses = invertDiagonal(b, lower, getUnitDiagonal());
  // Of left * x = b, or x * right = b, the dimension of the equations.
  bool isLeft = getLeftSide(), isTransposed = getLower() == getTransposeA();
  int64_t dim = isLeft ? 1 : 2;
  auto multiply = [&](Value matrix, Value vectors) -> Value {
    return isLeft ? b.matmul(matrix, vectors, f32, isTransposed, false)
                  : b.matmul(vectors, matrix, f32, false, isTransposed);
  };
  // From the first equation on, or from the last.
  bool forward = isLeft != isTransposed;
  int64_t count = inverses.size();
  SmallVector<Value> solutions(count);
  // `rest` has the equations [begin, end) that are left.
  int64_t begin = 0, end = size;
  for (int64_t step : range(count)) {
    int64_t block = forward ? step : count - 1 - step;
    int64_t first = block * kPanel, width = std::min(kPanel, size - first);
    Value own = sliceAlong(b, rest, dim, first - begin, width);
    Value solution = solutions[block] = multiply(inverses[block], own);
    (forward ? begin : end) = forward ? first + width : first;
    if (begin == end)
      break;
    // The block of the triangle that couples the equations left with these.
    Value coupling = forward
                         ? partOf(b, lower, begin, end - begin, first, width)
                         : partOf(b, lower, first, width, begin, end - begin);
    rest = sliceAlong(b, rest, dim, forward ? width : 0, end - begin);
    rest = b.eltwise("subtract", {rest, multiply(coupling, solution)});
  }
  Value result = b.concat(solutions, dim);
  result = b.cast(result, getType().getElementType());
  return SmallVector<Value>{b.reshape(result, getType().getShape())};
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
  if (failed(verifyMatricesOfFloats(*this)))
    return failure();
  return SmallVector<shapes::Shape>{shapes::Shape(shape)};
}

namespace {
/// a = u^T * d * u with ones on the diagonal of the upper triangle u.
struct Factors {
  /// (B, w, w), which may hold anything below the diagonal; and (B, w, 1).
  Value upper, diagonal;
};
} // namespace

/// Factors of blocks (B, w, w) of which the upper triangle counts. All steps
/// have the block's shape: what a row has in front of its pivot stays there.
static Factors factorBlock(GraphBuilder &b, Value rest) {
  int64_t batch = shapeOf(rest)[0], width = shapeOf(rest).back();
  SmallVector<Value> rows, pivots;
  for (int64_t j : range(width)) {
    Value row = sliceAlong(b, rest, 1, j, 1);
    pivots.push_back(sliceAlong(b, row, 2, j, 1));
    rows.push_back(b.eltwise("div", {row, pivots.back()}));
    if (j + 1 == width)
      break;
    Value column = b.reshape(row, {batch, width, 1});
    rest = b.eltwise("subtract",
                     {rest, b.eltwise("multiply", {column, rows.back()})});
  }
  return {b.concat(rows, 1), b.concat(pivots, 1)};
}

Expansion CholeskyOp::expand(GraphBuilder &b) {
  Type f32 = b.getBuilder().getF32Type();
  Value rest = asBatchOfMatrices(b, toF32(b, getA()));
  bool isLower = getLower();
  if (isLower)
    rest = transposedMatrices(b, rest);
  // The upper factor row by row of blocks.
  int64_t size = shapeOf(rest).back();
  SmallVector<Value> rows;
  // `rest` is what the rows in front leave of the matrix.
  for (int64_t first = 0; first < size; first += kPanel) {
    int64_t left = size - first, width = std::min(kPanel, left);
    Factors factors = factorBlock(b, partOf(b, rest, 0, width, 0, width));
    Value root = b.eltwise("sqrt", factors.diagonal);
    Value isUpper = places(
        b, width, [](int64_t row, int64_t column) { return row <= column; });
    Value row = b.select(isUpper, b.eltwise("multiply", {factors.upper, root}),
                         b.scalar(0, f32));
    if (width < left) {
      Value inverse =
          invertLower(b, transposedMatrices(b, factors.upper), true);
      Value right = partOf(b, rest, 0, width, width, left - width);
      right = b.eltwise("div", {b.matmul(inverse, right, f32), root});
      rest =
          b.eltwise("subtract",
                    {partOf(b, rest, width, left - width, width, left - width),
                     b.matmul(right, right, f32, true, false)});
      row = b.concat({row, right}, 2);
    }
    rows.push_back(b.pad(row, {0, 0, first}, {0, 0, 0}, 0));
  }
  Value result = b.concat(rows, 1);
  if (isLower)
    result = transposedMatrices(b, result);
  result = b.cast(result, getType().getElementType());
  return SmallVector<Value>{b.reshape(result, getType().getShape())};
}
